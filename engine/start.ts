/** What `npm start` runs once everything is built: the store, the engine and the sidecar, stopped in reverse by Ctrl-C. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { startChild } from './children.js';
import { type Config, readConfig, SettingError } from './config.js';
import { demoCredentials, demoFile, writeDemoFile } from './demo-client.js';
import { createLog } from './log.js';
import { type Addresses, readyLine, startFault } from './program.js';
import { storeOptions } from './services.js';
import { openStore } from './store/store.js';

interface Started {
  readonly dataDir: string;
  readonly addresses: Addresses;
  readonly died: Promise<string>;
}

/** Innermost first; stopped from the end. */
const running: { stop(): Promise<void> }[] = [];

const told = new Promise<'told'>((resolve) => {
  // npm passes Ctrl-C on a second time; only the first counts.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('told'));
  // An npm that is killed passes nothing on; it is then no longer our parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && resolve('told'), 500).unref();
});

/** Told to stop in the middle of the start, this long is waited for what is just coming up. */
const START_GRACE_MS = 5_000;

const starting = start();
const ending = await Promise.race([told, untilSomethingEnds()]);
await Promise.race([starting.catch(() => {}), new Promise((resolve) => setTimeout(resolve, START_GRACE_MS))]);
for (const part of running.reverse()) await part.stop().catch(() => {});
if (ending !== 'told') process.stderr.write(`${ending}\n`);
process.exit(ending === 'told' ? 0 : 1);

/** Resolves with the one line that says what ended, or why the start did. */
async function untilSomethingEnds(): Promise<string> {
  try {
    const { addresses, dataDir, died } = await starting;
    process.stdout.write(`${readyLine(addresses)}\n${commandsToTry(dataDir, addresses)}`);
    return await died;
  } catch (error) {
    return startFault('ratewire', error);
  }
}

async function start(): Promise<Started> {
  const config = readConfig();
  const log = createLog('launcher', quiet(config.LOG_LEVEL));
  ownDirectory(config.DATA_DIR);
  const store = await openStore({
    ...storeOptions(config),
    own: 'must-start',
    log,
  });
  running.push({ stop: () => store.close() });

  const credentials = await demoCredentials(store, config.DATA_DIR);
  await unlessTold(undefined);
  const env = { ...process.env, LOG_LEVEL: quiet(config.LOG_LEVEL) };
  // Both at once: the sidecar listens to the relay while the engine fills it.
  const children = [startChild('engine', 'engine/main.js', env), startChild('sidecar', 'rest/main.js', env)] as const;
  running.push(...children);
  const [engine, sidecar] = await unlessTold(Promise.all(children.map((child) => child.ready)));

  const addresses = inOrder({ ...engine, ...sidecar });
  writeDemoFile(config.DATA_DIR, credentials, addresses);
  return { addresses, dataDir: config.DATA_DIR, died: Promise.race(children.map((child) => child.died)) };
}

/** Whoever is told to stop in the middle of the start does not wait until all is up. */
function unlessTold<T>(step: T | Promise<T>): Promise<T> {
  const stop = told.then(() => {
    throw new Error('told to stop');
  });
  return Promise.race([stop, step]);
}

function ownDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
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
  const order = ['fix', 'rest', 'metrics', 'rest-metrics', 'fix-tls'];
  return Object.fromEntries(order.filter((door) => door in found).map((door) => [door, found[door]!]));
}

function commandsToTry(dataDir: string, { rest }: Addresses): string {
  const near = relative(process.cwd(), demoFile(dataDir));
  const file = near.startsWith('..') ? demoFile(dataDir) : near;
  const secrets = `node -p 'd=JSON.parse(fs.readFileSync("${file}"));"header=client_key:"+d.client_key+"\\nheader=client_secret:"+d.client_secret'`;
  const token = `$(${secrets} | curl -s -K - -X POST http://${rest}/api/v1/authentication | node -p 'JSON.parse(fs.readFileSync(0)).token')`;
  return [
    'Try in another terminal:',
    '  npm run desk',
    `  curl -s -H "authorization: Bearer ${token}" "http://${rest}/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD"`,
    '  npx ratewire margins list',
    '',
  ].join('\n');
}
