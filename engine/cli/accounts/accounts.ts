/** Accounts and the money in them. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { formatMinor } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime } from '../show.js';

const HOW = `
An account is in one currency, for ever, and has a number of its own. The first in a currency is that currency's default: the one that is
meant where a command names a currency alone. A change holds everywhere at once.

Examples:
  ratewire accounts open acme EUR --label "Operating account"
  ratewire accounts list acme
  ratewire accounts label 110000000012 "Payroll"
  ratewire accounts default 110000000012
  ratewire accounts sequence 110000000012 1
  ratewire accounts credit 110000000012 2500.00 --reference bank-4711
  ratewire accounts statement 110000000012
  ratewire accounts deactivate 110000000012`;

const OPEN = `
Examples:
  ratewire accounts open acme EUR
  ratewire accounts open acme USD --label "Dollars" --default --sequence 2`;

const SEQUENCE = `
Auto Book FX is an agreement with a client: a payment whose currency is short sells from the accounts that have a place in the order, 1
first, and from none that has 0. An account of the payment's own currency is always drawn on first.

Examples:
  ratewire accounts sequence 110000000012 1
  ratewire accounts sequence 110000000012 0`;

const DEACTIVATE = `
Nothing is booked from or into it, nothing is credited to it and nothing is debited from it, ACCOUNT_INACTIVE, until it is activated. A
scheduled conversion of it that falls due becomes OVERDUE, and settles when the account is activated. The money of a payment that is cancelled
or returned is still credited to it, and stays there. Payments that wait for this account wait on.

Examples:
  ratewire accounts deactivate 110000000012
  ratewire accounts activate 110000000012`;

const CREDIT = `
Credits money that was received, with a separate entry in the journal. A reference is credited once, however often the command is repeated
(the output says "replayed"). It is required: give the bank's own. Payments and conversions that wait for the money are processed.

Examples:
  ratewire accounts credit 110000000012 2500.00 --reference bank-4711`;

const ADJUST = `
Corrects what is in an account against the outside world: credit adds, debit takes, and no more than there is (INSUFFICIENT_BALANCE). A reason
and a reference to what is corrected are required; journal, statement and audit log have both. A credit may go to a deactivated account,
whose money stays frozen. An id is required, and is new for each correction: the same command again changes nothing ("replayed" says so).

Examples:
  ratewire accounts adjust 110000000012 debit 250.00 --reference bank-4711 --reason "credited to the wrong client" --id fix-16
  ratewire accounts adjust 110000000020 credit 250.00 --reference bank-4711 --reason "credited to the wrong client" --id fix-17`;

const REPAY = `
What a client owes beyond its balance (ratewire fundings reverse --allow-receivable) is in the receivable account of its currency, below 0.
A credit of an account in that currency repays it. You repay it from another account of the currency, with no more than is owed.
The same command again, with its id, changes nothing.

Examples:
  ratewire accounts receivables --client acme
  ratewire accounts repay 110000000012 40.00 --reference GLR01K4M2V7Q8Z3X5YAB --reason "agreed by phone" --id debt-3`;

const STATEMENT = `
What came into an account and what left it, newest first, with the balance after each entry. receivable is what the client owes since an
entry because the account did not have it, or below 0 what was repaid.

Examples:
  ratewire accounts statement 110000000012
  ratewire accounts statement 110000000012 --limit 200 --json`;

export function addAccountCommands(program: Command, run: Run): void {
  const accounts = program
    .command('accounts')
    .description("clients' accounts and what is in them")
    .addHelpText('after', HOW);
  /** A command that changes one account; `changed` is given the other arguments. */
  const change = (usage: string, description: string, changed: (...args: unknown[]) => object): Command =>
    accounts
      .command(usage)
      .description(description)
      .action((accountNumber: string, ...args: unknown[]) =>
        run(async (ask) => accountRow(await ask('changeAccount', { accountNumber, ...changed(...args) }))),
      );
  accounts
    .command('open <client> <currency>')
    .description('open an account; the first in a currency is its default')
    .option('--label <text>', 'a name for people')
    .option('--default', 'make it the default account of its currency')
    .addOption(new Option('--sequence <n>', 'place in the order of Auto Book FX; 0: not used for it').argParser(place))
    .addHelpText('after', OPEN)
    .action((clientId, currency, { label, default: makeDefault, sequence: autoBookFxSequence }) =>
      run(async (ask) =>
        accountRow(await ask('openAccount', { clientId, currency, label, makeDefault, autoBookFxSequence })),
      ),
    );
  accounts
    .command('list <client>')
    .description("a client's accounts and balances")
    .action((clientId) => run(async (ask) => (await ask('listClientAccounts', { clientId })).balances.map(balanceRow)));
  change('label <number> <text>', 'give it a name for people; "" takes it away', (label) => ({ label }));
  change('default <number>', 'make it the default account of its currency', () => ({ makeDefault: true }));
  change('sequence <number>', 'its place in the order of Auto Book FX, auto_bookfx_sequence', (n) => ({
    autoBookFxSequence: n,
  }))
    .argument('<n>', '1 to 9999; 0: not used for it', place)
    .addHelpText('after', SEQUENCE);
  change('deactivate <number>', 'no booking from or into it, no credit, no settlement', () => ({
    active: false,
  })).addHelpText('after', DEACTIVATE);
  change('activate <number>', 'take it back into use', () => ({ active: true })).addHelpText('after', DEACTIVATE);
  accounts
    .command('credit <number> <amount>')
    .description('book money that has come from outside, in units of the account')
    .requiredOption('--reference <text>', 'by which the bank knows it; credited once')
    .addHelpText('after', CREDIT)
    .action((accountNumber, amount, { reference }) =>
      run(async (ask) => creditRow(await ask('creditAccount', { accountNumber, amount, reference }))),
    );
  addCorrections(accounts, run);
}

