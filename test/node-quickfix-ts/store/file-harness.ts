import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStoreOptions, fileStoreFactory, type SessionId, type SessionStore } from 'node-quickfix-ts';
import type { StoreHarness } from 'node-quickfix-ts/store-kit';

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'nqf-store-'));

export const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true });

export const DESK: SessionId = { beginString: 'FIX.4.4', senderCompId: 'VENUE', targetCompId: 'DESK1' };
export const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

/** The only session folder of a directory. */
export function sessionFolder(directory: string): string {
  const [name] = readdirSync(directory).filter((one) => !one.startsWith('lock.'));
  return join(directory, name!);
}

/** Processes on one directory. One that is killed leaves its files as they are: the others continue on a copy of them. */
export function fileHarness(options: Omit<FileStoreOptions, 'directory'> = {}): StoreHarness {
  let directory = newDirectory();
  return {
    capabilities: ['restart', 'crash', 'exclusive', 'wholeId'],
    async start() {
      const factory = fileStoreFactory({ ...options, directory });
      const stores: SessionStore[] = [];
      return {
        store(id, context) {
          const store = factory(id, context);
          stores.push(store);
          return store;
        },
        stop: async () => {},
        async kill() {
          const copy = newDirectory();
          const isOfSession = (path: string) => !/[/\\]lock\.[^/\\]*$/.test(path);
          cpSync(directory, copy, { recursive: true, filter: isOfSession });
          directory = copy;
          for (const store of stores) await store.close();
        },
      };
    },
  };
}
