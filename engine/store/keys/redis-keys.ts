/**
 * Keys in Redis, and the shard and slot that each is in. No name becomes part of a key before its pattern (domain/core/ids.ts) was checked. All
 * keys of a client's ledger carry the tag of its shard, so that one step can use them all.
 */

import * as crypto from 'node:crypto';
import {
  BATCH_ID,
  BENEFICIARY_ID,
  CL_ORD_ID,
  CLIENT_ID,
  COMP_ID,
  COVER_ID,
  FUNDING_ID,
  HOLD_ID,
  HOUSE_ID,
  PAYMENT_ID,
  platformOf,
  REQUEST_ID,
  SUB_CLIENTS,
  subClientsOf,
} from '../../domain/core/ids.js';
import { WEBHOOK_ID } from '../../domain/webhooks/webhook.js';

export const SHARDS = 64;

/** Allocates no object; in Node from 20.12 on. */
const hashAtOnce: typeof crypto.hash | undefined = crypto.hash;

export const sha256 = (text: string, encoding: 'hex' | 'base64url'): string =>
  hashAtOnce?.('sha256', text, encoding) ?? crypto.createHash('sha256').update(text).digest(encoding);

/** A key that ends is kept so much longer than it counts: a server's clock that is wrong for some days removes nothing that counts. */
export const CLOCK_MARGIN_MS = 7 * 24 * 60 * 60 * 1_000;

/** Throws: the caller has not checked the name. The name itself is not shown. */
export function mustMatch(pattern: RegExp, what: string, name: string): string {
  if (!pattern.test(name)) throw new TypeError(`not a ${what}: expected ${pattern.source}`);
  return name;
}

/** The part of a receipt's key: a request id, or the hash of a ClOrdID(11) that has other characters. No request id begins with `#`. */
export function receiptName(requestId: string): string {
  if (REQUEST_ID.test(requestId)) return requestId;
  return `#${sha256(mustMatch(CL_ORD_ID, 'request id', requestId), 'base64url')}`;
}

/**
 * The part of a counter's key that identifies who is counted, any text from the wire. Always a hash: no such text becomes part of a key,
 * and no client key or address can be read from one.
 */
export function countedName(kind: string, who: string): string {
  return `${mustMatch(/^[a-z]{1,32}$/, 'kind of count', kind)}:${sha256(who, 'base64url')}`;
}

/** The shard of a new client, permanent: it is kept in the client's record. */
export function shardFor(clientId: string): number {
  return Number.parseInt(sha256(clientId, 'hex').slice(0, 2), 16) % SHARDS;
}

/** The hash tag of a shard: keys that carry it are in one slot of a cluster, so that one step can use them all. */
export function shardTag(shard: number): string {
  if (!Number.isInteger(shard) || shard < 0 || shard >= SHARDS) throw new RangeError('a shard is 0 to 63');
  return `{s${String(shard).padStart(2, '0')}}`;
}

/** The client's id, and the shard from its record. */
export interface MoneyOf {
  readonly id: string;
  readonly shard: number;
}

/** The record types that a client can list, newest first. */
export type ListName = 'bookings' | 'payments' | 'fundings' | 'changes' | 'beneficiaries' | 'batches';
/** Those whose records are created by a journal entry each. */
export type JournalledList = Exclude<ListName, 'beneficiaries' | 'batches'>;

