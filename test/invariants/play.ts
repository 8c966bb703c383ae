/** Random commands for the ledger and for its model, one after the other, by a seed. */
import type { Booking, Hold } from '../../engine/domain/conversions/booking.js';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { formatMinor } from '../../engine/domain/money/money.js';
import { settlesAtMs } from '../../engine/domain/money/value-date.js';
import { settleDue } from '../../engine/roles/conversions/settle-due.js';
import type { AnyOperationName } from '../../engine/service/operations.js';
import { perform } from '../../engine/service/perform.js';
import { random } from '../domain/random.js';
import type { TestServices } from '../service/core/services.js';
import { type BookCommand, givenSide, ModelClient } from './model.js';
import { convertByHand, hasMoved, Market, parseByHand } from './model-price.js';
import { PlayChanges } from './play-changes.js';
import { same } from './same.js';

/** A Thursday: the clock can reach the weekend and Thanksgiving. */
export const START = Date.UTC(2026, 10, 19, 20, 0, 0);
const CURRENCIES = ['EUR', 'USD', 'JPY', 'GBP'];
const SESSIONS = ['DESK1', 'DESK2'];
const ADD_ONS = { '5_mins': 0, '15_mins': 0, '1_hour': 200, '4_hours': 500 } as const;
const PERIOD_MS = { '5_mins': 300_000, '15_mins': 900_000, '1_hour': 3_600_000, '4_hours': 14_400_000 } as const;
const OFFER_MS = 30_000;
const DAY_MS = 86_400_000;
const HOLDS_MAX = 50;
/** The steps' clock runs on from where a test sets it, at most this far. */
export const NEAR_MS = 20_000;

interface Offer {
  readonly client: ModelClient;
  readonly signature: string;
  readonly atMs: number;
  readonly holdMs: number;
  readonly terms: Omit<Parameters<ModelClient['holds']['set']>[1], 'owner' | 'expiryMs' | 'settlesAtMs' | 'status'>;
  holdId?: string;
}

/** Of the 0.25 percent of the market. */
const PLATFORM_PPM = 700n;

