/** The files of a journal archive by themselves: they need the master key, and the store only to tell whether the last ones are missing. */
import { z } from 'zod';
import {
  ArchiveChain,
  archivedClients,
  type Broken,
  fileName,
  lastFile,
  readArchiveFile,
} from '../../store/audit/archive-files.js';
import type { Archived } from '../../store/audit/journal-archive.js';
import { knownSubKey } from '../../store/keys/master-key.js';
import { everyClient } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** What a store knows of the archive of a client. */
export type ArchiveHead = Pick<Archived, 'file' | 'hash' | 'keyedSince'> & { readonly clientId: string };

/** Of every client of whose journal something was archived. */
export const listArchiveHeads = defineOpenOperation({
  input: z.object({}),
  async execute(services) {
    const heads: ArchiveHead[] = [];
    for await (const { id, shard } of everyClient(services)) {
      const { file, hash, keyedSince } = await services.store.journalArchive.read({ id, shard });
      if (file > 0) heads.push({ clientId: id, file, hash, keyedSince });
    }
    return { heads };
  },
});

/** The key of the chain, without a store; undefined where none is given and the data directory has none. Throws StoreStartError for no key. */
export const archiveKey = (masterKey: string | undefined, dataDir: string): Buffer | undefined =>
  knownSubKey(masterKey, dataDir)?.('archive');

export interface ArchiveVerified {
  /** In order of the ids: how far each chain holds. */
  readonly chains: readonly {
    readonly clientId: string;
    readonly files: number;
    /** The file with which the HMAC chain begins; 0: all are of release 0.1.0. */
    readonly keyedSince: number;
    readonly entries: number;
    readonly lastEntry: string;
    /** Of the last line: what the store has of it tells whether a last file is missing. */
    readonly hash: string;
  }[];
  /** The directory has no file of an archive. */
  readonly isEmpty: boolean;
  /** The first place of each client that breaks. */
  readonly broken: readonly Broken[];
}

/** `heads` are those of the store, where one is there. Throws the error of the file system where the directory cannot be read. */
export async function verifyArchive(
  directory: string,
  key: Buffer | undefined,
  heads: readonly ArchiveHead[] = [],
  progress: Services['progress'] = () => {},
): Promise<ArchiveVerified> {
  const chains: ArchiveVerified['chains'][number][] = [];
  const broken: Broken[] = [];
  let isEmpty = true;
  const known = new Map(heads.map((head) => [head.clientId, head]));
  const there = await archivedClients(directory);
  const clients = [...new Set([...there, ...known.keys()])].sort();
  for (const [i, clientId] of clients.entries()) {
    const chain = new ArchiveChain(clientId, key);
    const head = known.get(clientId);
    const files = there.includes(clientId) ? await lastFile(directory, clientId) : 0;
    if (files > 0) isEmpty = false;
    // Files behind those that the store knows of are of a run that was ended.
    let found: Broken | undefined = head && files < head.file ? missing(head, files + 1) : undefined;
    while (chain.file < files) {
      const taken = chain.take(await readArchiveFile(directory, clientId, chain.file + 1));
      if ('why' in taken) {
        found = taken;
        break;
      }
      if (head?.file === chain.file) found ??= other(chain, head);
      progress(`${clientId}: ${chain.count} entries`, (i + chain.file / files) / clients.length);
    }
    if (found) broken.push(found);
    const { file, keyedSince, count, entry, hash } = chain;
    chains.push({ clientId, files: file, keyedSince, entries: count, lastEntry: entry, hash });
  }
  return { chains, isEmpty, broken };
}

const missing = ({ clientId, file }: ArchiveHead, first: number): Broken => ({
  place: `${clientId}/${fileName(first)}`,
  why: `the file is missing: the store has archived up to ${fileName(file)}`,
});

function other({ client, file, hash, keyedSince }: ArchiveChain, head: ArchiveHead): Broken | undefined {
  const place = `${client}/${fileName(file)}`;
  if (hash !== head.hash) return { place, why: 'its last line is not the one that the store has kept the hash of' };
  if (keyedSince === head.keyedSince) return undefined;
  return { place, why: `the chain of HMACs begins in file ${keyedSince}, and by the store in file ${head.keyedSince}` };
}
