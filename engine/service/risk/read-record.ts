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
 * The chain of each process. `heads` are `<folder>:<number>:<HMAC>`, each of which must be in its chain. Throws the file system's error.
 */
export function verifyRecord(directory: string, key: Buffer, heads: readonly string[] = []): readonly LogChain[] {
  const folders = recordFolders(directory);
  const unknown = heads.filter((head) => !folders.includes(head.split(':')[0] ?? ''));
  const none = { folder: '', files: 0, firstFile: 0, number: 0, mac: '' };
  return [
    ...folders.map((folder) => verifyLog(directory, folder, key, heads)),
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
