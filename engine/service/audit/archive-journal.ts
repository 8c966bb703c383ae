/** Archives the old entries of a client's journal, or of the house's own, into files: first the file is written, then verified, then the journal is trimmed. */

import { z } from 'zod';
import { fileFault, type Refusal, refuse, refuseField } from '../../domain/core/refusal.js';
import {
  ArchiveChain,
  archiveText,
  FILE_ENTRIES_MAX,
  fileName,
  readArchiveFile,
  writeArchiveFile,
} from '../../store/audit/archive-files.js';
import type { Archived } from '../../store/audit/journal-archive.js';
import { HOUSE, type MoneyOf } from '../../store/keys/redis-keys.js';
import { asEntry, JOURNAL_START, type JournalEntry, type RawEntry } from '../../store/ledger/journal.js';
import { boundedText, LEDGER_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { ledgerOf } from './journal.js';
import { LedgerReplay } from './ledger-replay.js';
import type { Difference, JournalReplay } from './recompute.js';
import { HouseReplay } from './reconcile-house.js';

const READ_AT_ONCE = 500;
/** Receipts refer to journal entries for 7 days, and desks query them. */
const YOUNG_MS = 7 * 24 * 3_600_000;

const NO_PATH = 'a path';
export const DIRECTORY = boundedText(4_096, NO_PATH).min(1, { error: NO_PATH });

/**
 * Moves entries older than a time out of the journal, one file at a time. Balances and open records stay exact, and an interrupted run is
 * continued by the next. Conversions, payments, fundings and deposits stay in the store unchanged. Refuses with UNKNOWN_CLIENT;
 * VALIDATION_FAILED for entries of the last 7 days without `insist`, and for a directory that is not writable or not that of the earlier
 * files; WRONG_STATE when the journal does not agree with its records.
 */
export const archiveJournal = defineOpenOperation({
  input: z.object({
    clientId: LEDGER_ID,
    /** Epoch ms by the store's clock, exclusive. */
    beforeMs: z.int().min(1),
    directory: DIRECTORY,
    insist: z.boolean().default(false),
  }),
  audited: {
    subject: ({ clientId }) => `journal of client ${clientId}`,
    async state({ store }, { clientId }) {
      const client = await ledgerOf(store, clientId);
      if (client === undefined) return undefined;
      const { entry, hash, file, count } = await store.journalArchive.read(client);
      return { archivedUntil: entry, entries: count, files: file, hash };
    },
  },
  async execute(services, _operator, { clientId, beforeMs, directory, insist }) {
    const client = await ledgerOf(services.store, clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    if (!insist && beforeMs > services.now() - YOUNG_MS) return TOO_YOUNG;
    try {
      return await archiveUntil(services, client, String(beforeMs - 1), directory);
    } catch (error) {
      return fileFault(error, 'out', directory);
    }
  },
});

async function archiveUntil(services: Services, client: MoneyOf, until: string, directory: string) {
  const { store } = services;
  const began = await store.journalArchive.read(client);
  const other = await otherDirectory(client, began, directory);
  if (other) return other;
  for (let archived = began; ; ) {
    const [first] = await store.journal.rawPage(client, archived.entry, until, 1);
    const next = first ? await archiveOne(services, client, archived, until, directory) : archived;
    // Another run may be active: this one continues after its last archived entry.
    const now = await store.journalArchive.read(client);
    if (now.entry === archived.entry) {
      if ('refusal' in next) return next;
      const { entry, hash, file, count } = now;
      const done = { entries: count - began.count, files: file - began.file, archivedUntil: entry, hash };
      if (first === undefined) return { clientId: client.id, ...done };
    }
    archived = now;
  }
}

/** One file; another run may write it concurrently. */
async function archiveOne(
  services: Services,
  client: MoneyOf,
  archived: Archived,
  until: string,
  directory: string,
): Promise<Archived | Refusal> {
  const { store } = services;
  const file = archived.file + 1;
  const report = (what: string) => services.progress?.(`${client.id}/${fileName(file)}: ${what}`, part(entries, until));
  // A file of an interrupted run, whose entries are still in the journal, is continued.
  const there = await readArchiveFile(directory, client.id, file);
  const [last, limit] = there === undefined ? [until, FILE_ENTRIES_MAX] : endOf(there);
  const entries = await store.journal.rawPage(client, archived.entry, last, limit);
  if (entries.length === 0) return notNext(client, file);

  const replay = replayOf(services, client, archived);
  const [differs] = await replay.play(entries.map(asEntry));
  if (differs) return refuse('WRONG_STATE', disagrees(client.id, differs.what));

  const { balances } = replay;
  const { hash: follows, count } = archived;
  const made = archiveText({
    client: client.id,
    file,
    follows,
    entries,
    balances,
    key: store.subKey('archive'),
    count,
  });
  report('writing');
  // Another run was faster: the next iteration reads its file.
  if (there === undefined && !(await writeArchiveFile(directory, client.id, file, made.text))) return archived;
  report('written');
  // The content on disk decides.
  if ((await readArchiveFile(directory, client.id, file)) !== made.text) return notNext(client, file);
  report('verified');
  const next: Archived = {
    entry: entries.at(-1)![0],
    hash: made.hash,
    file,
    count: count + entries.length,
    state: replay.state,
  };
  await store.journalArchive.trim(client, archived, entries, next);
  report('removed from the journal');
  return next;
}

/** Continues after the archived part of a client's journal, or of the house's own. */
function replayOf(services: Services, of: MoneyOf, archived: Archived): JournalReplay {
  if (of.id === HOUSE.id) return new HouseReplay(services.store, archived);
  return clientReplay(services, of, new LedgerReplay(of.id, archived));
}

/** Of a client, from where the given one is. */
export const clientReplay = (services: Services, of: MoneyOf, replay: LedgerReplay): JournalReplay => ({
  get balances() {
    return replay.balances;
  },
  get state() {
    return replay.state;
  },
  play: (entries) => playEntries(services, of, replay, entries),
});

async function playEntries(
  { store }: Services,
  client: MoneyOf,
  replay: LedgerReplay,
  entries: readonly JournalEntry[],
): Promise<readonly Difference[]> {
  const { serverMs } = await store.ledgerAudit.snapshot(client);
  const differing: Difference[] = [];
  for (let from = 0; from < entries.length; from += READ_AT_ONCE) {
    const page = entries.slice(from, from + READ_AT_ONCE);
    differing.push(...replay.take(await store.ledgerAudit.evidence(client, page), serverMs));
  }
  return differing;
}

/** All files must be in one directory: a chain with a part elsewhere proves nothing. */
async function otherDirectory(
  client: MoneyOf,
  { file, hash }: Archived,
  directory: string,
): Promise<Refusal | undefined> {
  if (file === 0) return undefined;
  const last = await readArchiveFile(directory, client.id, file);
  if (last !== undefined && ArchiveChain.hashOfEnd(last) === hash) return undefined;
  const name = `${client.id}/${fileName(file)}`;
  return wrongDirectory(`it has to have ${name}, as it was archived: give the directory of the files before`);
}

/** The last entry and the number of entries as the file states them; both are compared with the journal afterwards. */
function endOf(text: string): [last: string, count: number] {
  const { last, count } = ArchiveChain.endOf(text) ?? { last: JOURNAL_START, count: 1 };
  return [last, Math.min(count, FILE_ENTRIES_MAX)];
}

/** Progress of an archive until this time, 0 to 1. */
function part(entries: readonly RawEntry[], until: string): number {
  const [from, to] = [entries[0]![0], entries.at(-1)![0]].map((entry) => Number.parseInt(entry, 10));
  const whole = Number(until) - from!;
  return whole <= 0 ? 1 : Math.min(1, (to! - from!) / whole);
}

const disagrees = (id: string, what: string): string => {
  const option = id === HOUSE.id ? '' : ` --client ${id}`;
  return `The journal of ${id} and what it speaks of do not agree, first at ${what}: \`ratewire reconcile${option}\` names all`;
};

const notNext = ({ id }: MoneyOf, file: number): Refusal =>
  wrongDirectory(`${id}/${fileName(file)} is there and is not what comes next in the journal: move it away`);

const wrongDirectory = (message: string): Refusal => refuseField('out', message);

const TOO_YOUNG = refuseField('before', 'at least 7 days ago, unless insist is given');
