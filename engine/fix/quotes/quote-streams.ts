import { publishedType, type Session, SharedBody } from 'node-quickfix-ts';
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS } from '../../domain/money/pair.js';
import { pricedAt } from '../../service/core/day-record.js';
import { newId } from '../../service/core/ids.js';
import type { Services, StreamedQuote } from '../../service/core/services.js';
import {
  agreedQuote,
  dealingTime,
  dealtAt,
  pricedRate,
  refuseIfNotTradable,
  settlementOf,
} from '../../service/prices/index.js';
import { countUp, type FixCounters } from '../context.js';
import { quantityText } from '../fields.js';
import {
  dropUndealable,
  endQuotes,
  isDealable,
  isSame,
  type OpenStream,
  type Priced,
  type QuoteStream,
  type QuoteStreamRequest,
  quoteIdOf,
  replace,
  type SessionStreams,
} from './open-stream.js';
import { quoteFields } from './quote.js';
import { type QuoteTerms, type RateRequest, toQuoteReject } from './quote-terms.js';

export interface QuoteStreamsDeps {
  readonly services: Services;
  readonly counters: FixCounters;
  /** Has the changes of this turn of the event loop written at its end: calls publish. */
  schedule(): void;
  /** The stream has ended: its time is over, or the client has lost the pair. */
  onEnded(stream: QuoteStream, why: 'expired' | Refusal): void;
  /** Milliseconds, monotonic, the clock of the rate book's stamps. */
  clock?(): number;
}

const S = publishedType('S');
/** QuoteCancelType(298) of a stream's quotes. */
const CANCEL_FOR_SYMBOL = 1;

/**
 * Streams of quotes: a new Quote(S) for the amount of a request whenever its price changes, at most one for each stream and turn of the event
 * loop, and once a congested session has drained only the newest. They are published as prices are: not stored, and gap-filled in a resend.
 * A quote can be dealt while its price is that of the market and for half a second after, but none from before a withdrawal or a change
 * of the margin, and none of a stream that has ended. Streams end with their session.
 *
 * On the tick path a change only marks the streams of its pair. Quotes are computed behind the prices of the turn, each for an amount and a
 * client, so they allocate: what a turn costs is bounded by the streams of the engine.
 */
export class QuoteStreams {
  private readonly bySession = new Map<Session, SessionStreams>();
  private readonly byName = new Map<string, OpenStream>();
  private readonly byPair: OpenStream[][] = PAIRS.map(() => []);
  private isDirty = false;
  private wasOpen = true;
  /** Ends following the book, which is followed while there are streams. */
  private unfollow: (() => void) | undefined;
  private readonly clock: () => number;

  constructor(private readonly deps: QuoteStreamsDeps) {
    this.clock = deps.clock ?? (() => performance.now());
  }

  /** The first quote goes out at the end of this turn of the event loop. */
  open(request: QuoteStreamRequest): QuoteStream {
    const { services } = this.deps;
    const { desk, id, route, terms } = request;
    const { session } = desk;
    const ofSession = this.bySession.get(session) ?? { session, streams: [], isDirty: false, conflated: 0 };
    const stream: OpenStream = {
      ...request,
      name: newId('STR', dealingTime(services)),
      ofSession,
      prefix: filled(new SharedBody(), [...route, [Tag.QuoteReqID, id]]),
      body: new SharedBody(512),
      margins: this.marginsOf(request),
      valueDate: this.dateOf(terms),
      number: 0,
      current: undefined,
      recent: [],
      changedAtMs: undefined,
      pending: undefined,
      isWithdrawn: true,
    };
    this.bySession.set(session, ofSession);
    this.byName.set(stream.name, stream);
    ofSession.streams.push(stream);
    this.byPair[terms.pair.index]!.push(stream);
    this.unfollow ??= this.follow();
    services.book.watch(terms.pair.index);
    this.mark(stream, this.clock());
    return stream;
  }

  of(session: Session, id: string): QuoteStream | undefined {
    return this.all(session).find((stream) => stream.id === id);
  }

  /** Open streams of all sessions. */
  get count(): number {
    return this.byName.size;
  }

  all(session: Session): readonly QuoteStream[] {
    return this.bySession.get(session)?.streams ?? [];
  }

  conflatedOf(session: Session): number {
    return this.bySession.get(session)?.conflated ?? 0;
  }

  /** None of its quotes can be dealt any more. */
  end({ name }: QuoteStream): void {
    const stream = this.byName.get(name);
    if (stream === undefined) return;
    const { ofSession, terms } = stream;
    const { index } = terms.pair;
    this.byName.delete(name);
    ofSession.streams.splice(ofSession.streams.indexOf(stream), 1);
    this.byPair[index]!.splice(this.byPair[index]!.indexOf(stream), 1);
    this.deps.services.book.unwatch(index);
    if (this.byName.size > 0) return;
    this.unfollow?.();
    this.unfollow = undefined;
  }

  /** The session has ended. */
  endAll(session: Session): void {
    for (const stream of [...this.all(session)]) this.end(stream);
    this.bySession.delete(session);
  }

