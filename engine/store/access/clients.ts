/** One record for each client: its state, rights and limits. */

import { PAYEE_ANSWERS, type PayeePolicy } from '../../domain/beneficiaries/payee-verification.js';
import { ADDRESS_BLOCK, CLIENT_ID, platformOf } from '../../domain/core/ids.js';
import { ALL_RIGHTS, RIGHTS, type Right } from '../../domain/core/rights.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import { type Cached, TtlCache } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { clientKey, ledgerKeys, type MoneyOf, mustMatch, shardFor } from '../keys/redis-keys.js';

export interface Client {
  readonly id: string;
  readonly name: string;
  /** The type of a booking that names none and uses no hold. */
  readonly defaultType: BookFxType;
  /** Rights of a key that is issued without naming any. */
  readonly rights: readonly Right[];
  /** 0 to 63, permanent: all keys of this client's ledger carry its tag. */
  readonly shard: number;
  /** Also while its platform is. */
  readonly disabled: boolean;
  /** Its platform has disabled it, and may enable it; absent: the operator has, or it is not disabled. */
  readonly disabledByPlatform?: true;
  /** The client whose sub-client it is; absent: it is none. */
  readonly platform?: string;
  /** It may have sub-clients, and act for them. */
  readonly isPlatform: boolean;
  /** Maximum sum of open scheduled sells in one currency, decimal text in units of that currency; '0': no scheduled conversions. */
  readonly scheduledLimit: string;
  /** Of a sub-client that of its platform, which its own and those of all others count against together, gross. */
  readonly platformScheduledLimit?: string | undefined;
  /** Maximum value of its open holds, and of a hold without an amount, whole US dollars; absent: as in the settings. */
  readonly holdLimitUsd?: number;
  readonly holdMaximumUsd?: number;
  /** It pays on behalf of others: every payment must name the remitter. */
  readonly onBehalf: boolean;
  /** Text that is too long for the payment network is truncated instead of rejected. */
  readonly allowTruncation: boolean;
  /** A cancelled conversion never gains: at best it costs nothing. Absent: at the market, both ways. Of a sub-client else its platform's. */
  readonly cancel?: 'worse';
  /** Which answers of payee verification are enough for its payments; absent: no verification is needed. Of a sub-client else its platform's. */
  readonly verification?: PayeePolicy;
  /** Requests per minute, if not those of the settings; 0: no limit. */
  readonly limits?: ClientLimits;
  readonly createdAtMs: number;
  /** How far its own clock is ahead of its shard's, ms, in a sandbox; absent: not at all. */
  readonly clockMs?: number;
}

const LIMITED = ['authentication', 'reads', 'writes'] as const;
export type ClientLimits = Readonly<Partial<Record<(typeof LIMITED)[number], number>>>;

/** What a cancellation by the client is quoted at: the market, or the worse of the market and the conversion's own rate. */
export const CANCEL_POLICIES = ['market', 'worse'] as const;

/** Absent fields stay. */
export interface ClientChange {
  readonly name?: string | undefined;
  readonly defaultType?: BookFxType | undefined;
  readonly onBehalf?: boolean | undefined;
  readonly allowTruncation?: boolean | undefined;
  readonly isPlatform?: boolean | undefined;
  readonly cancel?: (typeof CANCEL_POLICIES)[number] | undefined;
  readonly limits?: Readonly<Partial<Record<(typeof LIMITED)[number], number | 'default' | undefined>>> | undefined;
  readonly holdLimitUsd?: number | 'default' | undefined;
  readonly holdMaximumUsd?: number | 'default' | undefined;
  readonly verification?: PayeePolicy | 'off' | undefined;
}

interface NewClient {
  readonly id: string;
  readonly name: string;
  readonly defaultType: BookFxType;
  readonly rights?: readonly Right[];
}

interface ClientPage {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** Its sub-clients alone. */
  readonly platform?: string | undefined;
}

