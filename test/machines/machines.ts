/**
 * Two engines that can run the feed, two FIX gateways and two sidecars, each a process of its own on one Redis, as `npm run engine` and
 * `npm run sidecar` start them.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { AgreedRate, BookingFacts, Hold } from '../../engine/domain/conversions/booking.js';
import type { Addresses } from '../../engine/wiring/program.js';
import type { Kill } from '../crash/kills.js';
import { SIDECAR_ENV } from '../crash/programs.js';
import { type Running, reconciled, startProgram, Words } from '../crash/running.js';
import type { Site } from '../crash/site.js';
import { CLEAN_ENV } from '../support/clean-env.js';
import { CROSS, type Provider } from './provider.js';
import type { SharedRedis } from './redis.js';

export const ENGINES = ['feed1', 'feed2', 'gateway1', 'gateway2'] as const;
export const SIDECARS = ['sidecar1', 'sidecar2'] as const;
export type Machine = (typeof ENGINES)[number] | (typeof SIDECARS)[number];
/** KILL ends at once; TERM drains; STOP suspends for longer than a lease lasts, PAUSE for longer than a price is valid. */
export type How = 'KILL' | 'TERM' | 'STOP' | 'PAUSE';

export interface Ended {
  readonly machine: Machine;
  readonly how: How;
  /** Whether it had the feed. */
  readonly hadFeed: boolean;
  readonly atMs: number;
  /** The machines that ran at that moment. */
  readonly others: readonly Machine[];
}

/** Bookings at prices of known age. */
export interface Judged {
  bookings: number;
  /** Bookings at a price of a cross pair. */
  crosses: number;
  holds: number;
}

export const MAX_AGE_MS = 2_000;
/** The clocks agree, except for the delay of a message through a busy process. A price that is kept by a fault grows older than this. */
export const SLACK_MS = 1_000;
/** A lease lasts three seconds. */
const STANDS_STILL_MS = { STOP: 5_000, PAUSE: 2_600 };
/** How soon its peers find that it does not answer. */
const SILENT_AFTER_MS = 300;
const DRAIN_MS = 10_000;
const FED_MS = 10_000;
const ENGINE = new URL('../../dist/engine/main.js', import.meta.url);
const SIDECAR = new URL('../../dist/rest/main.js', import.meta.url);

export class Machines implements Site {
  readonly onSilent = new Set<(door: string) => void>();
  readonly ended: Ended[] = [];
  /** From SIGTERM to the end, ms. */
  readonly drains = new Map<string, number>();
  readonly #dir = mkdtempSync(join(tmpdir(), 'ratewire-machines-'));
  readonly #masterKey = randomBytes(32).toString('base64');
  readonly #running = new Map<Machine, Running>();
  readonly #still = new Map<Machine, { readonly running: Running; readonly untilMs: number }>();
  readonly #words = new Words();
  readonly #judged = new Set<string>();
  readonly judged: Judged = { bookings: 0, crosses: 0, holds: 0 };
  #asked = 0;

  private constructor(
    readonly redis: SharedRedis,
    readonly provider: Provider,
    private readonly plan: (round: number) => readonly string[],
    private readonly violation: (text: string) => void,
    private readonly only: readonly Machine[],
  ) {}

  /** `plan` names the victims of each round: `feed KILL` is the engine that has the feed, `standby` the other one. */
  static async start(
    redis: SharedRedis,
    provider: Provider,
    plan: (round: number) => readonly string[],
    violation: (text: string) => void,
    only: readonly Machine[] = [...ENGINES, ...SIDECARS],
  ): Promise<Machines> {
    const machines = new Machines(redis, provider, plan, violation, only);
    try {
      await machines.restore();
      return machines;
    } catch (error) {
      await machines.stop();
      throw error;
    }
  }

