import type { Desk } from './desk.js';
import type { Door } from './door.js';

/**
 * Logs a desk out that was shut out while it logged on: until now no operator could see it. A store that is away ends nothing, and whatever
 * the desk asks for is judged by its token.
 */
export async function logOutIfShutOut({ services }: Door, desk: Desk): Promise<void> {
  const { compId, clientKey, caller } = desk.identity;
  const { compIds, clients, keys } = services.store;
  try {
    const [assigned, client, key] = await Promise.all([
      compIds.read(compId),
      clients.get(caller.clientId),
      keys.read(clientKey),
    ]);
    const isWelcome = assigned?.clientId === caller.clientId && client?.disabled === false && key?.revoked === false;
    if (!isWelcome) desk.session.logout('NOT_ENTITLED: shut out by our operator');
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'unknown';
    services.log.warn({ compId, fault }, 'whether a desk may still be here could not be read');
  }
}
