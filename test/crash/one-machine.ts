/** The programs as they run in production, each in a process of its own: the store under its owner, the engine and two sidecars. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { isAlive, readStoreFile } from '../../engine/store/managed-redis/store-file.js';
import { CLEAN_ENV } from '../support/clean-env.js';
import type { Random } from './commands.js';
import { anyKill, type Kill } from './kills.js';
import { PROGRAMS, type Program, SIDECARS } from './programs.js';
import { type Running, reconciled, startProgram, Words } from './running.js';
import type { Site } from './site.js';

/** How long the store may take to answer again. */
const ANSWERS_MS = 30_000;
const STOP_MS = 15_000;

export class OneMachine implements Site {
  readonly onSilent = new Set<(door: string) => void>();
  readonly #running = new Map<Program, Running>();
  readonly #words = new Words();

  private constructor(readonly dataDir: string) {}

  static async start(dataDir: string): Promise<OneMachine> {
    const machine = new OneMachine(dataDir);
    try {
      await machine.restore();
      return machine;
    } catch (error) {
      await machine.stop();
      throw error;
    }
  }

  /** HOST:PORT; undefined while the engine is not up. */
  fixDoor(): string | undefined {
    return this.#running.get('engine')?.addresses.fix;
  }

  /** HOST:PORT of each sidecar that is up. */
  restDoors(): readonly string[] {
    return SIDECARS.flatMap((sidecar) => this.#running.get(sidecar)?.addresses.rest ?? []);
  }

  storeOptions() {
    const file = readStoreFile(this.dataDir);
    if (!file) return undefined;
    return { dataDir: this.dataDir, redisUrl: `redis://:${file.password}@${file.host}:${file.port}` };
  }

  anyKill(random: Random): Kill {
    return anyKill(random);
  }

  /** Kills with SIGKILL; false when the part is not running just now. */
  async kill(part: string): Promise<boolean> {
    if (part === 'server') {
      const server = readStoreFile(this.dataDir)?.server;
      if (!server || !isAlive(server)) return false;
      process.kill(server.pid, 'SIGKILL');
      return true;
    }
    const running = this.#running.get(part as Program);
    if (!running) return false;
    this.#running.delete(part as Program);
    running.child.kill('SIGKILL');
    await running.gone;
    return true;
  }

  /** Starts what does not run; resolves when everything is up and the store answers. */
  async restore(): Promise<void> {
    if (!this.#running.has('owner')) await this.#start('owner');
    const missing = (['engine', ...SIDECARS] as const).filter((program) => !this.#running.has(program));
    await Promise.all([this.#answers(), ...missing.map((program) => this.#start(program))]);
  }

  /** A direct connection to Redis, to inspect the stored data. */
  async look<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
    const file = readStoreFile(this.dataDir);
    if (!file) throw new Error('no store.json');
    const { host, port, password } = file;
    const redis = new Redis({
      host,
      port,
      password,
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      // A failed resubscription would go unnoticed.
      autoResubscribe: false,
      commandTimeout: 20_000,
    });
    redis.on('error', () => {});
    try {
      await redis.connect();
      return await ask(redis);
    } finally {
      redis.disconnect();
    }
  }

  /**
   * With the store's server dead: appends the beginning of one more step to its file, as a power failure during a write leaves it. `share`
   * of that step, 0 to 1. False when the server runs.
   */
  tearLastWrite(share: number): boolean {
    const file = readStoreFile(this.dataDir);
    if (!file || isAlive(file.server) || this.#running.has('owner')) return false;
    const folder = join(this.dataDir, file.kind === 'embedded' ? 'embedded' : 'redis', 'appendonlydir');
    const manifest = readFileSync(join(folder, 'appendonly.aof.manifest'), 'utf8');
    const [, name] = [...manifest.matchAll(/^file (\S+) seq \d+ type i/gm)].at(-1)!;
    const written = readFileSync(join(folder, name!));
    const step = written.subarray(Math.max(0, written.lastIndexOf('*1\r\n$5\r\nMULTI\r\n')));
    // Never all of it: that would execute the step once more.
    const most = step.indexOf('EXEC\r\n') + 5;
    appendFileSync(join(folder, name!), step.subarray(0, 1 + Math.floor(share * (most - 1))));
    return true;
  }

  reconcile(): Promise<string> {
    return reconciled({ ...CLEAN_ENV, DATA_DIR: this.dataDir });
  }

  words(): string {
    return this.#words.last();
  }

  async stop(): Promise<void> {
    for (const program of [...SIDECARS, 'engine', 'owner'] as const) {
      const running = this.#running.get(program);
      if (!running) continue;
      running.child.kill('SIGTERM');
      const late = setTimeout(() => running.child.kill('SIGKILL'), STOP_MS);
      await running.gone;
      clearTimeout(late);
    }
    this.#running.clear();
    // Of a killed owner that was not restarted.
    const server = readStoreFile(this.dataDir)?.server;
    if (server && isAlive(server)) process.kill(server.pid, 'SIGKILL');
  }

  async #start(program: Program): Promise<void> {
    const { env: own, ...start } = PROGRAMS[program];
    const env = { ...CLEAN_ENV, ...own, DATA_DIR: this.dataDir, LOG_LEVEL: 'error' };
    const running = await startProgram({ ...start, name: program, env }, this.#words);
    this.#running.set(program, running);
    void running.gone.then(() => {
      if (this.#running.get(program) === running) this.#running.delete(program);
    });
  }

  async #answers(): Promise<void> {
    const late = performance.now() + ANSWERS_MS;
    for (;;) {
      const up = await this.look((redis) => redis.ping()).catch(() => undefined);
      if (up === 'PONG') return;
      if (performance.now() > late) throw new Error(`the store does not come back: ${this.words()}`);
      await pause(20);
    }
  }
}
