/** What payments cost. */
import type { Command } from 'commander';
import { formatMargin } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';

const HOW = `
A payment costs nothing until a rule says so. A rule has a fixed part, in units of the currency of the payment, a percent of its amount,
or both.
  <corridor>  where it is paid out: a country (US), a country in one currency (US-USD), a currency anywhere (*-USD), or * for all;
              the euro area is *-EUR
  <method>    how it is paid out: BANK, CASH, CARD, WALLET, or * for all
The nearest rule alone holds: US-USD before US, US before *-USD, *-USD before *; within each the method before *. So a rule of 0 for one
corridor frees it from a wider one. A fixed part with more decimals than the currency has is rounded up: 0.5 is 1 JPY. The part of
the amount is rounded up to a whole minor unit too. A change is in force within a second, for payments that are made after it.

Examples:
  ratewire fees set acme '*' '*' --percent 0.5
  ratewire fees set acme US BANK --fixed 5 --percent 0.25
  ratewire fees set acme '*-JPY' '*' --fixed 500
  ratewire fees set acme GB '*' --fixed 0
  ratewire fees list acme
  ratewire fees remove acme US BANK

Quote a *, or the shell takes it for file names.`;

export function addFeeCommands(program: Command, run: Run): void {
  const fees = program
    .command('fees')
    .description("what a client's payments cost, by corridor and method; * is all")
    .addHelpText('after', HOW);
  fees
    .command('set <client> <corridor> <method>')
    .description('set a fee, in force everywhere within a second')
    .option('--fixed <amount>', 'for each payment, in units of its currency')
    .option('--percent <percent>', 'of the amount of the payment, 0 to 100, at most 4 decimals')
    .addHelpText('after', HOW)
    .action((clientId, corridor, method, { fixed, percent }) =>
      run(async (ask) => feeRow(await ask('setFee', { clientId, corridor, method, fixed, percent }))),
    );
  fees
    .command('list <client>')
    .description("the client's fees in force")
    .action((clientId) => run(async (ask) => (await ask('listFees', { clientId })).fees.map(feeRow)));
  fees
    .command('remove <client> <corridor> <method>')
    .description('take a rule away; a wider one holds in its place')
    .action((clientId, corridor, method) => run((ask) => ask('removeFee', { clientId, corridor, method })));
}

function feeRow({ clientId, corridor, method, fixed, ppm }: OutputOf<'setFee'>): object {
  return { client: clientId, corridor, method, fixed, percent: formatMargin(ppm) };
}