export interface Clients {
  /**
   * A sub-client is created in the shard of its platform. Undefined when the id exists, of a sub-client also in another case, or there is no
   * such platform. Throws TypeError for an `id` that does not match CLIENT_ID.
   */
  create(client: NewClient): Promise<Client | undefined>;
  get(id: string): Promise<Client | undefined>;
  /** As `get`, cached for a second: every command needs it. */
  cached(id: string): Cached<Client | undefined>;
  /** Ordered by id, after `after`, at most `limit` (1 to 1,000, default 100). */
  list(page?: ClientPage): Promise<readonly Client[]>;
  /** Its sub-clients. */
  countOf(platform: string): Promise<number>;
  /** Whether `list` includes it; and whether no sub-client can be created whose name differs from its own by case alone. */
  isListed(id: string): Promise<boolean>;
  /**
   * A disabled client's keys and tokens are rejected. What a platform enables stays disabled where the operator has disabled it. False when there
   * is no such client.
   */
  setDisabled(id: string, disabled: boolean, by?: 'operator' | 'platform'): Promise<boolean>;
  /** False when there is no such client. `limit` is a decimal text in units of the sell currency. */
  setScheduledLimit(id: string, limit: string): Promise<boolean>;
  /** Atomic. False when there is no such client. */
  change(id: string, change: ClientChange): Promise<boolean>;
}

/** Alternating fields and values: of a new record, and of an existing one. */
const RECORD = { keys: ['record'], args: ['lifetimeMs?'], rest: 'fields' } as const;
export const CREATE_RECORD = step(import.meta.url, 'create-record', RECORD);
/** A client without a token could cancel nothing where the memory is full. */
export const CREATE_TOKEN = step(import.meta.url, 'create-record', { inReserve: true, ...RECORD });
export const SET_IF_EXISTS = step(import.meta.url, 'set-if-exists', {
  inReserve: true,
  keys: ['record'],
  rest: 'fields',
});
const INDEX = 'clients';
/** What a sub-client has of its platform where nothing is set for it: it could evade the operator's policy otherwise. */
const POLICIES = ['cancel', 'verification'] as const;

export interface OwnClocks {
  /** False where no client's clock can be ahead of its shard's. */
  mayBeAhead(): boolean;
  /** How far this one is, ms. */
  readOwn(of: MoneyOf): Promise<number>;
}

