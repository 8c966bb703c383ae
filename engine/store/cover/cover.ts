/**
 * Cover orders of the house and their fills, its accounts with providers, and the rules by pair. All of it is in shard 0 under the id
 * `_house`, which no client can have.
 */
import { z } from 'zod';
import { COVER_ID, PAIR_OR_ALL, PROVIDER } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { CoverFill, CoverOrder, CoverRule } from '../../domain/cover/cover.js';
import { COVER_STATUSES, type CoverStatus } from '../../domain/cover/cover-words.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import type { Connection } from '../connection/connection.js';
import { factsHash } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { coverKeys, HOUSE, ledgerKeys, mustMatch } from '../keys/redis-keys.js';
import { type Rules, rules } from '../ledger/rules.js';

/** A cover order as stored. */
export interface CoverRecord extends CoverOrder {
  readonly status: CoverStatus;
  /** Why it has that status; '' where the status says it. */
  readonly reason: string;
  /** Minor units of base and quote. */
  readonly filled: bigint;
  readonly quote: bigint;
  readonly fills: readonly (CoverFill & { readonly entry: string })[];
  /** ExecID(17) of the reports that have disputed it. */
  readonly disputes: readonly string[];
  /** By the store's clock; absent: never sent. */
  readonly sentAtMs: number | undefined;
  /** Of the last change of its status. */
  readonly atMs: number;
  /** Computed as facts_hash of prelude.lua does. */
  readonly factsHash: string;
}

/** `ended` becomes filled, partly-filled or rejected by what was filled. */
export type CoverMove = 'planned' | 'withdrawn' | 'sent' | 'unknown' | 'ended' | 'resolved';

export type CoverMoved =
  | { readonly kind: 'moved'; readonly status: CoverStatus; readonly atMs: number }
  /** Another process has the risk lease. */
  | { readonly kind: 'fenced' }
  /** Its status does not allow it; undefined: there is no such order. */
  | { readonly kind: 'status'; readonly status: CoverStatus | undefined };

export interface CoverAdjustment {
  readonly id: string;
  readonly kind: 'credit' | 'debit';
  readonly provider: string;
  readonly currency: string;
  /** Minor units, above 0. */
  readonly amount: bigint;
  /** Of the provider's statement. */
  readonly reference: string;
  readonly actor: string;
  readonly reason: string;
}

export interface Cover {
  /** Fences every earlier holding of the risk lease off; false: a later one has been claimed. */
  claim(holding: string): Promise<boolean>;
  /** `open`: the pair has an order that has not ended. */
  plan(order: CoverOrder, status: 'suggested' | 'planned', holding: string): Promise<'planned' | 'fenced' | 'open'>;
  /** `sent` needs the holding that was claimed last. */
  move(order: CoverOrder, to: CoverMove, reason?: string, holding?: string): Promise<CoverMoved>;
  /** Books a fill that was made of the record; `changed`: it was made of an older one. `not-sent`: its status does not allow it. */
  book(
    record: CoverRecord,
    fill: CoverFill,
    actor: string,
    /** The settlement of a disputed order: it takes no other. */
    isByHand?: boolean,
  ): Promise<'booked' | 'known' | 'changed' | 'not-sent' | RefusalCode>;
  /** The report contradicts what is booked: the order is open until it is resolved. `known`: it has done so before. */
  dispute(order: CoverOrder, execId: string, reason: string): Promise<'disputed' | 'known' | 'not-sent'>;
  read(id: string): Promise<CoverRecord | undefined>;
  /** Those that have not ended, in order of their creation. */
  open(): Promise<readonly CoverRecord[]>;
  /** Newest first, before `before` where it is given, at most `limit`. */
  list(limit: number, before?: string): Promise<readonly CoverRecord[]>;
  /** Balances of the house's accounts: `EUR/house:cover:LP1` and others to minor units. */
  balances(): Promise<Readonly<Record<string, bigint>>>;
  adjust(adjustment: CoverAdjustment): Promise<{ readonly balance: bigint; readonly replayed: boolean } | RefusalCode>;
  /** The record of an adjustment: kind, account, currency, amount, reference. */
  adjustment(id: string): Promise<string | undefined>;
  /** By pair. */
  readonly rules: Rules<CoverRule>;
}

