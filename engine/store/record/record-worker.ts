/** The thread that writes the day record: reads the ring, makes lines, and writes a block a second, or when one is full. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { besideLines } from '../day-files/block-files.js';
import { BLOCK_BYTES, BlockWriter, STATS, type WriterReport } from '../day-files/block-writer.js';
import { RingReader } from '../day-files/ring.js';
import { RECORD_KINDS, RecordLines } from './record-lines.js';
import type { RecordStart } from './recorder.js';

const POLL_MS = 25;
/** Behind the ticks and orders of its process where CPUs are few, with a tenth of one at least. */
const NICE = 10;
const BLOCK_MS = 1_000;
/** As often the other folders are named. */
const BESIDE_MS = 60_000;

const start = workerData as RecordStart;
const counts = new Float64Array(start.stats);
const ring = new RingReader(start.ring);
const { doubles } = ring;
let besideAtMs = 0;
const writer = new BlockWriter({
  start,
  what: 'day record',
  note: (unwritten) => `g ${unwritten}\n`,
  more: beside,
  report: (level, text, fields = {}) => parentPort?.postMessage({ level, text, fields } satisfies WriterReport),
});

/** Those of the block that is being filled. */
const lines = new RecordLines(start.offsetUs);
let { day } = start;
let firstUs = 0;

function beside(): string {
  if (performance.now() < besideAtMs) return '';
  besideAtMs = performance.now() + BESIDE_MS;
  return besideLines(start.folder);
}

function writeBlock(): void {
  const { count } = lines;
  if (count > 0) writer.write({ day, text: lines.take(), count, firstUs, lastUs: Math.max(firstUs, lines.epochUs) });
}

function onRecord(kind: number, _number: number, ms: number, of: Buffer, from: number, to: number): void {
  const value = doubles[from / 8]!;
  if (kind === RECORD_KINDS.day) {
    writeBlock();
    day = String(value);
    return;
  }
  if (kind === RECORD_KINDS.clock) {
    lines.set(ms, value);
    return;
  }
  if (lines.length === 0) {
    lines.begin(ms);
    firstUs = lines.epochUs;
  }
  if (kind === RECORD_KINDS.tick) lines.tick(ms, doubles, from / 8);
  else if (kind === RECORD_KINDS.event) lines.event(ms, doubles, from / 8);
  else if (kind === RECORD_KINDS.mark) lines.mark(ms, value);
  else if (kind === RECORD_KINDS.gap) lines.gap(value);
  else lines.json(ms, of.toString('latin1', from, to));
  if (lines.length >= BLOCK_BYTES) writeBlock();
}

// Of this thread alone on Linux; elsewhere it would be of the whole process.
if (process.platform === 'linux') setPriority(NICE);
for (let blockAtMs = Number.POSITIVE_INFINITY; ; ) {
  const { isClosing } = ring;
  const read = ring.read(onRecord);
  counts[STATS.reportedDrops] = ring.dropped;
  if (lines.count === 0) blockAtMs = Number.POSITIVE_INFINITY;
  else if (blockAtMs === Number.POSITIVE_INFINITY) blockAtMs = Date.now() + BLOCK_MS;
  if (isClosing || Date.now() >= blockAtMs) {
    writeBlock();
    blockAtMs = Number.POSITIVE_INFINITY;
  }
  if (isClosing && read === 0) break;
  if (!isClosing) ring.wait(POLL_MS);
}
writer.close();
