/** Quotes of changes that a client asks of a conversion that has not settled: what a cancellation, another date or a split would come to. */
import { z } from 'zod';
import {
  asAmended,
  atDateOf,
  CHILDREN_MAX,
  DATE_CHANGES_MAX,
  dateChangesOf,
  gainPaidAtMs,
  originOf,
} from '../../domain/conversions/amendment.js';
import type { Booking, ChangeKind, NewDate, Reversal } from '../../domain/conversions/booking.js';
import { splitConversion } from '../../domain/conversions/split.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { parsePositive } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { agreedConversionRate, hasMoved, jsonNumber } from '../../domain/money/rate.js';
import { checkSettlementDate, dateSettlesAtMs } from '../../domain/money/value-date.js';
import { clientHalted, pairHalted } from '../../domain/risk/trading-state.js';
import type { Client } from '../../store/access/clients.js';
import type { StepLimits } from '../../store/risk/limits.js';
import { openSealed, seal } from '../core/aead.js';
import { type Caller, clientOf } from '../core/caller.js';
import { BESIDE_OTHER_FAULTS, ID, SETTLEMENT_DATE_TEXT } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { type Dealt, marketRate, OFFER_MS, offerTolerance, rateMoved, refuseIfNotTradable } from '../prices/index.js';
import {
  aboveDailyLoss,
  aboveDealLimit,
  type Deal,
  limitsOf,
  limitsOfDates,
  readDailyLoss,
  refuseIfNotReducing,
  stepLimits,
  valuedDeal,
} from '../risk/index.js';

/** Amounts of one child, minor units. */
type PartText = readonly [sell: string, buy: string, margin: string];

/** What is agreed on by the quote, as it is sealed in its id. */
export interface QuotedTerms {
  readonly kind: ChangeKind;
  /** Of the amendment that it would be: a quote of a conversion that has changed since is void. */
  readonly number: number;
  readonly untilMs: number;
  readonly reversal?: Reversal;
  readonly date?: NewDate;
  readonly parts?: readonly PartText[];
}

interface ChangeQuote {
  readonly quoteId: string;
  readonly terms: QuotedTerms;
  /** As it is now. */
  readonly booking: Booking;
}

/** Issued ids have some 600 characters, and 1,200 at most. */
export const QUOTE_LENGTH_MAX = 2_048;

export const MISSING = refuse('NOT_FOUND', 'No such conversion of yours: check the confirmation id');

/** `about`: a quote is for one client, one conversion and one kind of change. */
const about = (clientId: string, confirmationId: string, kind: ChangeKind): string =>
  `${clientId} ${confirmationId} ${kind}`;

/** Undefined: not given for this change of this conversion, or changed since. */
export function openQuote(
  { store }: Services,
  clientId: string,
  { confirmationId, kind, quoteId }: { confirmationId: string; kind: ChangeKind; quoteId: string },
): QuotedTerms | undefined {
  const opened = openSealed(
    store.subKey('change-quotes'),
    quoteId,
    QUOTE_LENGTH_MAX,
    about(clientId, confirmationId, kind),
  );
  return opened && (JSON.parse(opened.text) as QuotedTerms);
}

/** Refuses with NOT_CHANGEABLE. */
export function refuseByStatus({ status }: Pick<Booking, 'status'>): Refusal | undefined {
  if (status === 'OPEN' || status === 'OVERDUE') return undefined;
  return refuse('NOT_CHANGEABLE', `The conversion is ${status}: only one that is OPEN or OVERDUE is changed`);
}

/** It would put off what is due: a loss could be rolled for ever, free of charge. */
export const KEEPS_DATE = refuse(
  'NOT_CHANGEABLE',
  'The settlement time of the conversion has passed, and its date stays: fund it, cancel it or split it',
);