export const CLAIM_COVER = step(import.meta.url, 'claim-cover', { keys: ['fence'], args: ['holding'] });
export const PLAN_COVER = step(import.meta.url, 'plan-cover', {
  keys: ['cover', 'covers', 'openCovers', 'fence'],
  args: ['id', 'pair', 'status', 'facts', 'holding'],
});
export const MOVE_COVER = step(import.meta.url, 'move-cover', {
  inReserve: true,
  keys: ['cover', 'openCovers', 'fence'],
  args: ['id', 'pair', 'to', 'amount', 'reason', 'holding?'],
});
export const COVER_FX = step(import.meta.url, 'cover-fx', {
  inReserve: true,
  // `bookings` is never written: the keys of positions derive from it.
  keys: ['cover', 'openCovers', 'balances', 'journal', 'bookings'],
  args: [
    'id',
    'pair',
    'side',
    'amount',
    'execId',
    'base',
    'quote',
    'price',
    'filledBefore',
    'baseCurrency',
    'quoteCurrency',
    'account',
    'actor',
    // The field of the house's position.
    'position',
    'byHand?',
  ],
  uses: ['limits', 'positions'],
});
export const DISPUTE_COVER = step(import.meta.url, 'dispute-cover', {
  inReserve: true,
  keys: ['cover', 'openCovers'],
  args: ['id', 'pair', 'execId', 'reason'],
});
export const ADJUST_COVER = step(import.meta.url, 'adjust-cover', {
  keys: ['adjustment', 'balances', 'journal'],
  args: ['kind', 'account', 'currency', 'amount', 'id', 'actor', 'reason', 'reference'],
});

const RULE = z.object({
  pair: z.string(),
  band: z.number(),
  ratio: z.number(),
  min: z.number(),
  max: z.number(),
  step: z.number(),
  everyMs: z.number(),
  worst: z.string(),
  quoteAgeMs: z.number(),
  order: z.enum(['limit', 'market']),
  timeInForce: z.enum(['IOC', 'FOK']),
  providers: z.array(z.string()),
});

/** The house's account with a provider; its currency is in front of it in balances. */
export const coverAccount = (provider: string): string => `house:cover:${mustMatch(PROVIDER, 'provider', provider)}`;

export function cover(connection: Connection): Cover {
  const { covers, openCovers, fence, record } = coverKeys;
  const ledger = ledgerKeys(HOUSE);
  const read = async (id: string): Promise<CoverRecord | undefined> => {
    if (!COVER_ID.test(id)) return undefined;
    const fields = await connection.read((redis) => redis.hgetall(record(id)));
    return fields.facts === undefined ? undefined : recordOf(fields);
  };
  const readAll = async (ids: readonly string[]): Promise<readonly CoverRecord[]> =>
    (await Promise.all(ids.map(read))).filter((one) => one !== undefined);
  return {
    claim: async (holding) => (await connection.step(CLAIM_COVER, { fence }, { holding })) === 1,
    async plan(order, status, holding) {
      const { id, pair } = order;
      const keys = { cover: record(id), covers, openCovers, fence };
      return (await connection.step(PLAN_COVER, keys, { id, pair, status, facts: factsText(order), holding })) as
        | 'planned'
        | 'fenced'
        | 'open';
    },
    async move({ id, pair, amount }, to, reason = '', holding) {
      const keys = { cover: record(id), openCovers, fence };
      const [kind, status, at] = (await connection.step(MOVE_COVER, keys, {
        id,
        pair,
        to,
        amount,
        reason,
        holding,
      })) as string[];
      if (kind === 'fenced') return { kind };
      if (kind === 'moved') return { kind, status: status as CoverStatus, atMs: Number(at) };
      return { kind: 'status', status: status === '' ? undefined : (status as CoverStatus) };
    },
    async book({ id, pair, side, amount, provider, filled, valueDate }, fill, actor, isByHand = false) {
      const { base: baseCurrency, quote: quoteCurrency } = pairBySymbol(pair)!;
      const { journal, balances, bookings } = ledger;
      const [kind, code] = (await connection.step(
        COVER_FX,
        { cover: record(id), openCovers, balances, journal, bookings },
        {
          id,
          pair,
          side,
          amount,
          execId: mustMatch(EXEC_ID, 'id of an execution', fill.execId),
          base: fill.base,
          quote: fill.quote,
          price: fill.price,
          filledBefore: filled,
          baseCurrency,
          quoteCurrency,
          account: coverAccount(provider),
          actor,
          position: coverPositionField({ pair, side, valueDate }),
          byHand: isByHand ? '1' : undefined,
        },
      )) as string[];
      if (kind === 'status') return 'not-sent';
      return kind === 'refused' ? (code as RefusalCode) : (kind as 'booked' | 'known' | 'changed');
    },
    async dispute({ id, pair }, execId, reason) {
      const keys = { cover: record(id), openCovers };
      const args = { id, pair, execId: mustMatch(EXEC_ID, 'id of an execution', execId), reason };
      const disputed = await connection.step(DISPUTE_COVER, keys, args);
      return disputed === 'status' ? 'not-sent' : (disputed as 'disputed' | 'known');
    },
    read,
    async open() {
      const ids = await connection.read((redis) => redis.hgetall(openCovers));
      return readAll(Object.values(ids).sort());
    },
    async list(limit, before) {
      const from = before === undefined ? '+' : `(${mustMatch(COVER_ID, 'id of a cover order', before)}`;
      return readAll(
        await connection.read((redis) => redis.zrange(covers, from, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)),
      );
    },
    async balances() {
      const kept = await connection.read((redis) => redis.hgetall(ledger.balances));
      return Object.fromEntries(Object.entries(kept).map(([name, balance]) => [name, BigInt(balance)]));
    },
    async adjust({ provider, ...adjustment }) {
      const { journal, balances } = ledger;
      const keys = { adjustment: ledger.adjustment(adjustment.id), balances, journal };
      const args = { ...adjustment, account: coverAccount(provider) };
      const [kind, more] = (await connection.step(ADJUST_COVER, keys, args)) as [string, string];
      if (kind === 'refused') return more as RefusalCode;
      return { balance: BigInt(more), replayed: kind === 'replayed' };
    },
    adjustment: async (id) => (await connection.read((redis) => redis.get(ledger.adjustment(id)))) ?? undefined,
    rules: rules(connection, {
      kind: 'cover',
      what: 'cover rules',
      checkName: (pair) => mustMatch(PAIR_OR_ALL, 'pair', pair),
      parse: (_pair, json) => RULE.parse(json),
    }),
  };
}

