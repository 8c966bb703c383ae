/** Accounts and the money in them. */
import { type Command, Option } from 'commander';
import { formatMinor } from '../domain/money.js';
import type { OutputOf } from '../service/operations.js';
import type { Run } from './run.js';

const CREDIT_EXAMPLES = `
Examples:
  ratewire accounts credit 110000000012 2500.00
  ratewire accounts credit 110000000012 2500.00 --reference bank-4711

A reference is credited once, however often the command is given; without one each command credits again.`;

export function addAccountCommands(program: Command, run: Run): void {
  const accounts = program.command('accounts').description("clients' accounts and what is in them");
  accounts
    .command('open <client> <currency>')
    .description('open an account; the first in a currency is its default')
    .option('--label <text>', 'a name for people')
    .option('--default', 'make it the default account of its currency')
    .addOption(sequence())
    .action((clientId, currency, { label, default: makeDefault, sequence: autoBookFxSequence }) =>
      run(async (ask) =>
        accountRow(await ask('openAccount', { clientId, currency, label, makeDefault, autoBookFxSequence })),
      ),
    );
  accounts
    .command('list <client>')
    .description("a client's accounts and balances")
    .action((clientId) => run(async (ask) => (await ask('listClientAccounts', { clientId })).balances.map(balanceRow)));
  accounts
    .command('credit <number> <amount>')
    .description('book money that has come from outside, in units of the account')
    .option('--reference <text>', 'by which it is known; credited once')
    .addHelpText('after', CREDIT_EXAMPLES)
    .action((accountNumber, amount, { reference }) =>
      run(async (ask) => creditRow(await ask('creditAccount', { accountNumber, amount, reference }))),
    );
  accounts
    .command('change <number>')
    .description('change what an account may be used for')
    .addOption(new Option('--deactivate', 'no booking from or into it, no credit').conflicts('activate'))
    .addOption(new Option('--activate', 'take it back into use'))
    .option('--label <text>', 'a name for people')
    .option('--default', 'make it the default account of its currency')
    .addOption(sequence())
    .action((accountNumber, options) =>
      run(async (ask) =>
        accountRow(
          await ask('changeAccount', {
            accountNumber,
            active: options.deactivate ? false : options.activate,
            label: options.label,
            makeDefault: options.default,
            autoBookFxSequence: options.sequence,
          }),
        ),
      ),
    );
}

const sequence = () =>
  new Option('--sequence <n>', 'place in the order of Auto Book FX; 0: not used for it').argParser(Number);

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
