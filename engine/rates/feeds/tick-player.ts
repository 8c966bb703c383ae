import { setTimeout as sleep } from 'node:timers/promises';
import { FeedSettingError } from './port.js';
import { readTickFile, type TickFileCounts, type TickRow } from './tick-file.js';

/** What a file of ticks holds, found by reading it once. */
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
    throw new FeedSettingError(`${path} cannot be played: ${reasonOf(error)}`);
  }
  if (rows === 0)
    throw new FeedSettingError(`${path} cannot be played: no row of it is a tick of a pair that we offer`);
  if (atMs !== undefined && (atMs < firstMs - NEAR_MS || atMs > lastMs + NEAR_MS))
    throw new FeedSettingError(
      `${iso(atMs)} is outside of ${path}, which holds ${iso(firstMs)} to ${iso(lastMs)}: give a time between these`,
    );
  return { ...counts, firstMs, lastMs, rows, pairs, providers };
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
