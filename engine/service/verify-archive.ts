/** The files of a journal archive by themselves: no store is asked, so that it can be done anywhere. */
import { ArchiveChain, archivedClients, type Broken, lastFile, readArchiveFile } from '../store/archive-files.js';
import type { Services } from './services.js';

export interface ArchiveVerified {
  /** In order of the ids: how far each chain holds. */
  readonly chains: readonly {
    readonly clientId: string;
    readonly files: number;
    readonly entries: number;
    readonly lastEntry: string;
    /** Of the last line: what the store has of it tells whether a last file is missing. */
    readonly hash: string;
  }[];
  /** The first place of each client that breaks. */
  readonly broken: readonly Broken[];
}

/** Throws the error of the file system where the directory cannot be read. */
export async function verifyArchive(
  directory: string,
  progress: Services['progress'] = () => {},
): Promise<ArchiveVerified> {
  const chains: ArchiveVerified['chains'][number][] = [];
  const broken: Broken[] = [];
  const clients = await archivedClients(directory);
  for (const [i, clientId] of clients.entries()) {
    const chain = new ArchiveChain(clientId);
    const files = await lastFile(directory, clientId);
    while (chain.file < files) {
      const taken = chain.take(await readArchiveFile(directory, clientId, chain.file + 1));
      if ('why' in taken) {
        broken.push(taken);
        break;
      }
      progress(`${clientId}: ${chain.count} entries`, (i + chain.file / files) / clients.length);
    }
    const { file, count, entry, hash } = chain;
    chains.push({ clientId, files: file, entries: count, lastEntry: entry, hash });
  }
  return { chains, broken };
}
