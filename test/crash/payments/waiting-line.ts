/** The payments of one client that await their funds, in the order of the journal: nobody takes what somebody older waits for. */
import type { PaymentTrail } from './payment-trail.js';

type Currencies = ReadonlySet<string>;

interface Waiting {
  readonly trail: PaymentTrail;
  /** Currencies that it waits for whatever was in the accounts when it came, and those that it may wait for. */
  readonly surely: Currencies;
  readonly atMost: Currencies;
}

export class WaitingLine {
  #line: readonly Waiting[] = [];

  get ids(): readonly string[] {
    return this.#line.map(({ trail }) => trail.id);
  }

  get trails(): readonly PaymentTrail[] {
    return this.#line.map(({ trail }) => trail);
  }

  /** `balance` is what its account has in the payment's currency. */
  join(trail: PaymentTrail, balance: bigint): void {
    const { order, client } = trail.intent;
    const { currency, account, given, held } = order;
    const agreed = client.agreement.map((sold) => sold.currency);
    const own = new Set([currency, ...(account ? [account.currency] : [])]);
    const all = new Set([...own, ...(given.kind === 'source' || held ? [] : agreed)]);
    const isOther = account !== undefined && account.currency !== currency;
    // Short it was, or somebody older stood before it, with whom it shared no more than its own currency.
    const isFree = !this.#line.some(({ atMost }) => overlap(atMost, own));
    const isShort = isFree && balance < (trail.expected?.total ?? 0n);
    this.#line = [...this.#line, { trail, surely: isOther || isShort ? all : own, atMost: all }];
  }

  leave(trail: PaymentTrail): void {
    this.#line = this.#line.filter((waiting) => waiting.trail !== trail);
  }

  /** Who stands before a payment that was given its funds at this time, and waits for some of the same; undefined: nobody. */
  overtaken(by: PaymentTrail, atMs: number): string | undefined {
    const taken = new Set([by.facts.currency, ...by.conversions.map(({ facts }) => facts.sellCurrency)]);
    for (const { trail, surely } of this.#line) {
      if (trail === by) return undefined;
      const { holdId, holdExpiryMs } = trail.facts;
      const isOver = holdId !== '' && atMs > holdExpiryMs;
      if (!isOver && overlap(surely, taken)) return trail.id;
    }
    return undefined;
  }
}

const overlap = (some: Currencies, others: Currencies): boolean => [...some].some((one) => others.has(one));
