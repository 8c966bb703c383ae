/**
 * Compares the store with the answers that the callers got: read directly from Redis, and replayed from the journal. The programs are up,
 * and no commands are sent during the audit.
 */
import type { Redis } from 'ioredis';
import type { BookingFacts, BookingStatus } from '../../engine/domain/conversions/booking.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { isBefore } from '../../engine/store/ledger/journal.js';
import { readStoredBooking } from '../support/stored.js';
import { ChangeAudit, isChangeStep } from './changes/change-audit.js';
import type { CrashClient } from './clients.js';
import type { Intent, IntentLog } from './intents.js';
import { type Journalled, journalled, movesOf, namedBy } from './journalled.js';
import { MoneyAudit } from './payments/money-audit.js';
import { PaymentAudit } from './payments/payment-audit.js';
import type { PaymentLog } from './payments/payment-log.js';
import type { MadeFor } from './payments/payment-trail.js';

export type Violation = (text: string) => void;

interface Booked {
  readonly facts: BookingFacts;
  /** The moves of its settlement. */
  readonly legs: string;
  readonly madeFor: MadeFor | undefined;
  status: BookingStatus;
}

const PAGE = 500;

/** The ledger of one client, replayed from its journal so far. */
export class ClientAudit {
  /** By request id. */
  readonly bookings = new Map<string, BookingFacts>();
  settledLater = 0;
  readonly payments: PaymentAudit;
  readonly money: MoneyAudit;
  readonly changes: ChangeAudit;
  readonly #byId = new Map<string, Booked>();
  readonly #sums = new Map<string, bigint>();
  readonly #byHold = new Map<string, string>();
  #last = '0-0';

  constructor(
    readonly client: CrashClient,
    log: PaymentLog,
    changes: IntentLog,
    private readonly violation: Violation,
  ) {
    const wrong = (text: string) => this.#wrong(text);
    this.payments = new PaymentAudit(client, log, wrong);
    this.money = new MoneyAudit(client, log, wrong);
    this.changes = new ChangeAudit(client, changes, wrong, marginLegs);
  }

  async readOn(redis: Redis): Promise<void> {
    const keys = ledgerKeys(this.client);
    // The replay starts with the journal: entries archived earlier would be missing.
    const archived = (await redis.hget(keys.archived, 'entry')) ?? '0-0';
    if (isBefore(this.#last, archived)) this.#wrong(`entries up to ${archived} were archived unseen`);
    const touched = new Set<string>();
    for (;;) {
      const page = await redis.xrange(keys.journal, `(${this.#last}`, '+', 'COUNT', PAGE);
      const entries = page.map(([entry, fields]) => journalled(entry, fields));
      const booked = entries.filter(({ step }) => step === 'book-fx');
      await Promise.all([
        ...booked.map((entry) => this.#takeBooking(redis, entry)),
        this.payments.prepare(redis, entries),
        this.money.prepare(redis, entries),
        this.changes.prepare(redis, entries),
      ]);
      for (const entry of entries) this.#take(entry);
      for (const { step, id } of entries) if (step.endsWith('-fx')) touched.add(id);
      if (page.length > 0) this.#last = page.at(-1)![0];
      if (page.length < PAGE) break;
    }
    const statuses = await Promise.all(
      [...touched].map(async (id) => (await readStoredBooking(redis, keys, id))?.booking.status),
    );
    for (const [i, id] of [...touched].entries()) {
      const wanted = this.#byId.get(id)?.status;
      if (statuses[i] !== wanted) this.#wrong(`${id} is ${statuses[i]}, the journal says ${wanted}`);
    }
    this.changes.check(this.#byId);
    this.#compare(await redis.hgetall(keys.balances));
    await this.payments.compare(redis, this.played);
    await this.money.compare(redis);
  }

  /** Minor units, by the journal so far. */
  readonly played = (currency: string, holder: string): bigint => this.#sums.get(`${currency}/${holder}`) ?? 0n;

  #take(entry: Journalled): void {
    const { step, id, moves } = entry;
    if (step === 'payment') this.payments.take(entry, this.played);
    for (const [currency, from, to, amount] of movesOf(moves)) {
      this.#add(`${currency}/${from}`, -BigInt(amount));
      this.#add(`${currency}/${to}`, BigInt(amount));
    }
    for (const [currency = '', from = ''] of movesOf(moves))
      if (isAccount(from) && this.played(currency, from) < 0n)
        this.#wrong(`${step} of ${id} took more than there was: ${moves}`);
    if (step !== 'payment' && !this.money.take(entry)) this.#takeConversion(entry);
  }

  #takeConversion(entry: Journalled): void {
    const { step, id, moves } = entry;
    const booked = this.#byId.get(id);
    if (step === 'book-fx' && booked?.madeFor) this.payments.takeConversion(booked.madeFor);
    if (isChangeStep(step)) this.changes.take(entry, booked);
    else if (step === 'settle-fx' && booked) {
      if (booked.status !== 'OPEN' && booked.status !== 'OVERDUE') this.#wrong(`${id}, ${booked.status}, is settled`);
      if (moves !== booked.legs) this.#wrong(`${id} was settled by ${moves}, not ${booked.legs}`);
      booked.status = 'SETTLED';
      this.settledLater++;
    } else if (step === 'overdue-fx' && booked?.status === 'OPEN' && moves === '') booked.status = 'OVERDUE';
    else if (step === 'gain-fx') this.changes.takeGain(entry);
    // A credit repays first.
    else if (step === 'repay' && movesOf(moves)[0]?.[2] === 'receivable') return;
    else if (step !== 'book-fx') this.#wrong(`${step} of ${id}, ${booked?.status}, moves ${moves}`);
  }

  async #takeBooking(redis: Redis, { id, at, moves }: Journalled): Promise<void> {
    const keys = ledgerKeys(this.client);
    const stored = await readStoredBooking(redis, keys, id);
    if (stored === undefined) return this.#wrong(`${id} is in the journal and has no record`);
    const facts = stored.booking;
    const { requestId, holdId, sellCurrency: sells, buyCurrency: buys } = facts;

    const isPart = facts.parentId !== undefined;
    if (isPart) this.changes.children.push(facts);
    const other = isPart ? undefined : this.bookings.get(requestId);
    if (other) this.#wrong(`request ${requestId} is booked twice: ${other.id} and ${id}`);
    if (!isPart) this.bookings.set(requestId, facts);
    // A payment's conversion has no request of its own, and a part of a split has that of the whole.
    const receipt = namedBy(await redis.get(keys.receipt(requestId)), 'booking');
    if (!isPart && receipt !== (facts.paymentId === undefined ? id : null))
      this.#wrong(`the receipt of ${requestId} names ${receipt}, the journal ${id}`);

    const legs = [
      `${sells} ${facts.sellAccount} house:fx ${facts.sell}`,
      `${buys} house:fx ${facts.buyAccount} ${facts.buy}`,
      ...marginLegs(facts),
    ].join(';');
    const isAtOnce = facts.type === 'PREFUNDING';
    if (moves !== (isAtOnce ? legs : '')) this.#wrong(`${id}, ${facts.type}, has moved ${moves || 'nothing'}`);
    const { sellAccount, buyAccount } = facts;
    const madeFor = facts.paymentId === undefined ? undefined : { facts, sellAccount, buyAccount };
    this.#byId.set(id, { facts, legs, madeFor, status: isAtOnce ? 'SETTLED' : 'OPEN' });
    if (holdId !== '') await this.#takeHeld(redis, facts, at);
  }

  /** `at` is when the step booked it, by the store's clock. */
  async #takeHeld(redis: Redis, { id, holdId }: BookingFacts, at: number): Promise<void> {
    const other = this.#byHold.get(holdId);
    if (other) this.#wrong(`hold ${holdId} is booked twice: ${other} and ${id}`);
    this.#byHold.set(holdId, id);
    const { status, booking, expiry } = await redis.hgetall(ledgerKeys(this.client).hold(holdId));
    if (status !== 'used' || booking !== id) this.#wrong(`hold ${holdId} is ${status} by ${booking}, booked by ${id}`);
    if (at > Number(expiry)) this.#wrong(`${id} books hold ${holdId} ${at - Number(expiry)} ms late`);
  }

