/** Starts an installed redis-server or valkey-server on a directory of the data directory. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { truncateTornWrite } from './aof-tail.js';
import {
  COMPACT_VALUE_BYTES,
  cannotStart,
  detachChild,
  endOf,
  IDLE_S,
  lastStderrLine,
  type ManagedServer,
  portTaken,
  type ServerOrder,
  START_MS,
  spawnPrivate,
  stopChild,
} from './managed-server.js';

const POLL_MS = 10;

/** The first redis-server or valkey-server on the PATH, version 7 or later; undefined when there is none. */
export async function findRedisServer(path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const dir of path.split(delimiter).filter((dir) => dir !== '')) {
    for (const name of ['redis-server', 'valkey-server']) {
      const file = join(dir, name);
      if (canRun(file) && (await majorVersion(file)) >= 7) return file;
    }
  }
  return undefined;
}

/** Throws StoreStartError. */
export async function startRedisServer(binary: string, order: ServerOrder): Promise<ManagedServer> {
  const port = order.port === 0 ? await freePort() : order.port;
  const child = spawnPrivate(() => spawn(binary, ['-'], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] }));
  const lastLine = lastStderrLine(child);
  const ended = endOf(child);
  // Over stdin: a password on the command line is readable by every user of the machine.
  child.stdin.on('error', () => {});
  child.stdin.end(configuration({ ...order, port }));
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  const late = performance.now() + START_MS;
  while (!gone && !(await listens(port, order.password))) {
    if (performance.now() > late) child.kill('SIGKILL');
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
  }
  if (gone) {
    if (/address already in use|failed listening/i.test(lastLine())) throw portTaken(port);
    if (await truncateTornWrite(order.dir)) return startRedisServer(binary, order);
    throw cannotStart(binary, order.dir, lastLine());
  }
  detachChild(child, ended);
  return { pid: child.pid ?? 0, port, ended, stop: () => stopChild(child, ended) };
}

function configuration({ dir, port, password, fsync }: ServerOrder): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${JSON.stringify(dir)}`,
    `requirepass ${password}`,
    'appendonly yes',
    `appendfsync ${fsync}`,
    // A truncated file is rejected, and repaired by ./aof-tail.ts.
    'aof-load-truncated no',
    // The append-only file has everything; a second copy would only cost a fork.
    'save ""',
    'maxmemory-policy noeviction',
    `hash-max-listpack-value ${COMPACT_VALUE_BYTES}`,
    'daemonize no',
    `timeout ${IDLE_S}`,
    '',
  ].join('\n');
}

/** It answers with its data loaded and accepts this store's password: so it is this store's server. */
function listens(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
      if (reply.split('\r\n').length > 2) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(reply === '+OK\r\n+PONG\r\n'));
  });
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `Redis server v=7.0.15 ...`, `Valkey server v=8.1.0 ...`; 0 when the version is not stated. */
async function majorVersion(file: string): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 5_000 });
    return Number(/ v=(\d+)\./.exec(stdout)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
