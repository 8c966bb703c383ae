import { type FileHandle, open, readFile } from 'node:fs/promises';
import { parseUtcTimestamp } from '../codec/values.js';
import type { SessionId, SessionStore } from '../types.js';

/** What was imported: the next numbers, from 1, and when they last started at 1, epoch ms. */
export interface ImportedSession {
  readonly nextOut: number;
  readonly nextIn: number;
  readonly createdAtMs: number;
  /** Messages that were stored. */
  readonly messages: number;
  /** Entries of the index that lead to no whole message: the last one of a process that was killed. */
  readonly skipped: number;
}

interface Entry {
  readonly number: number;
  readonly offset: number;
  readonly size: number;
}

/** Appends at a time. */
const CHUNK = 500;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Reads the file store of a session of QuickFIX (C++), QuickFIX/J or quickfixgo into a store of this package, that of the session `id`, which
 * is not open. The session must be logged out on both sides. `prefix` is the path of its files up to the dot, e.g. `store/FIX.4.4-CLIENT1-VENUE`:
 *
 * | file                                  | C++                           | QuickFIX/J                       | quickfixgo                 |
 * |---------------------------------------|-------------------------------|----------------------------------|----------------------------|
 * | `.body`                               | the messages, without a separator, in all three                                               |
 * | `.header`                             | text `number,offset,size `    | binary, big endian: 4, 8, 4 bytes | text `number,offset,size` LF |
 * | `.seqnums`                            | text `out : in`, the next ones |                                  |                            |
 * | `.senderseqnums`, `.targetseqnums`    |                               | 2 bytes length, digits           | digits                     |
 * | `.session`: when it was created, UTC  | `20260115-12:00:00`           | 2 bytes length, the same         | RFC 3339                   |
 *
 * Rejects when a file is missing or is none of these, when the first message is of another session than `id`, and when the session has
 * numbers in the store already and `replace` is not set: the files and the store are unchanged then.
 */