  /** The backlog of a session has drained. */
  drained(session: Session): void {
    if (this.bySession.get(session)?.isDirty) this.schedule();
  }

  /** A resend has gap-filled quotes and withdrawals: each stream sends its newest again. */
  resent(session: Session): void {
    for (const stream of this.bySession.get(session)?.streams ?? []) {
      replace(stream, this.clock());
      stream.isWithdrawn = stream.number === 0;
      this.mark(stream, this.clock());
    }
  }

  /** No quote at margins that the client had before can be dealt. */
  marginsChanged(): void {
    for (const stream of this.byName.values()) {
      const margins = this.marginsOf(stream);
      if (margins === stream.margins) continue;
      stream.margins = margins;
      endQuotes(stream);
      this.mark(stream, this.clock());
    }
  }

  /** Streams of halted clients withdraw their quotes, those of resumed ones quote again. */
  statesChanged(): void {
    for (const stream of this.byName.values()) this.mark(stream, this.clock());
  }

  /** Called four times a second: ends what is due, and withdraws or quotes again when the market closes or opens. */
  onTimer(): void {
    const { services, onEnded } = this.deps;
    const nowMs = dealingTime(services);
    const isOpen = services.settings.marketHours.isOpen(nowMs);
    for (const stream of [...this.byName.values()]) {
      if (isOpen !== this.wasOpen) this.mark(stream, this.clock());
      if (nowMs <= stream.validUntilMs) continue;
      this.end(stream);
      onEnded(stream, 'expired');
    }
    this.wasOpen = isOpen;
  }

  /** Called once a second: a quote for another date is a new quote. Quotes that can no longer be dealt are dropped. */
  rollDates(): void {
    const nowMs = this.clock();
    const dates = new Map<string, string | Refusal>();
    for (const stream of this.byName.values()) {
      dropUndealable(stream, nowMs);
      const { pair, bid, offer } = stream.terms;
      const { type, settlementDate } = (bid ?? offer)!;
      const key = `${pair.symbol} ${type} ${settlementDate}`;
      const date = dates.get(key) ?? this.dateOf(stream.terms);
      dates.set(key, date);
      if (date === stream.valueDate || (isRefusal(date) && isRefusal(stream.valueDate))) continue;
      stream.valueDate = date;
      this.mark(stream, nowMs);
    }
  }

  /** The quote of a QuoteID(117) that the client may deal now; undefined: stale, withdrawn, or never sent to the client. */
  find(quoteId: string, clientId: string): StreamedQuote | undefined {
    const [, name = '', digits = ''] = QUOTE_ID.exec(quoteId) ?? [];
    const stream = this.byName.get(name);
    const { services } = this.deps;
    if (stream?.clientId !== clientId || dealingTime(services) > stream.validUntilMs) return undefined;
    const { pair, currency } = stream.terms;
    // A price, or a level that its amount takes, may have become stale with no tick to say so.
    this.mark(stream, this.clock());
    this.price(stream);
    const number = Number.parseInt(digits, 36);
    const quote =
      stream.current?.number === number ? stream.current : stream.recent.find((one) => one.number === number);
    if (quote === undefined || !isDealable(quote, this.clock())) return undefined;
    const { bid, offer, at } = quote;
    const { type, valueDate } = (bid ?? offer)!;
    return { pair, type, valueDate, amount: { currency, minor: stream.minor }, bid, offer, at };
  }

  /** Sends each session what has changed, in one write. */
  publish(): void {
    if (!this.isDirty) return;
    this.isDirty = false;
    for (const ofSession of [...this.bySession.values()])
      if (ofSession.isDirty && this.publishTo(ofSession)) ofSession.session.flush();
  }

  /** A quote takes the levels that its amount needs: a change of any may change it, and one of what the rules of pricing add to its margin. */
  private follow(): () => void {
    const { book, pricing } = this.deps.services;
    const changed = (pair: number): void => {
      const streams = this.byPair[pair]!;
      for (let i = 0; i < streams.length; i++) this.mark(streams[i]!, this.clock());
    };
    const ends = [book.onChange(changed), book.onDepthChange(changed), pricing.shifts.onChange(changed)];
    return () => {
      for (const end of ends) end();
    };
  }

