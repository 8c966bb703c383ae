/** The steps of a client's journal, by their stored words. */
import type { BookingStatus } from '../../domain/conversions/booking.js';
import type { JournalledList } from '../../store/keys/redis-keys.js';
import type { JournalEntry } from '../../store/ledger/journal.js';
import { isChangingStep } from './amendment-replay.js';

/** Every step of a client's journal that no other table has. */
export const STEPS: ReadonlySet<string> = new Set([
  'book-fx',
  'share-fx',
  'settle-fx',
  'overdue-fx',
  'cancel-fx',
  'close-out-fx',
  'bust-fx',
  'correct-fx',
  'unwind-fx',
  'date-fx',
  'split-fx',
  'gain-fx',
  'deposit',
  'adjust',
  'repay',
]);
/** Steps that end a scheduled conversion, with the resulting status. */
export const ENDED: Readonly<Record<string, BookingStatus>> = {
  'settle-fx': 'SETTLED',
  'cancel-fx': 'CANCELLED',
  'close-out-fx': 'CANCELLED',
  'bust-fx': 'CANCELLED',
  'unwind-fx': 'CANCELLED',
  'split-fx': 'SPLIT',
};

export const nameOf = ({ entry, step, id }: JournalEntry): string => `journal ${entry} (${step} ${id})`;
/** The list that the created record is in; undefined: the entry creates none. */
export function createdBy({ step, from }: JournalEntry): JournalledList | undefined {
  if (step === 'book-fx') return 'bookings';
  if (step === 'fund') return 'fundings';
  if (isChangingStep(step)) return 'changes';
  return step === 'payment' && from === '' ? 'payments' : undefined;
}
