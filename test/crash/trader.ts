/** Orders, quotes and status requests of one desk, and the reports on each. */
import type { Fields, Received } from '../support/desk.js';
import { timestamp } from '../support/desk.js';
import type { Violation } from './audit.js';
import type { CrashClient } from './clients.js';
import { CrashDesk } from './crash-desk.js';
import type { Intent, IntentLog } from './intents.js';
import type { Site } from './site.js';

export interface TraderOptions {
  readonly site: Site;
  readonly client: CrashClient;
  readonly compId: string;
  readonly log: IntentLog;
  readonly violation: Violation;
  /** Prices use up numbers between the reports. */
  readonly streams: boolean;
}

/** A session may send 50 a second and a hundred at once; how much of that is left after a crash only the engine knows. */
const PER_SECOND = 40;
const AT_ONCE = 30;
const LOOK_MS = 10;
/** Header fields, and the fields in which an answer to a status request differs from a trade. */
const NOT_OF_THE_BOOKING = new Set([8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122, 150]);

export class Trader {
  readonly desk: CrashDesk;
  /** Confirmation ids reported as just booked, and as booked elsewhere. */
  readonly trades = new Set<string>();
  readonly copies = new Set<string>();
  /** ExecutionReport(8) by ClOrdID(11), in order. */
  readonly #reports = new Map<string, Received[]>();
  readonly #quotes = new Map<string, Received>();
  /** The first report of a booking. */
  readonly #told = new Map<string, string>();
  #permits = AT_ONCE;
  #permitsAt = performance.now();

  constructor(readonly options: TraderOptions) {
    this.desk = new CrashDesk({
      ...options,
      heard: (message) => this.#hear(message),
      onLogon: () => options.streams && this.#stream(),
      onSentAgain: () => this.#permits--,
    });
  }

  /** Sends a NewOrderSingle(D), with PossResend(97) when it may have been sent before. */
  async order(intent: Intent, isAgain = false): Promise<void> {
    const { command } = intent;
    if (command.door !== 'fix') throw new Error('a booking over REST goes by its caller');
    await this.#pace();
    const fields: Fields = [
      ...(isAgain ? [[97, 'Y'] as const] : []),
      [11, intent.requestId],
      ...command.order,
      [60, timestamp(Date.now())],
      [20001, this.desk.token],
    ];
    const unknown = () => void intent.attempts.push({ kind: 'unknown' });
    if (this.desk.send('D', fields, unknown)) unknown();
    else intent.attempts.push({ kind: 'none' });
  }

  /** OrderStatusRequest(H); false: not logged on. */
  async ask({ requestId }: Intent): Promise<boolean> {
    await this.#pace();
    return this.desk.send('H', [
      [11, requestId],
      [55, 'EUR/USD'],
      [54, 1],
      [20001, this.desk.token],
    ]);
  }

  /** QuoteRequest(R) for a rate that is held until then; undefined: none arrived in time. */
  async quote(id: string, wanted: Fields, untilMs: number, withinMs: number): Promise<Received | undefined> {
    await this.#pace();
    const until = [62, timestamp(untilMs)] as const;
    if (!this.desk.send('R', [[131, id], [146, 1], ...wanted, until, [20001, this.desk.token]])) return undefined;
    return this.#untilFound(() => this.#quotes.get(id), withinMs);
  }

  /** The first matching report on the order after the first `after` ones; undefined: none arrived in time. */
  report(
    { requestId }: Intent,
    after: number,
    withinMs: number,
    isWanted: (report: Received) => boolean,
  ): Promise<Received | undefined> {
    return this.#untilFound(() => this.#reports.get(requestId)?.slice(after).find(isWanted), withinMs);
  }

  reportsOf({ requestId }: Intent): readonly Received[] {
    return this.#reports.get(requestId) ?? [];
  }

  #hear(message: Received): void {
    const type = message.get(35);
    if (type === '8') this.#take(message);
    else if (type === 'S') this.#quotes.set(message.get(131) ?? '', message);
    else if (type === 'j') this.#wrong(`the engine says ${message.text}`);
  }

  #take(report: Received): void {
    const id = report.get(11) ?? '';
    const booking = report.get(37) ?? '';
    const isBooked = report.get(39) === '2';
    // A change states the booking as it is after it.
    const isChange = report.get(150) === 'D';
    if (isBooked && !isChange) this.#compare(booking, report);
    if (report.get(797) === 'Y') {
      this.copies.add(booking);
      return;
    }
    this.#reports.set(id, [...(this.#reports.get(id) ?? []), report]);
    if (report.get(150) === 'F') {
      // Under two numbers: a report repeated because it may have been lost is marked as such.
      if (this.trades.has(booking) && report.get(97) !== 'Y')
        this.#wrong(`${booking} was reported twice: ${report.text}`);
      this.trades.add(booking);
    }

    const intent = this.options.log.intents.get(id);
    if (!intent) this.#wrong(`a report on what was never sent: ${report.text}`);
    else if (isBooked) intent.attempts.push({ kind: 'acknowledged', confirmationId: booking });
    else if (report.get(39) === '8') this.#refused(intent, report.get(20011) ?? '');
  }

  /** For an order sent once, this is its outcome. */
  #refused({ attempts }: Intent, code: string): void {
    // The throttle counts status requests too; exceeding it leaves the order unchanged.
    if (code === 'RATE_LIMITED' || attempts.length !== 1 || attempts[0]!.kind !== 'unknown') return;
    attempts[0] =
      code === 'STORE_UNAVAILABLE' || code === 'UNKNOWN_ORDER' ? { kind: 'none' } : { kind: 'refused', code };
  }

  #compare(booking: string, report: Received): void {
    const fields = report.fields.filter(([tag]) => !NOT_OF_THE_BOOKING.has(tag) && tag !== 797);
    const now = fields.map((field) => field.join('=')).join('|');
    const before = this.#told.get(booking) ?? now;
    if (before !== now) this.#wrong(`${booking} was reported as ${before} and as ${now}`);
    this.#told.set(booking, before);
  }

  #stream(): void {
    this.desk.send('V', [
      [262, `M${Date.now()}`],
      [263, 1],
      [264, 1],
      [265, 0],
      [267, 2],
      [269, 0],
      [269, 1],
      [146, 2],
      [55, 'EUR/USD'],
      [55, 'USD/JPY'],
      [20001, this.desk.token],
    ]);
  }

  /** Waits, so that the desk stays within the throttle. */
  async #pace(): Promise<void> {
    for (;;) {
      const now = performance.now();
      this.#permits = Math.min(AT_ONCE, this.#permits + ((now - this.#permitsAt) / 1_000) * PER_SECOND);
      this.#permitsAt = now;
      if (this.#permits >= 1) break;
      await later(1_000 / PER_SECOND);
    }
    this.#permits--;
  }

  async #untilFound<T>(find: () => T | undefined, withinMs: number): Promise<T | undefined> {
    const late = performance.now() + withinMs;
    for (let found = find(); ; found = find()) {
      if (found !== undefined || performance.now() > late) return found;
      await later(LOOK_MS);
    }
  }

  #wrong(text: string): void {
    this.options.violation(`${this.options.compId}: ${text}`);
  }
}

export const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
