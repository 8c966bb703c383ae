/**
 * Where a list goes on. A cursor needs no memory and does not expire: what it stands behind is never moved, and where it was archived the
 * list has ended. It is good for one client, one list and its filters; only the number of entries may differ from page to page.
 */
import { type Refusal, refuseField } from '../../domain/refusal.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from './sealed.js';

/** What a cursor is good for. */
export interface CursorScope {
  readonly clientId: string;
  readonly list: string;
  /** As they were understood: the same moment written in two ways is the same filter. */
  readonly filters: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** Ours have some 100 characters. */
export const CURSOR_LENGTH_MAX = 256;

export function writeCursor(subKey: SubKey, scope: CursorScope, place: string): string {
  return seal(subKey('cursors'), place, about(scope));
}

/** The place that it names. Refuses with VALIDATION_FAILED what is no cursor of this scope. */
export function readCursor(subKey: SubKey, scope: CursorScope, cursor: string): string | Refusal {
  return openSealed(subKey('cursors'), cursor, CURSOR_LENGTH_MAX, about(scope))?.text ?? WRONG;
}

const WRONG = refuseField(
  'cursor',
  'not a cursor of this list with these filters: send next_cursor as it was given, with the same filters',
);

function about({ clientId, list, filters }: CursorScope): string {
  return JSON.stringify([clientId, list, Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1))]);
}
