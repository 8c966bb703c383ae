/** Who may connect, and how each is treated. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PAYEE_ANSWERS } from '../../domain/beneficiaries/payee-verification.js';
import { subClientId } from '../../domain/core/ids.js';
import { ALL_RIGHTS, RIGHTS } from '../../domain/core/rights.js';
import { BOOK_FX_TYPES } from '../../domain/money/value-date.js';
import type { OutputOf } from '../../service/operations.js';
import { type Ask, allClients } from '../ask.js';
import { addClientStateCommands } from '../risk/trading-states.js';
import type { Run } from '../run.js';
import { isoTime, type Shown, shownList, shownOne } from '../show.js';

type Client = OutputOf<'showClient'>;

const HOW = `
A client is a company that deals with you. It needs a key to come in (\`ratewire keys issue\`), a CompID for each desk (\`ratewire compids
assign\`), margins for what it may deal in (\`ratewire margins set\`) and accounts (\`ratewire accounts open\`).

Examples:
  ratewire clients create acme --name "Acme Treasury"
  ratewire clients list
  ratewire clients show acme
  ratewire clients change acme --on-behalf yes
  ratewire clients change acme --platform yes
  ratewire clients create shop-1 --platform acme --name "Shop One"
  ratewire clients limit acme 250000
  ratewire clients halt acme --reason "orders without end"
  ratewire clients reduce acme --reason "limit reached"
  ratewire clients resume acme
  ratewire clients disable acme
  ratewire clients enable acme`;

const DISABLE = `
FIX and REST reject its keys and tokens, its live tokens end with the streams that use them, and its desks are logged out, all
within a second or two; of a platform those of its sub-clients too. Earlier bookings are still processed: scheduled conversions settle, and
payments that have their funds are paid. Payments that await their funds get none, whatever money arrives, until the client is enabled; then they
are processed in their order. After 30 days they are CANCELLED nevertheless. Its webhooks get nothing until it is enabled, and then what has come
meanwhile. To stop a payment that has its funds, see \`ratewire payments\`.

Examples:
  ratewire clients disable acme`;

const CREATE = `
Examples:
  ratewire clients create acme --name "Acme Treasury"
  ratewire clients create acme-desk --name "Acme, desk alone" --rights read rates trade
  ratewire clients create shop-1 --platform acme --name "Shop One"

The last one is a sub-client, acme~shop-1: a client of its own, in the shard of its platform for ever. The platform acts for it with the
header x-on-behalf-of, and every command here takes its id.`;

const LIMIT = `
The sum of what a client has sold in conversions that have not settled yet, in each currency for itself. 0, as of a new client: it may book
none of SCHEDULED1 and SCHEDULED2.

Examples:
  ratewire clients limit acme 250000`;

const CHANGE_EXAMPLES = `
What is left out stays as it is; a change holds everywhere within a second.

Examples:
  ratewire clients change acme --on-behalf yes
  ratewire clients change acme --reads-per-minute 6000 --writes-per-minute 1200
  ratewire clients change acme --reads-per-minute default
  ratewire clients change acme --authentications-per-minute 0
  ratewire clients change acme --payee-verification match,close-match,required
  ratewire clients change acme --hold-limit-usd 25000000 --hold-maximum-usd 1000000
  ratewire clients change acme --events on

A payment whose payee was verified with another answer than those named waits for the operator in COMPLIANCE_VERIFICATION: see \`ratewire
payments approve\`. Without a verification it waits too; with the word required it is refused. Where no scheme covers the account it counts as
not-possible. off: no verification is needed.

0 per minute is no limit; default is what the settings RATE_LIMIT_AUTHENTICATION, RATE_LIMIT_READS and RATE_LIMIT_WRITES say.
A hold counts against the limit, in US dollars of the moment of its lock, until it is booked, released or over: HOLD_LIMIT. The settings
HOLD_LIMIT_USD and HOLD_MAXIMUM_USD are for every client without a value of its own.
Events are on from the first webhook endpoint of a client, or by this option, and stay on: their sequence has no gaps.`;

const rightsOption = (rights: readonly string[] = RIGHTS) =>
  new Option('--rights <rights...>', 'what the key may do').choices(rights);
export const keyRightsOption = () => rightsOption(ALL_RIGHTS);

export function addClientCommands(program: Command, run: Run): void {
  const clients = program.command('clients').description('who may connect').addHelpText('after', HOW);
  clients
    .command('create <id>')
    .description('create a client, without keys or margins')
    .requiredOption('--name <name>', 'name of the client')
    .addOption(new Option('--type <type>', 'its default settlement type').choices(BOOK_FX_TYPES).default('PREFUNDING'))
    .addOption(rightsOption())
    .option('--platform <platform>', 'the platform that it is a sub-client of')
    .addHelpText('after', CREATE)
    .action((name, { name: title, type: defaultType, rights, platform }) => {
      const id = platform === undefined ? name : subClientId(platform, name);
      return run(async (ask) => shown(await ask('createClient', { id, name: title, defaultType, rights })));
    });
  clients
    .command('list')
    .description('all clients, or the sub-clients of a platform')
    .option('--platform <platform>', 'its sub-clients alone')
    .action(({ platform }) => run((ask) => listed(ask, platform)));
  clients
    .command('show <id>')
    .description('one client, with all that is set for it')
    .action((id) => run(async (ask) => shown(await ask('showClient', { id }))));
  clients
    .command('change <id>')
    .description('change how a client is treated')
    .option('--name <name>', 'name of the client; the remitter of payments that name none')
    .addOption(new Option('--default-type <type>', 'its default settlement type').choices(BOOK_FX_TYPES))
    .addOption(yesOrNo('--on-behalf <yes|no>', 'it pays for others: each payment must name its remitter'))
    .addOption(yesOrNo('--allow-truncation <yes|no>', 'text too long for a corridor is cut instead of refused'))
    .addOption(yesOrNo('--platform <yes|no>', 'it may have sub-clients, and act for them'))
    .addOption(new Option('--events <on>', 'keep events for it: GET /api/v1/events and webhooks').choices(['on']))
    .addOption(
      new Option(
        '--cancel <policy>',
        'a conversion that the client cancels: at the market, or never with a gain',
      ).choices(['market', 'worse']),
    )
    .addOption(usd('--hold-limit-usd <amount>', 'what its open holds may come to'))
    .addOption(usd('--hold-maximum-usd <amount>', 'the most that a hold without an amount is for'))
    .addOption(payeeVerification())
    .addOption(perMinute('--authentications-per-minute <n>'))
    .addOption(perMinute('--reads-per-minute <n>'))
    .addOption(perMinute('--writes-per-minute <n>'))
    .addHelpText('after', CHANGE_EXAMPLES)
    .action((id, options, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: nothing to change: name at least one option');
      const { authenticationsPerMinute: authentication, readsPerMinute: reads, writesPerMinute: writes } = options;
      const { name, defaultType, onBehalf, allowTruncation, platform: isPlatform } = options;
      const { cancel, holdLimitUsd, holdMaximumUsd, events, payeeVerification: verification } = options;
      const limits = { authentication, reads, writes };
      const settings = { name, defaultType, onBehalf, allowTruncation, isPlatform, cancel, verification };
      const change = { ...settings, holdLimitUsd, holdMaximumUsd, limits, events };
      return run(async (ask) => shown(await ask('changeClient', { id, ...change })));
    });
  clients
    .command('disable <id>')
    .description('refuse the client everywhere, end its tokens and its sessions, and keep its waiting payments waiting')
    .addHelpText('after', DISABLE)
    .action((id) => run((ask) => ask('disableClient', { id, disabled: true })));
  clients
    .command('enable <id>')
    .description('enable a disabled client; its waiting payments are processed')
    .action((id) => run((ask) => ask('disableClient', { id, disabled: false })));
  clients
    .command('limit <id> <amount>')
    .description(
      'how much it may have sold in open scheduled conversions, in whole units of each currency; 0: none. Of a platform: gross, with its sub-clients',
    )
    .addHelpText('after', LIMIT)
    .action((clientId, limit) => run((ask) => ask('setScheduledLimit', { clientId, limit })));
  addClientStateCommands(clients, run);
}

async function listed(ask: Ask, platform: string | undefined): Promise<Shown> {
  const clients = await allClients(ask, platform);
  // All of it side by side would not fit a terminal: `clients show` has it below each other.
  return shownList(clients, row, wholeRow);
}

function shown(client: Client): Shown {
  return shownOne(wholeRow(client));
}

function row({ id, name, defaultType, rights, disabled, trading, scheduledLimit, onBehalf, createdAtMs }: Client) {
  return {
    id,
    name,
    default_type: defaultType,
    rights,
    disabled,
    trading: trading?.state ?? 'ACTIVE',
    scheduled_limit: scheduledLimit,
    on_behalf: onBehalf,
    created_at: isoTime(createdAtMs),
  };
}

function wholeRow(client: Client) {
  const { authentication = 'default', reads = 'default', writes = 'default' } = client.limits ?? {};
  return {
    ...row(client),
    halted_by: client.trading?.by,
    halted_since: client.trading && isoTime(client.trading.sinceMs),
    halt_reason: client.trading?.reason,
    platform: client.isPlatform,
    events: client.hasEvents,
    allow_truncation: client.allowTruncation,
    ...(client.cancel && { cancel: client.cancel }),
    payee_verification: policyText(client),
    hold_limit_usd: client.holdLimitUsd ?? 'default',
    hold_maximum_usd: client.holdMaximumUsd ?? 'default',
    authentications_per_minute: authentication,
    reads_per_minute: reads,
    writes_per_minute: writes,
  };
}

const policyText = ({ verification: policy }: Client): string =>
  policy ? [...policy.accepted.map(optionWord), ...(policy.required ? ['required'] : [])].join(',') : 'off';

const optionWord = (answer: string): string => answer.toLowerCase().replace('_', '-');

function payeeVerification(): Option {
  const words = PAYEE_ANSWERS.map(optionWord);
  const option = new Option(
    '--payee-verification <answers>',
    'answers that are enough for its payments, with commas; off',
  );
  return option.argParser((text) => {
    if (text === 'off') return text;
    const named = text.split(',');
    const accepted = PAYEE_ANSWERS.filter((answer) => named.includes(optionWord(answer)));
    const known = named.every((word) => word === 'required' || words.includes(word));
    if (known && accepted.length > 0) return { accepted, required: named.includes('required') };
    throw new InvalidArgumentError(`Say off, or some of ${words.join(', ')}, and required.`);
  });
}

function yesOrNo(flags: string, description: string): Option {
  return new Option(flags, description).argParser((word) => {
    if (word !== 'yes' && word !== 'no') throw new InvalidArgumentError('Say yes or no.');
    return word === 'yes';
  });
}

const numberOrDefault = (word: string): number | string => (word === 'default' ? word : Number(word));

function perMinute(flags: string): Option {
  return new Option(flags, 'its own limit; 0: none, default: that of the settings').argParser(numberOrDefault);
}

function usd(flags: string, description: string): Option {
  return new Option(flags, `${description}, in whole US dollars; default: as the settings say`).argParser(
    numberOrDefault,
  );
}
