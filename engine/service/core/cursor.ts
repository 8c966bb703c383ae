/**
 * The cursor of a list: the position where the next page begins. It is stateless and does not expire: positions never change, and where the
 * records were archived the list ends. It is valid for one client, one list and its filters; the page size may vary.
 */
import { type Refusal, refuseField } from '../../domain/refusal.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from './aead.js';

/** What a cursor is valid for. */
export interface CursorScope {
  readonly clientId: string;
  readonly list: string;
  /** Parsed filters: the same moment in two notations is the same filter. */
  readonly filters: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

/** Issued cursors have some 100 characters. */
export const CURSOR_LENGTH_MAX = 256;

export function writeCursor(subKey: SubKey, scope: CursorScope, place: string): string {
  return seal(subKey('cursors'), place, about(scope));
}

/** The position in the cursor. Refuses with VALIDATION_FAILED for a text that is no cursor of this scope. */
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
