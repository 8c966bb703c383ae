/** What `ratewire explain` shows, to a person and to a program. */
import { type Decimal, decimalFromScaled } from '../../domain/money/decimal.js';
import { exponentOf, formatMargin, formatMinor, formatScaled } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { platformShare } from '../../domain/platforms/platform-share.js';
import { hitsBid, mid2Of, type PriceProof, type ProofLeg } from '../../domain/prices/price-proof.js';
import type { OutputOf } from '../../service/operations.js';
import { REFUSED } from '../run.js';
import { isoTime, Shown } from '../show.js';

type Explained = OutputOf<'explainPrice'>;
type Explanation = Explained['rates'][number];
type Value = Explanation['values'][number];

export const shownPrice = (explained: Explained): Shown =>
  new Shown(jsonOf(explained), () => textOf(explained), explained.agrees ? 0 : REFUSED);

function textOf({ clientId, id, booking, hold, rates, agrees }: Explained): string {
  const lines = [`${id} of ${clientId}, ${booking ? 'booked' : 'held'} ${isoTime((booking ?? hold)!.createdAtMs)}`];
  if (booking?.holdId) lines.push(`at the price of the hold ${booking.holdId}`);
  if ((booking?.amendments?.length ?? 0) > 0) lines.push('corrected or busted since: this is the price of its booking');
  for (const explanation of rates) lines.push('', ...rateLines(explanation, booking));
  const faults = rates.flatMap(faultsOf);
  lines.push('', ...(agrees ? ['agrees: each value is as stored'] : faults), '');
  return lines.join('\n');
}

function rateLines(explanation: Explanation, booking: Explained['booking']): string[] {
  const { rate, proof } = explanation;
  const pair = pairBySymbol(rate.pair)!;
  const isBid = hitsBid(rate);
  const head = `${pair.symbol} ${isBid ? 'bid' : 'offer'}: sells ${rate.sellCurrency}, buys ${rate.buyCurrency}, ${rate.type}`;
  const { way, ageMs, engine, epoch, size, isMost } = proof;
  const forSize = size === 0 ? 'for any amount' : `for ${isMost ? 'at most ' : ''}${size} ${pair.base}`;
  const mid2 = mid2Of(pair, isBid, proof);
  return [
    head,
    `made          ${way} price, ${ageMs} ms old, ${forSize}, by process ${engine} of ${isoTime(epoch * 1_000)}`,
    ...proof.legs.map(legLine),
    ...(proof.legs.length === 0 ? ['quotes        no longer known when it was booked'] : []),
    ...(mid2 === undefined ? [] : [`mid           ${formatScaled(mid2 * 5, pair.priceDigits + 1)}`]),
    `provider      ${providerText(explanation, pair)}`,
    `margin        ${marginText(explanation)}`,
    `client price  ${clientPriceText(explanation, pair, isBid)}`,
    ...(booking === undefined ? [] : amountLines(explanation, booking, pair)),
  ];
}

function legLine({ pair, isBid, provider, quoteId, sourceTimeUs, price, runnerUp }: ProofLeg): string {
  const at = (scaled: number) => formatScaled(scaled, pair.priceDigits);
  const quote = quoteId === '' ? 'a quote without id' : `quote ${quoteId}`;
  const second =
    runnerUp === undefined ? 'no other provider' : `next best ${at(runnerUp.price)} of ${runnerUp.provider}`;
  return `quote         ${pair.symbol} ${isBid ? 'bid' : 'offer'} ${at(price)} of ${provider || 'unknown'}, ${quote}, ${microTime(sourceTimeUs)}; ${second}`;
}

const microTime = (micros: number): string =>
  micros === 0
    ? 'no time'
    : isoTime(Math.floor(micros / 1_000)).replace('Z', `${String(micros % 1_000).padStart(3, '0')}Z`);

