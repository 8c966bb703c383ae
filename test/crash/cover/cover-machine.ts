/** The store under its owner, two engines that cover, and the provider that they cover with: each a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { freePort } from '../../support/free-port.js';
import { PROGRAMS } from '../programs.js';
import { type Running, startProgram, Words } from '../running.js';

export const COVER_PARTS = ['server', 'owner', 'one', 'other', 'provider'] as const;
export type CoverPart = (typeof COVER_PARTS)[number];
type Program = Exclude<CoverPart, 'server'>;

const SIMULATOR = fileURLToPath(new URL('../../../dist/engine/tools/lp-simulator/main.js', import.meta.url));
const START_MS = 30_000;

export class CoverMachine {
  readonly #running = new Map<Program, Pick<Running, 'child' | 'gone'>>();
  readonly #words = new Words();
  readonly #ports: { readonly fix: number; readonly ws: number };
  readonly #seed: number;
  /** Started so far: each draws other faults. */
  #providers = 0;

  private constructor(
    readonly dataDir: string,
    seed: number,
    ports: { fix: number; ws: number },
  ) {
    this.#seed = seed;
    this.#ports = ports;
  }

  static async start(dataDir: string, seed: number): Promise<CoverMachine> {
    const machine = new CoverMachine(dataDir, seed, { fix: await freePort(), ws: await freePort() });
    await machine.restore();
    return machine;
  }

  /** What the provider has taken and filled. */
  get orderFile(): string {
    return join(this.dataDir, 'orders');
  }

  get redisUrl(): string {
    const file = readStoreFile(this.dataDir);
    if (!file) throw new Error('no store.json');
    return `redis://:${file.password}@${file.host}:${file.port}`;
  }

  words(): string {
    return this.#words.last();
  }

  /** With SIGKILL; false when it does not run just now. */
  async kill(part: CoverPart): Promise<boolean> {
    if (part === 'server') {
      const server = readStoreFile(this.dataDir)?.server;
      if (!server || !isAlive(server)) return false;
      process.kill(server.pid, 'SIGKILL');
      return true;
    }
    const running = this.#running.get(part);
    if (!running) return false;
    this.#running.delete(part);
    running.child.kill('SIGKILL');
    await running.gone;
    return true;
  }

  /** Starts what does not run. */
  async restore(): Promise<void> {
    if (!this.#running.has('owner')) await this.#start('owner');
    if (!this.#running.has('provider')) await this.#startProvider();
    await Promise.all((['one', 'other'] as const).map((engine) => this.#running.has(engine) || this.#start(engine)));
  }

  async stop(): Promise<void> {
    for (const part of ['one', 'other', 'provider', 'owner', 'server'] as const) await this.kill(part);
  }

  async #start(name: 'owner' | 'one' | 'other'): Promise<void> {
    const { env: own, ...start } = PROGRAMS[name === 'owner' ? 'owner' : 'engine'];
    const cover = {
      FEED: `ws://127.0.0.1:${this.#ports.ws}/#provider=LP1&symbols=EURUSD`,
      COVER: 'auto',
      COVER_SESSIONS: `fix://127.0.0.1:${this.#ports.fix}?sender=HOUSE&target=LP&provider=LP1`,
    };
    const env = {
      ...CLEAN_ENV,
      ...own,
      ...(name !== 'owner' && cover),
      DATA_DIR: this.dataDir,
      LOG_LEVEL: 'error',
    };
    this.#keep(name, await startProgram({ ...start, name, env }, this.#words));
  }

  async #startProvider(): Promise<void> {
    const { ws, fix } = this.#ports;
    const kept = ['--orders', this.orderFile, '--store', join(this.dataDir, 'provider')];
    const args = ['--ws', String(ws), '--fix', String(fix), '--pairs', 'EURUSD', ...kept];
    const child: ChildProcess = spawn(
      process.execPath,
      [SIMULATOR, ...args, '--deal', `random ${this.#seed + this.#providers++}`],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      },
    );
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const ready = new Promise<boolean>((resolve) => {
      child.stdout?.on('data', (chunk: Buffer) => chunk.includes('ready') && resolve(true));
      child.stderr?.on('data', (chunk: Buffer) => this.#words.hear('provider', chunk));
      setTimeout(() => resolve(false), START_MS).unref();
    });
    if (!(await Promise.race([ready, gone.then(() => false)]))) throw new Error(`no provider: ${this.words()}`);
    this.#keep('provider', { child, gone });
  }

  #keep(name: Program, running: Pick<Running, 'child' | 'gone'>): void {
    this.#running.set(name, running);
    void running.gone.then(() => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    });
  }
}
