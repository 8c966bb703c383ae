/**
 * The session layer with the smallest application: every order and security definition comes back unchanged. What the acceptance
 * scenarios of all versions are run against: `npm run echo-acceptor -- --begin-string FIX.4.2 --port 9876 --sender ISLD --target TW42`.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  Acceptor,
  type AcceptorOptions,
  type Application,
  type BeginString,
  type Field,
  type MessageView,
  memoryStoreFactory,
  profile,
  type SessionProfile,
} from 'node-quickfix-ts';
import { type DictionaryName, readDictionary } from './dictionaries.js';

const ECHOED = new Set(['D', 'd']);

/** What every message is given anew. PossResend(97) is not among them: it belongs to what is echoed. */
const NOT_ECHOED = new Set([8, 9, 10, 34, 35, 43, 49, 50, 52, 56, 57, 115, 116, 122, 128, 129, 142, 143, 144, 145]);

const PROFILE = profile({
  resetOnLogon: true,
  userTags: 'strict',
  stored: ECHOED,
  supported: ECHOED,
  rejects: 'quickfix',
  logoutOnTimeout: false,
});

/** The CompID of the scenarios' peer, and the dictionary; for FIXT.1.1 by ApplVerID(1128). */
const VERSIONS = {
  'FIX.4.0': { target: 'TW40', dictionary: 'FIX40' },
  'FIX.4.1': { target: 'TW41', dictionary: 'FIX41' },
  'FIX.4.2': { target: 'TW42', dictionary: 'FIX42' },
  'FIX.4.3': { target: 'TW43', dictionary: 'FIX43' },
  'FIX.4.4': { target: 'TW44', dictionary: 'FIX44' },
  'FIXT.1.1 7': { target: 'TW50', dictionary: 'FIX50' },
  'FIXT.1.1 8': { target: 'TW50SP1', dictionary: 'FIX50SP1' },
  'FIXT.1.1 9': { target: 'TW50SP2', dictionary: 'FIX50SP2' },
} as const satisfies Record<string, { target: string; dictionary: DictionaryName }>;
/** BeginString(8), and in FIXT.1.1 DefaultApplVerID(1137). */
export type EchoVersion = keyof typeof VERSIONS;

export interface EchoOptions extends Pick<AcceptorOptions, 'now' | 'elapsed'> {
  readonly port: number;
  readonly version?: EchoVersion;
  readonly sender?: string;
  readonly target?: string;
}

export function echoAcceptor({ version = 'FIX.4.4', sender = 'ISLD', target, ...options }: EchoOptions): Acceptor {
  const [beginString, applVerId] = version.split(' ') as [BeginString, string?];
  const dictionary = readDictionary(VERSIONS[version].dictionary);
  const dictionaries =
    applVerId === undefined
      ? { dictionary }
      : { dictionary: readDictionary('FIXT11'), applications: { [applVerId]: dictionary } };
  // The scenarios expect DefaultApplVerID(1137) in the j.
  const unsupportedFields: Field[] = applVerId === undefined ? [] : [[1137, applVerId]];
  return new Acceptor({
    ...options,
    ...dictionaries,
    beginString,
    application: echo(target ?? VERSIONS[version].target, { ...PROFILE, unsupportedFields }),
    store: memoryStoreFactory(),
    senderCompIds: [sender],
  });
}

function echo(target: string, profile: SessionProfile): Application {
  let seen = new Set<string>();
  return {
    authenticate: ({ id }) =>
      id.targetCompId === target
        ? { accept: true, profile, reply: [], context: undefined }
        : { accept: false, silent: true },
    onLogon() {
      seen = new Set();
    },
    onMessage(session, message) {
      const clOrdId = message.string(11);
      if (clOrdId !== undefined) {
        if (message.flag(97) && seen.has(clOrdId)) return;
        seen.add(clOrdId);
      }
      session.send(message.msgType, fieldsOf(message));
    },
    onLogout() {},
  };
}

/** The fields of a message, ascending, unless it has a repeating group, whose order means something. */
function fieldsOf(message: MessageView): Field[] {
  const fields: Field[] = [];
  for (let i = 3; i < message.count; i++) {
    const tag = message.tagAt(i);
    if (!NOT_ECHOED.has(tag)) fields.push([tag, message.stringAt(i) ?? '']);
  }
  const repeats = new Set(fields.map(([tag]) => tag)).size < fields.length;
  return repeats ? fields : fields.sort((a, b) => a[0] - b[0]);
}

const USAGE =
  'npm run echo-acceptor -- [--begin-string FIX.4.0|...|FIX.4.4|FIXT.1.1] [--appl-ver-id 7|8|9] [--port <0-65535>] [--sender <CompID>] [--target <CompID>]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '9876' },
      sender: { type: 'string', default: 'ISLD' },
      target: { type: 'string' },
      'begin-string': { type: 'string', default: 'FIX.4.4' },
      'appl-ver-id': { type: 'string' },
    },
  });
  const { sender, target } = values;
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port ${values.port} is no port: 0 to 65535`);
  const version = versionOf(values['begin-string'], values['appl-ver-id']);
  const acceptor = echoAcceptor({ port, sender, version, ...(target && { target }) });
  const listening = await acceptor.listen();
  console.log(`listening 127.0.0.1:${listening.port}`);
  const stop = (): void => {
    void acceptor.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** FIXT.1.1 alone is FIX 5.0SP2. */
function versionOf(beginString: string, applVerId = beginString === 'FIXT.1.1' ? '9' : undefined): EchoVersion {
  const version = applVerId === undefined ? beginString : `${beginString} ${applVerId}`;
  if (Object.hasOwn(VERSIONS, version)) return version as EchoVersion;
  throw new Error(`--begin-string and --appl-ver-id: ${version} is none of ${Object.keys(VERSIONS).join(', ')}`);
}

/** One line: a taken port or a wrong option is no fault of the program. */
function refuse(error: NodeJS.ErrnoException & { port?: number }): void {
  const taken = error.code === 'EADDRINUSE' ? `port ${error.port} is taken: choose another` : undefined;
  console.error(`${taken ?? error.message} (${USAGE})`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main().catch(refuse);
