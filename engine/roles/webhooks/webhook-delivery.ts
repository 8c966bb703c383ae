/**
 * Delivers events to webhook endpoints: one process at a time, under a lease. What is due is in the store, by client; a client's deliveries are
 * taken, and given back when none is in flight or due. A process that dies loses nothing: the next holder of the lease takes its clients
 * at once. A delivery whose outcome was not noted is sent again, under the same id.
 */
import type { Services } from '../../service/core/services.js';
import { resolveOf } from '../../service/webhooks/index.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import { LEASE_MS } from '../../store/coordination/lease.js';
import { ClientDeliveries, type DeliveryContext, type RenderEvent, TAKEN_MS } from './client-deliveries.js';
import { Lanes } from './lanes.js';
import { partyOf } from './turns.js';

export interface WebhookDelivery {
  /** Attempts by outcome, and deliveries that came to an end without success, counted since the start. */
  readonly counts: DeliveryContext['counts'];
  /** Endpoints disabled by this process since the start, by reason. */
  readonly disabled: DeliveryContext['disabled'];
  readonly challenges: DeliveryContext['challenges'];
  /** Clients whose deliveries are due and not under way, at the last look, and the age of the oldest in seconds. */
  readonly backlog: { readonly clients: number; readonly oldestS: number };
  readonly isHolder: boolean;
  /** Awaits the attempts in flight for two seconds; the rest is sent by the next holder. */
  stop(): Promise<void>;
}

const LEASE = 'webhooks';
const SWEEP_MS = 1_000;
/** A holder sends nothing later than this before its lease may have ended. */
const LEASE_MARGIN_MS = 500;
/** Due clients of one shard that a sweep reads. */
const OF_A_SHARD = 50;
/** Clients whose deliveries are in memory, and those of one party. */
const CLIENTS_MAX = 2_000;
const OF_A_PARTY = 500;
/** Those of a party that has so many wait in the store, behind the other due clients of their shard. */
const PARTY_FULL_MS = 5_000;
const STOP_MS = 2_000;

export interface WebhookDeliveryOptions {
  readonly render: RenderEvent;
  readonly timeoutMs?: number | undefined;
  /** A test's: 0 to 1. */
  readonly random?: () => number;
}

export function startWebhookDelivery(services: Services, options: WebhookDeliveryOptions): WebhookDelivery {
  const { store, log } = services;
  const lease = store.lease(LEASE);
  const active = new Map<string, ClientDeliveries>();
  const ofParty = new Map<string, number>();
  const lanes = new Lanes();
  let heldUntil = 0;
  let backlog = { clients: 0, oldestS: 0 };
  let isStopped = false;
  const context: DeliveryContext = {
    services,
    render: options.render,
    lanes,
    random: options.random ?? Math.random,
    sending: {
      loopback: services.settings.webhookLoopback === true,
      resolve: resolveOf(services),
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    },
    isHolder: () => !isStopped && performance.now() < heldUntil,
    counts: { succeeded: 0, failed: 0, exhausted: 0, gone: 0, missed: 0 },
    disabled: { GONE: 0, FAILING: 0 },
    challenges: { sent: 0, echoed: 0, failed: 0 },
    logFault(error, what) {
      // An unavailable store has been logged already.
      if (!(error instanceof StoreUnavailable)) log.error({ err: error }, what);
    },
  };

  const isPartyFull = (clientId: string): boolean =>
    !active.has(clientId) && (ofParty.get(partyOf(clientId)) ?? 0) >= OF_A_PARTY;

  /** Takes the client's deliveries, or looks again at those that are under way. */
  const begin = (clientId: string): void => {
    const known = active.get(clientId);
    if (known) {
      known.lookAgain();
      return;
    }
    if (active.size >= CLIENTS_MAX || isPartyFull(clientId)) return;
    const party = partyOf(clientId);
    const client = new ClientDeliveries(context, clientId, () => {
      active.delete(clientId);
      const others = ofParty.get(party)! - 1;
      if (others > 0) ofParty.set(party, others);
      else ofParty.delete(party);
    });
    active.set(clientId, client);
    ofParty.set(party, (ofParty.get(party) ?? 0) + 1);
    client.lookAgain();
  };

  /** Each holding begins with the clients that the holder of before has taken. */
  let isFirst = true;
  const acquire = async (): Promise<void> => {
    const asked = performance.now();
    const holding = await lease.acquire();
    if (holding === undefined) {
      heldUntil = 0;
      isFirst = true;
    } else heldUntil = asked + LEASE_MS - LEASE_MARGIN_MS;
  };
  const sweep = async (): Promise<void> => {
    await acquire();
    if (!context.isHolder()) {
      backlog = { clients: 0, oldestS: 0 };
      return;
    }
    const { nowMs, clients } = await store.deliveries.dueClients(OF_A_SHARD, isFirst ? TAKEN_MS : 0);
    isFirst = false;
    const waiting = clients.filter(({ clientId, sinceMs }) => !active.has(clientId) && sinceMs < nowMs);
    backlog = {
      clients: waiting.length,
      oldestS: Math.max(0, ...waiting.map(({ sinceMs }) => (nowMs - sinceMs) / 1_000)),
    };
    for (const { clientId } of clients) {
      if (!isPartyFull(clientId)) begin(clientId);
      else {
        const client = await store.clients.get(clientId);
        if (client) await store.deliveries.take(client, PARTY_FULL_MS);
      }
    }
    for (const client of active.values()) client.onTimer();
  };

  let sweeping: Promise<void> | undefined;
  const round = (): void => {
    if (sweeping !== undefined || !store.isUp() || isStopped) return;
    sweeping = sweep()
      .catch((error: unknown) => context.logFault(error, 'a round over the webhooks has failed: it comes again'))
      .finally(() => {
        sweeping = undefined;
      });
  };
  const timer = setInterval(round, SWEEP_MS);
  round();
  const unsubscribe = store.deliveries.onDue((clientId) => {
    if (context.isHolder()) begin(clientId);
  });
  const unsubscribeLease = lease.onRelease(round);

  return {
    counts: context.counts,
    disabled: context.disabled,
    challenges: context.challenges,
    get backlog() {
      return backlog;
    },
    get isHolder() {
      return context.isHolder();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      unsubscribe();
      unsubscribeLease();
      await sweeping;
      await lanes.idle(STOP_MS);
      if (store.isUp()) await lease.release().catch(() => {});
    },
  };
}
