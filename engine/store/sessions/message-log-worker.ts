/** The thread that writes the message log: reads the ring, redacts, and writes a block a second, or when one is full. */
import { closeSync, existsSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { escapeLine, formatUtcTimestampMicros, redactor, SECRET_TAGS, splitMessages } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { isPrice, STATS, type WorkerReport, type WorkerStart } from './message-log.js';
import {
  type FolderHead,
  fileLine,
  keepHead,
  type LogFile,
  logBlock,
  logFileName,
  logFiles,
  logHead,
} from './message-log-files.js';
import { KINDS, type Kind, type OnRecord, RingReader } from './message-ring.js';

const POLL_MS = 25;
const BLOCK_MS = 1_000;
const BLOCK_BYTES = 256 * 1024;
/** Files may have been moved away by an operator. */
const RECOUNT_MS = 10_000;
const WARN_AT = 0.8;
const SECRETS = [...SECRET_TAGS, Tag.Username, Tag.AuthToken];
const SIGNS: Partial<Record<Kind, string>> = {
  [KINDS.in]: '<',
  [KINDS.out]: '>',
  [KINDS.garbled]: '!',
  [KINDS.event]: '*',
};

const start = workerData as WorkerStart;
const key = Buffer.from(start.key);
const counts = new Float64Array(start.stats);
const redact = redactor(SECRETS);
/** A day's file is continued in another, so that a part of a day can be moved away or removed. */
const fileBytesMax = start.maxBytes / 16;
const names = [...start.names];

const report = (level: WorkerReport['level'], text: string, fields: WorkerReport['fields'] = {}): void =>
  parentPort?.postMessage({ level, text, fields } satisfies WorkerReport);

/** The block that is being filled. */
let lines: string[] = [];
let linesBytes = 0;
let messages = 0;
let firstUs = 0;
let lastUs = 0;

function add(timeUs: number, session: number, sign: string, text: string): void {
  const line = `${formatUtcTimestampMicros(timeUs)} ${names[session] ?? '- -'} ${sign} ${escapeLine(text)}\n`;
  if (lines.length === 0) firstUs = timeUs;
  // The clock may be set back within a block.
  firstUs = Math.min(firstUs, timeUs);
  lastUs = lines.length === 0 ? timeUs : Math.max(lastUs, timeUs);
  lines.push(line);
  linesBytes += line.length;
  if (sign !== '*') messages++;
  if (linesBytes >= BLOCK_BYTES) writeBlock();
}

const onRecord: OnRecord = (kind, session, timeUs, bytes, from, to) => {
  if (kind === KINDS.name) {
    names[session] = bytes.toString('latin1', from, to);
    return;
  }
  if (kind !== KINDS.out) return addRedacted(kind, session, timeUs, bytes, from, to);
  splitMessages(bytes, from, to, (_, begin, end) => {
    if (start.prices || !isPrice(bytes, begin, end)) addRedacted(kind, session, timeUs, bytes, begin, end);
  });
};

/** Texts of events too: a peer may quote our messages in its Text(58). */
function addRedacted(kind: Kind, session: number, timeUs: number, bytes: Buffer, from: number, to: number): void {
  redact(bytes, from, to);
  add(timeUs, session, SIGNS[kind]!, bytes.toString('latin1', from, to));
}

/** The files, oldest first; the last one is written where `file` is open. */
let files: LogFile[] = [];
let file: number | undefined;
let day = '';
let head: FolderHead = logHead(start.folder, logFiles(start.folder));
let recountAtMs = 0;
let isFull = false;
let hasWarned = false;
let hasFailed = false;
/** Messages that were not written since the last block. */
let unwritten = 0;

function total(): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function recount(): void {
  files = [...logFiles(start.folder)];
  const last = files.at(-1)?.number ?? 0;
  // The file that is open was moved away: the next block begins another.
  if (file !== undefined && last !== head.file) closeFile();
  head = { ...head, file: Math.max(head.file, last) };
  recountAtMs = Date.now() + RECOUNT_MS;
}

function writeBlock(): void {
  if (lines.length === 0) return;
  const text = lines.join('');
  const block = { messages, firstUs, lastUs };
  lines = [];
  linesBytes = 0;
  messages = 0;
  try {
    const written = append(text, block.firstUs, block.lastUs);
    if (written) counts[STATS.written] += block.messages;
    else notWritten(block.messages);
    hasFailed = false;
  } catch (error) {
    // What was written of the block is passed over by readers as one that was cut off: the next begins a file.
    closeFile();
    notWritten(block.messages);
    if (!hasFailed) report('error', 'the message log cannot be written', { error: String(error) });
    hasFailed = true;
  }
  counts[STATS.bytes] = total();
}

function notWritten(count: number): void {
  unwritten += count;
  counts[STATS.dropped] += count;
}

/** False: the bound is reached. */
function append(text: string, fromUs: number, toUs: number): boolean {
  const today = formatUtcTimestampMicros(toUs).slice(0, 8);
  if (today !== day || (files.at(-1)?.bytes ?? 0) >= fileBytesMax) closeFile();
  const isNearBound = total() + 2 * BLOCK_BYTES > start.maxBytes;
  // What is written to a file that was moved to another disk is lost.
  const isGone = file !== undefined && !existsSync(files.at(-1)!.path);
  if (isNearBound || isGone || Date.now() >= recountAtMs) recount();
  const isNew = file === undefined;
  const number = isNew ? head.file + 1 : head.file;
  const note =
    unwritten === 0
      ? ''
      : `${formatUtcTimestampMicros(fromUs)} - - * ${unwritten} messages before this line were not written: the bound was reached or the disk failed\n`;
  const body = `${isNew ? fileLine(number, head.mac) : ''}${note}${text}`;
  const { bytes, head: next } = logBlock(key, head, { day: today, firstUs: fromUs, lastUs: toUs }, body);
  if (!hasRoomFor(bytes.length)) return false;
  if (isNew) open(today, number);
  for (let done = 0; done < bytes.length; ) done += writeSync(file!, bytes, done);
  head = { ...next, file: number };
  keepHead(start.folder, head);
  const last = files.at(-1)!;
  files[files.length - 1] = { ...last, bytes: last.bytes + bytes.length };
  unwritten = 0;
  return true;
}

function open(today: string, number: number): void {
  const name = logFileName(today, number);
  const path = join(start.folder, name);
  file = openSync(path, 'wx', 0o600);
  day = today;
  head = { ...head, file: number };
  files.push({ path, name, number, day: today, bytes: 0 });
}

function closeFile(): void {
  if (file === undefined) return;
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
    file = undefined;
  }
}

