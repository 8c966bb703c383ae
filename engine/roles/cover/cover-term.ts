/** Cover during one holding of the risk lease. An order is in the store as planned, then as sent, before its bytes leave. */

import type { Log } from '../../domain/core/log.js';
import { isRefusal } from '../../domain/core/refusal.js';
import {
  type CoverOrder,
  type CoverRule,
  type CoverSide,
  coverAmount,
  isWithinWorst,
  worstPrice,
} from '../../domain/cover/cover.js';
import type { CoverBlock } from '../../domain/cover/cover-words.js';
import { decimalFromScaled } from '../../domain/money/decimal.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { spotDate } from '../../domain/money/value-date.js';
import type { CoverFigures } from '../../domain/risk/figures.js';
import { type DealSums, NO_DEALS, netBase } from '../../domain/risk/position.js';
import { CoverSession, type CoverSessionParts, type CoverSettings } from '../../rates/cover/cover-session.js';
import { newId } from '../../service/core/ids.js';
import type { Services } from '../../service/core/services.js';
import type { CoverRecord } from '../../store/cover/cover.js';
import { HOUSE } from '../../store/keys/redis-keys.js';
import { ackAfterProcessing, InFlightMessages } from '../../store/sessions/in-flight.js';
import type { RiskRound } from '../risk/risk-role.js';
import { CoverBooks, type ReportOutcome } from './cover-books.js';

export interface CoverParts {
  /** With `off` orders of before are withdrawn, or shown until they are resolved; there are no sessions. */
  readonly mode: 'off' | 'suggest' | 'auto';
  readonly sessions: readonly CoverSettings[];
  readonly messageLog?: CoverSessionParts['messageLog'];
  /** Monotonic ms; unless it is given, that of the process. */
  readonly now?: () => number;
}

/** Without a report that ends it an order is unknown from then on, and its status is requested. */
const REPORT_MS = 5_000;
const STATUS_MS = 2_000;
/** A planned order is sent by then, or withdrawn: its price is of its planning. A suggested one is made anew. */
const PLANNED_MS = 5_000;
const SUGGESTED_MS = 60_000;
/** The oldest positions to plan on, and the longest way of an order from the store to its provider: within it no other engine has the lease. */
const FIGURES_MS = 2_000;
/** A provider that has rejected an order of a pair is passed over for so long, doubled with each further one. */
const BACK_OFF_MS = 1_000;
const BACK_OFF_MAX_MS = 60_000;
const SHOWN_MAX = 20;

interface Blocked {
  readonly reason: CoverBlock;
  readonly side: CoverSide;
  readonly sinceMs: number;
}

/** What the term has counted. */
export interface CoverEvents {
  /** An order has ended. */
  onEnded(status: string): void;
  onReport(outcome: ReportOutcome): void;
}

/** One holding of the risk lease. */
export class CoverTerm {
  readonly blocked = new Map<string, Blocked>();
  readonly #services: Services;
  readonly #mode: CoverParts['mode'];
  readonly #now: () => number;
  readonly #log: Log;
  readonly #sessions: ReadonlyMap<string, CoverSession>;
  readonly #books: CoverBooks;
  readonly #events: CoverEvents;
  #hasClaimed = false;
  #hasWarned = false;
  #isOver = false;
  #turn: Promise<void> | undefined;
  #open: readonly CoverRecord[] = [];
  /** Of open orders: the status, and monotonic ms since when this process has seen it. An operator may move the clock of the steps. */
  readonly #seen = new Map<string, { readonly status: string; readonly atMs: number }>();
  /** Ended in this term, newest last. */
  #recent: CoverRecord[] = [];
  /** Monotonic ms: when an order of the pair was last sent, and when a status was last requested. */
  readonly #sentAtMs = new Map<string, number>();
  readonly #askedAtMs = new Map<string, number>();
  /** By pair and provider. */
  readonly #backOff = new Map<string, { untilMs: number; waitMs: number }>();
  /** Monotonic ms: when an order of the pair was last seen to have ended. Positions that were read before may not have it. */
  readonly #endedAtMs = new Map<string, number>();
  /** Monotonic ms since when the pair has been outside its band. */
  readonly #outsideSinceMs = new Map<string, number>();

