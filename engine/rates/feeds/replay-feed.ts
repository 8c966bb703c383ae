import { accessSync, constants, statSync } from 'node:fs';
import { INSTANT_SAYS, instantOf } from '../../domain/core/instant.js';
import { Ladder } from '../../domain/money/ladder.js';
import { PAIRS, type Pair, pairOf } from '../../domain/money/pair.js';
import type { RecordedTick } from '../../store/record/record-lines.js';
import { dataFile, enterProvider, type Feed, type FeedDeps, FeedSettingError } from './port.js';
import { referenceRates } from './reference-rates.js';
import { Walker } from './simulated-feed.js';
import { playTickFile, surveyTickFile, type TickFileSurvey, type TickRow } from './tick-file.js';
import { DIRECT_PAIRS, RateWalk, threeLevels } from './walk.js';

/** A recorded hour of two providers; its source and licence are in data/README.md. */
const RECORDED = 'fx-ticks-2014-05-06T12.csv.gz';
/** What `surveyTickFile` finds in it, which takes 60 to 80 ms of CPU. */
export const RECORDED_SURVEY: TickFileSurvey = {
  broken: 0,
  unknownPairs: 0,
  firstMs: Date.UTC(2014, 4, 6, 12, 0, 0, 70),
  lastMs: Date.UTC(2014, 4, 6, 12, 59, 58, 506),
  rows: 23_486,
  pairs: new Set([pairOf('EUR', 'USD')!.pair.index, pairOf('NZD', 'USD')!.pair.index]),
  providers: new Set(['FXCM', 'OANDA']),
};
const WALK_SEED = 1;

/** `replay`, `replay:<file>` or `replay:<file>@<UTC time>`. Throws FeedSettingError. */
export function createReplayFeed(spec: string, deps: FeedDeps): Feed {
  if (spec === 'replay') return new ReplayFeed(dataFile(RECORDED), undefined, deps, RECORDED_SURVEY);

  const [, path, time] = /^replay:([^@]+|.+(?=@))(?:@([^@]*))?$/.exec(spec) ?? [];
  if (!path) throw new FeedSettingError(`'${spec}' names no file; write replay:<file>@2014-05-06T12:15:00Z`);
  if (!isReadableFile(path))
    throw new FeedSettingError(`${path} cannot be read as a file; check the path and its permissions`);
  return new ReplayFeed(path, time === undefined ? undefined : utcTimeMs(time), deps);
}

// A directory has no ticks, and a pipe or a device may have no end.
function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function utcTimeMs(text: string): number {
  const ms = instantOf(text);
  if (typeof ms !== 'number')
    throw new FeedSettingError(`'${text}' is not ${INSTANT_SAYS}; write it as 2014-05-06T12:15:00Z`);
  return ms;
}

// Neither the recorded pairs nor a leg of their crosses: an invented EUR/JPY would cross a recorded USD/JPY that is stale.
function isRecorded(pair: Pair, recorded: ReadonlySet<number>): boolean {
  const code = pair.base === 'USD' || pair.base === 'EUR' ? pair.quote : pair.base;
  const against = (currency: string) => pairOf(currency, code)?.pair.index ?? -1;
  return recorded.has(pair.index) || (code !== 'USD' && (recorded.has(against('USD')) || recorded.has(against('EUR'))));
}

/**
 * Plays recorded ticks in their own time and walks every other direct pair from the reference rates of the recorded day. The
 * published source time is the file's, shifted so that the beginning is now; staleness goes by receipt, as for any provider. The
 * last quote of a provider before the beginning is received at the beginning: it is the provider's current quote at that moment.
 */
class ReplayFeed implements Feed {
  readonly name = 'replay';
  readonly #path: string;
  readonly #atMs: number | undefined;
  readonly #deps: FeedDeps;
  readonly #survey: TickFileSurvey | undefined;
  readonly #ladder = new Ladder();
  readonly #stopping = new AbortController();
  #walker: Walker | undefined;
  #providers: ReadonlyMap<string, number> = new Map();
  #playing: Promise<void> | undefined;

  constructor(path: string, atMs: number | undefined, deps: FeedDeps, survey?: TickFileSurvey) {
    this.#path = path;
    this.#atMs = atMs;
    this.#deps = deps;
    this.#survey = survey;
  }

  async start(): Promise<void> {
    const { book, log } = this.#deps;
    const survey = this.#survey ?? (await surveyTickFile(this.#path, this.#atMs));
    if (this.#stopping.signal.aborted) return;
    this.#providers = new Map([...survey.providers].map((name) => [name, enterProvider(book, name)]));
    for (const provider of this.#providers.values()) book.providerUp(provider);

    const day = new Date(this.#atMs ?? survey.firstMs).toISOString().slice(0, 10);
    const walked = DIRECT_PAIRS.filter((pair) => !isRecorded(pair, survey.pairs));
    const walk = new RateWalk(referenceRates(day), WALK_SEED, walked);
    this.#walker = new Walker(walk, this.#deps);
    log.info(
      { feed: this.name, rows: survey.rows, broken: survey.broken, unknownPairs: survey.unknownPairs, day },
      'recorded prices: not for trading',
    );
    const begun = new Promise<void>((resolve) => {
      this.#playing = this.#play(survey, walk, resolve).finally(resolve);
    });
    await begun;
    // After the recorded prices, which lead it.
    if (!this.#stopping.signal.aborted) this.#walker.start();
  }

  #play(survey: TickFileSurvey, walk: RateWalk, onBegin: () => void): Promise<void> {
    const { book, log, now = () => performance.now(), wallNow = Date.now } = this.#deps;
    return playTickFile({
      path: this.#path,
      survey,
      atMs: this.#atMs,
      now,
      wallNow,
      signal: this.#stopping.signal,
      onBegin,
      onTick: (row, sourceTimeUs) => {
        walk.lead(row.pair, row.bid, row.offer);
        this.#tick(row, sourceTimeUs);
      },
      onSeam: () => {
        for (const provider of this.#providers.values()) book.providerUp(provider);
      },
    }).catch((error: unknown) => {
      log.warn({ feed: this.name, reason: String(error) }, 'the file could be read no further: its prices go stale');
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#walker?.stop();
    await this.#playing;
    for (const provider of this.#providers.values()) this.#deps.book.providerDown(provider);
  }

  #tick(row: TickRow, sourceTimeUs: number): void {
    const provider = this.#providers.get(row.provider);
    if (provider === undefined) return;
    const { pair, bid, offer, recorded } = row;
    if (recorded) {
      const ladder = recorded.levels && filled(this.#ladder, recorded.levels);
      this.#deps.book.tick(provider, pair, bid, offer, recorded.bidSize, recorded.offerSize, sourceTimeUs, 0, ladder);
      return;
    }
    // The file has prices alone. A bid that is none is the book's to refuse.
    const ladder = bid > 0 && offer >= bid ? threeLevels(PAIRS[pair]!, bid, offer, this.#ladder) : undefined;
    const size = ladder?.bid.size[0] ?? 0;
    this.#deps.book.tick(provider, pair, bid, offer, size, size, sourceTimeUs, 0, ladder);
  }
}

function filled(ladder: Ladder, levels: NonNullable<RecordedTick['levels']>): Ladder {
  ladder.clear();
  for (const { price, size } of levels.bid) ladder.bid.add(price, size);
  for (const { price, size } of levels.offer) ladder.offer.add(price, size);
  return ladder;
}
