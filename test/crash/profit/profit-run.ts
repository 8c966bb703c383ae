/**
 * An adversary: random sequences of what clients and a platform with three sub-clients can ask for, and after each of them what could be
 * withdrawn. At constant prices that is never more than what was paid in, summed at the providers' mids. At moving prices a group has never more
 * than it paid in and its highest net gain so far, each at the mids of its moment. There it deals in more than it could ever pay for, so that no
 * gain comes from a settlement while the loss beside it is abandoned: that risk is what the limits are for.
 */
import { asAmended } from '../../../engine/domain/conversions/amendment.js';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

export interface ProfitRun {
  readonly violations: readonly string[];
  readonly rounds: number;
  /** By operation: how often it was done. */
  readonly done: Readonly<Record<string, number>>;
}

export interface ProfitOptions {
  /** Sequences; every second one is at moving prices. */
  readonly rounds: number;
  /** Operations of a sequence. */
  readonly steps: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
  readonly signal?: AbortSignal;
}

const HOUR_MS = 3_600_000;
/** A Monday without a holiday in its week. */
const MONDAY = Date.UTC(2026, 10, 9, 8, 0, 0);
const SIZE_MAX = 900_000;
/** More than any client has in a sequence at moving prices. */
const UNPAYABLE = 300_000;
/** A platform sells its own margin at up to 10 %. */
const MARGIN_MAX = 10;
/** Bid and offer in 1/100,000 USD. */
const START_BID = 108_158;
const SPREAD = 6;

export async function profitRun({ rounds, steps, seed, tell, signal }: ProfitOptions): Promise<ProfitRun> {
  const on = await startPayments();
  const violations: string[] = [];
  const done: Record<string, number> = {};
  let round = 0;
  try {
    for (; round < rounds && !signal?.aborted; round++) {
      const sequence = new Sequence(on, seed + round, round % 2 === 1, done);
      const found = await sequence.play(steps);
      if (found !== undefined) violations.push(`seed ${seed + round}: ${found}`);
      if (rounds >= 10 && (round + 1) % 10 === 0) tell(`${round + 1} sequences; ${violations.length} violations`);
    }
  } finally {
    await on.stop();
  }
  return { violations, rounds: round, done };
}

/** Those whose money is one: a client, or a platform with its sub-clients. */
interface Group {
  readonly members: readonly Client[];
  /** In 1/200,000 of a minor unit of USD. */
  paidIn: bigint;
  withdrawn: bigint;
  /** What its own money has gained or lost. */
  revalued: bigint;
  /** What its dealings have, also those whose loss it owes. */
  gain: bigint;
  highestGain: bigint;
}

let names = 0;

class Sequence {
  readonly #groups: Group[] = [];
  readonly #log: string[] = [];
  #state: number;
  #bid = START_BID;
  #requests = 0;

  constructor(
    private readonly on: PaymentRig,
    private readonly seed: number,
    private readonly moves: boolean,
    private readonly done: Record<string, number>,
  ) {
    this.#state = seed;
  }