async function quote(
  services: Services,
  caller: Caller,
  confirmationId: string,
  kind: ChangeKind,
  termsOf: (
    client: Client,
    booking: Booking,
    now: number,
    stored: Booking,
  ) => Omit<QuotedTerms, 'kind' | 'number' | 'untilMs'> | Refusal,
): Promise<ChangeQuote | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { store } = services;
  const stored = await store.bookings.read(client, confirmationId);
  if (stored === undefined) return MISSING;
  const wrong = refuseByStatus(stored);
  if (wrong) return wrong;
  const loss = readDailyLoss(services, client);
  if (loss) await loss;
  const now = store.clock.now(client);
  const booking = asAmended(stored);
  const found = termsOf(client, booking, now, stored);
  if (isRefusal(found)) return found;
  const number = (booking.amendments?.length ?? 0) + 1;
  const terms: QuotedTerms = { ...found, kind, number, untilMs: now + OFFER_MS };
  return { quoteId: sealQuote(services, client.id, confirmationId, terms), terms, booking };
}

const sealQuote = ({ store }: Services, clientId: string, confirmationId: string, terms: QuotedTerms): string =>
  seal(store.subKey('change-quotes'), JSON.stringify(terms), about(clientId, confirmationId, terms.kind));

/** What the step judges of a change, or why there is none of it now. */
type JudgedChange = { readonly limits: StepLimits | undefined } | Refusal;

/** The opposite deal: the house gives back what it was to receive, and the reverse. */
function oppositeOf({ pair, sellCurrency, sell, buyCurrency, buy }: Booking): Deal {
  return { pair, sellCurrency: buyCurrency, sellMinor: BigInt(buy), buyCurrency: sellCurrency, buyMinor: BigInt(sell) };
}

/** What limits of dates judge: '' for a date that has passed, as of an OVERDUE conversion. Such limits are for today and later. */
const dateAhead = ({ valueDate }: Booking, now: number): string =>
  valueDate < new Date(now).toISOString().slice(0, 10).replaceAll('-', '') ? '' : valueDate;

/** Refuses with MARKET_CLOSED, CREDIT_LIMIT. */
export function judgeCancellation(services: Services, client: Client, booking: Booking, now: number): JudgedChange {
  const closed = refuseIfNotTradable(services, client.id, pairBySymbol(booking.pair)!);
  if (closed) return closed;
  const limits = limitsOf(services, client.id);
  const deal = valuedDeal(services, limits, oppositeOf(booking));
  if (isRefusal(deal)) return deal;
  const exceeded =
    aboveDealLimit(limits, deal) ?? aboveDailyLoss(services, limits, client.id) ?? refuseIfNotReducing(services, deal);
  return exceeded ?? { limits: stepLimits(services, limits, [[deal, dateAhead(booking, now)]]) };
}

/** What is open in each currency stays: the amounts to settle on the two dates are judged. Refuses with MARKET_CLOSED. */
export function judgeNewDate(
  services: Services,
  client: Client,
  booking: Booking,
  valueDate: string,
  now: number,
): JudgedChange {
  const halted = refuseIfHalted(services, client, booking);
  if (halted) return halted;
  const limits = limitsOfDates(limitsOf(services, client.id));
  if (limits === undefined) return { limits: undefined };
  const back = valuedDeal(services, limits, oppositeOf(booking));
  if (isRefusal(back)) return back;
  const { pair, sellCurrency, sell, buyCurrency, buy } = booking;
  const own = { pair, sellCurrency, sellMinor: BigInt(sell), buyCurrency, buyMinor: BigInt(buy) };
  const again = valuedDeal(services, limits, own);
  if (isRefusal(again)) return again;
  const dates = [
    [back, dateAhead(booking, now)],
    [again, valueDate],
  ] as const;
  return { limits: stepLimits(services, limits, dates) };
}

/** Also at a weekend: nothing is dealt. Refuses with MARKET_CLOSED. */
export function refuseIfHalted({ book, states }: Services, { id }: Client, booking: Booking): Refusal | undefined {
  const pair = pairBySymbol(booking.pair)!;
  if (book.isHalted(pair.index)) return pairHalted(pair);
  return states.isHalted(id) ? clientHalted() : undefined;
}

