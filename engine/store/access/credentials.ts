/**
 * What a client authenticates with. A secret of a client key is shown once, at issue; the store keeps its HMAC-SHA256 under a sub-key of the
 * master key, so that a copy of the store authenticates no one. Tokens are opaque, valid 24 hours, stored only as their SHA-256. A process
 * caches what it has read for one second, so a revocation applies everywhere within about a second even when its message is lost.
 */
import * as crypto from 'node:crypto';
import { CLIENT_ID, CLIENT_KEY, TOKEN, TOKEN_HASH } from '../../domain/core/ids.js';
import type { Right } from '../../domain/core/rights.js';
import { type Cached, TtlCache } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import type { SignedChannels } from '../coordination/signed-messages.js';
import { CLOCK_MARGIN_MS, mustMatch, sha256 } from '../keys/redis-keys.js';
import { addressList, CREATE_RECORD, CREATE_TOKEN, isDisabled, pairs, rightsFrom, setIfExists } from './clients.js';
import { type KeyEvent, recheckTokens, revokeRecord, rotateSecret } from './key-changes.js';

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
  rotate(clientKey: string, event?: KeyEvent): Promise<IssuedKey | 'limit' | 'overtaken' | undefined>;
  /** Removes all secrets but the newest. */
  retirePreviousSecret(clientKey: string): Promise<boolean>;
  /** Permanently. False when there is no such key. */
  revoke(clientKey: string, event?: KeyEvent): Promise<boolean | 'overtaken'>;
  /** Applies to tokens issued from now on. */
  setRights(clientKey: string, rights: readonly Right[]): Promise<boolean>;
  setAddresses(clientKey: string, addresses: readonly string[]): Promise<boolean>;
  read(clientKey: string): Promise<KeyRecord | undefined>;
  /** As `read`, cached for a second: every request needs it. */
  cached(clientKey: string): Cached<KeyRecord | undefined>;
  /** The client's keys in order; at most 1,000. */
  list(clientId: string): Promise<readonly KeyRecord[]>;
  /** The client that owns the key; not an authentication. */
  owner(clientKey: string): Promise<string | undefined>;
  /** Undefined: unknown key or wrong secret; both take the same time. */
  verify(clientKey: string, clientSecret: string): Promise<VerifiedKey | undefined>;
  /** Uncached: neither the key is revoked nor its client disabled, and the key has these rights. */
  stillHas(key: Pick<KeyRecord, 'keyId' | 'clientId' | 'rights'>): Promise<boolean>;
}

const KEYS_MAX = 100;
const LIST_MAX = 1_000;
/** Longer ones are rejected without hashing. */
const SECRET_MAX = 256;

