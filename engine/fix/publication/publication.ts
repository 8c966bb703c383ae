import { publishedType, type Session } from 'node-quickfix-ts';
import { PAIRS, type Pair } from '../../domain/money/pair.js';
import { LogBuckets } from '../../domain/system/log-buckets.js';
import { type DeskStreams, Desks, mdReqIdPrefix, type StreamRequest, type Subscription } from './desk-streams.js';
import { LadderStreams } from './ladder-streams.js';
import { PriceBatch } from './price-batch.js';
import type { PriceTier, TierTerms } from './price-shape.js';
import type { PublicationDeps } from './publication-deps.js';
import { type StreamedPrice, StreamedPrices } from './streamed-prices.js';
import { hasTwoTiers, type Margins, marginsFrom, PriceTiers, termsOf, tierKey } from './tiers.js';
import { endOf } from './version-ring.js';

const W = publishedType('W');
const X = publishedType('X');

/**
 * Publishes each changed price of the rate book to every desk that streams it. Once per turn of the event loop each price is encoded
 * once, with the two prices of each tier written over it, and each desk gets the whole batch in one write. The first desk rotates. A
 * congested desk is skipped and marked dirty; when it has drained it gets the newest price of each pair that it missed.
 */
export class Publication {
  /** From the tick read to the socket write returned, first and last desk of the fan-out. */
  readonly firstWire = new LogBuckets();
  readonly lastWire = new LogBuckets();
  /** Prices published by MsgType(35), and those that a newer one replaced before they were sent. */
  readonly published = { W: 0, X: 0 };
  conflated = 0;

  private readonly desks = new Desks();
  private readonly tiers: PriceTiers;
  private readonly batch = new PriceBatch(PAIRS.length);
  private readonly versions = new Float64Array(PAIRS.length);
  private readonly streamed: StreamedPrices;
  private readonly ladders: LadderStreams;
  /** 1: the newest price of a followed pair is a withdrawal. */
  private readonly withdrawn = new Uint8Array(PAIRS.length);
  private readonly watchers = new Int32Array(PAIRS.length);
  private rotation = 0;
  private scheduled = false;
  private readonly endOfTurn = (): void => {
    this.flush();
    this.deps.behind?.publish();
  };
  private readonly clock: () => number;

  constructor(private readonly deps: PublicationDeps) {
    this.clock = deps.clock ?? (() => performance.now());
    this.tiers = new PriceTiers(({ pair }) => deps.spotDate(pair));
    this.ladders = new LadderStreams(deps.book, deps.shifts, this.clock, this.desks, {
      changed: () => this.schedule(),
      conflated: () => this.conflated++,
    });
    this.streamed = new StreamedPrices({
      book: deps.book,
      shifts: deps.shifts,
      versions: this.versions,
      ladders: this.ladders,
      tierOf: (name, clientId) => {
        const tier = this.tiers.named(name);
        return tier !== undefined && this.desks.stream(clientId, tier) ? tier : undefined;
      },
    });
    deps.book.onChange((pair) => this.priceChanged(pair));
    deps.book.onDepthChange((pair) => this.ladders.mark(pair));
    deps.shifts.onChange((pair) => this.repriced(pair));
  }

  /** Starts the streams of an accepted request; the first W of each pair goes out at the end of this turn of the event loop. */
  subscribe(session: Session, request: StreamRequest): void {
    const desk = this.desks.open(session, request.clientId);
    desk.setHalted(this.deps.isHalted(request.clientId));
    this.streamed.dropUnbookable(this.clock());
    const prefix = mdReqIdPrefix(request.mdReqId);
    for (const pair of request.pairs) {
      const margins = this.marginsOf(request, pair) ?? marginsFrom([{ above: 0, marginPpm: 0 }]);
      this.watch(pair.index);
      if (request.isLadder) this.ladders.open(pair.index);
      const snapshotTier = this.hold(termsOf(request, pair, margins, 'W'));
      const hasTwo = hasTwoTiers(request);
      const tier = hasTwo ? this.hold(termsOf(request, pair, margins, 'X')) : snapshotTier;
      desk.add({
        request,
        pair: pair.index,
        prefix,
        tier,
        snapshotTier,
        sent: request.isLadder ? Number.POSITIVE_INFINITY : -1,
        dirty: true,
        out: { bids: -1, offers: -1 },
        next: undefined,
      });
    }
    this.schedule();
  }

