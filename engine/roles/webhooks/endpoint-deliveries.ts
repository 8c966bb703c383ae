/** The open deliveries of one endpoint in memory: which one is next, and the attempts. Of one resource, the next waits for the one before. */
import {
  ATTEMPTS_KEPT,
  type Attempt,
  backoffMs,
  type Delivery,
  retryDelayMs,
  type Webhook,
} from '../../domain/webhooks/webhook.js';
import { eventId } from '../../service/core/ids.js';
import { isFor, type Sent, send, signedHeaders } from '../../service/webhooks/index.js';
import type { Client } from '../../store/access/clients.js';
import type { ClientEvent } from '../../store/events/events.js';
import type { AttemptOutcome } from '../../store/webhooks/deliveries.js';
import { OPEN_MAX } from '../../store/webhooks/webhooks.js';
import type { ClientDeliveries, ClientSender } from './client-deliveries.js';
import { countDropped } from './dropped-events.js';
import { LATE_MS, type Sender } from './lanes.js';

interface Open {
  readonly delivery: Delivery;
  /** By this machine's clock. */
  readonly dueMs: number;
  /** Of an event that was planned here; undefined: it is read. */
  readonly event?: ClientEvent | undefined;
  /** Another record of it is stored: until that is read, it is not due, and those behind it wait. */
  readonly isStale?: boolean;
}

/** Events that are read and planned at once. */
const PLANNED_AT_ONCE = 200;
/** Attempts at a time of an endpoint that answers in time. */
const AT_ONCE = 8;
/** Fewer than this: more are planned. */
const LOW = 50;
/** After a fault of the store, or of ours. */
const FAULT_PAUSE_MS = 30_000;

export class EndpointDeliveries implements ClientSender {
  /** By sequence, in its order. */
  #open = new Map<number, Open>();
  readonly #inFlight = new Set<number>();
  /** Test events on their first way: one at a time, whatever the others wait for. */
  readonly #testing = new Set<number>();
  readonly #tests: Sender;
  #isPlanned = false;
  /** An attempt has succeeded: until then there is one at a time. */
  #isProven = false;
  /** Until then nothing is sent, by this machine's clock. */
  #restsUntil = 0;
  #isRemoved = false;

