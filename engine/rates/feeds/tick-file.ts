/** Files of recorded ticks: their formats, what one contains, and its playback in its own time. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { PAIRS, type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { type ScaledRounding, scaledFromText } from '../../domain/money/rate.js';
import { isBlockFile, logBlocks } from '../../store/day-files/block-files.js';
import { type RecordedTick, recordLines } from '../../store/record/record-lines.js';
import type { BookSnapshot } from '../recorded-book.js';
import { FeedSettingError } from './port.js';

/** One recorded tick. It may be crossed or negative: the book rejects it. */
export interface TickRow {
  readonly timeMs: number;
  readonly pair: number;
  /** Scaled by the pair's price digits. */
  readonly bid: number;
  readonly offer: number;
  readonly provider: string;
  /** Of a day record: the provider's sizes and levels. Absent: the file has prices alone. */
  readonly recorded?: Pick<RecordedTick, 'bidSize' | 'offerSize' | 'levels'>;
}

export interface TickFileCounts {
  /** Rows that could not be read. */
  broken: number;
  /** Rows of pairs that we do not offer. */
  unknownPairs: number;
}

/**
 * The ticks of a file in batches, streamed: memory does not grow with the file. Formats, gzipped or not:
 * `timestamp_utc_ms,pair,bid,ask,provider`, and `timestamp,bid,ask` with ISO times and the pair in the file's name (truefx-usdjpy-...); and a file
 * of the day record, with the ticks that were refused. Rejects with the reason when the file cannot be read or has neither header.
 */