function addCorrections(accounts: Command, run: Run): void {
  const corrected = (command: Command): Command =>
    command
      .requiredOption('--reason <text>', 'why; the journal keeps it')
      .requiredOption('--reference <text>', 'what is corrected: a reference or an id')
      .requiredOption('--id <text>', 'its own id, a new one: the same command again changes nothing');
  corrected(accounts.command('adjust <number>'))
    .description('correct what is in an account, in units of it')
    .addArgument(new Argument('<direction>', 'what happens to the account').choices(['credit', 'debit']))
    .argument('<amount>')
    .addHelpText('after', ADJUST)
    .action((accountNumber, direction, amount, options) =>
      run(async (ask) => adjustmentRow(await ask('adjustAccount', { accountNumber, direction, amount, ...options }))),
    );
  corrected(accounts.command('repay <number> <amount>'))
    .description('repay from an account what the client owes in its currency')
    .addHelpText('after', REPAY)
    .action((accountNumber, amount, options) =>
      run(async (ask) => adjustmentRow(await ask('repayReceivable', { accountNumber, amount, ...options }))),
    );
  accounts
    .command('receivables')
    .description('what clients owe beyond their balances')
    .option('--client <id>', 'this client alone')
    .addHelpText('after', REPAY)
    .action(({ client: clientId }) =>
      run(async (ask) =>
        (await ask('listReceivables', { clientId })).receivables.map(({ currency, owed, ...more }) => ({
          ...more,
          currency,
          receivable: formatMinor(owed, currency),
        })),
      ),
    );
  accounts
    .command('statement <number>')
    .description('what came into an account and what left it, newest first')
    .option('--limit <n>', 'how many, 1 to 200', Number, 50)
    .addHelpText('after', STATEMENT)
    .action((accountNumber, { limit }) =>
      run(async (ask) => {
        const { items, currency } = await ask('listStatement', { accountNumber, limit });
        return items.map(({ id, createdAtMs, type, reference, amount, balance, receivable, paysOn }) => ({
          entry: id,
          at: isoTime(createdAtMs),
          type,
          reference,
          amount: formatMinor(amount, currency),
          currency,
          balance: formatMinor(balance, currency),
          receivable: formatMinor(receivable, currency),
          ...(paysOn !== '' && { pays_on: paysOn }),
        }));
      }),
    );
}

function place(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Say a whole number from 0 to 9999.');
  return Number(text);
}

type Account = OutputOf<'openAccount'>;

function accountRow({ number, currency, active, isDefault, autoBookFxSequence, label }: Account): object {
  return { number, currency, active, default: isDefault, sequence: autoBookFxSequence, label };
}

function balanceRow({ balance, ...account }: OutputOf<'listClientAccounts'>['balances'][number]): object {
  const { number, currency, ...more } = accountRow(account) as { number: string; currency: string };
  return { number, currency, balance: formatMinor(balance, currency), ...more };
}

function creditRow({
  clientId,
  accountNumber,
  currency,
  credited,
  balance,
  replayed,
}: OutputOf<'creditAccount'>): object {
  return {
    client: clientId,
    number: accountNumber,
    currency,
    credited: formatMinor(credited, currency),
    balance: formatMinor(balance, currency),
    /** The reference was credited before: nothing has moved now. */
    replayed,
  };
}

/** `receivable` is what the client owes in the currency after it. */
function adjustmentRow(adjusted: OutputOf<'adjustAccount'>): object {
  const { clientId, accountNumber, currency, id, kind, amount, reference, balance, owed, replayed } = adjusted;
  return {
    id,
    client: clientId,
    number: accountNumber,
    currency,
    kind,
    amount: formatMinor(amount, currency),
    reference,
    balance: formatMinor(balance, currency),
    receivable: formatMinor(owed, currency),
    replayed,
  };
}
