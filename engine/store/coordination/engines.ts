/**
 * Queries to engines over channels: every engine receives a query and answers to its sender. Nothing is stored, nothing is sent without a
 * query, and on a cluster a message is delivered on every node.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { COMP_ID } from '../../domain/core/ids.js';
import { throttledLog } from '../../domain/core/log.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { PAIR_STATES, PAIRS, type PairStatus } from '../../domain/money/pair.js';
import type { EngineStatus } from '../../domain/system/engine-status.js';
import type { Connection } from '../connection/connection.js';
import { mustMatch } from '../keys/redis-keys.js';
import type { SignedChannels } from './signed-messages.js';

export interface EngineAnswers {
  /** With CompIDs, only the sessions of these desks are included. */
  status(compIds: readonly string[] | undefined): EngineStatus;
  /** Every pair. */
  pairs(): { readonly feed: EngineStatus['feed']; readonly pairs: readonly PairStatus[] };
  /** True: the session is live here, and is being logged out with this text. */
  logOut(compId: string, text: string): boolean;
  /** What deals of another process have taken from levels that this engine has published: the number of the relay's last message without it. */
  takes(publisher: number, takes: readonly LevelTake[]): number | undefined;
}

export interface Engines {
  /**
   * The status of every live engine, unordered; with CompIDs, of these desks only (at most 1,000). Waits until all have answered or
   * `waitMs` have passed. Rejects with StoreUnavailable.
   */
  status(waitMs: number, compIds?: readonly string[]): Promise<readonly EngineStatus[]>;
  /** Every pair's state at the engine that runs the feed, or else at another; undefined: none has answered. Waits as `status`. */
  pairs(waitMs: number): Promise<readonly PairStatus[] | undefined>;
  /**
   * Notifies the engine that publishes the relay of what deals here have taken: resolves to the number of the last message without it; undefined:
   * it has not answered. Rejects with StoreUnavailable.
   */
  takes(waitMs: number, publisher: number, takes: readonly LevelTake[]): Promise<number | undefined>;
  /** Logout(5) with Text(58) by the engine that has the desk: true when it confirmed within 2 s. TypeError for an invalid text. */
  logOut(compId: string, text: string): Promise<boolean>;
  /** Answers for this process until the returned function is called. */
  answer(answers: EngineAnswers): () => void;
  close(): void;
}

/** How long an engine may take to answer; on a Redis Cluster it is always waited for the whole time. */
export const ASK_MS = 500;

const QUERIES = 'engines:asked';
const LOG_OUT_WAIT_MS = 2_000;
/** An answer published before the sender of the query has subscribed is lost; SUBSCRIBE takes about one round trip. */
const SUBSCRIBE_MS = 1_000;
const PROBE_MS = 10;
const ENGINES_MAX = 100;
const SESSIONS_MAX = 1_000;
const PAIRS_MAX = 10_000;
const MESSAGE_MAX = 1024 * 1024;
/** Text(58): one line, without the field delimiter. */
const TEXT = /^[\x20-\x7e]{1,200}$/;

const TAKES_MAX = 1_000;
/** Of a level that has this price. */
const LEVEL_TAKE = z.object({
  pair: z
    .number()
    .int()
    .nonnegative()
    .max(PAIRS.length - 1),
  isBid: z.boolean(),
  /** Scaled. */
  price: z.number().int().positive(),
  /** Minor units of base, below 0: given back. */
  minor: z.number().int(),
});
export type LevelTake = z.infer<typeof LEVEL_TAKE>;

