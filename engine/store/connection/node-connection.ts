/**
 * One Redis server: a connection for money and one for reads, on which the commands of a turn are sent together, and which reconnect by
 * themselves; its clock and its memory. Every wait is bounded, and nothing is queued while it is unavailable.
 */
import type { Redis } from 'ioredis';
import type { Log } from '../../domain/core/log.js';
import { migrationGuardKey } from '../keys/redis-keys.js';
import { refusalOf, StoreClockTurned, StoreUnavailable, storeError } from './errors.js';
import { evaluate } from './evaluate.js';
import { answerMsOf, leave, openRedis, type RedisOptions, ready, writeTogether } from './redis-client.js';
import type { Script } from './scripts.js';
import { ServerClock } from './server-clock.js';

export interface NodeOptions {
  /** The current address. Read before each attempt, because a managed server may restart at another one. */
  readonly address: () => RedisOptions;
  /** Its address if there are several servers; else ''. */
  readonly name: string;
  /** This many replicas have a write before it is acknowledged. */
  readonly replicas: number;
  readonly log: Log;
  /** Called when it becomes available or unavailable. */
  readonly onUpChange: (up: boolean) => void;
  /** Called when it has not answered for so long that its sockets are closed. */
  readonly onSilence: () => void;
  /** Of a server that has just become a master: what another one's clock says, epoch ms; undefined or absent: there is none. */
  readonly otherMs?: (() => number | undefined) | undefined;
}

const PULSE_MS = 500;
/** Memory is checked at each fourth health check. */
const PULSES_TO_MEMORY = 4;
/** A write that changes nothing, because there is no such key. */
const PROBE = migrationGuardKey('{s00}:x');
/** Between two attempts to leave a replica, ms. */
const LEAVE_MS = 1_000;
/** After this many health checks without an answer the socket is closed: the peer may have vanished without a FIN. */
const PULSES_TO_RECONNECT = 4;
const REPLICAS_WAIT_MS = 1_000;
/** How long a request waits for the first connection to a server. */
const ARRIVING_MS = 2_000;

type Which = 'money' | 'reads';

export class NodeConnection {
  readonly money: Redis;
  readonly reads: Redis;
  readonly clock: ServerClock;
  readonly memory: StoreMemory;
  readonly name: string;
  /** How long a command may take, ms. */
  readonly answerMs: number;
  readonly #options: NodeOptions;
  readonly #pulse: NodeJS.Timeout;
  #pulses = 0;
  #silentPulses = 0;
  #isUp = false;
  #isClosing = false;
  /** The replicas' acknowledgement of everything that is sent now. */
  #next: Promise<void> | undefined;
  /** The pending acknowledgement, fulfilled or rejected. */
  #waiting: Promise<void> | undefined;
  #isReplicaLagging = false;
  /** Of each connection by itself: at an address that has just moved, one may lead to the new master and one to the old. */
  readonly #refusals = { money: '', reads: '' };
  #leftAtMs = Number.NEGATIVE_INFINITY;
  #arriving: Promise<void> | undefined;
  #arrived = (): void => {};

