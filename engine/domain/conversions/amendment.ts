/** What an operator or the client has changed of a conversion after it was booked: its facts stay as they are. */

import { houseMargin, platformShare, type Shared } from '../platforms/platform-share.js';
import { type Amendment, type Booking, CHANGE_KINDS, type Reversal } from './booking.js';

/** As many corrections, and as many changes of its date, as one conversion may have. */
export const CORRECTIONS_MAX = 20;
export const DATE_CHANGES_MAX = 5;

/** As many conversions as a split makes. */
export const CHILDREN_MAX = 10;

/** The conversion after its first `count` amendments; absent: as it is now. Only its terms and its date differ. */
export function asAmended(booking: Booking, count = booking.amendments?.length ?? 0): Booking {
  const made = booking.amendments?.slice(0, count);
  const terms = made?.findLast(({ terms }) => terms !== undefined)?.terms;
  const date = made?.findLast(({ date }) => date !== undefined)?.date;
  if (terms === undefined && date === undefined) return booking;
  const dated = date && { valueDate: date.valueDate, expiryMs: date.settlesAtMs };
  return { ...booking, ...terms, ...dated };
}

/** How often the client has changed its date, with the changes of those that it was split from. */
export const dateChangesOf = ({ amendments = [], dateChanges = 0 }: Booking): number =>
  dateChanges + amendments.filter(({ kind }) => kind === 'date').length;

/** When it was booked, by itself or as a part of the first one, and the later of the booked and the present value date. */
export function originOf(booking: Booking): NonNullable<Booking['origin']> {
  const { createdAtMs, origin, valueDate: booked } = booking;
  const dates = [booked, asAmended(booking).valueDate, ...(origin ? [origin.valueDate] : [])];
  return { bookedAtMs: origin?.bookedAtMs ?? createdAtMs, valueDate: dates.sort().at(-1)! };
}

/** When the gain of a cancellation is paid: at the end of that value date in UTC, behind what settles on it, or now where that has passed. */
export function gainPaidAtMs(valueDate: string, now: number): number {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(valueDate)!;
  return Math.max(now, Date.UTC(Number(year), Number(month) - 1, Number(day) + 1) - 1);
}

export const lastAmendment = ({ amendments }: Booking): Amendment | undefined => amendments?.at(-1);

export const isBusted = (booking: Booking): boolean => lastAmendment(booking)?.kind === 'bust';

/** After it the conversion is none any more: it is undone, or its children are. */
export const endsTrade = ({ kind }: Pick<Amendment, 'kind'>): boolean =>
  kind === 'bust' || kind === 'cancel' || kind === 'split';

export const isChange = ({ kind }: Pick<Amendment, 'kind'>): boolean =>
  (CHANGE_KINDS as readonly string[]).includes(kind);

export type Reported = Pick<Amendment, 'kind' | 'atMs'> & Partial<Amendment>;

/**
 * What desks get a report of, behind the booking, oldest first: its amendments. A cancellation by an operator, with a close-out or without,
 * counts as a bust: the client has no trade.
 */
export function reportedAmendments(booking: Booking): readonly Reported[] {
  const { amendments = [], status, cancelledAtMs, createdAtMs } = booking;
  const last = amendments.at(-1);
  if (status !== 'CANCELLED' || (last !== undefined && endsTrade(last))) return amendments;
  return [...amendments, { kind: 'bust', atMs: cancelledAtMs ?? createdAtMs }];
}

/** The moves of a conversion that settles, as its journal entry must have them. */
export const movesOfConversion = (booking: Booking): string => legsOf(booking).map(text).join(';');

/**
 * The moves of a cancellation by the client: the charge, of which the client owes the receivable, or the gain, and the margin of the opposite
 * deal. Undefined where the amounts cannot be read.
 */
export function movesOfReversal(
  { sellAccount }: Booking,
  { reversal, receivable = '' }: Amendment,
): string | undefined {
  if (reversal === undefined) return undefined;
  const { kind, currency, amount } = reversal;
  if (![amount, reversal.margin, receivable].every((minor) => /^\d{1,15}$/.test(minor))) return undefined;
  const legs: Leg[] = [];
  // A gain is paid later: its statement shows when.
  if (amount !== '0' && kind === 'credit') legs.push([currency, 'house:fx', sellAccount, '0']);
  if (amount !== '0' && kind === 'charge') {
    legs.push([currency, sellAccount, 'house:fx', String(BigInt(amount) - BigInt(receivable))]);
    if (receivable !== '0') legs.push([currency, 'receivable', 'house:fx', receivable]);
  }
  const [all, left] = [chargedMargins(reversal), uncollectedOf(reversal, BigInt(receivable))];
  const [margin, share] = [all.margin - left.margin, all.share - left.share];
  return [...legs, ...earnedLegs(currency, String(margin), String(share))].map(text).join(';');
}

/** Of the house and of the platform, minor units. */
interface Margins {
  readonly margin: bigint;
  readonly share: bigint;
}

/** What a charge pays of the margins, first the house's; a cancellation that charges nothing pays none. */
export function chargedMargins(reversal: Reversal): Margins {
  const charge = reversal.kind === 'charge' ? BigInt(reversal.amount) : 0n;
  const [margin, share] = [BigInt(houseMargin(reversal)), BigInt(platformShare(reversal))];
  const ofCharge = margin < charge ? margin : charge;
  return { margin: ofCharge, share: share < charge - ofCharge ? share : charge - ofCharge };
}

/** What is paid and posted at its date: the gain, and the margins that the market's difference pays. */
export function atDateOf(reversal: Reversal): Margins & { readonly amount: bigint } {
  const charged = chargedMargins(reversal);
  return {
    amount: reversal.kind === 'credit' ? BigInt(reversal.amount) : 0n,
    margin: BigInt(houseMargin(reversal)) - charged.margin,
    share: BigInt(platformShare(reversal)) - charged.share,
  };
}

/** Its field `pays_on`, 'YYYYMMDD'; '': nothing is paid later. */
export const paysOn = (reversal: Reversal | undefined): string =>
  reversal?.paysAtMs === undefined ? '' : new Date(reversal.paysAtMs).toISOString().slice(0, 10).replaceAll('-', '');

/**
 * The house's margin and the platform's share of a charge that wait for the amount still owed of it, minor units: what is collected covers the
 * difference to the market first, then the margin, last the share.
 */
export function uncollectedOf(reversal: Reversal, owed: bigint): Margins {
  const { margin, share }: Margins = chargedMargins(reversal);
  const shareLeft = share < owed ? share : owed;
  const rest = owed - shareLeft;
  const marginLeft = margin < rest ? margin : rest;
  return { margin: marginLeft, share: shareLeft };
}

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
  return [...legs, ...marginLegs(marginCurrency, booking)];
}

/** The margin: of a sub-client its platform's share apart. */
const marginLegs = (currency: string, of: Shared): Leg[] => earnedLegs(currency, houseMargin(of), platformShare(of));

function earnedLegs(currency: string, margin: string, share: string): Leg[] {
  const legs: Leg[] = [
    [currency, 'house:fx', 'house:margin', margin],
    [currency, 'house:fx', 'platform:margin', share],
  ];
  return legs.filter(([, , , amount]) => amount !== '0');
}

const text = (leg: Leg): string => leg.join(' ');