const NAME = z.string().regex(/^[0-9a-f-]{1,36}$/);
const ASK = { id: NAME, from: NAME };
const QUERY = z.discriminatedUnion('ask', [
  z.object({
    ...ASK,
    ask: z.literal('status'),
    compIds: z.array(z.string().regex(COMP_ID)).max(SESSIONS_MAX).optional(),
  }),
  z.object({ ...ASK, ask: z.literal('pairs') }),
  z.object({
    ...ASK,
    ask: z.literal('takes'),
    publisher: z.number().int().nonnegative(),
    takes: z.array(LEVEL_TAKE).max(TAKES_MAX),
  }),
  z.object({ ...ASK, ask: z.literal('logOut'), compId: z.string().regex(COMP_ID), text: z.string().regex(TEXT) }),
]);
type SentQuery = z.infer<typeof QUERY>;
/** The query, without its sender. */
type Query = SentQuery extends infer One ? (One extends SentQuery ? Omit<One, 'id' | 'from'> : never) : never;

const FEED = z.enum(['runs', 'follows']);
const COUNT = z.number().int().nonnegative();
const STATUS: z.ZodType<EngineStatus> = z.object({
  engineId: z.string().regex(/^[0-9a-f]{16}$/),
  where: z.string().max(300),
  startedAtMs: z.number(),
  feed: FEED,
  draining: z.boolean(),
  providers: z
    .array(
      z.object({
        name: z.string().max(100),
        up: z.boolean(),
        ticks: COUNT,
        ageMs: z.number().optional(),
        losses: COUNT,
        lastLoss: z.string().max(200).optional(),
      }),
    )
    .max(100),
  desks: COUNT,
  sessions: z
    .array(
      z.object({
        compId: z.string().regex(COMP_ID),
        clientId: z.string().max(32),
        keyId: z.string().max(64),
        loggedOnAtMs: z.number(),
        nextOut: COUNT,
        nextIn: COUNT,
        backlogBytes: COUNT,
        conflated: COUNT,
        streams: COUNT,
      }),
    )
    .max(SESSIONS_MAX),
  tickToWire: z.object({ count: COUNT, p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() }),
});
const PAIR_STATUS: z.ZodType<PairStatus> = z.object({
  pair: z.string().max(7),
  state: z.enum(PAIR_STATES),
  ageMs: z.number().optional(),
  providers: z.array(z.string().max(100)).max(100),
});
const ANSWER = z.union([
  z.object({ id: NAME, status: STATUS }),
  z.object({ id: NAME, feed: FEED, pairs: z.array(PAIR_STATUS).max(PAIRS_MAX).readonly() }),
  z.object({ id: NAME, loggedOut: z.boolean() }),
  z.object({ id: NAME, behind: COUNT.nullable() }),
]);
type Answer = z.infer<typeof ANSWER>;

