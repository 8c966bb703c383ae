/**
 * Attempts in flight, bounded: of one endpoint, and in all. Endpoints that answer share one lane; those that fail, or take longer than two
 * seconds, share another one, and have one attempt at a time. So slow endpoints delay each other and no one else.
 */
import { keepLast } from '../../domain/keep-last.js';
import { withTimeout } from '../../domain/with-timeout.js';

/** An endpoint that has something to send. */
export interface Sender {
  readonly isSlow: boolean;
  /** Begins its next attempt; undefined: there is none now. Resolves when it has ended, and never rejects. */
  next(): Promise<void> | undefined;
  /** Its attempt takes longer than those of the fast lane may. */
  becomeSlow(): void;
}

const FAST_MAX = 256;
const SLOW_MAX = 256;
/** Attempts that began in the fast lane and take long: beyond these they keep their places in it. */
const LATE_MAX = 512;
export const LATE_MS = 2_000;
/** So long an endpoint stays in the slow lane that answers rarely, and late each time. */
const LATE_FOR_MS = 600_000;
const LATE_KNOWN_MAX = 10_000;

export class Lanes {
  readonly #waiting = { fast: new Set<Sender>(), slow: new Set<Sender>() };
  readonly #inFlight = new Set<Promise<void>>();
  #fast = 0;
  #slow = 0;
  #late = 0;
  /** Since when, by endpoint: also while the deliveries of its client rest in the store. */
  readonly #lateSince = new Map<string, number>();

  /** Its last attempt took long, in the last minutes. */
  isLate(endpointId: string): boolean {
    const since = this.#lateSince.get(endpointId);
    return since !== undefined && performance.now() - since < LATE_FOR_MS;
  }

  setLate(endpointId: string, isLate: boolean): void {
    if (isLate) keepLast(this.#lateSince, endpointId, performance.now(), LATE_KNOWN_MAX);
    else this.#lateSince.delete(endpointId);
  }

  /** The slow lane is full: an endpoint of it may as well wait in the store. */
  get isSlowFull(): boolean {
    return this.#slow >= SLOW_MAX;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** The endpoint has something to send; each waits once, and those of a lane take turns. */
  offer(sender: Sender): void {
    this.#waiting[sender.isSlow ? 'slow' : 'fast'].add(sender);
    this.#fill();
  }

  /** Resolves when no attempt is in flight, or after `ms`. */
  async idle(ms: number): Promise<void> {
    this.#waiting.fast.clear();
    this.#waiting.slow.clear();
    await withTimeout(Promise.all(this.#inFlight), ms, () => []);
  }

  #fill(): void {
    while (this.#fast < FAST_MAX && this.#beginFast()) {}
    while (this.#slow < SLOW_MAX && this.#beginSlow()) {}
  }

  #take(lane: 'fast' | 'slow'): Sender | undefined {
    const [first] = this.#waiting[lane];
    if (first) this.#waiting[lane].delete(first);
    return first;
  }

  #beginFast(): boolean {
    const sender = this.#take('fast');
    if (sender === undefined) return false;
    if (sender.isSlow) {
      this.#waiting.slow.add(sender);
      return true;
    }
    const attempt = sender.next();
    if (attempt === undefined) return true;
    this.#fast++;
    let isLate = false;
    const late = setTimeout(() => {
      sender.becomeSlow();
      if (this.#late >= LATE_MAX) return;
      isLate = true;
      this.#late++;
      this.#fast--;
      this.#fill();
    }, LATE_MS);
    this.#follow(attempt, () => {
      clearTimeout(late);
      if (isLate) this.#late--;
      else this.#fast--;
    });
    // It may have more to send: behind the others.
    this.#waiting.fast.add(sender);
    return true;
  }

  #beginSlow(): boolean {
    const sender = this.#take('slow');
    if (sender === undefined) return false;
    const attempt = sender.next();
    if (attempt === undefined) return true;
    this.#slow++;
    this.#follow(attempt, () => {
      this.#slow--;
    });
    return true;
  }

  #follow(attempt: Promise<void>, ended: () => void): void {
    this.#inFlight.add(attempt);
    void attempt.then(() => {
      this.#inFlight.delete(attempt);
      ended();
      this.#fill();
    });
  }
}
