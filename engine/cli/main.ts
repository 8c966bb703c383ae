/** The operator's command line: `npx ratewire`. */
import { CommanderError } from 'commander';
import { startFault } from '../program.js';
import { ratewire } from './commands.js';
import { RefusedError } from './operator.js';
import { REFUSED, USAGE } from './run.js';

try {
  await ratewire().parseAsync();
} catch (error) {
  // Commander has printed its own line already.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE);
  process.stderr.write(`${error instanceof RefusedError ? error.message : startFault('ratewire', error)}\n`);
  process.exit(REFUSED);
}
process.exit(process.exitCode ?? 0);
