/** Trading states: `halt`, `reduce` and `resume` of clients, pairs and the house. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import type { Ask } from '../ask.js';
import type { Run } from '../run.js';
import { isoTime, Shown, showFields, showRows } from '../show.js';

type Restriction = OutputOf<'haltPair'>;

/** What each scope's commands do, behind their help. */
interface Texts {
  readonly halt: string;
  readonly reduce: string;
  readonly resume: string;
}

const LASTS =
  'It lasts, over restarts too, until it is resumed. One that has the state already keeps it, with its reason.';

const PAIR: Texts = {
  halt: `
Within a second, everywhere: streams lose their price and desks get SecurityStatus(f) 326=2. Rates, quotes, holds, bookings and the
conversions of payments are rejected with TRADING_HALTED, also on a held rate. Holds of desks are withdrawn; those of REST remain, and
expire as usual. Crosses that are computed from the pair have no price either. Earlier bookings settle.
${LASTS}`,
  reduce: `
Within a second, everywhere: only a deal that lowers the house's net position of the pair passes, and only up to that position; any other is
rejected with CREDIT_LIMIT. Prices are streamed and quoted as ever.
${LASTS}`,
  resume: `
'*' takes back what was set for all pairs; what was halted by itself stays halted. The price is that of the newest tick: nothing waits for it.`,
};

const CLIENT: Texts = {
  halt: `
Within a second, everywhere: the client's streams lose their prices, its rates, quotes, holds, bookings and the conversions of its payments
are rejected with TRADING_HALTED, also on a held rate. Holds of its desks are withdrawn; those of REST remain, and expire as usual. It may
log on, read, and make payments that need no conversion; other clients are untouched. Earlier bookings settle.
${LASTS}`,
  reduce: `
Within a second, everywhere: only a deal that makes the client's exposure smaller passes; any other is rejected with CREDIT_LIMIT. Its prices
are streamed and quoted as ever.
${LASTS}`,
  resume: `
Also of a client that has halted itself: it cannot resume itself.`,
};

const HOUSE: Texts = {
  halt: `
As a halt of every pair, for every client: see \`ratewire pairs halt --help\`. Halts of pairs and clients stay beneath it.
${LASTS}`,
  reduce: `
Within a second, everywhere: only a deal that lowers the house's total net open position passes; any other is rejected with CREDIT_LIMIT.
Prices are streamed and quoted as ever.
${LASTS}`,
  resume: `
What was set for a client or a pair stays.`,
};

const REASON = ['--reason <text>', 'the reason, for operators; not sent to desks'] as const;

export function addPairStateCommands(pairs: Command, run: Run): void {
  const named = (restriction: Restriction) => ({ pair: restriction.name, ...rowOf(restriction) });
  pairs
    .command('halt <pair>')
    .description("stop trading in a pair, or in all ('*')")
    .requiredOption(...REASON)
    .addHelpText('after', PAIR.halt)
    .action((pair, { reason }) => run(async (ask) => named(await ask('haltPair', { pair, reason }))));
  pairs
    .command('reduce <pair>')
    .description("allow only deals that lower the house's position of a pair, or of each ('*')")
    .requiredOption(...REASON)
    .addHelpText('after', PAIR.reduce)
    .action((pair, { reason }) => run(async (ask) => named(await ask('reducePair', { pair, reason }))));
  pairs
    .command('resume <pair>')
    .description('take a halt or a reduction back')
    .addHelpText('after', PAIR.resume)
    .action((pair) => run((ask) => ask('resumePair', { pair })));
}

export function addClientStateCommands(clients: Command, run: Run): void {
  const named = (restriction: Restriction) => ({ client: restriction.name, ...rowOf(restriction) });
  clients
    .command('halt <id>')
    .description('stop trading of a client')
    .requiredOption(...REASON)
    .addHelpText('after', CLIENT.halt)
    .action((clientId, { reason }) => run(async (ask) => named(await ask('haltClient', { clientId, reason }))));
  clients
    .command('reduce <id>')
    .description('allow only deals that lower its exposure')
    .requiredOption(...REASON)
    .addHelpText('after', CLIENT.reduce)
    .action((clientId, { reason }) => run(async (ask) => named(await ask('reduceClient', { clientId, reason }))));
  clients
    .command('resume <id>')
    .description('take a halt or a reduction back, also one that the client has set itself')
    .addHelpText('after', CLIENT.resume)
    .action((clientId) => run((ask) => ask('resumeClient', { clientId })));
}

const EXAMPLES = `
Examples:
  ratewire house show
  ratewire house halt --reason "no provider can be trusted"
  ratewire house reduce --reason "limit reached"
  ratewire house resume`;

export function addHouseCommands(program: Command, run: Run): void {
  const house = program
    .command('house')
    .description('the trading state of the whole house')
    .addHelpText('after', EXAMPLES);
  house
    .command('show')
    .description('its state, and every client and pair that is halted or reducing')
    .action(() => run(shownHouse));
  house
    .command('halt')
    .description('stop all trading')
    .requiredOption(...REASON)
    .addHelpText('after', HOUSE.halt)
    .action(({ reason }) => run(async (ask) => rowOf(await ask('haltHouse', { reason }))));
  house
    .command('reduce')
    .description("allow only deals that lower the house's total net open position")
    .requiredOption(...REASON)
    .addHelpText('after', HOUSE.reduce)
    .action(({ reason }) => run(async (ask) => rowOf(await ask('reduceHouse', { reason }))));
  house
    .command('resume')
    .description('take a halt or a reduction back')
    .addHelpText('after', HOUSE.resume)
    .action(() => run((ask) => ask('resumeHouse', {})));
}

async function shownHouse(ask: Ask): Promise<Shown> {
  const { house, others } = await ask('showHouse', {});
  const state = house ? rowOf(house) : { state: 'ACTIVE', halted_by: undefined, since: undefined, reason: undefined };
  const rows = others.map((one) => ({ [one.scope]: one.name, ...rowOf(one) }));
  const listed = others.map((one) => ({ of: one.scope, name: one.name, ...rowOf(one) }));
  const json = { ...nulls(state), restricted: rows };
  return new Shown(json, () => `${showFields(state)}${listed.length === 0 ? '' : showRows(listed)}`);
}

const nulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));

/** `halted_by` is also who set REDUCING. */
function rowOf({ state, by, reason, sinceMs }: Restriction): object {
  return { state, halted_by: by, since: isoTime(sinceMs), reason };
}
