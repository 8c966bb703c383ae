/** Why the price of a conversion or a hold was what it was, computed again to the last digit. */
import type { Command } from 'commander';
import type { Run } from '../run.js';

const HOW = `
Everything that was stored with the record, in the step that booked or held it: the providers' quotes of each leg, the second best provider's
price, the age, the margin rule and what changed it. Then the arithmetic, computed again from the quotes: provider price, margin, client price, amounts,
margin in money. The last line says that it agrees, or names each value and the digit that differs; then the exit code is 1. A price over
several levels of the book is volume-weighted, and is taken as stored: the proof has the first level alone.
A hold is kept for 7 days after its end. Without --client every client is searched.

Examples:
  ratewire explain BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ
  ratewire explain HLD01K4M2V7Q8Z3X5YAB --client acme --json`;

export function addExplainCommand(program: Command, run: Run): void {
  program
    .command('explain <id>')
    .description('why the price of a conversion or a hold was what it was, with the arithmetic')
    .option('--client <client>', 'whose it is')
    .addHelpText('after', HOW)
    .action((id, { client: clientId }) =>
      run(async (ask) => {
        const explained = await ask('explainPrice', { id, clientId });
        // What computes with prices is not loaded for the help.
        const { shownPrice } = await import('./explained.js');
        return shownPrice(explained);
      }),
    );
}