export function clients(connection: Connection, now: () => number, clocks: OwnClocks): Clients {
  const get = async (id: string): Promise<Client | undefined> => {
    if (!CLIENT_ID.test(id)) return undefined;
    const platform = platformOf(id);
    const [record, ofPlatform] = await Promise.all([
      connection.read((redis) => redis.hgetall(clientKey(id))),
      platform &&
        connection.read((redis) => redis.hmget(clientKey(platform), 'disabled', 'scheduledLimit', ...POLICIES)),
    ]);
    const [disabled, scheduledLimit, ...policies] = ofPlatform || [];
    for (const [at, name] of POLICIES.entries()) record[name] ??= policies[at] ?? '';
    const own = asClient(id, record, disabled === '1');
    const client = own && platform ? { ...own, platformScheduledLimit: scheduledLimit ?? '0' } : own;
    if (client === undefined || !clocks.mayBeAhead()) return client;
    const clockMs = await clocks.readOwn(client);
    return clockMs === 0 ? client : { ...client, clockMs };
  };
  const known = new TtlCache<Client>();
  // Of a client whose clock was advanced.
  connection.subscribe('clock:changed', (id) => known.forget(id.toString('latin1')));
  const holderOf = (platform: MoneyOf, id: string) =>
    connection.read((redis) => redis.hget(ledgerKeys(platform).subClients, id.toLowerCase()));
  /**
   * Names are compared without case: of several that are created at once the first has it, for good, since no sub-client is removed or renamed.
   * Where its creation ends here, the same id can be created again.
   */
  const claimName = async (platform: MoneyOf, id: string): Promise<boolean> => {
    const { subClients } = ledgerKeys(platform);
    const isFirst = await connection.write((redis) => redis.hsetnx(subClients, id.toLowerCase(), id));
    return isFirst === 1 || (await holderOf(platform, id)) === id;
  };
  const set = async (id: string, fields: Record<string, string>): Promise<boolean> => {
    const key = clientKey(mustMatch(CLIENT_ID, 'client id', id));
    const isThere = await setIfExists(connection, key, pairs(fields));
    known.forget(id);
    return isThere;
  };
  return {
    async create({ id, name, defaultType, rights = RIGHTS }) {
      const key = clientKey(mustMatch(CLIENT_ID, 'client id', id));
      const platform = platformOf(id);
      const shard = platform === undefined ? shardFor(id) : (await get(platform))?.shard;
      if (shard === undefined) return undefined;
      if (platform !== undefined && !(await claimName({ id: platform, shard }, id))) return undefined;
      const client: Client = {
        id,
        name: name.slice(0, 140),
        defaultType,
        rights,
        shard,
        disabled: false,
        ...platformField(id),
        isPlatform: false,
        scheduledLimit: '0',
        onBehalf: false,
        allowTruncation: false,
        createdAtMs: now(),
      };
      // The index first: a name in it without a record is skipped, but a record missing from the index would never be listed.
      await connection.write((redis) => redis.zadd(INDEX, 0, id));
      const fields = { name: client.name, type: defaultType, rights: rights.join(' '), shard: client.shard };
      const made = await connection.step(
        CREATE_RECORD,
        { record: key },
        { fields: [...pairs(fields), 'created', String(client.createdAtMs)] },
      );
      return made === 1 ? client : undefined;
    },
    get,
    cached: (id) => known.get(id, () => get(id)),
    async list({ after, limit = 100, platform } = {}) {
      if (after !== undefined) mustMatch(CLIENT_ID, 'client id', after);
      const [first, last] = platform === undefined ? ['-', '+'] : rangeOf(platform);
      const most = Math.max(1, Math.min(limit, 1_000));
      for (let from = after === undefined ? first : `(${after}`; ; ) {
        const ids = await connection.read((redis) => redis.zrange(INDEX, from, last, 'BYLEX', 'LIMIT', 0, most));
        const found = (await Promise.all(ids.map(get))).filter((client) => client !== undefined);
        // Names without records do not end the list.
        if (found.length > 0 || ids.length < most) return found;
        from = `(${ids.at(-1)}`;
      }
    },
    countOf: (platform) => connection.read((redis) => redis.zlexcount(INDEX, ...rangeOf(platform))),
    async isListed(id) {
      if ((await connection.read((redis) => redis.zscore(INDEX, id))) === null) return false;
      const platform = platformOf(id);
      const of = platform === undefined ? undefined : await get(platform);
      return of === undefined || (await holderOf(of, id)) === id;
    },
    // Each has a field of its own: what one sets at the same moment as the other is not lost.
    setDisabled: (id, disabled, by = 'operator') =>
      by === 'platform'
        ? set(id, { disabledByPlatform: flag(disabled) })
        : set(id, { disabled: flag(disabled), ...(!disabled && { disabledByPlatform: flag(false) }) }),
    setScheduledLimit: (id, limit) => set(id, { scheduledLimit: limit }),
    async change(id, change) {
      const fields = changedFields(change);
      return Object.keys(fields).length === 0 ? (await get(id)) !== undefined : set(id, fields);
    },
  };
}

/** False: there is no such record. */
export const setIfExists = async (
  connection: Connection,
  record: string,
  fields: readonly string[],
): Promise<boolean> => (await connection.step(SET_IF_EXISTS, { record }, { fields })) === 1;

/** Also where its platform is. */
export async function isDisabled(connection: Connection, clientId: string): Promise<boolean> {
  const platform = platformOf(clientId);
  const ids = platform === undefined ? [clientId] : [clientId, platform];
  const read = ids.map((id) =>
    connection.read((redis) => redis.hmget(clientKey(id), 'disabled', 'disabledByPlatform')),
  );
  return (await Promise.all(read)).flat().includes('1');
}

/** Addresses and blocks, as a record of a key or of a CompID has them. */
export const addressList = (addresses: readonly string[]): string =>
  addresses.map((address) => mustMatch(ADDRESS_BLOCK, 'network address', address)).join(' ');

