/**
 * The risk role. Every engine has it; the one that holds the lease `risk` reads the positions of all shards, values them and publishes the
 * risk figures. A round that fails is logged and publishes nothing: the figures become older, and decisions that need them are refused.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Pair } from '../../domain/money/pair.js';
import { tradeDate } from '../../domain/money/value-date.js';
import {
  type CoverFigures,
  type DayStart,
  dayStartOf,
  type LimitFigures,
  type MidOf,
  type Profit,
  type RiskFigures,
  type StateFigures,
  valuePositions,
} from '../../domain/risk/figures.js';
import { addSums, closeOutsByCurrency, type DealSums, dealsByPair } from '../../domain/risk/position.js';
import type { TradingRestriction } from '../../domain/risk/trading-state.js';
import { LogBuckets } from '../../domain/system/log-buckets.js';
import { LastKnownMids } from '../../rates/mids.js';
import type { Services } from '../../service/core/services.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import { RISK_LEASE } from '../../store/coordination/lease.js';
import { HOUSE, type MoneyOf, SHARDS, subClientsTogether } from '../../store/keys/redis-keys.js';
import type { DayOf } from '../../store/risk/day-starts.js';
import { FOLD_MAX, type Position } from '../../store/risk/positions.js';
import type { DayBegun } from '../../store/risk/risk-figures.js';

/** What one round has found, for the parts of the role. */
export interface RiskRound {
  /** Of the risk lease. */
  readonly holding: string;
  /** Epoch ms by the store's server: the reading of the positions began then. */
  readonly atMs: number;
  /** The same moment by the clock of the steps, which an operator may have advanced in a sandbox. */
  readonly clockMs: number;
  /** The same moment, monotonic ms. */
  readonly beganMs: number;
  readonly day: string;
  /** By shard, as they were read in this round. */
  readonly shards: readonly Position[];
  readonly positions: ReadonlyMap<Pair, DealSums>;
  readonly midOf: MidOf;
  readonly figures: Pick<RiskFigures, 'baseCurrency' | 'pairs' | 'currencies' | 'total'>;
}

export interface RiskTables {
  readonly limits?: readonly LimitFigures[];
  readonly states?: readonly StateFigures[];
  readonly covers?: readonly CoverFigures[];
}

/**
 * Work on the figures, by the holder of the lease alone: handing out slices of limits, sending cover orders. It runs in turn within each
 * round and before the figures are published, so it returns at once and leaves what takes long under way. When it rejects, the round fails.
 */
export interface RiskPart {
  round(round: RiskRound): Promise<RiskTables>;
  /** The lease is lost, or is released: what is under way ends. */
  ended?(): Promise<void> | void;
}

export interface RiskRole {
  readonly isHeld: boolean;
  /** Since the start. */
  readonly counts: Readonly<Record<'done' | 'failed', number>>;
  /** Of rounds that are done: from the first read to the published figures. */
  readonly roundTimes: LogBuckets;
  stop(): Promise<void>;
}

const ROUND_MS = 250;
/** The holder renews its lease in each fourth round; the lease of a killed engine ends after 3 s. */
const RENEW_MS = 1_000;
/** Unchanged figures are published this often: their age is what readers judge. */
const PUBLISH_MS = 1_000;
/** Each write waits for the disk. */
const KEEP_MS = 10_000;

/** A round that fails is likely to fail again. */
const LOG_MS = 10_000;
/** States that the figures show; without a bound clients that halt themselves would make them unreadable. */
const STATES_MAX = 500;
const NO_START: DayStart = new Map();
/** Clients of a page, and the pause behind it: the event loop has ticks to publish. */
const PAGE = 20;
const PAGE_PAUSE_MS = 20;
const WALK_AGAIN_MS = 1_000;
const FAILED =
  'a round of the risk role failed: the risk figures are not published, and decisions that need them are refused until a round succeeds';

