/** What a client may change of a conversion that has not settled, by the rules: the terms of its quotes, and what each change makes of the model. */
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { checkSettlementDate, dateSettlesAtMs } from '../../engine/domain/money/value-date.js';
import type { ModelBooking, ModelClient, Moves } from './model.js';
import { convertByHand, type HandConversion, hasMoved } from './model-price.js';

export type Kind = 'cancel' | 'date' | 'split';
type Amounts = Pick<HandConversion, 'sell' | 'buy' | 'margin'>;

/** Of a cancellation the opposite deal, and the difference: below 0 it is charged. */
export type Terms =
  | ({
      readonly kind: 'cancel';
      readonly difference: bigint;
      /** When a gain, and what of the margins no charge pays, comes. */
      readonly paysAtMs: number;
    } & Pick<HandConversion, 'price' | 'margin' | 'marginPpm'>)
  | { readonly kind: 'date'; readonly settlesAtMs: number }
  | { readonly kind: 'split'; readonly parts: readonly Amounts[] };

export interface Asked {
  readonly id: string;
  readonly kind: Kind;
  /** 'YYYY-MM-DD'. */
  readonly date?: string | undefined;
  /** Minor units of what is sold. */
  readonly sells?: readonly bigint[] | undefined;
}

export interface ModelQuote extends Asked {
  readonly client: ModelClient;
  readonly quoteId: string;
  readonly terms: Terms;
  /** Of the change that it would be. */
  readonly number: number;
  readonly atMs: number;
}

/** What is known of a conversion besides its terms. */
export interface Changed {
  readonly createdAtMs: number;
  /** Its settlement date, 'YYYY-MM-DD'. */
  date: string;
  /** Amendments of every kind, and changes of its date. */
  count: number;
  dates: number;
  /** When it settles, epoch ms. */
  settlesAtMs: number;
  /** The value date that it was booked for, 'YYYY-MM-DD'; of a child the later of those of its parent. */
  bookedFor: string;
  /** Of a cancellation by the client: below 0 it was charged. */
  difference?: bigint;
}

const OFFER_MS = 30_000;
const DAY_MS = 86_400_000;
const DATES_MAX = 5;

/** Its time to settle has passed. */
const isLate = ({ status }: ModelBooking, { settlesAtMs }: Changed, now: number): boolean =>
  status === 'OVERDUE' || now >= settlesAtMs;

/** Of two dates, 'YYYY-MM-DD'. */
const laterOf = (...dates: [string, string]): string => dates.sort()[1]!;

const isOpen = ({ status }: ModelBooking): boolean => status === 'OPEN' || status === 'OVERDUE';

/** The terms of a quote, or the first reason against it. */
export function termsOf(client: ModelClient, { id, kind, date, sells = [] }: Asked, now: number): Terms | string {
  const booking = client.bookings.get(id);
  if (booking === undefined) return 'NOT_FOUND';
  if (!isOpen(booking)) return 'NOT_CHANGEABLE';
  const { market } = client;
  const { sellCurrency, buyCurrency, sell, buy, margin } = booking;
  const pair = market.pair(sellCurrency, buyCurrency);
  if (kind === 'cancel') {
    const back = backOf(client, booking);
    if (back === undefined) return 'AMOUNT_BELOW_MIN';
    const { date, bookedFor } = client.changed.get(id)!;
    const paysAtMs = Math.max(now, Date.parse(laterOf(date, bookedFor)) + DAY_MS - 1);
    const { price, margin, marginPpm } = back;
    return { kind, difference: back.buy - sell, price, margin, marginPpm, paysAtMs };
  }
  const { dates, createdAtMs, date: own } = client.changed.get(id)!;
  if (kind === 'date') {
    if (isLate(booking, client.changed.get(id)!, now)) return 'NOT_CHANGEABLE';
    if (dates === DATES_MAX) return 'NOT_CHANGEABLE';
    const bad = checkSettlementDate(pairBySymbol(`${pair.base}/${pair.quote}`)!, date!, now);
    if (bad) return bad.refusal;
    if (date === own) return 'BAD_SETTLEMENT_DATE';
    return { kind, settlesAtMs: Math.max(now, dateSettlesAtMs(date!.replaceAll('-', ''), createdAtMs)) };
  }
  if (sells.some((one) => one <= 0n) || sells.reduce((sum, one) => sum + one, 0n) !== sell) return 'BAD_AMOUNT';
  const [buys, margins] = [portions(buy, sells), portions(margin, sells)];
  const parts = sells.map((one, i) => ({ sell: one, buy: buys[i]!, margin: margins[i]! }));
  for (const part of parts) {
    const size = market.size(sellCurrency, buyCurrency, { side: 'sell', minor: part.sell }, { ...booking, ...part });
    if (size !== undefined) return size;
  }
  return { kind, parts };
}

/** The opposite deal at the market of this moment; undefined: it brings nothing. */
function backOf({ market }: ModelClient, { sellCurrency, buyCurrency, buy }: ModelBooking): HandConversion | undefined {
  const quote = market.quote(buyCurrency, sellCurrency, 0)!;
  const pair = market.pair(sellCurrency, buyCurrency);
  const back = convertByHand(pair, buyCurrency, quote, { side: 'sell', minor: buy });
  return back.buy === 0n ? undefined : back;
}