  /** Ends the streams of one request; false when there is none of that id. */
  unsubscribe(session: Session, mdReqId: string): boolean {
    const desk = this.desks.of(session);
    return desk !== undefined && this.release(desk.remove(mdReqId)) > 0;
  }

  has(session: Session, mdReqId: string): boolean {
    return this.desks.of(session)?.subscriptions.some((s) => s.request.mdReqId === mdReqId) ?? false;
  }

  /** Open subscriptions of a desk: pairs times requests. */
  count(session: Session): number {
    return this.desks.of(session)?.subscriptions.length ?? 0;
  }

  /** Prices replaced since its logon before a desk could take them. */
  conflatedOf(session: Session): number {
    return this.desks.of(session)?.conflated ?? 0;
  }

  /** Whether a desk streams the pair: it is notified when the pair loses or regains its price. */
  streams(session: Session, pair: number): boolean {
    return this.desks.of(session)?.first(pair) !== undefined;
  }

  /** The session has ended. */
  end(session: Session): void {
    const desk = this.desks.of(session);
    if (desk === undefined) return;
    this.desks.close(desk);
    this.release(desk.remove());
  }

  /** A resend has gap-filled prices: every stream gets a fresh W. */
  resent(session: Session): void {
    this.desks.of(session)?.markAll();
    this.schedule();
  }

  /** The backlog of a session has drained. */
  drained(session: Session): void {
    const desk = this.desks.of(session);
    if (desk === undefined || desk.dirtyCount === 0) return;
    session.sendingTimeMs();
    this.deps.book.sweepIfLate();
    this.catchUp(desk);
    session.flush();
  }

  /** Margins have changed: streams move to their new tier, or end where the client has lost the pair. */
  marginsChanged(): void {
    const nowMs = this.clock();
    for (const desk of [...this.desks.all]) {
      const lost = new Set<string>();
      for (const subscription of desk.subscriptions) {
        const { request, tier, snapshotTier } = subscription;
        const margins = this.marginsOf(request, tier.terms.pair);
        if (margins === undefined) lost.add(request.mdReqId);
        else if (tierKey({ ...tier.terms, ...margins }) !== tierKey(tier.terms)) {
          const hasTwo = tier !== snapshotTier;
          subscription.snapshotTier = this.hold({ ...snapshotTier.terms, ...margins });
          subscription.tier = hasTwo ? this.hold({ ...tier.terms, ...margins }) : subscription.snapshotTier;
          this.drop(request.clientId, snapshotTier, nowMs);
          if (hasTwo) this.drop(request.clientId, tier, nowMs);
          desk.markAnew(subscription);
        }
      }
      for (const mdReqId of lost) {
        this.unsubscribe(desk.session, mdReqId);
        this.deps.onNotEntitled(desk.session, mdReqId);
      }
    }
    this.schedule();
  }

  /** Trading of clients was halted or resumed: each of their streams gets one W, without a price or with the newest. */
  statesChanged(): void {
    for (const desk of this.desks.all) desk.setHalted(this.deps.isHalted(desk.clientId));
    this.schedule();
  }

  /**
   * The price of a QuoteEntryID(299) that the client may book now: one that the client streams, that was replaced at most half a second
   * ago, and that was not withdrawn since. Undefined: the quote is stale, or was never published to the client.
   */
  streamedPrice(quoteId: string, clientId: string): StreamedPrice | undefined {
    return this.streamed.find(quoteId, clientId, this.clock());
  }

  /** Called once a second: a price for a new spot date is a new price. Prices that can no longer be booked are dropped. */
  rollSpotDates(): void {
    const nowMs = this.clock();
    this.streamed.dropUnbookable(nowMs);
    const rolled = this.tiers.rollSpotDates();
    if (rolled.size === 0) return;
    for (const pair of rolled) {
      this.versions[pair]!++;
      this.ladders.book.roll(pair, nowMs);
      this.streamed.rolled(pair, nowMs);
    }
    for (const desk of this.desks.all) for (const s of desk.subscriptions) if (rolled.has(s.pair)) desk.mark(s);
    this.schedule();
  }