const valueNamed = ({ values }: Explanation, what: Value['what']): Value => values.find((one) => one.what === what)!;
const againOf = (explanation: Explanation, what: Value['what']): number => {
  const { stored, recomputed } = valueNamed(explanation, what);
  return Number(recomputed ?? stored);
};

function providerText(explanation: Explanation, pair: Pair): string {
  const price = formatScaled(againOf(explanation, 'provider price'), pair.priceDigits);
  const { legs, levels } = explanation.proof;
  if (levels > 1) return `${price}, volume-weighted over ${levels} levels, as stored`;
  if (legs.length === 0) return `${price}, as stored`;
  return legs.length === 1
    ? price
    : `${price}, of the two quotes, rounded against the client at ${pair.priceDigits} decimals`;
}

function marginText(explanation: Explanation): string {
  const { scope, rulePpm, platformPpm, skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm } = explanation.proof;
  const whose =
    scope === undefined
      ? 'a rule that was gone'
      : `rule of ${scope.client ? 'the client' : 'all clients'}, ${scope.pair ? 'the pair' : 'all pairs'}, ${scope.type ? 'the type' : 'all types'}${scope.above > 0 ? `, above ${scope.above}` : ''}`;
  const parts: readonly (readonly [number, string])[] = [
    [platformPpm, 'of the platform'],
    [skewPpm, 'skew'],
    [wideningPpm, 'widening'],
    [spreadPpm, 'bounds of the spread'],
    [addOnPpm, 'period of the hold'],
    [floorPpm, 'value of the hold'],
  ];
  const more = parts.flatMap(([ppm, name]) =>
    ppm === 0 ? [] : [`${ppm < 0 ? '-' : '+'} ${formatMargin(Math.abs(ppm))} ${name}`],
  );
  const floor = rulePpm + skewPpm + wideningPpm < 0 ? ' (rule, skew and widening come to 0 at least)' : '';
  return `${formatMargin(againOf(explanation, 'margin'))} % = ${[formatMargin(rulePpm - platformPpm), ...more].join(' ')}${floor}; ${whose}`;
}

function clientPriceText(explanation: Explanation, pair: Pair, isBid: boolean): string {
  const provider = decimalFromScaled(againOf(explanation, 'provider price'), pair.priceDigits);
  const kept = decimalFromScaled(1_000_000 - againOf(explanation, 'margin'), 6);
  const exact = isBid ? provider.mul(kept) : provider.div(kept);
  const price = formatScaled(againOf(explanation, 'client price'), pair.priceDigits);
  const { priceDigits } = explanation.proof;
  return `${provider.toFixed()} ${isBid ? 'x' : '/'} ${kept.toFixed()} = ${shownExact(exact)}, half-even at ${priceDigits} decimals ${price}`;
}

function amountLines(explanation: Explanation, booking: NonNullable<Explained['booking']>, pair: Pair): string[] {
  const { dealt, sellCurrency, buyCurrency, marginCurrency } = booking;
  const sellGiven = dealt === 'sell';
  const [given, other] = sellGiven ? [sellCurrency, buyCurrency] : [buyCurrency, sellCurrency];
  const minor = (what: Value['what']) =>
    valueNamed(explanation, what).recomputed ?? valueNamed(explanation, what).stored;
  const amount = decimalFromScaled(Number(minor(sellGiven ? 'sold' : 'bought')), exponentOf(given));
  const at = (what: 'client price' | 'provider price'): Decimal => {
    const price = decimalFromScaled(againOf(explanation, what), pair.priceDigits);
    return given === pair.base ? amount.mul(price) : amount.div(price);
  };
  const sign = given === pair.base ? 'x' : '/';
  const way = sellGiven ? 'down' : 'up';
  const computed = formatMinor(BigInt(minor(sellGiven ? 'bought' : 'sold')), other);
  const price = (what: 'client price' | 'provider price') => formatScaled(againOf(explanation, what), pair.priceDigits);
  return [
    `amounts       ${amount.toFixed()} ${given} ${sign} ${price('client price')} = ${shownExact(at('client price'))}, rounded ${way} ${computed} ${other}`,
    `kept          ${amount.toFixed()} ${given} ${sign} ${price('provider price')} = ${shownExact(at('provider price'))}, rounded ${way}, less that: ${formatMinor(BigInt(minor('margin in money')), marginCurrency)} ${marginCurrency}`,
    ...shareLines(explanation, booking),
  ];
}