export async function* readTickFile(path: string, counts: TickFileCounts): AsyncGenerator<readonly TickRow[]> {
  if (isBlockFile(path)) {
    yield* recordedRows(path, counts);
    return;
  }
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

/** The ticks of a file of the day record; names of providers and pairs are in its snapshots. */
function* recordedRows(path: string, counts: TickFileCounts): Generator<readonly TickRow[]> {
  let pairs: readonly (Pair | undefined)[] = PAIRS;
  const names: string[] = [];
  for (const { lines } of logBlocks(path)) {
    if (lines === undefined) counts.broken++;
    const rows: TickRow[] = [];
    for (const line of recordLines(lines ?? '')) {
      if (line.kind === 'json') pairs = takeNames(line.value, names) ?? pairs;
      if (line.kind !== 'tick') continue;
      const { bid, offer, epochUs, provider, bidSize, offerSize, levels } = line;
      const pair = pairs[line.pair];
      if (pair === undefined) counts.unknownPairs++;
      else
        rows.push({
          timeMs: epochUs / 1_000,
          pair: pair.index,
          bid,
          offer,
          provider: nameOf(names, provider),
          recorded: { bidSize, offerSize, levels },
        });
    }
    yield rows;
  }
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

// A price below zero is read as such: the book rejects it.
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

/** What a file of ticks contains, found by reading it once. */
export interface TickFileSurvey extends TickFileCounts {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly rows: number;
  readonly pairs: ReadonlySet<number>;
  readonly providers: ReadonlySet<string>;
}

/** Reads the file once from end to end. Throws FeedSettingError when there is nothing to play, or nothing at `atMs`. */
export async function surveyTickFile(path: string, atMs?: number): Promise<TickFileSurvey> {
  const counts = { broken: 0, unknownPairs: 0 };
  const pairs = new Set<number>();
  const providers = new Set<string>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let rows = 0;
  try {
    if (isBlockFile(path)) return checkedSurvey(path, atMs, surveyRecord(path));
    for await (const batch of readTickFile(path, counts)) {
      for (const row of batch) {
        rows++;
        pairs.add(row.pair);
        providers.add(row.provider);
        firstMs = Math.min(firstMs, row.timeMs);
        lastMs = Math.max(lastMs, row.timeMs);
      }
    }
  } catch (error) {
    if (error instanceof FeedSettingError) throw error;
    throw new FeedSettingError(`${path} cannot be played: ${reasonOf(error)}`);
  }
  return checkedSurvey(path, atMs, { ...counts, firstMs, lastMs, rows, pairs, providers });
}

/** A tick of the record to its pair: kind, time, reason of a refusal, provider, pair. */
const TICK_LINE = /^(?:t \d+|x \d+ \S+) (\d+) (\d+) /;

/** Of a file of the day record, which may have a day of ticks: no more of each is read than is needed here. */
function surveyRecord(path: string): TickFileSurvey {
  const counts = { broken: 0, unknownPairs: 0 };
  const names: string[] = [];
  let symbols: readonly (Pair | undefined)[] = PAIRS;
  const pairs = new Set<number>();
  const providers = new Set<string>();
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  let rows = 0;
  for (const { lines, lastUs } of logBlocks(path)) {
    if (lines === undefined) counts.broken++;
    const before = rows;
    for (const line of lines?.split('\n') ?? []) {
      if (/^j .*"type":"(?:book|provider)"/.test(line))
        symbols = takeNames(JSON.parse(line.slice(line.indexOf('{'))), names) ?? symbols;
      const [, provider, pair] = TICK_LINE.exec(line) ?? [];
      if (pair === undefined) continue;
      const known = symbols[Number(pair)];
      if (known === undefined) {
        counts.unknownPairs++;
        continue;
      }
      rows++;
      pairs.add(known.index);
      providers.add(nameOf(names, Number(provider)));
    }
    if (lines === undefined || rows === before) continue;
    if (before === 0) firstMs = firstTickMs(lines);
    lastMs = Math.max(lastMs, lastUs / 1_000);
  }
  return { ...counts, firstMs, lastMs, rows, pairs, providers };
}

const nameOf = (names: readonly string[], provider: number): string => names[provider] ?? `provider${provider}`;

function firstTickMs(lines: string): number {
  for (const line of recordLines(lines)) if (line.kind === 'tick') return line.epochUs / 1_000;
  return Number.POSITIVE_INFINITY;
}

/** The names of providers in an object of the record, and of a snapshot its pairs. */
function takeNames(
  value: Readonly<Record<string, unknown>>,
  names: string[],
): readonly (Pair | undefined)[] | undefined {
  const { type, provider, name } = value;
  if (type === 'provider') names[provider as number] = name as string;
  if (type !== 'book') return undefined;
  const { pairs, providers } = value as unknown as Pick<BookSnapshot, 'pairs' | 'providers'>;
  for (const [number, one] of providers.entries()) names[number] = one.name;
  return pairs.map(pairBySymbol);
}

function checkedSurvey(path: string, atMs: number | undefined, survey: TickFileSurvey): TickFileSurvey {
  const { rows, firstMs, lastMs } = survey;
  if (rows === 0)
    throw new FeedSettingError(`${path} cannot be played: no row of it is a tick of a pair that we offer`);
  if (atMs !== undefined && (atMs < firstMs - NEAR_MS || atMs > lastMs + NEAR_MS))
    throw new FeedSettingError(
      `${iso(atMs)} is outside of ${path}, which holds ${iso(firstMs)} to ${iso(lastMs)}: give a time between these`,
    );
  return survey;
}

// A round time just before a file's first tick, or just after its last, is meant to be in it.
const NEAR_MS = 60_000;

export interface PlayOptions {
  readonly path: string;
  readonly survey: TickFileSurvey;
  /** Where to begin; the file's first tick when absent. */
  readonly atMs?: number | undefined;
  /** 2 plays twice as fast. */
  readonly speed?: number;
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly signal: AbortSignal;
  /** `sourceTimeUs` is the file's time shifted so that the beginning is now. */
  onTick(row: TickRow, sourceTimeUs: number): void;
  /** The start is reached: the current quote of each provider was played, and the file's clock runs. */
  onBegin?(): void;
  /** The file ended and begins again: what comes next is older than what came last. */
  onSeam(): void;
}

// Further behind than this (a machine that slept) the missed ticks are not rushed through: the clock is set anew.
const MAX_LAG_MS = 5_000;

/** Plays the file in its own time, over and over, until the signal aborts. */
export async function playTickFile(options: PlayOptions): Promise<void> {
  let fromMs = options.atMs ?? options.survey.firstMs;
  while (!options.signal.aborted) {
    await playOnce(options, fromMs);
    if (options.signal.aborted) return;
    options.onSeam();
    fromMs = options.survey.firstMs;
  }
}

async function playOnce(options: PlayOptions, fromMs: number): Promise<void> {
  const { now, wallNow, signal, speed = 1 } = options;
  const before = new Map<string, TickRow>();
  let startedAt: number | undefined;
  let wallStartMs = 0;
  // However old the provider's last quote is: a client that connects at this moment would receive it.
  const begin = (): number => {
    wallStartMs = wallNow();
    for (const last of before.values())
      options.onTick(last, Math.round((wallStartMs - (fromMs - last.timeMs) / speed) * 1000));
    options.onBegin?.();
    return now();
  };
  for await (const batch of readTickFile(options.path, { broken: 0, unknownPairs: 0 })) {
    for (const row of batch) {
      if (signal.aborted) return;
      if (row.timeMs < fromMs && startedAt === undefined) {
        remember(before, row);
        continue;
      }
      startedAt ??= begin();
      const dueMs = startedAt + (row.timeMs - fromMs) / speed;
      const waitMs = dueMs - now();
      if (waitMs >= 1) await sleep(waitMs, undefined, { signal }).catch(() => {});
      else if (waitMs < -MAX_LAG_MS) {
        startedAt -= waitMs;
        wallStartMs -= waitMs;
      }
      if (signal.aborted) return;
      options.onTick(row, Math.round((wallStartMs + (row.timeMs - fromMs) / speed) * 1000));
    }
  }
  if (startedAt === undefined) begin();
  // A file of one moment must not be played without a pause.
  await sleep(1, undefined, { signal }).catch(() => {});
}

// In the order of time, and without the crossed and negative ticks, which the book would refuse: each provider's last price, not its last fault.
function remember(last: Map<string, TickRow>, row: TickRow): void {
  if (!(row.bid > 0 && row.bid <= row.offer)) return;
  const key = `${row.provider} ${row.pair}`;
  last.delete(key);
  last.set(key, row);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
