/**
 * Files of lines with a chain, as the message log and the day record write them: `<directory>/<folder>/<YYYYMMDD>-<nnnnnn>.log.gz`, numbered
 * without a gap over all days (UTC); a folder has one writer at a time. A file is a row of gzip members, which `zcat` reads; each is a block of
 * lines, whole or not there, and says its length and the times of its first and last line in the extra field of its header (R W: 4 bytes
 * length, two doubles, epoch microseconds, little endian).
 *
 * The first line of a file is `# file <number> follows <HMAC>`, the last line of a block `# <number> <HMAC>`: an HMAC-SHA256, under a sub-key of the
 * master key, of the HMAC before, the number, the file's day, the times of the first and last line, and the lines. Numbers and chain continue
 * over the files of a folder, also where all were moved away: `.head` in it has the last ones, `<file> <block> <HMAC>`. A line
 * `# beside <folder>:<number>:<HMAC>` has the head of another folder of the directory.
 */
import { createHmac } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** The end of a chain; number 0: it has not begun. */
export interface MessageLogHead {
  readonly number: number;
  readonly mac: string;
}

export interface LogFile {
  readonly path: string;
  readonly name: string;
  readonly number: number;
  readonly day: string;
  readonly bytes: number;
}

const NO_MAC = '-';
/** A `*` of a shell passes it over. */
const HEAD_FILE = '.head';
const NEW_HEAD_FILE = '.head.new';
const FILE = /^(\d{8})-(\d{6})\.log\.gz$/;
const HEAD = /^(\d{1,6}) (\d{1,15}) ([0-9a-f]{64})\n$/;
const END = /^# (\d{1,15}) ([0-9a-f]{64})$/;

/** gzip: magic, method, flags with the extra field, no time, unknown system; then the length of the extra field and its name. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 24, 0, 0x52, 0x57, 20, 0]);
const HEADER_BYTES = HEADER.length + 20;
/** Of a plain gzip member. */
const PLAIN_HEADER_BYTES = 10;
/** More is no block of ours. */
const BLOCK_BYTES_MAX = 64 * 1024 * 1024;
const GZIP_LEVEL = 3;

export const logFileName = (day: string, number: number): string => `${day}-${String(number).padStart(6, '0')}.log.gz`;

/** The first line of a file. */
export const fileLine = (number: number, before: string): string => `# file ${number} follows ${before}\n`;

/** By what a reader finds a block: its HMAC covers it too. */
interface Place {
  readonly day: string;
  /** Of the first and last line, epoch microseconds. */
  readonly firstUs: number;
  readonly lastUs: number;
}

function macOf(key: Buffer, before: string, number: number, { day, firstUs, lastUs }: Place, lines: string): string {
  const place = `${before} ${number} ${day} ${firstUs} ${lastUs}\n`;
  return createHmac('sha256', key).update(place).update(lines, 'latin1').digest('hex');
}

/** The block behind `before` as bytes of a file, and the head that it makes. `lines` end with LF; a character is a byte. */
export function logBlock(
  key: Buffer,
  before: MessageLogHead,
  place: Place,
  lines: string,
): { readonly bytes: Buffer; readonly head: MessageLogHead } {
  const number = before.number + 1;
  const mac = macOf(key, before.mac, number, place, lines);
  const plain = gzipSync(Buffer.from(`${lines}# ${number} ${mac}\n`, 'latin1'), { level: GZIP_LEVEL });
  const bytes = Buffer.alloc(HEADER_BYTES + plain.length - PLAIN_HEADER_BYTES);
  HEADER.copy(bytes);
  bytes.writeUInt32LE(bytes.length, HEADER.length);
  bytes.writeDoubleLE(place.firstUs, HEADER.length + 4);
  bytes.writeDoubleLE(place.lastUs, HEADER.length + 12);
  plain.copy(bytes, HEADER_BYTES, PLAIN_HEADER_BYTES);
  return { bytes, head: { number, mac } };
}

/** The files of one folder, in order. */
export function logFiles(folder: string): readonly LogFile[] {
  const found = readdirSync(folder).flatMap((name) => {
    const [, day, number] = FILE.exec(name) ?? [];
    if (day === undefined) return [];
    const path = join(folder, name);
    const { size: bytes = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return [{ path, name, day, number: Number(number), bytes }];
  });
  return found.sort((a, b) => a.number - b.number);
}

/** Whether it begins with a block. Throws the file system's error. */
export function isBlockFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const begin = Buffer.alloc(HEADER.length);
    return readSync(file, begin, 0, begin.length, 0) === begin.length && begin.equals(HEADER);
  } finally {
    closeSync(file);
  }
}

