/** The conversion as it would be booked now, or the first reason against it: all checks that need no store. */

import type { BookingFacts, DealtSide, Hold } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import {
  baseMinorOf,
  type Conversion,
  checkDealtSize,
  checkSellAtMost,
  convert,
} from '../../domain/money/conversion.js';
import { Decimal, decimalFromScaled } from '../../domain/money/decimal.js';
import { isCurrency, parseAmount, parsePositive } from '../../domain/money/money.js';
import { type Pair, pairOf } from '../../domain/money/pair.js';
import { type BookFxType, PREFUNDING_MS } from '../../domain/money/value-date.js';
import { unitsOf } from '../../rates/pricing.js';
import type { Client } from '../../store/access/clients.js';
import type { BookFxStep, Stage } from '../../store/conversions/bookings.js';
import type { Services, StreamedPrice, StreamedQuote } from '../core/services.js';
import {
  heldRate,
  heldSettlement,
  isoOf,
  marketRate,
  quotedRate,
  type Rate,
  refuseIfNotTradable,
  type Settlement,
  settlementOf,
  streamedRate,
} from '../prices/index.js';
import {
  aboveDailyLoss,
  aboveDealLimit,
  limitsOf,
  refuseIfNotReducing,
  stepLimits,
  valuedDeal,
} from '../risk/index.js';
import type { BookFxCommand } from './book-fx.js';
import { checkHoldMaximum } from './hold-notional.js';

export interface DraftRequest {
  readonly client: Client;
  readonly command: BookFxCommand;
  readonly confirmationId: string;
  readonly holdId: string | undefined;
  /** Undefined also for an unknown hold: the store's step refuses it in its place in the order. */
  readonly hold: Hold | undefined;
  readonly streamed: StreamedPrice | StreamedQuote | undefined;
  readonly now: number;
}

export type Draft = Pick<BookFxStep, 'refusal' | 'facts' | 'settlesAtMs' | 'scheduledRoom' | 'groupRoom' | 'limits'>;

interface Amount {
  readonly side: DealtSide;
  readonly minor: bigint;
  /** Both amounts were given: the maximum sell amount. */
  readonly sellAtMost?: bigint;
}

