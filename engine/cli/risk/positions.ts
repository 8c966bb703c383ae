/** What the house holds: net open positions by client, currency or pair, and the profit on them. */
import { type Command, Option } from 'commander';
import { HOUSE_ID } from '../../domain/core/ids.js';
import { formatMinor } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import type { OutputOf } from '../../service/operations.js';
import { REFUSED, type Run } from '../run.js';
import { isoTime, Shown, showRows } from '../show.js';

type Positions = OutputOf<'listPositions'>;
type Figures = NonNullable<Positions['figures']>;
type Profit = Figures['total']['profit'];
type View = 'client' | 'currency' | 'pair';

const HOW = `
Seen from the house: a positive amount is held, a negative one is owed. A conversion counts from its booking, a cover deal too. Values and profits
are in the base currency (BASE_CURRENCY), at the composite mid; rate_age is how old that mid is: a pair without a fresh price keeps its last one.
bought_at and sold_at are average rates. realised is what bought and sold amounts that match have earned, unrealised what closing the rest at
the mid would; margin is the part of both that margins have earned. The profit of the day counts from 17:00 in New York.
The total net open position is the larger of the sums of the long and of the short currencies, without the base currency.

The engine with the risk role makes the figures at least each second. Older than 3 s they are stale: exit code 1, and a line says so. With
--by client the positions of all clients are read now, and valued with the mids of the figures: the cover deals as _house, then the clients
with the largest total net open positions.

Examples:
  ratewire positions
  ratewire positions --by currency
  ratewire positions --by client --limit 1000 --json`;

export function addPositionCommand(program: Command, run: Run): void {
  program
    .command('positions')
    .description('what the house holds: net open positions, average rates and profit')
    .addOption(
      new Option('--by <what>', 'one table alone (default: by currency and by pair)').choices([
        'client',
        'currency',
        'pair',
      ]),
    )
    .option('--limit <n>', 'of --by client: how many, 1 to 1000', Number, 100)
    .addHelpText('after', HOW)
    .action(({ by, limit }: { by?: View; limit: number }) =>
      run(async (ask) => {
        const found = await ask('listPositions', { by, limit });
        const exitCode = found.isStale ? REFUSED : 0;
        return new Shown(json(found, by), () => text(found, by), exitCode);
      }),
    );
}

const NONE = 'No risk figures: no engine has had the risk role on this store. Start an engine.\n';
const VIEWS: readonly View[] = ['currency', 'pair'];

function text({ figures, ageMs, isStale, clients, clientsInAll }: Positions, by: View | undefined): string {
  if (figures === undefined) return NONE;
  const { atMs, baseCurrency, day, total } = figures;
  const shown = (value: number) => amount(value, baseCurrency);
  const age = ageMs === undefined ? 'of unknown age' : `${(ageMs / 1_000).toFixed(1)} s old`;
  const lines = [
    ...(isStale
      ? [`STALE, ${age}: no engine has the risk role, or it cannot read the positions. Do not decide on it.`]
      : []),
    `${isoTime(atMs)}, ${age}; values in ${baseCurrency}; trading day ${day}`,
    `total net open position ${shown(total.total)} (long ${shown(total.long)}, short ${shown(total.short)})`,
    `profit of the day ${profitText(total.dayProfit, baseCurrency)}`,
    `profit in all ${profitText(total.profit, baseCurrency)}`,
    ...unvalued(figures),
    ...(clientsInAll > clients.filter(isClient).length
      ? [`of ${clientsInAll} clients those with the largest total net open positions: --limit shows more`]
      : []),
  ];
  const rows = {
    client: () => clients.map((one) => clientRow(one, figures)),
    currency: () => figures.currencies.map((one) => currencyRow(one, figures, ageMs)),
    pair: () => figures.pairs.map((one) => pairRow(one, figures, ageMs)),
  };
  const tables = (by === undefined ? VIEWS : [by]).map((view) => showRows(rows[view]()));
  return `${lines.join('\n')}\n${tables.join('')}`;
}

const isClient = ({ clientId }: Positions['clients'][number]): boolean => clientId !== HOUSE_ID;

function profitText({ realised, unrealised, margin }: Profit, currency: string): string {
  const shown = (value: number) => amount(value, currency);
  return `${shown(realised + unrealised)}: realised ${shown(realised)}, unrealised ${shown(unrealised)}; of it margin ${shown(margin)}`;
}

function unvalued({ currencies, total }: Figures): string[] {
  if (total.rateAgeMs !== undefined) return [];
  const names = currencies
    .filter(({ net, value }) => net !== 0n && value === undefined)
    .map(({ currency }) => currency);
  return [`not valued, because there never was a rate, and left out of the sums: ${names.join(', ') || 'a pair'}`];
}

function currencyRow(one: Figures['currencies'][number], { baseCurrency }: Figures, ageMs: number | undefined): object {
  return {
    currency: one.currency,
    net: formatMinor(one.net, one.currency),
    value: optional(one.value, baseCurrency),
    rate: one.rate,
    rate_age: seconds(one.rateAgeMs, ageMs),
    close_outs: one.closeOut === 0n ? undefined : formatMinor(one.closeOut, one.currency),
  };
}

