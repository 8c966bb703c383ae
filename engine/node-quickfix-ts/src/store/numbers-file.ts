import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredNumbers } from '../types.js';
import { crc32 } from './crc32.js';
import type { FilePool } from './file-pool.js';

/** The numbers, and which message files belong to them. */
export interface NumbersRecord extends StoredNumbers {
  /** Raised by each reset: message files of another generation are deleted. */
  readonly generation: number;
}

/** Each slot in a sector of its own: a write that is cut off harms one slot. */
const SLOT_AT = [0, 512] as const;
const SLOT_BYTES = 128;
const IDENTITY_AT = 1024;
const IDENTITY_BYTES_MAX = 16 * 1024;
const SLOT = /^([0-9a-f]{8}) ((\d{1,16}) (\d{1,16}) (\d{1,16}) (\d{1,16}) (\d{1,16})) *$/;

/**
 * The file `numbers`, text. Two slots, at byte 0 and 512, of 128 bytes:
 * `<crc32, 8 hex digits> <count of changes> <generation> <created, epoch ms> <next outgoing> <next incoming>`, padded with spaces, then LF.
 * The checksum is of what follows its space, without the padding. The valid slot with the higher count of changes is the state; a write goes
 * to the slot that is not known to be on disk, so that one always is. From byte 1024: the session's id as one line of JSON.
 */
export class NumbersFile {
  private durableSlot: 0 | 1 = 0;

  private constructor(
    private readonly path: string,
    private readonly pool: FilePool,
    private changes: number,
    public current: NumbersRecord,
  ) {}

  /** Reads the file, or creates it. Throws when both slots are damaged, or when it is of another session than `identity`. */
  static async open(path: string, pool: FilePool, identity: string, nowMs: number): Promise<NumbersFile> {
    const bytes = await readStart(path, pool);
    if (bytes === undefined) {
      const first: NumbersRecord = { nextOut: 1, nextIn: 1, createdAtMs: nowMs, generation: 1 };
      await create(path, pool, slotText(1, first), identity);
      return new NumbersFile(path, pool, 1, first);
    }
    if (bytes.toString('utf8', IDENTITY_AT).trimEnd() !== identity)
      throw new Error(`${path} is of another session than ${identity}`);
    const slots = SLOT_AT.map((at) => readSlot(bytes.toString('latin1', at, at + SLOT_BYTES)));
    const newest = (slots[1]?.changes ?? 0) > (slots[0]?.changes ?? 0) ? 1 : 0;
    const found = slots[newest];
    if (found === undefined) throw new Error(`${path} is damaged: neither of its two slots has a valid checksum`);
    const file = new NumbersFile(path, pool, found.changes, found.record);
    file.durableSlot = newest;
    return file;
  }

  /** Writes the next state. With `sync` it is on disk when the promise resolves. */
  async write(change: Partial<NumbersRecord>, sync: boolean): Promise<void> {
    const next = { ...this.current, ...change };
    const changes = this.changes + 1;
    const slot = this.durableSlot === 0 ? 1 : 0;
    const text = Buffer.from(slotText(changes, next), 'latin1');
    await this.pool.use(this.path, async (file) => {
      await file.write(text, 0, text.length, SLOT_AT[slot]);
      this.pool.wrote(this.path);
    });
    this.changes = changes;
    this.current = next;
    if (!sync) return;
    await this.pool.sync(this.path);
    this.durableSlot = slot;
  }
}

function slotText(changes: number, { generation, createdAtMs, nextOut, nextIn }: NumbersRecord): string {
  const numbers = [changes, generation, createdAtMs, nextOut, nextIn];
  for (const number of numbers)
    if (!Number.isSafeInteger(number) || number < 0) throw new RangeError('a number of a session is a whole number');
  const text = numbers.join(' ');
  const sum = crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0');
  return `${`${sum} ${text}`.padEnd(SLOT_BYTES - 1)}\n`;
}

function readSlot(slot: string): { readonly changes: number; readonly record: NumbersRecord } | undefined {
  const [, sum = '', text = '', ...found] = SLOT.exec(slot.slice(0, -1)) ?? [];
  if (found.length === 0 || slot.at(-1) !== '\n') return undefined;
  if (Number.parseInt(sum, 16) !== crc32(Buffer.from(text, 'latin1'))) return undefined;
  const [changes = 0, generation = 0, createdAtMs = 0, nextOut = 0, nextIn = 0] = found.map(Number);
  return { changes, record: { generation, createdAtMs, nextOut, nextIn } };
}

/** Under a temporary name first: the file is whole or not there. */
async function create(path: string, pool: FilePool, slot: string, identity: string): Promise<void> {
  const start = Buffer.alloc(IDENTITY_AT, ' ');
  start.write(slot, SLOT_AT[0], 'latin1');
  for (const at of [SLOT_AT[1], IDENTITY_AT]) start.write('\n', at - 1);
  const bytes = Buffer.concat([start, Buffer.from(`${identity}\n`)]);
  const temporary = `${path}.tmp`;
  await pool.use(temporary, async (file) => {
    await file.truncate();
    await file.write(bytes, 0, bytes.length, 0);
    await file.sync();
  });
  await pool.close(temporary);
  await rename(temporary, path);
  await pool.syncFolder(dirname(path));
}

/** Undefined: there is no such file. */
async function readStart(path: string, pool: FilePool): Promise<Buffer | undefined> {
  try {
    return await pool.use(
      path,
      async (file) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(IDENTITY_AT + IDENTITY_BYTES_MAX), 0, undefined, 0);
        return buffer.subarray(0, bytesRead);
      },
      (existing) => open(existing, 'r+'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
