/** Verifies the files of a journal archive on their own: needs the master key, and the store only to detect missing last files. */
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
import { HOUSE, type MoneyOf } from '../../store/keys/redis-keys.js';
import { defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

/** The store's record of a client's archive. */
export type ArchiveHead = Pick<Archived, 'file' | 'hash'> & { readonly clientId: string };

/** The records of all clients with archived entries. */
export const listArchiveHeads = defineOpenOperation({
  input: z.object({}),
  async execute(services) {
    const heads: ArchiveHead[] = [];
    const take = async ({ id, shard }: MoneyOf): Promise<void> => {
      const { file, hash } = await services.store.journalArchive.read({ id, shard });
      if (file > 0) heads.push({ clientId: id, file, hash });
    };
    await take(HOUSE);
    for await (const client of everyClient(services)) await take(client);
    return { heads };
  },
});

/**
 * The key of the chain, without a store; undefined where none is given and the data directory has none. Throws StoreStartError for a
 * malformed key.
 */
export const archiveKey = (masterKey: string | undefined, dataDir: string): Buffer | undefined =>
  knownSubKey(masterKey, dataDir)?.('archive');

export interface ArchiveVerified {
  /** In order of client ids: how far each chain is intact. */
  readonly chains: readonly {
    readonly clientId: string;
    readonly files: number;
    readonly entries: number;
    readonly lastEntry: string;
    /** Hash of the last line: compared with the store's record, it shows whether a last file is missing. */
    readonly hash: string;
  }[];
  /** The directory has no archive file. */
  readonly isEmpty: boolean;
  /** The first break of each client's chain. */
  readonly broken: readonly Broken[];
}

export interface VerifyOptions {
  /** The store's records, if a store is available. */
  readonly heads?: readonly ArchiveHead[] | undefined;
  readonly progress?: Services['progress'];
}

/** Throws the file system's error where the directory cannot be read. */
export async function verifyArchive(
  directory: string,
  key: Buffer | undefined,
  { heads = [], progress = () => {} }: VerifyOptions = {},
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
    // Files after the last one in the store's record are of an interrupted run.
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
    const { file, count, entry, hash } = chain;
    chains.push({ clientId, files: file, entries: count, lastEntry: entry, hash });
  }
  return { chains, isEmpty, broken };
}

const missing = ({ clientId, file }: ArchiveHead, first: number): Broken => ({
  place: `${clientId}/${fileName(first)}`,
  why: `the file is missing: the store has archived up to ${fileName(file)}`,
});

function other({ client, file, hash }: ArchiveChain, head: ArchiveHead): Broken | undefined {
  if (hash === head.hash) return undefined;
  const why = 'its last line is not the one that the store has kept the hash of';
  return { place: `${client}/${fileName(file)}`, why };
}
