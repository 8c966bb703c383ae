/**
 * The doorbell of outboxes: rung with the CompIDs of sessions that have something to be told now, by whoever wrote it without holding them.
 * It may get lost: the engine that holds a session looks by itself too.
 */
import { COMP_ID } from '../../domain/ids.js';
import type { Connection } from '../connection/connection.js';

const CHANNEL = 'fix:outbox';

export function ringOutboxes(connection: Connection, compIds: readonly string[]): void {
  if (compIds.length > 0) connection.ring(CHANNEL, compIds.join(' '));
}

/** Called with each CompID that was rung for, until the returned function is called. */
export function hearOutboxes(connection: Connection, heard: (compId: string) => void): () => void {
  return connection.listen(CHANNEL, (message) => {
    for (const compId of message.toString('latin1').split(' ')) if (COMP_ID.test(compId)) heard(compId);
  });
}
