/** The commands of the journal: print, export, archive to files, and verify the files. */

import { randomBytes } from 'node:crypto';
import { constants, rmSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { HOUSE_ID } from '../../domain/core/ids.js';
import { fileFault, refuse, refuseField } from '../../domain/core/refusal.js';
import type { OutputOf } from '../../service/operations.js';
import { type Ask, allClients, RefusedError } from '../ask.js';
import { type Progress, progressOn } from '../progress.js';
import { type Answer, REFUSED, type Run, type RunAlone } from '../run.js';
import { Shown, showRows } from '../show.js';
import { timeOption } from '../time-option.js';
import { shownJson, shownLine } from '../unshown.js';
import { CSV_HEAD, csvRows, entryJson, entryRow, movesText, whoAndWhy } from './journal-rows.js';

const HOW = `
Every step that moved money, or that said why none moved, in order; the journal of a client plays up to its balances (ratewire reconcile).
The house's own has the id _house: fills of cover orders, and movements with providers.
What is older can go to files (archive), which prove themselves (verify).

Examples:
  ratewire journal acme --limit 50
  ratewire journal _house
  ratewire journal export --client acme --from 2026-11-01 --to 2026-12-01 --format csv --out acme.csv
  ratewire journal archive --before 90d --out /var/lib/ratewire-archive
  ratewire journal verify /var/lib/ratewire-archive
  ratewire reconcile --archive /var/lib/ratewire-archive`;

const EXPORT = `
One JSON object a line, or CSV with one row for each move (one without moves for an entry that moved nothing). Amounts are decimals, exact.
Times are those of the store's clock: --from is included, --to too. The same journal gives the same bytes. A file is there when it is
whole: it is written to a temporary name first. In CSV a text that a spreadsheet would take for a formula begins with ', and a
character that a terminal does not show is an escape, such as \\u{202e}. What was archived before is in the archive's files and not in the
export: a line on stderr says so.

Examples:
  ratewire journal export > journal.jsonl
  ratewire journal export --client acme --from 2026-11-01 --format csv --out acme-november.csv`;

const ARCHIVE = `
Journal entries before a time, of one client or of all, are written to <dir>/<client>/000001.jsonl and on, then leaves the journal: each
file is written, synced, read back and compared, and only then its entries are removed, in one step that keeps the balances after the last
of them. The next run resumes one that was interrupted; bookings continue meanwhile. Each line carries the hash of the line before and an
HMAC of its own, over all files. Keep the directory: the next run continues in it, and reconcile --archive replays it from the first entry.
Entries of the last 7 days stay (receipts name them), unless you insist. What does not agree with its records is not archived.
Kept in the store: conversions, payments, fundings and deposits themselves, which are read and sent again by their ids; a statement of an
account ends where the archive begins, and payments show says how many steps are in the archive.

Examples:
  ratewire journal archive --before 90d --out /var/lib/ratewire-archive
  ratewire journal archive --client acme --before 2026-01-01 --out /var/lib/ratewire-archive`;

const VERIFY = `
The chain of each client from its first file, every line, by the HMACs that only the master key makes: a line that was removed, changed, or
chained anew is found. The first place that breaks is a row, and the exit code is 1. That the last files are missing, no chain can
tell: where the store runs it is asked, elsewhere compare the last hash with that of the last archive run.

Examples:
  ratewire journal verify /var/lib/ratewire-archive`;

export function addJournalCommands(program: Command, run: Run, alone: RunAlone): void {
  const journal = program.command('journal').description('the journal: every step').addHelpText('after', HOW);
  journal
    .command('show <client>', { isDefault: true })
    .description("the last entries of a client's journal, newest first (also: ratewire journal <client>)")
    .option('--limit <n>', 'how many, 1 to 1000', Number, 20)
    .action((clientId, { limit }) => run(async (ask) => latest(await ask('readJournal', { clientId, limit }))));
  journal
    .command('export')
    .description('the journal with every entry, oldest first, to a file or stdout')
    .option('--client <id>', 'of this client alone')
    .addOption(timeOption('--from <time>', 'from this time: 2026-11-20, 2026-11-20T08:00:00Z, or 30d (days ago)'))
    .addOption(timeOption('--to <time>', 'until this time'))
    .addOption(new Option('--format <format>', 'how').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--out <file>', 'to this file (default: stdout)')
    .addHelpText('after', EXPORT)
    .action((options) => run((ask, { progress }) => exported(ask, progress, options)));
  journal
    .command('archive')
    .description('move what is older to files with a hash chain')
    .addOption(timeOption('--before <time>', 'entries from before this time: 2026-11-20, or 90d').makeOptionMandatory())
    .requiredOption('--out <dir>', 'the directory of the archive, always the same')
    .option('--client <id>', 'of this client alone')
    .option('--insist', 'also entries of the last 7 days')
    .addHelpText('after', ARCHIVE)
    .action((options) => run((ask, { progress }) => archived(ask, progress, options)));
  journal
    .command('verify <dir>')
    .description('check the chain of an archive, and name the first line that is broken')
    .addHelpText('after', VERIFY)
    .action((directory) => alone((progress) => verified(directory, progress)));
}

function latest({ entries, archivedUntil }: OutputOf<'readJournal'>): Shown {
  const rows = entries.map((entry) => ({ ...entryRow(entry), ...whoAndWhy(entry), moves: movesText(entry) }));
  const before = archivedUntil === undefined ? '' : `Entries up to ${archivedUntil} are in the archive.\n`;
  return new Shown(entries.map(entryJson), () => showRows(rows) + before);
}

interface ExportOptions {
  readonly client?: string;
  readonly from?: number;
  readonly to?: number;
  readonly format: 'jsonl' | 'csv';
  readonly out?: string;
}

async function exported(ask: Ask, progress: Progress, { out, ...options }: ExportOptions): Promise<Answer | undefined> {
  if (options.from !== undefined && options.to !== undefined && options.to < options.from)
    throw new RefusedError(refuseField('to', 'not before --from'));
  if (out === undefined) {
    // On a terminal the lines themselves show how far it is.
    const shown = process.stdout.isTTY ? progressOn(process.stderr, true) : progress;
    await writeAll(ask, shown, options, (text) => toStream(process.stdout, text));
    return undefined;
  }
  const temporary = `${out}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    // Not asynchronous: no signal ends the program between the creation of the file and the handler that removes it.
    writeFileSync(temporary, '', { flag: 'wx', mode: 0o600 });
    const forget = (): void => rmSync(temporary, { force: true });
    process.once('exit', forget);
    // Without O_CREAT: opened by another thread after the removal, it would be there again.
    const file = await open(temporary, constants.O_WRONLY | constants.O_APPEND);
    try {
      const entries = await writeAll(ask, progress, options, async (text) => void (await file.appendFile(text)));
      await file.sync();
      await rename(temporary, out);
      await syncFolder(dirname(out));
      return { file: out, entries };
    } finally {
      await file.close();
      process.off('exit', forget);
      forget();
    }
  } catch (error) {
    throw new RefusedError(fileFault(error, 'out', out));
  }
}

/** How many entries there were. A page of one client is in memory at a time. */
async function writeAll(
  ask: Ask,
  progress: Progress,
  { client, from, to, format }: Omit<ExportOptions, 'out'>,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const ids = client === undefined ? await allLedgers(ask) : [client];
  if (format === 'csv') await write(CSV_HEAD);
  let count = 0;
  for (const [i, clientId] of ids.entries()) {
    progress.between(i / ids.length, (i + 1) / ids.length);
    for (let after: string | undefined, isMore = true, first = 0; isMore; ) {
      const page = await ask('pageJournal', { clientId, fromMs: from, toMs: to, after });
      isMore = page.isMore;
      const { archivedUntil } = page;
      if (after === undefined && archivedUntil && Number.parseInt(archivedUntil, 10) >= (from ?? 0)) {
        progress.end();
        process.stderr.write(
          `${shownLine(`${clientId}: entries up to ${archivedUntil} are in the archive, not here`)}\n`,
        );
      }
      const lines = page.entries.map((entry) =>
        format === 'csv'
          ? csvRows(clientId, entry)
          : `${shownJson(JSON.stringify({ client: clientId, ...entryJson(entry) }))}\n`,
      );
      if (lines.length > 0) await write(lines.join(''));
      count += lines.length;
      after = page.entries.at(-1)?.entry ?? after;
      const ms = Number.parseInt(after ?? '', 10);
      first ||= ms;
      progress.report(`${clientId}: ${count} entries`, (ms - first) / ((to ?? Date.now()) - first || 1));
    }
  }
  return count;
}

interface ArchiveOptions {
  readonly before: number;
  readonly out: string;
  readonly client?: string;
  readonly insist?: boolean;
}

async function archived(
  ask: Ask,
  progress: Progress,
  { before, out, client, insist }: ArchiveOptions,
): Promise<Answer> {
  const ids = client === undefined ? await allLedgers(ask) : [client];
  const rows: object[] = [];
  for (const [i, clientId] of ids.entries()) {
    progress.between(i / ids.length, (i + 1) / ids.length);
    // Clients with nothing to archive are not in the audit log either.
    const { entries } = await ask('pageJournal', { clientId, toMs: before - 1, limit: 1 });
    if (entries.length === 0) continue;
    rows.push(await ask('archiveJournal', { clientId, beforeMs: before, directory: out, insist }));
  }
  return rows;
}

/** Clients, and the house's own last. */
const allLedgers = async (ask: Ask): Promise<string[]> => [...(await allClients(ask)).map(({ id }) => id), HOUSE_ID];

async function verified(directory: string, progress: Progress): Promise<Answer> {
  const [{ verifyArchive }, { configuredArchiveKey }] = await Promise.all([
    import('../../service/audit/verify-archive.js'),
    import('../operator.js'),
  ]);
  const key = configuredArchiveKey();
  const heads = await knownHeads();
  const options = { heads, progress: progress.report };
  const { chains, isEmpty, broken } = await verifyArchive(directory, key, options).catch((error: unknown) => {
    throw new RefusedError(fileFault(error, 'dir', directory));
  });
  if (isEmpty)
    throw new RefusedError(
      refuse('NOT_FOUND', `No journal archive in ${directory}: give the --out of the archive runs`),
    );
  const rows = chains.map(({ clientId, files, entries, lastEntry, hash }) => ({
    client: clientId,
    files,
    entries,
    last_entry: lastEntry,
    last_hash: hash,
  }));
  const end = heads ? 'The store knows no later file.' : 'No store was asked whether the last files are missing.';
  const text = () => `${showRows(rows)}${broken.length === 0 ? `Every line holds. ${end}\n` : showRows(broken)}`;
  return new Shown({ chains: rows, broken, store_asked: heads !== undefined }, text, broken.length === 0 ? 0 : REFUSED);
}

/** What the store has kept of the last lines; undefined where no store runs, or none that this command can open. */
async function knownHeads(): Promise<OutputOf<'listArchiveHeads'>['heads'] | undefined> {
  const { operator } = await import('../operator.js');
  try {
    const { ask, close } = await operator();
    try {
      return (await ask('listArchiveHeads', {})).heads;
    } finally {
      await close();
    }
  } catch (error) {
    // None runs, none that has this master key, or it is away.
    if (error instanceof Error && ['StoreStartError', 'RefusedError'].includes(error.name)) return undefined;
    throw error;
  }
}

function toStream(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
