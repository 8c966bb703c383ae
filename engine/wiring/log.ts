/** The log of one program: JSON lines on stderr, with every secret removed before it is written. */

import { type DestinationStream, destination, pino } from 'pino';
import type { Log } from '../domain/core/log.js';

const SECRETS = ['client_key', 'client_secret', 'authorization', 'token', 'password', 'secret', 'account_number'];

/** `level` as LOG_LEVEL. Unread lines beyond 1 MiB are dropped, so that no tick waits for stderr. */
export function createLog(program: string, level: string): Log {
  const out = destination({ dest: 2, sync: false, maxLength: 1_048_576 });
  if (level !== 'silent') process.once('exit', () => flush(out));
  return pino(
    {
      level,
      base: { program, pid: process.pid },
      // A word instead of pino's number.
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    },
    out as DestinationStream,
  );
}

function flush(out: { flushSync(): void }): void {
  try {
    out.flushSync();
  } catch {
    // stderr is closed: the error cannot be reported.
  }
}
