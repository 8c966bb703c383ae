/** The deliveries of one client, while something of them is due or in flight: then they are given back to the store. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '../../domain/webhooks/webhook.js';
import type { Services } from '../../service/core/services.js';
import { type SendOptions, secretsOf } from '../../service/webhooks/index.js';
import type { Client } from '../../store/access/clients.js';
import type { ClientEvent } from '../../store/events/events.js';
import { countDropped } from './dropped-events.js';
import { EndpointChallenge } from './endpoint-challenge.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import type { Lanes, Sender } from './lanes.js';

/** The body of an event, as `GET /api/v1/events` has it. */
export type RenderEvent = (services: Services, client: Client, event: ClientEvent) => Promise<object>;

export interface DeliveryContext {
  readonly services: Services;
  readonly render: RenderEvent;
  readonly lanes: Lanes;
  readonly sending: SendOptions;
  /** 0 to 1. */
  random(): number;
  /** This process holds the lease, and may send. */
  isHolder(): boolean;
  /**
   * Attempts that succeeded or failed; deliveries whose last attempt failed (exhausted) or whose event was dropped (gone); events dropped before
   * their delivery was planned (missed).
   */
  readonly counts: Record<'succeeded' | 'failed' | 'exhausted' | 'gone' | 'missed', number>;
  readonly disabled: Record<'GONE' | 'FAILING', number>;
  /** Attempts to challenge an endpoint: those that were sent; those of them that were echoed; those that failed, also before they were sent. */
  readonly challenges: Record<'sent' | 'echoed' | 'failed', number>;
  logFault(error: unknown, what: string): void;
}

/** What one endpoint is sent: its challenge, or events. */
export interface ClientSender extends Sender {
  /** Attempts under way. */
  readonly inFlight: number;
  /** Something is due now. */
  hasReady(): boolean;
  /** Offers it to the lanes. */
  offer(): void;
  /** When something is, by this machine's clock; infinite: nothing is. */
  nextDueMs(): number;
  /** Takes over the store's state. */
  read(webhook: Webhook, serverAheadMs: number): Promise<void>;
}

/** For so long a client is taken; renewed while its deliveries are under way. */
export const TAKEN_MS = 60_000;
const RENEW_MS = 20_000;
/** Between two looks at the store: events that come one after the other are planned together. */
const LOOK_PAUSE_MS = 10;
/** After a fault of the store, or of ours. */
const FAULT_PAUSE_MS = 1_000;

export class ClientDeliveries {
  readonly #endpoints = new Map<string, ClientSender>();
  #client: Client | undefined;
  #taken = '';
  #takenAt = 0;
  #asked = false;
  #looking = false;
  /** Looks at the store that have begun. */
  #looks = 0;
  #isEnded = false;
  #isGone = false;

  constructor(
    readonly context: DeliveryContext,
    readonly clientId: string,
    private readonly ended: () => void,
  ) {}

  /** Its deliveries are in the store again, or another process has them: nothing more begins here. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Something of the client has changed, or is due. */
  lookAgain(): void {
    this.#asked = true;
    if (!this.#looking) void this.#look();
  }

  /** Each second. */
  onTimer(): void {
    if (performance.now() - this.#takenAt > RENEW_MS) this.lookAgain();
    else this.progressed();
  }

  /** An attempt has ended, or a time has come: what is due now begins, or the client rests. */
  progressed(): void {
    for (const endpoint of this.#endpoints.values()) endpoint.offer();
    if (!this.#looking) void this.#rest();
  }

  /** Undefined: one of the endpoint's secrets cannot be opened, until the client rotates it. */
  secretsOf(webhook: Webhook, nowMs: number): ReturnType<typeof secretsOf> | undefined {
    const { services, logFault } = this.context;
    try {
      return secretsOf(services.store.subKey, webhook, nowMs);
    } catch (error) {
      logFault(error, 'a webhook endpoint cannot be signed for: the attempt has failed');
      return undefined;
    }
  }

  async #look(): Promise<void> {
    this.#looking = true;
    this.#looks++;
    while (this.#asked && this.context.isHolder()) {
      this.#asked = false;
      try {
        await this.#read();
      } catch (error) {
        this.context.logFault(error, 'the deliveries of a client could not be read: they are read again');
        this.#asked = true;
        await pause(FAULT_PAUSE_MS);
      }
      if (this.#asked) await pause(LOOK_PAUSE_MS);
    }
    this.#looking = false;
    this.progressed();
  }

  async #read(): Promise<void> {
    const { store } = this.context.services;
    const client = await store.clients.get(this.clientId);
    if (client === undefined) return;
    this.#client = client;
    this.#taken = await store.deliveries.take(client, TAKEN_MS);
    this.#takenAt = performance.now();
    const serverAheadMs = Number(this.#taken) - TAKEN_MS - Date.now();
    // A disabled client is sent nothing: it rests until it is enabled again, which makes its deliveries due.
    const all = await store.webhooks.list(client);
    const isServed = ({ inactive }: Webhook) => inactive === undefined || inactive === 'PENDING';
    const webhooks = client.disabled ? [] : all.filter(isServed);
    const waiting = all.filter(({ inactive }) => client.disabled || inactive !== undefined);
    for (const webhook of waiting) await countDropped(this.context, client, webhook);
    for (const id of this.#endpoints.keys()) if (!webhooks.some((one) => one.id === id)) this.#endpoints.delete(id);
    for (const webhook of webhooks) {
      const Kind = webhook.inactive === 'PENDING' ? EndpointChallenge : EndpointDeliveries;
      const known = this.#endpoints.get(webhook.id);
      const endpoint = known instanceof Kind ? known : new Kind(this, client, webhook);
      this.#endpoints.set(webhook.id, endpoint);
      await endpoint.read(webhook, serverAheadMs);
      endpoint.offer();
    }
  }

  /** Gives the client back where nothing of it is under way. */
  async #rest(): Promise<void> {
    if (this.#isEnded) return;
    const endpoints = [...this.#endpoints.values()];
    if (this.context.isHolder()) {
      if (endpoints.some((endpoint) => endpoint.inFlight > 0)) return;
      if (endpoints.some((endpoint) => endpoint.hasReady())) return;
    }
    this.#isEnded = true;
    const looks = this.#looks;
    if (this.context.isHolder() && this.#client) {
      const next = Math.min(...endpoints.map((endpoint) => endpoint.nextDueMs()));
      const nextMs = next === Number.POSITIVE_INFINITY ? undefined : Math.max(next - Date.now(), 0);
      try {
        await this.context.services.store.deliveries.rest(this.#client, this.#taken, nextMs);
      } catch (error) {
        this.context.logFault(error, 'the deliveries of a client could not be given back: they are taken again later');
      }
      // An event came meanwhile, and its deliveries may be under way here.
      if (this.#looks !== looks && this.context.isHolder()) {
        this.#isEnded = false;
        this.lookAgain();
        return;
      }
    }
    this.#isGone = true;
    this.ended();
  }
}
