/** The challenge of one endpoint that is PENDING: an attempt at a time, until its URL answers or its time is over. */
import { type Attempt, challengeDelayMs, type Webhook } from '../../domain/webhooks/webhook.js';
import { sendChallenge, withAttempt } from '../../service/webhooks/index.js';
import type { Client } from '../../store/access/clients.js';
import type { ClientDeliveries, ClientSender } from './client-deliveries.js';

/** After a fault of the store, or of ours. */
const FAULT_PAUSE_MS = 30_000;

export class EndpointChallenge implements ClientSender {
  readonly isSlow = true;
  inFlight = 0;
  /** When the next attempt is due, by this machine's clock; infinite: none is. */
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly owner: ClientDeliveries,
    private readonly client: Client,
    private webhook: Webhook,
  ) {}

  get clientId(): string {
    return this.client.id;
  }

  get host(): string {
    return new URL(this.webhook.url).hostname;
  }

  becomeSlow(): void {}

  nextDueMs(): number {
    return this.#dueMs;
  }

  hasReady(): boolean {
    return this.inFlight === 0 && this.#dueMs <= Date.now();
  }

  offer(): void {
    if (this.hasReady()) this.owner.context.lanes.offer(this);
  }

  async read(webhook: Webhook, serverAheadMs: number): Promise<void> {
    this.webhook = webhook;
    const { dueMs, untilMs } = webhook.challenge ?? { dueMs: 0, untilMs: 0 };
    this.#dueMs = dueMs < untilMs ? dueMs - serverAheadMs : Number.POSITIVE_INFINITY;
  }

  next(): Promise<void> | undefined {
    if (!this.owner.context.isHolder() || this.owner.isGone || !this.hasReady()) return undefined;
    this.inFlight++;
    this.#dueMs = Number.POSITIVE_INFINITY;
    return this.#attempt()
      .catch((error: unknown) => {
        this.owner.context.logFault(error, 'an endpoint could not be challenged: it is tried again');
        this.#dueMs = Date.now() + FAULT_PAUSE_MS;
      })
      .then(() => {
        this.inFlight--;
        this.owner.progressed();
      });
  }

  async #attempt(): Promise<void> {
    const { services, sending, random, challenges } = this.owner.context;
    const { webhooks, clients } = services.store;
    // Its secrets, address and state may have changed.
    const [webhook, client] = await Promise.all([
      webhooks.read(this.client, this.webhook.id),
      clients.get(this.client.id),
    ]);
    if (client?.disabled || webhook?.inactive !== 'PENDING' || webhook.challenge === undefined) {
      this.owner.lookAgain();
      return;
    }
    const atMs = Date.now();
    const keys = this.owner.secretsOf(webhook, atMs);
    if (keys) challenges.sent++;
    const attempt: Attempt = keys
      ? await sendChallenge(webhook.url, webhook.id, keys, sending)
      : { atMs, httpStatus: 0, reason: 'secret' };
    const isAnswered = attempt.reason === '';
    challenges[isAnswered ? 'echoed' : 'failed']++;
    const delayMs = isAnswered ? undefined : challengeDelayMs(webhook.challenge.tries + 1, random());
    await webhooks.endChallenge(this.client, webhook, withAttempt(webhook, attempt), delayMs);
    // What is stored now says what follows.
    this.owner.lookAgain();
  }
}