interface Block extends MessageLogHead {
  /** Undefined: it cannot be unpacked. */
  readonly lines: string | undefined;
  readonly firstUs: number;
  readonly lastUs: number;
}

/**
 * The blocks of a file that have lines from..to (epoch microseconds), in order; all of them without a time. What follows the last whole block
 * is passed over: it is being written, or its writer was killed. None where the file was moved away since it was listed. Throws the file
 * system's error.
 */
export function* logBlocks(
  path: string,
  fromUs = Number.NEGATIVE_INFINITY,
  toUs = Number.POSITIVE_INFINITY,
): Generator<Block> {
  const file = openedToRead(path);
  if (file === undefined) return;
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    for (let at = 0; readSync(file, header, 0, HEADER_BYTES, at) === HEADER_BYTES; ) {
      const length = header.readUInt32LE(HEADER.length);
      if (!header.subarray(0, HEADER.length).equals(HEADER) || length <= HEADER_BYTES || length > BLOCK_BYTES_MAX) {
        yield DAMAGED;
        return;
      }
      const firstUs = header.readDoubleLE(HEADER.length + 4);
      const lastUs = header.readDoubleLE(HEADER.length + 12);
      // Times that are no numbers hide nothing.
      const isWanted = !(firstUs > toUs || lastUs < fromUs);
      const member = Buffer.alloc(isWanted ? length : 1);
      const end = at + length;
      const read = readSync(file, member, 0, member.length, isWanted ? at : end - 1);
      if (read < member.length) {
        if (hasWholeBlock(file, at)) yield DAMAGED;
        return;
      }
      if (isWanted) yield { ...unpacked(member), firstUs, lastUs };
      at = end;
    }
  } finally {
    closeSync(file);
  }
}

/** Whether what is left of a file is more than the beginning of a block: then the length in its header was changed. */
function hasWholeBlock(file: number, at: number): boolean {
  const rest = Buffer.alloc(Math.min(fstatSync(file).size - at, BLOCK_BYTES_MAX));
  readSync(file, rest, 0, rest.length, at);
  return rest.indexOf(HEADER, 1) > 0 || unpacked(rest).lines !== undefined;
}

