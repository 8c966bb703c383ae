/**
 * Authentication tokens: opaque, valid 24 hours, stored only as their SHA-256. A process caches what it has read for one second, so a
 * revocation applies everywhere within about a second even when its message is lost.
 */

import * as crypto from 'node:crypto';
import { CLIENT_ID, CLIENT_KEY, TOKEN, TOKEN_HASH } from '../../domain/ids.js';
import type { Right } from '../../domain/rights.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { TtlCache } from '../connection/ttl-cache.js';
import type { SignedChannels } from '../coordination/signed-messages.js';
import { mustMatch } from '../keys/ids.js';
import { rightsFrom, SET_IF_EXISTS } from './clients.js';

interface IssuedToken {
  /** 32 random bytes, base64url: 43 characters. */
  readonly token: string;
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
  read(token: string): Promise<TokenRecord | undefined>;
  /** Uncached states of many tokens, by `tokenHash`, in one pipeline: for live streams. */
  readMany(hashes: readonly string[]): Promise<readonly (TokenRecord | undefined)[]>;
  /** A value that changes with each revocation and each `lookAgain`: while it stays the same no token needs to be read again. */
  revocations(): Promise<string>;
  /** Makes all processes check the tokens of their live streams again, within two seconds. */
  lookAgain(): Promise<void>;
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
const LIVE_MAX_OF_KEY = 1_000;
const LIVE_MAX_OF_CLIENT = 5_000;
/** Tokens that are revoked together. */
const SLICE = 500;
const CHANNEL = 'tokens:revoked';
const REVOCATIONS = 'tokens:revocations';

/** Live tokens by expiry, of the client and of the key; and the rights of each of the client's keys. */
export const INDEX_TOKEN = step('index-token', {
  keys: ['ofClient', 'ofKey', 'rightsOfKeys'],
  // Maximum tokens of the key and of the client; rights are space separated.
  args: ['hash', 'expiresAtMs', 'nowMs', 'mostOfKey', 'mostOfClient', 'key', 'rights'],
});

/** As the store has it: revoked, or live until it expires. */
type Kept = TokenRecord & { readonly state: 'live' | 'revoked' };

/** The form in which the store and the streams keep a token. */
export function tokenHash(token: string): string {
  return hashAtOnce?.('sha256', token) ?? crypto.createHash('sha256').update(token).digest('hex');
}

/** Allocates no object per request; in Node from 20.12 on. */
const hashAtOnce: typeof crypto.hash | undefined = crypto.hash;

export function tokens(connection: Connection, messages: SignedChannels, now: () => number): Tokens {
  // Unknown tokens are cached too: guessing tokens does not read the store each time.
  const known = new TtlCache<{ readonly kept: Kept | undefined }>();
  const hearers = new Set<(hash: string) => void>();
  messages.listen('revocation', CHANNEL, (message) => {
    const hash = message.toString('latin1');
    if (!TOKEN_HASH.test(hash)) return;
    known.forget(hash);
    for (const revoked of hearers) revoked(hash);
  });

  const fetch = async (hash: string): Promise<Kept | undefined> =>
    asKept(hash, await connection.read((redis) => redis.hgetall(record(hash))));
  const judge = (kept: Kept | undefined): TokenRecord | undefined =>
    kept?.state === 'live' && kept.expiresAtMs <= now() ? { ...kept, state: 'expired' } : kept;
  const lookAgain = async (): Promise<void> => {
    await connection.write((redis) => redis.incr(REVOCATIONS));
  };
  /** A batch is counted once, and every reader finds all of it revoked. False: there is no such token. */
  const markRevoked = async (hashes: readonly string[]): Promise<boolean[]> => {
    const mark = (hash: string) =>
      connection.step(SET_IF_EXISTS, { record: record(hash) }, { fields: ['revoked', String(now())] });
    const marked = (await Promise.all(hashes.map(mark))).map((answer) => answer === 1);
    for (const hash of hashes) known.forget(hash);
    const ended = hashes.filter((_, i) => marked[i]);
    if (ended.length === 0) return marked;
    await lookAgain();
    for (const hash of ended) messages.ring(CHANNEL, hash);
    const forget = (hash: string) =>
      connection.write((redis) => redis.pexpire(record(hash), KEPT_AFTER_REVOCATION_MS, 'LT'));
    await Promise.all(ended.map(forget));
    return marked;
  };
  const revokeHash = async (hash: string): Promise<boolean> => {
    const [there] = await markRevoked([hash]);
    if (!there) return false;
    const [clientId, keyId] = await connection.read((redis) => redis.hmget(record(hash), 'client', 'key'));
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
      const fields = { client: clientId, key: keyId, rights: rights.join(' '), expires: String(expiresAtMs) };
      await connection.write(async (redis) => {
        const replies = await redis
          .multi()
          .hset(record(hash), fields)
          .pexpire(record(hash), TOKEN_LIFETIME_MS + KEPT_AFTER_END_MS)
          .exec();
        for (const [error] of replies ?? []) if (error) throw error;
      }, record(hash));
      const gone = (await connection.step(
        INDEX_TOKEN,
        { ofClient: liveOf(clientId), ofKey: liveOfKey(clientId, keyId), rightsOfKeys: keysOf(clientId) },
        {
          hash,
          expiresAtMs,
          nowMs: now(),
          mostOfKey: LIVE_MAX_OF_KEY,
          mostOfClient: LIVE_MAX_OF_CLIENT,
          key: keyId,
          rights: fields.rights,
        },
      )) as string[] | null;
      if (gone === null) await connection.write((redis) => redis.del(record(hash)));
      for (const old of gone ?? []) await revokeHash(old);
      return { token, expiresAtMs, isLive: gone !== null };
    },
    async read(token) {
      if (!TOKEN.test(token)) return undefined;
      const hash = tokenHash(token);
      const { kept } = await known.get(hash, async () => ({ kept: await fetch(hash) }));
      return judge(kept);
    },
    async readMany(hashes) {
      const kept = await Promise.all(hashes.map((hash) => (TOKEN_HASH.test(hash) ? fetch(hash) : undefined)));
      return kept.map(judge);
    },
    revocations: async () => (await connection.read((redis) => redis.get(REVOCATIONS))) ?? '',
    lookAgain,
    async revoke(token) {
      return TOKEN.test(token) ? revokeHash(tokenHash(token)) : false;
    },
    async revokeAll(clientId, keyId) {
      const all = await list(clientId);
      const mine = keyId === undefined ? all : all.filter((token) => token.keyId === keyId);
      let revoked = 0;
      for (let at = 0; at < mine.length; at += SLICE) {
        const slice = mine.slice(at, at + SLICE);
        const hashes = slice.map(({ tokenHash }) => tokenHash);
        revoked += (await markRevoked(hashes)).filter(Boolean).length;
        await connection.write((redis) => redis.zrem(liveOf(clientId), ...hashes));
        for (const key of new Set(slice.map((token) => token.keyId))) {
          await connection.write((redis) => redis.zrem(liveOfKey(clientId, key), ...hashes));
        }
      }
      return revoked;
    },
    revokeHash: async (hash) => revokeHash(mustMatch(TOKEN_HASH, 'hash of a token', hash)),
    list,
    onRevoked(revoked) {
      hearers.add(revoked);
      return () => hearers.delete(revoked);
    },
  };
}

const record = (hash: string): string => `token:${hash}`;
const liveOf = (clientId: string): string => `client-tokens:${clientId}`;
/** In the slot of the client's index. */
const liveOfKey = (clientId: string, keyId: string): string =>
  `{${liveOf(clientId)}}:key:${mustMatch(CLIENT_KEY, 'client key', keyId)}`;
const keysOf = (clientId: string): string => `{${liveOf(clientId)}}:keys`;

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
