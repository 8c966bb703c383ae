/** The counts of payments in a run. */
import type { PaymentTrail } from './payment-trail.js';

export class PaymentTally {
  created = 0;
  /** The answer to the creation was lost, and the payment exists. */
  foundMade = 0;
  /** Repeated, and answered with the existing payment. */
  duplicates = 0;
  readonly byStatus = new Map<string, number>();
  retried = 0;
  waited = 0;
  resumed = 0;
  converted = 0;
  steps = 0;
  fundings = 0;
  readonly workers = new Set<string>();
  /** Entries of work that a worker had claimed and did not finish. */
  readonly left = new Set<string>();

  /** All payments of a run, in their current state. */
  count(trails: readonly PaymentTrail[], fundings: number): void {
    this.created = trails.length;
    this.fundings = fundings;
    this.byStatus.clear();
    for (const { standing } of trails) this.byStatus.set(standing.status, this.#of(standing.status) + 1);
    const count = (is: (trail: PaymentTrail) => boolean) => trails.filter(is).length;
    this.retried = count(({ errors, standing }) => errors > 0 && standing.attempts > 1);
    this.waited = count(({ hasWaited }) => hasWaited);
    this.resumed = count(({ hasWaited, split }) => hasWaited && split !== undefined);
    this.converted = count(({ conversions }) => conversions.length > 0);
    this.steps = trails.reduce((sum, { stepsByWorkers }) => sum + stepsByWorkers, 0);
  }

  summary(): string {
    const named = ['PAID', 'RETURNED', 'COMPLIANCE_REJECTED', 'USER_REJECTED'];
    const others = [...this.byStatus].filter(([status]) => !named.includes(status));
    const [paid, returned, rejected, cancelled] = named.map((status) => this.#of(status));
    return [
      `${this.created} payments created, ${this.foundMade} of them without an answer, ${this.duplicates} times sent again; ${paid} paid, ${returned} returned,`,
      `${rejected} rejected, ${cancelled} cancelled, ${others.map(([status, times]) => `${times} ${status}`).join(', ')};`,
      `${this.retried} sent again after an error, ${this.waited} waited, ${this.resumed} of them resumed,`,
      `${this.converted} with conversions; ${this.fundings} fundings found; ${this.steps} steps by ${this.workers.size} workers, ${this.left.size} left half done;`,
    ].join(' ');
  }

  #of(status: string): number {
    return this.byStatus.get(status) ?? 0;
  }
}