/** Of a conversion of a sub-client: computed as the step has posted it. */
function shareLines({ proof }: Explanation, booking: NonNullable<Explained['booking']>): string[] {
  const { margin, marginPpm, marginCurrency } = booking;
  if (proof.platformPpm === 0) return [];
  const units = (minor: string) => formatMinor(BigInt(minor), marginCurrency);
  const part = `${formatMargin(Math.min(proof.platformPpm, marginPpm))} / ${formatMargin(marginPpm)}`;
  const share = `${units(platformShare(booking))} ${marginCurrency}`;
  return [`of that       ${units(margin)} ${marginCurrency} x ${part}, rounded down, is the platform's: ${share}`];
}

/** A quotient has no end. */
const shownExact = (value: Decimal): string => {
  const shown = value.toDecimalPlaces(12);
  return `${shown.eq(value) ? '' : 'about '}${shown.toFixed()}`;
};

function faultsOf({ rate, values }: Explanation): string[] {
  return values.flatMap(({ what, stored, recomputed = stored }) => {
    if (recomputed === stored) return [];
    const width = Math.max(stored.length, recomputed.length);
    const [one, other] = [stored.padStart(width, '0'), recomputed.padStart(width, '0')];
    const digit = [...one].findIndex((figure, i) => figure !== other[i]) + 1;
    return [
      `differs: ${what} of ${rate.pair} is stored as ${stored}, computed again ${recomputed}: digit ${digit} of ${width}`,
    ];
  });
}

function jsonOf({ clientId, id, booking, hold, rates, agrees }: Explained): object {
  return {
    id,
    clientId,
    kind: booking ? 'booking' : 'hold',
    createdAt: isoTime((booking ?? hold)!.createdAtMs),
    holdId: booking?.holdId || undefined,
    agrees,
    prices: rates.map((explanation) => {
      const { rate, proof, values } = explanation;
      return {
        pair: rate.pair,
        sell_currency: rate.sellCurrency,
        buy_currency: rate.buyCurrency,
        proof: proofJson(proof),
        values: values.map(({ what, stored, recomputed = null }) => ({ what, stored, recomputed })),
        differences: faultsOf(explanation),
      };
    }),
  };
}

function proofJson({ legs, scope, size, isMost, spread, epoch, ...proof }: PriceProof): object {
  return {
    way: proof.way,
    legs: legs.map(({ pair, isBid, provider, quoteId, sourceTimeUs, price, runnerUp }) => ({
      pair: pair.symbol,
      side: isBid ? 'bid' : 'offer',
      provider,
      quote_id: quoteId,
      source_time: microTime(sourceTimeUs),
      price: formatScaled(price, pair.priceDigits),
      runner_up: runnerUp && { provider: runnerUp.provider, price: formatScaled(runnerUp.price, pair.priceDigits) },
    })),
    levels: proof.levels,
    age_ms: proof.ageMs,
    spread: spread ?? null,
    size: size === 0 ? null : size,
    size_is_most: isMost,
    rule: scope ?? null,
    rule_ppm: proof.rulePpm,
    platform_ppm: proof.platformPpm === 0 ? undefined : proof.platformPpm,
    skew_ppm: proof.skewPpm,
    widening_ppm: proof.wideningPpm,
    spread_ppm: proof.spreadPpm,
    hold_period_ppm: proof.addOnPpm,
    hold_value_ppm: proof.floorPpm,
    price_digits: proof.priceDigits,
    engine: proof.engine,
    engine_started_at: isoTime(epoch * 1_000),
  };
}
