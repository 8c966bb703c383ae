/** The payments of one client that await their funds, in the order of the journal: nobody takes what somebody older waits for. */
import type { PaymentTrail } from './payment-trail.js';

type Currencies = ReadonlySet<string>;

interface Waiting {
  readonly trail: PaymentTrail;
  /** Currencies that it waited for when it came, so far as the journal tells, and those that it may wait for. */
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

  join(trail: PaymentTrail): void {
    const { order, client } = trail.intent;
    const { currency, account, given, held } = order;
    const own = new Set([currency, ...(account ? [account.currency] : [])]);
    const isOne = given.kind === 'source' || held !== undefined;
    const all = isOne ? own : new Set([...own, ...client.agreement.map((sold) => sold.currency)]);
    // Behind nobody it was short; else it may have been enough to be behind somebody for its own currency.
    const isShort = !this.#line.some(({ atMost }) => overlap(atMost, all));
    const surely = isShort || isOne ? all : new Set([currency]);
    this.#line = [...this.#line, { trail, surely, atMost: all }];
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
