/** The changes of a client key that have events. The record of a key is in another slot than the events of its client: it is marked. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';

/** Marks a change for its event: `key.rotated|<at ms>|<live secrets before>|<number>`. */
export interface KeyEvent {
  readonly mark: string;
  /** The last mark, which has its event; '' before the first. With another one the change is `overtaken`, and nothing has changed. */
  readonly after: string;
}

/** The HMAC of the new secret, hexadecimal. */
export const ROTATE_SECRET = step(import.meta.url, 'rotate-secret', {
  inReserve: true,
  keys: ['record'],
  args: ['secret', 'mark?', 'after?'],
});
/** A disabling must work where the memory is full. */
export const RECHECK_TOKENS = step(import.meta.url, 'recheck-tokens', { inReserve: true, keys: ['revocations'] });
export const recheckTokens = async (connection: Connection, revocations: string): Promise<void> =>
  void (await connection.step(RECHECK_TOKENS, { revocations }, {}));
export const REVOKE_KEY = step(import.meta.url, 'revoke-key', {
  inReserve: true,
  keys: ['record'],
  args: ['mark?', 'after?'],
});

/** `limit`: two secrets are live. Undefined: no such key. */
export async function rotateSecret(connection: Connection, record: string, secret: string, event?: KeyEvent) {
  const kept = await connection.step(ROTATE_SECRET, { record }, { secret, ...event });
  if (kept === 3) return 'overtaken';
  return kept === 2 ? 'limit' : kept === 1 ? 'rotated' : undefined;
}

/** False: no such key. */
export async function revokeRecord(connection: Connection, record: string, event?: KeyEvent) {
  const revoked = await connection.step(REVOKE_KEY, { record }, { ...event });
  return revoked === 3 ? 'overtaken' : revoked === 1;
}
