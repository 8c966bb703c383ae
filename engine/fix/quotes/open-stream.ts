import type { Session, SharedBody } from 'node-quickfix-ts';
import type { AgreedRate } from '../../domain/conversions/booking.js';
import type { Refusal } from '../../domain/core/refusal.js';
import type { Conversion } from '../../domain/money/conversion.js';
import type { PricedAt } from '../../service/core/day-record.js';
import type { Desk, Route } from '../desk.js';
import { endOf, isDealableAfter } from '../publication/version-ring.js';
import type { QuoteTerms } from './quote-terms.js';

/** The state of one stream of quotes, and how long each of its quotes can be dealt. */

/** An accepted QuoteRequest(R) with StreamQuotes(20018). */
export interface QuoteStreamRequest {
  readonly desk: Desk;
  /** QuoteReqID(131). */
  readonly id: string;
  readonly route: Route;
  readonly clientId: string;
  readonly terms: QuoteTerms;
  /** The amount of the request, minor units of its currency. */
  readonly minor: bigint;
  /** Epoch ms, by the store's clock. */
  readonly validUntilMs: number;
}

export interface QuoteStream extends QuoteStreamRequest {
  /** QuoteID(117) up to the point. */
  readonly name: string;
  /** Number of the last quote; 0: there was none. */
  readonly number: number;
}

/** A quote as it would be sent. */
export interface Priced {
  readonly bid: AgreedRate | undefined;
  readonly offer: AgreedRate | undefined;
  /** Of one side: what would be bought and sold. */
  readonly amounts: Conversion | undefined;
  /** When a level that it takes becomes too old, on the clock of the rate book. */
  readonly freshUntilMs: number;
  /** For the day record; undefined without one. */
  readonly at: PricedAt | undefined;
}

interface SentQuote extends Priced {
  readonly number: number;
  /** Later than when it was sent, where its levels have been confirmed. */
  freshUntilMs: number;
  /** When its price was no longer that of the market, on the same clock, or as `endOf` has it; undefined: it is. */
  endedAtMs: number | undefined;
}

/** The state of a stream. */
export interface OpenStream extends QuoteStream {
  readonly ofSession: SessionStreams;
  /** Routing fields and QuoteReqID(131). */
  readonly prefix: SharedBody;
  readonly body: SharedBody;
  /** The client's margins by size, as text. */
  margins: string;
  /** 'YYYYMMDD', or why there is no date now. */
  valueDate: string | Refusal;
  number: number;
  /** The last quote, while its price is that of the market. */
  current: SentQuote | undefined;
  /** Quotes replaced at most half a second ago, oldest first. */
  recent: SentQuote[];
  /** Since when the price may be another one, on the clock of the rate book. */
  changedAtMs: number | undefined;
  /** To be sent: a quote, or why the quotes are withdrawn. */
  pending: Priced | Refusal | undefined;
  /** The desk has no quote of this stream: none was sent, or the last one was withdrawn. */
  isWithdrawn: boolean;
}

export interface SessionStreams {
  readonly session: Session;
  readonly streams: OpenStream[];
  /** One of its streams has changed, or something is pending. */
  isDirty: boolean;
  /** Quotes replaced before the desk could take them. */
  conflated: number;
}

/** Quotes kept of one stream: those of half a second as long as no more than 2,000 a second come. */
const KEPT = 1_024;

/** QuoteID(117) of a stream's last quote; of one that has not quoted it ends with 0. */
export const quoteIdOf = ({ name, number }: QuoteStream): string => `${name}.${number.toString(36)}`;

/** None of its quotes can be dealt any more. */
export function endQuotes(stream: OpenStream): void {
  stream.current = undefined;
  stream.recent = [];
}

/** The current quote is the current one no more. */
export function replace(stream: OpenStream, atMs: number): void {
  const { current, recent } = stream;
  if (current === undefined) return;
  current.endedAtMs = endOf(current.freshUntilMs, atMs);
  recent.push(current);
  if (recent.length > KEPT) recent.shift();
  stream.current = undefined;
}

export function dropUndealable(stream: OpenStream, nowMs: number): void {
  if (stream.recent.length > 0) stream.recent = stream.recent.filter((quote) => isDealable(quote, nowMs));
}

export const isDealable = ({ endedAtMs }: SentQuote, nowMs: number): boolean =>
  endedAtMs === undefined || isDealableAfter(endedAtMs, nowMs);

const SIDES = ['bid', 'offer'] as const;

export const isSame = (one: Priced, other: Priced): boolean =>
  SIDES.every(
    (side) =>
      one[side]?.price === other[side]?.price &&
      one[side]?.providerPrice === other[side]?.providerPrice &&
      one[side]?.marginPpm === other[side]?.marginPpm &&
      one[side]?.valueDate === other[side]?.valueDate,
  );
