/** Compares the payments of one client: the journal, the stored records, and the answers that the client got. */
import type { Redis } from 'ioredis';
import type { BookingFacts } from '../../../engine/domain/conversions/booking.js';
import type { PaymentFacts } from '../../../engine/domain/payments/payment.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { readStoredPayment } from '../../support/stored.js';
import type { CrashClient } from '../clients.js';
import type { Journalled } from '../journalled.js';
import { conversionFault } from './conversions.js';
import { intentFault } from './intent-faults.js';
import type { PaymentLog } from './payment-log.js';
import { type MadeFor, PaymentTrail } from './payment-trail.js';
import { recordFaults } from './record-faults.js';
import { WaitingLine } from './waiting-line.js';

/** Minor units of a balance, by the journal so far. */
export type Played = (currency: string, holder: string) => bigint;

export class PaymentAudit {
  readonly trails = new Map<string, PaymentTrail>();
  readonly line = new WaitingLine();
  readonly #byNumber = new Map<string, PaymentTrail>();
  readonly #conversions = new Map<string, MadeFor[]>();
  readonly #facts = new Map<string, { readonly facts: PaymentFacts; readonly account: string }>();
  readonly #touched = new Set<PaymentTrail>();

  constructor(
    readonly client: CrashClient,
    private readonly log: PaymentLog,
    private readonly wrong: (text: string) => void,
  ) {}

  /** Reads the records that these entries name. */
  async prepare(redis: Redis, entries: readonly Journalled[]): Promise<void> {
    const keys = ledgerKeys(this.client);
    const ids = new Set(entries.flatMap(({ step, id }) => (step === 'payment' && !this.#facts.has(id) ? [id] : [])));
    const read = async (id: string): Promise<void> => {
      const { facts, account } = await readStoredPayment(redis, keys.payment(id));
      if (facts && account) this.#facts.set(id, { facts: JSON.parse(facts) as PaymentFacts, account });
      else this.wrong(`${id} is in the journal and has no record`);
    };
    await Promise.all([...ids].map(read));
  }

  /** A conversion for a payment, whose own entry follows. */
  takeConversion(made: MadeFor): void {
    const { id, paymentId = '' } = made.facts as BookingFacts & { readonly paymentId?: string };
    const before = this.#conversions.get(paymentId) ?? [];
    this.#conversions.set(paymentId, [...before, made]);
    if (this.trails.get(paymentId)?.isOnItsWay) this.wrong(`${id} was booked for ${paymentId} once it was paid for`);
  }

  take(entry: Journalled, played: Played): void {
    const trail = this.trails.get(entry.id) ?? this.#begin(entry.id);
    if (!trail) return;
    this.#touched.add(trail);
    if (entry.to === 'IN_PROCESS') this.#takeFunds(trail, entry, played);
    const wasWaiting = trail.standing.status === 'AWAITING_FUNDS';
    trail.take(entry);
    if (entry.to === 'AWAITING_FUNDS') this.line.join(trail);
    else if (wasWaiting) this.line.leave(trail);
  }

  #begin(id: string): PaymentTrail | undefined {
    const known = this.#facts.get(id);
    if (!known) return undefined;
    const { facts, account } = known;
    const intent = this.log.payments.get(facts.transactionNumber);
    if (intent?.client !== this.client) {
      this.wrong(`${id} was made for ${facts.transactionNumber}: never sent`);
      return undefined;
    }
    const trail = new PaymentTrail(facts, intent, account, this.wrong);
    const other = this.#byNumber.get(facts.transactionNumber);
    if (other) this.wrong(`${facts.transactionNumber} has two payments: ${other.id} and ${id}`);
    this.trails.set(id, trail);
    this.#byNumber.set(facts.transactionNumber, trail);
    return trail;
  }

  #takeFunds(trail: PaymentTrail, { at }: Journalled, played: Played): void {
    trail.conversions.push(...(this.#conversions.get(trail.id) ?? []));
    const older = this.line.overtaken(trail, at);
    if (older) this.wrong(`${trail.id} was given its funds while ${older}, which is older, waited for the same`);
    const fault = conversionFault(trail, played(trail.facts.currency, trail.account));
    if (fault) this.wrong(`${trail.id}: ${fault}`);
  }

  /** The whole journal has been read, and no request is under way. */
  async compare(redis: Redis, played: Played): Promise<void> {
    for (const trail of this.#touched) {
      for (const fault of await recordFaults(redis, trail)) this.wrong(`${trail.id}: ${fault}`);
      const { status, sub } = trail.standing;
      if (!trail.isAtRest)
        this.wrong(`${trail.id} is ${status} ${sub}, and has no next step (${trail.intent.order.name})`);
    }
    this.#touched.clear();
    for (const [id, made] of this.#conversions) {
      const booked = this.trails.get(id)?.conversions.length ?? 0;
      if (made.length !== booked)
        this.wrong(`${made.length} conversions were made for ${id}, which has used ${booked}`);
    }
    await this.#compareLine(redis);
    this.#compareHouse(played);
  }

  async #compareLine(redis: Redis): Promise<void> {
    const keys = ledgerKeys(this.client);
    const kept = (await redis.zrange(keys.waiting, '0', '-1')).map((member) => member.split('|')[0]!);
    const ids = this.line.ids;
    if (kept.join() !== ids.join())
      this.wrong(`${kept.join(' ') || 'no payment'} waits, by the journal ${ids.join(' ')}`);
    const begins = `expire:${this.client.id}:`;
    const due = (await redis.zrange(keys.due, '0', '-1')).filter((entry) => entry.startsWith(begins));
    const ending = due.map((entry) => entry.slice(begins.length)).sort();
    if (ending.join() !== [...ids].sort().join()) this.wrong(`${ending.join(' ')} end some day, ${ids.join(' ')} wait`);
    const listed = await redis.zcard(keys.index('payments'));
    if (listed !== this.trails.size) this.wrong(`${listed} payments are listed, ${this.trails.size} were made`);
  }

  /** Money in transit and fees of the house must be those of the payments. */
  #compareHouse(played: Played): void {
    const sums = new Map<string, { transit: bigint; fees: bigint }>();
    for (const { facts, split, isOnItsWay, isFeeKept } of this.trails.values()) {
      const sum = sums.get(facts.currency) ?? { transit: 0n, fees: 0n };
      if (isOnItsWay) sum.transit += split?.transit ?? 0n;
      if (isFeeKept) sum.fees += split?.fees ?? 0n;
      sums.set(facts.currency, sum);
    }
    for (const [currency, { transit, fees }] of sums) {
      if (played(currency, 'transit') !== transit)
        this.wrong(`${currency} on its way: ${played(currency, 'transit')}, of payments ${transit}`);
      if (played(currency, 'house:fees') !== fees)
        this.wrong(`${currency} of fees: ${played(currency, 'house:fees')}, of payments ${fees}`);
    }
  }

  /** Compares the answers about each payment with its outcome. */
  check(round: number): void {
    for (const intent of this.log.payments.values()) {
      if (intent.client !== this.client) continue;
      // Of earlier rounds only waiting payments can have changed.
      const trail = this.#byNumber.get(intent.number);
      if (intent.round < round && trail && !CHANGING.has(trail.standing.status)) continue;
      const fault = intentFault(intent, trail);
      if (fault) this.wrong(`${intent.number}: ${fault}`);
    }
  }
}

const CHANGING: ReadonlySet<string> = new Set(['AWAITING_FUNDS', 'INFO_REQUESTED', 'COMPLIANCE_VERIFICATION']);