  /** What was found, with the last operations; undefined: nothing. */
  async play(steps: number): Promise<string | undefined> {
    const { on } = this;
    on.clock.now = Math.max(on.clock.now, MONDAY);
    await this.#toMonday();
    this.#tick(START_BID);
    const name = `p${this.seed}-${++names}`;
    const platform = await on.client(name, {});
    await on.services.store.clients.change(name, { isPlatform: true });
    const subClients: Client[] = [];
    for (const one of ['a', 'b', 'c']) subClients.push(await on.client(`${name}~${one}`, {}));
    const others = [await on.client(`${name}-x`, {}), await on.client(`${name}-y`, {})];
    for (const { id } of [platform, ...subClients, ...others]) {
      for (const currency of ['EUR', 'USD']) await on.open(id, currency);
      await on.ask('setScheduledLimit', { clientId: id, limit: '4000000' });
    }
    const group = (members: readonly Client[]) =>
      this.#groups.push({ members, paidIn: 0n, withdrawn: 0n, revalued: 0n, gain: 0n, highestGain: 0n });
    group([platform, ...subClients]);
    for (const one of others) group([one]);
    await this.#margin();
    for (let i = 0; i < steps; i++) {
      const found = (await this.#step()) ?? (await this.#judge());
      if (found !== undefined) return `${found}; ${this.#log.slice(-12).join('; ')}`;
    }
    // The end of all that is open: what waits for a date comes.
    for (let day = 0; day < 7; day++) {
      await on.later(24 * HOUR_MS);
      const found = await this.#judge();
      if (found !== undefined) return `${found}, at the end; ${this.#log.slice(-12).join('; ')}`;
    }
    const differences = await on.differences();
    return differences.length === 0 ? undefined : `reconcile: ${JSON.stringify(differences[0])}`;
  }

  async #step(): Promise<string | undefined> {
    const group = this.#pick(this.#groups);
    const client = this.#pick(group.members);
    const roll = this.#next();
    if (roll < 0.06) return this.#payIn(group, client);
    if (roll < 0.38) return this.#book(client);
    if (roll < 0.6) return this.#cancel(client);
    if (roll < 0.68) return this.#date(client);
    if (roll < 0.74) return this.#split(client);
    if (roll < 0.8) return this.#convert(client);
    if (roll < 0.85) return this.#withdraw(group, client);
    if (roll < 0.88) return this.#margin();
    if (this.moves && roll < 0.95) return this.#move();
    return this.#wait();
  }

