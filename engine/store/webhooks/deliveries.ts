/** The deliveries of a client's events to its webhook endpoints: planned, attempted, ended and replayed, each by one step. */
import { CLIENT_ID, platformOf } from '../../domain/core/ids.js';
import {
  type Delivery,
  type DeliveryStatus,
  FAILING_MAX_MS,
  REPLAY_BUDGET,
  REPLAY_BUDGET_MS,
  type Webhook,
} from '../../domain/webhooks/webhook.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { readAllShards } from '../connection/shards.js';
import { eventsDueKey, ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { attemptsFrom, attemptsText } from './attempts.js';
import { EVENTS_CHANNEL, KEPT_MAX, REPLAY_OPEN_MAX } from './webhooks.js';

/** What is planned of an event. */
export type PlannedDelivery = Pick<Delivery, 'sequence' | 'type' | 'resource'>;

export interface OpenDelivery {
  readonly delivery: Delivery;
  /** When its next attempt is due: epoch ms by the server's clock. */
  readonly dueMs: number;
}

/** `ok`, `failed`, `gone`: the endpoint answered that it is gone for ever; `dropped`: the event is not kept any more. */
export type AttemptOutcome = 'ok' | 'failed' | 'gone' | 'dropped';

export interface DueClient {
  readonly clientId: string;
  readonly sinceMs: number;
}

export interface Deliveries {
  /** Clients with something to deliver, of each shard at most `limit`, those that wait longest first, and the server's clock. */
  dueClients(
    limit: number,
    aheadMs: number,
  ): Promise<{ readonly nowMs: number; readonly clients: readonly DueClient[] }>;
  /** Called with the client's id when there is something to deliver; may get lost. */
  onDue(due: (clientId: string) => void): () => void;
  /** Its deliveries are due now, whatever they wait for. */
  wake(of: MoneyOf): Promise<void>;
  /** For so long no other process begins its deliveries; for `rest`. */
  take(of: MoneyOf, ms: number): Promise<string>;
  /** The next is due in `nextMs`; undefined: none is. Without effect where something has become due since `take`. */
  rest(of: MoneyOf, taken: string, nextMs: number | undefined): Promise<void>;
  /**
   * Plans those of the events behind the cursor up to `to`. False when the endpoint was changed meanwhile. `missed`: events that are not kept
   * any more.
   */
  plan(
    of: MoneyOf,
    webhook: Webhook,
    to: number,
    missed: number,
    planned: readonly PlannedDelivery[],
  ): Promise<boolean>;
  /** In order of the sequence, with the server's clock. */
  open(of: MoneyOf, webhookId: string): Promise<readonly OpenDelivery[]>;
  /** `changed`: another process has changed it, or the endpoint was removed. `delayMs` until the next attempt; undefined: there is none. `restMs`: for so long nothing is sent to the endpoint. */
  endAttempt(
    of: MoneyOf,
    webhookId: string,
    change: { readonly before: Delivery; readonly after: Delivery },
    outcome: AttemptOutcome,
    delayMs: number | undefined,
    restMs?: number,
  ): Promise<'noted' | 'disabled' | 'changed'>;
  /** Those before the sequence `before`, the newest first. */
  page(of: MoneyOf, webhookId: string, before: number | undefined, count: number): Promise<readonly Delivery[]>;
  /** Of these sequences; those without a record are left out. */
  read(of: MoneyOf, webhookId: string, sequences: readonly number[]): Promise<readonly Delivery[]>;
  /** When the next attempt of each open delivery is due, by its sequence. */
  dueTimes(of: MoneyOf, webhookId: string): Promise<ReadonlyMap<number, number>>;
  /**
   * `count` of them are due again now: not those that are open, or that no plan has reached yet. `fullAt`: that sequence and those behind it
   * found no room, since REPLAY_OPEN_MAX are open, or REPLAY_BUDGET are replayed: then in `waitsMs` there is room again.
   */
  replay(
    of: MoneyOf,
    webhookId: string,
    replayed: readonly Delivery[],
  ): Promise<{ readonly count: number; readonly fullAt: number | undefined; readonly waitsMs: number | undefined }>;
}

export const PLAN_DELIVERIES = step(import.meta.url, 'plan-deliveries', {
  inReserve: true,
  keys: ['webhook', 'deliveries', 'open'],
  args: ['from', 'to', 'missed', 'keptMax'],
  rest: 'planned',
});
export const END_ATTEMPT = step(import.meta.url, 'end-attempt', {
  inReserve: true,
  keys: ['webhook', 'deliveries', 'open'],
  args: ['id', 'sequence', 'resource', 'before', 'after', 'outcome', 'failingMaxMs', 'delayMs?', 'restMs?'],
});
export const REPLAY_DELIVERIES = step(import.meta.url, 'replay-deliveries', {
  keys: ['webhook', 'deliveries', 'open', 'used'],
  args: ['client', 'openMax', 'budget', 'budgetMs'],
  rest: 'replayed',
});
export const READ_EVENTS_DUE = step(import.meta.url, 'read-events-due', {
  readsOnly: true,
  keys: ['due'],
  args: ['most', 'aheadMs'],
  rest: 'others',
});
export const TAKE_CLIENT_EVENTS = step(import.meta.url, 'take-client-events', {
  inReserve: true,
  keys: ['due'],
  args: ['client', 'takenMs'],
});
export const REST_CLIENT_EVENTS = step(import.meta.url, 'rest-client-events', {
  inReserve: true,
  keys: ['due'],
  args: ['client', 'takenUntil', 'nextMs?'],
});

export function deliveries(connection: Connection): Deliveries {
  const keysOf = (of: MoneyOf, id: string) => {
    const keys = ledgerKeys(of);
    return { webhook: keys.webhook(id), deliveries: keys.deliveries(id), open: keys.openDeliveries(id) };
  };
  const take = async (of: MoneyOf, takenMs: number): Promise<string> =>
    String(await connection.step(TAKE_CLIENT_EVENTS, { due: eventsDueKey(of.shard) }, { client: of.id, takenMs }));
  const openOf = async (of: MoneyOf, id: string): Promise<Map<number, number>> => {
    const found = await connection.read((redis) => redis.zrange(keysOf(of, id).open, '0', '-1', 'WITHSCORES'));
    const due = new Map<number, number>();
    for (let i = 0; i < found.length; i += 2) due.set(Number.parseInt(found[i]!, 10), Number(found[i + 1]));
    return due;
  };
  const read = async (of: MoneyOf, id: string, sequences: readonly number[]): Promise<Delivery[]> => {
    const { deliveries } = keysOf(of, id);
    const found = await Promise.all(
      runsOf(sequences).map(([first, last]) =>
        connection.read((redis) => redis.zrange(deliveries, String(first), String(last), 'BYSCORE')),
      ),
    );
    return found.flatMap((records) => records.map(deliveryFrom));
  };
  return {
    async dueClients(limit, aheadMs) {
      let nowMs = 0;
      const shards = await readAllShards(connection, eventsDueKey, async (shard, others) => {
        const [now, ...found] = (await connection.runUnreplicated(
          READ_EVENTS_DUE,
          { due: eventsDueKey(shard) },
          { most: limit, aheadMs, others },
        )) as [string, ...string[][]];
        nowMs = Number(now);
        return found.map((members) => ({ members }));
      });
      const clients = shards.flatMap(({ members }) =>
        members.flatMap((clientId, i) =>
          i % 2 === 0 && CLIENT_ID.test(clientId) ? [{ clientId, sinceMs: Number(members[i + 1]) }] : [],
        ),
      );
      return { nowMs, clients };
    },
    onDue: (due) =>
      connection.subscribe(EVENTS_CHANNEL, (message) => {
        const clientId = message.toString('latin1');
        if (CLIENT_ID.test(clientId)) due(clientId);
      }),
    async wake(of) {
      await take(of, 0);
      connection.notify(EVENTS_CHANNEL, of.id);
    },
    take,
    async rest(of, takenUntil, nextMs) {
      await connection.step(
        REST_CLIENT_EVENTS,
        { due: eventsDueKey(of.shard) },
        { client: of.id, takenUntil, nextMs: nextMs === undefined ? undefined : Math.max(0, Math.ceil(nextMs)) },
      );
    },
    async plan(of, { id, cursor }, to, missed, planned) {
      const rest = planned.flatMap((event) => [
        String(event.sequence),
        recordOf({ ...event, status: 'PENDING', tries: 0, attempts: [] }),
        event.resource,
      ]);
      const args = { from: String(cursor), to, missed: missed || '', keptMax: KEPT_MAX, planned: rest };
      return (await connection.step(PLAN_DELIVERIES, keysOf(of, id), args)) === 1;
    },
    async open(of, id) {
      const due = await openOf(of, id);
      const found = await read(of, id, [...due.keys()]);
      return found.map((delivery) => ({ delivery, dueMs: due.get(delivery.sequence)! }));
    },
    async endAttempt(of, id, { before, after }, outcome, delayMs, restMs) {
      const { sequence, resource } = before;
      const noted = await connection.step(END_ATTEMPT, keysOf(of, id), {
        id,
        sequence,
        resource,
        before: recordOf(before),
        after: recordOf(after),
        outcome,
        failingMaxMs: FAILING_MAX_MS,
        delayMs,
        restMs,
      });
      return noted === 1 ? 'noted' : noted === 2 ? 'disabled' : 'changed';
    },
    async page(of, id, before, count) {
      const from = before === undefined ? '+inf' : `(${before}`;
      const found = await connection.read((redis) =>
        redis.zrange(keysOf(of, id).deliveries, from, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, count),
      );
      return found.map(deliveryFrom);
    },
    read,
    dueTimes: openOf,
    async replay(of, id, all) {
      const replayed = all.flatMap((delivery) => [
        String(delivery.sequence),
        recordOf({ ...delivery, status: 'PENDING', tries: 0 }),
        delivery.resource,
      ]);
      const args = {
        client: of.id,
        openMax: REPLAY_OPEN_MAX,
        budget: REPLAY_BUDGET,
        budgetMs: REPLAY_BUDGET_MS,
        replayed,
      };
      // A platform is in the shard of its sub-clients.
      const { replays: used } = ledgerKeys({ id: platformOf(of.id) ?? of.id, shard: of.shard });
      const answer = await connection.step(REPLAY_DELIVERIES, { ...keysOf(of, id), used }, args);
      const [count, fullAt, waitsMs] = answer as [number, string, number | ''];
      connection.notify(EVENTS_CHANNEL, of.id);
      return {
        count,
        fullAt: fullAt === '' ? undefined : Number(fullAt),
        waitsMs: waitsMs === '' ? undefined : waitsMs,
      };
    },
  };
}

/** Those that follow one another are read together. */
function runsOf(sequences: readonly number[]): (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const sequence of [...sequences].sort((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && sequence <= run[1] + 1) run[1] = sequence;
    else runs.push([sequence, sequence]);
  }
  return runs;
}

/** `<sequence>|<status>|<type>|<resource>|<tries>|<attempts>`. */
function recordOf({ sequence, status, type, resource, tries, attempts }: Delivery): string {
  return `${sequence}|${status}|${type}|${resource}|${tries}|${attemptsText(attempts)}`;
}

function deliveryFrom(record: string): Delivery {
  const [sequence, status, type, resource, tries, attempts] = record.split('|');
  return {
    sequence: Number(sequence),
    status: status as DeliveryStatus,
    type: type!,
    resource: resource!,
    tries: Number(tries),
    attempts: attemptsFrom(attempts!),
  };
}
