/** The expected ledger of one client, in memory, written from the rules and not from the store. */
import { settlesAtMs } from '../../engine/domain/money/value-date.js';
import type { Changed } from './model-changes.js';
import {
  convertAt,
  convertByHand,
  type Given,
  type HandConversion,
  type HandQuote,
  type Market,
  marginBetween,
  parseByHand,
  unitOf,
} from './model-price.js';

export interface BookCommand {
  readonly requestId: string;
  readonly sellAccount?: string;
  readonly buyAccount?: string;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly sellAmount?: number;
  readonly buyAmount?: number;
  readonly type?: 'PREFUNDING' | 'SCHEDULED1' | 'SCHEDULED2';
  readonly quoteId?: string;
  readonly settlementDate?: string;
  readonly limitPrice?: string;
  /** A refusal is stored. */
  readonly session?: string;
}

interface Legs extends HandConversion {
  readonly sellAccount: string;
  readonly buyAccount: string;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
}

export interface ModelBooking extends Legs {
  readonly id: string;
  status: 'OPEN' | 'SETTLED' | 'OVERDUE' | 'CANCELLED' | 'SPLIT';
}

export interface ModelHold {
  readonly owner: string;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly bid: bigint;
  readonly offer: bigint;
  readonly marginPpm: number;
  readonly type: NonNullable<BookCommand['type']>;
  readonly amount: Given | undefined;
  readonly expiryMs: number;
  /** Of a scheduled one: the date of its offer at the time of its lock. */
  readonly settlesAtMs: number;
  status: 'open' | 'used' | 'released' | 'expired';
}

export type Answer =
  | { readonly refusal: string; readonly replayed: boolean }
  | { readonly booking: ModelBooking; readonly replayed: boolean };

type Receipt = { readonly command: string } & ({ readonly booking: ModelBooking } | { readonly refusal: string });
export type Moves = readonly (readonly [currency: string, from: string, to: string, amount: bigint])[];

const LARGEST = 999_999_999_999_999n;
const HOUR_MS = 3_600_000;

export class ModelClient {
  readonly accounts = new Map<string, { readonly currency: string; active: boolean }>();
  readonly defaults = new Map<string, string>();
  readonly balances = new Map<string, bigint>();
  /** Open scheduled sells by currency. */
  readonly scheduled = new Map<string, bigint>();
  readonly bookings = new Map<string, ModelBooking>();
  readonly holds = new Map<string, ModelHold>();
  /** Entries of the due list and their times. */
  readonly due = new Map<string, number>();
  readonly journal: [step: string, id: string, moves: string][] = [];
  readonly receipts = new Map<string, Receipt>();
  /** By confirmation id. */
  readonly changed = new Map<string, Changed>();
  /** What comes at its date, by the conversion that was cancelled. */
  readonly gains = new Map<
    string,
    { currency: string; account: string; gain: bigint; margin: bigint; share: bigint }
  >();
  /** What the ledger has paid of gains in this round, and those that it has ended. */
  readonly paidGains = new Map<string, bigint[]>();
  readonly paidWhole = new Set<string>();
  /** What is owed, the oldest first, with the margin and the share that wait for it. */
  readonly receivables: { readonly currency: string; owed: bigint; margin: bigint; share: bigint }[] = [];
  readonly #deposits = new Map<string, string>();
  /** Whole units of any sell currency. */
  scheduledLimit = 0n;

  constructor(
    readonly id: string,
    readonly market: Market,
    /** Of the market's margin what the platform of this sub-client has added; 0: it is none. */
    readonly platformPpm = 0n,
  ) {}

  open(number: string, currency: string, makeDefault: boolean): void {
    this.accounts.set(number, { currency, active: true });
    this.balances.set(`${currency}/${number}`, 0n);
    if (makeDefault || !this.defaults.has(currency)) this.defaults.set(currency, number);
  }

