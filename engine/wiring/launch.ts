/** What `npm start` does beside its two programs: the store where none is given, the demo client, and what it prints. */

import { join, relative } from 'node:path';
import type { Log } from '../domain/core/log.js';
import { ownDirectory } from '../store/managed-redis/directory.js';
import { openStore } from '../store/store.js';
import type { Child } from './children.js';
import { type Config, readConfig, requireNamed, SettingError, storeOptions } from './config.js';
import { demoCredentials, writeDemoFile } from './demo-client.js';
import { checkReachable } from './listen-hosts.js';
import { type Addresses, type OnStop, readyLine } from './program.js';

interface Started {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly hasDemo: boolean;
}

/** Resolves with what is printed when everything is ready. A signal ends it: the stop does not wait for the remaining parts. */
export async function launch(
  { engine, sidecar }: Readonly<Record<'engine' | 'sidecar', Child>>,
  signalled: Promise<unknown>,
  onStop: OnStop,
): Promise<string> {
  const unlessSignalled = <T>(step: T | Promise<T>): Promise<T> => {
    const stopped = signalled.then(() => {
      throw new Error('stopped by a signal');
    });
    return Promise.race([stopped, step]);
  };
  const config = readConfig();
  requireNamed(config, 'npm start');
  checkReachable(config);
  const log = lazyLog(process.env.LOG_LEVEL ? config.LOG_LEVEL : 'warn');
  writable(config.DATA_DIR);
  const store = await openStore({ ...storeOptions(config), own: 'must-start', log });
  onStop(() => store.close());

  await unlessSignalled(undefined);
  // Both at once: the sidecar listens to the relay while the engine fills it.
  for (const child of [engine, sidecar]) child.begin();
  const { credentials, skipped } = await demoCredentials(store, config.DATA_DIR, config.DEMO);
  if (skipped && (credentials === undefined || config.REDIS_URL !== undefined)) log.warn({}, skipped);
  await store.disconnect();
  const ready = await unlessSignalled(Promise.all([engine.ready, sidecar.ready]));

  const addresses = inOrder({ ...ready[0], ...ready[1] });
  if (credentials) writeDemoFile(config.DATA_DIR, credentials, addresses);
  return `${readyLine(addresses)}\n${commandsToTry({ config, addresses, hasDemo: credentials !== undefined })}`;
}

/** Loads the library of the log at its first line: most starts have none, and the programs wait for this process. */
function lazyLog(level: string): Log {
  let loaded: Promise<Log> | undefined;
  const line = (kind: keyof Log) => (fields: object, message: string) => {
    loaded ??= import('./log.js').then(({ createLog }) => createLog('launcher', level));
    void loaded.then((log) => log[kind](fields, message));
  };
  const info = level === 'warn' || level === 'error' ? () => {} : line('info');
  return { info, warn: line('warn'), error: line('error') };
}

function writable(dataDir: string): void {
  try {
    ownDirectory(dataDir);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code;
    throw new SettingError(`DATA_DIR ${dataDir} cannot be written (${why}): set DATA_DIR to a directory of your own.`);
  }
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
