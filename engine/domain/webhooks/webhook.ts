/** Webhook endpoints of a client, and the deliveries of its events to them. */

export const WEBHOOK_ID = /^WHK[0-9A-Z]{10,20}$/;

/** Endpoints of one client, at most. */
export const WEBHOOKS_MAX = 16;
/** Entries of an endpoint's list of types, at most. */
export const WEBHOOK_TYPES_MAX = 50;

/** How deliveries are signed: `v1`, HMAC-SHA256 with a secret that both sides have, or `v1a`, ed25519, whose public key the client gets. */
export const SIGNATURES = ['symmetric', 'ed25519'] as const;
export type SignatureKind = (typeof SIGNATURES)[number];

/** Why an endpoint gets nothing: its URL has not answered a challenge yet, its client has paused it, or it was disabled. */
export const INACTIVE_REASONS = ['PENDING', 'PAUSED', 'GONE', 'FAILING', 'OPERATOR'] as const;
export type InactiveReason = (typeof INACTIVE_REASONS)[number];

export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Types of events, with wildcards. */
  readonly types: readonly string[];
  readonly signature: SignatureKind;
  /** Absent: it is active. */
  readonly inactive: InactiveReason | undefined;
  /** Undefined: its URL has answered one. */
  readonly challenge: Challenge | undefined;
  /** Sealed under a sub-key of the master key: the secret, or the private key. */
  readonly secret: string;
  /** The secret before the last rotation, sealed, and until when it signs beside the newer one; '' and 0: none. */
  readonly previousSecret: string;
  readonly previousUntilMs: number;
  /** Of ed25519. */
  readonly publicKey: string;
  /** From 1, raised by each change that the client or an operator makes. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** The sequence of the last event whose delivery is planned, or not for this endpoint. */
  readonly cursor: number;
  /** Since when no attempt has succeeded, epoch ms; undefined: the last one did. */
  readonly failingSinceMs: number | undefined;
  /** Attempts that failed since then, of those that began at the same time one; and until when nothing is sent to it, epoch ms by the server's clock. */
  readonly failures: number;
  readonly restsUntilMs: number;
  /** Events that were dropped before a delivery of them was planned. */
  readonly missed: number;
}

/** Until an endpoint answers with what it was sent, nothing else is sent to it: no URL gets events that did not ask for them. */
export interface Challenge {
  /** Attempts are made until then: epoch ms by the server's clock. */
  readonly untilMs: number;
  /** When the next attempt is due, by the same clock; from `untilMs` on: there is none. */
  readonly dueMs: number;
  readonly tries: number;
  readonly attempts: readonly Attempt[];
}

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'GONE'] as const;
/** GONE: the event is not kept any more. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Attempt {
  readonly atMs: number;
  /** 0: no answer came. */
  readonly httpStatus: number;
  /** In words of a closed list: why it failed; '' where it succeeded. */
  readonly reason: AttemptReason | '';
}

/** Why an attempt failed. */
export const ATTEMPT_REASONS = [
  'status',
  'redirect',
  'timeout',
  'connection',
  'tls',
  'name',
  'address',
  'protocol',
  'secret',
  'challenge',
] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

/** One event's delivery to one endpoint. */
export interface Delivery {
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly type: string;
  /** The resource that the event is of: its events are delivered in order. */
  readonly resource: string;
  /** Attempts since the delivery was planned or replayed: its place in the schedule. */
  readonly tries: number;
  /** The newest, oldest first: attempts of before a replay too. */
  readonly attempts: readonly Attempt[];
}

/** Attempts that a delivery keeps. */
export const ATTEMPTS_KEPT = 20;

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
/** Before each attempt, ms: the first is at once. */
const RETRY_DELAYS_MS: readonly number[] = [0, 5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H];
const JITTER = 0.1;
/** Behind the first attempt that fails, ms: twice as long behind each further one. */
const BACKOFF_MS = S;
const BACKOFF_MAX_MS = 5 * MIN;
/** Before each attempt of a challenge, ms; behind the last of them again and again. */
const CHALLENGE_DELAYS_MS: readonly number[] = [0, 5 * S, 30 * S, 2 * MIN, 10 * MIN, 30 * MIN, H, 2 * H];
/** For so long an endpoint is challenged. */
export const CHALLENGE_MS = 24 * H;
const RETRY_AFTER_MAX_MS = 24 * H;
/** An endpoint that has failed for so long is disabled. */
export const FAILING_MAX_MS = 5 * 24 * H;
/** Deliveries that a client, or a platform with its sub-clients, may replay within `REPLAY_BUDGET_MS`. */
export const REPLAY_BUDGET = 5_000;
export const REPLAY_BUDGET_MS = H;
/** The previous secret signs for so long beside the new one. */
export const PREVIOUS_SECRET_MS = 24 * H;

/**
 * How long to wait before the attempt behind `tries` of them, ms; undefined: there is no further one. `random` is 0 to 1. A Retry-After is
 * obeyed where it is longer than the schedule, up to a day.
 */
export function retryDelayMs(tries: number, random: number, retryAfterMs = 0): number | undefined {
  const delay = RETRY_DELAYS_MS[tries];
  if (delay === undefined) return undefined;
  return Math.max(jittered(delay, random), Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** For how long nothing is sent to an endpoint behind `failures` attempts in a row, ms. A Retry-After is obeyed up to the longest. */
export function backoffMs(failures: number, random: number, retryAfterMs = 0): number {
  const delay = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(jittered(delay, random), Math.min(retryAfterMs, BACKOFF_MAX_MS));
}

/** How long to wait before the attempt behind `tries` challenges, ms. */
export const challengeDelayMs = (tries: number, random: number): number =>
  jittered(CHALLENGE_DELAYS_MS[tries] ?? CHALLENGE_DELAYS_MS.at(-1)!, random);

const jittered = (delayMs: number, random: number): number => Math.round(delayMs * (1 - JITTER + 2 * JITTER * random));