export function draftConversion(services: Services, request: DraftRequest): Draft {
  const { client, command, hold, streamed, now } = request;
  const { sellCurrency, buyCurrency } = command;
  if (sellCurrency === undefined || buyCurrency === undefined) return no('amount', refuse('UNKNOWN_ACCOUNT'));
  const pair = pairOf(sellCurrency, buyCurrency)?.pair;
  if (pair === undefined) return no('amount', notConverted(sellCurrency, buyCurrency));
  const amount = amountOf(command, sellCurrency, buyCurrency);
  if (isRefusal(amount)) return no('amount', amount);

  const type = resolvedType(client, command, hold, streamed);
  const wanted = { clientId: client.id, pair, sellCurrency, buyCurrency, type, amount };
  const rate = rateOf(services, request, wanted);
  const at = (price: Rate | Refusal) =>
    isRefusal(price)
      ? price
      : convert({ price: price.price, providerPrice: price.providerPrice, pair, sell: sellCurrency, amount });
  const conversion = at(rate);
  // Limits come before faults of a hold or a quote: without its price, the amount is sized by the market's rate of the first band.
  const sized = isRefusal(rate) ? at(marketRate(services, { ...wanted, amount: undefined })) : conversion;
  const size =
    sizeOf(pair, sellCurrency, amount, sized) ??
    aboveHold(hold, pair, sellCurrency, conversion) ??
    aboveBand(streamed, pair, sellCurrency, conversion);
  if (size) return no('amount', size);

  const roomIn = (limit: string | undefined) =>
    type === 'PREFUNDING' || limit === undefined ? undefined : roomOf(limit, sellCurrency, amount, sized);
  const scheduledRoom = roomIn(client.scheduledLimit);
  const groupRoom = roomIn(client.platformScheduledLimit ?? (client.isPlatform ? client.scheduledLimit : undefined));
  const not = (stage: Stage, refusal: Refusal): Draft => ({ ...no(stage, refusal), scheduledRoom, groupRoom });
  const requested = command.settlementDate;
  const settles = hold
    ? heldSettlement(hold, { requested, now })
    : settlementOf(pair, type, { requested, agreed: streamed?.valueDate, now });
  if (isRefusal(settles)) return not('date', settles);
  const closed = refuseIfNotTradable(services, client.id, pair);
  if (closed) return not('date', closed);
  const limits = limitsOf(services, client.id);
  const deal = isRefusal(conversion)
    ? undefined
    : valuedDeal(services, limits, { pair: pair.symbol, sellCurrency, buyCurrency, ...conversion });
  if (isRefusal(deal)) return not('date', deal);

  // The direction is checked first: other mismatches follow from it.
  if (hold && isRefusal(rate)) return not('price', rate);
  const mismatch = hold
    ? holdMismatch(hold, request, amount, type)
    : streamed &&
      (streamedMismatch(streamed, request, amount, type) ??
        belowBand(services, client, streamed, sellCurrency, conversion));
  if (mismatch) return not('price', mismatch);
  if (isRefusal(rate)) return not('price', rate);
  if (isRefusal(conversion)) return not('price', conversion);
  const limit =
    priceLimit(command, pair, rate) ??
    sellLimit(sellCurrency, amount, conversion) ??
    aboveDealLimit(limits, deal) ??
    aboveDailyLoss(services, limits, client.id) ??
    refuseIfNotReducing(services, deal);
  if (limit) return not('price', limit);

  const facts = factsOf(request, amount, rate, conversion, settles);
  const judged = stepLimits(services, limits, [[deal, settles.valueDate]]);
  return { facts, settlesAtMs: settles.atMs, scheduledRoom, groupRoom, limits: judged };
}

/** With no type given: that of the hold or the streamed price, else the client's default. */
export function resolvedType(
  { defaultType }: Client,
  { type }: BookFxCommand,
  hold: Hold | undefined,
  streamed: StreamedPrice | StreamedQuote | undefined,
): BookFxType {
  return type || hold?.type || streamed?.type || defaultType;
}

function factsOf(
  { command, confirmationId, holdId, now }: DraftRequest,
  { side }: Amount,
  { pair, sellCurrency, buyCurrency, price, providerPrice, marginPpm, type, proof }: Rate,
  { sellMinor, buyMinor, marginMinor, marginCurrency }: Conversion,
  { valueDate, atMs }: Settlement,
): BookingFacts {
  const { requestId, description, quoteId, limitPrice, session, route } = command;
  const kind = holdId || quoteId ? 'quoted' : 'market';
  return {
    pair,
    sellCurrency,
    buyCurrency,
    price,
    providerPrice,
    marginPpm,
    type,
    valueDate,
    proof,
    id: confirmationId,
    requestId,
    description,
    dealt: side,
    sell: String(sellMinor),
    buy: String(buyMinor),
    margin: String(marginMinor),
    marginCurrency,
    holdId: holdId ?? '',
    order: limitPrice === undefined ? { kind } : { kind: 'limit', limit: limitPrice },
    session,
    route,
    createdAtMs: now,
    expiryMs: atMs ?? now + PREFUNDING_MS,
  };
}

/** The draft refused where its price is, in the documented order. */
export const refusedAtPrice = ({ scheduledRoom }: Draft, refusal: Refusal): Draft => ({
  ...no('price', refusal),
  scheduledRoom,
});

function no(stage: Stage, { refusal, text }: Refusal): Draft {
  return { refusal: { stage, code: refusal, text } };
}

