/** Compares journal entries with the amendments of conversions. */
import { asAmended, isBusted, lastAmendment, movesOfAmendment } from '../../domain/amendment.js';
import type { Booking } from '../../domain/booking.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import { isBefore, isPlace, type JournalEntry } from '../../store/ledger/journal.js';
import { amendmentHash } from '../../store/ledger/records.js';
import { bookingAmountsDiffer, type Differing, difference, PendingSteps } from './recompute.js';

/** Steps that amend a conversion, settled or not, by the kind of the amendment. */
const KIND_OF: Readonly<Record<string, string>> = { 'bust-fx': 'bust', 'correct-fx': 'correct' };

export const isAmendingStep = (step: string): boolean => step in KIND_OF;

/** The status of a conversion that its journal says has settled. */
export const settledStatus = (booking: KeptBooking) => (isBusted(booking) ? 'CANCELLED' : 'SETTLED');

export class AmendmentReplay {
  readonly #ahead: PendingSteps;

  constructor(ahead?: PendingSteps['state']) {
    this.#ahead = new PendingSteps('booking', ahead);
  }

  /** State for a replay that continues from here; undefined: nothing is pending. */
  get state(): PendingSteps['state'] | undefined {
    const { state } = this.#ahead;
    return state.length > 0 ? state : undefined;
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
    if (amendment === undefined) return found;
    found.push(...difference(`booking ${id}: hash of amendment of ${name}`, hash, amendmentHash(amendment)));
    this.#ahead.played(id, entry, lastAmendment(booking)!.entry);
    found.push(...difference(`${name}: moves`, isOpen ? '' : movesOfAmendment(booking, at), moves));
    if (kind === 'bust') return [...found, ...difference(`booking ${id}: status`, 'CANCELLED', booking.status)];
    return [...found, ...bookingAmountsDiffer({ ...booking, ...asAmended(booking, at + 1) })];
  }

  /** Called when all entries up to `lastEntry` have been played: reports amendments that a conversion names and no entry has. */
  compare(lastEntry: string): Differing[] {
    return this.#ahead.compare(lastEntry);
  }
}

/** How many of its amendments are in the journal before that entry. */
export const amendmentsBefore = (place: string, { amendments = [] }: Pick<Booking, 'amendments'>): number =>
  amendments.filter(({ entry }) => isPlace(entry) && isBefore(entry, place)).length;