  constructor(options: NodeOptions) {
    const { address, name, log } = options;
    this.#options = options;
    this.name = name;
    this.clock = new ServerClock(options.otherMs);
    this.answerMs = answerMsOf(address());
    this.memory = new StoreMemory(log, this.#title);
    const open = (which: Which) => {
      const reconnectOnError = (error: Error): false => this.#noticeRefusal(which, error);
      return openRedis(address, { connectionName: `ratewire-${which}`, reconnectOnError });
    };
    this.money = open('money');
    this.reads = open('reads');
    this.#pulse = setInterval(() => void this.#healthCheck(), PULSE_MS).unref();
    const { money, reads, clock } = this;
    money.on('close', () => clock.forget());
    money.on('ready', () => void clock.ask(() => money.time()).catch(() => {}));
    money.on('ready', () => void this.#probe());
    reads.on('ready', () => void this.#readRole());
    reads.on('ready', () => void this.memory.refresh(reads));
    for (const redis of [money, reads])
      for (const event of ['ready', 'close', 'end']) redis.on(event, this.#updateStatus);
  }

  get address(): RedisOptions {
    return this.#options.address();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Too few replicas have the last writes: further writes are rejected until they do. */
  get isReplicaLagging(): boolean {
    return this.#isReplicaLagging;
  }

  /** The reply by which it refuses writes, such as READONLY; '' while it takes them. */
  get refusal(): string {
    return this.#refusals.money || this.#refusals.reads;
  }

  /** For commands that need not wait for replicas. */
  get passing(): Redis {
    return this.#options.replicas === 0 ? this.money : this.reads;
  }

  /** Resolves when both connections are ready; rejects with StoreUnavailable at the timeout. */
  async open(): Promise<void> {
    const { money, reads, clock, memory } = this;
    await Promise.all([ready(money), ready(reads)]);
    await Promise.all([clock.ask(() => money.time()).catch(() => {}), memory.refresh(reads)]);
    this.#updateStatus();
  }

  /** Of a connection that has begun: resolves when it is connected for the first time or has timed out; undefined from then on. */
  get arriving(): Promise<void> | undefined {
    return this.#arriving;
  }

  /** Starts to connect, without waiting. */
  begin(): void {
    for (const redis of [this.money, this.reads]) redis.connect().catch(() => {});
    this.#arriving = new Promise((resolve) => {
      this.#arrived = () => {
        clearTimeout(late);
        this.#arriving = undefined;
        resolve();
      };
      const late = setTimeout(this.#arrived, ARRIVING_MS);
    });
  }

  /** One atomic step, acknowledged. */
  step(script: Script, keys: readonly string[], args: (string | Buffer)[]): Promise<unknown> {
    if (script.isTimed) {
      if (this.clock.turnedMs !== 0) throw new StoreClockTurned();
      args[0] = this.clock.expected();
    }
    if (this.#options.replicas === 0) return evaluate(this.money, script, keys, args);
    return this.write((redis) => evaluate(redis, script, keys, args, () => this.acknowledged()));
  }

  /** A step that does not wait for replicas. */
  runUnreplicated(script: Script, keys: readonly string[], args: readonly (string | Buffer)[]): Promise<unknown> {
    return evaluate(this.passing, script, keys, args);
  }

  /** A replica may have less than the master, and while it copies it has nothing: what is missing there would be taken for unknown. */
  async read<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
    writeTogether(this.reads);
    const reply = await ask(this.reads);
    // Asked for first on each connection, and every two seconds.
    if (this.refusal === 'READONLY') throw new StoreUnavailable('none');
    return reply;
  }

  /** Commands on the connection for money, acknowledged. */
  async write<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
    writeTogether(this.money);
    if (this.#options.replicas === 0) return ask(this.money);
    const turn = this.acknowledged();
    const reply = await ask(this.money);
    await turn;
    return reply;
  }

  /**
   * For what is sent in this turn: resolves when enough replicas have it and all earlier writes. Rejects with StoreUnavailable(`unknown`)
   * after a second; until they have caught up, throws StoreUnavailable(`none`) at once.
   */
  acknowledged(): Promise<void> | undefined {
    const { replicas } = this.#options;
    if (replicas === 0) return undefined;
    if (this.#isReplicaLagging) throw new StoreUnavailable('none');
    this.#next ??= this.#confirm(replicas);
    writeTogether(this.money);
    return this.#next;
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#isUp = false;
    this.#arrived();
    clearInterval(this.#pulse);
    return Promise.all([this.money, this.reads].map(leave)).then(() => {});
  }

  /** One WAIT at a time, for all that was sent since the last: each blocks the connection. */
  #confirm(replicas: number): Promise<void> {
    const before = this.#waiting;
    const confirm = async (): Promise<void> => {
      // After the commands of this turn, and in one write with them.
      await new Promise((sent) => setImmediate(sent));
      await before;
      this.#next = undefined;
      // The connection may have broken: then the state of the replicas is unknown.
      const count = await this.money.wait(replicas, REPLICAS_WAIT_MS).catch(() => undefined);
      if (count !== undefined && count >= replicas) return;
      if (count !== undefined) this.#markLagging(count);
      throw new StoreUnavailable('unknown');
    };
    const confirmed = confirm();
    // Callers that were rejected already do not wait any more.
    this.#waiting = confirmed.catch(() => {});
    return confirmed;
  }

  #markLagging(count: number): void {
    if (this.#isReplicaLagging || this.#isClosing) return;
    this.#isReplicaLagging = true;
    const { replicas, log } = this.#options;
    log.warn(
      {},
      `${this.#title} has what was written on ${count} of ${replicas} replicas: commands are refused until they have caught up (STORE_REPLICAS).`,
    );
  }

  async #catchUp(): Promise<void> {
    const { replicas, log } = this.#options;
    // Blocks the connection for a millisecond at most.
    if ((await this.money.wait(replicas, 1)) < replicas) return;
    this.#isReplicaLagging = false;
    log.info({}, `${this.#title} has enough replicas again.`);
  }

  get #title(): string {
    return this.name === '' ? 'The store' : `The store's server ${this.name}`;
  }

  /** Whether it takes writes. Never rejects: what no reply says is found by the health check. */
  async #probe(): Promise<void> {
    const refused = await this.money.set(PROBE, '', 'XX').then(
      () => '',
      (error) => refusalOf(error) ?? this.#refusals.money,
    );
    this.#refusals.money = refused;
    const { replicas } = this.memory;
    if (refused === '' && replicas !== undefined && replicas < this.#options.replicas) this.#markLagging(replicas);
  }

  /** Whether reads come from a replica, which a cluster does not allow. No write asks: while writes are paused, reads would wait behind it. */
  async #readRole(): Promise<void> {
    const found = this.name === '' ? await this.reads.info('replication').catch(() => '') : '';
    if (found.includes('role:slave')) this.#leaveReplica('reads');
    else if (found !== '') this.#refusals.reads = '';
  }

  /** Of every reply that is an error: ioredis asks whether to connect again. */
  #noticeRefusal(which: Which, error: Error): false {
    if (refusalOf(error) === 'READONLY') this.#leaveReplica(which);
    return false;
  }