  #compare(balances: Record<string, string>): void {
    const total = new Map<string, bigint>();
    for (const name of new Set([...this.#sums.keys(), ...Object.keys(balances)])) {
      const kept = BigInt(balances[name] ?? '0');
      const played = this.#sums.get(name) ?? 0n;
      if (kept !== played) this.#wrong(`balance ${name} is ${kept}, the journal says ${played}`);
      const [currency = '', holder = ''] = name.split('/');
      if (isAccount(holder) && kept < 0n) this.#wrong(`balance ${name} is ${kept}`);
      total.set(currency, (total.get(currency) ?? 0n) + kept);
    }
    for (const [currency, sum] of total) if (sum !== 0n) this.#wrong(`${currency} sums to ${sum}`);
  }

  /** Compares the answers to a command with its outcome. */
  check(intent: Intent): void {
    const { requestId, attempts } = intent;
    const booked = this.bookings.get(requestId);
    const told = new Set(attempts.flatMap((one) => (one.kind === 'acknowledged' ? [one.confirmationId] : [])));
    for (const id of told) {
      if (booked?.id !== id) this.#wrong(`${requestId} was acknowledged as ${id}, and is booked as ${booked?.id}`);
    }
    if (booked && intent.mustNotExist) {
      const kinds = attempts.map((one) => (one.kind === 'refused' ? one.code : one.kind));
      this.#wrong(
        `${requestId} was only ever answered ${kinds.join(', ') || 'nothing'}, and is booked as ${booked.id}`,
      );
    }
  }

  /** Checks that each booking belongs to a command that was sent. */
  checkOrigins(log: IntentLog): void {
    for (const [requestId, { id, paymentId }] of this.bookings) {
      if (paymentId === undefined && log.intents.get(requestId)?.client !== this.client)
        this.#wrong(`${id} was booked for ${requestId}: never sent`);
    }
  }

  #add(name: string, change: bigint): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0n) + change);
  }

  #wrong(text: string): void {
    this.violation(`${this.client.id}: ${text}`);
  }
}

const isAccount = (holder: string): boolean => /^\d+$/.test(holder);

/** Of a sub-client the platform's part, behind `+` in the seventh part of the proof, is posted beside the house's. */
function marginLegs({
  proof = '',
  margin,
  marginPpm,
  marginCurrency,
}: Pick<BookingFacts, 'proof' | 'margin' | 'marginPpm' | 'marginCurrency'>): string[] {
  const [, added = '0'] = /\+([0-9a-z]+)/.exec(proof.split(' ')[6] ?? '') ?? [];
  const share = marginPpm === 0 ? 0n : (BigInt(margin) * BigInt(Number.parseInt(added, 36))) / BigInt(marginPpm);
  return [
    ['house:margin', BigInt(margin) - share],
    ['platform:margin', share],
  ].flatMap(([to, minor]) => (minor === 0n ? [] : [`${marginCurrency} house:fx ${to} ${minor}`]));
}
