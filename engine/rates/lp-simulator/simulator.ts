import { PAIRS, type Pair } from '../../domain/pair.js';
import { referenceRates } from '../feeds/reference-rates.js';
import { playTickFile, surveyTickFile } from '../feeds/tick-player.js';
import { DIRECT_PAIRS, RateWalk } from '../feeds/walk.js';
import { openFixDoor } from './fix-door.js';
import type { LpDoor, LpTick } from './lp-tick.js';
import { openWsDoor } from './ws-door.js';

export interface LpSimulatorOptions {
  /** Ports; 0 lets the system choose; absent leaves the door shut. */
  readonly ws?: number | undefined;
  readonly fix?: number | undefined;
  /** A file of recorded ticks; without one, a seeded walk of `pairs`. */
  readonly file?: string | undefined;
  /** Only this provider's ticks of the file. */
  readonly provider?: string | undefined;
  /** Where in the file to begin, epoch ms. */
  readonly atMs?: number | undefined;
  readonly speed?: number | undefined;
  readonly seed?: number | undefined;
  readonly pairs?: readonly Pair[] | undefined;
  /** Ask clients for these; absent lets everybody in. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
}

/** A liquidity provider for tests, demonstrations and benchmarks, with the faults that real ones have, on command. */
export interface LpSimulator {
  readonly wsPort: number | undefined;
  readonly fixPort: number | undefined;
  /** Silent, but connected, until resume. */
  stall(): void;
  resume(): void;
  /** Cuts every connection; clients may come back at once. */
  disconnect(): void;
  /** The next ticks have their bid above their offer. */
  cross(ticks: number): void;
  /** From now on every price stands this many percent off, 0 ends it. */
  jump(percent: number): void;
  /** One tick stands this many percent off. */
  spike(percent: number): void;
  /** A tick of the caller's own, past stall, cross and jump. */
  tick(tick: LpTick): void;
  close(): Promise<void>;
}

const WALK_STEP_MS = 25;

/** Opens the doors and begins to tick. Rejects with FeedSettingError when the file cannot be played. */
export async function startLpSimulator(options: LpSimulatorOptions): Promise<LpSimulator> {
  const { speed = 1 } = options;
  const survey = options.file === undefined ? undefined : await surveyTickFile(options.file, options.atMs);
  const last = new Map<number, LpTick>();
  const terms = { key: options.key, secret: options.secret, last: (pair: number) => last.get(pair) };
  const ws = options.ws === undefined ? undefined : await openWsDoor(options.ws, terms);
  const fix = options.fix === undefined ? undefined : await openFixDoor(options.fix, terms);
  const doors = [ws, fix].filter((door): door is LpDoor => door !== undefined);

  let isStalled = false;
  let crossedTicks = 0;
  let offPercent = 0;
  let spikePercent = 0;
  const send = (tick: LpTick) => {
    last.set(tick.pair.index, tick);
    for (const door of doors) door.tick(tick);
  };
  const quote = (pair: Pair, bid: number, offer: number, sourceTimeUs: number) => {
    if (isStalled) return;
    const factor = (1 + offPercent / 100) * (1 + spikePercent / 100);
    spikePercent = 0;
    const low = Math.round(bid * factor);
    const high = Math.round(offer * factor);
    const isCrossed = crossedTicks > 0;
    if (isCrossed) crossedTicks--;
    send({ pair, bid: isCrossed ? high + 1 : low, offer: isCrossed ? low : high, sourceTimeUs });
  };

  const stopping = new AbortController();
  let walking: NodeJS.Timeout | undefined;
  let playing: Promise<void> | undefined;
  if (options.file !== undefined && survey) {
    playing = playTickFile({
      path: options.file,
      survey,
      atMs: options.atMs,
      speed,
      maxAgeMs: 5_000,
      now: () => performance.now(),
      wallNow: Date.now,
      signal: stopping.signal,
      onTick: (row, sourceTimeUs) => {
        if (options.provider === undefined || row.provider === options.provider)
          quote(PAIRS[row.pair], row.bid, row.offer, sourceTimeUs);
      },
      onSeam: () => {},
    });
  } else {
    const walk = new RateWalk(referenceRates('9999-12-31'), options.seed ?? 1, options.pairs ?? DIRECT_PAIRS);
    const step = () => {
      const { pair, bid, offer } = walk.next();
      quote(pair, bid, offer, Date.now() * 1000);
    };
    for (let i = 0; i < walk.pairs.length; i++) step();
    walking = setInterval(() => {
      for (let i = 0; i < Math.max(1, speed); i++) step();
    }, WALK_STEP_MS / Math.min(1, speed));
  }

  return {
    wsPort: ws?.port,
    fixPort: fix?.port,
    stall: () => {
      isStalled = true;
    },
    resume: () => {
      isStalled = false;
    },
    disconnect: () => {
      for (const door of doors) door.disconnect();
    },
    cross: (ticks) => {
      crossedTicks = ticks;
    },
    jump: (percent) => {
      offPercent = percent;
    },
    spike: (percent) => {
      spikePercent = percent;
    },
    tick: send,
    async close() {
      stopping.abort();
      clearInterval(walking);
      await playing;
      await Promise.all(doors.map((door) => door.close()));
    },
  };
}
