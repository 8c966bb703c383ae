/** What a deal takes from the levels of providers whose sizes are firm, from its draft on. */
import { type BookingFacts, type Hold, holdSelling } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf } from '../../domain/money/conversion.js';
import { exponentOf } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import type { Reservation } from '../../rates/takes.js';
import { wroteNothing } from '../../store/connection/errors.js';
import type { Services } from '../core/services.js';
import { dealtAt } from './get-lockable-rate.js';

export type Dealt = Pick<BookingFacts, 'pair' | 'sellCurrency' | 'sell' | 'buy' | 'providerPrice'>;

/**
 * Takes the amount of a conversion that is not at a hold. Refuses with QUOTE_STALE a streamed price whose levels other deals have taken; nothing is
 * taken then.
 */
export function takeLevels({ book }: Services, dealt: Dealt, isStreamed = false): Reservation | Refusal | undefined {
  const pair = pairBySymbol(dealt.pair)!;
  const isBid = dealt.sellCurrency === pair.base;
  const baseMinor = BigInt(isBid ? dealt.sell : dealt.buy);
  if (isStreamed && book.takes.isTaken(pair.index, isBid, baseMinor, dealt.providerPrice))
    return refuse('QUOTE_STALE', 'Another deal has taken the amount at this price: take the next price');
  return book.takes.take(pair.index, isBid, baseMinor);
}

/**
 * Performs the step of a deal that has taken levels. What is dealt keeps them, and what may be, as its outcome is unknown; what is not gives them
 * back. Throws what the step throws.
 */
export async function withTaken<Outcome>(
  { book }: Services,
  taken: Reservation | undefined,
  step: () => Promise<Outcome>,
  isDealt: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  try {
    const outcome = await step();
    if (!isDealt(outcome)) book.takes.giveBack(taken);
    return outcome;
  } catch (error) {
    if (wroteNothing(error)) book.takes.giveBack(taken);
    throw error;
  }
}

/** Takes what a hold may be booked for: its amount, or the most of a hold without one; of a two-way hold on both sides. */
export function takeHeld({ book }: Services, hold: Hold): Reservation | undefined {
  const pair = pairBySymbol(hold.pair)!;
  const most = hold.maximum ?? String(BigInt(pair.maxAmount) * 10n ** BigInt(exponentOf(pair.base)));
  const directions = hold.opposite ? [hold, holdSelling(hold, hold.buyCurrency)] : [hold];
  return directions.flatMap((one) => {
    const isBid = one.sellCurrency === pair.base;
    const made = dealtAt(pair, one, one.amount && { side: one.amount.side, minor: BigInt(one.amount.minor) });
    if (isRefusal(made)) return [];
    const baseMinor = made ? baseMinorOf(pair, one.sellCurrency, made) : BigInt(most);
    return book.takes.take(pair.index, isBid, baseMinor) ?? [];
  });
}