export interface LedgerKeys {
  readonly accounts: string;
  readonly balances: string;
  readonly journal: string;
  /** The archived part of the journal: its last entry, and the state after it. */
  readonly archived: string;
  readonly openHolds: string;
  /** Of a platform: its open holds and those of its sub-clients, with their US cents and the sum (holds.lua). */
  readonly allHolds: string;
  readonly scheduled: string;
  /** Members `<sell account>|<confirmation id>`: of one account in order of age. */
  readonly overdue: string;
  /** The same conversions as members `<buy account>|<confirmation id>`: activating that account makes them due. */
  readonly overdueInto: string;
  /** How far its own clock is ahead of the shard's, ms, in a sandbox: clock.lua. */
  readonly clock: string;
  /** What it owes, as it came: receivables.lua. */
  readonly receivables: string;
  /** Of its group, a client or a platform with its sub-clients: groups.lua. */
  readonly groupScheduled: string;
  readonly groupOpen: string;
  readonly groupOwing: string;
  /** Gains of cancellations that are paid at their dates, by confirmation id: pay-gain.lua. */
  readonly gains: string;
  readonly dropCopies: string;
  /** Exists from when the client has events on (events.lua). */
  readonly events: string;
  /** The changes of its conversions, the list of that name. */
  readonly changes: string;
  /** Client key to the mark of its last change that has an event. */
  readonly keyEvents: string;
  /** The value of its position, of a client with limits of it: limits.lua. */
  readonly exposure: string;
  readonly fees: string;
  /** The accounts of its beneficiaries, as HMACs, and the beneficiary of each. */
  readonly payees: string;
  readonly due: string;
  /** Payments that await funds: members `<payment id>|<currencies that it draws on, comma separated>` in order of creation. */
  readonly waiting: string;
  /** Exists while an attempt to fund waiting payments is scheduled. */
  readonly woken: string;
  /** The shard's work stream. */
  readonly work: string;
  /** The client's conversions, by id: the records themselves (records.ts). */
  readonly bookings: string;
  /** The house's position from the client's deals (positions.ts). */
  readonly position: string;
  /** The prefixes of the keys of holds, fundings and receipts. */
  readonly holds: string;
  readonly fundings: string;
  readonly receipts: string;
  /** Batches that have not ended, a sorted set in order of creation. */
  readonly openBatches: string;
  /** Request id to batch id, permanent. */
  readonly batchRequests: string;
  receipt(requestId: string): string;
  hold(holdId: string): string;
  payment(paymentId: string): string;
  /** The payment of a client's transaction number, permanent. */
  transaction(transactionNumber: string): string;
  funding(fundingId: string): string;
  beneficiary(beneficiaryId: string): string;
  /** Its facts, its state and the state of each item; batches.lua makes the other two names from it. */
  batch(batchId: string): string;
  /** What its items contain until they are drawn, encrypted. */
  batchContents(batchId: string): string;
  /** Its items that have not been drawn, in order, once it is funded. */
  batchQueue(batchId: string): string;
  deposit(reference: string): string;
  /** An operator's own id: of a correction of an account, or of an amendment of a conversion. */
  adjustment(id: string): string;
  /** Executions that a desk does not know, of a day, YYYYMMDD. */
  dontKnow(day: string): string;
  /** QuoteReqID(131) of one session; any text, so it is hashed by the caller. */
  quoteRequest(hash: string): string;
  /** Sorted set, score 0, members `<created ms, 13 digits>|<id>`; of conversions `bookings`. Lists read it from its end. */
  index(list: ListName): string;
  /** Ids of the client's webhook endpoints, a sorted set in order of their creation. */
  readonly webhooks: string;
  /** Of a platform: the name of each sub-client in lower case, and its id. */
  readonly subClients: string;
  /** How many deliveries it has replayed; of a platform, with its sub-clients. */
  readonly replays: string;
  webhook(webhookId: string): string;
  /** Of one endpoint: a record for each delivery, by the event's sequence. */
  deliveries(webhookId: string): string;
  /** Members `<sequence>|<resource>` of its deliveries that have not ended, by when the next attempt is due. */
  openDeliveries(webhookId: string): string;
}

const KNOWN = new Map<string, LedgerKeys>();
const KNOWN_MAX = 10_000;

/** The house's own ledger: its cover deals. No client has this id. */
export const HOUSE: MoneyOf = { id: HOUSE_ID, shard: 0 };

/** All sub-clients of a platform together: of the keys of a ledger there is `position` alone, the sum of theirs. */
export const subClientsTogether = ({ id, shard }: MoneyOf): MoneyOf => ({ id: subClientsOf(id), shard });

export function ledgerKeys({ id, shard }: MoneyOf): LedgerKeys {
  let keys = KNOWN.get(id);
  if (keys === undefined) {
    const isKnown = id === HOUSE.id || SUB_CLIENTS.test(id);
    keys = make(isKnown ? id : mustMatch(CLIENT_ID, 'client id', id), shardTag(shard));
    if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
    KNOWN.set(id, keys);
  }
  return keys;
}

/** Beside the house's ledger, in its slot. */
export const coverKeys = coverKeysOf(`${shardTag(HOUSE.shard)}:client:${HOUSE.id}`);

function coverKeysOf(own: string) {
  return {
    /** Ids of all cover orders, a sorted set in order of their creation. */
    covers: `${own}:covers`,
    /** Pair to the id of its order that has not ended. */
    openCovers: `${own}:open-covers`,
    /** The holding of the risk lease whose holder plans and sends. */
    fence: `${own}:cover-fence`,
    record: (coverId: string) => `${own}:cover:${mustMatch(COVER_ID, 'id of a cover order', coverId)}`,
  };
}

/** A client's record. */
export const clientKey = (id: string): string => `client:${id}`;

/** The prefix of the keys of a shard's sessions of one SenderCompID. */
export const sessionsKey = (shard: number, senderCompId: string): string =>
  `${shardTag(shard)}:fix:${mustMatch(COMP_ID, 'CompID', senderCompId)}:`;

/** What the deals of a shard may still take of the house's limits. */
export const roomKey = (shard: number): string => `${shardTag(shard)}:room`;

/** One session, by SenderCompID and TargetCompID from the engine's side. */
export const sessionKey = (shard: number, senderCompId: string, targetCompId: string): string =>
  sessionsKey(shard, senderCompId) + mustMatch(COMP_ID, 'CompID', targetCompId);

/** Messages for the session of this key that have no sequence number yet. */
export const outboxKey = (session: string): string => `${session}:outbox`;

