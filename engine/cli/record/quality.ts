/** `ratewire quality`: how a client's orders were executed. */
import { type Command, Option } from 'commander';
import type { Booking } from '../../domain/conversions/booking.js';
import { refuseField } from '../../domain/core/refusal.js';
import type { Average, PairQuality, Quality } from '../../service/record/quality.js';
import { type Ask, RefusedError } from '../ask.js';
import type { Answer, Run } from '../run.js';
import { Shown, showRows } from '../show.js';
import { timeOption } from '../time-option.js';

const QUALITY = `
For each pair: the conversions, from the store; and from the day record the orders that were refused, by code, the fill ratio, the time from order to
outcome, and the market: the spread that was paid, and the mark-out, which is the mid so long after the deal less the deal price, as an average
in pips over the deals, above 0 where it is good for the client, by what the client does with the pair's first currency. againstLimit and againstQuote
are the price variation: of limit orders against their limit, of orders at a quoted or streamed price against that.
unrecorded is how many conversions of the store are not in the record: a process was killed, or could not write. Without RECORD, or --record, what
needs it is "not recorded". The times are of the deal: --from is included, --to is not.

Examples:
  ratewire quality acme --from 2026-11-01 --to 2026-12-01
  ratewire quality acme --from 1d --csv > acme.csv
  ratewire quality acme --from 1d --json`;

interface Options {
  readonly from: number;
  readonly to?: number;
  readonly record?: string;
  readonly csv?: boolean;
}

export function addQualityCommand(program: Command, run: Run): void {
  program
    .command('quality')
    .description("how a client's orders were executed: fills, refusals, time, spread and mark-out")
    .argument('<client>', 'its id')
    .addOption(timeOption('--from <time>', 'deals from this time on, or so long ago: 1h, 30d').makeOptionMandatory())
    .addOption(timeOption('--to <time>', 'until before this time (default: now)'))
    .option('--record <directory>', 'the day record (default: RECORD)')
    .addOption(new Option('--csv', 'a line for each pair, RFC 4180'))
    .addHelpText('after', QUALITY)
    .action((client: string, options: Options) => run((ask) => quality(ask, client, options)));
}

async function quality(
  ask: Ask,
  client: string,
  { from, to = Date.now(), record, csv }: Options,
): Promise<Answer | undefined> {
  if (to <= from) throw new RefusedError(refuseField('to', 'after --from'));
  const { recordDirectory } = await import('../operator.js');
  const { qualityOf } = await import('../../service/record/quality.js');
  const bookings: Booking[] = [];
  for (let after: string | undefined, isMore = true; isMore; ) {
    const page = await ask('pageBookings', { clientId: client, fromMs: from, toMs: to - 1, after });
    bookings.push(...page.bookings);
    after = page.after;
    isMore = after !== undefined;
  }
  const found = qualityOf({ client, fromMs: from, toMs: to, bookings, directory: recordDirectory(record) });
  const rows = found.pairs.map((pair) => flat(pair, found));
  if (csv) {
    process.stdout.write(csvOf(rows));
    return undefined;
  }
  const json = {
    client,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    lastLook: 'none',
    pairs: rows,
  };
  return new Shown(json, () =>
    rows.length === 0 ? 'none\n' : `${showRows(rows.map(executionOf))}${showRows(rows.flatMap(marksOf))}`,
  );
}

const NOT_RECORDED = 'not recorded';

/** A figure a column, in an order that stays. */
function flat(of: PairQuality, { isRecorded }: Quality): Record<string, string | number> {
  const number = (value: number | undefined, digits: number) =>
    value === undefined ? (isRecorded ? '' : NOT_RECORDED) : Number(value.toFixed(digits));
  const pips = (average: Average) => number(average.pips, 3);
  const own = (average: Average) => (average.pips === undefined ? '' : Number(average.pips.toFixed(3)));
  const codes = Object.entries(of.refusals).sort(([one], [other]) => (one < other ? -1 : 1));
  const markOuts = (['buys', 'sells'] as const).flatMap((side) =>
    Object.entries(of.markOut[side]).map(([ms, average]) => [`markOut_${side}_${ms}ms`, pips(average)] as const),
  );
  return {
    pair: of.pair,
    booked: of.booked,
    unrecorded: number(of.unrecorded, 0),
    refused: number(of.refused, 0),
    fillRatio: number(of.fillRatio, 2),
    refusals: isRecorded ? codes.map(([code, count]) => `${code} ${count}`).join(' ') : NOT_RECORDED,
    p50Ms: number(of.p50Ms, 3),
    p99Ms: number(of.p99Ms, 3),
    againstLimit: own(of.againstLimit),
    againstLimitDeals: of.againstLimit.deals,
    againstQuote: pips(of.againstQuote),
    againstQuoteDeals: of.againstQuote.deals,
    marginPaid: own(of.marginPaid),
    spreadPaid: pips(of.spreadPaid),
    ...Object.fromEntries(markOuts),
    markOutDeals: of.spreadPaid.deals,
  };
}

type Row = Readonly<Record<string, string | number>>;

/** To a person: what fits side by side. */
const executionOf = (row: Row) => {
  const { pair, booked, unrecorded, refused, fillRatio, refusals, p50Ms, p99Ms, marginPaid, spreadPaid } = row;
  return { pair, booked, unrecorded, refused, fillRatio, refusals, p50Ms, p99Ms, marginPaid, spreadPaid };
};

const marksOf = (row: Row) =>
  ['buys', 'sells'].map((side) => ({
    pair: row.pair,
    client: side,
    ...Object.fromEntries(['100ms', '1000ms', '10000ms', '60000ms'].map((ms) => [ms, row[`markOut_${side}_${ms}`]])),
    againstLimit: row.againstLimit,
    againstQuote: row.againstQuote,
  }));

function csvOf(rows: readonly Record<string, string | number>[]): string {
  if (rows.length === 0) return '';
  const names = Object.keys(rows[0]!);
  return [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}
