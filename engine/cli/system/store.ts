/** What the store keeps for all programs on it. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PORT_MODES, PORTS } from '../../domain/system/port-mode.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime, outsideName, Shown, showRows } from '../show.js';
import { periodMs } from '../time-option.js';

const HOW = `
Who decides about money is kept in the store: an engine or a sidecar that is set otherwise does not start.
  funding     whether money that a client announces has come   FUNDING
  compliance  whether a payment may go                         COMPLIANCE
  payout      what the bank did with it                        PAYOUT
sandbox decides by itself and asks no bank; manual leaves it to operators. The first program that starts on a store writes its settings
there. With a mode and a reason it is changed, while no engine and no sidecar runs: a store that \`npm start\` started by itself is
started for the change. Set the new mode for every program before you start them again.

Examples:
  ratewire store ports
  ratewire store ports --payout manual --reason "first bank is connected"
  ratewire store ports --funding manual --compliance manual --payout manual --reason "going live"`;

const FORECAST = `
What conversions, payments and fundings take in memory and in the append-only file, by the bytes of a record as they were measured
(docs/scale.md), and how many still fit into maxmemory. The file is as it grows; Redis rewrites it to less than half of that.

Examples:
  ratewire store forecast
  ratewire store forecast --records 50000000`;

const CLOCK = `
Ends of holds, due dates and times in records are judged by the clock of the Redis server. Where a sandbox decides about fundings,
compliance and payouts it can be turned ahead, to see what settles or ends tomorrow: every engine and sidecar follows within a second. It is
never turned back, and such a store stays a sandbox. Tokens keep their time.

A server whose clock jumps by more than a minute while programs run is not believed: they refuse commands with STORE_UNAVAILABLE, and are not ready.
Correct the clock, and they resume by themselves. If the new time is the right one, --accept: what is due by it settles or expires at once.

Examples:
  ratewire store clock
  ratewire store clock --accept
  ratewire store clock --advance 24h --reason "see tomorrow's settlements"`;

export function addStoreCommands(program: Command, run: Run): void {
  const mode = (port: string, what: string) => new Option(`--${port} <mode>`, what).choices(PORT_MODES);
  const store = program
    .command('store')
    .description(
      'what the store keeps for all programs on it: who decides about money, its clock, and how much it takes',
    )
    .addHelpText('after', HOW);
  store
    .command('forecast')
    .description('how much the store takes, and what more records would take')
    .option('--records <number>', 'forecast for so many of each (default: 10000000)', records)
    .addHelpText('after', FORECAST)
    .action(({ records }) => run(async (ask) => shownForecast(await ask('forecastStore', { records }))));
  store
    .command('ports')
    .description('who decides about fundings and payments: a sandbox, or operators')
    .addOption(mode('funding', 'who decides about fundings'))
    .addOption(mode('compliance', 'who decides whether a payment may go'))
    .addOption(mode('payout', 'who says what the bank did'))
    .option('--reason <text>', 'why it is changed, 1 to 140 characters')
    .addHelpText('after', HOW)
    .action(({ funding, compliance, payout, reason }) =>
      run(async (ask) => {
        const isRead = [funding, compliance, payout, reason].every((given) => given === undefined);
        return rows(
          await (isRead ? ask('readPorts', {}) : ask('changePorts', { funding, compliance, payout, reason })),
        );
      }),
    );
  store
    .command('clock')
    .description("the store's clock; in a sandbox, turns it ahead")
    .option('--advance <time>', 'turn it ahead by: 90s, 30m, 24h or 7d, at most 366d', ahead)
    .option('--accept', "the servers' clocks are right: commands resume by what they say")
    .option('--reason <text>', 'why it is turned or accepted, 1 to 140 characters')
    .addHelpText('after', CLOCK)
    .action(({ advance: advanceMs, accept, reason }) =>
      run(async (ask) => {
        if (accept && advanceMs !== undefined) throw new InvalidArgumentError('--accept or --advance: not both');
        const isRead = advanceMs === undefined && reason === undefined;
        const { storeMs, offsetMs } = await (accept
          ? ask('acceptClock', { reason })
          : isRead
            ? ask('readClock', {})
            : ask('advanceClock', { advanceMs, reason }));
        return { time: storeMs === undefined ? undefined : isoTime(storeMs), offsetSeconds: offsetMs / 1_000 };
      }),
    );
}

const LONGEST_MS = 366 * 86_400_000;

function ahead(text: string): number {
  const ms = periodMs(text);
  if (!(ms > 0 && ms <= LONGEST_MS)) throw new InvalidArgumentError('a time ahead: 90s, 30m, 24h or 7d, at most 366d');
  return ms;
}

const rows = (modes: OutputOf<'readPorts'>): object[] => PORTS.map((port) => ({ port, mode: modes[port] }));

type Forecast = OutputOf<'forecastStore'>;

function shownForecast(forecast: Forecast): Shown {
  const { servers, records, daysUntilFull } = forecast;
  const outside = (row: object) => Object.fromEntries(Object.entries(row).map(([k, v]) => [outsideName(k), v ?? null]));
  const json = { servers: servers.map(outside), records: records.map(outside), daysUntilFull };
  return new Shown(json, () => {
    const rows = records.map(({ record, stored, addedInWeek, stillFit, ...each }) => ({
      record,
      stored,
      addedInWeek,
      memoryEach: size(each.memoryBytesEach),
      fileEach: size(each.fileBytesEach),
      [`memoryOf${each.forecastRecords}`]: size(each.forecastMemoryBytes),
      [`fileOf${each.forecastRecords}`]: size(each.forecastFileBytes),
      stillFit,
    }));
    const taken = servers.map(({ name, usedBytes, maxBytes, fileBytes }) => {
      const most = maxBytes === undefined ? 'no maxmemory' : `of ${size(maxBytes)}`;
      return `${name || 'the store'}: memory ${size(usedBytes)} (${most}), file ${size(fileBytes)}\n`;
    });
    const pace =
      daysUntilFull === undefined ? '' : `At the pace of the last 7 days it is full in ${daysUntilFull} days.\n`;
    return showRows(rows) + taken.join('') + pace;
  });
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, three digits. */
function size(bytes: number | undefined): string {
  if (bytes === undefined) return 'unknown';
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${UNITS[power]}`;
}

function records(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 to 999999999');
  return Number(text);
}
