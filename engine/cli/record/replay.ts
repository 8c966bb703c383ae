/** `ratewire replay`: the prices of a day, computed again from its record. */
import type { Command } from 'commander';
import { refuse, refuseField } from '../../domain/core/refusal.js';
import { RefusedError } from '../ask.js';
import { type Answer, REFUSED, type RunAlone } from '../run.js';
import { Shown, showFields, showRows } from '../show.js';

const REPLAY = `
Computes the price of each booking, offer and hold of a day again, from the record alone: its ticks drive the rate book and its margins the pricing
of this release. Each digit that differs is named, with the booking or hold, what was recorded and what was computed; exit code 1. Of what is not
priced again the reason is given: lines that are missing, another process whose folder is not there, or one that was killed before it had
written its last second. A day is one of UTC; a file names its day and its directory. No store is needed; with a master key the chains of the record
are verified first.

Examples:
  ratewire replay 2026-11-23
  ratewire replay 2026-11-23 --record /mnt/archive/record
  ratewire replay /var/lib/ratewire-record/fx1.engine.1/20261123-000001.log.gz`;

const DAY = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const FILE = /^(.+)\/[^/]+\/(\d{8})-\d{6}\.log\.gz$/;

export function addReplayCommand(program: Command, alone: RunAlone): void {
  program
    .command('replay')
    .description('price every booking, offer and hold of a day again, and name each digit that differs')
    .argument('<day>', 'YYYY-MM-DD, or one of its files')
    .option('--record <directory>', 'the record (default: RECORD)')
    .addHelpText('after', REPLAY)
    .action((day: string, { record }: { readonly record?: string }) =>
      alone((progress) => replayed(day, record, progress.report)),
    );
}

async function replayed(
  given: string,
  record: string | undefined,
  report: (done: string, part: number) => void,
): Promise<Answer> {
  const { configuredRecord } = await import('../operator.js');
  const { resolve } = await import('node:path');
  const { replayDay } = await import('../../service/record/replay.js');
  const { verifyRecord } = await import('../../service/record/read-record.js');
  const [, ofFile, fileDay] = FILE.exec(resolve(given)) ?? [];
  const day = fileDay ?? DAY.exec(given)?.slice(1).join('');
  if (day === undefined && given.includes('/'))
    throw new RefusedError(refuse('NOT_FOUND', `${given} is no file of a day record`));
  if (day === undefined || !isDate(day))
    throw new RefusedError(refuseField('day', 'YYYY-MM-DD, or a file of the record'));
  const { directory, key } = configuredRecord(record ?? ofFile);
  const broken = key ? verifyRecord(directory, key).filter((chain) => chain.broken) : [];
  const found = await replayDay(directory, day, (part) => report('replaying', part));
  if (found.folders === 0)
    throw new RefusedError(refuse('NOT_FOUND', `${directory} has no file of ${day}: name a day that is recorded`));
  const { differences, unpriced, ...counts } = found;
  const summary = {
    day,
    ...counts,
    differences: differences.length,
    notPricedAgain: [...unpriced].map(([why, count]) => `${count}: ${why}`),
    chain:
      key === undefined
        ? 'not verified: no master key'
        : broken.length === 0
          ? 'intact'
          : `broken in ${broken.map(({ folder }) => folder).join(', ')}`,
  };
  const isFaulty = differences.length > 0 || found.ticksOtherwise > 0 || broken.length > 0;
  const text = () =>
    `${showFields({ ...summary, notPricedAgain: summary.notPricedAgain.join('; ') || 'none' })}${differences.length > 0 ? showRows(differences) : ''}`;
  return new Shown({ ...summary, found: differences }, text, isFaulty ? REFUSED : 0);
}

/** There is no 13th month, and no 31st of November. */
function isDate(day: string): boolean {
  const ms = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '') === day;
}