  /** Fans out the batch. Runs at the end of the event-loop turn in which a price changed. */
  flush(): void {
    this.scheduled = false;
    this.ladders.refreshMarked();
    const { batch } = this;
    const desks = this.desks.all;
    const start = desks.length === 0 ? 0 : this.rotation++ % desks.length;
    let firstAt = 0;
    for (let i = 0; i < desks.length; i++) {
      const at = start + i;
      const desk = desks[at < desks.length ? at : at - desks.length]!;
      if (!this.publishTo(desk)) continue;
      desk.session.flush();
      if (firstAt === 0) firstAt = this.clock();
    }
    if (firstAt !== 0) {
      const lastAt = this.clock();
      for (let k = 0; k < batch.count; k++) {
        this.firstWire.record((firstAt - batch.stamp[k]!) * 1000);
        this.lastWire.record((lastAt - batch.stamp[k]!) * 1000);
      }
    }
    batch.clear();
  }

  private priceChanged(pair: number): void {
    const version = ++this.versions[pair]!;
    if (!this.streamed.follows(pair)) return;
    const { book } = this.deps;
    this.streamed.add(pair, endOf(book.lastFreshUntilMs[pair]!, book.stamp[pair]!));
    const wasWithdrawn = this.withdrawn[pair] === 1;
    const isWithdrawn = this.isWithdrawn(pair);
    this.withdrawn[pair] = isWithdrawn ? 1 : 0;
    if (this.watchers[pair] === 0) return;
    this.publish(pair, version, wasWithdrawn && !isWithdrawn, book.stamp[pair]!);
  }

  /** The market is the same, but the rules of pricing change the margins by another amount: each client has another price. */
  private repriced(pair: number): void {
    this.ladders.mark(pair);
    if (this.streamed.follows(pair) && !this.isWithdrawn(pair)) {
      const nowMs = this.clock();
      const version = ++this.versions[pair]!;
      this.streamed.add(pair, endOf(this.deps.book.receivedAtMs[pair]! + this.deps.book.maxAgeMs, nowMs));
      if (this.watchers[pair]! > 0) this.publish(pair, version, false, nowMs);
    }
  }

  private publish(pair: number, version: number, isNew: boolean, stampMs: number): void {
    const { book, shifts } = this.deps;
    this.batch.add(book, shifts, pair, version, isNew, this.tiers.withSourceTime > 0, stampMs);
    if (this.batch.isFull) this.flush();
    else this.schedule();
  }

