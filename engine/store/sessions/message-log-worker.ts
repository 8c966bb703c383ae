/** The thread that writes the message log: reads the ring, redacts, and writes a block a second, or when one is full. */
import { parentPort, workerData } from 'node:worker_threads';
import { escapeLine, formatUtcTimestampMicros, redactor, SECRET_TAGS, splitMessages } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { BLOCK_BYTES, BlockWriter, STATS, type WriterReport } from '../day-files/block-writer.js';
import { type OnRecord, RingReader } from '../day-files/ring.js';
import { isPrice, KINDS, type WorkerStart } from './message-log.js';

const POLL_MS = 25;
const BLOCK_MS = 1_000;
const SECRETS = [...SECRET_TAGS, Tag.Username, Tag.AuthToken];
const SIGNS: Readonly<Record<number, string>> = {
  [KINDS.in]: '<',
  [KINDS.out]: '>',
  [KINDS.garbled]: '!',
  [KINDS.event]: '*',
};

const start = workerData as WorkerStart;
const counts = new Float64Array(start.stats);
const redact = redactor(SECRETS);
const names = [...start.names];

const writer = new BlockWriter({
  start,
  what: 'message log',
  note: (unwritten, fromUs) =>
    `${formatUtcTimestampMicros(fromUs)} - - * ${unwritten} messages before this line were not written: the bound was reached or the disk failed\n`,
  report: (level, text, fields = {}) => parentPort?.postMessage({ level, text, fields } satisfies WriterReport),
});

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
function addRedacted(kind: number, session: number, timeUs: number, bytes: Buffer, from: number, to: number): void {
  redact(bytes, from, to);
  add(timeUs, session, SIGNS[kind]!, bytes.toString('latin1', from, to));
}

function writeBlock(): void {
  if (lines.length === 0) return;
  const day = formatUtcTimestampMicros(lastUs).slice(0, 8);
  const block = { day, text: lines.join(''), count: messages, firstUs, lastUs };
  lines = [];
  linesBytes = 0;
  messages = 0;
  writer.write(block);
}

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
writer.close();