const NAMED = z.object({ confirmationId: ID });

/**
 * What a cancellation costs or brings now. Refuses with NOT_FOUND, NOT_CHANGEABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, MARKET_CLOSED,
 * RATE_UNAVAILABLE, INSUFFICIENT_LIQUIDITY, CREDIT_LIMIT.
 */
export const quoteCancellation = defineOperation({
  input: NAMED,
  right: 'trade',
  execute: (services, caller, { confirmationId }) =>
    quote(services, caller, confirmationId, 'cancel', (client, booking, now, stored) => {
      const judged = judgeCancellation(services, client, booking, now);
      // A limit is named behind what the market has to say.
      if (isRefusal(judged) && judged.refusal !== 'CREDIT_LIMIT') return judged;
      const reversal = reversalOf(services, client, booking);
      if (isRefusal(reversal)) return reversal;
      const { amount, margin, share } = atDateOf(reversal);
      const paysAtMs = amount + margin + share > 0n ? gainPaidAtMs(originOf(stored).valueDate, now) : undefined;
      return isRefusal(judged) ? judged : { reversal: { ...reversal, paysAtMs } };
    }),
});

/** Sells what was bought, at the client's price of its size; of a client without gains at most what was sold comes back. */
function reversalOf(services: Services, client: Client, booking: Booking): Reversal | Refusal {
  const { sellCurrency, buyCurrency, type, sell, buy } = booking;
  const pair = pairBySymbol(booking.pair)!;
  const amount = { side: 'sell', minor: BigInt(buy) } as const;
  const wanted = { clientId: client.id, pair, sellCurrency: buyCurrency, buyCurrency: sellCurrency, type, amount };
  const rate = marketRate(services, wanted);
  if (isRefusal(rate)) return rate;
  const { price, providerPrice, marginPpm, proof } = rate;
  const back = convert({ pair, sell: buyCurrency, price, providerPrice, amount });
  if (isRefusal(back)) return back;
  const difference = back.buyMinor - BigInt(sell);
  const isCharge = difference < 0n;
  const due = isCharge ? -difference : client.cancel === 'worse' ? 0n : difference;
  return {
    kind: isCharge ? 'charge' : 'credit',
    currency: sellCurrency,
    amount: String(due),
    margin: String(back.marginMinor),
    price,
    providerPrice,
    marginPpm,
    proof,
  };
}

/** The deal of a cancellation at the market: what was bought is sold. */
export function dealtBy({ pair, buyCurrency, buy }: Booking, { price, providerPrice }: Reversal): Dealt | Refusal {
  const amount = { side: 'sell', minor: BigInt(buy) } as const;
  const back = convert({ pair: pairBySymbol(pair)!, sell: buyCurrency, price, providerPrice, amount });
  return isRefusal(back)
    ? back
    : { pair, sellCurrency: buyCurrency, sell: buy, buy: String(back.buyMinor), providerPrice };
}

/**
 * Prices a cancellation again when its quote is executed. Refuses with RATE_MOVED and a new quote where the price has moved beyond the tolerance, in
 * either direction: else the best of several quotes would be chosen. Refuses so too as the quote does.
 */
export function refuseIfReversalMoved(
  services: Services,
  client: Client,
  booking: Booking,
  quoted: QuotedTerms & { readonly reversal: Reversal },
  now: number,
): Refusal | undefined {
  const reversal = reversalOf(services, client, booking);
  if (isRefusal(reversal)) return reversal;
  const { price, providerPrice } = reversal;
  if (!hasMoved(quoted.reversal.price, price, offerTolerance(services))) return undefined;
  const untilMs = now + OFFER_MS;
  const quoteId = sealQuote(services, client.id, booking.id, { ...quoted, reversal, untilMs });
  const rates = agreedConversionRate({ pair: booking.pair, sellCurrency: booking.buyCurrency, price, providerPrice });
  const [fxRate, instaremFxRate] = [jsonNumber(rates.providerRate), jsonNumber(rates.clientRate)];
  return rateMoved(rates.clientRate, 'execute the new quote', { quoteId, fxRate, instaremFxRate }, untilMs);
}