export function clientKeys(connection: Connection, pepper: Buffer, now: () => number): ClientKeys {
  const digest = (key: string, secret: string): Buffer =>
    crypto.createHmac('sha256', pepper).update(`${key}\n${secret}`).digest();
  const decoy = digest('', crypto.randomBytes(32).toString('base64url')).toString('hex');

  const create = async (clientId: string, rights: readonly Right[], made: IssuedKey, addresses: readonly string[]) => {
    mustMatch(CLIENT_ID, 'client id', clientId);
    await connection.write((redis) => redis.zadd(keysOf(clientId), 0, made.clientKey));
    const record = keyRecord(made.clientKey);
    const secret = digest(made.clientKey, made.clientSecret).toString('hex');
    const fields = {
      client: clientId,
      rights: rights.join(' '),
      secret,
      addresses: addressList(addresses),
      created: now(),
    };
    return (await connection.step(CREATE_RECORD, { record }, { fields: pairs(fields) })) === 1;
  };
  const read = async (key: string): Promise<KeyRecord | undefined> => {
    if (!CLIENT_KEY.test(key)) return undefined;
    return asRecord(key, await connection.read((redis) => redis.hgetall(keyRecord(key))));
  };
  const readWhole = async (key: string) => {
    const kept = await connection.read((redis) => redis.hgetall(keyRecord(key)));
    // Also for an unknown key, so that timing does not reveal which keys exist.
    const isClientDisabled = await isDisabled(connection, kept.client ?? '');
    const secrets = kept.client === undefined ? undefined : [kept.secret, kept.oldSecret ?? ''];
    return { kept: asRecord(key, kept), isClientDisabled, secrets };
  };
  const known = new TtlCache<KeyRecord>();
  const set = async (key: string, ...fields: string[]): Promise<boolean> => {
    if (!CLIENT_KEY.test(key)) return false;
    const isThere = await setIfExists(connection, keyRecord(key), fields);
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
    async issue(clientId, rights, addresses = []) {
      const name = keysOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const all = await connection.read((redis) => redis.zcard(name));
      if (all >= LIST_MAX) return undefined;
      if (all >= KEYS_MAX && (await list(clientId)).filter(({ revoked }) => !revoked).length >= KEYS_MAX)
        return undefined;
      const issued = {
        clientKey: `CK_${randomLetters(24)}`,
        clientSecret: crypto.randomBytes(32).toString('base64url'),
      };
      if (!(await create(clientId, rights, issued, addresses)))
        throw new Error('two client keys were alike: the random source of this machine is broken');
      return issued;
    },
    async provision(clientId, rights, clientKey, clientSecret) {
      mustMatch(CLIENT_KEY, 'client key', clientKey);
      if (clientSecret === '' || clientSecret.length > SECRET_MAX)
        throw new RangeError('a client secret has 1 to 256 characters');
      return create(clientId, rights, { clientKey, clientSecret }, []);
    },
    async rotate(key, event) {
      if (!CLIENT_KEY.test(key)) return undefined;
      const issued = { clientKey: key, clientSecret: crypto.randomBytes(32).toString('base64url') };
      const secret = digest(key, issued.clientSecret).toString('hex');
      const rotated = await rotateSecret(connection, keyRecord(key), secret, event);
      return rotated === 'rotated' ? issued : rotated;
    },
    retirePreviousSecret: (key) => set(key, 'oldSecret', ''),
    revoke: async (key, event) =>
      CLIENT_KEY.test(key) && revokeRecord(connection, keyRecord(key), event).finally(() => known.forget(key)),
    setRights: (key, rights) => set(key, 'rights', rights.join(' ')),
    setAddresses: (key, addresses) => set(key, 'addresses', addressList(addresses)),
    read,
    cached: (key) => known.get(key, () => read(key)),
    list,
    async owner(key) {
      if (!CLIENT_KEY.test(key)) return undefined;
      return (await connection.read((redis) => redis.hget(keyRecord(key), 'client'))) ?? undefined;
    },
    async verify(key, secret) {
      const fits = CLIENT_KEY.test(key) && secret.length <= SECRET_MAX;
      const found = fits ? await readWhole(key) : undefined;
      const given = digest(key.slice(0, 64), secret.slice(0, SECRET_MAX));
      // An unknown key is compared with a random secret: timing reveals nothing.
      let right = false;
      for (const kept of found?.secrets ?? [decoy, '']) right = same(given, kept) || right;
      if (!right || found?.kept === undefined) return undefined;
      return { ...found.kept, disabled: found.kept.revoked || found.isClientDisabled };
    },
    async stillHas({ keyId, clientId, rights }) {
      const reading = connection.read((redis) => redis.hmget(keyRecord(keyId), 'disabled', 'rights'));
      const [[revoked, words], isEnded] = await Promise.all([reading, isDisabled(connection, clientId)]);
      const held = rightsFrom(words);
      return words != null && revoked !== '1' && !isEnded && rights.every((right) => held.includes(right));
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

export const keyRecord = (key: string): string => `key:${key}`;
const keysOf = (clientId: string): string => `client-keys:${clientId}`;

function same(given: Buffer, keptHex: string): boolean {
  const kept = Buffer.alloc(given.length);
  const filled = kept.write(keptHex, 'hex') === given.length;
  return crypto.timingSafeEqual(given, kept) && filled;
}

function randomLetters(count: number): string {
  // 32 characters that are not confused with each other when read aloud.
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(crypto.randomBytes(count), (byte) => letters[byte % 32]).join('');
}

interface IssuedToken {
  /** 32 random bytes, base64url: 43 characters. */
  readonly token: string;
  readonly tokenHash: string;
  readonly expiresAtMs: number;
  /** False: the client has its maximum of live tokens, none of which may be revoked for this one; this one is not valid. */
  readonly isLive: boolean;
}

interface TokenRecord {
  readonly state: 'live' | 'expired' | 'revoked';
  readonly clientId: string;
  readonly keyId: string;
  readonly rights: ReadonlySet<Right>;
  readonly expiresAtMs: number;
  /** Identifies the token where the token itself must not appear. */
  readonly tokenHash: string;
}

export interface Tokens {
  /**
   * The 1,001st live token of a key revokes the key's oldest. The 5,001st of a client revokes the oldest token of the key that has most,
   * among the requesting key and those without any right that it lacks. If those have none, the new token is not live.
   */
  issue(clientId: string, keyId: string, rights: readonly Right[]): Promise<IssuedToken>;
  /** Undefined: never issued here, revoked more than an hour ago, or expired more than a day ago. Cached for a second. */
  read(token: string): Cached<TokenRecord | undefined>;
  /** Uncached states of many tokens, by `tokenHash`, in one pipeline: for live streams. */
  readMany(hashes: readonly string[]): Promise<readonly (TokenRecord | undefined)[]>;
  /** A value that changes with each revocation and each `recheck`: while it stays the same no token needs to be read again. */
  revocations(): Promise<string>;
  /** Makes all processes check the tokens of their live streams again, within two seconds. */
  recheck(): Promise<void>;
  /** False when there is no such token. */
  revoke(token: string): Promise<boolean>;
  /** Revokes every live token of a client, or those of one of its keys; returns their number. */
  revokeAll(clientId: string, keyId?: string): Promise<number>;
  /** By its hash. False when there is no such token. */
  revokeHash(hash: string): Promise<boolean>;
  /** The client's live tokens, at most 5,000, the oldest first. */
  list(clientId: string): Promise<readonly TokenRecord[]>;
  /** Called with the hash of a token that was revoked anywhere; may be missed, so compare `revocations` as well. */
  onRevoked(revoked: (hash: string) => void): () => void;
}

export const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1_000;
/** How long an expired token is kept, so that TOKEN_EXPIRED, TOKEN_REVOKED and TOKEN_INVALID can be distinguished. */
const KEPT_AFTER_END_MS = 24 * 60 * 60 * 1_000;
/** Shorter for a revoked one: otherwise a client that requests token after token, each of which revokes another, would fill the store. */
const KEPT_AFTER_REVOCATION_MS = 60 * 60 * 1_000;
const LIVE_MAX = { mostOfKey: 1_000, mostOfClient: 5_000 };
/** Tokens that are revoked together. */
const SLICE = 500;
const CHANNEL = 'tokens:revoked';
const REVOCATIONS = 'tokens:revocations';

/** Live tokens by expiry, of the client and of the key; and the rights of each of the client's keys. */
export const INDEX_TOKEN = step(import.meta.url, 'index-token', {
  inReserve: true,
  keys: ['ofClient', 'ofKey', 'rightsOfKeys'],
  // Maximum tokens of the key and of the client; rights are space separated.
  args: ['hash', 'expiresAtMs', 'nowMs', 'mostOfKey', 'mostOfClient', 'key', 'rights'],
});

/** As the store has it: revoked, or live until it expires. */
type Kept = TokenRecord & { readonly state: 'live' | 'revoked' };

/** The form in which the store and the streams keep a token. */
export const tokenHash = (token: string): string => sha256(token, 'hex');

export function tokens(connection: Connection, messages: SignedChannels, now: () => number): Tokens {
  // Unknown tokens are cached too: guessing tokens does not read the store each time.
  const known = new TtlCache<{ readonly kept: Kept | undefined }>();
  const subscribers = new Set<(hash: string) => void>();
  messages.subscribe('revocation', CHANNEL, (message) => {
    const hash = message.toString('latin1');
    if (!TOKEN_HASH.test(hash)) return;
    known.forget(hash);
    for (const revoked of subscribers) revoked(hash);
  });

  const fetch = async (hash: string): Promise<Kept | undefined> =>
    asKept(hash, await connection.read((redis) => redis.hgetall(tokenRecord(hash))));
  const judge = (kept: Kept | undefined): TokenRecord | undefined => {
    if (kept?.state !== 'live' || kept.expiresAtMs > now()) return kept;
    return kept.expiresAtMs + KEPT_AFTER_END_MS > now() ? { ...kept, state: 'expired' } : undefined;
  };
  const recheck = (): Promise<void> => recheckTokens(connection, REVOCATIONS);
  /** A batch is counted once, and every reader finds all of it revoked. False: there is no such token. */
  const markRevoked = async (hashes: readonly string[]): Promise<boolean[]> => {
    const fields = ['revoked', String(now())];
    const marked = await Promise.all(hashes.map((hash) => setIfExists(connection, tokenRecord(hash), fields)));
    for (const hash of hashes) known.forget(hash);
    const ended = hashes.filter((_, i) => marked[i]);
    if (ended.length === 0) return marked;
    await recheck();
    for (const hash of ended) messages.notify(CHANNEL, hash);
    const forget = (hash: string) =>
      connection.write((redis) => redis.pexpire(tokenRecord(hash), KEPT_AFTER_REVOCATION_MS, 'LT'));
    await Promise.all(ended.map(forget));
    return marked;
  };
  const revokeHash = async (hash: string): Promise<boolean> => {
    const [there] = await markRevoked([hash]);
    if (!there) return false;
    const [clientId, keyId] = await connection.read((redis) => redis.hmget(tokenRecord(hash), 'client', 'key'));
    if (clientId == null) return true;
    await connection.write((redis) => redis.zrem(liveOf(clientId), hash));
    if (keyId != null) await connection.write((redis) => redis.zrem(liveOfKey(clientId, keyId), hash));
    return true;
  };

  // On the write connection: a token that has just been issued is included.
  const hashesOf = (clientId: string): Promise<string[]> => {
    const key = liveOf(mustMatch(CLIENT_ID, 'client id', clientId));
    return connection.write((redis) => redis.zrange(key, '0', '-1'));
  };
  const list = async (clientId: string): Promise<TokenRecord[]> => {
    const kept = await Promise.all((await hashesOf(clientId)).map(fetch));
    return kept.map(judge).filter((token) => token?.state === 'live') as TokenRecord[];
  };

  return {
    async issue(clientId, keyId, rights) {
      mustMatch(CLIENT_ID, 'client id', clientId);
      const token = crypto.randomBytes(32).toString('base64url');
      const hash = tokenHash(token);
      const expiresAtMs = now() + TOKEN_LIFETIME_MS;
      const held = rights.join(' ');
      const fields = ['client', clientId, 'key', keyId, 'rights', held, 'expires', String(expiresAtMs)];
      const lifetimeMs = TOKEN_LIFETIME_MS + KEPT_AFTER_END_MS + CLOCK_MARGIN_MS;
      await connection.step(CREATE_TOKEN, { record: tokenRecord(hash) }, { lifetimeMs, fields });
      const keys = { ofClient: liveOf(clientId), ofKey: liveOfKey(clientId, keyId), rightsOfKeys: rightsOf(clientId) };
      const args = { hash, expiresAtMs, nowMs: now(), key: keyId, rights: held, ...LIVE_MAX };
      const gone = (await connection.step(INDEX_TOKEN, keys, args)) as string[] | null;
      if (gone === null) await connection.write((redis) => redis.del(tokenRecord(hash)));
      for (const old of gone ?? []) await revokeHash(old);
      return { token, tokenHash: hash, expiresAtMs, isLive: gone !== null };
    },
    read(token) {
      if (!TOKEN.test(token)) return undefined;
      const hash = tokenHash(token);
      const found = known.get(hash, async () => ({ kept: await fetch(hash) }));
      return found instanceof Promise ? found.then(({ kept }) => judge(kept)) : judge(found.kept);
    },
    async readMany(hashes) {
      return (await Promise.all(hashes.map((hash) => (TOKEN_HASH.test(hash) ? fetch(hash) : undefined)))).map(judge);
    },
    revocations: async () => (await connection.read((redis) => redis.get(REVOCATIONS))) ?? '',
    recheck,
    revoke: async (token) => (TOKEN.test(token) ? revokeHash(tokenHash(token)) : false),
    async revokeAll(clientId, keyId) {
      const all = await list(clientId);
      const mine = keyId === undefined ? all : all.filter((token) => token.keyId === keyId);
      let revoked = 0;
      for (let at = 0; at < mine.length; at += SLICE) {
        const slice = mine.slice(at, at + SLICE);
        const hashes = slice.map(({ tokenHash }) => tokenHash);
        revoked += (await markRevoked(hashes)).filter(Boolean).length;
        await connection.write((redis) => redis.zrem(liveOf(clientId), ...hashes));
        for (const key of new Set(slice.map((token) => token.keyId)))
          await connection.write((redis) => redis.zrem(liveOfKey(clientId, key), ...hashes));
      }
      return revoked;
    },
    revokeHash: async (hash) => revokeHash(mustMatch(TOKEN_HASH, 'hash of a token', hash)),
    list,
    onRevoked(revoked) {
      subscribers.add(revoked);
      return () => subscribers.delete(revoked);
    },
  };
}

const tokenRecord = (hash: string): string => `token:${hash}`;
const liveOf = (clientId: string): string => `client-tokens:${clientId}`;
/** In the slot of the client's index. */
const liveOfKey = (clientId: string, keyId: string): string =>
  `{${liveOf(clientId)}}:key:${mustMatch(CLIENT_KEY, 'client key', keyId)}`;
const rightsOf = (clientId: string): string => `{${liveOf(clientId)}}:keys`;

function asKept(tokenHash: string, record: Record<string, string>): Kept | undefined {
  if (record.expires === undefined) return undefined;
  return {
    state: record.revoked === undefined ? 'live' : 'revoked',
    clientId: record.client,
    keyId: record.key,
    rights: new Set(rightsFrom(record.rights)),
    expiresAtMs: Number(record.expires),
    tokenHash,
  };
}
