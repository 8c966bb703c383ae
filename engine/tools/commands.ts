/** Every command of the operator's command line, with its help. Each is one operation on the running store. */

import { Command } from 'commander';
import { addClientCommands } from '../cli/access/clients.js';
import { addCompIdCommands } from '../cli/access/comp-ids.js';
import { addKeyCommands } from '../cli/access/keys.js';
import { addTokenCommands } from '../cli/access/tokens.js';
import { addAccountCommands } from '../cli/accounts/accounts.js';
import { addAuditCommand } from '../cli/audit/audit.js';
import { addJournalCommands } from '../cli/audit/journal.js';
import { addLedgerCommands } from '../cli/audit/ledger.js';
import { addBatchCommands } from '../cli/batches/batches.js';
import { addBeneficiaryCommands } from '../cli/beneficiaries/beneficiaries.js';
import { addBookingCommands } from '../cli/conversions/bookings.js';
import { addHoldCommands } from '../cli/conversions/holds.js';
import { addCoverCommands } from '../cli/cover/cover.js';
import { addFundingCommands } from '../cli/fundings/fundings.js';
import { addFeeCommands } from '../cli/payments/fees.js';
import { addPaymentCommands } from '../cli/payments/payments.js';
import { addMarginCommands } from '../cli/prices/margins.js';
import { addPairCommands } from '../cli/prices/pairs.js';
import { addPricingCommands } from '../cli/prices/pricing.js';
import { addExplainCommand } from '../cli/record/explain.js';
import { addQualityCommand } from '../cli/record/quality.js';
import { addRecordCommands } from '../cli/record/record.js';
import { addReplayCommand } from '../cli/record/replay.js';
import { addLimitCommands } from '../cli/risk/limits.js';
import { addPositionCommand } from '../cli/risk/positions.js';
import { addHouseCommands } from '../cli/risk/trading-states.js';
import { asOption, runner, runnerAlone } from '../cli/run.js';
import { addSandboxCommands } from '../cli/sandbox/sandbox.js';
import { addMessageCommands } from '../cli/sessions/messages.js';
import { addSessionCommands } from '../cli/sessions/sessions.js';
import { addStoreCommands } from '../cli/system/store.js';
import { addWebhookCommands } from '../cli/webhooks/webhooks.js';
import { projectVersion } from '../domain/data/data-file.js';
import { addCertifyCommand } from './certification/certify-command.js';
import { addListenCommand } from './trial/listen.js';
import { addTriggerCommand } from './trial/trigger.js';

const BENCH = `
These secrets can be guessed: rejected with NOT_ENTITLED unless HOST and REDIS_URL are of this machine only. Never use it on a store that
clients deal on.

Examples:
  ratewire bench provision --clients 10 --tiers 2`;

