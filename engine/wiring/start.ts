/** What `npm start` runs once everything is built: the store, the engine and the sidecar, stopped in reverse by Ctrl-C. */

import { join, relative } from 'node:path';
import { withTimeout } from '../domain/with-timeout.js';
import { sealOldCards } from '../service/payments/sealed-cards.js';
import { ownDirectory } from '../store/managed-redis/directory.js';
import { openStore } from '../store/store.js';
import { SIDECAR_FLAGS, startChild } from './children.js';
import { type Config, readConfig, requireModes, SettingError, storeOptions } from './config.js';
import { demoCredentials, writeDemoFile } from './demo-client.js';
import { checkReachable } from './listen-hosts.js';
import { createLog } from './log.js';
import { type Addresses, readyLine, startFault } from './program.js';

interface Started {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly hasDemo: boolean;
  readonly died: Promise<string>;
}

/** Innermost first; stopped from the end. */
const running: { stop(): Promise<void> }[] = [];

const signalled = new Promise<'signalled'>((resolve) => {
  // npm passes Ctrl-C on a second time; only the first counts.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('signalled'));
  // A killed npm passes no signal on; it is then no longer this process's parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve('signalled'), 500).unref();
});

/** At a signal during the start: how long the stop waits for parts that are starting. */
const START_GRACE_MS = 5_000;

const starting = start();
const ending = await Promise.race([signalled, untilSomethingEnds()]);
await withTimeout(
  starting.catch(() => {}),
  START_GRACE_MS,
  () => {},
);
for (const part of running.reverse()) await part.stop().catch(() => {});
if (ending !== 'signalled') process.stderr.write(`${ending}\n`);
process.exit(ending === 'signalled' ? 0 : 1);

/** Resolves with the one line that says what ended, or why the start did. */
async function untilSomethingEnds(): Promise<string> {
  try {
    const started = await starting;
    process.stdout.write(`${readyLine(started.addresses)}\n${commandsToTry(started)}`);
    return await started.died;
  } catch (error) {
    return startFault('ratewire', error);
  }
}

async function start(): Promise<Started> {
  const config = readConfig();
  // It starts both; the sidecar needs what the engine does, and more.
  requireModes(config, 'sidecar');
  checkReachable(config);
  const log = createLog('launcher', quiet(config.LOG_LEVEL));
  writable(config.DATA_DIR);
  const store = await openStore({
    ...storeOptions(config),
    own: 'must-start',
    log,
  });
  running.push({ stop: () => store.close() });

  // Before anything else connects: an embedded server is started again for it.
  await sealOldCards(store, log);
  const { credentials, skipped } = await demoCredentials(store, config.DATA_DIR, config.DEMO);
  if (skipped && (credentials === undefined || config.REDIS_URL !== undefined)) log.warn({}, skipped);
  await unlessSignalled(undefined);
  const env = { ...process.env, LOG_LEVEL: quiet(config.LOG_LEVEL) };
  // Both at once: the sidecar listens to the relay while the engine fills it.
  const children = [
    startChild('engine', 'engine/main.js', env),
    startChild('sidecar', 'rest/main.js', env, SIDECAR_FLAGS),
  ] as const;
  running.push(...children);
  const [engine, sidecar] = await unlessSignalled(Promise.all(children.map((child) => child.ready)));

  const addresses = inOrder({ ...engine, ...sidecar });
  if (credentials) writeDemoFile(config.DATA_DIR, credentials, addresses);
  return {
    addresses,
    config,
    hasDemo: credentials !== undefined,
    died: Promise.race(children.map((child) => child.died)),
  };
}

/** A signal during the start ends it: the stop does not wait for the remaining parts. */
function unlessSignalled<T>(step: T | Promise<T>): Promise<T> {
  const stop = signalled.then(() => {
    throw new Error('stopped by a signal');
  });
  return Promise.race([stop, step]);
}

function writable(dataDir: string): void {
  try {
    ownDirectory(dataDir);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code;
    throw new SettingError(`DATA_DIR ${dataDir} cannot be written (${why}): set DATA_DIR to a directory of your own.`);
  }
}

/** A person's terminal shows what needs a person, unless LOG_LEVEL asks for more. */
function quiet(level: Config['LOG_LEVEL']): string {
  return process.env.LOG_LEVEL ? level : 'warn';
}

function inOrder(found: Addresses): Addresses {
  const order = ['fix', 'rest', 'metrics', 'rest-metrics', 'fix-tls', 'rest-tls'];
  return Object.fromEntries(order.filter((door) => door in found).map((door) => [door, found[door]!]));
}

/** To be pasted into another terminal as they are, so they say where the data is when that is not the usual place. */
function commandsToTry({ config, addresses, hasDemo }: Started): string {
  const { DATA_DIR, REDIS_URL, LIVE } = config;
  const { metrics, rest } = addresses;
  if (!hasDemo) return `Try in another terminal:\n  curl http://${metrics}/ready\n`;
  const near = relative(process.cwd(), DATA_DIR);
  const dataDir = near.startsWith('..') ? DATA_DIR : near;
  const where = near === 'data' ? '' : `DATA_DIR=${quoted(dataDir)} `;
  const rates = [`${where}npm run desk -- --pairs EUR/USD,USD/JPY`, `${where}npm run rate -- EUR USD`];
  // Another terminal does not have REDIS_URL, and it may hold a password.
  const last = REDIS_URL
    ? [`curl http://${metrics}/ready`]
    : [`${where}npx ratewire accounts list demo`, `${where}npx ratewire margins list`];
  const page =
    LIVE === 'on' ? [`The live page, for the keys in ${join(dataDir, 'demo-client.json')}: http://${rest}/live`] : [];
  return [...page, 'Try in another terminal:', ...[...rates, ...last].map((command) => `  ${command}`), ''].join('\n');
}

function quoted(path: string): string {
  return /^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
