/** Limits of clients and of the house. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { shownList, shownOne } from '../show.js';

type Shown = OutputOf<'setLimits'>;

const HOW = `
  <client>  a client, * for every client that has no such limit of its own, or house for the house
An amount is in units of the base currency (BASE_CURRENCY), a net open position and an amount to settle is valued at the mid. none frees a
client from a limit of *; default takes the client's own limit back, and that of * holds. What is not named stays as it is. A deal beyond a
limit is refused with CREDIT_LIMIT at every door; one that makes the figure smaller always passes. Not even the operator's own corrections
are refused. A change is in force everywhere within a second.

Examples:
  ratewire limits set acme --deal 1000000 --nop 5000000 --nop-currency EUR=2000000 --nop-currency GBP=500000
  ratewire limits set acme --settlement 10000000 --deals-per-second 20 --daily-loss 50000 --warn 80
  ratewire limits set '*' --deal 5000000
  ratewire limits set acme --deal none
  ratewire limits set house --nop 50000000 --nop-currency EUR=20000000
  ratewire limits list acme
  ratewire limits remove acme

Quote a *, or the shell takes it for file names.`;

const collect = (one: string, all: readonly string[] = []): readonly string[] => [...all, one];

export function addLimitCommands(program: Command, run: Run): void {
  const limits = program
    .command('limits')
    .description('how much a client may deal, and how large an open position the house allows')
    .addHelpText('after', HOW);
  limits
    .command('set <client>')
    .description('set limits, in force everywhere within a second')
    .option('--deal <amount>', 'the largest single deal')
    .option('--nop <amount>', 'the net open position in total: the larger of the sums of long and of short currencies')
    .option('--nop-currency <currency=amount>', 'the net open position in one currency; may be repeated', collect)
    .option('--settlement <amount>', 'the amount to settle on one value date')
    .option('--deals-per-second <n>', 'conversions in one second')
    .option('--daily-loss <amount>', 'what the house may lose with the client in one trading day')
    .option('--warn <percent>', 'of a limit, from which its use is a warning; 80 unless set')
    .addHelpText('after', HOW)
    .action((scope, { warn, ...given }) =>
      run(async (ask) => shownOne(limitRow(await ask('setLimits', { scope, ...given, warnPercent: warn })))),
    );
  limits
    .command('list [client]')
    .description('the limits that are set, how far each is used, and how old the figures of that are')
    .action((scope) =>
      run(async (ask) => {
        const { limits, ageMs } = await ask('listLimits', { scope });
        const age = ageMs === undefined ? undefined : `${(ageMs / 1_000).toFixed(1)} s`;
        return shownList(
          limits,
          (one) => ({ ...limitRow(one), used: one.used.map(useText), age }),
          (one) => ({ ...limitRow(one), used: one.used, age_ms: ageMs }),
        );
      }),
    );
  limits
    .command('remove <client>')
    .description('take all limits of a client, of * or of the house away')
    .action((scope) => run(async (ask) => ({ client: (await ask('removeLimits', { scope })).scope })));
}

const useText = ({ limit, of, percent, used }: OutputOf<'listLimits'>['limits'][number]['used'][number]): string =>
  `${limit}${of === undefined ? '' : `/${of}`}=${percent === undefined ? used : `${percent}%`}`;

function limitRow({ scope, baseCurrency, nopCurrency, warnPercent, ...limits }: Shown): object {
  const { deal, nop, settlement, dealsPerSecond, dailyLoss } = limits;
  return {
    client: scope,
    currency: baseCurrency,
    deal,
    nop,
    nop_currency: nopCurrency,
    settlement,
    deals_per_second: dealsPerSecond,
    daily_loss: dailyLoss,
    warn: warnPercent,
  };
}