export async function importQuickfixStore(
  prefix: string,
  id: SessionId,
  store: SessionStore,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<ImportedSession> {
  const { nextOut, nextIn } = await readNumbers(prefix);
  const createdAtMs = await readCreated(`${prefix}.session`);
  const index = await readFile(`${prefix}.header`);
  const body = await open(`${prefix}.body`, 'r');
  try {
    const entries = readIndex(index, (await body.stat()).size, `${prefix}.header`);
    await refuseOther(id, entries, body, prefix);
    const before = await store.open(() => {});
    if (before === undefined) throw new Error('the session is live in another process');
    try {
      if (!replace && (before.nextOut > 1 || before.nextIn > 1))
        throw new Error(`the session has numbers already: ${before.nextOut} and ${before.nextIn}`);
      await store.reset(createdAtMs);
      const messages = await copy(entries, body, store);
      await store.settle(nextOut, nextIn);
      return { nextOut, nextIn, createdAtMs, messages, skipped: entries.length - messages };
    } finally {
      await store.close();
    }
  } finally {
    await body.close();
  }
}

/** BeginString(8), SenderCompID(49) and TargetCompID(56) of the first message must be those of `id`. */
async function refuseOther(
  { beginString, senderCompId, targetCompId }: SessionId,
  entries: readonly Entry[],
  body: FileHandle,
  prefix: string,
): Promise<void> {
  for (const entry of entries) {
    const text = (await messageOf(entry, body))?.toString('latin1');
    if (text === undefined) continue;
    const wanted = { 8: beginString, 49: senderCompId, 56: targetCompId };
    for (const [tag, value] of Object.entries(wanted)) {
      const found = new RegExp(`(?:^|\\x01)${tag}=([^\\x01]*)`).exec(text)?.[1] ?? value;
      if (found !== value) throw new Error(`${prefix} is of another session: ${tag}=${found} and not ${value}`);
    }
    return;
  }
}

/** Undefined: the entry leads to no whole message. */
async function messageOf({ offset, size }: Entry, body: FileHandle): Promise<Buffer | undefined> {
  if (size < 1) return undefined;
  const message = Buffer.alloc(size);
  const { bytesRead } = await body.read(message, 0, size, offset);
  return bytesRead < size || message.indexOf('8=FIX') !== 0 || message[size - 1] !== 1 ? undefined : message;
}

async function copy(entries: readonly Entry[], body: FileHandle, store: SessionStore): Promise<number> {
  let stored = 0;
  for (let at = 0; at < entries.length; at += CHUNK) {
    const appends: Promise<void>[] = [];
    for (const entry of entries.slice(at, at + CHUNK)) {
      const message = await messageOf(entry, body);
      if (message !== undefined) appends.push(store.append(entry.number, message));
    }
    await Promise.all(appends);
    stored += appends.length;
  }
  return stored;
}

async function readNumbers(prefix: string): Promise<{ readonly nextOut: number; readonly nextIn: number }> {
  const both = await readIfExists(`${prefix}.seqnums`);
  const texts =
    both?.toString('latin1').split(':') ??
    (await Promise.all(
      ['sender', 'target'].map(async (side) => withoutLength(await readFile(`${prefix}.${side}seqnums`))),
    ));
  const [nextOut = 0, nextIn = 0] = texts.map((text) => (/^\s*\d{1,20}\s*$/.test(text) ? Number(text) : 0));
  if (texts.length !== 2 || ![nextOut, nextIn].every((number) => Number.isSafeInteger(number) && number > 0))
    throw new Error(`the sequence numbers of ${prefix} cannot be read`);
  return { nextOut, nextIn };
}

async function readCreated(path: string): Promise<number> {
  const text = withoutLength(await readFile(path)).trim();
  const bytes = Buffer.from(text, 'latin1');
  const utcMs = parseUtcTimestamp(bytes, 0, bytes.length);
  const createdAtMs = Number.isNaN(utcMs) ? Date.parse(text) : utcMs;
  if (!Number.isFinite(createdAtMs)) throw new Error(`${path} holds no time`);
  return Math.floor(createdAtMs);
}

/** Text as Java writes it, behind its length, or the text alone. */
function withoutLength(bytes: Buffer): string {
  const hasLength = bytes.length >= 2 && bytes[0]! < 0x20;
  // A shorter number than before leaves the end of the longer one in the file.
  return hasLength ? bytes.toString('latin1', 2, 2 + bytes.readUInt16BE(0)) : bytes.toString('latin1');
}

function readIndex(bytes: Buffer, bodySize: number, path: string): Entry[] {
  const isText = /^[\d, \r\n]*$/.test(bytes.toString('latin1'));
  const entries = isText ? textIndex(bytes.toString('latin1')) : binaryIndex(bytes, bodySize);
  for (const { number, offset, size } of entries) {
    const isEntry = Number.isSafeInteger(number) && number > 0 && Number.isSafeInteger(offset) && offset >= 0;
    if (!isEntry || !(size <= MESSAGE_BYTES_MAX)) throw new Error(`${path} is no index of a file store`);
  }
  return entries;
}

/** An entry ends with a space or LF: one without was cut off. */
function textIndex(text: string): Entry[] {
  return [...text.matchAll(/(\d+),(\d+),(\d+)(?=[ \r\n])/g)].map(([, number, offset, size]) => ({
    number: Number(number),
    offset: Number(offset),
    size: Number(size),
  }));
}

function binaryIndex(bytes: Buffer, bodySize: number): Entry[] {
  const found: Entry[] = [];
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    const offset = Number(bytes.readBigInt64BE(at + 4));
    found.push({ number: bytes.readInt32BE(at), offset, size: bytes.readInt32BE(at + 12) });
  }
  // Its sizes are characters, of which one may be several bytes: a message ends where the next begins.
  const starts = [...new Set(found.map(({ offset }) => offset))].sort((a, b) => a - b);
  const nextOf = new Map(starts.map((start, i) => [start, starts[i + 1]]));
  return found.map((entry) => ({ ...entry, size: (nextOf.get(entry.offset) ?? bodySize) - entry.offset }));
}

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
