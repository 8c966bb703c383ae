/**
 * Truncates an append-only file whose last write is incomplete after a kill or a power failure. Such a step was never acknowledged, and is
 * removed as a whole. A server on its own truncates after the last complete command, even within a transaction (valkey-io/valkey#4342): the
 * next write then follows half a step, and the start after that one would execute the two as one.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'appendonlydir';
const MANIFEST = 'appendonly.aof.manifest';
const CHUNK = 1024 * 1024;
const [STAR, DOLLAR, HASH, CR, LF] = [...'*$#\r\n'].map((char) => char.charCodeAt(0));

/**
 * Removes an incomplete command or transaction from the end of the last file that is replayed; false when there is none, or the damage is
 * different.
 */
export async function truncateTornWrite(dir: string): Promise<boolean> {
  const name = lastIncrement(await readFile(join(dir, FOLDER, MANIFEST), 'utf8').catch(() => ''));
  if (name === undefined) return false;
  const file = await open(join(dir, FOLDER, name), constants.O_RDWR);
  try {
    const { size } = await file.stat();
    const whole = await lengthOfWholeSteps(file);
    if (whole === undefined || whole === size) return false;
    await file.truncate(whole);
    await file.sync();
    return true;
  } finally {
    await file.close();
  }
}

/** `file appendonly.aof.2.incr.aof seq 2 type i`: the last of these. */
function lastIncrement(manifest: string): string | undefined {
  const found = [...manifest.matchAll(/^file ([\w.-]+) seq \d+ type i\b/gm)];
  return found.at(-1)?.[1];
}

/** Up to the end of the last command outside an open transaction; undefined: this is no append-only file. */
async function lengthOfWholeSteps(file: FileHandle): Promise<number | undefined> {
  let held = Buffer.alloc(0);
  let heldAt = 0;
  let whole = 0;
  let inTransaction = false;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, heldAt + held.length);
    if (bytesRead === 0) return whole;
    held = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
    let at = 0;
    for (;;) {
      const command = commandAt(held, at);
      if (command === 'malformed') return undefined;
      if (command === 'incomplete') break;
      at = command.end;
      if (command.name === 'MULTI') inTransaction = true;
      else if (command.name === 'EXEC') inTransaction = false;
      if (!inTransaction) whole = heldAt + at;
    }
    held = held.subarray(at);
    heldAt += at;
  }
}

interface Command {
  readonly end: number;
  /** Upper case; only of short ones. */
  readonly name: string;
}

/** `*2 $3 GET $1 x`, each with CR LF; a line that begins with # is a comment. */
function commandAt(bytes: Buffer, at: number): Command | 'incomplete' | 'malformed' {
  if (bytes[at] === HASH) {
    const end = bytes.indexOf(LF!, at);
    return end < 0 ? 'incomplete' : { end: end + 1, name: '' };
  }
  const count = numberAt(bytes, at, STAR!);
  if (typeof count === 'string') return count;
  let name = '';
  let next = count.end;
  for (let i = 0; i < count.value; i++) {
    const length = numberAt(bytes, next, DOLLAR!);
    if (typeof length === 'string') return length;
    const end = length.end + length.value;
    if (end + 2 > bytes.length) return 'incomplete';
    if (bytes[end] !== CR || bytes[end + 1] !== LF) return 'malformed';
    if (i === 0 && length.value <= 5) name = bytes.toString('latin1', length.end, end).toUpperCase();
    next = end + 2;
  }
  return { end: next, name };
}

/** A whole number after its type byte, up to CR LF. */
function numberAt(
  bytes: Buffer,
  at: number,
  sign: number,
): { value: number; end: number } | 'incomplete' | 'malformed' {
  if (at >= bytes.length) return 'incomplete';
  if (bytes[at] !== sign) return 'malformed';
  let value = 0;
  for (let i = at + 1; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39 && i <= at + 12) value = 10 * value + byte - 0x30;
    else if (byte !== CR || i === at + 1) return 'malformed';
    else if (i + 1 >= bytes.length) return 'incomplete';
    else return bytes[i + 1] === LF ? { value, end: i + 2 } : 'malformed';
  }
  return 'incomplete';
}
