import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { ALL_RIGHTS } from '../../domain/core/rights.js';
import type { KeyRecord } from '../../store/access/credentials.js';
import { ADDRESS_LIST } from '../core/caller.js';
import { CLIENT_ID, knownText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { liveDesks, logOutDesks } from '../sessions/index.js';
import { withKeyEvent } from './key-events.js';

/** Any text up to 128 characters: a key that does not exist is refused as unknown, whatever its form. */
const KEY_INPUT = z.object({ clientKey: knownText(128) });

/** Audits a change of one key. */
const keyAudited: Audited<z.infer<typeof KEY_INPUT>> = {
  subject: ({ clientKey }) => `key ${clientKey}`,
  state: ({ store }, { clientKey }) => store.keys.read(clientKey),
};

const REVOKED = refuse('WRONG_STATE', 'The key is revoked, for good: issue a new one');

/** A key that is not revoked. Refuses with UNKNOWN_KEY, WRONG_STATE. */
async function liveKey({ store }: Pick<Services, 'store'>, clientKey: string): Promise<KeyRecord | Refusal> {
  const key = await store.keys.read(clientKey);
  if (key === undefined) return refuse('UNKNOWN_KEY');
  return key.revoked ? REVOKED : key;
}

const TOO_MANY = 'The client has 100 keys: revoke one that is used no more (`ratewire keys revoke`)';

/** A client key and its secret. The secret is shown once and kept as a keyed hash. Refuses with UNKNOWN_CLIENT, KEY_LIMIT. */
export const issueKey = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    rights: z.array(z.enum(ALL_RIGHTS)).min(1).optional(),
    /** Addresses that it may be used from; empty: any. */
    addresses: ADDRESS_LIST.default([]),
  }),
  audited: {
    subject: ({ clientId }) => `client ${clientId}`,
    state: async ({ store }, { clientId }) => ({ keys: (await store.keys.list(clientId)).length }),
    made: 'clientKey',
  },
  async execute({ store }, _operator, { clientId, rights, addresses }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.keys.issue(clientId, rights ?? client.rights, addresses)) ?? refuse('KEY_LIMIT', TOO_MANY);
  },
});

/** A client's keys, without their secrets. Refuses with UNKNOWN_CLIENT. */
export const listKeys = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    return { keys: await store.keys.list(clientId) };
  },
});

const TWO_LIVE = 'The key has two live secrets: retire the old one first (`ratewire keys retire-secret`)';

/**
 * A second secret of a key, shown once; the previous one stays valid until it is retired. Refuses with UNKNOWN_KEY, WRONG_STATE, KEY_LIMIT
 * (the key has two secrets already).
 */
export const rotateKey = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    const issued = await withKeyEvent(services, key, 'key.rotated', async ({ revoked }, event) =>
      revoked ? REVOKED : services.store.keys.rotate(clientKey, event),
    );
    if (issued === REVOKED) return REVOKED;
    if (issued === 'limit') return refuse('KEY_LIMIT', TWO_LIVE);
    return issued ? { clientId: key.clientId, ...issued } : refuse('UNKNOWN_KEY');
  },
});

/** Retires the older of a key's two secrets; with one secret nothing changes. Tokens stay valid. Refuses with UNKNOWN_KEY, WRONG_STATE. */
export const retirePreviousSecret = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    await services.store.keys.retirePreviousSecret(clientKey);
    return (await services.store.keys.read(clientKey)) ?? refuse('UNKNOWN_KEY');
  },
});

/**
 * Revokes a key for good, with its tokens, the streams that use them, and the sessions that logged on with it. Repeated: ends what an
 * interrupted first call left. Refuses with UNKNOWN_KEY.
 */
export const revokeKey = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const { store } = services;
    const key = await store.keys.read(clientKey);
    if (key === undefined) return refuse('UNKNOWN_KEY');
    const { clientId, keyId } = key;
    const desks = liveDesks(services, clientId, keyId);
    // Of one that is revoked already nothing changes, but an event may be missing.
    await withKeyEvent(services, key, 'key.revoked', ({ revoked }, event) =>
      store.keys.revoke(clientKey, revoked ? undefined : event),
    );
    const tokensEnded = await store.tokens.revokeAll(clientId, keyId);
    const text = 'NOT_ENTITLED: this key has been revoked';
    const sessionsEnded = await logOutDesks(services, clientId, text, desks, keyId);
    return { clientId, keyId, tokensEnded, sessionsEnded };
  },
});

/**
 * Sets the rights of a key. A removed right ends the key's tokens and so applies at once; an added right applies from the next token.
 * Refuses with UNKNOWN_KEY, WRONG_STATE.
 */
export const setKeyRights = defineOpenOperation({
  input: KEY_INPUT.extend({ rights: z.array(z.enum(ALL_RIGHTS)).min(1) }),
  audited: keyAudited,
  async execute(services, _operator, { clientKey, rights }) {
    const { keys, tokens } = services.store;
    const before = await liveKey(services, clientKey);
    if (isRefusal(before)) return before;
    await keys.setRights(clientKey, rights);
    // Older tokens may have rights that the key had earlier: each token is checked by its own rights.
    const live = (await tokens.list(before.clientId)).filter(({ keyId }) => keyId === clientKey);
    const tooMuch = live.some((token) => [...token.rights].some((right) => !rights.includes(right)));
    const tokensEnded = tooMuch ? await tokens.revokeAll(before.clientId, clientKey) : 0;
    const after = await keys.read(clientKey);
    return after ? { ...after, tokensEnded } : refuse('UNKNOWN_KEY');
  },
});

/**
 * Sets the addresses that a key may be used from; empty: any. Applies to every request within a second. Unless the list is empty, sessions
 * that logged on with the key are logged out and may log on again from a listed address. Streams in other keys' sessions that use its
 * tokens end when their address is not listed. Refuses with UNKNOWN_KEY, WRONG_STATE.
 */
export const allowKey = defineOpenOperation({
  input: KEY_INPUT.extend({ addresses: ADDRESS_LIST }),
  audited: keyAudited,
  async execute(services, _operator, { clientKey, addresses }) {
    const { keys } = services.store;
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    const desks = addresses.length === 0 ? undefined : liveDesks(services, key.clientId, clientKey);
    await keys.setAddresses(clientKey, addresses);
    const text = 'The addresses of your key have changed: log on again';
    const sessionsEnded = desks ? await logOutDesks(services, key.clientId, text, desks, clientKey) : [];
    const after = await keys.read(clientKey);
    return after ? { ...after, sessionsEnded } : refuse('UNKNOWN_KEY');
  },
});
