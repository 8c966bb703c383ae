/** Batches of payments: created, filled, funded and ended by one atomic step each, and read. Each item is drawn by the step of its payment. */

import type { Batch, BatchFacts, BatchItem, BatchState, BatchStatus } from '../../domain/batches/batch.js';
import { BATCH_ITEMS_MAX, OPEN_BATCHES_MAX } from '../../domain/batches/batch.js';
import { BATCH_ID, REQUEST_ID } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { factsFrom, factsText } from '../ledger/records.js';

/** An item to be added, or with an empty fingerprint removed. */
export interface ItemChange {
  readonly itemId: string;
  /** '' where none was sent, or no valid one. */
  readonly transactionNumber: string;
  readonly fingerprint: string;
  /** Encrypted. */
  readonly content: string;
}

/** An item that a funded batch has not drawn. */
export interface QueuedItem {
  readonly number: number;
  readonly itemId: string;
  /** Of the account's currency, minor units. */
  readonly reserve: bigint;
  /** The fee of the funding's moment. */
  readonly fee: { readonly fixedMinor: bigint; readonly ppm: number };
  /** The version in which the fields of its beneficiary were made, as the closing bound it; absent: it names none. */
  readonly beneficiaryVersion?: number | undefined;
}

type NoChange =
  /** No such batch. */
  | { readonly kind: 'gone' }
  /** It has another version. */
  | { readonly kind: 'version' }
  /** Its status does not allow it. */
  | { readonly kind: 'status'; readonly status: BatchStatus };

/** `moved` also where it had the status before, and nothing has changed. */
export type MovedBatch = { readonly kind: 'moved'; readonly state: BatchState } | NoChange;
/** `more`: balance, needed amount and currency, or `waiting`: an older payment waits for the account's money. */
export type FundedBatch = MovedBatch | { readonly kind: 'refused'; readonly code: RefusalCode; readonly more: string };
/** The account has no room for what would come back. */
export type CancelledBatch = MovedBatch | { readonly kind: 'limit' };
export type ChangedItems =
  | {
      readonly kind: 'changed';
      readonly state: BatchState;
      readonly added: number;
      readonly replaced: number;
      readonly removed: number;
    }
  /** The batch has these items with other content. */
  | { readonly kind: 'conflict'; readonly itemIds: readonly string[] }
  /** It has no such item. */
  | { readonly kind: 'unknown'; readonly itemId: string }
  /** It would have too many. */
  | { readonly kind: 'full' }
  | NoChange;

