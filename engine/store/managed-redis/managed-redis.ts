/**
 * The store of a data directory: used when it runs, else started and kept running by this process, which then owns the directory. A server
 * that dies is restarted; all other processes find it through store.json.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../domain/core/log.js';
import type { RedisOptions } from '../connection/connection.js';
import { StoreStartError } from '../connection/errors.js';
import { answers, shutDown } from '../connection/redis-client.js';
import { laxMode, ownDirectory } from './directory.js';
import { startEmbedded } from './embedded-server.js';
import type { ManagedServer } from './managed-server.js';
import { findRedisServer, startRedisServer } from './redis-server.js';
import {
  claimStoreFile,
  isAlive,
  markOf,
  NO_PROCESS,
  readStoreFile,
  type StoreFile,
  writeStoreFile,
} from './store-file.js';

export interface ManagedRedisOptions {
  readonly dataDir: string;
  readonly own: 'start-if-absent' | 'must-start';
  readonly fsync: 'always' | 'everysec';
  /** Which kind to start when the directory has no data yet. */
  readonly prefer: 'embedded' | 'redis-server' | undefined;
  /** Instead of the one on the PATH. */
  readonly redisServer: string | undefined;
  readonly log: Log;
}

export interface ManagedRedis {
  readonly kind: StoreFile['kind'];
  /** The current address. */
  address(): RedisOptions;
  /** Stops the server when this process started it. */
  stop(): Promise<void>;
}

const WAIT_FOR_ANOTHER_MS = 20_000;
const POLL_MS = 100;
const RESTART_FIRST_MS = 50;
const RESTART_MAX_MS = 5_000;

/** Throws StoreStartError. */
export async function managedRedis(options: ManagedRedisOptions): Promise<ManagedRedis> {
  const { dataDir, own } = options;
  writing(dataDir, () => ownDirectory(dataDir));
  const lax = laxMode(dataDir);
  if (lax) throw new StoreStartError(lax);
  const late = performance.now() + WAIT_FOR_ANOTHER_MS;
  for (;;) {
    const seen = readStoreFile(dataDir);
    const ownerLives = seen !== undefined && isAlive(seen.owner);
    if (ownerLives && own === 'must-start') throw inUse(dataDir, seen.owner.pid);
    // An embedded server without its owner is about to end; a redis-server keeps running.
    const usable = seen !== undefined && (ownerLives || seen.kind === 'redis-server');
    if (own === 'start-if-absent' && usable && (await answers(addressOf(seen)))) return attached(dataDir, seen.kind);
    if (!ownerLives) {
      const started = await start(options, seen);
      if (started) return started;
    } else if (performance.now() > late) {
      throw new StoreStartError(
        `the store of data directory ${dataDir} does not answer, and process ${seen.owner.pid} owns it: stop that process or set DATA_DIR`,
      );
    }
    await pause(POLL_MS);
  }
}

/** Undefined when another process was faster. */
async function start(options: ManagedRedisOptions, seen: StoreFile | undefined): Promise<ManagedRedis | undefined> {
  const { dataDir } = options;
  const { kind, run } = await chooseKind(options);
  const claim: StoreFile = {
    kind,
    host: '127.0.0.1',
    // Processes that know the previous address and password find the store again.
    port: seen?.port ?? 0,
    password: seen?.password ?? randomBytes(32).toString('base64url'),
    server: NO_PROCESS,
    owner: markOf(process.pid),
  };
  if (!writing(dataDir, () => claimStoreFile(dataDir, seen, claim))) return undefined;
  try {
    if (seen) await endOrphan(seen);
    return await keepAlive(options, claim, run);
  } catch (error) {
    writeStoreFile(dataDir, { ...claim, owner: NO_PROCESS });
    throw error;
  }
}

type Run = (port: number, password: string) => Promise<ManagedServer>;

