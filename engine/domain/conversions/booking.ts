import type { BookFxType } from '../money/value-date.js';

/** The amount that the client fixed: the one it sells, or the one it buys. */
export type DealtSide = 'sell' | 'buy';

/**
 * PREFUNDING is SETTLED at once; a scheduled conversion is OPEN until its time, OVERDUE while the money is not there. One that was SPLIT is
 * none any more: its children are.
 */
export const BOOKING_STATUSES = ['OPEN', 'SETTLED', 'OVERDUE', 'CANCELLED', 'SPLIT'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** A rate as it was agreed: which side of which pair, what the client pays, what the provider quoted. */
export interface AgreedRate {
  /** `EUR/USD`. */
  readonly pair: string;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  /** Client's and provider's price in market convention, whole numbers scaled by the pair's price digits. */
  readonly price: number;
  readonly providerPrice: number;
  /** Parts per million; a held rate's add-on is in it. */
  readonly marginPpm: number;
  readonly type: BookFxType;
  /** 'YYYYMMDD'. */
  readonly valueDate: string;
  /** Why the price is what it is, as text (prices/price-proof.ts). */
  readonly proof: string;
}

/** What the two directions of a two-way rate do not share. */
export type RateOfDirection = RateFigures & Pick<AgreedRate, 'proof'>;
export type RateFigures = Pick<AgreedRate, 'price' | 'providerPrice' | 'marginPpm'>;

/** A rate that is firm until its expiry, for one conversion. */
export interface Hold extends AgreedRate {
  readonly id: string;
  /** Of a two-way hold: the rate of the opposite direction, which sells `buyCurrency`. Its one conversion has either direction. */
  readonly opposite?: RateOfDirection | undefined;
  /** CompID of the FIX session of the request, or `/rest`. */
  readonly owner: string;
  /** QuoteReqID(131) of a FIX session's request. */
  readonly quoteRequestId?: string | undefined;
  /** Only this amount, in minor units of its currency, also in the opposite direction; absent: any up to `maximum`. */
  readonly amount?: { readonly side: DealtSide; readonly minor: string } | undefined;
  /** Without an amount: at most so many minor units of the pair's base; absent: the pair's maximum. */
  readonly maximum?: string | undefined;
  readonly createdAtMs: number;
  readonly expiryMs: number;
}

/** A two-way hold as one of the direction that sells this currency; any other hold, and for any other currency, as it is. */
export function holdSelling<Of extends Hold>(hold: Of, sellCurrency: string): Of {
  const { opposite, sellCurrency: buyCurrency, price, providerPrice, marginPpm, proof, amount } = hold;
  if (opposite === undefined || sellCurrency !== hold.buyCurrency) return hold;
  return {
    ...hold,
    ...opposite,
    sellCurrency,
    buyCurrency,
    opposite: { price, providerPrice, marginPpm, proof },
    amount: amount && { side: amount.side === 'sell' ? 'buy' : 'sell', minor: amount.minor },
  };
}

/** `open` also when it has expired and the expiry is not stored yet. The client releases, we withdraw: when the market closes. */
/** `reserved`: a payment that awaits its funds will convert at it, and nothing else may. */
export const HOLD_STATUSES = ['open', 'reserved', 'used', 'released', 'withdrawn', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

/** Why a hold was withdrawn: the market closed, or trading was halted or the hold ended by the operator. */
export type WithdrawnFor = 'MARKET_CLOSED' | 'TRADING_HALTED';

/** The expiry of an open or a reserved hold may not be stored yet. */
export function holdStatusAt(
  hold: Pick<Hold, 'expiryMs'> & { readonly status: HoldStatus },
  nowMs: number,
): HoldStatus {
  const mayExpire = hold.status === 'open' || hold.status === 'reserved';
  return mayExpire && nowMs > hold.expiryMs ? 'expired' : hold.status;
}

/** A conversion as it was booked; it never changes. Amounts are minor units. */
export interface BookingFacts extends AgreedRate {
  readonly id: string;
  readonly requestId: string;
  readonly description: string;
  readonly dealt: DealtSide;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
  readonly marginCurrency: string;
  /** '' without one. */
  readonly holdId: string;
  /** The payment that it was made for, in one step with it; then there is no receipt of its own. */
  readonly paymentId?: string | undefined;
  readonly order: BookedOrder;
  /** CompID of the FIX session that requested it; absent: none did. */
  readonly session?: string | undefined;
  /** Routing of that session's reports, as FIX fields; absent: the order had none. */
  readonly route?: readonly (readonly [tag: number, value: string])[] | undefined;
  readonly createdAtMs: number;
  /** When it settles, or 12 hours on for one that settled at once. */
  readonly expiryMs: number;
  /** The conversion that was split into this one and others; absent: it was booked by itself. */
  readonly parentId?: string | undefined;
  /** Of such a one: how often the date of the one that was split had been changed; absent: never. */
  readonly dateChanges?: number | undefined;
  /** Of such a one: when the first one was booked, epoch ms, and the later of its value dates, 'YYYYMMDD'. */
  readonly origin?: { readonly bookedAtMs: number; readonly valueDate: string } | undefined;
}

/** How the price was chosen: the market's, one quoted before, or the market's up to a limit. */
export interface BookedOrder {
  readonly kind: 'market' | 'quoted' | 'limit';
  /** Worst acceptable price, decimal text in market convention. */
  readonly limit?: string;
}

/** How an overdue conversion was unwound when it was cancelled. Amounts are minor units of its buy currency. */
export interface CloseOut {
  readonly kind: 'charge' | 'credit';
  readonly currency: string;
  /** What was charged to its buy account, or credited to it; '0' where the market was at the price of the conversion. */
  readonly amount: string;
  /** What it took to buy the sell amount back. */
  readonly cost: string;
  /** The provider's, in market convention, scaled by the pair's price digits. */
  readonly price: number;
  /** Of a charge what the account did not have, and the client owes. */
  readonly receivable: string;
}

export interface Booking extends BookingFacts {
  readonly sellAccount: string;
  readonly buyAccount: string;
  readonly status: BookingStatus;
  /** Undefined until it has settled. */
  readonly settledAtMs: number | undefined;
  /** When an operator or its client cancelled it. */
  readonly cancelledAtMs?: number | undefined;
  /** Absent unless an operator has cancelled it with a close-out. */
  readonly closeOut?: CloseOut | undefined;
  /** Oldest first; absent: none. The terms are those of the booking: see asAmended. */
  readonly amendments?: readonly Amendment[] | undefined;
}

/** The moves of a close-out, as its journal entry must have them; undefined where the amounts cannot be read. */
export function movesOfCloseOut({ closeOut, buyAccount }: Booking): string | undefined {
  if (closeOut === undefined) return undefined;
  const { kind, currency, amount, receivable } = closeOut;
  if (!/^\d{1,15}$/.test(amount) || !/^\d{1,15}$/.test(receivable)) return undefined;
  if (amount === '0') return '';
  if (kind === 'credit') return `${currency} house:fx ${buyAccount} ${amount}`;
  const own = `${currency} ${buyAccount} house:fx ${BigInt(amount) - BigInt(receivable)}`;
  return receivable === '0' ? own : `${own};${currency} receivable house:fx ${receivable}`;
}

/** What a correction may change. Prices in market convention, scaled by the pair's price digits; amounts are minor units. */
export interface Terms {
  readonly price: number;
  readonly providerPrice: number;
  readonly marginPpm: number;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
}

/** What a client may change of a conversion that has not settled, by a quote. */
export const CHANGE_KINDS = ['cancel', 'date', 'split'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The status right after a change. */
export const STATUS_AFTER = { cancel: 'CANCELLED', date: 'OPEN', split: 'SPLIT' } as const satisfies Record<
  ChangeKind,
  BookingStatus
>;

/**
 * An operator busts a conversion, it is undone, or corrects it, it has other terms from then on. Its client cancels it, moves its date, or
 * splits it. Nothing follows a bust, a cancellation or a split.
 */
export interface Amendment {
  readonly kind: 'bust' | 'correct' | ChangeKind;
  /** Of the operator's request, or the client's request id: repeated, it changes nothing. */
  readonly id: string;
  /** Of a correction: from then on. */
  readonly terms?: Terms | undefined;
  /** The client's own words; absent: none, or the journal alone has them. */
  readonly reason?: string | undefined;
  /** Of a cancellation by the client. */
  readonly reversal?: Reversal | undefined;
  /** Of a change of date: from then on. */
  readonly date?: NewDate | undefined;
  /** Of a split, in order of their ids: their amounts are those of the conversion, exactly. */
  readonly children?: readonly Child[] | undefined;
  readonly atMs: number;
  /** Its entry in the journal. */
  readonly entry: string;
  /** Of a charge what the account did not have, and the client owes, minor units; of a cancellation alone. */
  readonly receivable?: string | undefined;
}

/** The opposite deal of a cancellation: it sells what the conversion bought, at the client's price of its quote. */
export interface Reversal extends Pick<AgreedRate, 'price' | 'providerPrice' | 'marginPpm' | 'proof'> {
  readonly kind: 'charge' | 'credit';
  /** The sell currency of the conversion, whose account is charged or credited. */
  readonly currency: string;
  /** The difference of the two deals; '0' also where the client's policy gives it no gain. Minor units, as the margin of the deal. */
  readonly amount: string;
  readonly margin: string;
  /** When a gain is paid, and what of the margin no charge pays is posted, epoch ms; absent: there is neither. */
  readonly paysAtMs?: number | undefined;
}

export interface NewDate {
  /** 'YYYYMMDD'. */
  readonly valueDate: string;
  /** When it settles, epoch ms. */
  readonly settlesAtMs: number;
}

/** A conversion that a split has made. */
export interface Child {
  readonly id: string;
  readonly sell: string;
  readonly buy: string;
  readonly margin: string;
}