/** The rights among the words of a record. */
export function rightsFrom(words: string | null | undefined): Right[] {
  const held = (words ?? '').split(' ');
  return ALL_RIGHTS.filter((right) => held.includes(right));
}

/** Members of the index from `platform~` to before `platform` and the character behind `~`. */
const rangeOf = (platform: string): [first: string, last: string] => {
  mustMatch(CLIENT_ID, 'client id', platform);
  return [`[${platform}~`, `(${platform}\x7f`];
};

function asClient(id: string, record: Record<string, string>, isPlatformDisabled: boolean): Client | undefined {
  if (record.created === undefined) return undefined;
  return {
    id,
    name: record.name,
    defaultType: record.type as BookFxType,
    rights: rightsFrom(record.rights),
    shard: Number(record.shard),
    disabled: record.disabled === '1' || record.disabledByPlatform === '1' || isPlatformDisabled,
    ...(record.disabled !== '1' && record.disabledByPlatform === '1' && { disabledByPlatform: true as const }),
    ...platformField(id),
    isPlatform: record.platform === '1',
    scheduledLimit: record.scheduledLimit ?? '0',
    onBehalf: record.onBehalf === '1',
    allowTruncation: record.allowTruncation === '1',
    ...(record.cancel === 'worse' && { cancel: 'worse' as const }),
    ...(record.verification ? { verification: policyFrom(record.verification) } : {}),
    ...limitsFrom(record),
    ...(record.holdLimitUsd ? { holdLimitUsd: Number(record.holdLimitUsd) } : {}),
    ...(record.holdMaximumUsd ? { holdMaximumUsd: Number(record.holdMaximumUsd) } : {}),
    createdAtMs: Number(record.created),
  };
}

function platformField(id: string): { platform?: string } {
  const platform = platformOf(id);
  return platform === undefined ? {} : { platform };
}

/** `MATCH CLOSE_MATCH required`. */
function policyFrom(text: string): PayeePolicy {
  const words = text.split(' ');
  return { accepted: PAYEE_ANSWERS.filter((answer) => words.includes(answer)), required: words.includes('required') };
}

const policyText = ({ accepted, required }: PayeePolicy): string =>
  [...accepted, ...(required ? ['required'] : [])].join(' ');

function limitsFrom(record: Record<string, string>): { limits?: ClientLimits } {
  // Empty: reset to the default.
  const set = LIMITED.filter((limited) => (record[`${limited}PerMinute`] ?? '') !== '');
  if (set.length === 0) return {};
  return { limits: Object.fromEntries(set.map((limited) => [limited, Number(record[`${limited}PerMinute`])])) };
}

function changedFields(change: ClientChange) {
  const { name, defaultType, onBehalf, allowTruncation, isPlatform, cancel, limits = {}, ...held } = change;
  const fields: Record<string, string> = {};
  if (name !== undefined) fields.name = name.slice(0, 140);
  if (defaultType !== undefined) fields.type = defaultType;
  if (onBehalf !== undefined) fields.onBehalf = flag(onBehalf);
  if (allowTruncation !== undefined) fields.allowTruncation = flag(allowTruncation);
  if (isPlatform !== undefined) fields.platform = flag(isPlatform);
  if (cancel !== undefined) fields.cancel = cancel;
  for (const limited of LIMITED) {
    const perMinute = limits[limited];
    if (perMinute !== undefined) fields[`${limited}PerMinute`] = perMinute === 'default' ? '' : String(perMinute);
  }
  const { verification } = held;
  if (verification !== undefined) fields.verification = verification === 'off' ? '' : policyText(verification);
  for (const name of ['holdLimitUsd', 'holdMaximumUsd'] as const) {
    const usd = held[name];
    if (usd !== undefined) fields[name] = usd === 'default' ? '' : String(usd);
  }
  return fields;
}

const flag = (on: boolean): string => (on ? '1' : '0');

/** Alternating fields and values. */
export function pairs(fields: Record<string, string | number>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);
}