  constructor(
    private readonly owner: ClientDeliveries,
    private readonly client: Client,
    private webhook: Webhook,
  ) {
    this.#tests = {
      clientId: client.id,
      host: this.host,
      isSlow: false,
      next: () => {
        const open = this.#readyTest();
        return open && this.#begin(open, this.#testing);
      },
      becomeSlow: () => this.becomeSlow(),
    };
  }

  get clientId(): string {
    return this.client.id;
  }

  get host(): string {
    return new URL(this.webhook.url).hostname;
  }

  get isSlow(): boolean {
    return this.webhook.failingSinceMs !== undefined || this.owner.context.lanes.isLate(this.webhook.id);
  }

  get inFlight(): number {
    return this.#inFlight.size + this.#testing.size;
  }

  becomeSlow(): void {
    this.owner.context.lanes.setLate(this.webhook.id, true);
  }

  hasReady(): boolean {
    return this.#hasReadyEvent() || this.#readyTest() !== undefined;
  }

  offer(): void {
    const { lanes } = this.owner.context;
    if (this.#readyTest()) lanes.offer(this.#tests);
    if (this.#hasReadyEvent()) lanes.offer(this);
  }

  #hasReadyEvent(): boolean {
    const most = this.isSlow || !this.#isProven ? 1 : AT_ONCE;
    return this.#inFlight.size < most && this.#restsUntil <= Date.now() && this.#ready() !== undefined;
  }

  /** When the first delivery that waits for nothing else is due, by this machine's clock; infinite where there is none. */
  nextDueMs(): number {
    if (this.#isRemoved) return Number.POSITIVE_INFINITY;
    if (!this.#isPlanned && this.#open.size <= OPEN_MAX - PLANNED_AT_ONCE) return 0;
    let next = Number.POSITIVE_INFINITY;
    for (const open of this.#heads())
      next = Math.min(next, isUntriedTest(open) ? open.dueMs : Math.max(open.dueMs, this.#restsUntil));
    return next;
  }

  /** Takes over the store's state, and plans what has come since. */
  async read(webhook: Webhook, serverAheadMs: number): Promise<void> {
    this.#isRemoved = false;
    this.webhook = webhook;
    this.#restsUntil = webhook.restsUntilMs === 0 ? 0 : webhook.restsUntilMs - serverAheadMs;
    const { deliveries } = this.owner.context.services.store;
    // Attempts end while the store is read: what they have left is newer than what is read.
    const begun = new Map(this.#open);
    const due = await deliveries.dueTimes(this.client, webhook.id);
    const unknown = [...due.keys()].filter((sequence) => {
      const known = this.#open.get(sequence);
      return known ? known.isStale : !this.#isInFlight(sequence);
    });
    const read = await deliveries.read(this.client, webhook.id, unknown);
    const found = new Map(read.map((delivery) => [delivery.sequence, delivery]));
    const open = new Map<number, Open>();
    for (const [sequence, dueMs] of [...due].sort(([one], [other]) => one - other)) {
      const known = this.#open.get(sequence);
      const delivery = known && !known.isStale ? known.delivery : found.get(sequence);
      if (known !== begun.get(sequence)) {
        if (known) open.set(sequence, known);
      } else if (delivery?.status === 'PENDING')
        open.set(sequence, { delivery, dueMs: dueMs - serverAheadMs, event: known?.event });
    }
    this.#open = open;
    await this.#plan();
  }

  async #plan(): Promise<void> {
    const { services, counts } = this.owner.context;
    const { events, deliveries } = services.store;
    this.#isPlanned = false;
    const isFull = this.#open.size > OPEN_MAX - PLANNED_AT_ONCE;
    if (isFull) this.webhook = await countDropped(this.owner.context, this.client, this.webhook);
    while (this.#open.size <= OPEN_MAX - PLANNED_AT_ONCE && !this.#isPlanned) {
      const { cursor } = this.webhook;
      const page = { afterSequence: cursor, limit: PLANNED_AT_ONCE };
      let found = await events.read(this.client, page);
      const known = found.length > 0 ? cursor : ((await events.range(this.client))?.newest ?? cursor);
      // Some were dropped, or have come since: only what a read after this knowledge does not find is dropped.
      if (known > cursor) found = await events.read(this.client, page);
      const newest = found.at(-1)?.sequence ?? known;
      this.#isPlanned = found.length < PLANNED_AT_ONCE;
      if (newest <= cursor) return;
      const missed = (found[0]?.sequence ?? newest + 1) - cursor - 1;
      // A test event is planned by the step that appends it.
      const planned = found.filter(({ type, resource }) => type !== 'test' && isFor(this.webhook, type, resource));
      if (!(await deliveries.plan(this.client, this.webhook, newest, missed, planned))) {
        this.owner.lookAgain();
        return;
      }
      counts.missed += missed;
      this.webhook = { ...this.webhook, cursor: newest };
      const dueMs = Date.now();
      for (const event of planned) {
        const { sequence, type, resource } = event;
        const delivery: Delivery = { sequence, type, resource, status: 'PENDING', tries: 0, attempts: [] };
        this.#open.set(sequence, { delivery, dueMs, event });
      }
    }
  }

  next(): Promise<void> | undefined {
    return this.#hasReadyEvent() ? this.#begin(this.#ready()!, this.#inFlight) : undefined;
  }

  #begin(open: Open, inFlight: Set<number>): Promise<void> | undefined {
    if (!this.owner.context.isHolder() || this.owner.isGone) return undefined;
    const { sequence } = open.delivery;
    inFlight.add(sequence);
    return this.#attempt(open)
      .catch((error: unknown) => {
        this.owner.context.logFault(error, 'an event could not be delivered: it is tried again');
        this.#open.set(sequence, { ...open, dueMs: Date.now() + FAULT_PAUSE_MS });
      })
      .then(() => {
        inFlight.delete(sequence);
        if (!this.#isPlanned && this.#open.size < LOW) this.owner.lookAgain();
        this.owner.progressed();
      });
  }

  /** Of each resource the first that has not ended, and every test event. */
  *#heads(): Generator<Open> {
    const resources = new Set<string>();
    for (const open of this.#open.values()) {
      const { type, resource } = open.delivery;
      if (type !== 'test' && resources.has(resource)) continue;
      resources.add(resource);
      if (!this.#isInFlight(open.delivery.sequence)) yield open;
    }
  }

  #ready(): Open | undefined {
    if (this.#isRemoved) return undefined;
    const now = Date.now();
    for (const open of this.#heads()) if (open.dueMs <= now && !isUntriedTest(open)) return open;
    return undefined;
  }

  #readyTest(): Open | undefined {
    if (this.#isRemoved || this.#testing.size > 0) return undefined;
    for (const open of this.#open.values()) if (isUntriedTest(open) && open.dueMs <= Date.now()) return open;
    return undefined;
  }

  #isInFlight(sequence: number): boolean {
    return this.#inFlight.has(sequence) || this.#testing.has(sequence);
  }

  async #attempt(open: Open): Promise<void> {
    const { services, render, sending, lanes, isHolder } = this.owner.context;
    const { store } = services;
    const { delivery } = open;
    const { sequence } = delivery;
    // Its secrets, address and state may have changed.
    const [webhook, client] = await Promise.all([
      store.webhooks.read(this.client, this.webhook.id),
      store.clients.get(this.client.id),
    ]);
    if (client?.disabled) this.owner.lookAgain();
    if (webhook === undefined || webhook.inactive !== undefined || client?.disabled) {
      this.#isRemoved = true;
      return;
    }
    this.webhook = { ...webhook, cursor: this.webhook.cursor };
    const event = open.event ?? (await this.#eventOf(sequence));
    if (event === undefined) {
      await this.#note(open, { ...delivery, status: 'GONE' }, 'dropped', undefined);
      return;
    }
    const body = JSON.stringify(await render(services, this.client, event));
    if (!isHolder()) return;
    const atMs = Date.now();
    const secrets = this.owner.secretsOf(webhook, atMs);
    if (secrets === undefined) {
      await this.#sent(open, { httpStatus: 0, reason: 'secret', retryAfterMs: 0, text: '' }, atMs);
      return;
    }
    const begun = performance.now();
    const headers = signedHeaders(secrets, eventId(this.client.id, sequence), atMs, body);
    const sent = await send(webhook.url, headers, body, sending);
    lanes.setLate(webhook.id, performance.now() - begun >= LATE_MS);
    await this.#sent(open, sent, atMs);
  }

  async #eventOf(sequence: number): Promise<ClientEvent | undefined> {
    const { events } = this.owner.context.services.store;
    const [found] = await events.read(this.client, { afterSequence: sequence - 1, limit: 1 });
    return found?.sequence === sequence ? found : undefined;
  }

  async #sent(open: Open, { httpStatus, reason, retryAfterMs }: Sent, atMs: number): Promise<void> {
    const { random, counts } = this.owner.context;
    const { delivery } = open;
    const attempt: Attempt = { atMs, httpStatus, reason };
    const tries = delivery.tries + 1;
    const attempts = [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT);
    if (reason === '') {
      counts.succeeded++;
      this.#isProven = true;
      await this.#note(open, { ...delivery, status: 'SUCCEEDED', tries, attempts }, 'ok', undefined);
      return;
    }
    counts.failed++;
    const delayMs = retryDelayMs(tries, random(), retryAfterMs);
    const status = delayMs === undefined ? 'FAILED' : 'PENDING';
    const outcome = httpStatus === 410 ? 'gone' : 'failed';
    const restMs = backoffMs(this.webhook.failures + 1, random(), retryAfterMs);
    await this.#note(open, { ...delivery, status, tries, attempts }, outcome, delayMs, restMs);
  }

  async #note(
    open: Open,
    after: Delivery,
    outcome: AttemptOutcome,
    delayMs: number | undefined,
    restMs?: number,
  ): Promise<void> {
    const { services, counts, disabled } = this.owner.context;
    const { id, url } = this.webhook;
    const { sequence } = after;
    const change = { before: open.delivery, after };
    const noted = await services.store.deliveries.endAttempt(this.client, id, change, outcome, delayMs, restMs);
    if (noted === 'changed') {
      // Noted already by an attempt whose answer was lost, or by another process; or replayed or removed meanwhile. It is read again.
      this.#open.set(sequence, { ...open, dueMs: Number.POSITIVE_INFINITY, isStale: true });
      this.owner.lookAgain();
      return;
    }
    if (after.status === 'FAILED') counts.exhausted++;
    if (after.status === 'GONE') counts.gone++;
    if (after.status === 'PENDING') this.#open.set(sequence, { delivery: after, dueMs: Date.now() + (delayMs ?? 0) });
    else this.#open.delete(sequence);
    if (outcome === 'ok') {
      this.webhook = { ...this.webhook, failingSinceMs: undefined, failures: 0 };
      this.#restsUntil = 0;
    } else if (outcome !== 'dropped') {
      const { failingSinceMs = Date.now(), failures } = this.webhook;
      const isCounted = Date.now() >= this.#restsUntil;
      this.webhook = { ...this.webhook, failingSinceMs, failures: failures + (isCounted ? 1 : 0) };
      if (isCounted) this.#restsUntil = Date.now() + (restMs ?? 0);
    }
    if (noted !== 'disabled') return;
    this.#isRemoved = true;
    const reason = outcome === 'gone' ? 'GONE' : 'FAILING';
    disabled[reason]++;
    const host = new URL(url).host;
    services.log.warn({ client_id: this.client.id, webhook_id: id, host, reason }, 'a webhook endpoint was disabled');
  }
}

const isUntriedTest = ({ delivery, isStale }: Open): boolean =>
  delivery.type === 'test' && delivery.tries === 0 && isStale !== true;