  credit(number: string, reference: string, minor: bigint, now: number): string {
    const { currency, active } = this.accounts.get(number)!;
    const before = this.#deposits.get(reference);
    if (before !== undefined) return before === `${number} ${minor}` ? 'replayed' : 'REQUEST_ID_REUSED';
    if (!active) return 'ACCOUNT_INACTIVE';
    if (this.balanceOf(currency, number) + minor > LARGEST) return 'BALANCE_LIMIT';
    this.#deposits.set(reference, `${number} ${minor}`);
    this.write('deposit', reference, [[currency, 'nostro', number, minor]]);
    this.repayFirst(currency, number, minor, reference);
    this.wake(number, now);
    return 'credited';
  }

  book(command: BookCommand, now: number, confirmationId: string): Answer {
    const { requestId, session, ...asked } = command;
    const text = JSON.stringify(Object.entries(asked).sort());
    const known = this.receipts.get(requestId);
    if (known && known.command !== text) return { refusal: 'REQUEST_ID_REUSED', replayed: false };
    // The first answer, even if its record has changed since.
    if (known)
      return 'refusal' in known
        ? { refusal: known.refusal, replayed: true }
        : { booking: { ...known.booking }, replayed: true };

    const found = this.#judge(command, now);
    if (typeof found === 'string') {
      if (session !== undefined) this.receipts.set(requestId, { command: text, refusal: found });
      return { refusal: found, replayed: false };
    }
    const { settlesAt, ...legs } = found;
    const booking: ModelBooking = { ...legs, id: confirmationId, status: settlesAt === undefined ? 'SETTLED' : 'OPEN' };
    this.bookings.set(confirmationId, booking);
    const date = new Date(settlesAt ?? now).toISOString().slice(0, 10);
    this.changed.set(confirmationId, {
      createdAtMs: now,
      date,
      count: 0,
      dates: 0,
      settlesAtMs: settlesAt ?? now,
      bookedFor: date,
    });
    this.receipts.set(requestId, { command: text, booking: { ...booking } });
    if (command.quoteId !== undefined) this.#endHold(command.quoteId, 'used');
    if (settlesAt === undefined) {
      this.#convert('book-fx', booking);
      this.repayFirst(booking.buyCurrency, booking.buyAccount, booking.buy, confirmationId);
      this.wake(booking.buyAccount, now);
    } else {
      this.write('book-fx', confirmationId, []);
      this.schedule(booking.sellCurrency, booking.sell);
      this.due.set(`settle:${this.id}:${confirmationId}`, settlesAt);
    }
    return { booking, replayed: false };
  }

  /** The first reason not to book, else the booking. */
  #judge(command: BookCommand, now: number): string | (Legs & { readonly settlesAt: number | undefined }) {
    const { market } = this;
    const { sellCurrency, buyCurrency, sellAmount, buyAmount, quoteId, limitPrice } = command;
    const sellAccount = command.sellAccount ?? this.defaults.get(sellCurrency) ?? '';
    const buyAccount = command.buyAccount ?? this.defaults.get(buyCurrency) ?? '';
    const [from, into] = [this.accounts.get(sellAccount), this.accounts.get(buyAccount)];
    if (!from || !into) return 'UNKNOWN_ACCOUNT';
    if (!from.active || !into.active) return 'ACCOUNT_INACTIVE';
    if (from.currency !== sellCurrency || into.currency !== buyCurrency) return 'ACCOUNT_CURRENCY';
    if (sellCurrency === buyCurrency) return 'SAME_CURRENCY';
    const sell = sellAmount === undefined ? undefined : parseByHand(sellAmount, sellCurrency);
    const buy = buyAmount === undefined ? undefined : parseByHand(buyAmount, buyCurrency);
    if (sell === 'bad' || buy === 'bad') return 'BAD_AMOUNT';
    const given: Given = buy === undefined ? { side: 'sell', minor: sell! } : { side: 'buy', minor: buy };

    const hold = quoteId === undefined ? undefined : this.holds.get(quoteId);
    const type = command.type ?? hold?.type ?? 'PREFUNDING';
    const isOtherWay = hold !== undefined && (hold.sellCurrency !== sellCurrency || hold.buyCurrency !== buyCurrency);
    const held = isOtherWay ? undefined : hold;
    const onMarket = market.quote(sellCurrency, buyCurrency, 0);
    const at = (quote: HandQuote | undefined) =>
      quote && convertByHand(market.pair(sellCurrency, buyCurrency), sellCurrency, quote, given);
    const conversion = at(quoteId === undefined ? onMarket : held);
    // Limits come before faults of a hold: without its price, the amount is sized by the market's rate.
    const sized = conversion ?? at(onMarket);
    const size = market.size(sellCurrency, buyCurrency, given, sized);
    if (size !== undefined) return size;

