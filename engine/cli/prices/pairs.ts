/** Currency pairs: their state, and an operator's halts. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import { addPairStateCommands } from '../risk/trading-states.js';
import type { Run } from '../run.js';
import { isoTime, shownList } from '../show.js';

type PairState = OutputOf<'listPairStates'>['pairs'][number];

const HOW = `
ready: it has a price; price_age is that of its older side, and providers are those that quote it (none: it is a cross of two other pairs).
unavailable: no provider has a fresh price. closed: the market is. halted: by an operator, and no engine, no REST and no payment deals in it.
unknown: no engine answers.
trading: ACTIVE, REDUCING (only deals that lower the house's position) or HALTED, by what is set for the pair, for all pairs or for the house.

Examples:
  ratewire pairs list
  ratewire pairs list --halted
  ratewire pairs halt EUR/CHF --reason "peg abandoned"
  ratewire pairs halt '*' --reason "provider sends wrong prices"
  ratewire pairs reduce EUR/USD --reason "above our limit"
  ratewire pairs resume EUR/CHF`;

export function addPairCommands(program: Command, run: Run): void {
  const pairs = program
    .command('pairs')
    .description('currency pairs: state, halts and reductions')
    .addHelpText('after', HOW);
  pairs
    .command('list')
    .description('every pair, its state, its trading state, and the operator who set that')
    .option('--halted', 'only those that are halted or reducing')
    .action(({ halted }) =>
      run(async (ask) => {
        const all = (await ask('listPairStates', {})).pairs;
        const found = all.filter(({ restriction }) => !halted || restriction !== undefined);
        return shownList(found, row, wholeRow);
      }),
    );
  addPairStateCommands(pairs, run);
}

function row(status: PairState): object {
  const { pair, state, ageMs, providers } = status;
  const price_age = ageMs === undefined ? undefined : `${(ageMs / 1_000).toFixed(1)} s`;
  return { pair, state, price_age, providers: providers.join(' '), ...restrictionOf(status) };
}

function wholeRow(status: PairState): object {
  const { pair, state, ageMs, providers } = status;
  return { pair, state, price_age_ms: ageMs && Math.round(ageMs), providers, ...restrictionOf(status) };
}

/** `halted_by` is also who set REDUCING. */
function restrictionOf({ restriction }: PairState): object {
  const { state: trading = 'ACTIVE', by: halted_by, reason } = restriction ?? {};
  return { trading, halted_by, since: restriction && isoTime(restriction.sinceMs), reason };
}