export const workKey = (shard: number): string => `${shardTag(shard)}:work`;
/** The house's position from the deals of the shard's clients (positions.ts). */
export const positionKey = (shard: number): string => `${shardTag(shard)}:position`;
export const dueKey = (shard: number): string => `${shardTag(shard)}:due`;
/** The shard's clients with events to deliver, by when they are due, epoch ms by the server's clock. */
export const eventsDueKey = (shard: number): string => `${shardTag(shard)}:events-due`;

/** How many events the steps of a shard keep of a client, at most. */
export const eventsMaxKey = (shard: number): string => `${shardTag(shard)}:events-max`;

function make(id: string, tag: string): LedgerKeys {
  const own = `${tag}:client:${id}`;
  const group = `${tag}:client:${platformOf(id) ?? id}`;
  const holds = `${own}:hold:`;
  const receipts = `${own}:receipt:`;
  const fundings = `${own}:funding:`;
  const batch = (id: string): string => `${own}:batch:${mustMatch(BATCH_ID, 'batch id', id)}`;
  return {
    accounts: `${own}:accounts`,
    balances: `${own}:balances`,
    journal: `${own}:journal`,
    archived: `${own}:archived`,
    openHolds: `${own}:open-holds`,
    allHolds: `${own}:all-holds`,
    scheduled: `${own}:scheduled`,
    overdue: `${own}:overdue`,
    overdueInto: `${own}:overdue-into`,
    clock: `${own}:clock`,
    receivables: `${own}:receivables`,
    groupScheduled: `${group}:group-scheduled`,
    groupOpen: `${group}:group-open`,
    groupOwing: `${group}:group-owing`,
    gains: `${own}:gains`,
    dropCopies: `${own}:drop-copies`,
    events: `${own}:events`,
    changes: `${own}:index:changes`,
    keyEvents: `${own}:key-events`,
    exposure: `${own}:exposure`,
    fees: `${own}:fees`,
    payees: `${own}:payees`,
    due: `${tag}:due`,
    waiting: `${own}:waiting`,
    woken: `${own}:woken`,
    work: `${tag}:work`,
    bookings: `${own}:bookings`,
    position: `${own}:position`,
    holds,
    fundings,
    receipts,
    openBatches: `${own}:open-batches`,
    batchRequests: `${own}:batch-requests`,
    batch,
    batchContents: (id) => `${batch(id)}:contents`,
    batchQueue: (id) => `${batch(id)}:queue`,
    receipt: (requestId) => receipts + receiptName(requestId),
    funding: (fundingId) => fundings + mustMatch(FUNDING_ID, 'funding id', fundingId),
    hold: (holdId) => holds + mustMatch(HOLD_ID, 'hold id', holdId),
    payment: (paymentId) => `${own}:payment:${mustMatch(PAYMENT_ID, 'payment id', paymentId)}`,
    transaction: (number) => `${own}:transaction:${mustMatch(REQUEST_ID, 'transaction number', number)}`,
    beneficiary: (id) => `${own}:beneficiary:${mustMatch(BENEFICIARY_ID, 'beneficiary id', id)}`,
    deposit: (reference) => `${own}:deposit:${mustMatch(REQUEST_ID, 'reference', reference)}`,
    adjustment: (id) => `${own}:adjustment:${mustMatch(REQUEST_ID, 'id of an adjustment', id)}`,
    dontKnow: (day) => `${own}:dont-know:${mustMatch(/^\d{8}$/, 'day', day)}`,
    quoteRequest: (hash) => `${own}:quote-request:${hash}`,
    webhooks: `${own}:webhooks`,
    subClients: `${own}:sub-clients`,
    replays: `${own}:replays`,
    webhook: (id) => `${own}:webhook:${mustMatch(WEBHOOK_ID, 'webhook id', id)}`,
    deliveries: (id) => `${own}:deliveries:${mustMatch(WEBHOOK_ID, 'webhook id', id)}`,
    openDeliveries: (id) => `${own}:open-deliveries:${mustMatch(WEBHOOK_ID, 'webhook id', id)}`,
    index: (list) => (list === 'bookings' ? `${own}:bookings` : `${own}:index:${list}`),
  };
}

/** The text between the first braces, if any; else the whole key. */
function tagOf(key: string): string {
  const from = key.indexOf('{');
  const to = key.indexOf('}', from + 1);
  return from < 0 || to <= from + 1 ? key : key.slice(from + 1, to);
}

/** Which of the 16,384 slots of a cluster a key is in: CRC16 (XMODEM) of its tag. All keys are ASCII: one byte for each character. */
export function slotOf(key: string): number {
  const tag = tagOf(key);
  let crc = 0;
  for (let i = 0; i < tag.length; i++) {
    crc ^= tag.charCodeAt(i) << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0x3fff;
}

/**
 * A key of the same slot that is never written. A step that names it is rejected as a whole, before it begins, while its slot migrates:
 * otherwise it could find half-way that a key has moved already, and its earlier writes would stay.
 */
export const migrationGuardKey = (key: string): string => `{${tagOf(key)}}:migration-guard`;
