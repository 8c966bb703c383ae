/** Prices by risk: rules that change the margin of every client with the house's position and with the age of the newest tick. */
import type { Command } from 'commander';
import type { Run } from '../run.js';

const HOW = `
A rule is for a pair, or for all (*). What it adds to or takes from a side is the same for every client and every door; a margin is never below 0,
so that no client's price is better than the provider's. A part that a pair's own rule does not set is that of *. 0 is off.

  --skew          pips for each million of base that the house is net long: its offer gets better and its bid worse; net short the reverse
  --skew-max      the most pips that the skew comes to
  --widen-after   milliseconds: while the newest tick of the pair is older, each side is wider by --widen-by pips
  --spread-min    the client's spread, in pips, is not below this, nor above --spread-max as far as margins can go down
  --volatility    percent of a year: the margin of a hold is not below the value of such an option; 10 where no rule says otherwise

Examples:
  ratewire pricing set EUR/USD --skew 0.5 --skew-max 3
  ratewire pricing set '*' --widen-after 1500 --widen-by 0.5
  ratewire pricing set EUR/USD --spread-min 0.4 --spread-max 12
  ratewire pricing set EUR/USD --skew 0
  ratewire pricing set USD/TRY --volatility 18
  ratewire pricing list
  ratewire pricing remove EUR/USD
  ratewire margins explain acme EUR/USD`;

export function addPricingCommands(program: Command, run: Run): void {
  const pricing = program
    .command('pricing')
    .description('rules that change prices by position and by age, for a pair or all (*)')
    .addHelpText('after', HOW);
  pricing
    .command('set <pair>')
    .description('set parts of a rule, live everywhere within a second; the others stay')
    .option('--skew <pips>', 'for each million of base of the net position')
    .option('--skew-max <pips>', 'the most that the skew comes to')
    .option('--widen-after <ms>', 'age of the newest tick in milliseconds')
    .option('--widen-by <pips>', 'for each side while the tick is older')
    .option('--spread-min <pips>', "the least of the client's spread")
    .option('--spread-max <pips>', "the most of the client's spread")
    .option('--volatility <percent>', 'of a year, by which holds are valued; 0 is off')
    .addHelpText('after', HOW)
    .action((pair, { widenAfter: widenAfterMs, ...parts }) =>
      run((ask) => ask('setPricing', { pair, widenAfterMs, ...parts })),
    );
  pricing
    .command('list')
    .description('the rules in force')
    .action(() => run(async (ask) => (await ask('listPricing', {})).rules));
  pricing
    .command('remove <pair>')
    .description('take the rule of a pair away; that of * then applies to it')
    .action((pair) => run((ask) => ask('removePricing', { pair })));
}