  /** Has a flush run at the end of this turn of the event loop. */
  schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(this.endOfTurn);
  }

  /** After a stall the prices of the batch are old: every desk gets the current prices of the book instead. */
  private rebuildBatch(): void {
    const { batch } = this;
    this.deps.book.sweepIfLate();
    for (const desk of this.desks.all) {
      for (let k = 0; k < batch.count; k++)
        for (let s = desk.first(batch.pair[k]!); s !== undefined; s = s.next) desk.mark(s);
    }
    batch.clear();
    this.schedule();
  }

  /** True when something was encoded for the desk. */
  private publishTo(desk: DeskStreams): boolean {
    const { batch } = this;
    const { session } = desk;
    // Before the check: SendingTime(52) is fixed first, so that a stall in between cannot make a stale price look fresh.
    session.sendingTimeMs();
    const isLate = this.clock() > batch.freshUntilMs || (desk.dirtyCount > 0 && this.deps.book.sweepIfLate());
    if (isLate) this.rebuildBatch();
    let wrote = desk.dirtyCount > 0 && !session.congested && this.catchUp(desk);
    if (desk.isHalted) return wrote;
    for (let k = 0; k < batch.count; k++) {
      let subscription = desk.first(batch.pair[k]!);
      while (subscription !== undefined) {
        if (batch.version[k]! > subscription.sent) {
          // Before each: the last one may have filled the connection. Then a W is due, not this batch.
          if (session.congested) {
            if (subscription.dirty) {
              this.conflated++;
              desk.conflated++;
            }
            desk.mark(subscription);
          } else {
            subscription.sent = batch.version[k]!;
            const { incremental } = subscription.request;
            const body = subscription.tier.shape.bodyOf(subscription.tier, batch, k);
            session.publish(incremental ? X : W, subscription.prefix, body);
            if (incremental) this.published.X++;
            else this.published.W++;
            wrote = true;
          }
        }
        subscription = subscription.next;
      }
    }
    return wrote;
  }

  /** A W with the newest price of each pair that the desk has missed: complete, so that an incremental stream is correct after it. */
  private catchUp(desk: DeskStreams): boolean {
    const { session, subscriptions } = desk;
    const { book, shifts } = this.deps;
    const start = desk.nextStart();
    let wrote = false;
    let hasSnapshots = false;
    for (let i = 0; i < subscriptions.length && desk.dirtyCount > 0 && !session.congested; i++) {
      const subscription = subscriptions[(start + i) % subscriptions.length]!;
      if (!subscription.dirty) continue;
      const { request, snapshotTier, pair } = subscription;
      if (request.isLadder && !desk.isHalted) this.published[this.ladders.publish(desk, subscription)]++;
      else {
        const version = this.versions[pair]!;
        const body = snapshotTier.shape.currentBody(snapshotTier, desk.isHalted ? undefined : book, shifts, version);
        session.publish(W, subscription.prefix, body);
        if (!request.isLadder) subscription.sent = version;
        desk.clean(subscription);
        this.published.W++;
      }
      wrote = true;
      hasSnapshots ||= request.snapshotOnly;
    }
    if (hasSnapshots) this.endSnapshots(desk);
    return wrote;
  }

  /** Requests of one W for each pair that have had them. */
  private endSnapshots(desk: DeskStreams): void {
    const { subscriptions } = desk;
    const once = new Set(subscriptions.filter((s) => s.request.snapshotOnly).map((s) => s.request.mdReqId));
    for (const mdReqId of once) {
      const open = subscriptions.some((s) => s.request.mdReqId === mdReqId && s.dirty);
      if (!open) this.release(desk.remove(mdReqId));
    }
  }

  private release(gone: readonly Subscription[]): number {
    const nowMs = this.clock();
    for (const { request, tier, snapshotTier, pair } of gone) {
      this.drop(request.clientId, snapshotTier, nowMs);
      if (tier !== snapshotTier) this.drop(request.clientId, tier, nowMs);
      if (request.isLadder) this.ladders.close(pair);
      if (--this.watchers[pair]! === 0) this.streamed.abandon(pair, nowMs);
      this.deps.book.unwatch(pair);
    }
    this.streamed.dropUnbookable(nowMs);
    return gone.length;
  }

  private watch(pair: number): void {
    this.deps.book.watch(pair);
    if (this.watchers[pair]!++ > 0) return;
    // When no desk has followed the pair until now, the book may have dropped its cross without a notification.
    if (this.streamed.follow(pair, this.clock())) this.withdrawn[pair] = this.isWithdrawn(pair) ? 1 : 0;
  }

  /** Undefined: the client is not entitled to the pair. */
  private marginsOf({ clientId, type }: StreamRequest, pair: Pair): Margins | undefined {
    const bands = this.deps.marginBands(clientId, pair, type);
    return bands && marginsFrom(bands);
  }

  private hold(terms: TierTerms): PriceTier {
    const versions = terms.isLadder ? this.ladders.book.versions : this.versions;
    return this.tiers.hold(terms, versions[terms.pair.index]!);
  }

  private drop(clientId: string, tier: PriceTier, nowMs: number): void {
    this.streamed.leave(clientId, tier, nowMs);
    this.tiers.drop(tier);
  }

  private isWithdrawn(pair: number): boolean {
    const { book } = this.deps;
    return book.bid[pair] === 0 || book.offer[pair] === 0;
  }
}
