/**
 * The clock of one server of the store, as this process knows it, and whether it was turned meanwhile: compared with the monotonic clock at
 * each health check, twice a second.
 */
import { uptime } from 'node:os';

/** A slower answer is too imprecise to derive the clock from. */
const PROMPT_MS = 250;

/** A server's clock that differs more from what is expected was turned; clock.lua has the same. */
const TURNED_MS = 60_000;
/** How far the expected time follows the server's, per ms: more than clocks drift, and than NTP corrects without a jump. */
const FOLLOWED = 0.001;
/** The time since the start of the machine has whole seconds. */
const SLEPT_MS = 2_000;

/** The server's own clock, by its last prompt answer: a step can then be rejected as late, whatever the local clock is. */
export class ServerClock {
  readonly #otherMs: () => number | undefined;
  /** What the server's clock is expected to be ahead of the local monotonic clock, ms: since its first answer, by whichever connection. */
  #expectedAhead: number | undefined;
  #expectedAtMs = 0;
  #isAccepted = false;
  /** The monotonic clock stops while the machine sleeps: the time since its start less that clock, ms. */
  #sleptMs = sleptMs();
  #turnedMs = 0;
  /** Ahead of the local monotonic clock, ms, at most PROMPT_MS too high. */
  #ahead: number | undefined;
  /** The same by the midpoint of the round trip: the best estimate, also from a slow answer or the previous server. */
  #middle: number | undefined;
  #hostAheadMs: number | undefined;

  constructor(otherMs: () => number | undefined = () => undefined) {
    this.#otherMs = otherMs;
  }

  /** `time` sends TIME to the server: seconds, microseconds. */
  async ask(time: () => Promise<readonly (string | number)[]>): Promise<void> {
    const askedMs = performance.now();
    const [seconds, microseconds] = await time();
    const tookMs = performance.now() - askedMs;
    const isPrompt = tookMs <= PROMPT_MS;
    if (!isPrompt && this.#ahead !== undefined) return;
    const serverMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    if (!this.#isExpected(serverMs - askedMs - tookMs / 2, askedMs)) return;
    this.#middle = serverMs - askedMs - tookMs / 2;
    if (!isPrompt) return;
    this.#ahead = serverMs - askedMs;
    this.#hostAheadMs = Date.now() - serverMs - tookMs / 2;
  }

  /** Compares the server's clock with what is expected of it. False: it was turned, and is not followed. */
  #isExpected(ahead: number, atMs: number): boolean {
    const slept = sleptMs();
    if (this.#expectedAhead !== undefined && slept - this.#sleptMs > SLEPT_MS)
      this.#expectedAhead += slept - this.#sleptMs;
    this.#sleptMs = slept;
    if (this.#expectedAhead === undefined) {
      const otherMs = this.#isAccepted ? undefined : this.#otherMs();
      this.#expectedAhead = otherMs === undefined ? ahead : otherMs - performance.now();
      this.#expectedAtMs = atMs;
    }
    const off = ahead - this.#expectedAhead;
    this.#turnedMs = Math.abs(off) > TURNED_MS ? off : 0;
    if (this.#turnedMs !== 0) return false;
    const most = (atMs - this.#expectedAtMs) * FOLLOWED;
    this.#expectedAhead += Math.max(-most, Math.min(most, off));
    this.#expectedAtMs = atMs;
    return true;
  }

  /** By how much the server's clock was turned, ms; 0 unless by more than a minute. */
  get turnedMs(): number {
    return this.#turnedMs;
  }

  /** What the server's clock is expected to say, epoch ms, as text; '' before its first answer. */
  expected(): string {
    return this.#expectedAhead === undefined ? '' : (performance.now() + this.#expectedAhead).toFixed(0);
  }

  /** The server's clock is right from its next answer on, whatever it says. */
  accept(): void {
    this.#expectedAhead = undefined;
    this.#isAccepted = true;
    this.#turnedMs = 0;
  }

  /** Another server may answer next. */
  forget(): void {
    this.#ahead = undefined;
    this.#hostAheadMs = undefined;
  }

  /** Epoch ms, whole, never too early; undefined before the first prompt answer. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : Math.ceil(performance.now() + this.#ahead);
  }

  /** Epoch ms, whole, within half a round trip; undefined before the very first answer. */
  estimate(): number | undefined {
    return this.#middle === undefined ? undefined : Math.floor(performance.now() + this.#middle);
  }

  /** This machine's clock minus the server's, ms. Undefined before the first prompt answer. */
  get hostAheadMs(): number | undefined {
    return this.#hostAheadMs;
  }
}

const sleptMs = (): number => uptime() * 1_000 - performance.now();
