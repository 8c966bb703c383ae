import { isRefusal, type Refusal, refuse } from '../domain/refusal.js';
import { plainAddress } from '../service/core/address-list.js';
import { resolveToken, type TokenCaller } from '../service/core/caller.js';
import type { Desk } from './desk.js';
import { type Door, noteAuthentication } from './door.js';
import { AUTH_TOKEN } from './tags.js';

/**
 * Who asks, by the AuthToken(20001) of the request; where that was agreed, the token of the session stands for an absent one. Refuses
 * with TOKEN_REQUIRED, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, TOKEN_CLIENT_MISMATCH, NOT_ENTITLED, STORE_UNAVAILABLE.
 */
export async function callerOf(door: Door, desk: Desk, sent: string | undefined): Promise<TokenCaller | Refusal> {
  const bySession = door.settings.tokenOnRequest === 'session';
  const token = sent ?? (bySession ? desk.token?.text : undefined);
  if (token === undefined) {
    if (bySession && desk.tokenEnd) return refuse(desk.tokenEnd);
    return refuse('TOKEN_REQUIRED', `Token required: tag ${AUTH_TOKEN} missing`);
  }
  const caller = await resolveToken(door.services, token, plainAddress(desk.session.remoteAddress));
  if (isRefusal(caller)) return failed(door, desk, caller);
  return caller.clientId === desk.identity.caller.clientId
    ? caller
    : failed(door, desk, refuse('TOKEN_CLIENT_MISMATCH'));
}

/** NOT_ENTITLED is noted with the answer, and a store that is away says nothing of the token. */
function failed(door: Door, desk: Desk, refusal: Refusal): Refusal {
  const { refusal: code } = refusal;
  if (code.startsWith('TOKEN_')) noteAuthentication(door, desk, { outcome: 'failed', code });
  return refusal;
}