  /** The engines in turn, so that a reconnect reaches another one. */
  fixDoor(): string | undefined {
    const doors = ENGINES.flatMap((engine) => this.#running.get(engine)?.addresses.fix ?? []);
    return doors[this.#asked++ % doors.length];
  }

  restDoors(): readonly string[] {
    return SIDECARS.flatMap((sidecar) => this.#running.get(sidecar)?.addresses.rest ?? []);
  }

  /** Also of a suspended one. */
  addresses(machine: Machine): Addresses | undefined {
    return (this.#running.get(machine) ?? this.#still.get(machine)?.running)?.addresses;
  }

  storeOptions() {
    return { dataDir: this.#dir, redisUrl: this.redis.redisUrl, masterKey: this.#masterKey };
  }

  anyKill(_random: () => number, round: number): Kill {
    return { victims: this.plan(round), killAtMs: 700, betweenMs: 0, outageMs: 0 };
  }

  async kill(part: string): Promise<boolean> {
    const [who = '', how] = part.split(' ') as [string, How];
    const holder = await (who === 'feed' ? this.#whoFeedsAll() : this.holder());
    const machine =
      who === 'feed' ? holder : who === 'standby' ? (holder === 'feed1' ? 'feed2' : 'feed1') : (who as Machine);
    const running = machine && this.#running.get(machine);
    if (!running) return false;
    this.#running.delete(machine);
    const others = [...this.#running.keys()];
    this.ended.push({ machine, how, hadFeed: machine === holder, atMs: Date.now(), others });
    if (how === 'KILL') {
      running.child.kill('SIGKILL');
      await running.gone;
    } else if (how === 'TERM') await this.#drain(machine, running);
    else this.#standStill(machine, running, how);
    return true;
  }

  /** The engine that has the feed, by its lease. */
  async holder(): Promise<Machine | undefined> {
    for (const engine of ['feed1', 'feed2'] as const) {
      const metrics = this.#running.get(engine)?.addresses.metrics;
      if (!metrics) continue;
      const text = await fetch(`http://${metrics}/metrics`).then((answer) => answer.text());
      if (/^ratewire_feed_lease_held\{[^}]*\} 1$/m.test(text)) return engine;
    }
    return undefined;
  }

  /** After a strike: the feed has been taken over, and all running machines have prices again. */
  async #whoFeedsAll(): Promise<Machine | undefined> {
    const isReady = async ({ addresses }: Running): Promise<boolean> => {
      const { status } = await fetch(`http://${addresses.metrics ?? addresses['rest-metrics']}/ready`);
      return status === 200;
    };
    for (const late = performance.now() + FED_MS; performance.now() < late; await pause(50)) {
      const holder = await this.holder();
      const ready = await Promise.all([...this.#running.values()].map(isReady));
      if (holder && ready.every(Boolean)) return holder;
    }
    return undefined;
  }

  async restore(): Promise<void> {
    for (const [machine, { running, untilMs }] of this.#still) {
      await pause(Math.max(0, untilMs - performance.now()));
      running.child.kill('SIGCONT');
      this.#still.delete(machine);
      this.#running.set(machine, running);
    }
    const start = (machines: readonly Machine[]) =>
      Promise.all(machines.filter((machine) => !this.#running.has(machine)).map((machine) => this.#start(machine)));
    // The first has the feed, and there are rates when the others start.
    await start(['feed1']);
    await start(this.only);
  }

  look<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
    return this.redis.look(ask);
  }

  /** A booking at the market used a price within the age limit; for one on a hold, see judgeHold. */
  judge(bookings: readonly BookingFacts[]): void {
    for (const { id, holdId, createdAtMs, ...rate } of bookings) {
      if (holdId !== '' || this.#judged.has(id)) continue;
      this.#judged.add(id);
      this.#judgeRate(id, rate, createdAtMs, rate.pair === CROSS ? 'crosses' : 'bookings');
    }
  }

  /** Its rate was within the age limit when it was requested. */
  judgeHold({ id, ...rate }: Hold, askedAtMs: number): void {
    this.#judgeRate(id, rate, askedAtMs, 'holds');
  }

  #judgeRate(id: string, rate: AgreedRate, atMs: number, kind: keyof Judged): void {
    const { pair, sellCurrency, providerPrice } = rate;
    const madeAtMs = this.provider.madeAtMs(pair, pair.startsWith(sellCurrency) ? 'bid' : 'offer', providerPrice);
    if (madeAtMs === undefined) return;
    this.judged[kind]++;
    const ageMs = atMs - madeAtMs;
    if (ageMs > MAX_AGE_MS + SLACK_MS) this.violation(`${id} is at a price of ${pair} that was ${ageMs} ms old`);
  }

  tearLastWrite(): boolean {
    return false;
  }

  reconcile(): Promise<string> {
    return reconciled(this.#env('ratewire'));
  }

  words(): string {
    return this.#words.last();
  }

  async stop(): Promise<void> {
    for (const { running } of this.#still.values()) running.child.kill('SIGKILL');
    this.#still.clear();
    const running = [...this.#running];
    this.#running.clear();
    await Promise.all(running.map(([machine, one]) => this.#drain(machine, one)));
    rmSync(this.#dir, { recursive: true, force: true });
  }

  async #drain(machine: Machine, { child, gone }: Running): Promise<void> {
    const beganAt = performance.now();
    const late = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(late);
    const tookMs = Math.round(performance.now() - beganAt);
    this.drains.set(`${machine} ${this.drains.size}`, tookMs);
    if (child.exitCode !== 0)
      this.violation(`${machine} ended with ${child.signalCode ?? child.exitCode} after ${tookMs} ms`);
  }

  #standStill(machine: Machine, running: Running, how: 'STOP' | 'PAUSE'): void {
    running.child.kill('SIGSTOP');
    this.#still.set(machine, { running, untilMs: performance.now() + STANDS_STILL_MS[how] });
    const { fix } = running.addresses;
    const told = (): void => {
      for (const hear of this.onSilent) hear(fix!);
    };
    if (fix) setTimeout(told, SILENT_AFTER_MS);
  }

  #env(name: string): Record<string, string> {
    return {
      ...CLEAN_ENV,
      REDIS_URL: this.redis.redisUrl,
      MASTER_KEY: this.#masterKey,
      DATA_DIR: join(this.#dir, name),
      LOG_LEVEL: 'warn',
      FUNDING: 'sandbox',
      COMPLIANCE: 'sandbox',
      PAYOUT: 'sandbox',
      RATE_MAX_AGE_MS: String(MAX_AGE_MS),
    };
  }

  async #start(machine: Machine): Promise<void> {
    const isSidecar = machine.startsWith('sidecar');
    const own = isSidecar
      ? SIDECAR_ENV
      : { FIX_PORT: '0', METRICS_PORT: '0', FEED: machine.startsWith('feed') ? this.provider.feed : 'relay' };
    const file = isSidecar ? SIDECAR : ENGINE;
    const execArgv = isSidecar ? ['--min-semi-space-size=16'] : [];
    const env = { ...this.#env(machine), ...own };
    const running = await startProgram({ name: machine, file, execArgv, env }, this.#words);
    this.#running.set(machine, running);
    void running.gone.then(() => {
      if (this.#running.get(machine) !== running) return;
      this.#running.delete(machine);
      this.violation(`${machine} ended by itself: ${this.words()}`);
    });
  }
}
