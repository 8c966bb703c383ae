/** The risk figures as the page shows them to an operator. */
import type { Risk } from 'ratewire-live';
import { formatMinor } from '../../../engine/domain/money/money.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import type { LimitFigures, PairFigures, Profit, RiskFigures } from '../../../engine/domain/risk/figures.js';
import { usedPercent } from '../../../engine/domain/risk/limits.js';
import type { Services } from '../../../engine/service/core/services.js';
import { isoDate } from '../shapes.js';

/** The role publishes at least each second. */
const STALE_MS = 3_000;
const NO_TOTAL = { total: '', long: '', short: '', profit: '', dayProfit: '' };
const TABLES = { pairs: [], currencies: [], limits: [], states: [], covers: [] };

export function riskOf(risk: Services['risk']): Risk {
  const figures = risk.figures(Number.POSITIVE_INFINITY);
  const ageMs = risk.ageMs();
  if (figures === undefined || ageMs === undefined)
    return { t: 'r', atMs: 0, ageMs: -1, isStale: true, currency: '', day: '', total: NO_TOTAL, ...TABLES };
  const { baseCurrency, total, atMs } = figures;
  const value = (minor: number | undefined) => (minor === undefined ? '' : formatMinor(BigInt(minor), baseCurrency));
  const sum = (profit: Profit | undefined) => value(profit && profit.realised + profit.unrealised);
  const ageOf = (rateAgeMs: number | undefined) => (rateAgeMs === undefined ? -1 : Math.round(rateAgeMs + ageMs));
  return {
    t: 'r',
    atMs,
    ageMs: Math.round(ageMs),
    isStale: ageMs > STALE_MS,
    currency: baseCurrency,
    day: isoDate(figures.day),
    total: {
      total: value(total.total),
      long: value(total.long),
      short: value(total.short),
      profit: sum(total.profit),
      dayProfit: sum(total.dayProfit),
    },
    pairs: figures.pairs.map((one) => ({
      ...pairRow(one),
      rateAgeMs: ageOf(one.midAgeMs),
      value: value(one.value),
      profit: sum(one.profit),
      dayProfit: sum(one.dayProfit),
    })),
    currencies: figures.currencies.map(({ currency, net, value: worth, rateAgeMs }) => ({
      currency,
      net: formatMinor(net, currency),
      value: value(worth),
      rateAgeMs: ageOf(rateAgeMs),
    })),
    limits: figures.limits.map((one) => limitRow(one, baseCurrency)),
    states: figures.states.map(({ scope, subject, ...state }) => ({
      subject: scope === 'client' ? `client ${subject}` : subject,
      ...state,
    })),
    covers: figures.covers.map((cover) => coverRow(cover)),
  };
}

function pairRow({ pair, netBase, netQuote, averageBought = '', averageSold = '', mid = '' }: PairFigures) {
  const { base, quote } = pairBySymbol(pair)!;
  return {
    pair,
    netBase: `${formatMinor(netBase, base)} ${base}`,
    netQuote: `${formatMinor(netQuote, quote)} ${quote}`,
    bought: averageBought,
    sold: averageSold,
    mid,
  };
}

function limitRow({ subject, limit, of, used, most, mark }: LimitFigures, baseCurrency: string) {
  const shown = (minor: number) => formatMinor(BigInt(minor), baseCurrency);
  return {
    subject,
    limit: of === undefined ? limit : `${limit} ${of}`,
    used: shown(used),
    most: shown(most),
    percent: usedPercent(used, most) ?? 0,
    mark,
  };
}

function coverRow({ pair, amount, filled, ...cover }: RiskFigures['covers'][number]) {
  const base = pair.slice(0, 3);
  const shown = (minor: bigint) => `${formatMinor(minor, base)} ${base}`;
  return { ...cover, pair, amount: shown(amount), filled: shown(filled) };
}
