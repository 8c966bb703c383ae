/**
 * Client keys and their secrets. A secret is shown once, at issue; kept is its HMAC-SHA256 under a key of the master key, so that
 * a copy of the store opens no door. Two secrets of a key may be live, for rotation.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Right } from '../domain/rights.js';
import { clientKey as clientRecord, rightsFrom } from './clients.js';
import type { Connection } from './connection.js';
import { CLIENT_ID, CLIENT_KEY, mustMatch } from './ids.js';
import { script } from './scripts.js';

interface IssuedKey {
  readonly clientKey: string;
  /** 32 random bytes, base64url. Never to be had again. */
  readonly clientSecret: string;
}

interface VerifiedKey {
  readonly clientId: string;
  /** The client's shard, 0 to 63. */
  readonly shard: number;
  readonly keyId: string;
  readonly rights: readonly Right[];
  /** The key or its client is disabled. */
  readonly disabled: boolean;
}

export interface ClientKeys {
  /** Undefined when the client has too many keys (100). */
  issue(clientId: string, rights: readonly Right[]): Promise<IssuedKey | undefined>;
  /** A key and a secret brought along, for scripts that must know them beforehand. False when the key exists. */
  provision(clientId: string, rights: readonly Right[], clientKey: string, clientSecret: string): Promise<boolean>;
  /** A new secret; the newest of the old ones stays live. Undefined when there is no such key. */
  rotate(clientKey: string): Promise<IssuedKey | undefined>;
  /** Ends all secrets but the newest. */
  endOldSecret(clientKey: string): Promise<boolean>;
  setDisabled(clientKey: string, disabled: boolean): Promise<boolean>;
  /** The client's keys in order, without secrets; at most 1,000. */
  list(clientId: string): Promise<readonly VerifiedKey[]>;
  /** The client whose key it is; proves nothing of who asks. */
  owner(clientKey: string): Promise<string | undefined>;
  /** Undefined: unknown key or wrong secret, after the same work. */
  verify(clientKey: string, clientSecret: string): Promise<VerifiedKey | undefined>;
}

const CREATE = script('create-record');
const ROTATE = script('rotate-secret');
const SET_IF_THERE = script('set-if-there');
const KEYS_MAX = 100;
const LIST_MAX = 1_000;
/** Longer ones are not even hashed. */
const SECRET_MAX = 256;

export function clientKeys(connection: Connection, pepper: Buffer, now: () => number): ClientKeys {
  const digest = (key: string, secret: string): Buffer =>
    createHmac('sha256', pepper).update(`${key}\n${secret}`).digest();
  const nobody = digest('', randomBytes(32).toString('base64url')).toString('hex');

  const create = async (clientId: string, rights: readonly Right[], key: string, secret: string) => {
    mustMatch(CLIENT_ID, 'client id', clientId);
    await connection.write((redis) => redis.zadd(keysOf(clientId), 0, key));
    const fields = ['client', clientId, 'rights', rights.join(' '), 'secret', digest(key, secret).toString('hex')];
    return (await connection.step(CREATE, [record(key)], [...fields, 'created', String(now())])) === 1;
  };
  const read = async (key: string) => {
    const kept = await connection.read((redis) => redis.hgetall(record(key)));
    // Also for an unknown key, so that the time does not tell the two apart.
    const owner = clientRecord(kept.client ?? '');
    const [shard, ended] = await connection.read((redis) => redis.hmget(owner, 'shard', 'disabled'));
    if (kept.client === undefined) return undefined;
    const verified: VerifiedKey = {
      clientId: kept.client,
      shard: Number(shard),
      keyId: key,
      rights: rightsFrom(kept.rights),
      disabled: kept.disabled === '1' || ended === '1',
    };
    return { verified, secrets: [kept.secret, kept.oldSecret ?? ''] };
  };

  return {
    async issue(clientId, rights) {
      const name = keysOf(mustMatch(CLIENT_ID, 'client id', clientId));
      if ((await connection.read((redis) => redis.zcard(name))) >= KEYS_MAX) return undefined;
      const issued = { clientKey: `CK_${randomLetters(24)}`, clientSecret: randomBytes(32).toString('base64url') };
      const made = await create(clientId, rights, issued.clientKey, issued.clientSecret);
      if (!made) throw new Error('two client keys were alike: the random source of this machine is broken');
      return issued;
    },
    async provision(clientId, rights, key, secret) {
      mustMatch(CLIENT_KEY, 'client key', key);
      if (secret === '' || secret.length > SECRET_MAX) throw new RangeError('a client secret has 1 to 256 characters');
      return create(clientId, rights, key, secret);
    },
    async rotate(key) {
      const issued = {
        clientKey: mustMatch(CLIENT_KEY, 'client key', key),
        clientSecret: randomBytes(32).toString('base64url'),
      };
      const kept = await connection.step(ROTATE, [record(key)], [digest(key, issued.clientSecret).toString('hex')]);
      return kept === 1 ? issued : undefined;
    },
    async endOldSecret(key) {
      const name = record(mustMatch(CLIENT_KEY, 'client key', key));
      return (await connection.step(SET_IF_THERE, [name], ['oldSecret', ''])) === 1;
    },
    async setDisabled(key, disabled) {
      const name = record(mustMatch(CLIENT_KEY, 'client key', key));
      return (await connection.step(SET_IF_THERE, [name], ['disabled', disabled ? '1' : '0'])) === 1;
    },
    async list(clientId) {
      const name = keysOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const names = await connection.read((redis) => redis.zrange(name, '-', '+', 'BYLEX', 'LIMIT', 0, LIST_MAX));
      const found = await Promise.all(names.map(read));
      // A name that another client had first stands in the list without being this client's.
      return found.flatMap((key) => (key?.verified.clientId === clientId ? [key.verified] : []));
    },
    async owner(key) {
      if (!CLIENT_KEY.test(key)) return undefined;
      return (await connection.read((redis) => redis.hget(record(key), 'client'))) ?? undefined;
    },
    async verify(key, secret) {
      const fits = CLIENT_KEY.test(key) && secret.length <= SECRET_MAX;
      const found = fits ? await read(key) : undefined;
      const given = digest(key.slice(0, 64), secret.slice(0, SECRET_MAX));
      // An unknown key is compared too, with a secret that nobody has: the time tells nothing.
      let right = false;
      for (const kept of found?.secrets ?? [nobody, '']) right = same(given, kept) || right;
      return right ? found?.verified : undefined;
    },
  };
}

const record = (key: string): string => `key:${key}`;
const keysOf = (clientId: string): string => `client-keys:${clientId}`;

function same(given: Buffer, keptHex: string): boolean {
  const kept = Buffer.alloc(given.length);
  const filled = kept.write(keptHex, 'hex') === given.length;
  return timingSafeEqual(given, kept) && filled;
}

function randomLetters(count: number): string {
  // 32 letters that are not mistaken for each other when read aloud.
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(count), (byte) => letters[byte % 32]).join('');
}
