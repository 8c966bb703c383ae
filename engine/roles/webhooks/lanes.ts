/**
 * Attempts in flight, bounded: of one endpoint, of a client, of a party, to one host, and in all. Endpoints that answer share one lane; those
 * that fail, or take longer than two seconds, share another one, and have one attempt at a time. Where there is no room, clients take turns
 * (turns.ts). So no client fills a lane or a host, and slow endpoints delay those of their own client alone.
 */
import { keepLast } from '../../domain/core/keep-last.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { partyOf, Turns } from './turns.js';

/** An endpoint that has something to send. */
export interface Sender {
  readonly clientId: string;
  /** The host of its URL. */
  readonly host: string;
  readonly isSlow: boolean;
  /** Begins its next attempt; undefined: there is none now. Resolves when it has ended, and never rejects. */
  next(): Promise<void> | undefined;
  /** Its attempt takes longer than those of the fast lane may. */
  becomeSlow(): void;
}

/** `late`: attempts that began in the fast lane and take long; where there is no room for them they keep their places in it. */
type Pool = 'fast' | 'slow' | 'late' | 'host';
type Lane = 'fast' | 'slow';
/** Attempts in flight, at most: in all, of one party, and of one client. Of `host`: to one host. */
const MAX: Readonly<Record<Pool, readonly [all: number, ofParty: number, ofClient: number]>> = {
  fast: [256, 64, 8],
  slow: [256, 64, 8],
  late: [512, 128, 16],
  host: [256, 32, 8],
};
export const LATE_MS = 2_000;
/** So long an endpoint stays in the slow lane that answers rarely, and late each time. */
const LATE_FOR_MS = 600_000;
const LATE_KNOWN_MAX = 10_000;

/** What an attempt takes one place of, and how many there are. */
type Room = readonly [name: string, max: number];

const roomsOf = (pool: Pool, { clientId, host }: Sender): readonly Room[] => {
  const [all, ofParty, ofClient] = MAX[pool];
  const name = pool === 'host' ? `host ${host}` : pool;
  return [
    [`${name} client ${clientId}`, ofClient],
    [`${name} party ${partyOf(clientId)}`, ofParty],
    [name, all],
  ];
};

export class Lanes {
  /** Those that wait for a place, by what is full. */
  readonly #waiting = new Map<string, Turns<Sender>>();
  /** Attempts in flight, by what they take a place of. */
  readonly #taken = new Map<string, number>();
  readonly #inFlight = new Set<Promise<void>>();
  /** Since when, by endpoint: also while the deliveries of its client rest in the store. */
  readonly #lateSince = new Map<string, number>();
  #isClosed = false;

  /** Its last attempt took long, in the last minutes. */
  isLate(endpointId: string): boolean {
    const since = this.#lateSince.get(endpointId);
    return since !== undefined && performance.now() - since < LATE_FOR_MS;
  }

  setLate(endpointId: string, isLate: boolean): void {
    if (isLate) keepLast(this.#lateSince, endpointId, performance.now(), LATE_KNOWN_MAX);
    else this.#lateSince.delete(endpointId);
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** The endpoint has something to send: it begins where there is room, and otherwise waits once for each room that is full. */
  offer(sender: Sender): void {
    while (!this.#isClosed && this.#begin(sender)) {}
  }

  /** Resolves when no attempt is in flight, or after `ms`; none begins any more. */
  async idle(ms: number): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await withTimeout(Promise.all(this.#inFlight), ms, () => []);
  }

  /** True: an attempt has begun. */
  #begin(sender: Sender): boolean {
    const lane: Lane = sender.isSlow ? 'slow' : 'fast';
    const rooms = [...roomsOf(lane, sender), ...roomsOf('host', sender)];
    const full = rooms.find((room) => this.#isFull(room));
    if (full) {
      this.#wait(full[0], sender);
      return false;
    }
    const attempt = sender.next();
    if (attempt === undefined) return false;
    this.#take(rooms);
    let held: readonly Room[] = rooms;
    const late = lane === 'fast' ? setTimeout(() => (held = this.#becameLate(sender, held)), LATE_MS) : undefined;
    this.#inFlight.add(attempt);
    void attempt.then(() => {
      clearTimeout(late);
      this.#inFlight.delete(attempt);
      this.#release(held);
      this.offer(sender);
    });
    return true;
  }

  /** The places that the attempt holds from now on. */
  #becameLate(sender: Sender, held: readonly Room[]): readonly Room[] {
    sender.becomeSlow();
    const late = roomsOf('late', sender);
    if (late.some((room) => this.#isFull(room))) return held;
    this.#take(late);
    const fast = roomsOf('fast', sender);
    this.#release(fast);
    return [...late, ...roomsOf('host', sender)];
  }

  #isFull([name, max]: Room): boolean {
    return (this.#taken.get(name) ?? 0) >= max;
  }

  #wait(name: string, sender: Sender): void {
    let turns = this.#waiting.get(name);
    if (turns === undefined) {
      turns = new Turns();
      this.#waiting.set(name, turns);
    }
    turns.add(sender);
  }

  #take(rooms: readonly Room[]): void {
    for (const [name] of rooms) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
  }

  /** Gives the places back, and lets those begin that wait for one of them. */
  #release(rooms: readonly Room[]): void {
    for (const [name] of rooms) {
      const left = this.#taken.get(name)! - 1;
      if (left > 0) this.#taken.set(name, left);
      else this.#taken.delete(name);
    }
    for (const room of rooms) this.#serve(room);
  }

  #serve(room: Room): void {
    const [name] = room;
    while (!this.#isFull(room)) {
      const turns = this.#waiting.get(name);
      const next = turns?.take();
      if (turns?.isEmpty) this.#waiting.delete(name);
      if (next === undefined) return;
      // It may have more to send: behind the others. Where another room is full it waits for that.
      if (this.#begin(next)) this.#wait(name, next);
    }
  }
}
