/** The amounts of the conversions that a split makes. */

import { type Refusal, refuse } from '../core/refusal.js';
import { baseMinorOf, checkDealtSize } from '../money/conversion.js';
import { formatMinor } from '../money/money.js';
import type { Pair } from '../money/pair.js';
import { CHILDREN_MAX } from './amendment.js';
import type { Booking, DealtSide } from './booking.js';

export interface Part {
  readonly sell: bigint;
  readonly buy: bigint;
  readonly margin: bigint;
}

/**
 * Divides a conversion by amounts of one side. The other side and the margin are divided in proportion, each rounded to a neighbouring minor unit
 * so that the parts sum to the whole exactly. Refuses with BAD_AMOUNT where the amounts do not sum to that of the conversion, and with
 * AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT for a part that the pair is not dealt in.
 */
export function splitConversion(
  pair: Pair,
  booking: Pick<Booking, 'sell' | 'buy' | 'margin' | 'sellCurrency' | 'buyCurrency'>,
  side: DealtSide,
  amounts: readonly bigint[],
): readonly Part[] | Refusal {
  const whole = BigInt(booking[side]);
  const currency = side === 'sell' ? booking.sellCurrency : booking.buyCurrency;
  const sum = amounts.reduce((all, one) => all + one, 0n);
  if (amounts.length < 2 || amounts.length > CHILDREN_MAX || amounts.some((one) => one <= 0n))
    return refuse('BAD_AMOUNT', `A split has 2 to ${CHILDREN_MAX} amounts, each above 0`);
  if (sum !== whole) {
    const [added, due] = [formatMinor(sum, currency), formatMinor(whole, currency)];
    return refuse(
      'BAD_AMOUNT',
      `The amounts add up to ${added} ${currency}, the conversion has ${due}: send amounts of that sum`,
    );
  }
  const other = portions(BigInt(booking[side === 'sell' ? 'buy' : 'sell']), amounts, whole);
  const margins = portions(BigInt(booking.margin), amounts, whole);
  const [sells, buys] = side === 'sell' ? [amounts, other] : [other, amounts];
  const parts = amounts.map((_, i) => ({ sell: sells[i]!, buy: buys[i]!, margin: margins[i]! }));
  for (const [i, { sell, buy, margin }] of parts.entries()) {
    const conversion = { sellMinor: sell, buyMinor: buy, marginMinor: margin, marginCurrency: currency };
    const isEmpty = sell === 0n || buy === 0n;
    const wrong = isEmpty
      ? refuse('AMOUNT_BELOW_MIN', 'so small that it is nothing of the other currency')
      : checkDealtSize(pair, baseMinorOf(pair, booking.sellCurrency, conversion));
    if (wrong) return refuse(wrong.refusal, `Part ${i + 1}: ${wrong.text}`);
  }
  return parts;
}

/** What falls to each amount: the difference of two rounded sums, so that the portions are the total exactly. */
function portions(total: bigint, amounts: readonly bigint[], whole: bigint): bigint[] {
  let before = 0n;
  let sum = 0n;
  return amounts.map((amount) => {
    sum += amount;
    const until = (total * sum) / whole;
    const portion = until - before;
    before = until;
    return portion;
  });
}
