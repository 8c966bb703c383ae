/** Books what providers report of cover orders, and settles what became of those whose outcome is not known. */

import type { Log } from '../../domain/core/log.js';
import {
  addedFill,
  contradictionOf,
  DUPLICATE_ORDER,
  endContradictionOf,
  isEnd,
  REJECTED,
  UNKNOWN_ORDER,
} from '../../domain/cover/cover.js';
import { formatMinor } from '../../domain/money/money.js';
import type { OrderReport } from '../../rates/cover/cover-session.js';
import type { Cover, CoverRecord } from '../../store/cover/cover.js';
import { sha256 } from '../../store/keys/redis-keys.js';

/** From the first answer that the order is not known to the one that is believed: by then an order under way has arrived. */
const CONFIRM_MS = 4_000;
const TRIES = 5;
const EXEC_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

interface Parts {
  readonly cover: Cover;
  readonly log: Log;
  /** Monotonic ms. */
  now(): number;
  /** An order has ended, and nothing of it was filled. */
  onRefused(record: CoverRecord): void;
  onReport(outcome: ReportOutcome): void;
}

/** `repeated`: it was booked before, or is contained in what was; `foreign`: of an order that the house has not with this provider. */
export const REPORT_OUTCOMES = ['booked', 'repeated', 'malformed', 'foreign', 'disputed'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

export class CoverBooks {
  readonly #parts: Parts;
  /** In turn: the second report of an order builds on the first. */
  #last: Promise<unknown> = Promise.resolve();
  /** When a provider first answered that it does not know an order. */
  readonly #notKnown = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A report of one provider, in the order of arrival, repeated until the store has taken it. False: not done, `isEnded` was true before. */
  report(provider: string, report: OrderReport, isEnded: () => boolean): Promise<boolean> {
    return this.#enqueue(() => this.#take(provider, report), isEnded);
  }

  /** The provider has rejected the message with the order. */
  rejected(provider: string, id: string, text: string, isEnded: () => boolean): Promise<boolean> {
    return this.#enqueue(async () => {
      const record = await this.#parts.cover.read(id);
      if (record?.provider === provider) await this.#end(record, `${provider}: ${text.slice(0, 100)}`);
    }, isEnded);
  }

  /** When everything up to now is booked. */
  settled(): Promise<unknown> {
    return this.#last;
  }

  /** False: it was not done. */
  #enqueue(work: () => Promise<void>, isEnded: () => boolean): Promise<boolean> {
    const done = this.#last.then(async () => {
      for (let waitMs = 50; !isEnded(); waitMs = Math.min(2_000, waitMs * 2)) {
        try {
          await work();
          return true;
        } catch (error) {
          this.#parts.log.warn({ err: error }, 'a report of a cover order is not booked yet');
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
      return false;
    });
    this.#last = done;
    return done;
  }

  async #take(provider: string, given: OrderReport): Promise<void> {
    const { cover, log } = this.#parts;
    const { clOrdId } = given;
    // Any text may be an ExecID(17); what is booked under it is one of a form.
    const report = EXEC_ID.test(given.execId) ? given : { ...given, execId: sha256(given.execId, 'base64url') };
    for (let tries = 1; tries <= TRIES; tries++) {
      const record = await cover.read(clOrdId);
      if (record === undefined || record.provider !== provider) {
        this.#count('foreign');
        log.warn({ provider, order: clOrdId.slice(0, 64) }, 'a provider reports on an order that is none of ours');
        return;
      }
      if (record.disputes.includes(report.execId)) return this.#count('repeated');
      // What its provider says now builds on what is disputed: the operator books it.
      if (record.status === 'disputed') return this.#count('disputed');
      const contradiction = contradictionOf(record, report);
      if (contradiction !== undefined) return this.#dispute(record, report, contradiction);
      const fill = report.ordStatus === REJECTED ? undefined : addedFill(record, report);
      if (fill === 'malformed') {
        if (hasEnded(record)) return this.#dispute(record, report, 'has amounts or prices that cannot be read');
        this.#count('malformed');
        log.error(
          { provider, order: record.id, report: report.execId },
          'a report of a cover order cannot be booked: its status is requested',
        );
        return;
      }
      if (fill !== undefined) {
        const booked = await cover.book(record, fill, 'engine');
        if (booked === 'changed') continue;
        if (booked === 'booked') this.#count('booked');
        else if (booked !== 'known') {
          if (booked !== 'not-sent' && hasEnded(record)) return this.#dispute(record, report, `meets ${booked}`);
          log.error({ provider, order: record.id, reason: booked }, 'a fill of a cover order cannot be booked');
          return;
        }
      } else if (report.execType === 'F') this.#count('repeated');
      await this.#conclude(record.id, report);
      return;
    }
    throw new Error('a cover order changes faster than it can be read');
  }

  /** After the fill: what the report says of the order as a whole. */
  async #conclude(id: string, report: OrderReport): Promise<void> {
    const { cover, now } = this.#parts;
    const record = await cover.read(id);
    if (record === undefined || record.status === 'disputed') return;
    const contradiction = endContradictionOf(record, report);
    if (contradiction !== undefined) return this.#dispute(record, report, contradiction);
    const { ordStatus, reason, text } = report;
    if (hasEnded(record) || reason === DUPLICATE_ORDER) return;
    if (ordStatus !== REJECTED || reason !== UNKNOWN_ORDER) {
      this.#notKnown.delete(id);
      if (isEnd(ordStatus)) await this.#end(record, text === '' ? '' : `${record.provider}: ${text}`);
      return;
    }
    const since = this.#notKnown.get(id) ?? now();
    this.#notKnown.set(id, since);
    if (now() - since >= CONFIRM_MS) await this.#end(record, `not known to ${record.provider}`);
  }

  async #dispute(record: CoverRecord, { execId }: OrderReport, contradiction: string): Promise<void> {
    const { cover, log } = this.#parts;
    const { id, pair, provider, filled, quote } = record;
    const [base = '', quoteCurrency = ''] = pair.split('/');
    const booked = `booked are ${formatMinor(filled, base)} ${base} for ${formatMinor(quote, quoteCurrency)} ${quoteCurrency}`;
    const reason = printable(`a report of ${provider} ${contradiction}; ${booked}`);
    const disputed = await cover.dispute(record, execId, reason);
    if (disputed !== 'disputed') return this.#count('repeated');
    this.#count('disputed');
    log.error(
      { provider, order: id, reason },
      'a provider disputes what is booked of a cover order: its pair is not covered until `ratewire cover resolve`',
    );
  }

  async #end(record: CoverRecord, reason: string): Promise<void> {
    this.#notKnown.delete(record.id);
    const moved = await this.#parts.cover.move(record, 'ended', printable(reason));
    if (moved.kind === 'moved' && moved.status === 'rejected')
      this.#parts.onRefused({ ...record, status: moved.status });
  }

  #count(outcome: ReportOutcome): void {
    this.#parts.onReport(outcome);
  }
}

const hasEnded = ({ status }: CoverRecord): boolean => status !== 'sent' && status !== 'unknown';

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