/** Refuses one currency on both sides, and a currency that is held and paid but never converted. */
function notConverted(sellCurrency: string, buyCurrency: string): Refusal {
  if (sellCurrency === buyCurrency) return refuse('SAME_CURRENCY');
  const held = isCurrency(sellCurrency) ? buyCurrency : sellCurrency;
  return refuse('ACCOUNT_CURRENCY', `${held} is not converted here: use an account in another currency`);
}

/** The limit left for open scheduled sells before this one; undefined where the sold amount depends on a price and there is none. */
function roomOf(
  scheduledLimit: string,
  sellCurrency: string,
  amount: Amount,
  conversion: Conversion | Refusal,
): bigint | undefined {
  const sold = amount.side === 'sell' ? amount.minor : isRefusal(conversion) ? undefined : conversion.sellMinor;
  const allowed = parseAmount(scheduledLimit, sellCurrency);
  return sold === undefined ? undefined : (isRefusal(allowed) ? 0n : allowed) - sold;
}

function amountOf(command: BookFxCommand, sellCurrency: string, buyCurrency: string): Amount | Refusal {
  const { sellAmount, buyAmount } = command;
  const sell = sellAmount === undefined ? undefined : parsePositive(sellAmount, sellCurrency);
  if (isRefusal(sell)) return sell;
  if (buyAmount === undefined) return { side: 'sell', minor: sell! };
  const buy = parsePositive(buyAmount, buyCurrency);
  if (isRefusal(buy)) return buy;
  return { side: 'buy', minor: buy, ...(sell === undefined ? {} : { sellAtMost: sell }) };
}

function rateOf(
  services: Services,
  { command, holdId, hold, streamed }: DraftRequest,
  wanted: Parameters<typeof marketRate>[1],
): Rate | Refusal {
  // An unknown hold: the store's step refuses it before it checks the price.
  if (holdId !== undefined) return hold ? heldRate(hold, wanted) : refuse('HOLD_NOT_FOUND');
  const { quoteId = '' } = command;
  if (quoteId === '') return marketRate(services, wanted);
  if (quoteId.startsWith('IND')) return refuse('HOLD_NOT_FIRM');
  if (services.streamed === undefined) return refuse('HOLD_NOT_FOUND');
  return streamed && isQuote(streamed) ? quotedRate(streamed, wanted) : streamedRate(services, streamed, wanted);
}

const isQuote = (streamed: StreamedPrice | StreamedQuote): streamed is StreamedQuote => 'amount' in streamed;

/** A pair's limits are amounts of its base; where only the quote amount is known and no price, they cannot be checked. */
function sizeOf(pair: Pair, sell: string, amount: Amount, conversion: Conversion | Refusal): Refusal | undefined {
  if (!isRefusal(conversion)) return checkDealtSize(pair, baseMinorOf(pair, sell, conversion));
  const dealtIsBase = (amount.side === 'sell') === (sell === pair.base);
  const refusal = dealtIsBase ? checkDealtSize(pair, amount.minor) : undefined;
  return refusal ?? (isSizeRefusal(conversion) ? conversion : undefined);
}

/** A hold of another direction has no conversion: HOLD_MISMATCH covers it. */
function aboveHold(hold: Hold | undefined, pair: Pair, sell: string, conversion: Conversion | Refusal) {
  if (hold === undefined || isRefusal(conversion)) return undefined;
  return checkHoldMaximum(hold, baseMinorOf(pair, sell, conversion));
}

/** An amount beyond the band of a streamed price, which is for that amount at most. */
function aboveBand(
  streamed: StreamedPrice | StreamedQuote | undefined,
  pair: Pair,
  sell: string,
  conversion: Conversion | Refusal,
): Refusal | undefined {
  if (streamed === undefined || isQuote(streamed) || isRefusal(conversion)) return undefined;
  const most = (sell === pair.base ? streamed.bidBand : streamed.offerBand).limit;
  if (unitsOf(pair, baseMinorOf(pair, sell, conversion)) <= most) return undefined;
  const text = `The price is for at most ${most} ${pair.base}: use that of the amount's own band, or a market order`;
  return refuse('AMOUNT_ABOVE_LIMIT', text);
}

