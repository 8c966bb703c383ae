/** The operator's command line: `npx ratewire`. Every command is one operation on the running store. */
import { Command, CommanderError, Option } from 'commander';
import { BOOK_FX_TYPES } from '../domain/book-fx-type.js';
import { startFault } from '../program.js';
import { addAccountCommands } from './accounts.js';
import { addAuditCommand } from './audit.js';
import { addBookingCommands } from './bookings.js';
import { addClientCommands, keyRightsOption } from './clients.js';
import { addFeeCommands } from './fees.js';
import { addFundingCommands } from './fundings.js';
import { addLedgerCommands } from './ledger.js';
import { marginRow, RefusedError } from './operator.js';
import { addPairCommands } from './pairs.js';
import { addPaymentCommands } from './payments.js';
import { asOption, REFUSED, runner, USAGE } from './run.js';
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
  ratewire margins list --client acme --json
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
  ratewire reconcile
  ratewire audit --subject "client acme"

The store is found as the engine finds it: REDIS_URL, else DATA_DIR (./data) of a running \`npm start\`.
Exit codes: 0 done, 1 refused, no store, or something does not agree (reconcile), 2 wrong usage.`,
  );

const run = runner(() => program.opts());

const type = () => new Option('--type <type>', 'settlement type').choices(['*', ...BOOK_FX_TYPES]).default('*');

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

const margins = program.command('margins').description('margin percent by client, pair and type; * is all');
margins
  .command('set <client> <pair> <percent>')
  .description('set a margin, live everywhere within a second')
  .addOption(type())
  .action((clientId, pair, margin, options) =>
    run(async (ask) => marginRow(await ask('setMargin', { clientId, pair, type: options.type, margin }))),
  );
margins
  .command('list')
  .description('the margin rules in force')
  .option('--client <client>', 'only those of this client')
  .action((options) =>
    run(async (ask) => (await ask('listMargins', { clientId: options.client })).margins.map(marginRow)),
  );
margins
  .command('remove <client> <pair>')
  .description('take a rule away; what no rule covers is no longer offered')
  .addOption(type())
  .action((clientId, pair, options) => run((ask) => ask('removeMargin', { clientId, pair, type: options.type })));

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

addAccountCommands(program, run);
addFeeCommands(program, run);
addBookingCommands(program, run);
addFundingCommands(program, run);
addPaymentCommands(program, run);
addSessionCommands(program, run);
addPairCommands(program, run);
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
