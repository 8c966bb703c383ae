/**
 * The day record of one process: what its rate book takes and what it decides, in files (`record-lines.ts`) that another thread writes. The
 * process copies into a ring in shared memory and never waits: what does not fit is counted, marked in the file, and followed by a snapshot from
 * which a replay is exact again. A killed process loses what it recorded in its last second at most.
 *
 * Folders: `<directory>/<host>.<program>.<n>`, `<n>` 1, and 2 and on for programs that run on the same directory at the same time. A day is one
 * of UTC: its files begin with a snapshot, within a quarter of a second after midnight.
 */
import { hostname } from 'node:os';
import type { Log } from '../../domain/core/log.js';
import type { Ladder } from '../../domain/money/ladder.js';
import type { WriterStart } from '../day-files/block-writer.js';
import type { RingWriter } from '../day-files/ring.js';
import { freeFolder, type WriterStats, WriterThread } from '../day-files/writer-thread.js';
import { EVENT, RECORD_KINDS, TICK } from './record-lines.js';

export interface RecorderOptions {
  readonly directory: string;
  readonly program: 'engine' | 'sidecar';
  readonly key: Buffer;
  readonly maxBytes: number;
  /** At `maxBytes`: recording stops until there is room, or the oldest file is removed. */
  readonly whenFull: 'stop' | 'remove-oldest';
  readonly log: Log;
  /** Bytes of the ring, a power of two; 16 MiB by default. */
  readonly ringCapacity?: number | undefined;
  /** Epoch ms, and monotonic ms: the clock of the rate book. */
  readonly now?: () => number;
  readonly elapsed?: () => number;
}

/** What the worker is started with. */
export interface RecordStart extends WriterStart {
  /** YYYYMMDD. */
  readonly day: string;
  /** Epoch us at monotonic 0. */
  readonly offsetUs: number;
}

/** How often the day and the clock are looked at, and a snapshot is written where lines are missing. */
const LOOK_MS = 250;
/** From this on the clock of the machine was set, and lines say so; below it the monotonic clock continues. */
const CLOCK_STEP_US = 2_000;
/** So that the files of a day can be removed from the oldest on. */
const SNAPSHOT_MS = 3_600_000;
/** While nothing can be written, a snapshot is tried as often. */
const RETRY_MS = 5_000;

/** Takes the first free folder of the directory. Rejects with the file system's error, and when 100 programs record there. */
export async function openRecorder(options: RecorderOptions): Promise<DayRecorder> {
  const host =
    hostname()
      .replace(/[^A-Za-z0-9-]/g, '-')
      .slice(0, 40) || 'host';
  const named = (number: number): string => `${host}.${options.program}.${number}`;
  return new DayRecorder(options, await freeFolder(options.directory, named, 'programs record'));
}

export class DayRecorder {
  readonly folder: string;
  readonly #thread: WriterThread;
  readonly #ring: RingWriter;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #looking: NodeJS.Timeout;
  #day: string;
  #offsetUs: number;
  /** Lines that did not fit since the last one that did. */
  #missing = 0;
  /** Of them those that were not tried, because lines before them are missing. */
  #passedOver = 0;
  /** Lines are missing since the last snapshot. */
  #needsSnapshot = false;
  #droppedByWriter = 0;
  #snapshotAtMs = Number.NEGATIVE_INFINITY;
  #snapshot: (() => Iterable<object>) | undefined;

  constructor(options: RecorderOptions, own: Awaited<ReturnType<typeof freeFolder>>) {
    const { key, maxBytes, whenFull, log, ringCapacity } = options;
    this.folder = own.folder;
    this.#now = options.now ?? Date.now;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#day = dayOf(this.#now());
    this.#offsetUs = this.#offset();
    this.#thread = new WriterThread({
      ...own,
      key,
      maxBytes,
      whenFull,
      log,
      ringCapacity,
      worker: 'record/record-worker.js',
      what: 'day record',
      more: () => ({ day: this.#day, offsetUs: this.#offsetUs }),
    });
    this.#ring = this.#thread.ring;
    this.#looking = setInterval(() => this.look(), LOOK_MS);
    this.#looking.unref();
  }