    const sold = given.side === 'sell' ? given.minor : sized?.sell;
    const room = this.scheduledLimit * unitOf(sellCurrency) - (this.scheduled.get(sellCurrency) ?? 0n);
    if (type !== 'PREFUNDING' && sold !== undefined && sold > room) return 'AMOUNT_ABOVE_LIMIT';
    if (command.settlementDate !== undefined && hold === undefined) return 'BAD_SETTLEMENT_DATE';

    if (quoteId !== undefined) {
      if (hold === undefined) return 'HOLD_NOT_FOUND';
      if (hold.status === 'used') return 'HOLD_USED';
      if (hold.status !== 'open' || now > hold.expiryMs) return 'HOLD_EXPIRED';
      if (isOtherWay || hold.type !== type || command.settlementDate !== undefined) return 'HOLD_MISMATCH';
      const { amount } = hold;
      if (amount && (amount.side !== given.side || amount.minor !== given.minor)) return 'HOLD_MISMATCH';
    }
    if (conversion === undefined) return 'RATE_UNAVAILABLE';
    if (limitPrice !== undefined && !market.isWithin(limitPrice, sellCurrency, buyCurrency, conversion))
      return 'LIMIT_NOT_MET';
    if (sell !== undefined && buy !== undefined && conversion.sell > sell) return 'RATE_MOVED';
    const legs: Legs = { ...conversion, sellAccount, buyAccount, sellCurrency, buyCurrency };
    if (type !== 'PREFUNDING' && this.receivables.length > 0) return 'CREDIT_LIMIT';
    const owed = -this.balanceOf(sellCurrency, 'receivable');
    if (type === 'PREFUNDING') return this.#lacks(legs, owed) ?? { ...legs, settlesAt: undefined };
    if (hold) return { ...legs, settlesAt: Math.max(now, hold.settlesAtMs) };
    return { ...legs, settlesAt: settlesAtMs(type, sellCurrency, buyCurrency, now) as number };
  }

  /** One round of due work: each entry that was due when it began, the oldest first. */
  round(now: number): void {
    const isPaid = (entry: string) => entry.startsWith('gain:') && this.paidGains.has(entry.split(':')[2]!);
    const due = [...this.due].filter(([entry, at]) => at <= now || isPaid(entry));
    due.sort(([a, at], [b, other]) => at - other || (a < b ? -1 : 1));
    for (const [entry] of due) {
      const [kind, , id = ''] = entry.split(':');
      const hold = this.holds.get(id);
      if (kind === 'settle') this.#settle(entry, this.bookings.get(id)!, now);
      else if (kind === 'gain') this.#payGain(entry, id, now);
      else if (hold?.status === 'open' && now > hold.expiryMs) this.#endHold(id, 'expired');
    }
  }

  #settle(entry: string, booking: ModelBooking, now: number): void {
    const wasOverdue = booking.status === 'OVERDUE';
    if (booking.status !== 'OPEN' && !wasOverdue) return;
    const isActive = [booking.sellAccount, booking.buyAccount].every((number) => this.accounts.get(number)!.active);
    if (!isActive || this.#lacks(booking)) {
      if (!wasOverdue) this.write('overdue-fx', booking.id, []);
      booking.status = 'OVERDUE';
      this.due.set(entry, now + HOUR_MS);
      return;
    }
    booking.status = 'SETTLED';
    this.due.delete(entry);
    this.#convert('settle-fx', booking);
    this.repayFirst(booking.buyCurrency, booking.buyAccount, booking.buy, booking.id);
    this.schedule(booking.sellCurrency, -booking.sell);
    this.wake(booking.buyAccount, now);
    if (!wasOverdue) return;
    this.wake(booking.sellAccount, now);
    this.wake(booking.buyAccount, now, 'buyAccount');
  }

  /** As much as the ledger has paid: what it holds back is not modelled, but that it pays no more than there is, and the margins with the last of it. */
  #payGain(entry: string, id: string, now: number): void {
    const gain = this.gains.get(id)!;
    const told = this.paidGains.get(id)?.shift();
    if (told === undefined) {
      this.due.set(entry, now + HOUR_MS);
      return;
    }
    const { currency, account, margin, share } = gain;
    if (told > gain.gain) throw new Error(`of ${id} more is paid than its gain`);
    const pays = told;
    const isWhole = this.paidWhole.has(id);
    if (isWhole && pays !== gain.gain) throw new Error(`the margins of ${id} are posted before its gain`);
    this.write('gain-fx', id, [
      [currency, 'house:fx', account, pays],
      [currency, 'house:fx', 'house:margin', isWhole ? margin : 0n],
      [currency, 'house:fx', 'platform:margin', isWhole ? share : 0n],
    ]);
    if (isWhole) {
      this.gains.delete(id);
      this.due.delete(entry);
    } else {
      gain.gain -= pays;
      this.due.set(entry, now + HOUR_MS);
    }
    this.repayFirst(currency, account, pays, id);
    this.wake(account, now);
  }

  /** An account was changed. */
  change(number: string, active: boolean, now: number): void {
    this.accounts.get(number)!.active = active;
    this.wake(number, now);
    this.wake(number, now, 'buyAccount');
  }

  cancel(id: string): string {
    const booking = this.bookings.get(id);
    if (booking === undefined) return 'NOT_FOUND';
    if (booking.status !== 'OPEN' && booking.status !== 'OVERDUE') return 'NOT_CANCELLABLE';
    booking.status = 'CANCELLED';
    this.schedule(booking.sellCurrency, -booking.sell);
    this.due.delete(`settle:${this.id}:${id}`);
    this.write('cancel-fx', id, []);
    return 'done';
  }

  bust(id: string, now: number): string {
    const booking = this.bookings.get(id);
    if (booking === undefined) return 'NOT_FOUND';
    if (booking.status === 'CANCELLED' || booking.status === 'SPLIT') return 'WRONG_STATE';
    if (booking.status === 'SETTLED') {
      const reversed = reverse(legsOf(booking, this.platformPpm));
      const no = this.#mayMove(booking, reversed);
      if (no !== undefined) return no;
      booking.status = 'CANCELLED';
      this.#moveAnew('bust-fx', booking, reversed, now);
      return 'done';
    }
    booking.status = 'CANCELLED';
    this.schedule(booking.sellCurrency, -booking.sell);
    this.due.delete(`settle:${this.id}:${id}`);
    this.write('bust-fx', id, []);
    return 'done';
  }

  /** `change` is scaled, minor units of what the client gave, or both. */
  correct(id: string, change: { readonly price?: bigint; readonly minor?: bigint }, now: number): string {
    const booking = this.bookings.get(id);
    if (booking === undefined) return 'NOT_FOUND';
    if (booking.status === 'CANCELLED' || booking.status === 'SPLIT') return 'WRONG_STATE';
    const { sellCurrency, buyCurrency, providerPrice } = booking;
    const { price = booking.price } = change;
    const pair = this.market.pair(sellCurrency, buyCurrency);
    const sellsBase = sellCurrency === pair.base;
    if (sellsBase ? price > providerPrice : price < providerPrice) return 'BAD_MARGIN';
    const side = givenSide(booking);
    const given: Given = { side, minor: change.minor ?? booking[side] };
    const marginPpm = price === booking.price ? booking.marginPpm : marginBetween(price, providerPrice);
    const conversion = convertAt(pair, sellCurrency, { price, providerPrice, marginPpm }, given);
    const size = this.market.size(sellCurrency, buyCurrency, given, conversion);
    if (size !== undefined) return size;
    if (price === booking.price && conversion.sell === booking.sell && conversion.buy === booking.buy)
      return 'WRONG_STATE';
    if (booking.status !== 'SETTLED') {
      this.changed.get(id)!.count++;
      this.schedule(sellCurrency, conversion.sell - booking.sell);
      Object.assign(booking, conversion);
      if (booking.status === 'OVERDUE') this.due.set(`settle:${this.id}:${id}`, now);
      this.write('correct-fx', id, []);
      return 'done';
    }
    const moves = [
      ...reverse(legsOf(booking, this.platformPpm)),
      ...legsOf({ ...booking, ...conversion }, this.platformPpm),
    ];
    const no = this.#mayMove(booking, moves);
    if (no !== undefined) return no;
    this.changed.get(id)!.count++;
    Object.assign(booking, conversion);
    this.#moveAnew('correct-fx', booking, moves, now);
    return 'done';
  }

  /** Received, given and margin of the house, over all value dates, by `<pair> <side of the house> <margin currency>`. */
  positions(): Map<string, readonly [bigint, bigint, bigint]> {
    const all = new Map<string, readonly [bigint, bigint, bigint]>();
    for (const { status, sellCurrency, buyCurrency, marginCurrency, sell, buy, margin } of this.bookings.values()) {
      if (status === 'CANCELLED' || status === 'SPLIT') continue;
      const { base, quote } = this.market.pair(sellCurrency, buyCurrency);
      const name = `${base}/${quote} ${sellCurrency === base ? 'bought' : 'sold'} ${marginCurrency}`;
      const [received, given, kept] = all.get(name) ?? [0n, 0n, 0n];
      all.set(name, [received + sell, given + buy, kept + margin]);
    }
    for (const [id, { difference = 0n }] of this.changed) {
      if (difference === 0n) continue;
      const name = `${this.bookings.get(id)!.sellCurrency} closed out`;
      const [received, given] = all.get(name) ?? [0n, 0n];
      all.set(name, difference < 0n ? [received - difference, given, 0n] : [received, given + difference, 0n]);
    }
    return all;
  }

  #mayMove({ sellCurrency, sellAccount, buyCurrency, buyAccount }: Legs, moves: Moves): string | undefined {
    if ([sellAccount, buyAccount].some((number) => !this.accounts.get(number)!.active)) return 'ACCOUNT_INACTIVE';
    const after = [
      this.balanceOf(sellCurrency, sellAccount) + changeOf(sellAccount, moves),
      this.balanceOf(buyCurrency, buyAccount) + changeOf(buyAccount, moves),
    ];
    if (after.some((balance) => balance < 0n)) return 'INSUFFICIENT_BALANCE';
    return after.some((balance) => balance > LARGEST) ? 'BALANCE_LIMIT' : undefined;
  }

  #moveAnew(step: string, { id, sellAccount, buyAccount }: ModelBooking, moves: Moves, now: number): void {
    this.write(step, id, moves);
    for (const account of [sellAccount, buyAccount])
      this.repayFirst(this.accounts.get(account)!.currency, account, changeOf(account, moves), id);
    for (const account of [sellAccount, buyAccount]) if (changeOf(account, moves) > 0n) this.wake(account, now);
  }

  release(id: string, now: number): string {
    const hold = this.holds.get(id);
    if (hold === undefined) return 'HOLD_NOT_FOUND';
    if (hold.status === 'used') return 'HOLD_USED';
    if (hold.status === 'expired' || (hold.status === 'open' && now > hold.expiryMs)) return 'HOLD_EXPIRED';
    this.#endHold(id, 'released');
    return 'done';
  }

  openHolds(owner: string, now: number): number {
    const holds = [...this.holds.values()];
    return holds.filter((hold) => hold.owner === owner && hold.status === 'open' && hold.expiryMs >= now).length;
  }

  #endHold(id: string, status: ModelHold['status']): void {
    this.holds.get(id)!.status = status;
    this.due.delete(`hold:${this.id}:${id}`);
  }

  #lacks({ sellCurrency, sellAccount, sell, buyCurrency, buyAccount, buy }: Legs, spared = 0n): string | undefined {
    if (this.balanceOf(sellCurrency, sellAccount) - spared < sell) return 'INSUFFICIENT_BALANCE';
    return this.balanceOf(buyCurrency, buyAccount) + buy > LARGEST ? 'BALANCE_LIMIT' : undefined;
  }

  #convert(step: string, booking: ModelBooking): void {
    this.write(step, booking.id, legsOf(booking, this.platformPpm));
  }

  write(step: string, id: string, moves: Moves): void {
    // A statement shows a charge that is owed in full.
    const isShown = (...ends: string[]) => step === 'unwind-fx' && ends.some((end) => this.accounts.has(end));
    const moved = moves.filter(([, from, to, amount]) => amount !== 0n || isShown(from, to));
    for (const [currency, from, to, amount] of moved) {
      this.balances.set(`${currency}/${from}`, this.balanceOf(currency, from) - amount);
      this.balances.set(`${currency}/${to}`, this.balanceOf(currency, to) + amount);
    }
    this.journal.push([step, id, moved.map((move) => move.join(' ')).join(';')]);
  }

  /** A credit of an active account serves the oldest receivable of the currency. */
  repayFirst(currency: string, account: string, credited: bigint, id: string): void {
    const owed = -this.balanceOf(currency, 'receivable');
    const repaid = owed < credited ? owed : credited;
    if (repaid <= 0n || !this.accounts.get(account)!.active) return;
    let [left, margin, share] = [repaid, 0n, 0n];
    for (const one of this.receivables.filter((one) => one.currency === currency)) {
      for (const collected of ['difference', 'margin', 'share'] as const) {
        const open = collected === 'difference' ? one.owed - one.margin - one.share : one[collected];
        const part = open < left ? open : left;
        left -= part;
        one.owed -= part;
        if (collected !== 'difference') one[collected] -= part;
        if (collected === 'margin') margin += part;
        if (collected === 'share') share += part;
      }
    }
    this.receivables.splice(0, Number.POSITIVE_INFINITY, ...this.receivables.filter((one) => one.owed > 0n));
    this.write('repay', id, [
      [currency, account, 'receivable', repaid],
      [currency, 'house:fx', 'house:margin', margin],
      [currency, 'house:fx', 'platform:margin', share],
    ]);
  }

  shareOf(margin: bigint, marginPpm: bigint): bigint {
    return shareOf(this.platformPpm, margin, marginPpm);
  }

  balanceOf(currency: string, name: string): bigint {
    return this.balances.get(`${currency}/${name}`) ?? 0n;
  }

  schedule(currency: string, sell: bigint): void {
    this.scheduled.set(currency, (this.scheduled.get(currency) ?? 0n) + sell);
  }

  wake(account: string, now: number, by: 'sellAccount' | 'buyAccount' = 'sellAccount'): void {
    for (const booking of this.bookings.values())
      if (booking.status === 'OVERDUE' && booking[by] === account) this.due.set(`settle:${this.id}:${booking.id}`, now);
  }
}

