/** Desks that may be logged on no more. */
import type { Services } from '../core/services.js';
import { liveSessions } from './session-record.js';

/**
 * Logs out the client's desks, wherever they are; of one key alone those that logged on with it. Answers the CompIDs of those that were
 * live. `text` is Text(58) of their Logout(5). What keeps them from coming back is done before; an engine that does not hear of it finds
 * it out by itself.
 */
export async function logOutDesks(
  services: Services,
  clientId: string,
  text: string,
  keyId?: string,
): Promise<readonly string[]> {
  const { compIds, engines, tokens } = services.store;
  const live = await liveSessions(services, await compIds.list(clientId));
  const meant = [...live.values()].filter((session) => keyId === undefined || session.keyId === keyId);
  const were = await Promise.all(meant.map(({ compId }) => engines.logOut(compId, text)));
  await tokens.lookAgain();
  return meant.map(({ compId }) => compId).filter((_, i) => were[i]);
}