/** A new one each time: what it has parsed stays in it. */
export function ratewire(): Command {
  const program = new Command('ratewire')
    .description(
      'What an operator does on a running ratewire: clients and who of them may do what, accounts, margins and fees, conversions, fundings and payments, sessions and pairs, the journal, and the log of all that.',
    )
    .option('--json', 'print JSON instead of a table')
    .addOption(asOption())
    .version(projectVersion(), '--version', 'print the version')
    .configureOutput({ outputError: (fault, write) => write(`${fault.trimEnd().replaceAll('\n', ' ')} `) })
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  ratewire clients create acme --name "Acme Treasury"
  ratewire keys issue acme
  ratewire compids assign ACME1 acme
  ratewire tokens list acme
  ratewire holds list acme
  ratewire margins set acme EUR/USD 0.15
  ratewire margins set acme '*' 0.25
  ratewire margins explain acme EUR/USD --amount 2500.00 --sell EUR
  ratewire limits set acme --deal 1000000 --nop 5000000
  ratewire pricing set EUR/USD --skew 0.5 --skew-max 3
  ratewire accounts open acme EUR
  ratewire accounts credit 110000000012 2500.00 --reference bank-4711
  ratewire accounts list acme
  ratewire clients limit acme 250000
  ratewire clients change acme --on-behalf yes
  ratewire fees set acme US BANK --fixed 5 --percent 0.25
  ratewire fundings list --status PENDING
  ratewire payments list --status COMPLIANCE_VERIFICATION
  ratewire sandbox payment PAY01K4M2V7Q8Z3X5YAB returned
  ratewire webhooks list acme
  ratewire sessions list
  ratewire positions --by currency
  ratewire explain BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ
  ratewire pairs halt EUR/CHF --reason "peg abandoned"
  ratewire clients halt acme --reason "orders without end"
  ratewire house show
  ratewire journal acme --limit 50
  ratewire journal archive --before 90d --out /var/lib/ratewire-archive
  ratewire messages --session ACME1 --from 2d --decode
  ratewire reconcile
  ratewire audit --subject "client acme"
  ratewire store ports
  ratewire store forecast
  ratewire store clock
  ratewire listen --forward-to http://127.0.0.1:3000/hook
  ratewire trigger payment.paid
  ratewire certify ACME1

The store is found as the engine finds it: REDIS_URL, else DATA_DIR (./data) of a running \`npm start\`.
Each command that changes something is written down, with who gave it: \`ratewire audit --help\`.
Tables are for people; with --json the same is a JSON object, or a list of them, on stdout, and refusals are one line on stderr.
Exit codes: 0 done, 1 refused, no store, or something does not agree (reconcile), 2 wrong usage,
130 stopped by Ctrl-C (128 and the number of the signal): what was not whole is taken away.`,
    );

  const run = runner(() => program.opts());

  addClientCommands(program, run);

  addKeyCommands(program, run);
  addCompIdCommands(program, run);
  addTokenCommands(program, run);
  addHoldCommands(program, run);

  program
    .command('bench')
    .description('benchmarks, on loopback addresses only')
    .addHelpText('after', BENCH)
    .command('provision')
    .description(
      'clients bench1..., keys key1..., secrets secret1..., CompIDs CLI0001..., each with a margin of its own',
    )
    .requiredOption('--clients <n>', 'how many', Number)
    .option('--tiers <k>', 'so many different margins instead of one each', Number)
    .addHelpText('after', BENCH)
    .action((options) =>
      run((ask) => ask('provisionBenchmarkClients', { clients: options.clients, tiers: options.tiers })),
    );

  addMarginCommands(program, run);
  addLimitCommands(program, run);
  addPositionCommand(program, run);
  addCoverCommands(program, run);
  addPricingCommands(program, run);
  addExplainCommand(program, run);
  addAccountCommands(program, run);
  addFeeCommands(program, run);
  addBookingCommands(program, run);
  addFundingCommands(program, run);
  addPaymentCommands(program, run);
  addSandboxCommands(program, run);
  addWebhookCommands(program, run);
  addBatchCommands(program, run);
  addBeneficiaryCommands(program, run);
  addSessionCommands(program, run);
  addPairCommands(program, run);
  addHouseCommands(program, run);
  addJournalCommands(
    program,
    run,
    runnerAlone(() => program.opts()),
  );
  addMessageCommands(
    program,
    runnerAlone(() => program.opts()),
  );
  addRecordCommands(
    program,
    runnerAlone(() => program.opts()),
  );
  addQualityCommand(program, run);
  addReplayCommand(
    program,
    runnerAlone(() => program.opts()),
  );
  addLedgerCommands(program, run);
  addAuditCommand(program, run);
  addStoreCommands(
    program,
    runner(() => program.opts(), { own: 'start-if-absent' }),
  );

  addListenCommand(program);
  addTriggerCommand(program);
  addCertifyCommand(program);

  pointToHelp(program, 'ratewire');
  return program;
}

/** What is wrong, and whose help says what is right, in one line. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(see \`${name} --help\`)`);
  for (const below of command.commands) pointToHelp(below, `${name} ${below.name()}`);
}