/** A smaller amount than the margin of a streamed price is for: the margin of the amount's own band may be larger. */
function belowBand(
  { pricing }: Services,
  { id }: Client,
  streamed: StreamedPrice | StreamedQuote,
  sell: string,
  conversion: Conversion | Refusal,
): Refusal | undefined {
  if (isQuote(streamed) || isRefusal(conversion)) return undefined;
  const { pair, type, bidBand, offerBand } = streamed;
  const ownPpm = pricing.marginPpm(id, pair, type, unitsOf(pair, baseMinorOf(pair, sell, conversion)));
  if (ownPpm === (sell === pair.base ? bidBand : offerBand).rulePpm) return undefined;
  return refuse('HOLD_MISMATCH', "The price is for larger amounts: use that of the amount's own band");
}

const isSizeRefusal = ({ refusal }: Refusal): boolean =>
  refusal === 'BAD_AMOUNT' || refusal === 'AMOUNT_BELOW_MIN' || refusal === 'AMOUNT_ABOVE_LIMIT';

function holdMismatch(hold: Hold, { command }: DraftRequest, amount: Amount, type: BookFxType): Refusal | undefined {
  if (type !== hold.type) return refuse('HOLD_MISMATCH', `The hold is for ${hold.type}`);
  const requested = command.settlementDate?.replaceAll('-', '');
  if (requested !== undefined && requested !== hold.valueDate)
    return refuse('HOLD_MISMATCH', `The hold settles on ${isoOf(hold.valueDate)}: send this date or none`);
  const held = hold.amount;
  if (held && (held.side !== amount.side || BigInt(held.minor) !== amount.minor))
    return refuse('HOLD_MISMATCH', 'The amount differs from the hold');
  return undefined;
}

/** A streamed price is valid for its own type, for its date where it names one, and a quote for its amount. */
function streamedMismatch(
  streamed: StreamedPrice | StreamedQuote,
  { command }: DraftRequest,
  { side, minor }: Amount,
  type: BookFxType,
): Refusal | undefined {
  const currency = side === 'sell' ? command.sellCurrency : command.buyCurrency;
  if (isQuote(streamed) && (streamed.amount.currency !== currency || streamed.amount.minor !== minor))
    return refuse('HOLD_MISMATCH', 'The amount differs from the quote');
  if (type !== streamed.type) return refuse('HOLD_MISMATCH', `The price is for ${streamed.type}`);
  const requested = command.settlementDate?.replaceAll('-', '');
  if (streamed.valueDate === undefined || requested === undefined || requested === streamed.valueDate) return undefined;
  return refuse('HOLD_MISMATCH', `The price settles on ${isoOf(streamed.valueDate)}: send this date or none`);
}

/** Price(44): the worst acceptable price, or the quoted one. */
function priceLimit({ limitPrice, quotedPrice }: BookFxCommand, pair: Pair, rate: Rate): Refusal | undefined {
  const requested = limitPrice ?? quotedPrice;
  if (requested === undefined) return undefined;
  const price = decimalFromScaled(rate.price, pair.priceDigits);
  const difference = price.comparedTo(new Decimal(requested));
  if (limitPrice === undefined) return difference === 0 ? undefined : refuse('PRICE_MISMATCH');
  const isWorse = rate.sellCurrency === pair.base ? difference < 0 : difference > 0;
  return isWorse ? refuse('LIMIT_NOT_MET') : undefined;
}

function sellLimit(sell: string, { sellAtMost }: Amount, { sellMinor }: Conversion): Refusal | undefined {
  return sellAtMost === undefined ? undefined : checkSellAtMost(sell, sellMinor, sellAtMost);
}