export interface Batches {
  /** `known`: the id of the batch that this request has created before. */
  create(
    of: MoneyOf,
    facts: BatchFacts,
  ): Promise<
    | { readonly kind: 'created'; readonly state: BatchState }
    | { readonly kind: 'known'; readonly batchId: string }
    | { readonly kind: 'refused'; readonly code: RefusalCode }
  >;
  changeItems(
    of: MoneyOf,
    batchId: string,
    change: { readonly items: readonly ItemChange[]; readonly version: number | undefined; readonly replaces: boolean },
  ): Promise<ChangedItems>;
  /** A batch is closed with what its items take, and with the versions of their beneficiaries. */
  move(
    of: MoneyOf,
    batchId: string,
    to: 'VALIDATED' | 'CLOSED',
    version: number | undefined,
    items?: readonly QueuedItem[],
  ): Promise<MovedBatch>;
  /** Only the version that was read, whose items make the total. */
  fund(of: MoneyOf, batch: Batch, items: readonly QueuedItem[]): Promise<FundedBatch>;
  cancel(
    of: MoneyOf,
    batch: Batch,
    by: { readonly actor: string; readonly reason: string; readonly version: number | undefined },
  ): Promise<CancelledBatch>;
  refuse(
    of: MoneyOf,
    batch: Batch,
    item: QueuedItem,
    refusal: { readonly code: RefusalCode; readonly text: string },
  ): Promise<'refused' | 'done' | 'limit'>;
  read(of: MoneyOf, batchId: string): Promise<Batch | undefined>;
  /** All of its items, in order. */
  items(of: MoneyOf, batchId: string): Promise<readonly BatchItem[]>;
  /** What pending items contain, encrypted, by item id. */
  contents(of: MoneyOf, batchId: string, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The first of those that are not drawn. */
  queued(of: MoneyOf, batchId: string, count: number): Promise<readonly QueuedItem[]>;
  /** The batches that have not ended, oldest first. */
  open(of: MoneyOf): Promise<readonly string[]>;
  /** What of a batch is reserved, queued and stored at one moment. */
  reserves(of: MoneyOf, batchId: string): Promise<BatchReserve | undefined>;
}

export interface BatchReserve {
  readonly batch: Batch;
  /** The balance of its sub-account, minor units. */
  readonly reserved: string;
  readonly queue: readonly QueuedItem[];
  readonly items: readonly BatchItem[];
}

const CREATE_BATCH = step(import.meta.url, 'create-batch', {
  keys: ['accounts', 'batch', 'batchRequests', 'openBatches', 'index'],
  args: ['requestId', 'batchId', 'account', 'currency', 'createdAtMs', 'facts', 'openMax'],
  uses: ['batches'],
});
const CHANGE_ITEMS = step(import.meta.url, 'change-items', {
  keys: ['batch', 'contents'],
  // The version that it must have; whether known ids may come with other content.
  args: ['version?', 'replaces', 'itemsMax'],
  rest: 'items',
  uses: ['batches'],
});
const MOVE_BATCH = step(import.meta.url, 'move-batch', {
  keys: ['batch'],
  args: ['batchId', 'version?', 'from', 'to', 'total'],
  // Of each item that names a beneficiary its id and the version.
  rest: 'bound',
  uses: ['batches'],
});
const FUND_BATCH = step(import.meta.url, 'fund-batch', {
  keys: ['batch', 'queue', 'accounts', 'balances', 'journal', 'waiting', 'work'],
  args: ['client', 'batchId', 'version', 'account', 'currency', 'total'],
  rest: 'queued',
  uses: ['batches', 'payments'],
});
const CANCEL_BATCH = step(import.meta.url, 'cancel-batch', {
  inReserve: true,
  keys: ['batch', 'queue', 'contents', 'openBatches', 'balances', 'journal', 'due', 'overdue'],
  args: ['client', 'batchId', 'version?', 'account', 'currency', 'actor', 'reason'],
  uses: ['groups', 'batches', 'receivables', 'platforms'],
});
const REFUSE_ITEM = step(import.meta.url, 'refuse-item', {
  inReserve: true,
  keys: ['batch', 'queue', 'contents', 'openBatches', 'balances', 'journal', 'due', 'overdue'],
  args: ['client', 'batchId', 'queued', 'account', 'currency', 'code', 'text'],
  uses: ['groups', 'batches', 'receivables', 'platforms'],
});

const FROM = { VALIDATED: 'OPEN', CLOSED: 'VALIDATED' } as const;
const ITEM = 'i:';
/** Of a refusal: it is shown to the client as it is. */
const TEXT_MAX = 500;

export function batches(connection: Connection): Batches {
  const read: Batches['read'] = async (of, batchId) => {
    if (!BATCH_ID.test(batchId)) return undefined;
    const [facts, state] = await connection.read((redis) => redis.hmget(ledgerKeys(of).batch(batchId), 'f', 's'));
    return batchOf(facts, state);
  };
  return {
    async create(of, facts) {
      const keys = ledgerKeys(of);
      const { accounts, batchRequests, openBatches } = keys;
      const { id, requestId, account, currency, createdAtMs } = facts;
      const [kind, answer = ''] = (await connection.step(
        CREATE_BATCH,
        { accounts, batch: keys.batch(id), batchRequests, openBatches, index: keys.index('batches') },
        {
          requestId,
          batchId: id,
          account,
          currency,
          createdAtMs,
          facts: factsText(facts),
          openMax: OPEN_BATCHES_MAX,
        },
      )) as string[];
      if (kind === 'known') return { kind, batchId: answer };
      if (kind === 'created') return { kind, state: batchState(answer) };
      return { kind: 'refused', code: answer as RefusalCode };
    },
    async changeItems(of, batchId, { items, version, replaces }) {
      const keys = ledgerKeys(of);
      const [kind, first = '', ...more] = (await connection.step(
        CHANGE_ITEMS,
        { batch: keys.batch(batchId), contents: keys.batchContents(batchId) },
        {
          version,
          replaces,
          itemsMax: BATCH_ITEMS_MAX,
          items: items.flatMap(({ itemId, transactionNumber, fingerprint, content }) => [
            itemId,
            transactionNumber,
            fingerprint,
            content,
          ]),
        },
      )) as [string, ...string[]];
      if (kind === 'changed') {
        const [added, replaced, removed] = more.map(Number);
        return { kind, state: batchState(first), added: added!, replaced: replaced!, removed: removed! };
      }
      if (kind === 'conflict') return { kind, itemIds: [first, ...more] };
      if (kind === 'unknown') return { kind, itemId: first };
      return kind === 'full' ? { kind } : noChange(kind, first);
    },
    async move(of, batchId, to, version, items = []) {
      const batch = ledgerKeys(of).batch(batchId);
      const bound = items.flatMap(({ itemId, beneficiaryVersion }) =>
        beneficiaryVersion === undefined ? [] : [itemId, String(beneficiaryVersion)],
      );
      const args = { batchId, version, from: FROM[to], to, total: totalOf(items), bound };
      return moved((await connection.step(MOVE_BATCH, { batch }, args)) as string[]);
    },
    async fund(of, { id, version, account, currency }, items) {
      const keys = ledgerKeys(of);
      const { accounts, balances, journal, waiting, work } = keys;
      const answer = (await connection.step(
        FUND_BATCH,
        { batch: keys.batch(id), queue: keys.batchQueue(id), accounts, balances, journal, waiting, work },
        {
          client: of.id,
          batchId: id,
          version,
          account,
          currency,
          total: totalOf(items),
          queued: items.map(queuedText),
        },
      )) as string[];
      const [kind, code = '', more = ''] = answer;
      return kind === 'refused' ? { kind, code: code as RefusalCode, more } : moved(answer);
    },
    async cancel(of, { id, account, currency }, { actor, reason, version }) {
      const args = { client: of.id, batchId: id, version, account, currency, actor, reason };
      const answer = (await connection.step(CANCEL_BATCH, endingKeys(of, id), args)) as string[];
      return answer[0] === 'limit' ? { kind: 'limit' } : moved(answer);
    },
    async refuse(of, { id, account, currency }, item, { code, text }) {
      const queued = queuedText(item);
      const args = { client: of.id, batchId: id, queued, account, currency, code, text: text.slice(0, TEXT_MAX) };
      const [kind] = (await connection.step(REFUSE_ITEM, endingKeys(of, id), args)) as string[];
      return kind as 'refused' | 'done' | 'limit';
    },
    read,
    async items(of, batchId) {
      const fields = await connection.read((redis) => redis.hgetall(ledgerKeys(of).batch(batchId)));
      return itemsOf(fields);
    },
    async contents(of, batchId, itemIds) {
      if (itemIds.length === 0) return new Map();
      const key = ledgerKeys(of).batchContents(batchId);
      const found = await connection.read((redis) => redis.hmget(key, ...itemIds));
      return new Map(itemIds.flatMap((id, i) => (found[i] ? [[id, found[i]] as const] : [])));
    },
    async queued(of, batchId, count) {
      const key = ledgerKeys(of).batchQueue(batchId);
      return (await connection.read((redis) => redis.zrange(key, '0', String(count - 1)))).map(queuedOf);
    },
    open: (of) => connection.read((redis) => redis.zrange(ledgerKeys(of).openBatches, '0', '-1')),
    async reserves(of, batchId) {
      if (!BATCH_ID.test(batchId)) return undefined;
      const keys = ledgerKeys(of);
      const [key, queueKey] = [keys.batch(batchId), keys.batchQueue(batchId)];
      const facts = await connection.read((redis) => redis.hget(key, 'f'));
      const { currency = '' } = batchOf(facts, 'OPEN|1|0|0|0|0|0|0|0|0') ?? {};
      // At one moment, while workers draw items.
      const found = await connection.write(
        (redis) =>
          redis
            .multi()
            .hgetall(key)
            .hget(keys.balances, `${currency}/batch:${batchId}`)
            .zrange(queueKey, '0', '-1')
            .exec(),
        key,
      );
      const [fields, reserved, queue] = (found ?? []).map(([, value]) => value);
      const record = fields as Record<string, string>;
      const batch = batchOf(facts, record.s);
      const queued = (queue as string[]).map(queuedOf);
      return batch && { batch, reserved: (reserved as string | null) ?? '0', queue: queued, items: itemsOf(record) };
    },
  };
}

function endingKeys(of: MoneyOf, id: string) {
  const keys = ledgerKeys(of);
  const { openBatches, balances, journal, due, overdue } = keys;
  const own = { batch: keys.batch(id), queue: keys.batchQueue(id), contents: keys.batchContents(id) };
  return { ...own, openBatches, balances, journal, due, overdue };
}

function moved(answer: readonly string[]): MovedBatch {
  const [kind = '', first = ''] = answer;
  return kind === 'moved' || kind === 'again' ? { kind: 'moved', state: batchState(first) } : noChange(kind, first);
}

const noChange = (kind: string, status: string): NoChange =>
  kind === 'status' ? { kind, status: status as BatchStatus } : { kind: kind as 'gone' | 'version' };

function batchOf(facts: string | null | undefined, state: string | null | undefined): Batch | undefined {
  return facts && state ? { ...factsFrom<BatchFacts>(facts), ...batchState(state) } : undefined;
}

/** As batches.lua writes it, into the record and into events. */
export function batchState(text: string): BatchState {
  const [status, version, items, , total = '0', drawn, drawnAmount = '0', refused, refusedAmount = '0', at] =
    text.split('|');
  return {
    status: status as BatchStatus,
    version: Number(version),
    items: Number(items),
    total,
    drawn: Number(drawn),
    drawnAmount,
    refused: Number(refused),
    refusedAmount,
    updatedAtMs: Number(at),
  };
}

const itemsOf = (record: Readonly<Record<string, string>>): BatchItem[] =>
  Object.entries(record)
    .filter(([name]) => name.startsWith(ITEM))
    .map(([name, text]) => itemOf(name.slice(ITEM.length), text))
    .sort((one, other) => one.number - other.number);

function itemOf(itemId: string, text: string): BatchItem {
  const [number, transactionNumber = '', kind, first = '', ...more] = text.split('|');
  const item = { itemId, number: Number(number), transactionNumber };
  if (kind === 'D') return { ...item, outcome: { kind: 'drawn', paymentId: first } };
  if (kind === 'R') return { ...item, outcome: { kind: 'refused', code: first, text: more.join('|') } };
  return { ...item, outcome: { kind: 'pending', fingerprint: first, beneficiaryVersion: versionFrom(more[0]) } };
}

/** The member of the queue: the step of its payment names it. */
export const queuedText = ({ number, itemId, reserve, fee, beneficiaryVersion }: QueuedItem): string =>
  `${String(number).padStart(4, '0')}|${itemId}|${reserve}|${fee.fixedMinor}|${fee.ppm}|${beneficiaryVersion ?? ''}`;

function queuedOf(text: string): QueuedItem {
  const [number, itemId = '', reserve = '0', fixed = '0', ppm, version] = text.split('|');
  return {
    number: Number(number),
    itemId,
    reserve: BigInt(reserve),
    fee: { fixedMinor: BigInt(fixed), ppm: Number(ppm) },
    beneficiaryVersion: versionFrom(version),
  };
}

const versionFrom = (text = ''): number | undefined => (text === '' ? undefined : Number(text));

/** What the items take of the account together, minor units. */
export const totalOf = (items: readonly QueuedItem[]): bigint => items.reduce((sum, { reserve }) => sum + reserve, 0n);

/** Of a text that a client sent as a transaction number: '' where it cannot be one. */
export const transactionNumberOf = (sent: unknown): string =>
  typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : '';
