/** Compares journal entries with the amendments of conversions. */
import {
  asAmended,
  dateChangesOf,
  isBusted,
  isChange,
  lastAmendment,
  movesOfAmendment,
  movesOfConversion,
  movesOfReversal,
  originOf,
} from '../../domain/conversions/amendment.js';
import { type Amendment, type Booking, movesOfCloseOut } from '../../domain/conversions/booking.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { isBefore, isPlace, type JournalEntry } from '../../store/ledger/journal.js';
import { amendmentHash } from '../../store/ledger/records.js';
import { bookingAmountsDiffer, type Differing, difference, NONE, PendingSteps } from './recompute.js';

/** Steps that amend a conversion, settled or not, by the kind of the amendment. */
const KIND_OF: Readonly<Record<string, Amendment['kind']>> = {
  'bust-fx': 'bust',
  'correct-fx': 'correct',
  'unwind-fx': 'cancel',
  'date-fx': 'date',
  'split-fx': 'split',
};

export const isAmendingStep = (step: string): boolean => step in KIND_OF;

/** A change by the client: of a conversion that has not settled. */
export const isChangingStep = (step: string): boolean => {
  const kind = KIND_OF[step];
  return kind !== undefined && isChange({ kind });
};

/** The status of a conversion that its journal says has settled. */
export const settledStatus = (booking: KeptBooking) => (isBusted(booking) ? 'CANCELLED' : 'SETTLED');

export class AmendmentReplay {
  readonly #ahead: PendingSteps;

  constructor(ahead?: PendingSteps['state']) {
    this.#ahead = new PendingSteps('booking', ahead);
  }

  /** State for a replay that continues from here. */
  get state(): PendingSteps['state'] {
    return this.#ahead.state;
  }

  /** Called with the entry of its creation. */
  booked({ id, entry }: JournalEntry, booking: KeptBooking): void {
    const last = lastAmendment(booking);
    if (last !== undefined) this.#ahead.played(id, entry, last.entry);
  }

  /** `name` is the entry's. `isOpen`: by the journal the conversion has not settled, so nothing has moved. */
  check(of: JournalEntry, booking: KeptBooking, name: string, isOpen: boolean): Differing[] {
    const { id, step, entry, moves, hash } = of;
    const { amendments = [] } = booking;
    const at = amendments.findIndex((amendment) => amendment.entry === entry);
    const amendment = amendments[at];
    const kind = amendment?.kind;
    const found = difference(`booking ${id}: amendment of ${name}`, KIND_OF[step]!, kind);
    if (isChangingStep(step) && !isOpen) found.push([name, 'book-fx before it, and no settlement', NONE]);
    if (amendment === undefined) return found;
    found.push(...difference(`booking ${id}: hash of amendment of ${name}`, hash, amendmentHash(amendment)));
    this.#ahead.played(id, entry, lastAmendment(booking)!.entry);
    const isReversal = kind === 'cancel';
    const expected = isReversal ? (movesOfReversal(booking, amendment) ?? 'those of a cancellation') : undefined;
    found.push(...difference(`${name}: moves`, expected ?? (isOpen ? '' : movesOfAmendment(booking, at)), moves));
    if (isReversal) return [...found, ...difference(`booking ${id}: status`, 'CANCELLED', booking.status)];
    if (kind === 'date') return found;
    if (kind === 'split') return [...found, ...splitDiffers(asAmended(booking, at), amendment, name)];
    if (kind === 'bust') return [...found, ...difference(`booking ${id}: status`, 'CANCELLED', booking.status)];
    return [...found, ...bookingAmountsDiffer({ ...booking, ...asAmended(booking, at + 1) })];
  }

  /** Called when all entries up to `lastEntry` have been played: reports amendments that a conversion names and no entry has. */
  compare(lastEntry: string): Differing[] {
    return this.#ahead.compare(lastEntry);
  }
}

/** The amounts of the children are those of the conversion. */
function splitDiffers(booking: Booking, { children = [] }: Amendment, name: string): Differing[] {
  const sumOf = (what: 'sell' | 'buy' | 'margin') =>
    decodeOrUndefined(() => children.reduce((sum, child) => sum + BigInt(child[what]), 0n));
  const { id, sell, buy, margin } = booking;
  return [
    ...difference(`booking ${id}: status`, 'SPLIT', booking.status),
    ...difference(
      `${name}: sell, buy, margin of its children, minor units`,
      `${sell} ${buy} ${margin}`,
      `${sumOf('sell')} ${sumOf('buy')} ${sumOf('margin')}`,
    ),
  ];
}

/** A conversion that a split has made: as the one that was split has it, at the same rate. */
export function childDiffers(booking: KeptBooking, parent: KeptBooking | undefined): Differing[] {
  const { id, parentId, sell, buy, margin } = booking;
  const split = parent && lastAmendment(parent);
  const child = split?.children?.find((one) => one.id === id);
  if (parent === undefined || child === undefined)
    return [[`booking ${id}: conversion ${parentId} that it is of`, 'a split that names it', NONE]];
  const rate = (of: Booking) =>
    `${of.pair} ${of.sellCurrency} ${of.price} ${of.providerPrice} ${of.marginPpm} ${of.type}`;
  const before = asAmended(parent, parent.amendments!.length - 1);
  const origin = (of: Booking['origin']) => (of === undefined ? '' : `${of.bookedAtMs} ${of.valueDate}`);
  const accounts = (of: Booking) => `${of.sellAccount} ${of.buyAccount}`;
  return [
    ...difference(`booking ${id}: accounts`, accounts(parent), accounts(booking)),
    ...difference(
      `booking ${id}: sell, buy, margin, minor units`,
      `${child.sell} ${child.buy} ${child.margin}`,
      `${sell} ${buy} ${margin}`,
    ),
    ...difference(
      `booking ${id}: rate and date`,
      `${rate(before)} ${before.valueDate} ${before.expiryMs}`,
      `${rate(booking)} ${booking.valueDate} ${booking.expiryMs}`,
    ),
    ...difference(
      `booking ${id}: when the first one was booked, and its value date`,
      origin(originOf({ ...parent, amendments: parent.amendments!.slice(0, -1) })),
      origin(booking.origin),
    ),
    ...difference(
      `booking ${id}: changes of date before it`,
      String(dateChangesOf(before)),
      String(booking.dateChanges ?? 0),
    ),
  ];
}

/** How many of its amendments are in the journal before that entry. */
export const amendmentsBefore = (place: string, { amendments = [] }: Pick<Booking, 'amendments'>): number =>
  amendments.filter(({ entry }) => isPlace(entry) && isBefore(entry, place)).length;

/** The moves of a scheduled conversion's later steps; of a close-out that the record does not have, a text that no entry equals. */
export function movesOfLater({ step, entry }: JournalEntry, booking: KeptBooking): string {
  if (step === 'settle-fx') return movesOfConversion(asAmended(booking, amendmentsBefore(entry, booking)));
  return step === 'close-out-fx' ? (movesOfCloseOut(booking) ?? 'those of a close-out') : '';
}
