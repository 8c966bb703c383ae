import { type MessageView, reverseRoute } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Pair } from '../../domain/money/pair.js';
import { type BookFxType, checkValueDate } from '../../domain/money/value-date.js';
import type { Route } from '../desk.js';
import {
  incorrectGroupCount,
  incorrectValue,
  isForeignExchange,
  pairOfInstrument,
  type Reject,
  requiredTagMissing,
} from '../fields.js';
import { LIMITS } from '../settings.js';

/** A MarketDataRequest(V), copied out of its message, whose bytes are reused before the token has been read. */
export interface MarketDataRequest {
  readonly mdReqId: string;
  readonly subscriptionType: string | undefined;
  readonly depth: number | undefined;
  readonly updateType: string | undefined;
  readonly aggregatedBook: string | undefined;
  readonly entryTypes: readonly string[];
  readonly symbols: readonly string[];
  /** Product(460) and SecurityType(167), where they were sent, are those of foreign exchange. */
  readonly isForeignExchange: boolean;
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly valueDate: string | undefined;
  readonly possDup: boolean;
  readonly route: Route;
}

export function readMarketDataRequest(message: MessageView): MarketDataRequest {
  const instruments = message.groups(Tag.NoRelatedSym);
  return {
    mdReqId: message.string(Tag.MDReqID) ?? '',
    subscriptionType: message.string(Tag.SubscriptionRequestType),
    depth: message.int(Tag.MarketDepth),
    updateType: message.string(Tag.MDUpdateType),
    aggregatedBook: message.string(Tag.AggregatedBook),
    entryTypes: message.groups(Tag.NoMDEntryTypes).map((entry) => entry.string(Tag.MDEntryType) ?? ''),
    symbols: [...new Set(instruments.map((entry) => entry.string(Tag.Symbol) ?? ''))],
    isForeignExchange: instruments.every(isForeignExchange),
    token: message.string(Tag.AuthToken),
    type: message.string(Tag.BookFxType),
    valueDate: message.string(Tag.ValueDate),
    possDup: message.flag(Tag.PossDupFlag),
    route: reverseRoute(message),
  };
}

/** Required besides 262 and 263, but not to end a stream: MarketDepth(264), NoMDEntryTypes(267), NoRelatedSym(146). */
const REQUIRED_TO_BEGIN = [Tag.MarketDepth, Tag.NoMDEntryTypes, Tag.NoRelatedSym];
/** At least one entry. */
const COUNTED = [Tag.NoMDEntryTypes, Tag.NoRelatedSym];
const MD_REQ_ID = /^[\x20-\x7e]{1,32}$/;

/** The dictionary cannot require more than MDReqID(262) and SubscriptionRequestType(263): a request that ends a stream has no more. */
export function parseMarketDataRequest(message: MessageView): MarketDataRequest | Reject {
  const request = readMarketDataRequest(message);
  if (!MD_REQ_ID.test(request.mdReqId)) {
    return incorrectValue(Tag.MDReqID, 'Value is incorrect (out of range) for this tag');
  }
  const isEnd = request.subscriptionType === '2';
  const missing = isEnd ? undefined : REQUIRED_TO_BEGIN.find((required) => !message.has(required));
  if (missing !== undefined) return requiredTagMissing(missing);
  const empty = isEnd ? undefined : COUNTED.find((count) => message.int(count) === 0);
  return empty === undefined ? request : incorrectGroupCount(empty);
}

/** Validates the kind of stream: 263, 264, 265, 266, 269 in this order. */
export function badForm(request: MarketDataRequest): Refusal | undefined {
  const { subscriptionType, depth, updateType, aggregatedBook, entryTypes, valueDate } = request;
  if (subscriptionType !== '0' && subscriptionType !== '1') return refuse('UNSUPPORTED_SUBSCRIPTION_TYPE');
  if (depth !== 0 && depth !== 1) return refuse('UNSUPPORTED_MARKET_DEPTH');
  const updates = subscriptionType === '1' || updateType !== undefined;
  if (updates && updateType !== '0' && updateType !== '1') return refuse('UNSUPPORTED_UPDATE_TYPE');
  if (updateType === '1' && valueDate !== undefined) return refuse('UNSUPPORTED_UPDATE_TYPE');
  if (aggregatedBook !== undefined && aggregatedBook !== 'Y') return refuse('UNSUPPORTED_AGGREGATED_BOOK');
  const known = entryTypes.length > 0 && entryTypes.every((type) => type === '0' || type === '1');
  return known ? undefined : refuse('UNSUPPORTED_ENTRY_TYPE');
}

/** The requested pairs, all or none: the refusal names the first bad symbol. */
export function pairsOf({ symbols, isForeignExchange: isFx }: MarketDataRequest): readonly Pair[] | Refusal {
  if (symbols.length > LIMITS.symbolsPerRequest) {
    return refuse('SUBSCRIPTION_LIMIT', `Above ${LIMITS.symbolsPerRequest} pairs in one request: split it`);
  }
  const pairs: Pair[] = [];
  for (const symbol of symbols) {
    const found = pairOfInstrument(symbol, isFx);
    if (isRefusal(found)) return found;
    pairs.push(found);
  }
  return pairs;
}

export function notOffered(
  isOffered: (pair: Pair) => boolean,
  pairs: readonly Pair[],
  type: BookFxType,
): Refusal | undefined {
  const pair = pairs.find((one) => !isOffered(one));
  return pair && refuse('NOT_ENTITLED', `Not entitled: ${pair.symbol} ${type} is not offered to you`);
}

/** ValueDate(20012) is a good day of every pair, up to spot. */
export function badValueDate(pairs: readonly Pair[], date: string | undefined, nowMs: number): Refusal | undefined {
  if (date === undefined) return undefined;
  for (const pair of pairs) {
    const refusal = checkValueDate(pair, date, nowMs);
    if (refusal) return refuse('BAD_VALUE_DATE', `${pair.symbol}: ${refusal.text}`);
  }
  return undefined;
}
