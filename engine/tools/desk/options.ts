/** The options of the rate watcher: `npm run desk -- --pairs EUR/USD,USD/JPY ...`. */
import path from 'node:path';
import { parseArgs } from 'node:util';

export interface DeskOptions {
  readonly pairs: readonly string[];
  /** Unset: the address in the credentials file. */
  readonly host?: string;
  readonly port?: number;
  /** File with the client key, the client secret and the CompIDs. */
  readonly credentials: string;
  /** Prints every FIX message, decoded and redacted, instead of the table. */
  readonly log: boolean;
  /** Latency from the provider's own time, SourceTime(20017), only; else from SendingTime(52) where 20017 is absent. */
  readonly sourceTime: boolean;
  /** Logs out so many seconds after its logon; unset: at Ctrl-C. */
  readonly seconds?: number;
}

export const USAGE = `Shows live rates on the terminal, over FIX, as the demo client.

  npm run desk -- --pairs EUR/USD,USD/JPY [options]

  --pairs <list>         pairs in market convention, 100 at most (default EUR/USD,GBP/USD,USD/JPY)
  --host <address>       where the FIX door listens (default: what the credentials file says, else 127.0.0.1)
  --port <number>        and its port (default: what the credentials file says, else 5200)
  --credentials <file>   default: demo-client.json in the data directory (DATA_DIR, else ./data)
  --source-time          latency only from the provider's own time, SourceTime(20017)
  --log                  every FIX message, decoded, secrets replaced by ***, instead of the table
  --seconds <n>          log out n seconds after the logon (default: at Ctrl-C)
  --help                 this text`;

/** The options, `help`, or one line that says what is wrong. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): DeskOptions | 'help' | Error {
  const parsed = parse(args);
  if (parsed instanceof Error) return parsed;
  const { values } = parsed;
  if (values.help) return 'help';

  const pairs = [...new Set(values.pairs.split(',').map((symbol) => symbol.trim().toUpperCase()))].filter(Boolean);
  if (pairs.length === 0 || pairs.length > 100)
    return new Error('--pairs takes 1 to 100 pairs, such as EUR/USD,USD/JPY');
  const port = wholeNumber(values.port, 1, 65_535);
  if (values.port !== undefined && port === undefined) return new Error('--port takes a number from 1 to 65535');
  const seconds = wholeNumber(values.seconds, 1, 604_800);
  if (values.seconds !== undefined && seconds === undefined)
    return new Error('--seconds takes a number from 1 to 604800');

  return {
    pairs,
    credentials: path.resolve(values.credentials ?? path.join(env.DATA_DIR || 'data', 'demo-client.json')),
    log: values.log,
    sourceTime: values['source-time'],
    ...(values.host !== undefined && { host: values.host }),
    ...(port !== undefined && { port }),
    ...(seconds !== undefined && { seconds }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        pairs: { type: 'string', default: 'EUR/USD,GBP/USD,USD/JPY' },
        host: { type: 'string' },
        port: { type: 'string' },
        credentials: { type: 'string' },
        seconds: { type: 'string' },
        log: { type: 'boolean', default: false },
        'source-time': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (fault) {
    return new Error(`${(fault as Error).message.split('\n')[0]} (--help shows the options)`);
  }
}

function wholeNumber(text: string | undefined, from: number, to: number): number | undefined {
  const n = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return n >= from && n <= to ? n : undefined;
}