/** Undefined: it is not there. */
function openedToRead(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function unpacked(member: Buffer): Block {
  try {
    const text = gunzipSync(member, { maxOutputLength: BLOCK_BYTES_MAX }).toString('latin1');
    const endAt = text.lastIndexOf('\n', text.length - 2) + 1;
    const [, number = '', mac = ''] = END.exec(text.slice(endAt, -1)) ?? [];
    return number === '' ? DAMAGED : { ...DAMAGED, lines: text.slice(0, endAt), number: Number(number), mac };
  } catch {
    return DAMAGED;
  }
}

const DAMAGED: Block = { lines: undefined, number: 0, mac: '', firstUs: 0, lastUs: 0 };

/** The end of a chain, with the number of the last file. */
export interface FolderHead extends MessageLogHead {
  readonly file: number;
}

/** The end of the chain in a folder. Damaged blocks are passed over. */
export function logHead(folder: string, files: readonly LogFile[]): FolderHead {
  const kept = keptHead(folder);
  const last = files.at(-1)?.number ?? 0;
  const file = Math.max(last, kept.file);
  // Where the newest file was moved away, those that are left do not have the end.
  for (const { path } of last < kept.file ? [] : files.toReversed()) {
    let head: MessageLogHead | undefined;
    for (const { lines, number, mac } of logBlocks(path)) if (lines !== undefined) head = { number, mac };
    if (head !== undefined) return { ...head, file };
  }
  return { ...kept, file };
}

function keptHead(folder: string): FolderHead {
  const path = join(folder, HEAD_FILE);
  const [, file = 0, number = 0, mac = NO_MAC] = (existsSync(path) && HEAD.exec(readFileSync(path, 'latin1'))) || [];
  return { file: Number(file), number: Number(number), mac };
}

/** For the next writer, where the files were moved away. */
export function keepHead(folder: string, { file, number, mac }: FolderHead): void {
  try {
    // A killed writer leaves the one before, or this one.
    writeFileSync(join(folder, NEW_HEAD_FILE), `${file} ${number} ${mac}\n`, { mode: 0o600 });
    renameSync(join(folder, NEW_HEAD_FILE), join(folder, HEAD_FILE));
  } catch {
    // The newest file has it too, and the next block writes it again.
  }
}

/** The lines that name the other folders of the directory and their heads: a folder that is taken away is then known from the others. */
export function besideLines(folder: string): string {
  const directory = dirname(folder);
  const others = readdirSync(directory).filter((name) => name !== basename(folder));
  return others
    .map((name) => ({ name, ...keptHead(join(directory, name)) }))
    .filter(({ number }) => number > 0)
    .map(({ name, number, mac }) => `${BESIDE}${name}:${number}:${mac}\n`)
    .join('');
}
const BESIDE = '# beside ';

export interface LogChain extends MessageLogHead {
  readonly folder: string;
  readonly files: number;
  /** The first file that is there: those before it were moved or removed. */
  readonly firstFile: number;
  /** Of the other folders that its blocks name: the last block that they had. */
  readonly beside: ReadonlyMap<string, number>;
  /** Where the chain breaks: the first place. */
  readonly broken?: { readonly place: string; readonly why: string };
}

/** Verifies the files of one folder, oldest first. `heads` are `<folder>:<number>:<HMAC>` that must be in it. Throws the file system's error. */
export function verifyLog(directory: string, folder: string, key: Buffer, heads: readonly string[] = []): LogChain {
  // First: a program may write meanwhile.
  const kept = keptHead(join(directory, folder));
  const files = logFiles(join(directory, folder));
  const beside = new Map<string, number>();
  const chain = { folder, files: files.length, firstFile: files[0]?.number ?? 0, beside };
  const missing = new Set(heads.filter((one) => one.startsWith(`${folder}:`)));
  let head: MessageLogHead | undefined;
  let expected = chain.firstFile;
  for (const { path, name, number, day } of files) {
    const place = `${folder}/${name}`;
    const broken = (why: string): LogChain => ({
      ...(head ?? { number: 0, mac: NO_MAC }),
      ...chain,
      broken: { place, why },
    });
    if (number !== expected) return broken(`file ${expected} is missing`);
    expected++;
    let isFirst = true;
    for (const block of logBlocks(path)) {
      if (block.lines === undefined) return broken(`the block behind ${head?.number ?? 'the start'} is damaged`);
      const [, ofFile = '', follows = ''] = /^# file (\d+) follows (\S+)\n/.exec(block.lines) ?? [];
      if (isFirst && Number(ofFile) !== number) return broken('its first line is not that of this file');
      // The files before the first one are not there: what it says it follows is taken as it is.
      const before = head ?? { number: block.number - 1, mac: follows };
      if (isFirst && follows !== before.mac) return broken('it does not follow the file before it');
      if (block.number !== before.number + 1)
        return broken(`block ${block.number} is there, and ${before.number + 1} is next`);
      if (macOf(key, before.mac, block.number, { ...block, day }, block.lines) !== block.mac)
        return broken(
          `the HMAC of block ${block.number} is not that of its day, times and lines: it was changed or written without the key`,
        );
      head = { number: block.number, mac: block.mac };
      missing.delete(`${folder}:${block.number}:${block.mac}`);
      if (block.lines.includes(BESIDE))
        for (const [, other = '', last] of block.lines.matchAll(/^# beside ([^:\n]+):(\d{1,15}):/gm))
          beside.set(other, Math.max(beside.get(other) ?? 0, Number(last)));
      isFirst = false;
    }
  }
  const end = { ...chain, ...(head ?? { number: 0, mac: NO_MAC }) };
  const last = files.at(-1);
  if (end.number < kept.number) {
    const gone = last?.number === kept.file ? '' : `file ${kept.file} is missing: `;
    const why = `${gone}it ends behind block ${end.number}, and ${kept.number} blocks were written`;
    return { ...end, broken: { place: last ? `${folder}/${last.name}` : folder, why } };
  }
  const [gone] = missing;
  return gone === undefined ? end : { ...end, broken: { place: gone, why: 'this head is not in the chain' } };
}
