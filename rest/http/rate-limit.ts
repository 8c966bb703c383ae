/**
 * How many requests somebody may send in a minute, over all sidecars: each takes permits from the store in blocks of a tenth of the
 * limit, so that most requests ask nobody. While the store is away a sidecar lends a tenth of its own, and tells the store later.
 */
import { setImmediate } from 'node:timers/promises';
import { withTimeout } from '../../engine/domain/with-timeout.js';
import type { RequestLimits } from '../../engine/service/access/request-limits.js';

const MINUTE_MS = 60_000;
/** Names counted at once; the one whose minute is oldest is forgotten first. */
const MAX_NAMES = 50_000;
/** How long a request waits for a block, and for how long none is asked for after one that did not come. */
const BLOCK_MS = 400;
const BLOCK_PARTS = 8;
const AWAY_MS = 1_000;

export interface Permit {
  readonly granted: boolean;
  /** How many are left in this minute, as far as this process knows, and the seconds until it ends. */
  readonly left: number;
  readonly resetS: number;
  /** Of a minute; 0: none. */
  readonly limit: number;
}

const UNLIMITED: Permit = { granted: true, left: Number.POSITIVE_INFINITY, resetS: 0, limit: 0 };

/** One name's minute, as this process knows it. */
interface Window {
  readonly minute: number;
  limit: number;
  /** Permits that are this process's own. */
  inHand: number;
  /** Permits that nobody had taken by the store's last word. */
  untaken: number;
  /** Given out while the store was away: in all, and those that it has not heard of. */
  lent: number;
  untold: number;
  /** Requests that wait for the block that is under way. */
  waiting: number;
  block: Promise<void> | undefined;
  awayUntil: number;
}

export interface RateLimitOptions {
  /** Stands in the headers: reads, authentication. */
  readonly name: string;
  /** 0: no limit. */
  readonly perMinute: number;
  readonly shared: Pick<RequestLimits, 'takePermits' | 'isStoreUp'>;
  /** Somebody's own limit, where that is another; asked at each block. */
  readonly own?: (who: string) => Promise<number | undefined>;
}

export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #windows = new Map<string, Window>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** Counts one; a promise only where a new block has to be asked for. Nothing is given back. */
  take(who: string, nowMs: number): Permit | Promise<Permit> {
    const { perMinute, own } = this.#options;
    if (perMinute === 0 && own === undefined) return UNLIMITED;
    const window = this.#window(who, Math.floor(nowMs / MINUTE_MS));
    if (window.inHand === 0 && window.untaken > 0) return this.#afterBlock(who, window, nowMs);
    return fromHand(window, nowMs);
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
      // Whoever waited for the same block may have used it up.
      while (window.inHand === 0 && window.untaken > 0) {
        if (!this.#options.shared.isStoreUp() || performance.now() < window.awayUntil) return lend(window, nowMs);
        window.block ??= this.#block(who, window);
        await window.block;
      }
    } finally {
      window.waiting--;
    }
    return fromHand(window, nowMs);
  }

  /** Where the store does not answer in time it is away; what it answers later is not lost. */
  async #block(who: string, window: Window): Promise<void> {
    const asked = this.#ask(who, window).then(
      () => true,
      () => false,
    );
    let came = false;
    // In parts, between which answers are read: a process that was itself busy for so long has not waited for the store.
    for (let part = 0; part < BLOCK_PARTS && !came; part++)
      came = await withTimeout(asked, BLOCK_MS / BLOCK_PARTS, () => setImmediate(false));
    window.block = undefined;
    if (!came) window.awayUntil = performance.now() + AWAY_MS;
  }

  async #ask(who: string, window: Window): Promise<void> {
    const { name, perMinute, shared, own } = this.#options;
    window.limit = (await own?.(who)) ?? perMinute;
    const { minute, limit, untold } = window;
    if (limit === 0) {
      window.inHand = Number.POSITIVE_INFINITY;
      return;
    }
    const block = tenth(limit);
    const wanted = Math.ceil(Math.max(1, window.waiting) / block) * block;
    window.untold = 0;
    try {
      const taken = await shared.takePermits({ kind: name, who, minute, limit, wanted, lent: untold });
      window.inHand += taken.granted;
      window.untaken = Math.max(0, limit - taken.given);
    } catch (error) {
      window.untold += untold;
      throw error;
    }
  }

  #window(who: string, minute: number): Window {
    const known = this.#windows.get(who);
    if (known?.minute === minute) return known;
    const window: Window = {
      minute,
      limit: known?.limit ?? this.#options.perMinute,
      inHand: 0,
      untaken: Number.POSITIVE_INFINITY,
      lent: 0,
      untold: 0,
      waiting: 0,
      block: undefined,
      awayUntil: 0,
    };
    this.#windows.delete(who);
    this.#windows.set(who, window);
    if (this.#windows.size > MAX_NAMES) this.#windows.delete(this.#windows.keys().next().value!);
    return window;
  }
}

function fromHand(window: Window, nowMs: number): Permit {
  const { limit } = window;
  if (limit === 0) return UNLIMITED;
  const granted = window.inHand > 0;
  if (granted) window.inHand--;
  return { granted, left: window.inHand + window.untaken, resetS: resetS(window, nowMs), limit };
}

/** The store is away: what this process may give out of its own. */
function lend(window: Window, nowMs: number): Permit {
  const { limit } = window;
  if (limit === 0) return UNLIMITED;
  const granted = window.lent < tenth(limit);
  if (granted) {
    window.lent++;
    window.untold++;
  }
  return { granted, left: tenth(limit) - window.lent, resetS: resetS(window, nowMs), limit };
}

const tenth = (limit: number): number => Math.ceil(limit / 10);

function resetS({ minute }: Window, nowMs: number): number {
  return Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1_000));
}
