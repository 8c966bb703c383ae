/**
 * Notifications of outbox entries: published with the CompIDs of sessions by processes that wrote an entry without holding the session.
 * They may get lost: the engine that holds a session also polls.
 */
import { COMP_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';

const CHANNEL = 'fix:outbox';

export function notifyOutboxes(connection: Connection, compIds: readonly string[]): void {
  if (compIds.length > 0) connection.ring(CHANNEL, compIds.join(' '));
}

/** Called with each notified CompID, until the returned function is called. */
export function subscribeOutboxes(connection: Connection, heard: (compId: string) => void): () => void {
  return connection.listen(CHANNEL, (message) => {
    for (const compId of message.toString('latin1').split(' ')) if (COMP_ID.test(compId)) heard(compId);
  });
}
