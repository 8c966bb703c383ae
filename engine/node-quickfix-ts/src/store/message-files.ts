import { type FileHandle, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from './crc32.js';
import type { FilePool } from './file-pool.js';
import { MessageIndex } from './message-index.js';

export interface StoredMessage {
  readonly number: number;
  readonly message: Uint8Array;
}

/** Longest message, bytes: a longer length in a file is damage. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const MAGIC = Buffer.from('NQFMSG1\n', 'latin1');
/** crc32, length, number (low and high half). */
const HEAD = 16;
const READ_BYTES = 256 * 1024;
/** Checksums computed to find a record behind a damaged one, bytes. */
const SEARCH_BYTES_MAX = 256 * 1024 * 1024;
const FILE = /^messages\.(\d{1,15})\.(\d{1,7})$/;
/** A place is a segment and an offset in it. */
const SEGMENT = 2 ** 32;

interface Segment {
  readonly number: number;
  bytes: number;
}

/**
 * The messages of one session: files `messages.<generation>.<segment>` in its folder, which are only appended to. A file begins with
 * `NQFMSG1` and LF; then records: crc32 of all that follows in the record, length of the message, number of the message as its low and its
 * high 32 bits (each 4 bytes, little endian), the message. The newest record of a number counts.
 *
 * A record that is not whole, or whose checksum is wrong, at the end of the last file is one whose write was cut off: it is removed. A
 * damaged record with a valid one behind it is passed over, whatever of it is damaged.
 */
export class MessageFiles {
  private readonly index = new MessageIndex();
  private segments: Segment[] = [];
  /** A failed write has left bytes behind the end. */
  private isTorn = false;

  constructor(
    private readonly folder: string,
    private readonly pool: FilePool,
    private readonly limits: { readonly segmentBytes: number; readonly keepBytes: number },
    private generation: number,
  ) {}

  /** Reads what is there; removes files of other generations, and a record that was cut off. */
  async open(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const [, generation, segment] = FILE.exec(name) ?? [];
      if (generation === undefined) continue;
      if (Number(generation) !== this.generation) await rm(join(this.folder, name), { force: true });
      else this.segments.push({ number: Number(segment), bytes: 0 });
    }
    this.segments.sort((a, b) => a.number - b.number);
    for (const [i, segment] of this.segments.entries()) {
      const path = this.pathOf(segment);
      await this.pool.use(path, async (file) => {
        const { size } = await file.stat();
        segment.bytes = await this.scan(file, segment.number, size);
        if (i === this.segments.length - 1 && segment.bytes < size) {
          await file.truncate(segment.bytes);
          await file.datasync();
        }
      });
    }
  }

  /** Writes records made by `record`, in order; with `sync` they are on disk when the promise resolves. */
  async append(numbers: readonly number[], records: readonly Buffer[], sync: boolean): Promise<void> {
    const segment = await this.segmentForWrite();
    const path = this.pathOf(segment);
    const bytes = records.length === 1 ? records[0]! : Buffer.concat(records);
    const begin = Math.max(segment.bytes, MAGIC.length);
    this.isTorn ||= segment.bytes === 0;
    await this.pool.use(path, async (file) => {
      if (this.isTorn) await file.truncate(segment.bytes);
      this.isTorn = true;
      if (segment.bytes === 0) await writeAll(file, MAGIC, 0);
      await writeAll(file, bytes, begin);
      this.pool.wrote(path);
    });
    if (sync) await this.pool.sync(path);
    this.isTorn = false;
    let at = begin;
    for (const [i, number] of numbers.entries()) {
      this.index.set(number, segment.number * SEGMENT + at);
      at += records[i]!.length;
    }
    segment.bytes = at;
  }

  /** Ascending from..to, at most `limit`. Throws when a record has changed since it was written. */
  async read(from: number, to: number, limit: number): Promise<StoredMessage[]> {
    const found: StoredMessage[] = [];
    const places: number[] = [];
    const numbers: number[] = [];
    for (let i = this.index.firstAtOrAfter(from); i < this.index.size && places.length < limit; i++) {
      if (this.index.numberAt(i) > to) break;
      numbers.push(this.index.numberAt(i));
      places.push(this.index.placeAt(i));
    }
    const window = new Window();
    for (const [i, place] of places.entries()) {
      const segment = Math.floor(place / SEGMENT);
      const path = this.pathOf({ number: segment });
      const record = await this.pool.use(path, (file) => window.recordAt(file, segment, place % SEGMENT));
      if (record === undefined || record.number !== numbers[i])
        throw new Error(`${path} has changed since message ${numbers[i]} was written`);
      found.push({ number: record.number, message: Uint8Array.from(record.message) });
    }
    return found;
  }

  /** Continues with no message, in files of another generation. */
  async reset(generation: number): Promise<void> {
    const old = this.segments.map((segment) => this.pathOf(segment));
    this.generation = generation;
    this.segments = [];
    this.isTorn = false;
    this.index.clear();
    for (const path of old) {
      await this.pool.close(path);
      await rm(path, { force: true });
    }
  }

  private pathOf({ number }: { readonly number: number }): string {
    return join(this.folder, `messages.${this.generation}.${number}`);
  }

  /** The last segment, or a new one when that is full; the oldest is removed when there is too much. */
  private async segmentForWrite(): Promise<Segment> {
    const last = this.segments.at(-1);
    if (last !== undefined && last.bytes < this.limits.segmentBytes) return last;
    const next: Segment = { number: (last?.number ?? 0) + 1, bytes: 0 };
    await this.pool.use(this.pathOf(next), async () => {});
    await this.pool.syncFolder(this.folder);
    this.segments.push(next);
    while (this.segments.length > 1 && this.total() > this.limits.keepBytes) {
      const oldest = this.segments.shift()!;
      this.index.dropBelow((oldest.number + 1) * SEGMENT);
      await this.pool.close(this.pathOf(oldest));
      await rm(this.pathOf(oldest), { force: true });
    }
    return next;
  }

  private total(): number {
    return this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Fills the index; returns the end of the last valid record. */
  private async scan(file: FileHandle, segment: number, size: number): Promise<number> {
    const window = new Window();
    const begin = await window.bytesAt(file, segment, 0, MAGIC.length);
    // A file that was cut off when it was made, or whose first block never reached the disk.
    if (begin === undefined || begin.every((byte) => byte === 0)) return 0;
    if (!MAGIC.equals(begin)) throw new Error(`${this.pathOf({ number: segment })} is no message file of this version`);
    let end = MAGIC.length;
    for (let at = end; at + HEAD <= size; ) {
      const record = await window.recordAt(file, segment, at);
      if (record !== undefined) {
        this.index.set(record.number, segment * SEGMENT + at);
        at += HEAD + record.message.length;
        end = at;
        continue;
      }
      const next = await this.recordBehind(file, segment, at, size);
      if (next === undefined) break;
      at = next;
    }
    return end;
  }

  /** Where the next valid record begins behind one that is not; undefined: nowhere, so it is the end, and not damage. */
  private async recordBehind(file: FileHandle, segment: number, at: number, size: number): Promise<number | undefined> {
    const [search, window] = [new Window(), new Window()];
    const isRecord = async (place: number) => (await window.recordAt(file, segment, place)) !== undefined;
    // Its length may be right. Then its message is not searched.
    const length = (await window.bytesAt(file, segment, at, HEAD))!.readUInt32LE(4);
    if (length <= MESSAGE_BYTES_MAX && (await isRecord(at + HEAD + length))) return at + HEAD + length;
    let left = SEARCH_BYTES_MAX;
    for (let from = at + 1; from + HEAD <= size; from += READ_BYTES - HEAD + 1) {
      const bytes = (await search.bytesAt(file, segment, from, Math.min(READ_BYTES, size - from)))!;
      for (let i = 0; i + HEAD <= bytes.length; i++) {
        // Text is passed over here: the highest byte of a length is 0, or 1.
        if (bytes[i + 7]! > 1) continue;
        const end = from + i + HEAD + bytes.readUInt32LE(i + 4);
        const number = bytes.readUInt32LE(i + 8) + bytes.readUInt32LE(i + 12) * SEGMENT;
        if (end > size || !Number.isSafeInteger(number) || number < 1) continue;
        left -= end - from - i;
        if (left < 0) return undefined;
        if (await isRecord(from + i)) return from + i;
      }
    }
    return undefined;
  }
}

/** One record. The message is copied. */
export function record(number: number, message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD + message.length);
  bytes.writeUInt32LE(message.length, 4);
  bytes.writeUInt32LE(number >>> 0, 8);
  bytes.writeUInt32LE(Math.floor(number / SEGMENT), 12);
  bytes.set(message, HEAD);
  bytes.writeUInt32LE(crc32(bytes, 4), 0);
  return bytes;
}

