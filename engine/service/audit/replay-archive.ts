/**
 * Replays the files of a client's journal archive from the first: checks the chain, and that the last file ends where the store's journal
 * begins.
 */

import { ArchiveChain, fileName, readArchiveFile } from '../../store/audit/archive-files.js';
import type { Archived } from '../../store/audit/journal-archive.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import type { MoneyOf } from '../../store/keys/redis-keys.js';
import { asEntry } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import type { Difference, JournalReplay } from './recompute.js';
import { NONE } from './recompute.js';

interface ArchiveReplayed {
  readonly differences: readonly Difference[];
  readonly entries: number;
  /** False: the files do not lead to the journal in the store. */
  readonly isWhole: boolean;
}

/** `replay` is at the first entry, and plays all of them. Undefined: nothing of this ledger was archived. */
export async function replayArchive(
  services: Services,
  client: MoneyOf,
  directory: string,
  replay: JournalReplay,
): Promise<ArchiveReplayed | undefined> {
  const archived = await services.store.journalArchive.read(client);
  if (archived.file === 0) return undefined;
  const differences: Difference[] = [];
  const differs = (what: string, expected: string, found: string) =>
    differences.push({ client: client.id, what, expected, found });
  const chain = new ArchiveChain(client.id, services.store.subKey('archive'));
  // Files after the last one in the store's record are of an interrupted run: their entries are still in the journal.
  while (chain.file < archived.file) {
    const taken = chain.take(await readArchiveFile(directory, client.id, chain.file + 1));
    if ('why' in taken) {
      differs(`archive ${taken.place}`, 'as it was written', taken.why);
      return { differences, entries: chain.count, isWhole: false };
    }
    differences.push(...(await replay.play(taken.map(asEntry))));
    services.progress?.(`archive ${client.id}/${fileName(chain.file)}`, chain.file / archived.file);
  }
  if (chain.hash !== archived.hash)
    differs(`archive ${client.id}/${fileName(chain.file)}: hash of its last line`, archived.hash, chain.hash);
  const opening = openingOf(archived);
  const { balances } = replay;
  for (const name of new Set([...Object.keys(opening), ...Object.keys(balances)])) {
    if (opening[name] !== balances[name])
      differs(`balance ${name} after ${archived.entry}, minor units`, balances[name] ?? NONE, opening[name] ?? NONE);
  }
  return { differences, entries: chain.count, isWhole: true };
}

/** The balances that the store has kept for the archived part. An unreadable state has none. */
const openingOf = ({ state }: Archived): Readonly<Record<string, string>> =>
  decodeOrUndefined(() => (JSON.parse(state) as { readonly balances?: Record<string, string> }).balances) ?? {};
