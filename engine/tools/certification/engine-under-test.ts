/** The engine that a certification runs against: a store, a client and demo rates in a private folder, for this run alone. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Session } from 'node-quickfix-ts';
import type { Log } from '../../domain/core/log.js';
import { RIGHTS } from '../../domain/core/rights.js';
import { createFixGateway } from '../../fix/gateway.js';
import { DEFAULT_TOKEN_WARNING_MS, type FixGatewaySettings } from '../../fix/settings.js';
import { startLedgerScheduler } from '../../roles/conversions/ledger-scheduler.js';
import { type Rates, runFeed } from '../../roles/prices/feed-role.js';
import { isAlive, readStoreFile } from '../../store/managed-redis/store-file.js';
import { type Config, readConfig, SettingError } from '../../wiring/config.js';
import { provideClient } from '../../wiring/demo-client.js';
import type { OnStop } from '../../wiring/program.js';
import { openServices } from '../../wiring/services.js';
import type { EngineUnderTest } from './conductor.js';

/** Chosen by the operator. */
export interface Credentials {
  readonly clientKey: string;
  readonly clientSecret: string;
}

export interface StartedEngine extends EngineUnderTest {
  readonly port: number;
  /** Removed at the end of the run. */
  readonly directory: string;
}

const CLIENT = { id: 'certification', name: 'Certification' };
const RATES = 'simulated';
const DAY_MS = 86_400_000;

/** A folder of its own, which the run removes, or the next run where this one was killed; nothing of it is in DATA_DIR. */
export function privateDirectory(onStop: OnStop): string {
  const prefix = join(tmpdir(), 'ratewire-certify-');
  removeAbandoned(prefix);
  const directory = mkdtempSync(prefix);
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // Also where a fault ends the process.
  process.once('exit', remove);
  onStop(async () => {
    process.off('exit', remove);
    remove();
  });
  return directory;
}

/** Folders whose store has neither an owner nor a server any more; those of another user cannot be read, and stay. */
function removeAbandoned(prefix: string): void {
  try {
    for (const name of readdirSync(dirname(prefix))) {
      const directory = join(dirname(prefix), name);
      const file = directory.startsWith(prefix) ? readStoreFile(directory) : undefined;
      if (file !== undefined && !isAlive(file.owner) && !isAlive(file.server)) rmSync(directory, { recursive: true });
    }
  } catch {}
}

/** What the private engine is set to: of the operator's settings only how tokens are requested. */
export function privateConfig(
  directory: string,
  env: NodeJS.ProcessEnv,
  tls: Readonly<Record<string, string>>,
): Config {
  const { TOKEN_ON_REQUEST } = env;
  return readConfig({ DATA_DIR: directory, HOST: '127.0.0.1', FIX_PORT: '0', TOKEN_ON_REQUEST, ...tls });
}

/** Started parts are stopped by `onStop`, in reverse order. Throws SettingError for credentials that cannot be used. */
export async function startEngine(
  compId: string,
  given: Credentials | undefined,
  config: Config,
  log: Log,
  onStop: OnStop,
): Promise<StartedEngine> {
  const { services, stop } = await openServices(config, log, {
    own: 'start-if-absent',
    program: 'engine',
    prefer: 'embedded',
  });
  onStop(stop);
  const { store } = services;
  await provideClient(store, CLIENT, compId);
  if (given !== undefined)
    await provision(() => store.keys.provision(CLIENT.id, RIGHTS, given.clientKey, given.clientSecret));
  const credentials = given ?? (await store.keys.issue(CLIENT.id, RIGHTS))!;

  const scheduler = startLedgerScheduler(services);
  onStop(scheduler.stop);
  let warningMs = DEFAULT_TOKEN_WARNING_MS;
  const settings: FixGatewaySettings = {
    host: '127.0.0.1',
    port: 0,
    tokenOnRequest: config.TOKEN_ON_REQUEST,
    get tokenWarningMs() {
      return warningMs;
    },
  };
  const gateway = createFixGateway({ services, settings });
  const { port } = await gateway.start();
  onStop(gateway.stop);
  let rates: Promise<Rates> | undefined;
  onStop(async () => (await rates)?.stop());

  return {
    ...credentials,
    port,
    directory: config.DATA_DIR,
    tokenOnRequest: config.TOKEN_ON_REQUEST,
    session: () => loggedOn(gateway.sessions(), compId),
    async startRates() {
      rates ??= runFeed(services, RATES);
      await rates;
    },
    announceExpiry(on) {
      warningMs = on ? DAY_MS : DEFAULT_TOKEN_WARNING_MS;
    },
  };
}

function loggedOn(sessions: Iterable<Session>, compId: string): Session | undefined {
  for (const session of sessions) if (session.id.targetCompId === compId && session.loggedOn) return session;
  return undefined;
}

async function provision(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    // A key or a secret of a form that the store does not keep; the message has neither.
    throw new SettingError(`The credentials cannot be used: ${(error as Error).message}.`);
  }
}