/** A cover deal has no margin: its field is one of those with a margin in quote. */
const coverPositionField = ({ pair, side, valueDate }: Pick<CoverOrder, 'pair' | 'side' | 'valueDate'>): string =>
  `${pair}|${valueDate}|${side === 'buy' ? 'B' : 'S'}q`;

const DISPUTE = 'dispute:';
/** What an execution is booked under. */
const EXEC_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

const ORDER = z.object({
  id: z.string(),
  pair: z.string(),
  side: z.enum(['buy', 'sell']),
  amount: z.string().transform(BigInt),
  order: z.enum(['limit', 'market']),
  timeInForce: z.enum(['IOC', 'FOK']),
  worst: z.string(),
  provider: z.string(),
  valueDate: z.string(),
  net: z.string().transform(BigInt),
  netAtMs: z.number(),
  createdAtMs: z.number(),
});

function factsText(order: CoverOrder): string {
  return JSON.stringify({ ...order, amount: String(order.amount), net: String(order.net) });
}

function recordOf({
  facts = '',
  status,
  reason = '',
  filled,
  quote,
  sent,
  at,
  ...more
}: Record<string, string>): CoverRecord {
  const order: CoverOrder = ORDER.parse(JSON.parse(facts));
  const fills = Object.entries(more)
    .filter(([name]) => name.startsWith('fill:'))
    .map(([name, text]) => {
      const [base = '', quoted = '', price = '', entry = ''] = text.split(' ');
      return { execId: name.slice('fill:'.length), base: BigInt(base), quote: BigInt(quoted), price, entry };
    })
    // In the order in which they were booked.
    .sort((a, b) => placeOf(a.entry) - placeOf(b.entry));
  return {
    ...order,
    status: z.enum(COVER_STATUSES).parse(status),
    reason,
    filled: BigInt(filled ?? '0'),
    quote: BigInt(quote ?? '0'),
    fills,
    disputes: Object.keys(more).flatMap((name) => (name.startsWith(DISPUTE) ? name.slice(DISPUTE.length) : [])),
    sentAtMs: sent === undefined ? undefined : Number(sent),
    atMs: at === undefined ? order.createdAtMs : Number(at),
    factsHash: factsHash(facts),
  };
}

/** Good for an order of a few entries: milliseconds, and the number within one. */
function placeOf(entry: string): number {
  const [ms = '0', number = '0'] = entry.split('-');
  return Number(ms) + Number(number) / 1e4;
}