export class Play {
  readonly clients: ModelClient[] = [];
  /** The commands, newest last. */
  readonly told: string[] = [];
  readonly outcomes = new Map<string, number>();
  readonly #next: () => number;
  readonly #market = new Market(2_500);
  readonly #sent: { readonly client: ModelClient; readonly command: BookCommand }[] = [];
  readonly #offers: Offer[] = [];
  readonly #deposits: [client: ModelClient, account: string, reference: string, minor: bigint][] = [];
  readonly #changes = new PlayChanges({
    clients: this.clients,
    now: () => this.clock.now,
    next: () => this.#next(),
    ask: (name, input, by) => this.#ask(name as AnyOperationName, input, by),
    count: (outcome) => this.#count(outcome),
  });
  #ids = 0;

  constructor(
    readonly on: TestServices,
    readonly clock: { now: number },
    readonly name: string,
    seed: number,
    /** Its clients are sub-clients of a platform with this name. */
    readonly isOfPlatform = false,
  ) {
    this.#next = random(seed);
  }

  async begin(): Promise<void> {
    this.clock.now = START;
    if (this.isOfPlatform) await this.#platform();
    const [between, platformPpm] = this.isOfPlatform ? ['~', PLATFORM_PPM] : ['-', 0n];
    for (const id of [`${this.name}${between}a`, `${this.name}${between}b`]) {
      await this.#ask('createClient', { id, name: id });
      const client = new ModelClient(id, this.#market, platformPpm);
      this.clients.push(client);
      await this.#limit(client, 20_000);
      await this.#ask('changeClient', { id, holdLimitUsd: 1_000_000_000, holdMaximumUsd: 1_000_000_000 });
      for (const currency of CURRENCIES) await this.#open(client, currency, false);
    }
    for (const [symbol, bid, offer] of [
      ['EUR/USD', '1.08158', '1.08164'],
      ['USD/JPY', '151.234', '151.241'],
      ['EUR/JPY', '163.571', '163.602'],
    ] as const)
      this.#quote(symbol, bid, offer);
  }

  /** Its own margin and what it adds are together that of the market. It has an account in one currency. */
  async #platform(): Promise<void> {
    const id = this.name;
    await this.#ask('createClient', { id, name: id });
    await this.#ask('changeClient', { id, isPlatform: true });
    await this.#ask('changeClient', { id, holdLimitUsd: 1_000_000_000 });
    // Of all its sub-clients together, gross.
    await this.#ask('setScheduledLimit', { clientId: id, limit: '1000000000' });
    await this.#ask('openAccount', { clientId: id, currency: 'USD' });
    await this.#ask('setMargin', { clientId: id, pair: '*', type: '*', margin: '0.18' });
    await this.#ask('setMargin', { clientId: `${id}~*`, pair: '*', type: '*', margin: '0.07' });
    await this.on.loadMargins();
  }

  /** One command on both; compares the ledger's answer with the model's. */
  async step(): Promise<void> {
    const client = this.#pick(this.clients);
    const roll = this.#next() * 100;
    if (roll < 46) return this.#book(client, this.#command(client));
    if (roll < 54) return this.#again();
    if (roll < 60) return this.#offer(client);
    if (roll < 67) return this.#lock();
    if (roll < 69) return this.#release(client);
    if (roll < 80) return this.#credit(client);
    if (roll < 81) return this.#open(client, this.#pick(CURRENCIES), this.#chance(0.4));
    if (roll < 84) return this.#change(client);
    if (roll < 85.5) return this.#cancel(client);
    if (roll < 87.5) return this.#amend(client);
    if (roll < 88) return this.#limit(client, this.#pick([0, 500, 20_000, 999_999_999_999]));
    if (roll < 90) return this.#move();
    if (roll < 93.5) return this.#wait();
    if (roll < 97) return this.#changes.step(client);
    return this.round();
  }

  /** Due work, as the engine's timer does it. */
  async round(): Promise<void> {
    this.#tell('round');
    await settleDue(this.on.services, 1_000);
    for (const client of this.clients) {
      await this.#readGains(client);
      client.round(this.clock.now);
    }
  }

  async #readGains(client: ModelClient): Promise<void> {
    client.paidGains.clear();
    const { clients, journal, ledgerAudit } = this.on.services.store;
    const of = (await clients.get(client.id))!;
    const { gains, entries } = await ledgerAudit.snapshot(of);
    const newest = await journal.latest(of, Math.max(1, entries - client.journal.length));
    for (const { step, id, moves } of entries === client.journal.length ? [] : newest.toReversed()) {
      if (step !== 'gain-fx') continue;
      const own = moves.split(';').find((move) => /^[A-Z]{3} house:fx \d{12} /.test(move));
      client.paidGains.set(id, [...(client.paidGains.get(id) ?? []), BigInt(own?.split(' ')[3] ?? '0')]);
      if (!gains.some((member) => member.startsWith(`${id}|`))) client.paidWhole.add(id);
    }
  }

  #command(client: ModelClient): BookCommand {
    const [sellCurrency, buyCurrency] = this.#twoCurrencies();
    const account = (currency: string): string => {
      const owner = this.#chance(0.94) ? client : this.#pick(this.clients);
      const all = [...owner.accounts].filter(([, of]) => of.currency === currency || this.#chance(0.02));
      return all.length > 0 && this.#chance(0.99) ? this.#pick(all)[0] : '100000000000';
    };
    const named = this.#chance(0.5);
    const both = this.#chance(0.15);
    const sells = both || this.#chance(0.5);
    const buyAmount = sells && !both ? undefined : this.#amount(buyCurrency);
    const held = this.#chance(0.35) ? this.#anyHold(client) : undefined;
    const asHeld = held && client.holds.get(held) && this.#chance(0.85) ? client.holds.get(held)! : undefined;
    const type = this.#chance(0.45) ? this.#pick(['PREFUNDING', 'SCHEDULED1', 'SCHEDULED2'] as const) : undefined;
    const asked: BookCommand = {
      requestId: `request-${++this.#ids}`,
      sellCurrency: asHeld?.sellCurrency ?? sellCurrency,
      buyCurrency: asHeld?.buyCurrency ?? buyCurrency,
      ...(asHeld?.amount || !sells ? {} : { sellAmount: this.#amount(asHeld?.sellCurrency ?? sellCurrency) }),
      ...(asHeld?.amount || buyAmount === undefined ? {} : { buyAmount }),
      ...(asHeld?.amount ? heldAmount(asHeld) : {}),
      ...(type && !asHeld ? { type } : {}),
      ...(held === undefined ? {} : { quoteId: held }),
      ...(this.#chance(0.02) ? { settlementDate: '2026-11-01' } : {}),
      ...(this.#chance(0.05) ? { limitPrice: this.#pick(['0.9', '1.0788', '1.0844', '150.8', '151.6', '170']) } : {}),
      ...(this.#chance(0.4) ? { session: this.#pick(SESSIONS) } : {}),
    };
    if (!named) return asked;
    return { ...asked, sellAccount: account(asked.sellCurrency), buyAccount: account(asked.buyCurrency) };
  }

  async #book(client: ModelClient, command: BookCommand): Promise<void> {
    const { sellAccount, buyAccount, ...rest } = command;
    const byAccount = sellAccount !== undefined || buyAccount !== undefined;
    const input = byAccount ? { ...rest, sellAccount: Number(sellAccount), buyAccount: Number(buyAccount) } : rest;
    this.#tell('book', client.id, command);
    const caller = { clientId: client.id, keyId: 'model', rights: new Set(RIGHTS) };
    const name = byAccount ? 'bookFxByAccount' : 'bookFxByCurrency';
    const answer = await perform(this.on.services, name, caller, { ...input, description: 'by the model' });
    const booked = 'refusal' in answer ? undefined : (answer as { booking: Booking; replayed: boolean });
    const expected = client.book(command, this.clock.now, booked?.booking.id ?? '');
    if ('refusal' in expected) {
      const { refusal, replayed = false } = answer as { refusal?: string; replayed?: boolean };
      this.#same({ refusal, replayed }, expected);
    } else {
      const { booking, replayed } = booked ?? { booking: answer, replayed: undefined };
      const { id, sellAccount, buyAccount, sell, buy, margin, marginCurrency, status } = booking as Booking;
      const { price, providerPrice, marginPpm } = booking as Booking;
      const amounts = {
        sell: BigInt(sell ?? 0),
        buy: BigInt(buy ?? 0),
        margin: BigInt(margin ?? 0),
        price: BigInt(price ?? 0),
        providerPrice: BigInt(providerPrice ?? 0),
        marginPpm: BigInt(marginPpm ?? 0),
      };
      const { sellCurrency: _s, buyCurrency: _b, ...model } = expected.booking;
      this.#same(
        { id, sellAccount, buyAccount, marginCurrency, status, ...amounts, replayed },
        { ...model, replayed: expected.replayed },
      );
    }
    this.#count('refusal' in expected ? expected.refusal : expected.replayed ? 'replayed' : expected.booking.status);
    if (this.#sent.push({ client, command }) > 40) this.#sent.shift();
  }

  async #again(): Promise<void> {
    if (this.#sent.length === 0) return;
    const { client, command } = this.#pick(this.#sent);
    if (this.#chance(0.7)) return this.#book(client, { ...command, ...(this.#chance(0.5) && { session: 'DESK1' }) });
    return this.#book(client, { ...command, sellAmount: (command.sellAmount ?? 10) + 1 });
  }

  async #offer(client: ModelClient): Promise<void> {
    const [sellCurrency, buyCurrency] = this.#twoCurrencies();
    const holdPeriod = this.#pick(Object.keys(ADD_ONS) as (keyof typeof ADD_ONS)[]);
    const side = this.#pick(['sell', 'buy'] as const);
    const currency = side === 'sell' ? sellCurrency : buyCurrency;
    const amount = this.#chance(0.5) ? this.#amount(currency) : undefined;
    const type = this.#chance(0.2) ? 'SCHEDULED1' : 'PREFUNDING';
    const asked = { sellCurrency, buyCurrency, holdPeriod, type, ...(amount && { [`${side}Amount`]: amount }) };
    const answer = await this.#ask('getLockableRate', asked, client);
    const minor = amount ? parseByHand(amount, currency) : undefined;
    const judge = (): string | Offer['terms'] => {
      if (sellCurrency === buyCurrency) return 'SAME_CURRENCY';
      if (minor === 'bad') return 'BAD_AMOUNT';
      const quote = this.#market.quote(sellCurrency, buyCurrency, ADD_ONS[holdPeriod]);
      if (quote === undefined) return 'RATE_UNAVAILABLE';
      const given = minor === undefined ? undefined : { side, minor };
      const pair = this.#market.pair(sellCurrency, buyCurrency);
      const size =
        given && this.#market.size(sellCurrency, buyCurrency, given, convertByHand(pair, sellCurrency, quote, given));
      return size ?? { sellCurrency, buyCurrency, ...quote, type, amount: given };
    };
    const terms = judge();
    this.#same(answer.refusal ?? 'offered', typeof terms === 'string' ? terms : 'offered');
    if (typeof terms === 'string') return;
    const signature = String(answer.rateSignature);
    this.#offers.push({ client, signature, atMs: this.clock.now, holdMs: PERIOD_MS[holdPeriod], terms });
    if (this.#offers.length > 12) this.#offers.shift();
  }

  async #lock(): Promise<void> {
    if (this.#offers.length === 0) return;
    const offer = this.#pick(this.#offers);
    const { client, signature, atMs, holdMs, terms } = offer;
    const session = this.#chance(0.5) ? this.#pick(SESSIONS) : undefined;
    const { now } = this.clock;
    const owner = session ?? '/rest';
    const isFull = session !== undefined && client.openHolds(owner, now) >= HOLDS_MAX;
    const isLate = now > atMs + OFFER_MS;
    const moved = this.#moved(terms);
    const owes = client.receivables.length > 0;
    const answer = await this.#ask('lockRate', { rateSignature: signature, session }, client);
    const hold = answer.hold as Hold | undefined;
    const limit = isFull ? 'HOLD_LIMIT' : owes ? 'CREDIT_LIMIT' : hold?.id;
    const expected = offer.holdId ?? (isLate ? 'RATE_SIGNATURE_EXPIRED' : (moved ?? limit));
    this.#count(`lock ${expected === hold?.id ? 'done' : expected}`);
    this.#same(answer.refusal ?? hold?.id, expected);
    if (hold === undefined || offer.holdId !== undefined) return;
    offer.holdId = hold.id;
    const { type, sellCurrency, buyCurrency } = terms;
    const dated = settlesAtMs(type, sellCurrency, buyCurrency, atMs) as number;
    const settles = dated - (dated % DAY_MS) + (now % DAY_MS);
    client.holds.set(hold.id, { ...terms, owner, expiryMs: now + holdMs, settlesAtMs: settles, status: 'open' });
    // One of a sub-client counts for its platform until it ends.
    if (session !== undefined || this.isOfPlatform) client.due.set(`hold:${client.id}:${hold.id}`, now + holdMs);
  }

  /** Why an offer is not locked at the market of this moment. */
  #moved({ sellCurrency, buyCurrency, marginPpm, amount, ...offered }: Offer['terms']): string | undefined {
    const market = this.#market;
    const quote = market.quote(sellCurrency, buyCurrency, marginPpm - market.marginPpm)!;
    const pair = market.pair(sellCurrency, buyCurrency);
    // Without an amount the price alone counts.
    const given = amount ?? { side: 'sell', minor: 1_000_000n };
    const now = convertByHand(pair, sellCurrency, quote, given);
    const size = amount && market.size(sellCurrency, buyCurrency, amount, now);
    const { price } = convertByHand(pair, sellCurrency, { ...offered, marginPpm }, given);
    return size ?? (hasMoved(price, now.price) ? 'RATE_MOVED' : undefined);
  }

  async #release(client: ModelClient): Promise<void> {
    const holdId = this.#anyHold(client);
    const answer = await this.#ask('releaseHold', { holdId }, client);
    this.#same(answer.refusal ?? 'done', client.release(holdId, this.clock.now));
  }

  async #credit(client: ModelClient): Promise<void> {
    let [of, number, reference, minor] = [client, this.#pick([...client.accounts.keys()]), `ref-${++this.#ids}`, 0n];
    const filled = 999_999_999_999_999n - client.balances.get(`${client.accounts.get(number)!.currency}/${number}`)!;
    minor = this.#chance(0.03)
      ? filled + BigInt(this.#pick([0, 1, -500]))
      : BigInt(Math.floor(10 ** (2 + this.#next() * 5)));
    if (minor <= 0n || minor > 999_999_999_999_999n) minor = 1n;
    if (this.#deposits.length > 0 && this.#chance(0.1)) [of, number, reference, minor] = this.#pick(this.#deposits);
    else this.#deposits.push([of, number, reference, minor]);
    if (this.#chance(0.02)) minor += 100n;
    const amount = formatMinor(minor, of.accounts.get(number)!.currency);
    const answer = await this.#ask('creditAccount', { accountNumber: number, amount, reference });
    const isAmount = minor <= 999_999_999_999_999n;
    const expected = isAmount ? of.credit(number, reference, minor, this.clock.now) : 'BAD_AMOUNT';
    this.#same(answer.refusal ?? (answer.replayed ? 'replayed' : 'credited'), expected);
  }

  async #open(client: ModelClient, currency: string, makeDefault: boolean): Promise<void> {
    const opened = await this.#ask('openAccount', { clientId: client.id, currency, makeDefault });
    client.open(String(opened.number), currency, makeDefault);
  }

  async #change(client: ModelClient): Promise<void> {
    const [number, account] = this.#pick([...client.accounts]);
    const active = account.active ? this.#chance(0.85) : true;
    const makeDefault = this.#chance(0.3);
    await this.#ask('changeAccount', { accountNumber: number, active, ...(makeDefault && { makeDefault }) });
    client.change(number, active, this.clock.now);
    if (makeDefault) client.defaults.set(account.currency, number);
  }

  async #cancel(client: ModelClient): Promise<void> {
    const ids = this.clients.flatMap(({ bookings }) => [...bookings.keys()]);
    const confirmationId = this.#chance(0.05) || ids.length === 0 ? 'BFX0000000000000000' : this.#pick(ids);
    const answer = await this.#ask('cancelBooking', { clientId: client.id, confirmationId });
    this.#same(answer.refusal ?? 'done', client.cancel(confirmationId));
  }

  async #amend(client: ModelClient): Promise<void> {
    const owner = this.#chance(0.95) ? client : this.#pick(this.clients);
    const ids = [...owner.bookings.keys()];
    const confirmationId =
      ids.length === 0 ? 'BFX0000000000000000' : this.#pick(this.#chance(0.7) ? ids.slice(-5) : ids);
    const booking = client.bookings.get(confirmationId);
    const named = { clientId: client.id, confirmationId, reason: 'by the model' };
    if (booking === undefined || this.#chance(0.5)) {
      const answer = await this.#ask('bustBooking', named);
      const expected = client.bust(confirmationId, this.clock.now);
      this.#same(answer.refusal ?? 'done', expected);
      return this.#count(`bust ${expected}`);
    }
    const { sellCurrency, buyCurrency } = booking;
    const pair = this.#market.pair(sellCurrency, buyCurrency);
    const worse = BigInt(this.#pick([0, 1, 5_000, 20_000, -30_000]));
    const isPriced = this.#chance(0.6);
    const price = booking.price + (sellCurrency === pair.base ? -worse : worse);
    const side = givenSide(booking);
    const minor = booking[side] + BigInt(this.#pick([0, 100, -100, 1_000_000]));
    const isSized = minor > 0n && (!isPriced || this.#chance(0.5));
    if (!isPriced && !isSized) return;
    const rate = String(price)
      .padStart(pair.digits + 1, '0')
      .replace(new RegExp(`(\\d{${pair.digits}})$`), '.$1');
    const amount = formatMinor(minor, side === 'sell' ? sellCurrency : buyCurrency);
    const asked = { ...(isPriced && { rate }), ...(isSized && { amount }) };
    const answer = await this.#ask('correctBooking', { ...named, ...asked });
    const change = { ...(isPriced && { price }), ...(isSized && { minor }) };
    const expected = client.correct(confirmationId, change, this.clock.now);
    this.#same(answer.refusal ?? 'done', expected);
    this.#count(`correct ${expected}`);
  }

  async #limit(client: ModelClient, limit: number): Promise<void> {
    await this.#ask('setScheduledLimit', { clientId: client.id, limit: String(limit) });
    client.scheduledLimit = BigInt(limit);
  }

  #move(): void {
    const digit = 1 + Math.floor(this.#next() * 9);
    this.#quote('EUR/USD', `1.08${digit}5${digit}`, `1.08${digit}6${digit}`);
  }

  #quote(symbol: string, bid: string, offer: string): void {
    this.#tell('tick', symbol, bid, offer);
    // The clock is set back when a new play begins; a provider's time is not.
    this.on.tick(symbol, bid, offer, Date.now());
    this.#market.tick(symbol, bid, offer);
  }

  /**
   * Advances the clock by a moment, by a while, or from well before to just after the next relevant time; never to just before one, because
   * the steps' clock runs on from there.
   */
  #wait(): void {
    const times = this.clients.flatMap(({ due, holds }) => [
      ...due.values(),
      ...[...holds.values()].map((hold) => hold.expiryMs),
    ]);
    times.push(...this.#offers.map(({ atMs }) => atMs + OFFER_MS), ...this.#changes.times);
    const { now } = this.clock;
    const next = Math.min(...times.filter((at) => at > now + 1));
    const isNext = Number.isFinite(next) && this.#chance(0.5);
    let wanted = isNext ? next + this.#pick([-2 * NEAR_MS, 2 * NEAR_MS]) : now + Math.floor(10 ** (this.#next() * 7.5));
    wanted = Math.max(wanted, now);
    const isNear = (at: number) => Math.abs(at - wanted) <= NEAR_MS;
    for (let at = times.find(isNear); at !== undefined; at = times.find(isNear)) wanted = at + NEAR_MS + 1;
    this.clock.now = wanted;
    this.#tell('wait until', this.clock.now);
  }

  #anyHold(client: ModelClient): string {
    const owner = this.#chance(0.95) ? client : this.#pick(this.clients);
    const ids = [...owner.holds.keys()].slice(-8);
    return ids.length > 0 && this.#chance(0.97) ? this.#pick(ids) : 'HLD0000000000000000';
  }

  #amount(currency: string): number {
    if (this.#chance(0.06))
      return this.#pick([0, 0.01, 0.5, 1, 0.001, 1.5, 5_000_000, 5_000_000.01, 999_999_999_999_999]);
    const units = 10 ** (this.#next() * 5) * (currency === 'JPY' ? 150 : 1);
    return currency === 'JPY' ? Math.ceil(units) : Math.ceil(units * 100) / 100;
  }

  /** Rarely the one without quotes, rarely the same twice. */
  #twoCurrencies(): [sell: string, buy: string] {
    const from = this.#chance(0.04) ? CURRENCIES : CURRENCIES.slice(0, 3);
    const sell = this.#pick(from);
    return [sell, this.#pick(this.#chance(0.02) ? from : from.filter((currency) => currency !== sell))];
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#next() * from.length)]!;
  }

  #chance(share: number): boolean {
    return this.#next() < share;
  }

  /** By the operator, or by a client. */
  #ask(name: AnyOperationName, input: object, by?: ModelClient): Promise<Record<string, unknown>> {
    this.#tell(...(by ? [by.id] : []), name, input);
    const caller = by && { clientId: by.id, keyId: 'model', rights: new Set(RIGHTS) };
    return perform(this.on.services, name, caller, input) as unknown as Promise<Record<string, unknown>>;
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  #tell(...what: unknown[]): void {
    this.told.push(what.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' '));
    if (this.told.length > 30) this.told.shift();
  }

  #same(found: unknown, expected: unknown): void {
    same('the answer', found, expected);
  }
}

/** The one amount of a hold, as a command gives it. */
function heldAmount({ sellCurrency, buyCurrency, amount }: Offer['terms']) {
  const { side, minor } = amount!;
  return side === 'sell'
    ? { sellAmount: Number(formatMinor(minor, sellCurrency)) }
    : { buyAmount: Number(formatMinor(minor, buyCurrency)) };
}
