/** Reads the files of the day record, also while programs write them, and verifies their chains. Needs no store. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LogChain, type LogFile, logBlocks, logFiles, verifyLog } from '../../store/day-files/block-files.js';
import { knownSubKey } from '../../store/keys/master-key.js';
import { type RecordLine, recordLines } from '../../store/record/record-lines.js';

/** `<host>.<program>.<n>`, as openRecorder names it. */
const FOLDER = /^[A-Za-z0-9-]{1,40}\.(?:engine|sidecar)\.\d{1,3}$/;

/** Undefined: no key is given and the data directory has none. Throws StoreStartError for a malformed key. */
export const recordKey = (masterKey: string | undefined, dataDir: string): Buffer | undefined =>
  knownSubKey(masterKey, dataDir)?.('record');

/** The folders of the processes that have recorded there, in order; none where there is no such directory. */
export function recordFolders(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => FOLDER.test(name))
    .sort();
}

/**
 * The chain of each process, and each folder that is missing though another one names it. `heads` are `<folder>:<number>:<HMAC>`, each of which must be in its chain. Throws the file system's error.
 */
export function verifyRecord(directory: string, key: Buffer, heads: readonly string[] = []): readonly LogChain[] {
  const folders = recordFolders(directory);
  const unknown = heads.filter((head) => !folders.includes(head.split(':')[0] ?? ''));
  const none = { folder: '', files: 0, firstFile: 0, number: 0, mac: '', beside: new Map<string, number>() };
  const chains = folders.map((folder) => verifyLog(directory, folder, key, heads));
  const known = new Map<string, { readonly number: number; readonly by: string }>();
  for (const { folder: by, beside } of chains)
    for (const [folder, number] of beside)
      if (number > (known.get(folder)?.number ?? 0)) known.set(folder, { number, by });
  const gone = [...known].filter(([folder]) => !folders.includes(folder));
  return [
    ...chains.map((chain): LogChain => {
      const { number, by } = known.get(chain.folder) ?? { number: 0, by: '' };
      if (chain.broken !== undefined || number <= chain.number) return chain;
      const why = `it ends behind block ${chain.number}, and ${by} names its block ${number}`;
      return { ...chain, broken: { place: chain.folder, why } };
    }),
    ...gone.map(([folder, { number, by }]) => {
      const why = `the folder is missing: ${by} names it, with block ${number}`;
      return { ...none, folder, broken: { place: folder, why } };
    }),
    ...unknown.map((place) => ({ ...none, broken: { place, why: 'there is no folder with this head' } })),
  ];
}

/** The files of a process of one day, YYYYMMDD, in order. */
export const recordFiles = (directory: string, folder: string, day: string): readonly LogFile[] =>
  logFiles(join(directory, folder)).filter((file) => file.day === day);

/**
 * The lines of files, in order. A block that cannot be unpacked is a gap of an unknown number of lines. Throws SyntaxError for a line that this
 * release does not know.
 */
export function* readRecord(files: ReadonlyArray<Pick<LogFile, 'path'>>): Generator<RecordLine> {
  for (const { path } of files) {
    for (const { lines, firstUs } of logBlocks(path)) {
      if (lines === undefined) yield { us: 0, epochUs: firstUs, kind: 'gap', count: 0 };
      else yield* recordLines(lines);
    }
  }
}
