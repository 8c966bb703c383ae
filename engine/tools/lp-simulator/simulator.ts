import { PAIRS, type Pair } from '../../domain/money/pair.js';
import { FeedSettingError } from '../../rates/feeds/port.js';
import { referenceRates } from '../../rates/feeds/reference-rates.js';
import { playTickFile, surveyTickFile, type TickFileSurvey } from '../../rates/feeds/tick-file.js';
import { DIRECT_PAIRS, RateWalk } from '../../rates/feeds/walk.js';
import { Faults } from './faults.js';
import { type FixDialect, type FixKept, openFixAcceptor } from './fix-acceptor.js';
import type { LpServer, LpTick } from './lp-tick.js';
import type { OrderDesk } from './order-desk.js';
import { openWebSocketServer } from './websocket-server.js';

export interface LpSimulatorOptions {
  /** Ports; 0 lets the system choose; absent: no such server. */
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
  /** Clients must send these; absent: every client may log on. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
  /** How the FIX server differs from W and X of FIX 4.4. */
  readonly dialect?: FixDialect | undefined;
  /** What the FIX server keeps over a restart. */
  readonly kept?: FixKept | undefined;
}

/** A liquidity provider for tests, demonstrations and benchmarks, with the faults that real ones have, on command. */
export interface LpSimulator {
  readonly wsPort: number | undefined;
  readonly fixPort: number | undefined;
  readonly faults: Faults;
  /** Ends every connection, WebSocket as a network would, FIX by Logout(5); clients may reconnect at once. */
  disconnect(reason?: string): void;
  /** QuoteCancel(Z) to every stream of FIX quotes. */
  cancelQuotes(): void;
  /** QuoteStatusReport(AI) of expiry to every stream of quotes, which ends it. */
  expireQuotes(): void;
  /** Of the FIX server: `<QuoteID(117)> <QuoteStatus(297)>` of each MassQuoteAcknowledgement(b). */
  readonly acknowledged: readonly string[];
  /** Of the FIX server: what it has been sent to deal, and how it deals. */
  readonly orders: OrderDesk | undefined;
  /** A tick of the caller's own, past all faults. */
  tick(tick: LpTick): void;
  close(): Promise<void>;
}

type Quote = (pair: Pair, bid: number, offer: number, sourceTimeUs: number) => void;
type StopSource = () => Promise<void> | void;

const WALK_STEP_MS = 25;

/** Starts the servers and the ticks. Rejects with FeedSettingError when the file cannot be played. */
export async function startLpSimulator(options: LpSimulatorOptions): Promise<LpSimulator> {
  const survey = options.file === undefined ? undefined : await surveyTickFile(options.file, options.atMs);
  const last = new Map<number, LpTick>();
  const terms = { key: options.key, secret: options.secret, last: (pair: number) => last.get(pair) };
  if (survey && options.provider !== undefined && !survey.providers.has(options.provider))
    throw new FeedSettingError(
      `${options.file} has no provider ${options.provider}; it has ${[...survey.providers].slice(0, 16).join(', ')}`,
    );
  const ws = options.ws === undefined ? undefined : await openWebSocketServer(options.ws, terms);
  const fix =
    options.fix === undefined
      ? undefined
      : await openFixAcceptor(options.fix, terms, options.dialect, options.kept).catch(async (error: unknown) => {
          await ws?.close();
          throw error;
        });
  const servers = [ws, fix].filter((server): server is LpServer => server !== undefined);

  const faults = new Faults();
  const tick = (shown: LpTick) => {
    last.set(shown.pair.index, shown);
    for (const server of servers) server.tick(shown);
  };
  const quote: Quote = (pair, bid, offer, sourceTimeUs) => {
    const prices = faults.apply(bid, offer);
    if (prices) tick({ pair, ...prices, sourceTimeUs });
  };
  const stopSource =
    options.file !== undefined && survey ? await play(options.file, survey, options, quote) : walk(options, quote);

  return {
    wsPort: ws?.port,
    fixPort: fix?.port,
    faults,
    disconnect(reason) {
      for (const server of servers) server.disconnect(reason);
    },
    cancelQuotes: () => fix?.cancelQuotes(),
    expireQuotes: () => fix?.expireQuotes(),
    acknowledged: fix?.acknowledged ?? [],
    orders: fix?.orders,
    tick,
    async close() {
      await stopSource();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Resolves when the beginning is reached. */
async function play(
  path: string,
  survey: TickFileSurvey,
  { atMs, speed, provider }: LpSimulatorOptions,
  quote: Quote,
): Promise<StopSource> {
  const stopping = new AbortController();
  let playing = Promise.resolve();
  const begun = new Promise<void>((onBegin, reject) => {
    playing = playTickFile({
      path,
      survey,
      atMs,
      speed: speed ?? 1,
      now: () => performance.now(),
      wallNow: Date.now,
      signal: stopping.signal,
      onTick: (row, sourceTimeUs) => {
        if (provider === undefined || row.provider === provider)
          quote(PAIRS[row.pair], row.bid, row.offer, sourceTimeUs);
      },
      onSeam() {},
      onBegin,
    });
    playing.catch(reject);
  });
  await begun;
  return () => {
    stopping.abort();
    return playing;
  };
}

function walk({ seed, pairs, speed = 1 }: LpSimulatorOptions, quote: Quote): StopSource {
  const rates = new RateWalk(referenceRates('9999-12-31'), seed ?? 1, pairs ?? DIRECT_PAIRS);
  const step = () => {
    const { pair, bid, offer } = rates.next();
    quote(pair, bid, offer, Date.now() * 1000);
  };
  for (let i = 0; i < rates.pairs.length; i++) step();
  // A timer has no interval below a millisecond: faster means more steps at a time.
  let due = 0;
  const walking = setInterval(() => {
    for (due += Math.max(1, speed); due >= 1; due--) step();
  }, WALK_STEP_MS / Math.min(1, speed));
  return () => clearInterval(walking);
}
