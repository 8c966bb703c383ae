/** The counts of a run, for its summary. */
import { PaymentTally } from './payments/payment-tally.js';

export class Tally {
  rounds = 0;
  readonly kills = new Map<string, number>();
  /** Commands that were acknowledged before they were queried. */
  acknowledged = 0;
  /** Answer lost: found booked when queried, or not. */
  unknownBooked = 0;
  unknownNot = 0;
  /** Answered as not executed: sent again later, or left alone. */
  bookedLater = 0;
  leftAlone = 0;
  refused = 0;
  /** Holds with many concurrent orders, and those of them that one has booked. */
  contests = 0;
  contestsWon = 0;
  /** Restarts on a file whose last write was incomplete. */
  torn = 0;
  booked = 0;
  /** Changes of conversions that were made. */
  changes = 0;
  settledLater = 0;
  readonly payments = new PaymentTally();
  readonly violations: string[] = [];

  killed(part: string): void {
    this.kills.set(part, (this.kills.get(part) ?? 0) + 1);
  }

  summary(): string {
    const kills = [...this.kills].map(([part, times]) => `${part} ${times}`).join(', ');
    return [
      `${this.rounds} rounds; killed: ${kills}; ${this.torn} restarts behind a torn write;`,
      `${this.booked} booked, ${this.changes} changes of them, ${this.settledLater} of them settled later, ${this.acknowledged} acknowledged and confirmed;`,
      `${this.unknownBooked} without an answer found booked, ${this.unknownNot} not;`,
      `${this.bookedLater} sent again after nothing was done, ${this.leftAlone} left alone; ${this.refused} refused;`,
      `${this.contests} holds with 100 orders at once, ${this.contestsWon} booked;`,
      this.payments.summary(),
      `${this.violations.length} violations`,
    ].join(' ');
  }
}
