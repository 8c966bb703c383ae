/** The operator's command line: `npx ratewire`. */
import { CommanderError } from 'commander';
import { RefusedError } from '../cli/ask.js';
import { REFUSED, USAGE } from '../cli/run.js';
import { listenForSignals } from '../cli/signals.js';
import { shownLine, shownText } from '../cli/unshown.js';
import { startFault } from '../wiring/program.js';
import { ratewire } from './commands.js';

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // Who reads may have enough of it: `| head`.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`stdout cannot be written: ${code}\n`);
  process.exit(REFUSED);
});
listenForSignals();

/** What stdout says of the last line comes in the next turn. */
async function leave(code: number): Promise<never> {
  await new Promise((turned) => setImmediate(turned));
  return process.exit(code);
}

try {
  await ratewire().parseAsync();
} catch (error) {
  // Commander has printed its own line already.
  if (error instanceof CommanderError) await leave(error.exitCode === 0 ? 0 : USAGE);
  const line = error instanceof RefusedError ? shownLine(error.message) : shownText(startFault('ratewire', error));
  process.stderr.write(`${line}\n`);
  await leave(REFUSED);
}
await leave(Number(process.exitCode ?? 0));