/** Of a margin the part of the platform. */
function shareOf(platformPpm: bigint, margin: bigint, marginPpm: bigint): bigint {
  const ofPlatform = platformPpm < marginPpm ? platformPpm : marginPpm;
  return ofPlatform === 0n ? 0n : (margin * ofPlatform) / marginPpm;
}

function legsOf(
  { sellCurrency, sellAccount, sell, buyCurrency, buyAccount, buy, marginCurrency, margin, marginPpm }: Legs,
  platformPpm: bigint,
): Moves {
  const share = shareOf(platformPpm, margin, marginPpm);
  return [
    [sellCurrency, sellAccount, 'house:fx', sell],
    [buyCurrency, 'house:fx', buyAccount, buy],
    [marginCurrency, 'house:fx', 'house:margin', margin - share],
    [marginCurrency, 'house:fx', 'platform:margin', share],
  ];
}

const reverse = (moves: Moves): Moves => moves.map(([currency, from, to, amount]) => [currency, to, from, amount]);

const changeOf = (account: string, moves: Moves): bigint =>
  moves.reduce((sum, [, from, to, amount]) => {
    if (to === account) return sum + amount;
    return from === account ? sum - amount : sum;
  }, 0n);

/** The margin is in the currency whose amount was computed. */
export const givenSide = ({ marginCurrency, buyCurrency }: Legs): 'sell' | 'buy' =>
  marginCurrency === buyCurrency ? 'sell' : 'buy';