export function engines(connection: Connection, messages: SignedChannels, engineId: string): Engines {
  const own = `engines:answers:${engineId}`;
  /** By the id of their query. */
  const pending = new Map<string, (answer: Answer) => void>();
  let subscribed: Promise<void> | undefined;
  const stops = new Set<() => void>();
  const failed = throttledLog((fault) =>
    connection.log.error(
      { fault },
      `A question of an operator or of the live page was not answered (${fault}): a fault of ours, please report it; what they are shown lacks this engine.`,
    ),
  );

  const receive = (message: Buffer): void => {
    const answer = read(ANSWER, message);
    if (answer) pending.get(answer.id)?.(answer);
  };
  // Own messages arrive once the subscription is active: only then is a query sent.
  const confirmSubscription = async (): Promise<void> => {
    let isActive = false;
    const stopProbe = connection.subscribe(own, () => {
      isActive = true;
    });
    try {
      for (const until = performance.now() + SUBSCRIBE_MS; !isActive && performance.now() < until; ) {
        await connection.publish(own, '');
        await pause(PROBE_MS);
      }
    } finally {
      stopProbe();
    }
  };
  const subscribe = (): Promise<void> => {
    if (subscribed === undefined) {
      stops.add(messages.subscribe('query', own, receive));
      subscribed = confirmSubscription().catch(() => {});
    }
    return subscribed;
  };

  /** Resolves with all answers when there are as many as subscribed engines, when `isEnough`, or at the timeout. */
  const ask = async (
    query: Query,
    waitMs: number,
    isEnough: (answer: Answer) => boolean,
  ): Promise<readonly Answer[]> => {
    await subscribe();
    const id = randomUUID();
    const answers: Answer[] = [];
    let expected = ENGINES_MAX;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const gathered = withTimeout(finished, waitMs, () => {});
    pending.set(id, (answer) => {
      answers.push(answer);
      if (answers.length >= expected || isEnough(answer)) finish();
    });
    try {
      const message = JSON.stringify({ ...query, id, from: engineId } satisfies SentQuery);
      expected = Math.min(await messages.publish(QUERIES, message), ENGINES_MAX);
      if (answers.length < expected && !answers.some(isEnough)) await gathered;
    } finally {
      finish();
      pending.delete(id);
    }
    return answers;
  };

  return {
    async status(waitMs, compIds) {
      const answers = await ask({ ask: 'status', compIds: compIds?.slice() }, waitMs, () => false);
      return answers.flatMap((answer) => ('status' in answer ? [answer.status] : []));
    },
    async pairs(waitMs) {
      const runsFeed = (answer: Answer) => 'pairs' in answer && answer.feed === 'runs';
      const answers = await ask({ ask: 'pairs' }, waitMs, runsFeed);
      const answer = answers.find(runsFeed) ?? answers.find((answer) => 'pairs' in answer);
      return answer && 'pairs' in answer ? answer.pairs : undefined;
    },
    async takes(waitMs, publisher, takes) {
      const isDone = (answer: Answer) => 'behind' in answer && answer.behind !== null;
      const answers = await ask({ ask: 'takes', publisher, takes: takes.slice(0, TAKES_MAX) }, waitMs, isDone);
      const answer = answers.find(isDone);
      return answer && 'behind' in answer ? (answer.behind ?? undefined) : undefined;
    },
    async logOut(compId, text) {
      mustMatch(COMP_ID, 'CompID', compId);
      mustMatch(TEXT, 'text of a Logout(5)', text);
      const isDone = (answer: Answer) => 'loggedOut' in answer && answer.loggedOut;
      const answers = await ask({ ask: 'logOut', compId, text }, LOG_OUT_WAIT_MS, isDone);
      return answers.some(isDone);
    },
    answer(engine) {
      const stop = messages.subscribe('query', QUERIES, (message) => {
        const query = read(QUERY, message);
        if (query) messages.notify(`engines:answers:${query.from}`, answerTo(query, engine, failed));
      });
      stops.add(stop);
      return () => {
        stops.delete(stop);
        stop();
      };
    },
    close() {
      for (const stop of stops) stop();
      stops.clear();
    },
  };
}

/** An engine that fails while it answers sends nothing: the sender waits no longer than its own timeout. */
function answerTo(query: SentQuery, engine: EngineAnswers, failed: (error: unknown) => void): string {
  const { id } = query;
  try {
    if (query.ask === 'logOut') return encoded({ id, loggedOut: engine.logOut(query.compId, query.text) });
    if (query.ask === 'takes') return encoded({ id, behind: engine.takes(query.publisher, query.takes) ?? null });
    if (query.ask === 'pairs') return encoded({ id, ...engine.pairs() });
    const status = engine.status(query.compIds);
    return encoded({ id, status: { ...status, sessions: status.sessions.slice(0, SESSIONS_MAX) } });
  } catch (error) {
    failed(error);
    return '';
  }
}

const encoded = (answer: Answer): string => JSON.stringify(answer);

/** Undefined: malformed. */
function read<T>(schema: z.ZodType<T>, message: Buffer): T | undefined {
  if (message.length === 0 || message.length > MESSAGE_MAX) return undefined;
  try {
    return schema.safeParse(JSON.parse(message.toString())).data;
  } catch {
    return undefined;
  }
}
