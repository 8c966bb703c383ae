import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { Right } from '../../domain/rights.js';
import type { Client } from '../../store/access/clients.js';
import { isAllowed } from './address-list.js';
import type { Services } from './services.js';
import { storeAnswer } from './store-answer.js';

/** The authenticated client of a request, proved by a token or a FIX session. */
export interface Caller {
  readonly clientId: string;
  readonly keyId: string;
  readonly rights: ReadonlySet<Right>;
}

export interface TokenCaller extends Caller {
  readonly expiresAtMs: number;
  /** Identifies the token where the token itself must not appear. */
  readonly tokenHash: string;
}

/** Maximum length of a token that is looked up: issued tokens have 43 characters, AuthToken(20001) allows 128. */
const MAX_TOKEN_LENGTH = 128;

/**
 * The caller of a token, by FIX or REST; `address` is that of the sender. Refuses with TOKEN_REQUIRED, TOKEN_INVALID, TOKEN_EXPIRED,
 * TOKEN_REVOKED, NOT_ENTITLED (its key may not be used from this address), STORE_UNAVAILABLE.
 */
export async function resolveToken(
  services: Services,
  token: string | undefined,
  address: string,
): Promise<TokenCaller | Refusal> {
  if (token === undefined || token === '') return refuse('TOKEN_REQUIRED');
  if (token.length > MAX_TOKEN_LENGTH) return refuse('TOKEN_INVALID');
  const read = await storeAnswer(services, () => services.store.tokens.read(token));
  if (isRefusal(read)) return read;
  if (read === undefined) return refuse('TOKEN_INVALID');
  if (read.state === 'revoked') return refuse('TOKEN_REVOKED');
  if (read.state === 'expired' || read.expiresAtMs <= services.now()) return refuse('TOKEN_EXPIRED');
  const key = await storeAnswer(services, () => services.store.keys.believed(read.keyId));
  if (isRefusal(key)) return key;
  if (key?.revoked) return refuse('TOKEN_REVOKED');
  return key === undefined || isAllowed(key.addresses, address) ? read : refuse('NOT_ENTITLED', 'Not entitled');
}

/**
 * The client that the token was issued to, even when it has expired or was revoked, for the log; undefined: unknown, or the store is
 * unavailable. Costs no command after resolveToken, which has just read it.
 */
export async function tokenOwner({ store }: Services, token: string | undefined): Promise<Caller | undefined> {
  return token === undefined ? undefined : store.tokens.read(token).catch(() => undefined);
}

/** The caller's own record; a token implies that it exists. */
export async function clientOf({ store }: Services, { clientId }: Caller): Promise<Client | Refusal> {
  return (await store.clients.believed(clientId)) ?? refuse('NOT_ENTITLED');
}
