/** Held rates: stored in Redis before the answer, booked once, by FIX or REST. */

import { createHash } from 'node:crypto';
import type { Hold, HoldStatus, WithdrawnFor } from '../../domain/conversions/booking.js';
import { ENGINE_COMP_ID, HOLD_ID } from '../../domain/core/ids.js';
import type { LimitName } from '../../domain/risk/limits.js';
import type { Connection } from '../connection/connection.js';
import { countingValue } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, outboxKey, sessionKey } from '../keys/redis-keys.js';
import { factsFrom, factsText } from '../ledger/records.js';
import type { StepLimits } from '../risk/limits.js';
import { notifyOutboxes, type SessionClaims } from '../sessions/fix-sessions.js';
import { KEPT_MS } from './bookings.js';

export interface HeldRate extends Hold {
  readonly status: HoldStatus;
  /** US cents that it counts against its client's limit while open. */
  readonly usd?: string | undefined;
  /** Why it was withdrawn; absent: it was not. */
  readonly withdrawnFor?: WithdrawnFor | undefined;
}

export interface HoldRequest {
  readonly hold: Hold;
  /** When the offer expires, epoch ms by the store's clock; a lock before that stays valid. */
  readonly untilMs: number;
  /** The offer may not be locked for another reason. */
  readonly isClosed: boolean;
  /** Id of the request, unique for 24 hours within its owner. */
  readonly quoteRequestId?: string | undefined;
  /** Maximum open holds of this owner. */
  readonly openMax: number;
  /** US cents that it counts; undefined: not known, and the step refuses it in its place in the order. */
  readonly usd: string | undefined;
  /** Maximum sum of the client's open holds, US cents. */
  readonly limitUsd: bigint;
  /** Maximum sum of the open holds of the client's platform and its sub-clients, US cents, and how many they may be; undefined: it is of no platform. */
  readonly platform?: { readonly limitUsd: bigint; readonly most: number } | undefined;
  /** A limit of the client that it would exceed by itself. */
  readonly exceeded?: LimitName | undefined;
  /** What a booking would change, for each direction: the step judges it, and reserves nothing. */
  readonly limits?: readonly StepLimits[] | undefined;
}

export type HoldOutcome =
  /** `isNew`: by this call, which is no repetition. */
  | { readonly kind: 'held'; readonly held: HeldRate; readonly isNew: boolean }
  /** The request id already has a hold. */
  | { readonly kind: 'duplicate'; readonly holdId: string }
  | { readonly kind: 'late' }
  | { readonly kind: 'limit' }
  /** Its value in dollars is not known. */
  | { readonly kind: 'unpriced' }
  /** With this one the open holds, of `openUsd` US cents, would exceed the limit. */
  | { readonly kind: 'over'; readonly openUsd: string }
  /** With this one the open holds of the platform and its sub-clients would exceed their limit, by number or by value. */
  | { readonly kind: 'platform'; readonly by: 'number' | 'over' }
  /** A booking would exceed this limit of the client. */
  | { readonly kind: 'credit'; readonly limit: LimitName }
  /** The exposure that the limits compare is to be seeded, and the step repeated. */
  | { readonly kind: 'no-exposure' }
  /** The shard lacks room under the house's limits: the risk role has been asked for more. */
  | { readonly kind: 'no-room' }
  /** Another engine has the requesting session. */
  | { readonly kind: 'taken-over' };

export type ReleaseOutcome =
  | { readonly kind: 'released'; readonly hold: Hold }
  /** Another engine has the requesting session. */
  | { readonly kind: 'taken-over' }
  | {
      readonly kind: 'refused';
      readonly code: 'HOLD_NOT_FOUND' | 'HOLD_USED' | 'HOLD_EXPIRED';
      readonly hold: Hold | undefined;
    };

