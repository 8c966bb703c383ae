/** What an operator has changed of a conversion after it was booked: its facts stay as they are. */
import type { Booking } from './booking.js';
import { houseMargin, platformShare } from './platform-share.js';

/** What a correction may change. Prices in market convention, scaled by the pair's price digits; amounts are minor units. */
export interface Terms {
  readonly price: number;
  readonly providerPrice: number;
  readonly marginPpm: number;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
}

/** A conversion is busted, it is undone, or corrected, it has other terms from then on. Nothing follows a bust. */
export interface Amendment {
  readonly kind: 'bust' | 'correct';
  /** Of the operator's request: repeated, it changes nothing. */
  readonly id: string;
  /** Of a correction: from then on. */
  readonly terms?: Terms | undefined;
  readonly atMs: number;
  /** Its entry in the journal. */
  readonly entry: string;
}

/** As many corrections as one conversion may have. */
export const CORRECTIONS_MAX = 20;

/** The conversion after its first `count` amendments; absent: as it is now. Only its terms differ. */
export function asAmended(booking: Booking, count = booking.amendments?.length ?? 0): Booking {
  const terms = booking.amendments?.slice(0, count).findLast(({ terms }) => terms !== undefined)?.terms;
  return terms === undefined ? booking : Object.assign({}, booking, terms);
}

export const lastAmendment = ({ amendments }: Booking): Amendment | undefined => amendments?.at(-1);

export const isBusted = (booking: Booking): boolean => lastAmendment(booking)?.kind === 'bust';

/**
 * What desks get a report of, behind the booking, oldest first: its amendments. A cancellation, with a close-out or without, counts as a
 * bust: the client has no trade.
 */
export function reportedAmendments(booking: Booking): readonly Pick<Amendment, 'kind' | 'atMs'>[] {
  const { amendments = [], status, cancelledAtMs, createdAtMs } = booking;
  if (status !== 'CANCELLED' || isBusted(booking)) return amendments;
  return [...amendments, { kind: 'bust', atMs: cancelledAtMs ?? createdAtMs }];
}

/** The moves of a conversion that settles, as its journal entry must have them. */
export const movesOfConversion = (booking: Booking): string => legsOf(booking).map(text).join(';');

/**
 * Those of its amendment of this index: of a conversion that has settled, the moves before it are reversed, and those of the new terms
 * follow.
 */
export function movesOfAmendment(booking: Booking, index: number): string {
  const reversed = legsOf(asAmended(booking, index)).map(([currency, from, to, amount]) =>
    text([currency, to, from, amount]),
  );
  const isCorrected = booking.amendments?.[index]?.kind === 'correct';
  return [...reversed, ...(isCorrected ? legsOf(asAmended(booking, index + 1)).map(text) : [])].join(';');
}

type Leg = readonly [currency: string, from: string, to: string, amount: string];

function legsOf(booking: Booking): Leg[] {
  const { sellCurrency, sellAccount, sell, buyCurrency, buyAccount, buy, marginCurrency } = booking;
  const legs: Leg[] = [
    [sellCurrency, sellAccount, 'house:fx', sell],
    [buyCurrency, 'house:fx', buyAccount, buy],
  ];
  const margins: Leg[] = [
    [marginCurrency, 'house:fx', 'house:margin', houseMargin(booking)],
    [marginCurrency, 'house:fx', 'platform:margin', platformShare(booking)],
  ];
  return [...legs, ...margins.filter(([, , , amount]) => amount !== '0')];
}

const text = (leg: Leg): string => leg.join(' ');