  /** What is free in the balances could be paid out. */
  async #judge(): Promise<string | undefined> {
    for (const group of this.#groups) {
      let there = 0n;
      for (const one of group.members) there += this.#worth(await this.#free(one));
      const [has, most] = [group.withdrawn + there, group.paidIn + group.revalued + group.highestGain];
      if (has > most) return `${group.members[0]!.id} can withdraw ${usd(has)} USD, of ${usd(most)}`;
    }
    return undefined;
  }

  async #payIn(group: Group, client: Client): Promise<undefined> {
    const currency = this.#pick(['EUR', 'USD']);
    const amount = BigInt(this.#size(this.moves ? 5_000 : 20_000)) * 100n;
    const number = await this.#account(client, currency);
    await this.#do('pay in', client, 'creditAccount', {
      ...{ accountNumber: number, amount: `${amount / 100n}.00`, reference: `in-${this.#id()}` },
    });
    group.paidIn += this.#worth({ EUR: 0n, USD: 0n, [currency]: amount });
  }

  /** Also without any money. */
  async #book(client: Client): Promise<undefined> {
    await this.#do('book', client, 'bookFxByCurrency', {
      ...this.#pair(),
      ...{ requestId: this.#id(), description: 'x', type: this.#pick(['SCHEDULED1', 'SCHEDULED2']) },
      sellAmount: this.#next() < 0.5 ? SIZE_MAX : (this.moves ? UNPAYABLE : 0) + this.#size(SIZE_MAX - UNPAYABLE),
    });
  }

  async #convert(client: Client): Promise<undefined> {
    const pair = this.#pair();
    const free = (await this.#free(client))[pair.sellCurrency as 'EUR' | 'USD'];
    if (free < 100n) return;
    const request = { requestId: this.#id(), description: 'x', type: 'PREFUNDING' };
    await this.#do('convert', client, 'bookFxByCurrency', { ...pair, ...request, sellAmount: Number(free / 100n) });
  }

  async #cancel(client: Client): Promise<undefined> {
    const booking = await this.#open(client);
    if (booking) await this.#change('cancel', client, booking, 'quoteCancellation', 'cancelConversion', {});
  }

  /** One that is late would put off what is due. */
  async #date(client: Client): Promise<string | undefined> {
    const booking = await this.#open(client);
    if (!booking) return undefined;
    const now = this.on.services.store.clock.now(client);
    const settlementDate = new Date(now + this.#size(3) * 24 * HOUR_MS).toISOString().slice(0, 10);
    const isLate = booking.status === 'OVERDUE';
    const terms = { settlementDate };
    const did = await this.#change('date', client, booking, 'quoteDateChange', 'changeConversionDate', terms);
    return did && isLate ? `${client.id} has put off an OVERDUE conversion` : undefined;
  }

  async #split(client: Client): Promise<undefined> {
    const booking = await this.#open(client);
    if (!booking) return;
    const minor = Number(booking.sell);
    const part = Math.max(1, Math.floor(minor * this.#next()));
    if (this.moves && Math.min(part, minor - part) < UNPAYABLE * 100) return;
    const sellAmounts = [part / 100, (minor - part) / 100];
    await this.#change('split', client, booking, 'quoteSplit', 'splitConversion', { sellAmounts });
  }

  async #change(
    name: string,
    client: Client,
    { id: confirmationId }: Booking,
    quoting: 'quoteCancellation' | 'quoteDateChange' | 'quoteSplit',
    doing: 'cancelConversion' | 'changeConversionDate' | 'splitConversion',
    terms: object,
  ): Promise<boolean> {
    const quoted = await this.on.as(client, quoting, { confirmationId, ...terms });
    if (isRefusal(quoted)) return false;
    return this.#do(name, client, doing, { confirmationId, quoteId: quoted.quoteId, requestId: this.#id() });
  }

  async #withdraw(group: Group, client: Client): Promise<undefined> {
    const free = await this.#free(client);
    for (const [currency, country] of [
      ['EUR', 'DE'],
      ['USD', 'US'],
    ] as const) {
      if (free[currency] <= 100n) continue;
      const amount = { kind: 'destination', minor: free[currency] } as const;
      const paid = await this.on.tryToPay(client, 'Erika', { currency, country, amount });
      if (isRefusal(paid) || paid.status === 'AWAITING_FUNDS') continue;
      this.#count('pay out', client);
      group.withdrawn += this.#worth({ EUR: 0n, USD: 0n, [currency]: free[currency] });
    }
  }

  async #margin(): Promise<undefined> {
    const [platform, ...subClients] = this.#groups[0]!.members;
    const id = this.#pick(['*', ...subClients.map((one) => one.id)]);
    const margin = this.#next() < 0.5 ? MARGIN_MAX : this.#size(MARGIN_MAX);
    await this.#do('margin', platform!, 'setSubClientMargin', { id, pair: '*', margin });
    await this.on.loadMargins();
  }

  /** Within 3 %: what each group has gains or loses by it. */
  async #move(): Promise<undefined> {
    const before = this.#bid;
    const positions = await Promise.all(this.#groups.map((group) => this.#euros(group)));
    this.#tick(Math.max(90_000, Math.min(130_000, Math.round(before * (0.97 + 0.06 * this.#next())))));
    this.#count(`price ${this.#bid}`);
    const change = 2n * BigInt(this.#bid - before);
    this.#groups.forEach((group, i) => {
      const { own, dealt } = positions[i]!;
      group.revalued += own * change;
      group.gain += dealt * change;
      if (group.gain > group.highestGain) group.highestGain = group.gain;
    });
  }

  async #wait(): Promise<undefined> {
    const hours = this.#pick([1, 8, 24, 49]);
    await this.on.later(hours * HOUR_MS);
    await this.#toMonday();
    this.#count(`${hours} h`);
  }

  /** No price is given at a weekend. */
  async #toMonday(): Promise<void> {
    const day = new Date(this.on.clock.now).getUTCDay();
    if (day === 6 || day === 0) await this.on.later((day === 6 ? 48 : 24) * HOUR_MS);
  }

  /** Euros, minor units, whose worth the group bears: its own money, and what it owes, is to be paid and has open. */
  async #euros({ members }: Group): Promise<{ readonly own: bigint; readonly dealt: bigint }> {
    let [own, dealt] = [0n, 0n];
    for (const client of members) {
      for (const [name, minor] of Object.entries(await this.on.balances(client.id))) {
        if (/^EUR\/(\d{12}|earnings)$/.test(name)) own += BigInt(minor);
        if (name === 'EUR/receivable') dealt += BigInt(minor);
      }
      for (const gain of await this.on.keyspace.redis.zrange(ledgerKeys(client).gains, '0', '-1')) {
        const [, currency, amount = '0', , share = '0'] = gain.split('|');
        if (currency === 'EUR') dealt += BigInt(amount) + BigInt(share);
      }
      for (const { sellCurrency, sell, buy } of await this.#opened(client))
        dealt += sellCurrency === 'EUR' ? -BigInt(sell) : BigInt(buy);
    }
    return { own, dealt };
  }

  async #open(client: Client): Promise<Booking | undefined> {
    const all = await this.#opened(client);
    return all.length === 0 ? undefined : this.#pick(all);
  }

  async #opened(client: Client): Promise<Booking[]> {
    const { bookings, lists } = this.on.services.store;
    const page = await lists.page(client, 'bookings', {}, undefined, 1_000);
    const all = await Promise.all(page.map(({ id }) => bookings.read(client, id)));
    return all.filter((one) => one?.status === 'OPEN' || one?.status === 'OVERDUE').map((one) => asAmended(one!));
  }

  /** What may leave: beyond what is owed in the currency. */
  async #free(client: Client): Promise<{ EUR: bigint; USD: bigint }> {
    const free = { EUR: 0n, USD: 0n };
    const all = Object.entries(await this.on.balances(client.id));
    for (const currency of ['EUR', 'USD'] as const) {
      const of = (pattern: RegExp) =>
        all.reduce((sum, [name, minor]) => (pattern.test(name) ? sum + BigInt(minor) : sum), 0n);
      const there = of(new RegExp(`^${currency}/\\d{12}$`)) + of(new RegExp(`^${currency}/receivable$`));
      free[currency] = there > 0n ? there : 0n;
    }
    return free;
  }

  /** At the mid, in 1/200,000 of a minor unit of USD. */
  #worth({ EUR, USD }: { EUR: bigint; USD: bigint }): bigint {
    return EUR * BigInt(2 * this.#bid + SPREAD) + USD * 200_000n;
  }

  async #account(client: Client, currency: string): Promise<string> {
    return (await this.on.services.store.accounts.list(client)).find((one) => one.currency === currency)!.number;
  }

  async #do(name: string, client: Client, operation: string, input: object): Promise<boolean> {
    const asClient = operation !== 'creditAccount';
    const answer = asClient
      ? await this.on.as(client, operation as never, input)
      : await this.on.ask(operation as never, input);
    if (isRefusal(answer as object)) return false;
    this.#count(name, client);
    return true;
  }

  #count(name: string, client?: Client): void {
    this.#log.push(client ? `${client.id} ${name}` : name);
    const what = name.replace(/\d+/, 'N');
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  #tick(bid: number): void {
    this.#bid = bid;
    const text = (price: number) => (price / 100_000).toFixed(5);
    this.on.tick('EUR/USD', text(bid), text(bid + SPREAD));
  }

  #pair() {
    const [sellCurrency, buyCurrency] = this.#next() < 0.5 ? ['EUR', 'USD'] : ['USD', 'EUR'];
    return { sellCurrency, buyCurrency };
  }

  #id = (): string => `r${names}-${++this.#requests}`;

  /** 1 to `most`. */
  #size = (most: number): number => 1 + Math.floor(this.#next() * most);

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)]!;
  }

  /** 0 to 1, the same for the same seed. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
}

const usd = (worth: bigint): string => (Number(worth / 200_000n) / 100).toFixed(2);