export interface Holds {
  lock(of: MoneyOf, request: HoldRequest): Promise<HoldOutcome>;
  read(of: MoneyOf, holdId: string): Promise<HeldRate | undefined>;
  /** `session`: CompID of the requesting FIX session. */
  release(of: MoneyOf, holdId: string, session?: string): Promise<ReleaseOutcome>;
  /** Ids of an owner's holds that are not yet booked, released or marked as expired; the time of some may have passed. */
  openOf(of: MoneyOf, owner: string): Promise<readonly string[]>;
  /**
   * The client's holds, of all owners, that are not yet booked, released or marked as expired, at most 1,000; the time of some may have
   * passed.
   */
  open(of: MoneyOf): Promise<readonly HeldRate[]>;
  /** The hold that answered an owner's request in the last 24 hours. */
  requested(of: MoneyOf, owner: string, quoteRequestId: string): Promise<string | undefined>;
  /** Revokes an open hold, also a reserved one; the session that owns it, if any, gets an entry in its outbox. False when it is no longer open. */
  revoke(of: MoneyOf, holdId: string, owner: string, reason: WithdrawnFor): Promise<boolean>;
}

/** The owner of holds without a FIX session: no CompID has a slash. */
export const REST_OWNER = '/rest';

const OPEN_MAX = 1_000;

const LOCK_RATE = step(import.meta.url, 'lock-rate', {
  keys: ['hold', 'openHolds', 'quoteRequest?', 'due', 'bookings', 'session?'],
  args: [
    // When the offer expires.
    'untilMs',
    'holdId',
    'expiryMs',
    'facts',
    'owner',
    // Maximum open holds of the owner.
    'openMax',
    // The offer may not be locked for another reason.
    'isClosed',
    'hasQuoteRequest',
    // Of the due list.
    'dueEntry',
    // A session is notified of the expiry.
    'notifies',
    // How long the hold is kept after its expiry.
    'keptMs',
    // Of the caller's claim of the session; absent: it has released the session, or there is none.
    'epoch?',
    // US cents that it counts; absent: not known.
    'usd?',
    // Maximum sum of the client's open holds, US cents.
    'limitUsd',
    // A limit of the client that it would exceed by itself.
    'exceeded?',
    // JSON of StepLimits, one for each direction.
    'limits?',
    // Prefix of the keys of the client's holds.
    'holds',
    // Of a platform and its sub-clients: maximum sum of their open holds, US cents, and how many there may be.
    'platformUsd?',
    'platformMax?',
  ],
  // Id and US cents of open holds that were stored without.
  uses: ['holds', 'limits', 'receivables'],
});
export const RELEASE_HOLD = step(import.meta.url, 'release-hold', {
  inReserve: true,
  keys: ['hold', 'openHolds', 'due', 'session?'],
  args: ['holdId', 'dueEntry', 'keptMs', 'epoch?'],
  uses: ['holds'],
});
const REVOKE_HOLD = step(import.meta.url, 'revoke-hold', {
  inReserve: true,
  keys: ['hold', 'openHolds', 'due', 'outbox?', 'overdue'],
  args: ['holdId', 'dueEntry', 'keptMs', 'client', 'isOfSession', 'reason'],
  uses: ['holds'],
});

