/** The keys of one client's money: all carry the tag of its shard, so that one step can touch them all. */
import { BOOKING_ID, CLIENT_ID, COMP_ID, FUNDING_ID, HOLD_ID, PAYMENT_ID, REQUEST_ID } from '../../domain/ids.js';
import { mustMatch, shardTag } from './ids.js';

/** Whose money: the id, and the shard that its record names. */
export interface MoneyOf {
  readonly id: string;
  readonly shard: number;
}

/** What a client can list, newest first. */
export type ListName = 'bookings' | 'payments' | 'fundings';

export interface LedgerKeys {
  readonly accounts: string;
  readonly balances: string;
  readonly journal: string;
  /** What of the journal has gone to files: its last entry, and how all stood after it. */
  readonly archived: string;
  readonly openHolds: string;
  readonly scheduled: string;
  /** Members `<sell account>|<confirmation id>`: of one account in order of age. */
  readonly overdue: string;
  /** The same conversions as members `<buy account>|<confirmation id>`: what the activation of that account makes due. */
  readonly overdueInto: string;
  readonly dropCopies: string;
  readonly fees: string;
  readonly due: string;
  /** Payments that await their funds: members `<payment id>|<currencies that it draws on, with commas>` in order of creation. */
  readonly waiting: string;
  /** There while waiting payments are about to be looked at. */
  readonly woken: string;
  /** The shard's stream of what workers have to do. */
  readonly work: string;
  /** What the keys of bookings, of holds, of fundings and of receipts begin with. */
  readonly bookings: string;
  readonly holds: string;
  readonly fundings: string;
  readonly receipts: string;
  receipt(requestId: string): string;
  booking(confirmationId: string): string;
  hold(holdId: string): string;
  payment(paymentId: string): string;
  /** Names the payment of a client's transaction number, for ever. */
  transaction(transactionNumber: string): string;
  funding(fundingId: string): string;
  deposit(reference: string): string;
  /** A correction by an operator. */
  adjustment(id: string): string;
  /** QuoteReqID(131) of one session; any text, so it is hashed by the caller. */
  quoteRequest(hash: string): string;
  /** Sorted set, score 0, members `<created ms, 13 digits>|<id>`: lists read it from its end. */
  index(list: ListName): string;
}

const KNOWN = new Map<string, LedgerKeys>();
const KNOWN_MAX = 10_000;

export function ledgerKeys({ id, shard }: MoneyOf): LedgerKeys {
  let keys = KNOWN.get(id);
  if (keys === undefined) {
    keys = make(mustMatch(CLIENT_ID, 'client id', id), shardTag(shard));
    if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
    KNOWN.set(id, keys);
  }
  return keys;
}

/** What the keys of a shard's sessions of one SenderCompID begin with. */
export const sessionsKey = (shard: number, senderCompId: string): string =>
  `${shardTag(shard)}:fix:${mustMatch(COMP_ID, 'CompID', senderCompId)}:`;

/** One session, by SenderCompID and TargetCompID as the engine writes them. */
export const sessionKey = (shard: number, senderCompId: string, targetCompId: string): string =>
  sessionsKey(shard, senderCompId) + mustMatch(COMP_ID, 'CompID', targetCompId);

/** What the session of this key has to be told, and has not been given a number. */
export const outboxKey = (session: string): string => `${session}:outbox`;

export const workKey = (shard: number): string => `${shardTag(shard)}:work`;
export const dueKey = (shard: number): string => `${shardTag(shard)}:due`;

function make(id: string, tag: string): LedgerKeys {
  const own = `${tag}:client:${id}`;
  const bookings = `${own}:booking:`;
  const holds = `${own}:hold:`;
  const receipts = `${own}:receipt:`;
  const fundings = `${own}:funding:`;
  return {
    accounts: `${own}:accounts`,
    balances: `${own}:balances`,
    journal: `${own}:journal`,
    archived: `${own}:archived`,
    openHolds: `${own}:open-holds`,
    scheduled: `${own}:scheduled`,
    overdue: `${own}:overdue`,
    overdueInto: `${own}:overdue-into`,
    dropCopies: `${own}:drop-copies`,
    fees: `${own}:fees`,
    due: `${tag}:due`,
    waiting: `${own}:waiting`,
    woken: `${own}:woken`,
    work: `${tag}:work`,
    bookings,
    holds,
    fundings,
    receipts,
    receipt: (requestId) => receipts + mustMatch(REQUEST_ID, 'request id', requestId),
    booking: (confirmationId) => bookings + mustMatch(BOOKING_ID, 'confirmation id', confirmationId),
    funding: (fundingId) => fundings + mustMatch(FUNDING_ID, 'funding id', fundingId),
    hold: (holdId) => holds + mustMatch(HOLD_ID, 'hold id', holdId),
    payment: (paymentId) => `${own}:payment:${mustMatch(PAYMENT_ID, 'payment id', paymentId)}`,
    transaction: (number) => `${own}:transaction:${mustMatch(REQUEST_ID, 'transaction number', number)}`,
    deposit: (reference) => `${own}:deposit:${mustMatch(REQUEST_ID, 'reference', reference)}`,
    adjustment: (id) => `${own}:adjustment:${mustMatch(REQUEST_ID, 'id of an adjustment', id)}`,
    quoteRequest: (hash) => `${own}:quote-request:${hash}`,
    index: (list) => `${own}:index:${list}`,
  };
}