  #leaveReplica(which: Which): void {
    this.#refusals[which] = 'READONLY';
    // It has become a replica, and its connections stay open: its address may lead to the new master.
    if (performance.now() - this.#leftAtMs < LEAVE_MS) return;
    this.#leftAtMs = performance.now();
    setImmediate(() => {
      if (this.#isClosing) return;
      for (const redis of [this.money, this.reads]) redis.disconnect(true);
      this.#options.onSilence();
    });
  }

  async #healthCheck(): Promise<void> {
    const { money, reads, clock } = this;
    if (money.status !== 'ready' || reads.status !== 'ready') return;
    if (++this.#pulses % PULSES_TO_MEMORY === 0) {
      void this.memory.refresh(reads);
      void this.#probe();
      void this.#readRole();
    }
    try {
      await Promise.all([clock.ask(() => money.time()), reads.ping()]);
      if (this.#isReplicaLagging) await this.#catchUp();
      this.#silentPulses = 0;
    } catch {
      this.#silentPulses += 1;
      if (this.#silentPulses % PULSES_TO_RECONNECT === 0) {
        for (const redis of [money, reads]) redis.disconnect(true);
        this.#options.onSilence();
      }
    }
    this.#updateStatus();
  }

  readonly #updateStatus = (): void => {
    if (this.#isClosing) return;
    const now = this.money.status === 'ready' && this.reads.status === 'ready' && this.#silentPulses === 0;
    if (now === this.#isUp) return;
    this.#isUp = now;
    if (now) this.#arrived();
    this.#options.onUpChange(now);
  };
}

/** Converts any thrown error to one that callers know. */
export function guarded<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return ask().catch(throwStoreError);
  } catch (error) {
    return Promise.reject(storeError(error));
  }
}

function throwStoreError(error: unknown): never {
  throw storeError(error);
}

const SHORT = 0.8;
export const FULL = 0.95;
/** Below this the shortage is over, and the next one is logged again. */
const EASED = 0.75;

/** What a server uses; undefined: without a limit, or without an append-only file. */
export interface MemoryUse {
  readonly usedBytes: number;
  readonly maxBytes: number | undefined;
  readonly fileBytes: number | undefined;
}

/** Memory usage of one server: logs once when memory gets short, early enough that work under way still has room. */
export class StoreMemory {
  readonly #log: Pick<Log, 'warn'>;
  readonly #title: string;
  #ratio: number | undefined;
  #replicas: number | undefined;
  #use: MemoryUse | undefined;
  #logged: 'nothing' | 'short' | 'full' = 'nothing';

  /** `title`: the server's, in the log. */
  constructor(log: Pick<Log, 'warn'>, title: string) {
    this.#log = log;
    this.#title = title;
  }

  /** Used part of the limit; undefined without a limit, or if unknown. */
  get ratio(): number | undefined {
    return this.#ratio;
  }

  /** The last reading; undefined if unknown. */
  get use(): MemoryUse | undefined {
    return this.#use;
  }

  /** Replicas that are connected; undefined if unknown. */
  get replicas(): number | undefined {
    return this.#replicas;
  }

  get isFull(): boolean {
    return this.#ratio !== undefined && this.#ratio >= FULL;
  }

  /** Never rejects: unknown memory usage stops nothing. */
  async refresh(redis: Redis): Promise<void> {
    const info = await redis.info('memory', 'persistence', 'replication').catch(() => undefined);
    if (info === undefined) return;
    const value = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
    const most = value('maxmemory');
    this.#replicas = info.match(/^slave\d+:.*state=online/gm)?.length ?? 0;
    // Buffers of replicas and of the append-only file do not count against the limit.
    const usedBytes = value('used_memory') - value('mem_not_counted_for_evict');
    this.#ratio = most === 0 ? undefined : usedBytes / most;
    this.#use = { usedBytes, maxBytes: most || undefined, fileBytes: value('aof_current_size') || undefined };
    this.#logShortage();
  }

  #logShortage(): void {
    const ratio = this.#ratio ?? 0;
    if (ratio < EASED) this.#logged = 'nothing';
    const percent = `${Math.floor(ratio * 100)} %`;
    if (ratio >= FULL && this.#logged !== 'full') {
      this.#logged = 'full';
      this.#log.warn(
        { ratio },
        `${this.#title} has used ${percent} of its maxmemory: new commands are refused; raise maxmemory.`,
      );
    } else if (ratio >= SHORT && this.#logged === 'nothing') {
      this.#logged = 'short';
      this.#log.warn(
        { ratio },
        `${this.#title} has used ${percent} of its maxmemory: at 95 % new commands are refused; raise it in time.`,
      );
    }
  }
}