function portions(total: bigint, by: readonly bigint[]): bigint[] {
  const whole = by.reduce((sum, one) => sum + one, 0n);
  const until = by.map((_, i) => (total * by.slice(0, i + 1).reduce((sum, one) => sum + one, 0n)) / whole);
  return until.map((end, i) => end - (until[i - 1] ?? 0n));
}

/** The change by a quote, or the first reason against it; `childIds` are of a split. */
export function make(
  client: ModelClient,
  { id, kind, date, quoteId, terms, number, atMs }: ModelQuote,
  requestId: string,
  now: number,
  childIds: readonly string[],
): 'done' | 'replayed' | string {
  const booking = client.bookings.get(id);
  if (booking === undefined) return 'NOT_FOUND';
  const command = `${kind} ${id} ${quoteId}`;
  const known = client.receipts.get(requestId);
  if (known) return known.command === command ? 'replayed' : 'REQUEST_ID_REUSED';
  if (!isOpen(booking)) return 'NOT_CHANGEABLE';
  const changed = client.changed.get(id)!;
  if (kind === 'date' && isLate(booking, changed, now)) return 'NOT_CHANGEABLE';
  if (number !== changed.count + 1) return 'QUOTE_INVALID';
  if (now > atMs + OFFER_MS) return 'QUOTE_EXPIRED';
  const { sellAccount, sellCurrency } = booking;
  if (terms.kind === 'cancel') {
    if (!client.accounts.get(sellAccount)!.active) return 'ACCOUNT_INACTIVE';
    const back = backOf(client, booking);
    if (back === undefined) return 'AMOUNT_BELOW_MIN';
    if (hasMoved(terms.price, back.price)) return 'RATE_MOVED';
  }
  client.receipts.set(requestId, { command, booking });
  changed.count++;
  const entry = `settle:${client.id}:${id}`;
  const dueAt = booking.status === 'OVERDUE' ? now : client.due.get(entry)!;
  if (terms.kind === 'cancel') {
    booking.status = 'CANCELLED';
    changed.difference = terms.difference;
    client.schedule(sellCurrency, -booking.sell);
    client.due.delete(entry);
    client.write('unwind-fx', id, movesOf(client, booking, terms));
  } else if (terms.kind === 'date') {
    booking.status = 'OPEN';
    changed.dates++;
    changed.date = date!;
    changed.settlesAtMs = terms.settlesAtMs;
    client.due.set(entry, terms.settlesAtMs);
    client.write('date-fx', id, []);
  } else {
    booking.status = 'SPLIT';
    client.due.delete(entry);
    client.write('split-fx', id, []);
    for (const [i, part] of terms.parts.entries()) {
      const child: ModelBooking = { ...booking, ...part, id: childIds[i] ?? '', status: 'OPEN' };
      client.bookings.set(child.id, child);
      client.changed.set(child.id, {
        ...changed,
        ...{
          createdAtMs: now,
          count: 0,
          bookedFor: laterOf(changed.date, changed.bookedFor),
        },
      });
      client.due.set(`settle:${client.id}:${child.id}`, dueAt);
      client.write('book-fx', child.id, []);
    }
  }
  return 'done';
}

/** What the account lacks of a charge is owed. */
function movesOf(
  client: ModelClient,
  { id, sellAccount, sellCurrency }: ModelBooking,
  { difference, margin, marginPpm, paysAtMs }: Extract<Terms, { kind: 'cancel' }>,
): Moves {
  const balance = client.balanceOf(sellCurrency, sellAccount);
  const charge = difference < 0n ? -difference : 0n;
  const gain = difference > 0n ? difference : 0n;
  const owed = charge > balance ? charge - balance : 0n;
  const ofPlatform = client.shareOf(margin, marginPpm);
  const ofHouse = margin - ofPlatform;
  // A charge pays the house's margin first; the rest comes at the date.
  const own = ofHouse < charge ? ofHouse : charge;
  const share = ofPlatform < charge - own ? ofPlatform : charge - own;
  const later = {
    currency: sellCurrency,
    account: sellAccount,
    gain,
    margin: ofHouse - own,
    share: ofPlatform - share,
  };
  if (later.gain + later.margin + later.share > 0n) {
    client.gains.set(id, later);
    client.due.set(`gain:${client.id}:${id}`, paysAtMs);
  }
  // What is owed is of the share first, then of the margin.
  const shareLeft = share < owed ? share : owed;
  const marginLeft = own < owed - shareLeft ? own : owed - shareLeft;
  if (owed > 0n) client.receivables.push({ currency: sellCurrency, owed, margin: marginLeft, share: shareLeft });
  return [
    ...(difference < 0n
      ? ([
          [sellCurrency, sellAccount, 'house:fx', charge - owed],
          [sellCurrency, 'receivable', 'house:fx', owed],
        ] as const)
      : gain > 0n
        ? ([[sellCurrency, 'house:fx', sellAccount, 0n]] as const)
        : []),
    [sellCurrency, 'house:fx', 'house:margin', own - marginLeft],
    [sellCurrency, 'house:fx', 'platform:margin', share - shareLeft],
  ];
}