async function keepAlive({ dataDir, log }: ManagedRedisOptions, claim: StoreFile, run: Run): Promise<ManagedRedis> {
  const { password } = claim;
  let server: ManagedServer;
  let reviving = Promise.resolve();
  let file = claim;
  let stopping = false;
  const begin = async (): Promise<void> => {
    server = await run(file.port, password).catch((error) => {
      // Another process has taken the port meanwhile: any other will do, since store.json has it.
      if (file.port === 0 || !/^port /.test(String(error.message))) throw error;
      return run(0, password);
    });
    file = { ...file, port: server.port, server: markOf(server.pid) };
    writeStoreFile(dataDir, file);
    void server.ended.then(() => {
      if (!stopping) reviving = revive();
    });
  };
  const revive = async (): Promise<void> => {
    for (let wait = RESTART_FIRST_MS; !stopping; wait = Math.min(2 * wait, RESTART_MAX_MS)) {
      log.error({}, 'The store has ended by itself: starting it again.');
      await pause(wait);
      if (stopping) return;
      try {
        return await begin();
      } catch (error) {
        log.error({}, error instanceof Error ? error.message : String(error));
      }
    }
  };
  await begin();
  return {
    kind: file.kind,
    address: () => addressOf(file),
    async stop() {
      if (stopping) return;
      stopping = true;
      await reviving;
      await server.stop();
      writeStoreFile(dataDir, { ...file, server: NO_PROCESS, owner: NO_PROCESS });
    },
  };
}

function attached(dataDir: string, kind: StoreFile['kind']): ManagedRedis {
  let last = readStoreFile(dataDir);
  return {
    kind,
    address: () => {
      last = readStoreFile(dataDir) ?? last;
      return last ? addressOf(last) : {};
    },
    stop: async () => {},
  };
}

/** A directory keeps the kind of server that it began with: one kind cannot read all files of the other. */
async function chooseKind(options: ManagedRedisOptions): Promise<{ kind: StoreFile['kind']; run: Run }> {
  const { dataDir, prefer, log } = options;
  const dirOf = { embedded: join(dataDir, 'embedded'), 'redis-server': join(dataDir, 'redis') };
  const began = (['embedded', 'redis-server'] as const).find((kind) => existsSync(join(dirOf[kind], 'appendonlydir')));
  const wanted = began ?? prefer;
  const binary = wanted === 'embedded' ? undefined : (options.redisServer ?? (await findRedisServer()));
  if (wanted === 'redis-server' && binary === undefined) {
    throw new StoreStartError(
      began
        ? `${dirOf[began]} holds the data of a redis-server: install redis-server 7 or later, or set REDIS_URL`
        : 'no redis-server 7 or later is on the PATH: install one, or set REDIS_URL',
    );
  }
  const kind = binary === undefined ? 'embedded' : 'redis-server';
  const dir = dirOf[kind];
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  log.info({}, binary === undefined ? 'Starting the embedded store.' : `Starting ${binary} as the store.`);
  const run: Run = (port, password) => {
    const order = { dir, port, password, fsync: options.fsync };
    return binary === undefined ? startEmbedded(order) : startRedisServer(binary, order);
  };
  return { kind, run };
}

/** Ends a server whose owner was killed: a redis-server keeps running, an embedded one is about to end. Two must not use one directory. */
async function endOrphan(seen: StoreFile): Promise<void> {
  if (!isAlive(seen.server)) return;
  await shutDown(addressOf(seen));
  for (let late = performance.now() + WAIT_FOR_ANOTHER_MS; isAlive(seen.server); await pause(POLL_MS)) {
    if (performance.now() < late) continue;
    throw new StoreStartError(
      `the store left behind as process ${seen.server.pid} does not end: stop it and start again`,
    );
  }
}

/** A failed write to the data directory becomes a StoreStartError. */
function writing<T>(dataDir: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new StoreStartError(
      `data directory ${dataDir} cannot be written (${code}): make it writable, or set DATA_DIR`,
    );
  }
}

function inUse(dataDir: string, pid: number): StoreStartError {
  return new StoreStartError(`data directory ${dataDir} is in use by process ${pid}: stop it or set DATA_DIR`);
}

function addressOf({ host, port, password }: StoreFile): RedisOptions {
  return { host, port, password };
}