export function holds(connection: Connection, claims: SessionClaims): Holds {
  const read = async (of: MoneyOf, holdId: string): Promise<HeldRate | undefined> => {
    if (!HOLD_ID.test(holdId)) return undefined;
    const key = ledgerKeys(of).hold(holdId);
    const names = ['facts', 'status', 'usd', 'withdrawnFor'] as const;
    const [facts, status, usd, withdrawn] = await connection.read((redis) => redis.hmget(key, ...names));
    if (!facts) return undefined;
    const more = { ...(usd ? { usd } : {}), ...(withdrawn ? { withdrawnFor: withdrawn as WithdrawnFor } : {}) };
    return { ...factsFrom<Hold>(facts), status: status as HoldStatus, ...more };
  };
  return {
    read,
    async open(of) {
      const members = await connection.read((redis) =>
        redis.zrange(ledgerKeys(of).openHolds, '0', String(OPEN_MAX - 1)),
      );
      const found = await Promise.all(members.map((member) => read(of, member.slice(member.indexOf('|') + 1))));
      return found.filter((held) => held !== undefined);
    },
    async lock(of, request) {
      const { hold, untilMs, isClosed, quoteRequestId, openMax, usd, limitUsd, platform } = request;
      const { exceeded, limits } = request;
      const keys = ledgerKeys(of);
      const isOfSession = hold.owner !== REST_OWNER;
      const session = isOfSession ? sessionKey(of.shard, ENGINE_COMP_ID, hold.owner) : undefined;
      const epoch = session && claims.epochOf(session);
      const [kind, first, ...rest] = (await connection.step(
        LOCK_RATE,
        {
          hold: keys.hold(hold.id),
          openHolds: keys.openHolds,
          quoteRequest:
            quoteRequestId === undefined ? undefined : keys.quoteRequest(hashOf(hold.owner, quoteRequestId)),
          due: keys.due,
          bookings: keys.bookings,
          session,
        },
        {
          untilMs,
          holdId: hold.id,
          expiryMs: hold.expiryMs,
          facts: factsText(hold),
          owner: hold.owner,
          openMax,
          isClosed,
          hasQuoteRequest: quoteRequestId !== undefined,
          dueEntry: dueEntry(of, hold.id),
          notifies: isOfSession,
          keptMs: KEPT_MS,
          epoch,
          usd,
          limitUsd,
          exceeded,
          limits: limits && JSON.stringify(limits),
          holds: keys.holds,
          platformUsd: platform?.limitUsd,
          platformMax: platform?.most,
        },
      )) as string[];
      if (kind === 'duplicate') return { kind, holdId: first };
      if (kind === 'taken-over' && session) claims.takenOver(session, epoch!);
      if (kind === 'over') return { kind, openUsd: first };
      if (kind === 'platform') return { kind, by: first as 'number' | 'over' };
      if (kind === 'credit') return { kind, limit: first };
      if (kind !== 'held')
        return { kind: kind as 'late' | 'limit' | 'unpriced' | 'no-exposure' | 'no-room' | 'taken-over' };
      const [expiry, status, isNew] = rest;
      return {
        kind: 'held',
        held: { ...factsFrom<Hold>(first), expiryMs: Number(expiry), status: status as HoldStatus },
        isNew: isNew === 'new',
      };
    },
    async release(of, holdId, session) {
      if (!HOLD_ID.test(holdId)) return { kind: 'refused', code: 'HOLD_NOT_FOUND', hold: undefined };
      const { openHolds, due, hold: keyOf } = ledgerKeys(of);
      const asking = session === undefined ? undefined : sessionKey(of.shard, ENGINE_COMP_ID, session);
      const epoch = asking && claims.epochOf(asking);
      const reply = await connection.step(
        RELEASE_HOLD,
        { hold: keyOf(holdId), openHolds, due, session: asking },
        { holdId, dueEntry: dueEntry(of, holdId), keptMs: KEPT_MS, epoch },
      );
      const [kind, ...rest] = reply as string[];
      if (kind === 'released') return { kind, hold: factsFrom<Hold>(rest[0]) };
      if (kind === 'taken-over') {
        claims.takenOver(asking!, epoch!);
        return { kind };
      }
      const [code, facts] = rest;
      return {
        kind: 'refused',
        code: code as 'HOLD_NOT_FOUND' | 'HOLD_USED' | 'HOLD_EXPIRED',
        hold: facts ? factsFrom<Hold>(facts) : undefined,
      };
    },
    async openOf(of, owner) {
      const members = await connection.read((redis) => redis.zrange(ledgerKeys(of).openHolds, '0', '-1'));
      const mine = `${owner}|`;
      return members.filter((member) => member.startsWith(mine)).map((member) => member.slice(mine.length));
    },
    async requested(of, owner, quoteRequestId) {
      const key = ledgerKeys(of).quoteRequest(hashOf(owner, quoteRequestId));
      return (await countingValue(connection, key)) ?? undefined;
    },
    async revoke(of, holdId, owner, reason) {
      const { openHolds, due, overdue, hold: keyOf } = ledgerKeys(of);
      const isOfSession = owner !== REST_OWNER;
      const outbox = isOfSession ? outboxKey(sessionKey(of.shard, ENGINE_COMP_ID, owner)) : undefined;
      const reply = await connection.step(
        REVOKE_HOLD,
        { hold: keyOf(holdId), openHolds, due, outbox, overdue },
        { holdId, dueEntry: dueEntry(of, holdId), keptMs: KEPT_MS, client: of.id, isOfSession, reason },
      );
      const revoked = reply === 1;
      if (revoked && isOfSession) notifyOutboxes(connection, [owner]);
      return revoked;
    },
  };
}

const dueEntry = (of: MoneyOf, holdId: string): string => `hold:${of.id}:${holdId}`;

const hashOf = (owner: string, id: string): string =>
  createHash('sha256').update(`${owner}\n${id}`).digest('base64url').slice(0, 32);
