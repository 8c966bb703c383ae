/**
 * The session layer with the smallest application: every order and security definition comes back unchanged. What the acceptance
 * scenarios of all versions are run against: `npm run echo-acceptor -- --begin-string FIX.4.2 --port 9876 --sender ISLD --target TW42`.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  Acceptor,
  type Application,
  type BeginString,
  type Field,
  type MessageView,
  memoryStoreFactory,
  profile,
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
  logoutOnTimeout: false,
});

/** The CompID of the scenarios' peer, and the dictionary. */
const VERSIONS = {
  'FIX.4.0': { target: 'TW40', dictionary: 'FIX40' },
  'FIX.4.1': { target: 'TW41', dictionary: 'FIX41' },
  'FIX.4.2': { target: 'TW42', dictionary: 'FIX42' },
  'FIX.4.3': { target: 'TW43', dictionary: 'FIX43' },
  'FIX.4.4': { target: 'TW44', dictionary: 'FIX44' },
} as const satisfies Partial<Record<BeginString, { target: string; dictionary: DictionaryName }>>;
type EchoedVersion = keyof typeof VERSIONS;

export interface EchoOptions {
  readonly port: number;
  readonly sender?: string;
  readonly target?: string;
  readonly beginString?: EchoedVersion;
}

export function echoAcceptor(options: EchoOptions): Acceptor {
  const { beginString = 'FIX.4.4', port, sender = 'ISLD', target = VERSIONS[beginString].target } = options;
  return new Acceptor({
    port,
    beginString,
    dictionary: readDictionary(VERSIONS[beginString].dictionary),
    application: echo(target),
    store: memoryStoreFactory(),
    senderCompIds: [sender],
  });
}

function echo(target: string): Application {
  let seen = new Set<string>();
  return {
    authenticate: ({ id }) =>
      id.targetCompId === target
        ? { accept: true, profile: PROFILE, reply: [], context: undefined }
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
  'npm run echo-acceptor -- [--begin-string FIX.4.0|...|FIX.4.4] [--port <0-65535>] [--sender <CompID>] [--target <CompID>]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '9876' },
      sender: { type: 'string', default: 'ISLD' },
      target: { type: 'string' },
      'begin-string': { type: 'string', default: 'FIX.4.4' },
    },
  });
  const { sender, target, 'begin-string': beginString } = values;
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port ${values.port} is no port: 0 to 65535`);
  if (!isVersion(beginString)) {
    throw new Error(`--begin-string ${beginString} is no version: ${Object.keys(VERSIONS).join(', ')}`);
  }
  const acceptor = echoAcceptor({ port, sender, beginString, ...(target && { target }) });
  const listening = await acceptor.listen();
  console.log(`listening 127.0.0.1:${listening.port}`);
  const stop = (): void => {
    void acceptor.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function isVersion(text: string): text is EchoedVersion {
  return Object.hasOwn(VERSIONS, text);
}

/** One line: a taken port or a wrong option is no fault of the program. */
function refuse(error: NodeJS.ErrnoException & { port?: number }): void {
  const taken = error.code === 'EADDRINUSE' ? `port ${error.port} is taken: choose another` : undefined;
  console.error(`${taken ?? error.message} (${USAGE})`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main().catch(refuse);
