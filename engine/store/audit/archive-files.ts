/**
 * The files of the journal archive: `<directory>/<client>/000001.jsonl` and on, a JSON object in each line. Every line begins with the hash
 * of the previous line, also across files, and ends with its own: an HMAC-SHA256 of the line up to that field, under a sub-key of the
 * master key. First line: `client` and `file`. Then the entries, as the stream had them, numbered without a gap over all files. Last line: a
 * summary of the file, and the balances after it.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LEDGER_ID } from '../../domain/core/ids.js';
import { mustMatch } from '../keys/redis-keys.js';
import { addMove, asEntry, isPlace, movesOf, type RawEntry } from '../ledger/journal.js';
import { NO_HASH } from './journal-archive.js';

export const FILE_ENTRIES_MAX = 2_000;
/** A file has a few megabytes at most. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const LEFTOVER_MS = 3_600_000;

export interface ArchiveFile {
  readonly client: string;
  readonly file: number;
  /** Hash of the last line of the previous file; NO_HASH for the first file. */
  readonly follows: string;
  readonly entries: readonly RawEntry[];
  /** `EUR/<account>` to minor units, sorted by name. */
  readonly balances: Readonly<Record<string, string>>;
  /** Of the HMACs. */
  readonly key: Buffer;
  /** Entries in the previous files. */
  readonly count: number;
}

/** Where a chain breaks: the first place, as text. */
export interface Broken {
  readonly place: string;
  readonly why: string;
}

export const fileName = (file: number): string => `${String(file).padStart(6, '0')}.jsonl`;

/** The whole file, and the hash of its last line. Deterministic: the same journal gives the same bytes. */
export function archiveText({ client, file, follows, entries, balances, key, count }: ArchiveFile): {
  text: string;
  hash: string;
} {
  const lines: string[] = [];
  let before = follows;
  const add = (content: object) => {
    const line = JSON.stringify({ before, ...content });
    before = macOf(key, line);
    lines.push(`${line.slice(0, -1)},"mac":"${before}"}`);
  };
  add({ client, file });
  for (const [i, [entry, fields]] of entries.entries()) add({ number: count + i + 1, entry, fields });
  const [first, last] = [entries[0]![0], entries.at(-1)![0]];
  add({ client, file, first, last, count: entries.length, balances });
  return { text: `${lines.join('\n')}\n`, hash: before };
}

