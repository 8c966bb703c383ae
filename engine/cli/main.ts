/** The operator's command line: `npx ratewire`. Every command is one operation on the running store. */
import { Command, CommanderError } from 'commander';
import { startFault } from '../program.js';
import { addAccountCommands } from './accounts.js';
import { addAuditCommand } from './audit.js';
import { addBookingCommands } from './bookings.js';
import { addClientCommands, keyRightsOption } from './clients.js';
import { addFeeCommands } from './fees.js';
import { addFundingCommands } from './fundings.js';
import { addJournalCommands } from './journal.js';
import { addLedgerCommands } from './ledger.js';
import { addMarginCommands } from './margins.js';
import { RefusedError } from './operator.js';
import { addPairCommands } from './pairs.js';
import { addPaymentCommands } from './payments.js';
import { asOption, REFUSED, runner, runnerAlone, USAGE } from './run.js';
import { addSessionCommands } from './sessions.js';

const program = new Command('ratewire')
  .description('Clients of a running ratewire: their accounts, margins and fees, conversions, fundings and payments.')
  .option('--json', 'print JSON instead of a table')
  .addOption(asOption())
  .showHelpAfterError('(see `ratewire help`)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  ratewire clients create acme --name "Acme Treasury"
  ratewire keys issue acme
  ratewire compids assign ACME1 acme
  ratewire margins set acme EUR/USD 0.15
  ratewire margins set acme '*' 0.25
  ratewire margins explain acme EUR/USD --amount 2500.00 --sell EUR
  ratewire accounts open acme EUR
  ratewire accounts credit 110000000012 2500.00 --reference bank-4711
  ratewire accounts list acme
  ratewire clients limit acme 250000
  ratewire clients change acme --on-behalf yes
  ratewire fees set acme US BANK --fixed 5 --percent 0.25
  ratewire funding list --status PENDING
  ratewire payments list --status COMPLIANCE_VERIFICATION
  ratewire sessions list
  ratewire pairs halt EUR/CHF --reason "peg abandoned"
  ratewire journal acme --limit 50
  ratewire journal archive --before 90d --out /var/lib/ratewire-archive
  ratewire reconcile
  ratewire audit --subject "client acme"

The store is found as the engine finds it: REDIS_URL, else DATA_DIR (./data) of a running \`npm start\`.
Exit codes: 0 done, 1 refused, no store, or something does not agree (reconcile), 2 wrong usage.`,
  );

const run = runner(() => program.opts());

addClientCommands(program, run);

program
  .command('keys')
  .description('client keys and secrets')
  .command('issue <client>')
  .description('issue a key; its secret is shown this once')
  .addOption(keyRightsOption())
  .action((clientId, options) =>
    run(async (ask) => {
      const { clientKey, clientSecret } = await ask('issueKey', { clientId, rights: options.rights });
      return { client: clientId, client_key: clientKey, client_secret: clientSecret };
    }),
  );

program
  .command('compids')
  .description('SenderCompIDs of desks')
  .command('assign <compid> <client>')
  .description('let a desk of the client log on as this SenderCompID(49)')
  .option('--source-time', "send the provider's own time with each price, SourceTime(20017)")
  .option('--disclose-margin', 'send its margin with each price, MarginPercent(20003)')
  .option('--disclose-provider-rate', "send the provider's rate with prices of one side, ProviderRate(20004)")
  .option('--drop-copy', 'tell it of every conversion of the client, by whichever door or session')
  .option('--from <addresses...>', 'where it may log on from (default: anywhere)')
  .action((compId, clientId, { from, ...shown }) =>
    run((ask) => ask('assignCompId', { compId, clientId, addresses: from, ...shown })),
  );

program
  .command('tokens')
  .description('authentication tokens')
  .command('revoke <client>')
  .description("end all the client's tokens at once, and the streams that stand on them; its keys stay good")
  .action((clientId) => run((ask) => ask('revokeClientTokens', { clientId })));

program
  .command('bench')
  .description('benchmarks, on loopback addresses only')
  .command('provision')
  .description('clients bench1..., keys key1..., secrets secret1..., CompIDs CLI0001..., each with a margin of its own')
  .requiredOption('--clients <n>', 'how many', Number)
  .option('--tiers <k>', 'so many different margins instead of one each', Number)
  .action((options) =>
    run((ask) => ask('provisionBenchmarkClients', { clients: options.clients, tiers: options.tiers })),
  );

addMarginCommands(program, run);
addAccountCommands(program, run);
addFeeCommands(program, run);
addBookingCommands(program, run);
addFundingCommands(program, run);
addPaymentCommands(program, run);
addSessionCommands(program, run);
addPairCommands(program, run);
addJournalCommands(
  program,
  run,
  runnerAlone(() => program.opts()),
);
addLedgerCommands(program, run);
addAuditCommand(program, run);

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own line already.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE);
  process.stderr.write(`${error instanceof RefusedError ? error.message : startFault('ratewire', error)}\n`);
  process.exit(REFUSED);
}
process.exit(process.exitCode ?? 0);
