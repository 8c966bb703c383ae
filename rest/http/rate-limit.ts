/**
 * The rate limits: how many requests a client, key or address may send in a minute, over all sidecars. Each takes permits from the store in blocks of a
 * tenth of the limit, so that most requests need no command. During a store outage a sidecar borrows up to a tenth, and reports it later.
 */

import { setImmediate } from 'node:timers/promises';
import { keepLast } from '../../engine/domain/core/keep-last.js';
import { withTimeout } from '../../engine/domain/core/with-timeout.js';
import { type RequestLimits, requestLimits } from '../../engine/service/access/request-limits.js';
import { networkOf } from '../../engine/service/core/caller.js';
import type { Services } from '../../engine/service/core/services.js';
import type { LimitName } from '../features/routes.js';

const MINUTE_MS = 60_000;
/** Names counted at once; the one with the oldest minute is evicted first. */
const MAX_NAMES = 50_000;
/** How long a request waits for a block, and how long no block is requested after one that did not arrive. */
const BLOCK_MS = 400;
const BLOCK_PARTS = 8;
const AWAY_MS = 1_000;

export interface Permit {
  readonly granted: boolean;
  /** Permits left in this minute, as far as this process knows, and the seconds until it ends. */
  readonly left: number;
  readonly resetS: number;
  /** Of a minute; 0: none. */
  readonly limit: number;
}

const UNLIMITED: Permit = { granted: true, left: Number.POSITIVE_INFINITY, resetS: 0, limit: 0 };

/** The window of one name: its current minute, as this process knows it. */
interface Window {
  readonly minute: number;
  limit: number;
  /** Permits that this process has taken and not used. */
  local: number;
  /** Permits that no process had taken at the store's last reply. */
  remaining: number;
  /** Granted during a store outage: in all, and those not yet reported to the store. */
  borrowed: number;
  unreported: number;
  /** Requests that wait for the block that is under way. */
  waiting: number;
  block: Promise<void> | undefined;
  awayUntil: number;
}

export interface RateLimitOptions {
  /** The policy's name in the headers: reads, authentication. */
  readonly name: string;
  /** 0: no limit. */
  readonly perMinute: number;
  readonly shared: Pick<RequestLimits, 'takePermits' | 'isStoreUp'>;
  /** The limit of this name where it has one of its own; read with each block. */
  readonly own?: (who: string) => Promise<number | undefined>;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Counts one request; a promise only where a new block is needed. No permit is returned. */
  take(who: string, nowMs: number): Permit | Promise<Permit> {
    const { perMinute, own } = this.#options;
    if (perMinute === 0 && own === undefined) return UNLIMITED;
    const window = this.#window(who, Math.floor(nowMs / MINUTE_MS));
    if (window.local === 0 && window.remaining > 0) return this.#afterBlock(who, window, nowMs);
    return takeLocal(window, nowMs);
  }

  /** RateLimit and RateLimit-Policy as name, value pairs; none when there is no limit. */
  headers({ left, resetS, limit }: Permit): readonly string[] {
    if (limit === 0) return [];
    const { name } = this.#options;
    return ['ratelimit-policy', `"${name}";q=${limit};w=60`, 'ratelimit', `"${name}";r=${left};t=${resetS}`];
  }

  async #afterBlock(who: string, window: Window, nowMs: number): Promise<Permit> {
    window.waiting++;
    try {
      // Other requests that waited for the same block may have used it up.
      while (window.local === 0 && window.remaining > 0) {
        if (!this.#options.shared.isStoreUp() || performance.now() < window.awayUntil) return borrow(window, nowMs);
        window.block ??= this.#block(who, window);
        await window.block;
      }
    } finally {
      window.waiting--;
    }
    return takeLocal(window, nowMs);
  }

  /** A store that does not answer in time counts as away; its late answer still counts. */
  async #block(who: string, window: Window): Promise<void> {
    const reply = this.#takeBlock(who, window).then(
      () => true,
      () => false,
    );
    let arrived = false;
    // In parts, between which answers are read: a process that was itself busy for so long has not waited for the store.
    for (let part = 0; part < BLOCK_PARTS && !arrived; part++)
      arrived = await withTimeout(reply, BLOCK_MS / BLOCK_PARTS, () => setImmediate(false));
    window.block = undefined;
    if (!arrived) window.awayUntil = performance.now() + AWAY_MS;
  }

  async #takeBlock(who: string, window: Window): Promise<void> {
    const { name, perMinute, shared, own } = this.#options;
    window.limit = (await own?.(who)) ?? perMinute;
    const { minute, limit, unreported } = window;
    if (limit === 0) {
      window.local = Number.POSITIVE_INFINITY;
      return;
    }
    const block = tenth(limit);
    const wanted = Math.ceil(Math.max(1, window.waiting) / block) * block;
    window.unreported = 0;
    try {
      const taken = await shared.takePermits({ kind: name, who, minute, limit, wanted, borrowed: unreported });
      window.local += taken.granted;
      window.remaining = Math.max(0, limit - taken.given);
    } catch (error) {
      window.unreported += unreported;
      throw error;
    }
  }

  #window(who: string, minute: number): Window {
    const known = this.#windows.get(who);
    if (known?.minute === minute) return known;
    const window: Window = {
      minute,
      limit: known?.limit ?? this.#options.perMinute,
      local: 0,
      remaining: Number.POSITIVE_INFINITY,
      borrowed: 0,
      unreported: 0,
      waiting: 0,
      block: undefined,
      awayUntil: 0,
    };
    keepLast(this.#windows, who, window, MAX_NAMES);
    return window;
  }
}

function takeLocal(window: Window, nowMs: number): Permit {
  const { limit } = window;
  if (limit === 0) return UNLIMITED;
  const granted = window.local > 0;
  if (granted) window.local--;
  return { granted, left: window.local + window.remaining, resetS: resetS(window, nowMs), limit };
}

/** A store outage: this process may grant a tenth of the limit by itself. */
function borrow(window: Window, nowMs: number): Permit {
  const { limit } = window;
  if (limit === 0) return UNLIMITED;
  const granted = window.borrowed < tenth(limit);
  if (granted) {
    window.borrowed++;
    window.unreported++;
  }
  return { granted, left: tenth(limit) - window.borrowed, resetS: resetS(window, nowMs), limit };
}

const tenth = (limit: number): number => Math.ceil(limit / 10);

function resetS({ minute }: Window, nowMs: number): number {
  return Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000));
}

/** Of clients in reads and writes, of client keys and addresses in authentication. */
export type Limits = Readonly<Record<LimitName, RateLimit>>;

const KEY = 'key ';

/** The names under which an attempt to authenticate is counted. */
export const withKey = (clientKey: string): string => KEY + clientKey;
export const fromAddress = (address: string): string => `address ${networkOf(address)}`;

export function limitsOf(services: Pick<Services, 'store'>, perMinute: Readonly<Record<LimitName, number>>): Limits {
  const shared = requestLimits(services);
  const ofClient = (kind: LimitName) => async (clientId: string) => (await shared.ofClient(clientId))?.[kind];
  const ofKey = async (name: string) =>
    name.startsWith(KEY) ? (await shared.ofKeyOwner(name.slice(KEY.length)))?.authentication : undefined;
  const limit = (name: LimitName, own: (name: string) => Promise<number | undefined>) =>
    new RateLimit({ name, perMinute: perMinute[name], shared, own });
  return {
    authentication: limit('authentication', ofKey),
    reads: limit('reads', ofClient('reads')),
    writes: limit('writes', ofClient('writes')),
  };
}
