/** A real redis-server for a test: a process of its own, on a free loopback port, in a directory of its own, with a random password. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { answers, type RedisOptions } from '../../engine/store/connection/redis-client.js';
import { endOf } from '../../engine/store/managed-redis/managed-server.js';
import { findRedisServer } from '../../engine/store/managed-redis/redis-server.js';
import { freePort } from './free-port.js';

export interface RedisProcess {
  readonly port: number;
  readonly password: string;
  readonly redisUrl: string;
  /** For the test itself: settings, state, stored data. Reconnects by itself. */
  readonly redis: Redis;
  pid(): number;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGSTOP: suspends it with open connections. */
  sleep(): void;
  wake(): void;
  /** After `kill`: again, with the same data, at the same port. */
  restart(): Promise<void>;
  /** Ends it, and removes its directory. */
  stop(): Promise<void>;
}

interface RedisOrder {
  /** The server that it replicates. */
  readonly replicaOf?: RedisProcess;
  readonly password?: string;
  /** Additional lines of its configuration. */
  readonly settings?: readonly string[];
  /** TLS only: the files of its self-signed certificate and of the key. */
  readonly tls?: TlsFiles | undefined;
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

const START_MS = 120_000;

/** The line to print where a test is skipped because there is no redis-server. */
export const NO_REDIS_SERVER =
  'skipped: no redis-server 7 or later on the PATH (apt-get install redis-server, or set REDIS_SERVER_BIN)';

const BINARY = process.env.REDIS_SERVER_BIN || (await findRedisServer());

/** The redis-server at REDIS_SERVER_BIN, or one on the PATH, 7 or later; undefined when there is none. */
export const redisServer = (): string | undefined => BINARY;

/** Whether it was built with TLS: otherwise it has no such setting. */
export function speaksTls(binary: string): boolean {
  const { stdout, stderr } = spawnSync(binary, ['--tls-port', 'none'], { encoding: 'utf8', timeout: 5_000 });
  return !`${stdout}${stderr}`.includes('Bad directive');
}

/** A single server or a replica, configured as the engine requires. */
export async function startRedis(order: RedisOrder = {}): Promise<RedisProcess> {
  const { replicaOf, password, settings = [], tls, env } = order;
  const binary = redisServer();
  if (binary === undefined) throw new Error(NO_REDIS_SERVER);
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'ratewire-redis-'));
  const secret = password ?? replicaOf?.password ?? randomBytes(24).toString('base64url');
  const lines = [
    'bind 127.0.0.1',
    ...(tls ? tlsLines(port, tls) : [`port ${port}`]),
    `dir ${JSON.stringify(dir)}`,
    `requirepass ${secret}`,
    `masterauth ${secret}`,
    'appendonly yes',
    'appendfsync always',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync-delay 0',
    'daemonize no',
    ...(replicaOf ? [`replicaof 127.0.0.1 ${replicaOf.port}`] : []),
    ...settings,
  ];
  const address: RedisOptions = {
    host: '127.0.0.1',
    port,
    password: secret,
    ...(tls && { tls: { ca: readFileSync(tls.certificate) } }),
  };
  let child = await run(binary, lines, address, env);
  const redis = new Redis({ ...address, retryStrategy: () => 50, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = endOf(child);
    child.kill('SIGKILL');
    await gone;
  };
  return {
    port,
    password: secret,
    redisUrl: `redis${tls ? 's' : ''}://:${secret}@127.0.0.1:${port}`,
    redis,
    pid: () => child.pid ?? 0,
    kill,
    sleep: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    async restart() {
      child = await run(binary, lines, address, env);
    },
    async stop() {
      redis.disconnect();
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const tlsLines = (port: number, { certificate, key }: TlsFiles): readonly string[] => [
  'port 0',
  `tls-port ${port}`,
  `tls-cert-file ${JSON.stringify(certificate)}`,
  `tls-key-file ${JSON.stringify(key)}`,
  `tls-ca-cert-file ${JSON.stringify(certificate)}`,
  'tls-auth-clients no',
  'tls-replication yes',
];

/** Over stdin: a password on the command line is readable by every user of the machine. */
async function run(
  binary: string,
  lines: readonly string[],
  address: RedisOptions,
  env?: RedisOrder['env'],
): Promise<ChildProcess> {
  const child = spawn(binary, ['-'], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  endWithUs(child);
  let words = '';
  child.stdout.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(lines.join('\n'));
  const late = performance.now() + START_MS;
  while (!(await answers(address))) {
    if (child.exitCode !== null || performance.now() > late) {
      child.kill('SIGKILL');
      throw new Error(`redis-server does not start: ${words}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return child;
}

/** Ends it also when this process is killed: the watchdog then reads the end of its input. */
export function endWithUs(child: ChildProcess): void {
  const watch = spawn('sh', ['-c', 'read -r _; kill -9 "$0"', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watch.on('error', () => {});
  child.once('exit', () => watch.kill('SIGKILL'));
}
