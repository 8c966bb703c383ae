import { refuse } from '../../domain/refusal.js';
import { plainAddress } from '../../service/core/caller.js';
import type { FixContext } from '../context.js';
import type { Desk } from '../desk.js';
import { endStream } from '../rejects.js';

/**
 * Logs a desk out whose CompID, client or key was revoked while it logged on, or whose revocation this gateway missed; and ends its
 * streams on tokens of a key that is revoked or not allowed from the desk's address. A store outage ends nothing: each request is checked
 * by its token.
 */
export async function logoutIfRevoked(context: FixContext, desk: Desk): Promise<void> {
  const { compId, clientKey, caller } = desk.identity;
  const address = plainAddress(desk.session.remoteAddress);
  try {
    const { clientId } = caller;
    if (!(await context.sessions.mayStayLoggedOn({ compId, clientId, clientKey, address }))) {
      desk.session.logout('NOT_ENTITLED: shut out by our operator');
      return;
    }
    await endStreamsOfOtherKeys(context, desk, address);
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'unknown';
    context.services.log.warn({ compId, fault }, 'whether a desk may still be here could not be read');
  }
}

async function endStreamsOfOtherKeys(context: FixContext, desk: Desk, address: string): Promise<void> {
  for (const [mdReqId, { keyId }] of [...desk.streams]) {
    if (keyId === desk.identity.clientKey) continue;
    const isEnded = await context.sessions.isKeyEnded(keyId, address);
    if (isEnded && desk.streams.has(mdReqId)) endStream(context, desk, mdReqId, refuse('NOT_ENTITLED', 'Not entitled'));
  }
}