  stats(): WriterStats {
    const stats = this.#thread.stats();
    return { ...stats, dropped: stats.dropped + this.#passedOver };
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    await this.#thread.stop();
  }

  /** Monotonic ms. */
  get ms(): number {
    return this.#elapsed();
  }

  /** What a replay needs to know before the next line: called now, each day and hour, and behind lines that are missing. */
  snapshots(parts: () => Iterable<object>): void {
    this.#snapshot = parts;
    this.#writeSnapshot();
  }

  /** Called four times a second. */
  look(): void {
    const offsetUs = this.#offset();
    if (Math.abs(offsetUs - this.#offsetUs) >= CLOCK_STEP_US && this.#one(RECORD_KINDS.clock, offsetUs))
      this.#offsetUs = offsetUs;
    const day = dayOf(this.#now());
    const isNewDay = day !== this.#day;
    if (isNewDay && !this.#one(RECORD_KINDS.day, Number(day))) return;
    this.#day = day;
    const { dropped } = this.#thread.stats();
    if (this.#missing > 0 && !this.#ring.hasRoom) return;
    const isLost = this.#missing > 0 || this.#needsSnapshot;
    const isUnwritten = dropped - this.#ring.dropped !== this.#droppedByWriter;
    const sinceMs = this.#elapsed() - this.#snapshotAtMs;
    if (isNewDay || isLost || sinceMs >= SNAPSHOT_MS || (isUnwritten && sinceMs >= RETRY_MS)) {
      this.#droppedByWriter = dropped - this.#ring.dropped;
      this.#writeSnapshot();
    }
  }

  /** A line with an object, which has a `type`. */
  json(value: object, ms = this.#elapsed()): boolean {
    if (!this.#tellMissing()) return false;
    const text = JSON.stringify(value).replace(
      /[^\x20-\x7e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const bytes = Buffer.from(text, 'latin1');
    return this.#counted(this.#ring.write(RECORD_KINDS.json, 0, ms, bytes, 0, bytes.length));
  }

  /** `verdict`: of TICK_VERDICTS the number. No allocation. */
  tick(
    ms: number,
    ageMs: number,
    verdict: number,
    provider: number,
    pair: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    sequence: number,
    ladder: Ladder | undefined,
  ): void {
    if (!this.#tellMissing()) return;
    const bids = ladder === undefined ? 0 : ladder.bid.count;
    const offers = ladder === undefined ? 0 : ladder.offer.count;
    const length = 8 * (TICK.levels + 3 * (bids + offers));
    const at = this.#ring.begin(RECORD_KINDS.tick, 0, ms, length) / 8;
    if (!this.#counted(at >= 0)) return;
    const { doubles } = this.#ring;
    doubles[at + TICK.provider] = provider;
    doubles[at + TICK.pair] = pair;
    doubles[at + TICK.verdict] = verdict;
    doubles[at + TICK.bid] = bid;
    doubles[at + TICK.offer] = offer;
    doubles[at + TICK.bidSize] = bidSize;
    doubles[at + TICK.offerSize] = offerSize;
    doubles[at + TICK.sourceTimeUs] = sourceTimeUs;
    doubles[at + TICK.sequence] = sequence;
    doubles[at + TICK.ageMs] = ageMs;
    doubles[at + TICK.bids] = bids;
    doubles[at + TICK.offers] = offers;
    let next = at + TICK.levels;
    for (let i = 0; i < bids; i++, next += 3) {
      doubles[next] = ladder!.bid.price[i]!;
      doubles[next + 1] = ladder!.bid.size[i]!;
      doubles[next + 2] = ladder!.bid.ageMs[i]!;
    }
    for (let i = 0; i < offers; i++, next += 3) {
      doubles[next] = ladder!.offer.price[i]!;
      doubles[next + 1] = ladder!.offer.size[i]!;
      doubles[next + 2] = ladder!.offer.ageMs[i]!;
    }
    this.#ring.commit();
  }

  withdraw(ms: number, provider: number, pair: number): void {
    this.#event(ms, EVENT.withdraw, provider, pair);
  }

  up(ms: number, provider: number): void {
    this.#event(ms, EVENT.up, provider, 0);
  }

  down(ms: number, provider: number): void {
    this.#event(ms, EVENT.down, provider, 0);
  }

  /** Input that is no tick of a pair that we offer. */
  bad(ms: number, provider: number, verdict: number): void {
    this.#event(ms, EVENT.bad, provider, verdict);
  }

  /** A message of the relay is made of what the book has now. */
  mark(ms: number, number: number): void {
    if (this.#tellMissing()) this.#one(RECORD_KINDS.mark, number, ms);
  }

  #event(ms: number, code: number, provider: number, third: number): void {
    if (!this.#tellMissing()) return;
    const at = this.#ring.begin(RECORD_KINDS.event, 0, ms, 24) / 8;
    if (!this.#counted(at >= 0)) return;
    this.#ring.doubles[at] = code;
    this.#ring.doubles[at + 1] = provider;
    this.#ring.doubles[at + 2] = third;
    this.#ring.commit();
  }

  #one(kind: number, value: number, ms = this.#elapsed()): boolean {
    const at = this.#ring.begin(kind, 0, ms, 8) / 8;
    if (!this.#counted(at >= 0)) return false;
    this.#ring.doubles[at] = value;
    this.#ring.commit();
    return true;
  }

  #counted(fits: boolean): boolean {
    if (!fits) this.#missing++;
    return fits;
  }

  /** Before the next line: how many are missing. False: there is still no room. */
  #tellMissing(): boolean {
    if (this.#missing === 0) return true;
    const missing = this.#missing;
    // Not before there is room for what comes behind it: else each line would have a gap of its own.
    const at = this.#ring.hasRoom ? this.#ring.begin(RECORD_KINDS.gap, 0, this.#elapsed(), 8) / 8 : -1;
    if (at < 0) {
      this.#missing++;
      this.#passedOver++;
      return false;
    }
    this.#ring.doubles[at] = missing;
    this.#ring.commit();
    this.#missing = 0;
    this.#needsSnapshot = true;
    return true;
  }

  #writeSnapshot(): void {
    if (this.#snapshot === undefined) return;
    this.#snapshotAtMs = this.#elapsed();
    this.#needsSnapshot = false;
    for (const part of this.#snapshot()) this.json(part);
  }

  #offset(): number {
    return Math.round((this.#now() - this.#elapsed()) * 1_000);
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