  constructor(
    services: Services,
    { mode, sessions, messageLog, now = () => performance.now() }: CoverParts,
    readonly holding: string,
    events: CoverEvents,
  ) {
    this.#services = services;
    this.#mode = mode;
    this.#now = now;
    this.#log = services.log;
    this.#events = events;
    const { store, log } = services;
    this.#books = new CoverBooks({
      cover: store.cover,
      log,
      now,
      onRefused: (one) => this.#refused(one),
      onReport: (outcome) => events.onReport(outcome),
    });
    const isOver = () => this.#isOver;
    this.#sessions = new Map(
      sessions.map((settings) => {
        const { provider } = settings;
        // A report is received once it is booked: otherwise the provider resends it, to this process or to another one.
        const inFlight = new InFlightMessages();
        const session = new CoverSession(settings, {
          sessionStore: (id) => ackAfterProcessing(store.fixSessions.store(id, HOUSE.shard), inFlight),
          begin: (number) => inFlight.begin(number),
          log,
          messageLog,
          onReport: (report) => this.#books.report(provider, report, isOver),
          onRejected: (id, text) => this.#books.rejected(provider, id, text, isOver),
          onLogon: () => this.#askedAtMs.clear(),
        });
        return [provider, session];
      }),
    );
  }

  isUp(provider: string): boolean {
    return this.#sessions.get(provider)?.isUp === true;
  }

  /** Orders that have not ended and have this status. */
  count(of: 'unknown' | 'disputed'): number {
    return this.#open.filter(({ status }) => status === of).length;
  }

  get uncoveredS(): number {
    const since = Math.min(...this.#outsideSinceMs.values());
    return since === Number.POSITIVE_INFINITY ? 0 : (this.#now() - since) / 1_000;
  }

  get figures(): readonly CoverFigures[] {
    const recent = this.#recent.slice(-SHOWN_MAX).reverse();
    const blocked = [...this.blocked].map(([pair, { reason, side, sinceMs }]): CoverFigures => {
      return { id: '', pair, side, amount: 0n, filled: 0n, provider: '', status: 'blocked', reason, atMs: sinceMs };
    });
    const orders = [...this.#open, ...recent].map((record): CoverFigures => {
      const { id, pair, side, amount, filled, provider, status, reason, atMs } = record;
      return { id, pair, side, amount, filled, provider, status, reason, atMs };
    });
    return [...blocked, ...orders];
  }

  /** Returns at once; the turn of before may still be under way, and then this round has none. */
  take(round: RiskRound, rules: readonly CoverRule[]): void {
    if (this.#isOver) return;
    this.#turn ??= this.#run(round, rules)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a round of cover failed'))
      .finally(() => {
        this.#turn = undefined;
      });
  }

  async end(): Promise<void> {
    // A report that is being booked is finished; one that waits for the store is resent to the next holder.
    const sessions = [...this.#sessions.values()];
    await Promise.all(sessions.map((session) => session.stop()));
    this.#isOver = true;
    await this.#turn;
    await this.#books.settled();
  }

  async #run(round: RiskRound, rules: readonly CoverRule[]): Promise<void> {
    const { cover } = this.#services.store;
    if (!this.#hasClaimed) {
      if (!(await cover.claim(this.holding))) {
        for (const rule of rules) await this.#watch(rule, round, 'store');
        return;
      }
      this.#hasClaimed = true;
      for (const session of this.#sessions.values()) session.start();
    }
    await this.#watchOpen(await cover.open(), round, rules);
    for (const rule of rules) await this.#watch(rule, round);
    for (const pair of this.#outsideSinceMs.keys())
      if (!rules.some((rule) => rule.pair === pair)) {
        this.blocked.delete(pair);
        this.#outsideSinceMs.delete(pair);
      }
  }

  /** Orders that have not ended: sent, asked for, or withdrawn. */
  async #watchOpen(open: readonly CoverRecord[], round: RiskRound, rules: readonly CoverRule[]): Promise<void> {
    const { cover } = this.#services.store;
    const ids = new Set(open.map(({ id }) => id));
    for (const { id, status } of this.#open) {
      if (ids.has(id)) continue;
      this.#seen.delete(id);
      const ended = await cover.read(id);
      if (ended === undefined) continue;
      this.#endedAtMs.set(ended.pair, performance.now());
      this.#recent = [...this.#recent, ended].slice(-SHOWN_MAX);
      // A disputed one had ended before.
      if (status !== 'disputed') this.#events.onEnded(ended.status);
    }
    this.#open = open;
    for (const record of open) {
      const { status } = record;
      const forMs = this.#seenForMs(record);
      const wasNotSent = status === 'planned' || status === 'suggested';
      if (wasNotSent && this.#mode === 'off') await cover.move(record, 'withdrawn', 'COVER is off');
      else if (status === 'planned') {
        if (forMs > PLANNED_MS) await cover.move(record, 'withdrawn', 'not sent in time');
        else await this.#send(record, rules);
      } else if (status === 'suggested') {
        const rule = rules.find(({ pair }) => pair === record.pair);
        const wanted = rule && coverAmount(rule, netOf(round, rule.pair));
        const isWanted = wanted !== undefined && wanted !== 'below-minimum' && wanted.side === record.side;
        if (!isWanted) await cover.move(record, 'withdrawn', 'within the band');
        else if (forMs > SUGGESTED_MS) await cover.move(record, 'withdrawn', 'its price is old');
      } else if (status !== 'disputed') {
        if (status === 'sent' && (forMs > REPORT_MS || !this.isUp(record.provider)))
          await cover.move(record, 'unknown', `no report of ${record.provider}`);
        if (status === 'unknown') this.#askFor(record);
      }
    }
    if (this.#mode === 'off') this.#warnOfOpen();
  }

  #warnOfOpen(): void {
    const orders = this.#open.filter(({ status }) => status !== 'planned' && status !== 'suggested');
    if (orders.length === 0 || this.#hasWarned) return;
    this.#hasWarned = true;
    const ids = orders.slice(0, SHOWN_MAX).map(({ id }) => id);
    this.#log.warn(
      { orders: ids },
      'COVER is off, and what became of cover orders is not known or disputed: ask their providers, then `ratewire cover resolve`',
    );
  }

  /** How long the order has had its status. */
  #seenForMs({ id, status }: CoverRecord): number {
    const now = this.#now();
    const seen = this.#seen.get(id);
    if (seen?.status === status) return now - seen.atMs;
    this.#seen.set(id, { status, atMs: now });
    return 0;
  }

  #askFor(record: CoverRecord): void {
    const session = this.#sessions.get(record.provider);
    const now = this.#now();
    if (!session?.isUp || now - (this.#askedAtMs.get(record.id) ?? Number.NEGATIVE_INFINITY) < STATUS_MS) return;
    this.#askedAtMs.set(record.id, now);
    session.requestStatus(record);
  }

  async #watch(rule: CoverRule, round: RiskRound, blocked?: CoverBlock): Promise<void> {
    const pair = pairBySymbol(rule.pair);
    if (pair === undefined) return;
    const net = netOf(round, rule.pair);
    const wanted = coverAmount(rule, net);
    if (wanted === undefined) {
      this.blocked.delete(rule.pair);
      this.#outsideSinceMs.delete(rule.pair);
      return;
    }
    if (!this.#outsideSinceMs.has(rule.pair)) this.#outsideSinceMs.set(rule.pair, this.#now());
    const side = net > 0n ? 'sell' : 'buy';
    const open = this.#open.filter((record) => record.pair === rule.pair);
    const reason = blocked ?? (open.length > 0 ? blockOf(open) : await this.#cover(rule, pair, net, wanted, round));
    const before = this.blocked.get(rule.pair);
    if (reason === undefined) this.blocked.delete(rule.pair);
    else if (before?.reason !== reason || before.side !== side)
      this.blocked.set(rule.pair, { reason, side, sinceMs: round.clockMs });
  }

  /** Plans an order, and sends it; or says why not. */
  async #cover(
    rule: CoverRule,
    pair: Pair,
    net: bigint,
    wanted: Exclude<ReturnType<typeof coverAmount>, undefined>,
    round: RiskRound,
  ): Promise<CoverBlock | undefined> {
    const now = this.#now();
    const roundAgeMs = (this.#services.store.riskFigures.nowMs() ?? Number.POSITIVE_INFINITY) - round.atMs;
    if (roundAgeMs > FIGURES_MS) return 'stale-figures';
    if (round.beganMs <= (this.#endedAtMs.get(rule.pair) ?? Number.NEGATIVE_INFINITY)) return undefined;
    if (now - (this.#sentAtMs.get(rule.pair) ?? Number.NEGATIVE_INFINITY) < rule.everyMs) return undefined;
    if (wanted === 'below-minimum') return 'below-minimum';
    const price = this.#priceOf(rule, pair, wanted.side);
    if (typeof price === 'string') return price;
    const provider = this.#providerOf(rule, now);
    if (provider === 'no-provider' || provider === 'rejected') return provider;
    const { store } = this.#services;
    const nowMs = store.clock.estimate() ?? this.#services.now();
    const spot = spotDate(pair, nowMs);
    if (isRefusal(spot)) return 'closed';
    const order: CoverOrder = {
      id: newId('CVR', nowMs),
      pair: rule.pair,
      ...wanted,
      order: rule.order,
      timeInForce: rule.timeInForce,
      worst: price.worst,
      provider: provider.name,
      valueDate: spot.date,
      net,
      netAtMs: round.clockMs,
      createdAtMs: nowMs,
    };
    const planned = await store.cover.plan(order, this.#mode === 'auto' ? 'planned' : 'suggested', this.holding);
    if (planned === 'fenced') return 'store';
    const record = planned === 'open' ? undefined : await store.cover.read(order.id);
    // It may have ended before the next round reads what is open.
    if (record) this.#open = [...this.#open, record];
    if (this.#mode === 'suggest') return undefined;
    if (record) await this.#send(record, [rule]);
    return undefined;
  }

  /** The worst price of an order now, or of one that was planned; or why none can be sent. */
  #priceOf(rule: CoverRule, pair: Pair, side: CoverSide, planned?: string): { readonly worst: string } | CoverBlock {
    const { book, settings, store, now } = this.#services;
    if (!settings.marketHours.isOpen(store.clock.estimate() ?? now()) || book.isHalted(pair.index)) return 'closed';
    const price = book.read(pair.index);
    if (price === undefined || price.ageMs > rule.quoteAgeMs) return 'stale-quote';
    const mid = decimalFromScaled(price.bid + price.offer, pair.priceDigits).div(2);
    const worst = planned ?? worstPrice(pair, rule, side, mid).toFixed();
    return isWithinWorst(pair, side, worst, price.bid, price.offer) ? { worst } : 'worst-price';
  }

  /** The first that is logged on and has not rejected lately. */
  #providerOf({ pair, providers }: CoverRule, now: number): { readonly name: string } | 'no-provider' | 'rejected' {
    const up = providers.filter((provider) => this.isUp(provider));
    if (up.length === 0) return 'no-provider';
    const name = up.find((provider) => (this.#backOff.get(`${pair} ${provider}`)?.untilMs ?? 0) <= now);
    return name === undefined ? 'rejected' : { name };
  }

  /** A planned order: `sent` is stored first, by the holder of the lease alone, and then the bytes leave. */
  async #send(record: CoverRecord, rules: readonly CoverRule[]): Promise<void> {
    const { store, now } = this.#services;
    const session = this.#sessions.get(record.provider);
    const pair = pairBySymbol(record.pair)!;
    const rule = rules.find((one) => one.pair === record.pair);
    if (
      !session?.isUp ||
      rule === undefined ||
      typeof this.#priceOf(rule, pair, record.side, record.worst) === 'string'
    )
      return;
    const began = this.#now();
    const moved = await store.cover.move(record, 'sent', '', this.holding);
    if (moved.kind !== 'moved') return;
    this.#sentAtMs.set(record.pair, this.#now());
    if (this.#isOver) return;
    // After a halt of this process another engine may have given the order up already.
    const isLate = this.#now() - began > FIGURES_MS;
    if (!isLate && session.sendOrder(record, store.clock.estimate() ?? now())) return;
    // Nothing of it has left.
    const reason = isLate ? 'the store took too long' : `${record.provider} is not logged on`;
    await store.cover.move(record, 'ended', `not sent: ${reason}`);
  }

  #refused({ pair, provider }: CoverRecord): void {
    const name = `${pair} ${provider}`;
    const before = this.#backOff.get(name);
    const now = this.#now();
    const isSoon = before !== undefined && now < before.untilMs + before.waitMs;
    const waitMs = isSoon ? Math.min(BACK_OFF_MAX_MS, before.waitMs * 2) : BACK_OFF_MS;
    this.#backOff.set(name, { untilMs: now + waitMs, waitMs });
  }
}

/** A disputed order is open beside another one of its pair. */
function blockOf(open: readonly CoverRecord[]): CoverBlock | undefined {
  return (['disputed', 'unknown', 'suggested'] as const).find((reason) => open.some(({ status }) => status === reason));
}

function netOf({ positions }: RiskRound, symbol: string): bigint {
  const pair = pairBySymbol(symbol);
  const sums: DealSums = (pair && positions.get(pair)) ?? NO_DEALS;
  return netBase(sums);
}
