/** `npm run desk`: live rates on a terminal, over FIX, the way every desk takes them. */
import { connect } from 'node:net';
import { Dictionary } from 'node-quickfix-ts';
import { shownLine, shownText } from '../../cli/unshown.js';
import { FIX_DICTIONARY, readProjectFile } from '../../domain/data/data-file.js';
import { type DeskCredentials, readCredentials } from './credentials.js';
import { DeskSession } from './desk-session.js';
import { type DeskOptions, readOptions, USAGE } from './options.js';
import { type PriceUpdate, Quotes } from './quotes.js';
import { plainLine } from './screen.js';
import { Terminal } from './terminal.js';
import { openWireLog } from './wire-log.js';

const WRONG_USAGE = 2;
const NO_SOURCE_TIME =
  'No latency: the prices carry no SourceTime(20017); the operator turns it on: npx ratewire compids assign <CompID> <client> --source-time';

const options = readOptions(process.argv.slice(2), process.env);
if (options === 'help') end(0, USAGE);
else if (options instanceof Error) end(WRONG_USAGE, options.message);
else {
  const credentials = readCredentials(options.credentials);
  if (credentials instanceof Error) end(1, credentials.message);
  else await watch(options, credentials);
}

async function watch(options: DeskOptions, credentials: DeskCredentials): Promise<void> {
  const { host, port } = { ...credentials, ...options };
  if (!(await listens(host, port))) {
    return end(
      1,
      `Nothing listens on ${host}:${port}: run npm start first, or name the address with --host and --port`,
    );
  }
  const dictionary = Dictionary.parse(readProjectFile(FIX_DICTIONARY));
  const quotes = new Quotes(options.pairs);
  const terminal = process.stdout.isTTY && !options.log ? new Terminal(process.stdout, quotes) : undefined;
  const print = (line: string) => process.stdout.write(`${line}\n`);
  let noticed = '';
  const notice = (line: string): void => {
    // Prices come faster than a person reads the same line.
    if (line === noticed) return;
    noticed = line;
    if (terminal) terminal.notice(line);
    else process.stderr.write(`${shownLine(line)}\n`);
  };
  // A pipe that was closed (head, grep -q) is the end of the watching, not a fault.
  process.stdout.on('error', () => process.exit(0));

  const via = options.log
    ? { host: '127.0.0.1', port: await openWireLog(host, port, dictionary, print) }
    : { host, port };
  let finish: (fault?: string) => void = () => {};
  const finished = new Promise<string | undefined>((resolve) => {
    finish = resolve;
  });
  const session = new DeskSession(
    { credentials, ...via, pairs: options.pairs, dictionary, sourceTime: options.sourceTime },
    {
      onUp() {
        if (options.seconds !== undefined) setTimeout(() => finish(), options.seconds * 1000);
      },
      onPrice(update) {
        const quote = quotes.take(update);
        if (lacksSourceTime(options, update)) notice(NO_SOURCE_TIME);
        if (quote && !terminal && !options.log) print(plainLine(quote));
      },
      onNotice: notice,
      onEnd: (line) => finish(line),
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => finish());
  session.start();
  const second = setInterval(() => quotes.secondPassed(), 1_000);
  terminal?.start();

  const fault = await finished;
  clearInterval(second);
  terminal?.stop();
  await session.stop();
  end(fault === undefined ? 0 : 1, fault);
}

function lacksSourceTime({ sourceTime }: DeskOptions, { bid, offer, latencyMs }: PriceUpdate): boolean {
  return sourceTime && latencyMs === undefined && Boolean(bid || offer);
}

/** The last line: the requested result on stdout, a fault on stderr. */
function end(code: number, line?: string): void {
  const exit = () => process.exit(code);
  if (line === undefined) exit();
  else (code === 0 ? process.stdout : process.stderr).write(`${shownText(line)}\n`, exit);
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
