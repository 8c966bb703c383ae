/** Changes of conversions by the journal and the records of one client: each once for its command, parents and children exact. */
import type { Redis } from 'ioredis';
import type { Amendment, Booking, BookingFacts, BookingStatus } from '../../../engine/domain/conversions/booking.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { readStoredBooking } from '../../support/stored.js';
import type { CrashClient } from '../clients.js';
import type { Intent, IntentLog } from '../intents.js';
import type { Journalled } from '../journalled.js';

const KIND: Readonly<Record<string, Amendment['kind']>> = {
  'unwind-fx': 'cancel',
  'date-fx': 'date',
  'split-fx': 'split',
};
const STATUS = { cancel: 'CANCELLED', date: 'OPEN', split: 'SPLIT' } as const;

interface Known {
  readonly facts: BookingFacts;
  status: BookingStatus;
}

export const isChangeStep = (step: string): boolean => step in KIND;

export class ChangeAudit {
  /** The parts of split conversions. */
  readonly children: BookingFacts[] = [];
  readonly #made = new Map<string, Amendment>();
  /** By journal entry. */
  readonly #found = new Map<string, readonly [Booking, Amendment | undefined]>();
  /** What comes at its date, by the conversion that was cancelled. */
  readonly #later = new Map<string, readonly string[]>();
  readonly #splits: (readonly [BookingFacts, Amendment])[] = [];

  constructor(
    private readonly client: CrashClient,
    private readonly log: IntentLog,
    private readonly wrong: (text: string) => void,
    /** Of a margin the moves to the house and to the platform. */
    private readonly marginLegs: (of: {
      readonly margin: string;
      readonly marginPpm: number;
      readonly marginCurrency: string;
      readonly proof: string;
    }) => string[],
  ) {}

  async prepare(redis: Redis, entries: readonly Journalled[]): Promise<void> {
    const keys = ledgerKeys(this.client);
    for (const { step, id, entry } of entries) {
      if (!isChangeStep(step)) continue;
      const booking = (await readStoredBooking(redis, keys, id))?.booking;
      if (booking) this.#found.set(entry, [booking, booking.amendments?.find((one) => one.entry === entry)]);
    }
  }

  take({ step, id, entry, moves }: Journalled, booked: Known | undefined): void {
    const [booking, amendment] = this.#found.get(entry) ?? [];
    this.#found.delete(entry);
    if (booking === undefined || booked === undefined || amendment?.kind !== KIND[step]) {
      this.wrong(`${step} of ${id} has no change of its record: ${JSON.stringify(amendment)}`);
      return;
    }
    if (booked.status !== 'OPEN' && booked.status !== 'OVERDUE') this.wrong(`${step} of ${id}, ${booked.status}`);
    const kind = amendment.kind as keyof typeof STATUS;
    booked.status = STATUS[kind];
    const requestId = amendment.id;
    if (this.#made.has(requestId)) this.wrong(`${requestId} was made twice: ${step} of ${id}`);
    this.#made.set(requestId, amendment);
    const intent = this.log.intents.get(requestId);
    const path = intent?.command.door === 'rest' ? intent.command.path : undefined;
    if (intent?.client !== this.client || path !== `/api/v1/bookfx/${id}/${kind}`)
      this.wrong(`${requestId}, ${step} of ${id}, was not sent: ${path}`);
    const expected = kind === 'cancel' ? this.#movesOf(booking, amendment) : '';
    if (moves !== expected) this.wrong(`${step} of ${id} has moved ${moves || 'nothing'}, not ${expected}`);
    if (kind === 'split') this.#splits.push([booked.facts, amendment]);
  }

  #movesOf({ id, sellAccount }: Booking, { reversal, receivable = '0' }: Amendment): string {
    const { currency, kind, amount, margin, marginPpm, proof } = reversal!;
    const covered = BigInt(amount) - BigInt(receivable);
    const charged = [
      `${currency} ${sellAccount} house:fx ${covered}`,
      ...(receivable === '0' ? [] : [`${currency} receivable house:fx ${receivable}`]),
    ];
    // A gain comes at its date.
    const gained = amount === '0' ? [] : [`${currency} house:fx ${sellAccount} 0`];
    // A charge pays the margin first, then the share; what is owed of it is of the share first.
    let [paid, owed] = [kind === 'charge' ? BigInt(amount) : 0n, BigInt(receivable)];
    const later: string[] =
      kind === 'credit' && amount !== '0' ? [`${currency} house:fx ${sellAccount} ${amount}`] : [];
    const ofCharge = this.marginLegs({ margin, marginPpm, proof, marginCurrency: currency }).map((leg) => {
      const [, head = '', full = '0'] = /^(.* )(\d+)$/.exec(leg) ?? [];
      const part = BigInt(full) < paid ? BigInt(full) : paid;
      paid -= part;
      if (part < BigInt(full)) later.push(`${head}${BigInt(full) - part}`);
      return [head, part] as const;
    });
    if (later.length > 0) this.#later.set(id, later);
    const margins = ofCharge.reverse().flatMap(([head, part]) => {
      const left = part < owed ? part : owed;
      owed -= left;
      return part === left ? [] : [`${head}${part - left}`];
    });
    margins.reverse();
    return [...(kind === 'charge' ? charged : gained), ...margins].join(';');
  }

  /** The gain of a cancellation, and the margins that no charge has paid. */
  takeGain({ id, moves }: Journalled): void {
    const expected = this.#later.get(id)?.join(';');
    if (moves !== expected) this.wrong(`the gain of ${id} has moved ${moves || 'nothing'}, not ${expected}`);
    this.#later.delete(id);
  }

  /** When everything was taken; `known` are all conversions of the client. */
  check(known: ReadonlyMap<string, Known>): void {
    for (const [parent, { children = [] }] of this.#splits.splice(0)) {
      const sum = (what: 'sell' | 'buy' | 'margin') => children.reduce((all, one) => all + BigInt(one[what]), 0n);
      const [sums, whole] = [
        `${sum('sell')} ${sum('buy')} ${sum('margin')}`,
        `${parent.sell} ${parent.buy} ${parent.margin}`,
      ];
      if (sums !== whole) this.wrong(`the parts of ${parent.id} are ${sums}, it is ${whole}`);
      for (const { id, sell, buy, margin } of children) {
        const facts = known.get(id)?.facts;
        const is = facts && `${facts.parentId} ${facts.sell} ${facts.buy} ${facts.margin} ${facts.price}`;
        if (is !== `${parent.id} ${sell} ${buy} ${margin} ${parent.price}`)
          this.wrong(`${id}, part of ${parent.id}, is ${is}`);
      }
    }
    for (const intent of this.log.intents.values()) if (intent.client === this.client) this.#checkIntent(intent);
  }

  #checkIntent({ requestId, acknowledged, mustNotExist, attempts }: Intent): void {
    const made = this.#made.get(requestId);
    if (acknowledged && made === undefined) this.wrong(`${requestId} was acknowledged, and changed nothing`);
    if (mustNotExist && made)
      this.wrong(`${requestId} was answered ${attempts.map(({ kind }) => kind).join(', ')}, and made: ${made.kind}`);
  }
}
