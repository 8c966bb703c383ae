/** The history of one payment by the journal: each step once and allowed, and its moves exact. */
import type { BookingFacts } from '../../../engine/domain/conversions/booking.js';
import type { PaymentFacts } from '../../../engine/domain/payments/payment.js';
import type { Journalled } from '../journalled.js';
import { type Split, splitOf } from './expected-amounts.js';
import { CANCELLABLE, nextByItself, type Standing } from './magic-words.js';
import type { PaymentIntent } from './payment-log.js';

/** A conversion for it. */
export interface MadeFor {
  readonly facts: BookingFacts;
  readonly sellAccount: string;
  readonly buyAccount: string;
}

export class PaymentTrail {
  standing: Standing = { status: '', sub: '', attempts: 0 };
  readonly entries: string[] = [];
  readonly conversions: MadeFor[] = [];
  split: Split | undefined;
  /** Whether the delivered amount is in transit, and whether the house has its fee. */
  isOnItsWay = false;
  isFeeKept = false;
  firstStatus = '';
  cancelled = 0;
  answered = 0;
  /** By the service itself. */
  stepsByWorkers = 0;
  errors = 0;
  hasWaited = false;
  wasPaid = false;

  constructor(
    readonly facts: PaymentFacts,
    readonly intent: PaymentIntent,
    /** The debited account. */
    readonly account: string,
    private readonly wrong: (text: string) => void,
  ) {}

  get id(): string {
    return this.facts.id;
  }

  /** Its hold may have expired, which no step records. */
  get isHeld(): boolean {
    return this.facts.holdId !== '' && this.standing.status === 'AWAITING_FUNDS';
  }

  /** Nothing happens to it any more without a decision. */
  get isAtRest(): boolean {
    return nextByItself(this.intent.order.word, this.standing) === undefined;
  }

  /** The debited amount; undefined while a source amount in another currency awaits funds. */
  get expected(): Split | undefined {
    const { order, client } = this.intent;
    const { given, account, currency } = order;
    if (given.kind !== 'source' || account?.currency === currency)
      return splitOf(order, client.fees, BigInt(this.facts.given.minor));
    const [sold] = this.conversions;
    return sold && splitOf(order, client.fees, BigInt(sold.facts.buy));
  }

  take(entry: Journalled): void {
    const { status } = this.standing;
    if (entry.from !== status) this.#wrong(entry, `it was ${status || 'not there'}`);
    else if (!this.#isAllowed(entry)) this.#wrong(entry, `from ${JSON.stringify(this.standing)} it may not`);
    const moves = this.#movesOf(entry);
    if (entry.moves !== moves) this.#wrong(entry, `it moved ${entry.moves || 'nothing'}, not ${moves || 'nothing'}`);
    this.#count(entry);
    const attempts = this.standing.attempts + (entry.to === 'PG_PROCESSING' && status !== 'PG_PROCESSING' ? 1 : 0);
    this.standing = { status: entry.to, sub: entry.sub, attempts };
    this.entries.push(entry.entry);
  }

  #isAllowed({ to, sub, actor }: Journalled): boolean {
    const { status } = this.standing;
    if (status === '') return sub === '' && actor === 'client' && (to === 'IN_PROCESS' || to === 'AWAITING_FUNDS');
    if (to === 'USER_REJECTED') return sub === '' && actor === 'client' && CANCELLABLE.has(status);
    if (status === 'AWAITING_FUNDS') return to === 'IN_PROCESS' && sub === '' && actor === 'service';
    if (status === 'INFO_REQUESTED')
      return to === 'COMPLIANCE_VERIFICATION' && sub === 'RFI_ANSWERED' && actor === 'client';
    const next = nextByItself(this.intent.order.word, this.standing);
    return next !== undefined && next[0] === to && next[1] === sub && next[2] === actor;
  }

  /** Also records where the money is then. */
  #movesOf({ to }: Journalled): string {
    const { currency } = this.facts;
    const { status } = this.standing;
    const move = (from: string, into: string, amount: bigint) =>
      amount > 0n ? [`${currency} ${from} ${into} ${amount}`] : [];
    if (to === 'IN_PROCESS') {
      this.split = this.expected;
      this.isOnItsWay = true;
      this.isFeeKept = true;
      const { transit = 0n, fees = 0n } = this.split ?? {};
      return [...move(this.account, 'transit', transit), ...move(this.account, 'house:fees', fees)].join(';');
    }
    const { transit = 0n, fees = 0n } = this.split ?? {};
    if (to === 'PAID') {
      this.isOnItsWay = false;
      return move('transit', 'nostro', transit).join(';');
    }
    if (to === 'RETURNED') {
      this.isOnItsWay = false;
      return move(status === 'PAID' ? 'nostro' : 'transit', this.account, transit).join(';');
    }
    if ((to === 'USER_REJECTED' || to === 'COMPLIANCE_REJECTED') && status !== 'AWAITING_FUNDS') {
      this.isOnItsWay = false;
      this.isFeeKept = false;
      return [...move('transit', this.account, transit), ...move('house:fees', this.account, fees)].join(';');
    }
    return '';
  }

  #count({ to, sub, actor }: Journalled): void {
    if (this.firstStatus === '') this.firstStatus = to;
    if (to === 'AWAITING_FUNDS') this.hasWaited = true;
    if (to === 'PAID') this.wasPaid = true;
    if (to === 'ERROR') this.errors++;
    if (to === 'USER_REJECTED') this.cancelled++;
    if (sub === 'RFI_ANSWERED') this.answered++;
    if (actor !== 'client') this.stepsByWorkers++;
  }

  #wrong({ from, to, sub, actor }: Journalled, why: string): void {
    this.wrong(`${this.id}: ${from} to ${to} ${sub} by ${actor}: ${why} (${this.intent.order.name})`);
  }
}