function pairRow(one: Figures['pairs'][number], { baseCurrency }: Figures, ageMs: number | undefined): object {
  const { base, quote } = pairBySymbol(one.pair)!;
  return {
    pair: one.pair,
    net_base: formatMinor(one.netBase, base),
    net_quote: formatMinor(one.netQuote, quote),
    bought_at: one.averageBought,
    sold_at: one.averageSold,
    mid: one.mid,
    rate_age: seconds(one.midAgeMs, ageMs),
    value: optional(one.value, baseCurrency),
    realised: optional(one.profit?.realised, baseCurrency),
    unrealised: optional(one.profit?.unrealised, baseCurrency),
    margin: optional(one.profit?.margin, baseCurrency),
    day: optional(one.dayProfit && one.dayProfit.realised + one.dayProfit.unrealised, baseCurrency),
  };
}

function clientRow({ clientId, total, dayProfit }: Positions['clients'][number], { baseCurrency }: Figures): object {
  return {
    clientId,
    net_open_position: amount(total.total, baseCurrency),
    long: amount(total.long, baseCurrency),
    short: amount(total.short, baseCurrency),
    realised: amount(total.profit.realised, baseCurrency),
    unrealised: amount(total.profit.unrealised, baseCurrency),
    margin: amount(total.profit.margin, baseCurrency),
    day: optional(dayProfit && dayProfit.realised + dayProfit.unrealised, baseCurrency),
  };
}

function json({ figures, ageMs, isStale, clients, clientsInAll }: Positions, by: View | undefined): object {
  if (figures === undefined) return { stale: true, age_ms: null, reason: NONE.trim() };
  const { atMs, baseCurrency, day, total } = figures;
  const isShown = (view: View) => by === view || (by === undefined && view !== 'client');
  return {
    as_of: isoTime(atMs),
    age_ms: ageMs === undefined ? null : Math.round(ageMs),
    stale: isStale,
    base_currency: baseCurrency,
    trading_day: day,
    net_open_position: totalJson(total, baseCurrency),
    profit: profitJson(total.profit, baseCurrency),
    day_profit: profitJson(total.dayProfit, baseCurrency),
    rate_age_ms: whole(total.rateAgeMs, ageMs),
    ...(isShown('currency') && { currencies: figures.currencies.map((one) => currencyJson(one, baseCurrency, ageMs)) }),
    ...(isShown('pair') && { pairs: figures.pairs.map((one) => pairJson(one, baseCurrency, ageMs)) }),
    ...(isShown('client') && {
      clients_in_all: clientsInAll,
      clients: clients.map((one) => ({
        client: one.clientId,
        net_open_position: totalJson(one.total, baseCurrency),
        profit: profitJson(one.total.profit, baseCurrency),
        day_profit: profitJson(one.dayProfit, baseCurrency),
        currencies: one.currencies.map((currency) => currencyJson(currency, baseCurrency, 0)),
        pairs: one.pairs.map((pair) => {
          const { day_profit: _, ...shown } = pairJson(pair, baseCurrency, 0);
          return shown;
        }),
      })),
    }),
  };
}

function totalJson(
  { total, long, short }: Pick<Figures['total'], 'total' | 'long' | 'short'>,
  currency: string,
): object {
  return { total: amount(total, currency), long: amount(long, currency), short: amount(short, currency) };
}

function profitJson(profit: Profit | undefined, currency: string): object | null {
  if (profit === undefined) return null;
  const { realised, unrealised, margin } = profit;
  return {
    total: amount(realised + unrealised, currency),
    realised: amount(realised, currency),
    unrealised: amount(unrealised, currency),
    margin: amount(margin, currency),
  };
}

function currencyJson(one: Figures['currencies'][number], baseCurrency: string, ageMs: number | undefined): object {
  return {
    currency: one.currency,
    net: formatMinor(one.net, one.currency),
    value: optional(one.value, baseCurrency) ?? null,
    rate: one.rate ?? null,
    rate_age_ms: whole(one.rateAgeMs, ageMs),
    close_outs: formatMinor(one.closeOut, one.currency),
  };
}

function pairJson(one: Figures['pairs'][number], baseCurrency: string, ageMs: number | undefined) {
  const { base, quote } = pairBySymbol(one.pair)!;
  return {
    pair: one.pair,
    net_base: formatMinor(one.netBase, base),
    net_quote: formatMinor(one.netQuote, quote),
    bought_at: one.averageBought ?? null,
    sold_at: one.averageSold ?? null,
    mid: one.mid ?? null,
    rate_age_ms: whole(one.midAgeMs, ageMs),
    value: optional(one.value, baseCurrency) ?? null,
    profit: profitJson(one.profit, baseCurrency),
    day_profit: profitJson(one.dayProfit, baseCurrency),
  };
}

const amount = (minor: number, currency: string): string => formatMinor(BigInt(minor), currency);
const optional = (minor: number | undefined, currency: string): string | undefined =>
  minor === undefined ? undefined : amount(minor, currency);

/** How old a rate is now: when the figures were made, and since. */
const ageNow = (rateAgeMs: number | undefined, ageMs: number | undefined): number | undefined =>
  rateAgeMs === undefined || ageMs === undefined ? undefined : rateAgeMs + ageMs;
const seconds = (rateAgeMs: number | undefined, ageMs: number | undefined): string | undefined => {
  const age = ageNow(rateAgeMs, ageMs);
  return age === undefined ? undefined : `${(age / 1_000).toFixed(1)} s`;
};
const whole = (rateAgeMs: number | undefined, ageMs: number | undefined): number | null => {
  const age = ageNow(rateAgeMs, ageMs);
  return age === undefined ? null : Math.round(age);
};