function hasRoomFor(bytes: number): boolean {
  while (start.whenFull === 'remove-oldest' && files.length > 1 && total() + bytes > start.maxBytes) {
    const oldest = files.shift()!;
    // It may have been moved away a moment ago.
    rmSync(oldest.path, { force: true });
    report('warn', 'the message log has reached its bound: its oldest file was removed', {
      file: basename(oldest.path),
    });
  }
  const wanted = total() + bytes;
  const { maxBytes } = start;
  // Blocks differ in size: one that would just fit is not the room that the operator has made.
  if (wanted > (isFull ? maxBytes * WARN_AT : maxBytes) !== isFull) {
    isFull = !isFull;
    counts[STATS.isFull] = isFull ? 1 : 0;
    if (isFull)
      report('error', 'the message log has reached its bound and has stopped: move its oldest files away', {
        maxBytes,
      });
    else report('info', 'the message log has room again', { maxBytes });
  }
  const isFilling = start.whenFull === 'stop' && wanted > maxBytes * WARN_AT;
  if (isFilling && !hasWarned) report('warn', 'the message log is filling', { bytes: wanted, maxBytes });
  hasWarned = isFilling;
  return !isFull;
}

recount();
counts[STATS.bytes] = total();
const ring = new RingReader(start.ring);
for (let blockAtMs = Number.POSITIVE_INFINITY; ; ) {
  const isClosing = ring.isClosing;
  const read = ring.read(onRecord);
  const { dropped } = ring;
  const unreported = (dropped - counts[STATS.reportedDrops]!) >>> 0;
  if (unreported > 0) {
    add(Date.now() * 1_000, -1, '*', `${unreported} writes were dropped: the log was too slow`);
    counts[STATS.reportedDrops] = dropped;
  }
  if (lines.length === 0) blockAtMs = Number.POSITIVE_INFINITY;
  else if (blockAtMs === Number.POSITIVE_INFINITY) blockAtMs = Date.now() + BLOCK_MS;
  if (isClosing || Date.now() >= blockAtMs) writeBlock();
  if (isClosing && read === 0) break;
  if (!isClosing) ring.wait(POLL_MS);
}
closeFile();
