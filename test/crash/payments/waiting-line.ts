/** The payments of one client that await funds, in the order of the journal: none takes from an account what an older one may draw on. */
import type { PaymentTrail } from './payment-trail.js';

type Numbers = ReadonlySet<string>;

interface Waiting {
  readonly trail: PaymentTrail;
  /** Accounts that it may draw on. */
  readonly draws: Numbers;
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
    const first = account && account.currency !== currency ? String(account.number) : trail.account;
    const isOne = given.kind === 'source' || held !== undefined;
    const agreed = isOne ? [] : client.agreement.filter((sold) => sold.currency !== currency);
    const draws = new Set([first, ...agreed.map(({ number }) => String(number))]);
    this.#line = [...this.#line, { trail, draws }];
  }

  leave(trail: PaymentTrail): void {
    this.#line = this.#line.filter((waiting) => waiting.trail !== trail);
  }

  /** Which older payment may draw on an account that a payment funded at this time has debited; undefined: none. */
  overtaken(by: PaymentTrail, atMs: number): string | undefined {
    const bought = by.conversions.reduce((sum, { facts }) => sum + BigInt(facts.buy), 0n);
    const isOwnTaken = bought < (by.expected?.total ?? 0n);
    const taken = new Set([
      ...by.conversions.map(({ sellAccount }) => sellAccount),
      ...(isOwnTaken ? [by.account] : []),
    ]);
    for (const { trail, draws } of this.#line) {
      if (trail === by) return undefined;
      const { holdId, holdExpiryMs } = trail.facts;
      const isOver = holdId !== '' && atMs > holdExpiryMs;
      if (!isOver && [...draws].some((number) => taken.has(number))) return trail.id;
    }
    return undefined;
  }
}