  private mark(stream: OpenStream, atMs: number): void {
    stream.changedAtMs ??= atMs;
    stream.ofSession.isDirty = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.isDirty) return;
    this.isDirty = true;
    this.deps.schedule();
  }

  private publishTo(ofSession: SessionStreams): boolean {
    const { session, streams } = ofSession;
    // SendingTime(52) is fixed first: a stall in between must not make a stale price look fresh.
    session.sendingTimeMs();
    this.deps.services.book.sweepIfLate();
    ofSession.isDirty = false;
    let wrote = false;
    for (const stream of [...streams]) {
      const before = stream.pending;
      if (stream.changedAtMs !== undefined) this.price(stream);
      const { pending } = stream;
      if (pending === undefined) continue;
      if (session.congested) {
        if (before !== undefined && before !== pending) ofSession.conflated++;
        ofSession.isDirty = true;
        continue;
      }
      stream.pending = undefined;
      if (isRefusal(pending)) this.withdraw(stream, pending);
      else this.send(stream, pending);
      wrote = true;
    }
    return wrote;
  }

  private send(stream: OpenStream, priced: Priced): void {
    const { services, counters } = this.deps;
    const { terms, minor, validUntilMs, prefix, body, ofSession } = stream;
    const { pair, currency } = terms;
    stream.number++;
    stream.isWithdrawn = false;
    const { bid, offer, amounts } = priced;
    stream.current = { ...priced, number: stream.number, endedAtMs: undefined };
    const fields = quoteFields({
      quoteId: quoteIdOf(stream),
      isFirm: true,
      pair,
      quantity: quantityText(minor, currency),
      currency,
      bid,
      offer,
      amounts,
      validUntilMs,
      atMs: dealingTime(services),
    });
    body.clear();
    filled(body, fields);
    ofSession.session.publish(S, prefix, body);
    countUp(counters.sent, 'S');
  }

  private withdraw(stream: OpenStream, refusal: Refusal): void {
    stream.isWithdrawn = true;
    if (refusal.refusal === 'NOT_ENTITLED') {
      this.end(stream);
      this.deps.onEnded(stream, refusal);
      return;
    }
    stream.ofSession.session.send('Z', [
      ...stream.route,
      [Tag.QuoteReqID, stream.id],
      [Tag.QuoteID, quoteIdOf(stream)],
      [Tag.QuoteCancelType, CANCEL_FOR_SYMBOL],
      [Tag.ErrorCode, refusal.refusal],
    ]);
  }

  /** Computes the quote of this moment. Where it is another one than the current, that one is replaced, and the new one is pending. */
  private price(stream: OpenStream): void {
    const atMs = stream.changedAtMs ?? this.clock();
    stream.changedAtMs = undefined;
    const priced = this.pricedNow(stream);
    const { current } = stream;
    if (isRefusal(priced)) {
      endQuotes(stream);
      stream.pending = stream.isWithdrawn && priced.refusal !== 'NOT_ENTITLED' ? undefined : priced;
      return;
    }
    stream.pending = undefined;
    if (current && isSame(current, priced)) {
      current.freshUntilMs = priced.freshUntilMs;
      return;
    }
    replace(stream, atMs);
    stream.pending = priced;
  }

  private pricedNow(stream: OpenStream): Priced | Refusal {
    const { services } = this.deps;
    const { terms, valueDate } = stream;
    if (isRefusal(valueDate)) return toQuoteReject(valueDate);
    const closed = refuseIfNotTradable(services, stream.clientId, terms.pair);
    if (closed) return closed;
    const [bid, offer] = services.pricing.shifts.once(terms.pair.index, () => [
      terms.bid && this.sideNow(stream, terms.bid, valueDate),
      terms.offer && this.sideNow(stream, terms.offer, valueDate),
    ]);
    const at = pricedAt(services, terms.pair.base, terms.pair.quote);
    if (isRefusal(bid)) return bid;
    if (isRefusal(offer)) return offer;
    return {
      bid: bid?.rate,
      offer: offer?.rate,
      amounts: bid && offer ? undefined : (bid ?? offer)?.conversion,
      freshUntilMs: this.clock() + services.book.maxAgeMs - Math.max(bid?.ageMs ?? 0, offer?.ageMs ?? 0),
      at,
    };
  }

  private sideNow({ clientId, terms, minor }: OpenStream, side: RateRequest, valueDate: string) {
    const { sellCurrency, buyCurrency, sellAmount, type } = side;
    const { pair } = terms;
    const amount = { side: sellAmount === undefined ? 'buy' : 'sell', minor } as const;
    const { services } = this.deps;
    const wanted = { clientId, pair, sellCurrency, buyCurrency, type, amount };
    const priced = pricedRate(services, wanted);
    if (isRefusal(priced)) return priced;
    const { rate, ageMs } = priced;
    // What two sides buy and sell is not quoted, and an amount of base is within the limits of the pair at every price.
    const conversion =
      terms.bid && terms.offer && terms.currency === pair.base ? undefined : dealtAt(pair, rate, amount);
    if (isRefusal(conversion)) return conversion;
    return { rate: agreedQuote(services, wanted, priced, valueDate), conversion, ageMs };
  }

  private marginsOf({ clientId, terms: { pair, bid, offer } }: QuoteStreamRequest): string {
    return JSON.stringify(this.deps.services.pricing.marginBands(clientId, pair, (bid ?? offer)!.type) ?? []);
  }

  private dateOf({ pair, bid, offer }: QuoteTerms): string | Refusal {
    const { type, settlementDate: requested } = (bid ?? offer)!;
    const settles = settlementOf(pair, type, { requested, now: dealingTime(this.deps.services) });
    return isRefusal(settles) ? settles : settles.valueDate;
  }
}

const QUOTE_ID = /^(STR[0-9A-Z]{10,40})\.([1-9a-z][0-9a-z]{0,9})$/;

function filled(body: SharedBody, fields: ReadonlyArray<readonly [number, string | number]>): SharedBody {
  for (const [tag, value] of fields) body.field(tag, String(value));
  return body;
}
