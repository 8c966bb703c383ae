/** Currency pairs: their state, and an operator's halts. */
import type { Command } from 'commander';
import type { OutputOf } from '../service/core/operations.js';
import type { Run } from './run.js';
import { isoTime, shownList } from './show.js';

type PairState = OutputOf<'listPairStates'>['pairs'][number];

const HOW = `
ready: it has a price; price_age is that of its older side, and providers are those that quote it (none: it is a cross of two other pairs).
unavailable: no provider has a fresh price. closed: the market is. halted: by an operator, and no engine, no REST and no payment deals in it.
unknown: no engine answers.

Examples:
  ratewire pairs list
  ratewire pairs list --halted
  ratewire pairs halt EUR/CHF --reason "peg abandoned"
  ratewire pairs halt '*' --reason "provider sends wrong prices"
  ratewire pairs resume EUR/CHF`;

const HALT = `
Within a second, everywhere: streams lose their price and desks get SecurityStatus(f) 326=2. Rates, quotes, holds, bookings and the
conversions of payments are rejected with MARKET_CLOSED, also on a held rate. Holds of desks are withdrawn; those of REST remain, and
expire as usual. Crosses that are computed from the pair have no price either. Earlier bookings settle. A halt lasts, over restarts
too, until it is resumed.`;

const RESUME = `
'*' takes back a halt of all pairs; what was halted by itself stays halted. The price is that of the newest tick: nothing waits for it.`;

export function addPairCommands(program: Command, run: Run): void {
  const pairs = program.command('pairs').description('currency pairs: state and halts').addHelpText('after', HOW);
  pairs
    .command('list')
    .description('every pair, its state, and the operator who halted it')
    .option('--halted', 'only those that are halted')
    .action(({ halted }) =>
      run(async (ask) => {
        const all = (await ask('listPairStates', {})).pairs;
        const found = all.filter(({ halt }) => !halted || halt !== undefined);
        return shownList(found, row, wholeRow);
      }),
    );
  pairs
    .command('halt <pair>')
    .description("stop trading in a pair, or in all ('*')")
    .requiredOption('--reason <text>', 'the reason, for operators; not sent to desks')
    .addHelpText('after', HALT)
    .action((pair, { reason }) => run(async (ask) => haltRow(await ask('haltPair', { pair, reason }))));
  pairs
    .command('resume <pair>')
    .description('take a halt back')
    .addHelpText('after', RESUME)
    .action((pair) => run((ask) => ask('resumePair', { pair })));
}

function row({ pair, state, ageMs, providers, halt }: PairState): object {
  return {
    pair,
    state,
    price_age: ageMs === undefined ? undefined : `${(ageMs / 1_000).toFixed(1)} s`,
    providers: providers.join(' '),
    halted_by: halt?.by,
    since: halt && isoTime(halt.sinceMs),
    reason: halt?.reason,
  };
}

function wholeRow({ pair, state, ageMs, providers, halt }: PairState): object {
  const halted = { halted_by: halt?.by, since: halt && isoTime(halt.sinceMs), reason: halt?.reason };
  return { pair, state, price_age_ms: ageMs && Math.round(ageMs), providers, ...halted };
}

function haltRow({ pair, by, reason, sinceMs }: OutputOf<'haltPair'>): object {
  return { pair, halted_by: by, since: isoTime(sinceMs), reason };
}