/** Part of a file, for records that are read one behind the other. */
class Window {
  private buffer = Buffer.alloc(0);
  private segment = -1;
  private begin = 0;
  private end = 0;

  /** Undefined: the file ends before. Valid until the next call. */
  async bytesAt(file: FileHandle, segment: number, at: number, length: number): Promise<Buffer | undefined> {
    if (segment !== this.segment || at < this.begin || at + length > this.end) {
      const room = Math.max(READ_BYTES, length);
      if (this.buffer.length < room) this.buffer = Buffer.allocUnsafe(room);
      const { bytesRead } = await file.read(this.buffer, 0, room, at);
      Object.assign(this, { segment, begin: at, end: at + bytesRead });
    }
    return at + length > this.end ? undefined : this.buffer.subarray(at - this.begin, at - this.begin + length);
  }

  /** Undefined: no whole record with its checksum is there. */
  async recordAt(file: FileHandle, segment: number, at: number): Promise<StoredMessage | undefined> {
    const head = await this.bytesAt(file, segment, at, HEAD);
    const length = head?.readUInt32LE(4) ?? Infinity;
    if (length > MESSAGE_BYTES_MAX) return undefined;
    const bytes = await this.bytesAt(file, segment, at, HEAD + length);
    if (bytes === undefined || crc32(bytes, 4) !== bytes.readUInt32LE(0)) return undefined;
    const number = bytes.readUInt32LE(8) + bytes.readUInt32LE(12) * SEGMENT;
    return { number, message: bytes.subarray(HEAD) };
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
