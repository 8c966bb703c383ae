/** The commands that reconcile the ledger and print the good days of the calendars. */
import type { Command } from 'commander';
import type { OutputOf } from '../../service/operations.js';
import { REFUSED, type Run } from '../run.js';
import { Shown, showRows } from '../show.js';

const RECONCILE = `
Replays every journal from its beginning, or from the balances after the archive, and compares it with balances, conversions,
fundings, payments and receipts, while all programs run: amounts are computed again from their prices and fees, facts are compared with the
hash that the journal keeps of them, lists and due entries with the records and back. --archive replays the files of the journal archive first, from the first
entry. Each place that differs is a row; the exit code is 1 then, and 0 when all agrees.

Examples:
  ratewire reconcile
  ratewire reconcile --client acme --json
  ratewire reconcile --archive /var/lib/ratewire-archive`;

const CALENDAR = `
Value dates and settlement times count the good days of both currencies of a pair, and of the US dollar between them. The calendar ends; what
lies behind its end is refused, so look before the year is over.

Examples:
  ratewire calendar JPY --from 2026-12-01 --to 2027-01-31`;

export function addLedgerCommands(program: Command, run: Run): void {
  program
    .command('reconcile')
    .description('balances, journal and receipts against each other')
    .option('--client <id>', 'this client alone')
    .option('--archive <dir>', 'play the files of the journal archive too, from the first entry')
    .addHelpText('after', RECONCILE)
    .action(({ client: clientId, archive: directory }) =>
      run(async (ask) => reconciled(await ask('reconcile', { clientId, directory }))),
    );

  program
    .command('calendar <currency>')
    .description('the days on which a currency does not settle, besides its weekends')
    .option('--from <date>', 'from this day, YYYY-MM-DD')
    .option('--to <date>', 'to this day, YYYY-MM-DD')
    .addHelpText('after', CALENDAR)
    .action((currency, { from, to }) =>
      run(async (ask) => calendar(await ask('readCalendar', { currency, from, to }))),
    );
}

function reconciled({ differences, count, ...all }: OutputOf<'reconcile'>): Shown {
  const { clients, journalEntries, archivedEntries, receipts, lookupsWithoutRecord: lookups } = all;
  const archive = archivedEntries > 0 ? `, ${archivedEntries} archived ones` : '';
  const notes = [...(lookups > 0 ? [`; ${lookups} lookup keys without a record, which do no harm`] : [])];
  const seen = `${clients} clients, ${journalEntries} journal entries${archive}, ${receipts} receipts${notes.join('')}`;
  const more = count > differences.length ? `, the first ${differences.length} above` : '';
  const verdict = count === 0 ? 'All agree' : `${count} ${count === 1 ? 'place differs' : 'places differ'}${more}`;
  const text = () => `${count === 0 ? '' : showRows(differences)}${verdict}: ${seen}.\n`;
  return new Shown(
    {
      clients,
      journal_entries: journalEntries,
      archived_entries: archivedEntries,
      receipts,
      lookups_without_record: lookups,
      count,
      differences,
    },
    text,
    count === 0 ? 0 : REFUSED,
  );
}

function calendar(found: OutputOf<'readCalendar'>): Shown {
  const { currency, knownFrom, knownUntil, gaps, source, holidays } = found;
  const unknown = gaps.map(({ from, until }) => `, but for ${from} to ${until}`).join('');
  const head = `${currency} is known from ${knownFrom} until ${knownUntil}${unknown}.\nSource: ${source}\n`;
  const json = { currency, known_from: knownFrom, known_until: knownUntil, gaps, source, holidays };
  return new Shown(json, () => head + showRows(holidays));
}
