/**
 * Client keys and their secrets. A secret is shown once, at issue; the store keeps its HMAC-SHA256 under a sub-key of the master key, so
 * that a copy of the store authenticates no one. A key may have two active secrets during a rotation.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ADDRESS_BLOCK, CLIENT_ID, CLIENT_KEY } from '../../domain/ids.js';
import type { Right } from '../../domain/rights.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { TtlCache } from '../connection/ttl-cache.js';
import { mustMatch } from '../keys/ids.js';
import { CREATE_RECORD, clientKey as clientRecord, rightsFrom, SET_IF_EXISTS } from './clients.js';

interface IssuedKey {
  readonly clientKey: string;
  /** 32 random bytes, base64url. Cannot be read again. */
  readonly clientSecret: string;
}

/** A key without its secrets. */
export interface KeyRecord {
  readonly clientId: string;
  readonly keyId: string;
  readonly rights: readonly Right[];
  /** Active secrets: 1, 2 during a rotation, 0 of a revoked key. */
  readonly liveSecrets: number;
  /** Permanently. */
  readonly revoked: boolean;
  /** Addresses and blocks that it may be used from; empty: any. */
  readonly addresses: readonly string[];
  readonly createdAtMs: number;
}

export interface VerifiedKey extends KeyRecord {
  /** The key is revoked, or its client is disabled. */
  readonly disabled: boolean;
}

export interface ClientKeys {
  /** Undefined when the client has too many keys: 100 active, or 1,000 including revoked ones. */
  issue(clientId: string, rights: readonly Right[], addresses?: readonly string[]): Promise<IssuedKey | undefined>;
  /** Stores a key and a secret chosen by the caller, for scripts that must know them beforehand. False when the key exists. */
  provision(clientId: string, rights: readonly Right[], clientKey: string, clientSecret: string): Promise<boolean>;
  /** Adds a new secret beside the previous one; `limit` when there are two already. Undefined when there is no such key. */
  rotate(clientKey: string): Promise<IssuedKey | 'limit' | undefined>;
  /** Removes all secrets but the newest. */
  retirePreviousSecret(clientKey: string): Promise<boolean>;
  /** Permanently. False when there is no such key. */
  revoke(clientKey: string): Promise<boolean>;
  /** Applies to tokens issued from now on. */
  setRights(clientKey: string, rights: readonly Right[]): Promise<boolean>;
  setAddresses(clientKey: string, addresses: readonly string[]): Promise<boolean>;
  read(clientKey: string): Promise<KeyRecord | undefined>;
  /** As `read`, cached for a second: every request needs it. */
  cached(clientKey: string): Promise<KeyRecord | undefined>;
  /** The client's keys in order; at most 1,000. */
  list(clientId: string): Promise<readonly KeyRecord[]>;
  /** The client that owns the key; not an authentication. */
  owner(clientKey: string): Promise<string | undefined>;
  /** Undefined: unknown key or wrong secret; both take the same time. */
  verify(clientKey: string, clientSecret: string): Promise<VerifiedKey | undefined>;
}

/** The HMAC of the new secret, hexadecimal. */
export const ROTATE_SECRET = step('rotate-secret', { keys: ['record'], args: ['secret'] });
const KEYS_MAX = 100;
const LIST_MAX = 1_000;
/** Longer ones are rejected without hashing. */
const SECRET_MAX = 256;