export function startRiskRole(services: Services, parts: readonly RiskPart[] = []): RiskRole {
  const { store, log } = services;
  const lease = store.lease(RISK_LEASE);
  const stopping = new AbortController();
  const counts = { done: 0, failed: 0 };
  const roundTimes = new LogBuckets();
  let term: RiskTerm | undefined;
  let renewAtMs = 0;
  let logAtMs = 0;

  const end = async (): Promise<void> => {
    const ended = term;
    term = undefined;
    await ended?.end();
    for (const part of parts) await part.ended?.();
  };
  const holdOrEnd = async (): Promise<void> => {
    const now = performance.now();
    if (term !== undefined && now < renewAtMs) return;
    const holding = await lease.acquire();
    renewAtMs = now + RENEW_MS;
    if (holding === term?.holding) return;
    if (term !== undefined) {
      log.warn({}, 'another engine has taken the risk role');
      await end();
    }
    if (holding === undefined || stopping.signal.aborted) return;
    term = new RiskTerm(services, parts, holding);
    log.info({}, 'this engine has the risk role from now on');
  };
  const turn = async (): Promise<void> => {
    if (!store.isUp()) return;
    try {
      await holdOrEnd();
      if (term === undefined) return;
      const began = performance.now();
      if (!(await term.round())) return void (await end());
      roundTimes.record(1_000 * (performance.now() - began));
      counts.done += 1;
    } catch (error) {
      counts.failed += 1;
      // The store logs its own outages.
      if (error instanceof StoreUnavailable) return;
      const now = performance.now();
      if (now < logAtMs) return;
      logAtMs = now + LOG_MS;
      log.error({ err: error, failed: counts.failed }, FAILED);
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const began = performance.now();
      await turn();
      const waitMs = Math.max(0, ROUND_MS - (performance.now() - began));
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();

  return {
    get isHeld() {
      return term !== undefined;
    },
    counts,
    roundTimes,
    async stop() {
      stopping.abort();
      await running;
      if (term !== undefined) await end();
      await lease.release().catch(() => {});
    },
  };
}

/** One holding of the lease: what the role knows ends with it. */
class RiskTerm {
  readonly holding: string;
  readonly #services: Services;
  readonly #parts: readonly RiskPart[];
  readonly #mids: LastKnownMids;
  readonly #deals = new WeakMap<Position, Map<Pair, DealSums>>();
  #summed: { readonly shards: readonly Position[]; readonly deals: ReadonlyMap<Pair, DealSums> } | undefined;
  #hasBegun = false;
  #dayBegun: DayBegun | undefined;
  #foldedFor = '';
  #walk: Promise<void> | undefined;
  #walkedFor = '';
  #hasEnded = false;
  #published = '';
  #publishAtMs = 0;
  #keepAtMs = 0;
  #keptNames = '';

  constructor(services: Services, parts: readonly RiskPart[], holding: string) {
    this.#services = services;
    this.#parts = parts;
    this.holding = holding;
    this.#mids = new LastKnownMids(services.book);
  }

  /** False: the lease has ended, and nothing was published. */
  async round(): Promise<boolean> {
    if (!this.#hasBegun) await this.#begin();
    const { store, limits } = this.#services;
    const beganMs = performance.now();
    const atMs = store.riskFigures.nowMs();
    const clockMs = store.clock.estimate();
    if (atMs === undefined || clockMs === undefined) throw new StoreUnavailable('none');
    const day = tradeDate(clockMs);
    if (day !== this.#foldedFor) await this.#fold(day);

    const shards = await store.positions.ofAllShards();
    const positions = this.#dealsOf(shards);
    const midOf = this.#mids.reading();
    const baseCurrency = limits.base;
    const valuation = { positions, closeOuts: closeOutsByCurrency(closeOutsOf(shards)), baseCurrency, midOf };
    const begins = this.#dayOf(day, baseCurrency, atMs, valuation);
    const figures = { baseCurrency, ...valuePositions({ ...valuation, dayStart: this.#dayBegun!.profits }) };
    const times = { atMs, clockMs, beganMs, day };
    const round: RiskRound = { holding: this.holding, ...times, shards, positions, midOf, figures };
    const states = shownStates(this.#services.states.all);
    const tables: Required<RiskTables> = { limits: [], states, covers: [] };
    for (const part of this.#parts) Object.assign(tables, await part.round(round));
    const published = await this.#publish({ atMs, day, ...figures, ...tables }, begins);
    if (published && day !== this.#walkedFor) this.#walk ??= this.#walkClients({ day, baseCurrency });
    return published;
  }

  /** What is under way in the background ends. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#walk;
  }

  /** Of all shards; those of a shard that has not changed are known. */
  #dealsOf(shards: readonly Position[]): ReadonlyMap<Pair, DealSums> {
    const before = this.#summed;
    if (before && shards.every((shard, i) => shard === before.shards[i])) return before.deals;
    const all = new Map<Pair, DealSums>();
    for (const shard of shards) {
      const own = this.#deals.get(shard) ?? dealsByPair(shard.lines);
      this.#deals.set(shard, own);
      for (const [pair, deals] of own) {
        const before = all.get(pair);
        all.set(pair, before === undefined ? deals : addSums(before, deals));
      }
    }
    this.#summed = { shards, deals: all };
    return all;
  }

  async #begin(): Promise<void> {
    const { riskFigures } = this.#services.store;
    const before = await riskFigures.kept();
    const nowMs = riskFigures.nowMs();
    if (before && nowMs !== undefined) this.#mids.take(before, Math.max(0, nowMs - before.atMs));
    this.#dayBegun = await riskFigures.dayBegun();
    this.#hasBegun = true;
  }

  /** True: a trading day begins with this round, or what it began with has become known. */
  #dayOf(
    day: string,
    baseCurrency: string,
    atMs: number,
    valuation: Omit<Parameters<typeof valuePositions>[0], 'dayStart'>,
  ): boolean {
    const begun = this.#dayBegun;
    const isSame = begun?.day === day && begun.baseCurrency === baseCurrency;
    if (isSame && ![...begun.profits.values()].includes(null)) return false;
    const now = dayStartOf(valuePositions({ ...valuation, dayStart: NO_START }));
    if (!isSame) {
      this.#dayBegun = { day, baseCurrency, atMs, profits: now };
      return true;
    }
    const found = [...begun.profits].filter(([name, profit]) => profit === null && now.get(name));
    if (found.length === 0) return false;
    const profits = new Map([...begun.profits, ...found.map(([name]) => [name, now.get(name)!] as const)]);
    this.#dayBegun = { ...begun, profits };
    return true;
  }

  async #publish(figures: RiskFigures, dayBegins: boolean): Promise<boolean> {
    const now = performance.now();
    const content = JSON.stringify(figures, withoutAges);
    // A holder that takes over has at least one mid of each pair.
    const names = figures.pairs.map(({ pair, mid }) => `${pair} ${mid !== undefined}`).join();
    const keep = dayBegins || now >= this.#keepAtMs || names !== this.#keptNames;
    if (!keep && content === this.#published && now < this.#publishAtMs) return true;
    const more = { keep, ...(dayBegins && { dayStart: this.#dayBegun! }) };
    if (!(await this.#services.store.riskFigures.publish(this.holding, figures, more))) return false;
    this.#published = content;
    // A round earlier: the next one after a whole second would be late.
    this.#publishAtMs = now + PUBLISH_MS - ROUND_MS;
    if (keep) {
      this.#keepAtMs = now + KEEP_MS;
      this.#keptNames = names;
    }
    return true;
  }

  /** Value dates before this trading day: once a day, and when the term begins. */
  async #fold(day: string): Promise<void> {
    const { positions } = this.#services.store;
    const until = dayBefore(day);
    for (let shard = 0; shard < SHARDS; shard++) while ((await positions.fold({ shard }, until)) >= FOLD_MAX);
    this.#foldedFor = day;
  }

  /**
   * Once a day, beside the rounds: what the day began with for each client, and the fold of its value dates. A holder that takes over begins
   * again, unless it is complete. Repeated after an error.
   */
  async #walkClients(of: DayOf): Promise<void> {
    const { store, log } = this.#services;
    try {
      const isComplete = await store.dayStarts.isComplete(of);
      if (!isComplete) await this.#beginDayOf([HOUSE], of);
      for (let after: string | undefined; !isComplete && !this.#hasEnded; await pause(PAGE_PAUSE_MS)) {
        const clients = await store.clients.list({ limit: PAGE, ...(after !== undefined && { after }) });
        if (clients.length === 0) {
          await store.dayStarts.complete(of);
          break;
        }
        const together = clients.filter(({ isPlatform }) => isPlatform).map(subClientsTogether);
        await this.#beginDayOf([...clients, ...together], of);
        after = clients.at(-1)!.id;
      }
      this.#walkedFor = of.day;
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        log.error({ err: error }, 'the profit of clients at the start of the day could not be stored: it is repeated');
      await pause(WALK_AGAIN_MS);
    } finally {
      this.#walk = undefined;
    }
  }

  async #beginDayOf(clients: readonly MoneyOf[], of: DayOf): Promise<void> {
    const { positions, dayStarts } = this.#services.store;
    const until = dayBefore(of.day);
    const found = await Promise.all(clients.map((client) => positions.ofClient(client)));
    const midOf = this.#mids.reading();
    const profits = new Map<string, Profit>();
    for (const [i, { lines, closeOuts }] of found.entries()) {
      if (lines.length === 0 && closeOuts.length === 0) continue;
      const valuation = { positions: dealsByPair(lines), closeOuts: closeOutsByCurrency(closeOuts) };
      const { total } = valuePositions({ ...valuation, baseCurrency: of.baseCurrency, midOf, dayStart: NO_START });
      profits.set(clients[i]!.id, total.profit);
      if (![...lines, ...closeOuts].some(({ valueDate }) => isFoldable(valueDate, until))) continue;
      while ((await positions.fold(clients[i]!, until)) >= FOLD_MAX);
    }
    await dayStarts.write(of, profits);
  }
}

/** Of more than the figures have room for those of the house and of pairs, then the newest ones. */
function shownStates(all: readonly TradingRestriction[]): StateFigures[] {
  const isClient = ({ scope }: TradingRestriction): number => Number(scope === 'client');
  const shown =
    all.length <= STATES_MAX
      ? all
      : [...all].sort((a, b) => isClient(a) - isClient(b) || b.sinceMs - a.sinceMs).slice(0, STATES_MAX);
  return shown.map(({ name: subject, ...state }) => ({ ...state, subject }));
}

const isFoldable = (valueDate: string, until: string): boolean => valueDate !== '0' && valueDate <= until;

const AGES: ReadonlySet<string> = new Set(['atMs', 'midAgeMs', 'rateAgeMs']);
const withoutAges = (name: string, value: unknown): unknown =>
  AGES.has(name) ? undefined : typeof value === 'bigint' ? String(value) : value;

function* closeOutsOf(shards: readonly Position[]) {
  for (const { closeOuts } of shards) yield* closeOuts;
}

/** 'YYYYMMDD' of the day before a day of the calendar. */
function dayBefore(day: string): string {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, date - 1)).toISOString().slice(0, 10).replaceAll('-', '');
}
