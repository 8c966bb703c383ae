import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { pairBySymbol } from '../../domain/pair.js';
import { type ScaledRounding, scaledFromText } from '../../domain/rate.js';

/** One recorded tick. It may be crossed or negative: refusing is the book's business. */
export interface TickRow {
  readonly timeMs: number;
  readonly pair: number;
  /** Scaled by the pair's price digits. */
  readonly bid: number;
  readonly offer: number;
  readonly provider: string;
}

export interface TickFileCounts {
  /** Rows that could not be read. */
  broken: number;
  /** Rows of pairs that we do not offer. */
  unknownPairs: number;
}

/**
 * The ticks of a file in batches, streamed: memory does not grow with the file. Formats, gzipped or not:
 * `timestamp_utc_ms,pair,bid,ask,provider`, and `timestamp,bid,ask` with ISO times and the pair in the file's name (truefx-usdjpy-...).
 * Rejects with the reason when the file cannot be read or has neither header.
 */
export async function* readTickFile(path: string, counts: TickFileCounts): AsyncGenerator<readonly TickRow[]> {
  let read: ((line: string) => TickRow | 'broken' | 'unknown-pair') | undefined;
  let rest = '';
  for await (const chunk of await openText(path)) {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    if (!read && lines.length > 0) read = readerFor(lines.shift() ?? '', path);
    if (read) yield rowsOf(lines, read, counts);
  }
  if (!read) read = readerFor(rest, path);
  else if (rest.trim() !== '') yield rowsOf([rest], read, counts);
}

const MAX_LINE = 1_024;
const GZIP_MAGIC = 0x1f8b;

async function openText(path: string): Promise<Readable> {
  const file = await open(path);
  const magic = Buffer.alloc(2);
  await file.read(magic, 0, 2, 0).finally(() => file.close());
  const bytes = createReadStream(path);
  // The pipeline passes an error of the file to the text; there it ends the iteration.
  const text = magic.readUInt16BE(0) === GZIP_MAGIC ? pipeline(bytes, createGunzip(), () => {}) : bytes;
  return text.setEncoding('latin1');
}

function rowsOf(
  lines: readonly string[],
  read: (line: string) => TickRow | 'broken' | 'unknown-pair',
  counts: TickFileCounts,
): readonly TickRow[] {
  const rows: TickRow[] = [];
  for (const line of lines) {
    const row = read(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (row === 'broken') counts.broken++;
    else if (row === 'unknown-pair') counts.unknownPairs++;
    else rows.push(row);
  }
  return rows;
}

function readerFor(header: string, path: string): (line: string) => TickRow | 'broken' | 'unknown-pair' {
  // Some programs begin a text with the byte order mark of UTF-8.
  const columns = header.replace(/^\xef\xbb\xbf/, '').trim();
  if (columns === 'timestamp_utc_ms,pair,bid,ask,provider') return readTwoProviders;
  if (columns === 'timestamp,bid,ask') {
    const pair = pairInName(path);
    if (pair === undefined) throw new Error('no pair that we offer in its name, as in truefx-usdjpy-2013-01-01.csv');
    return (line) => {
      const [time, bid, ask, more] = line.split(',');
      return more === undefined ? row(isoTimeMs(time), pair, bid, ask, 'recorded') : 'broken';
    };
  }
  throw new Error('its first line is neither timestamp_utc_ms,pair,bid,ask,provider nor timestamp,bid,ask');
}

function readTwoProviders(line: string): TickRow | 'broken' | 'unknown-pair' {
  const [time, symbol, bid, ask, provider, more] = line.split(',');
  if (more !== undefined || !/^\d{1,15}$/.test(time) || !/^[A-Za-z0-9._-]{1,32}$/.test(provider ?? '')) return 'broken';
  return row(Number(time), symbol, bid, ask, provider);
}

function row(
  timeMs: number,
  symbol: string,
  bid: string | undefined,
  ask: string | undefined,
  provider: string,
): TickRow | 'broken' | 'unknown-pair' {
  const pair = pairBySymbol(`${symbol.slice(0, 3)}/${symbol.slice(3)}`);
  if (!pair) return /^[A-Z]{6}$/.test(symbol) ? 'unknown-pair' : 'broken';
  const scaledBid = priceOf(bid ?? '', pair.priceDigits, 'down');
  const scaledOffer = priceOf(ask ?? '', pair.priceDigits, 'up');
  if (Number.isNaN(timeMs) || Number.isNaN(scaledBid) || Number.isNaN(scaledOffer)) return 'broken';
  return { timeMs, pair: pair.index, bid: scaledBid, offer: scaledOffer, provider };
}

// Below zero is read as such: refusing is the book's business.
function priceOf(text: string, digits: number, rounding: ScaledRounding): number {
  return text.startsWith('-')
    ? -scaledFromText(text.slice(1), digits, rounding)
    : scaledFromText(text, digits, rounding);
}

// `2013-01-01 22:00:00.295000+00:00`
function isoTimeMs(text: string): number {
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text.replace(' ', 'T'))
    : Number.NaN;
}

function pairInName(path: string): string | undefined {
  const names = basename(path)
    .toUpperCase()
    .split(/[^A-Z]+/);
  return names.find((name) => name.length === 6 && pairBySymbol(`${name.slice(0, 3)}/${name.slice(3)}`));
}
