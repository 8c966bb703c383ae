/** The commands of a sandbox: outcomes of payments, fundings and conversions on demand. */
import { type Command, Option } from 'commander';
import {
  BANK_SUB_STATUSES,
  CONVERSION_OUTCOMES,
  FUNDING_OUTCOMES,
  PAYMENT_OUTCOMES,
} from '../../domain/sandbox/sandbox.js';
import type { Run } from '../run.js';
import { isoTime, shownOne } from '../show.js';

const HOW = `
Only where the ports are sandboxes (ratewire store ports): elsewhere each command is refused with WRONG_STATE. Clients have the same over REST,
for their own: docs/sandbox.md says what each outcome does, and from which status it can be reached.

Payments:    ${PAYMENT_OUTCOMES.join(' ')}
Fundings:    ${FUNDING_OUTCOMES.join(' ')}
Conversions: ${CONVERSION_OUTCOMES.join(' ')}

Examples:
  ratewire sandbox payment PAY01K4M2V7Q8Z3X5YAB paid --sub-status DEEMED_PAID
  ratewire sandbox payment PAY01K4M2V7Q8Z3X5YAB returned --reason "account closed"
  ratewire sandbox funding GLR01K4M2V7Q8Z3X5YAB completed
  ratewire sandbox conversion BFX01K4M2V7Q8Z3X5YAB overdue
  ratewire sandbox clock acme 2d`;

const REASON = ['--reason <text>', 'why; the journal keeps it (optional)'] as const;

export function addSandboxCommands(program: Command, run: Run): void {
  const sandbox = program.command('sandbox').description('outcomes on demand, in a sandbox').addHelpText('after', HOW);
  sandbox
    .command('payment <id> <outcome>')
    .description('lead a payment to an outcome')
    .addOption(new Option('--sub-status <word>', 'with processing and paid').choices(BANK_SUB_STATUSES))
    .option(...REASON)
    .action((paymentId, outcome, { subStatus, reason }) =>
      run(async (ask) => {
        const { clientId, payment } = await ask('decidePayment', { paymentId, outcome, subStatus, reason });
        const { id: payment_id, status, subStatus: sub_status, bankReference: bank_reference } = payment;
        return shownOne({ payment_id, client: clientId, status, sub_status, bank_reference });
      }),
    );
  sandbox
    .command('funding <gl> <outcome>')
    .description('decide about a funding')
    .option(...REASON)
    .action((fundingId, outcome, { reason }) =>
      run(async (ask) => {
        const { clientId, funding } = await ask('decideFunding', { fundingId, outcome, reason });
        return shownOne({ gl_reference_number: funding.id, client: clientId, status: funding.status });
      }),
    );
  sandbox
    .command('conversion <id> <outcome>')
    .description('lead a conversion to an outcome')
    .option(...REASON)
    .action((confirmationId, outcome, { reason }) =>
      run(async (ask, { followRates }) => {
        if (outcome === 'closed-out') await followRates();
        const { clientId, booking } = await ask('decideConversion', { confirmationId, outcome, reason });
        return shownOne({ confirmation_id: booking.id, client: clientId, status: booking.status });
      }),
    );
  sandbox
    .command('clock <client> [time]')
    .description("a client's own clock; with a time (90s, 30m, 24h, 2d) advances it")
    .option(...REASON)
    .action((clientId, advance, { reason }) =>
      run(async (ask) => {
        const { nowMs, aheadMs, leftMs } = await (advance === undefined
          ? ask('readClientClock', { clientId })
          : ask('advanceClientClock', { clientId, advance, reason }));
        const seconds = { ahead_seconds: Math.floor(aheadMs / 1_000), left_seconds: Math.floor(leftMs / 1_000) };
        return shownOne({ client: clientId, now: isoTime(nowMs), ...seconds });
      }),
    );
}