/** What another date comes to: nothing, there are no forward points. Refuses with NOT_FOUND, NOT_CHANGEABLE, BAD_SETTLEMENT_DATE, MARKET_CLOSED. */
export const quoteDateChange = defineOperation({
  input: NAMED.extend({ settlementDate: SETTLEMENT_DATE_TEXT }),
  right: 'trade',
  execute: (services, caller, { confirmationId, settlementDate }) =>
    quote(services, caller, confirmationId, 'date', (client, booking, now) => {
      if (booking.status === 'OVERDUE' || now >= booking.expiryMs) return KEEPS_DATE;
      const changes = dateChangesOf(booking);
      if (changes >= DATE_CHANGES_MAX)
        return refuse(
          'NOT_CHANGEABLE',
          `The date of the conversion was changed ${changes} times: settle, split or cancel it`,
        );
      const bad = checkSettlementDate(pairBySymbol(booking.pair)!, settlementDate ?? '', now);
      if (bad) return bad;
      const valueDate = settlementDate!.replaceAll('-', '');
      if (valueDate === booking.valueDate)
        return refuse('BAD_SETTLEMENT_DATE', `The conversion settles on ${settlementDate} already: send another date`);
      const judged = judgeNewDate(services, client, booking, valueDate, now);
      if (isRefusal(judged)) return judged;
      return { date: { valueDate, settlesAtMs: Math.max(now, dateSettlesAtMs(valueDate, booking.createdAtMs)) } };
    }),
});

const AN_AMOUNT = z.number({ error: 'a number' });
const AMOUNTS = { error: `2 to ${CHILDREN_MAX} amounts` };
const AMOUNT_LIST = z.array(AN_AMOUNT, AMOUNTS).min(2, AMOUNTS).max(CHILDREN_MAX, AMOUNTS).optional();

/**
 * Which conversions a split makes. Refuses with NOT_FOUND, NOT_CHANGEABLE, BAD_AMOUNT, AMOUNT_BELOW_MIN, MARKET_CLOSED.
 */
export const quoteSplit = defineOperation({
  input: NAMED.extend({ sellAmounts: AMOUNT_LIST, buyAmounts: AMOUNT_LIST }).superRefine((input, context) => {
    const { sellAmounts, buyAmounts } = input;
    if ((sellAmounts === undefined) !== (buyAmounts === undefined)) return;
    const isNone = sellAmounts === undefined;
    for (const path of ['sellAmounts', 'buyAmounts'])
      context.addIssue({
        code: 'custom',
        path: [path],
        message: isNone ? 'required when the other amounts are absent' : 'send one of the two lists',
        ...(isNone ? { input: undefined } : { params: { combination: true } }),
      });
  }, BESIDE_OTHER_FAULTS),
  right: 'trade',
  execute: (services, caller, { confirmationId, sellAmounts, buyAmounts }) =>
    quote(services, caller, confirmationId, 'split', (client, booking) => {
      const [side, given] = sellAmounts ? (['sell', sellAmounts] as const) : (['buy', buyAmounts!] as const);
      const currency = side === 'sell' ? booking.sellCurrency : booking.buyCurrency;
      const minors: bigint[] = [];
      for (const amount of given) {
        const minor = parsePositive(amount, currency);
        if (isRefusal(minor)) return minor;
        minors.push(minor);
      }
      const parts = splitConversion(pairBySymbol(booking.pair)!, booking, side, minors);
      if (isRefusal(parts)) return parts;
      const halted = refuseIfHalted(services, client, booking);
      return (
        halted ?? { parts: parts.map(({ sell, buy, margin }) => [String(sell), String(buy), String(margin)] as const) }
      );
    }),
});