export function clientKeys(connection: Connection, pepper: Buffer, now: () => number): ClientKeys {
  const digest = (key: string, secret: string): Buffer =>
    createHmac('sha256', pepper).update(`${key}\n${secret}`).digest();
  const nobody = digest('', randomBytes(32).toString('base64url')).toString('hex');

  const create = async (
    clientId: string,
    rights: readonly Right[],
    key: string,
    secret: string,
    addresses: readonly string[] = [],
  ) => {
    mustMatch(CLIENT_ID, 'client id', clientId);
    await connection.write((redis) => redis.zadd(keysOf(clientId), 0, key));
    const fields = ['client', clientId, 'rights', rights.join(' '), 'secret', digest(key, secret).toString('hex')];
    const more = ['addresses', listed(addresses), 'created', String(now())];
    return (await connection.step(CREATE_RECORD, { record: record(key) }, { fields: [...fields, ...more] })) === 1;
  };
  const read = async (key: string): Promise<KeyRecord | undefined> => {
    if (!CLIENT_KEY.test(key)) return undefined;
    return asRecord(key, await connection.read((redis) => redis.hgetall(record(key))));
  };
  const readWhole = async (key: string) => {
    const kept = await connection.read((redis) => redis.hgetall(record(key)));
    // Also for an unknown key, so that timing does not reveal which keys exist.
    const owner = clientRecord(kept.client ?? '');
    const ended = await connection.read((redis) => redis.hget(owner, 'disabled'));
    const secrets = kept.client === undefined ? undefined : [kept.secret, kept.oldSecret ?? ''];
    return { kept: asRecord(key, kept), isClientDisabled: ended === '1', secrets };
  };
  const known = new TtlCache<KeyRecord>();
  const set = async (key: string, ...fields: string[]): Promise<boolean> => {
    if (!CLIENT_KEY.test(key)) return false;
    const isThere = (await connection.step(SET_IF_EXISTS, { record: record(key) }, { fields })) === 1;
    known.forget(key);
    return isThere;
  };
  const list = async (clientId: string): Promise<KeyRecord[]> => {
    const name = keysOf(mustMatch(CLIENT_ID, 'client id', clientId));
    const names = await connection.read((redis) => redis.zrange(name, '-', '+', 'BYLEX', 'LIMIT', 0, LIST_MAX));
    const found = await Promise.all(names.map(read));
    // A name that another client had first may be in the list without being this client's.
    return found.filter((key) => key?.clientId === clientId) as KeyRecord[];
  };

  return {
    async issue(clientId, rights, addresses) {
      const name = keysOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const all = await connection.read((redis) => redis.zcard(name));
      if (all >= LIST_MAX) return undefined;
      if (all >= KEYS_MAX && (await list(clientId)).filter(({ revoked }) => !revoked).length >= KEYS_MAX)
        return undefined;
      const issued = { clientKey: `CK_${randomLetters(24)}`, clientSecret: randomBytes(32).toString('base64url') };
      const made = await create(clientId, rights, issued.clientKey, issued.clientSecret, addresses);
      if (!made) throw new Error('two client keys were alike: the random source of this machine is broken');
      return issued;
    },
    async provision(clientId, rights, key, secret) {
      mustMatch(CLIENT_KEY, 'client key', key);
      if (secret === '' || secret.length > SECRET_MAX) throw new RangeError('a client secret has 1 to 256 characters');
      return create(clientId, rights, key, secret);
    },
    async rotate(key) {
      if (!CLIENT_KEY.test(key)) return undefined;
      const issued = { clientKey: key, clientSecret: randomBytes(32).toString('base64url') };
      const secret = digest(key, issued.clientSecret).toString('hex');
      const kept = await connection.step(ROTATE_SECRET, { record: record(key) }, { secret });
      if (kept === 2) return 'limit';
      return kept === 1 ? issued : undefined;
    },
    retirePreviousSecret: (key) => set(key, 'oldSecret', ''),
    revoke: (key) => set(key, 'disabled', '1'),
    setRights: (key, rights) => set(key, 'rights', rights.join(' ')),
    setAddresses: (key, addresses) => set(key, 'addresses', listed(addresses)),
    read,
    cached: (key) => known.get(key, () => read(key)),
    list,
    async owner(key) {
      if (!CLIENT_KEY.test(key)) return undefined;
      return (await connection.read((redis) => redis.hget(record(key), 'client'))) ?? undefined;
    },
    async verify(key, secret) {
      const fits = CLIENT_KEY.test(key) && secret.length <= SECRET_MAX;
      const found = fits ? await readWhole(key) : undefined;
      const given = digest(key.slice(0, 64), secret.slice(0, SECRET_MAX));
      // An unknown key is compared with a random secret: timing reveals nothing.
      let right = false;
      for (const kept of found?.secrets ?? [nobody, '']) right = same(given, kept) || right;
      if (!right || found?.kept === undefined) return undefined;
      return { ...found.kept, disabled: found.kept.revoked || found.isClientDisabled };
    },
  };
}

function asRecord(keyId: string, kept: Record<string, string>): KeyRecord | undefined {
  if (kept.client === undefined) return undefined;
  const revoked = kept.disabled === '1';
  return {
    clientId: kept.client,
    keyId,
    rights: rightsFrom(kept.rights),
    liveSecrets: revoked ? 0 : kept.oldSecret ? 2 : 1,
    revoked,
    addresses: kept.addresses ? kept.addresses.split(' ') : [],
    createdAtMs: Number(kept.created),
  };
}

const listed = (addresses: readonly string[]): string =>
  addresses.map((address) => mustMatch(ADDRESS_BLOCK, 'network address', address)).join(' ');

const record = (key: string): string => `key:${key}`;
const keysOf = (clientId: string): string => `client-keys:${clientId}`;

function same(given: Buffer, keptHex: string): boolean {
  const kept = Buffer.alloc(given.length);
  const filled = kept.write(keptHex, 'hex') === given.length;
  return timingSafeEqual(given, kept) && filled;
}

function randomLetters(count: number): string {
  // 32 characters that are not confused with each other when read aloud.
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(count), (byte) => letters[byte % 32]).join('');
}