/** Undefined: there is no such file. Throws the file system's error. */
export async function readArchiveFile(directory: string, client: string, file: number): Promise<string | undefined> {
  const path = join(directory, mustMatch(LEDGER_ID, 'id of a ledger', client), fileName(file));
  try {
    if ((await stat(path)).size > FILE_BYTES_MAX) return '';
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes to a temporary name, syncs, and renames it to its final name, which is never written again. False when that name exists. Throws
 * the file system's error.
 */
export async function writeArchiveFile(
  directory: string,
  client: string,
  file: number,
  text: string,
): Promise<boolean> {
  const folder = join(directory, mustMatch(LEDGER_ID, 'id of a ledger', client));
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, fileName(file));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await removeLeftovers(folder, (await handle.stat()).mtimeMs);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  // A new folder is durable once its parent is synced: up to the parent of the first new one.
  const last = made === undefined ? directory : dirname(made);
  for (let at = folder; ; at = dirname(at)) {
    await syncFolder(at);
    if (at === last || at === dirname(at)) break;
  }
  return true;
}

/** Clients with files in a directory, in order. */
export async function archivedClients(directory: string): Promise<readonly string[]> {
  const found = await readdir(directory, { withFileTypes: true });
  return found
    .filter((one) => one.isDirectory() && LEDGER_ID.test(one.name))
    .map(({ name }) => name)
    .sort();
}

/** The highest file number of a client by file names: gaps count. */
export async function lastFile(directory: string, client: string): Promise<number> {
  const names = await readdir(join(directory, mustMatch(LEDGER_ID, 'id of a ledger', client)));
  return names.reduce((last, name) => Math.max(last, Number(/^(\d{6})\.jsonl$/.exec(name)?.[1] ?? 0)), 0);
}

/** The state after the files of one client that were read so far. */
export class ArchiveChain {
  readonly client: string;
  /** The last verified file, its last entry and hash. */
  file = 0;
  entry = '';
  hash = NO_HASH;
  count = 0;
  readonly #sums = new Map<string, bigint>();
  readonly #key: Buffer | undefined;

  constructor(client: string, key: Buffer | undefined) {
    this.client = client;
    this.#key = key;
  }

  /** The last line of a file; undefined: malformed. */
  static endOf(text: string): { readonly last: string; readonly count: number } | undefined {
    const read = parsed(lastLine(text)) as { last?: unknown; count?: unknown } | undefined;
    if (typeof read?.last !== 'string' || !isPlace(read.last) || !Number.isSafeInteger(read.count)) return undefined;
    return { last: read.last, count: Math.max(1, read.count as number) };
  }

  /** What the first line of the next file begins with. */
  static hashOfEnd(text: string): string {
    return MAC.exec(lastLine(text))?.[2] ?? NO_HASH;
  }

  /** Verifies the text of the next file: returns its entries, or where it breaks the chain. */
  take(text: string | undefined): readonly RawEntry[] | Broken {
    const file = this.file + 1;
    const name = `${this.client}/${fileName(file)}`;
    if (text === undefined) return { place: name, why: 'the file is missing' };
    const lines = text.split('\n');
    if (lines.pop() !== '') return { place: `${name} line ${lines.length + 1}`, why: 'the file ends within this line' };

    const key = this.#key;
    if (key === undefined) return { place: name, why: NO_KEY };
    const entries: RawEntry[] = [];
    let before = this.hash;
    for (const [i, line] of lines.entries()) {
      const place = `${name} line ${i + 1}`;
      const read = parsed(line);
      if (read === undefined) return { place, why: 'not a line of a journal archive' };
      if (read.before !== before) return { place, why: notBehind(i, file) };
      const [, body = '', mac = ''] = MAC.exec(line) ?? [];
      if (mac === '') return { place, why: NO_MAC };
      if (macOf(key, `${body}}`) !== mac) return { place, why: WRONG_MAC };
      before = mac;
      const entry = rawEntry(read);
      if (i > 0 && i < lines.length - 1) {
        if (entry === undefined) return { place, why: 'no journal entry' };
        entries.push(entry);
      }
    }
    if (entries.length === 0) return { place: name, why: 'the file has no entries' };

    for (const entry of entries) this.#add(entry);
    const follows = this.hash;
    const { client, count } = this;
    // Nothing may follow the last line, and numbers must be gapless: the file is built anew and compared byte by byte.
    const balances = this.#balances();
    const whole = archiveText({ client, file, follows, entries, balances, key, count }).text.split('\n');
    const wrong = lines.findIndex((line, i) => line !== whole[i]);
    if (wrong >= 0) return { place: `${name} line ${wrong + 1}`, why: 'it does not say what the lines before it give' };
    this.file = file;
    this.entry = entries.at(-1)![0];
    this.hash = before;
    this.count += entries.length;
    return entries;
  }

  #add(entry: RawEntry): void {
    for (const move of movesOf(asEntry(entry).moves) ?? []) addMove(this.#sums, move);
  }

  #balances(): Record<string, string> {
    return Object.fromEntries([...this.#sums.keys()].sort().map((name) => [name, String(this.#sums.get(name))]));
  }
}

function notBehind(line: number, file: number): string {
  if (line > 0)
    return `it does not follow from line ${line}: one of the two was changed, or what stood between them is gone`;
  return file === 1
    ? 'it is not the beginning of an archive'
    : `it does not follow from the last line of ${fileName(file - 1)}`;
}

function parsed(
  line: string,
): { readonly before?: unknown; readonly entry?: unknown; readonly fields?: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

function rawEntry({ entry, fields }: NonNullable<ReturnType<typeof parsed>>): RawEntry | undefined {
  if (typeof entry !== 'string' || !Array.isArray(fields)) return undefined;
  return fields.every((field) => typeof field === 'string') ? [entry, fields] : undefined;
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
}

/** A line up to its HMAC, and the HMAC. */
const MAC = /^(.*),"mac":"([0-9a-f]{64})"\}$/;
const NO_MAC = 'it has no HMAC: it was written without the key';
const NO_KEY = 'its HMAC needs the master key: set MASTER_KEY, or DATA_DIR to the directory of master.key';
const WRONG_MAC =
  'its HMAC is not that of the line: it was changed or written without the key, or the master key is another';

const macOf = (key: Buffer, line: string): string => createHmac('sha256', key).update(line).digest('hex');

/**
 * A killed run may have left a temporary file; that of a concurrent run is younger. `nowMs` is the file system's, whose clock may be another
 * than this machine's.
 */
async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (nowMs - mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
