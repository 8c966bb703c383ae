/** The thread that writes the day record: reads the ring, makes lines, and writes a block a second, or when one is full. */
import { parentPort, workerData } from 'node:worker_threads';
import { BLOCK_BYTES, BlockWriter, STATS, type WriterReport } from '../day-files/block-writer.js';
import { RingReader } from '../day-files/ring.js';
import { RECORD_KINDS, RecordLines } from './record-lines.js';
import type { RecordStart } from './recorder.js';

const POLL_MS = 25;
const BLOCK_MS = 1_000;

const start = workerData as RecordStart;
const counts = new Float64Array(start.stats);
const ring = new RingReader(start.ring);
const doubles = new Float64Array(start.ring, ring.bytes.byteOffset, ring.bytes.length / 8);
const writer = new BlockWriter({
  start,
  what: 'day record',
  note: (unwritten) => `g ${unwritten}\n`,
  report: (level, text, fields = {}) => parentPort?.postMessage({ level, text, fields } satisfies WriterReport),
});

const lines = new RecordLines(start.offsetUs);
let { day } = start;
/** The block that is being filled. */
let text: string[] = [];
let bytes = 0;
let firstUs = 0;

function add(line: string): void {
  text.push(line);
  bytes += line.length;
  if (bytes >= BLOCK_BYTES) writeBlock();
}

function writeBlock(): void {
  if (text.length === 0) return;
  const block = { day, text: text.join(''), count: text.length, firstUs, lastUs: Math.max(firstUs, lines.epochUs) };
  text = [];
  bytes = 0;
  writer.write(block);
}

function onRecord(kind: number, _number: number, ms: number, of: Buffer, from: number, to: number): void {
  const value = doubles[from / 8]!;
  if (kind === RECORD_KINDS.day) {
    writeBlock();
    day = String(value);
    return;
  }
  if (kind === RECORD_KINDS.clock) {
    // Behind the block's first line: a block without lines has none.
    if (text.length > 0) add(lines.set(ms, value));
    else lines.set(ms, value);
    return;
  }
  if (text.length === 0) {
    text.push(lines.begin(ms));
    firstUs = lines.epochUs;
  }
  if (kind === RECORD_KINDS.tick) add(lines.tick(ms, doubles, from / 8));
  else if (kind === RECORD_KINDS.event) add(lines.event(ms, doubles, from / 8));
  else if (kind === RECORD_KINDS.mark) add(lines.mark(ms, value));
  else if (kind === RECORD_KINDS.gap) add(`g ${value}\n`);
  else add(lines.json(ms, of.toString('latin1', from, to)));
}

for (let blockAtMs = Number.POSITIVE_INFINITY; ; ) {
  const { isClosing } = ring;
  const read = ring.read(onRecord);
  counts[STATS.reportedDrops] = ring.dropped;
  if (text.length === 0) blockAtMs = Number.POSITIVE_INFINITY;
  else if (blockAtMs === Number.POSITIVE_INFINITY) blockAtMs = Date.now() + BLOCK_MS;
  if (isClosing || Date.now() >= blockAtMs) {
    writeBlock();
    blockAtMs = Number.POSITIVE_INFINITY;
  }
  if (isClosing && read === 0) break;
  if (!isClosing) ring.wait(POLL_MS);
}
writer.close();
