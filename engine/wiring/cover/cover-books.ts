/** Books what providers report of cover orders, and settles what became of those whose outcome is not known. */

import type { Log } from '../../domain/log.js';
import { addedFill } from '../../domain/risk/cover.js';
import type { OrderReport } from '../../rates/cover/cover-session.js';
import { sha256 } from '../../store/keys/redis-keys.js';
import type { Cover, CoverRecord } from '../../store/ledger/cover.js';

/** OrdStatus(39) of an order on which nothing more can happen: filled, done for day, canceled, stopped, rejected, suspended, calculated, expired. */
const ENDED = new Set(['2', '3', '4', '7', '8', '9', 'B', 'C']);
const REJECTED = '8';
/** OrdRejReason(103). */
const UNKNOWN_ORDER = '5';
const DUPLICATE_ORDER = '6';
/** From the first answer that the order is not known to the one that is believed: by then an order under way has arrived. */
const CONFIRM_MS = 4_000;
const TRIES = 5;
const EXEC_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

interface Parts {
  readonly cover: Cover;
  readonly log: Log;
  /** Monotonic ms. */
  now(): number;
  /** An order has ended without having been filled whole. */
  onRefused(record: CoverRecord): void;
}

export class CoverBooks {
  readonly counts = { booked: 0, repeated: 0, malformed: 0, foreign: 0 };
  readonly #parts: Parts;
  /** In turn: the second report of an order builds on the first. */
  #last: Promise<unknown> = Promise.resolve();
  /** When a provider first answered that it does not know an order. */
  readonly #notKnown = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reports of one provider, in the order of arrival. Repeated until the store has taken it, or until `isEnded`. */
  report(provider: string, report: OrderReport, isEnded: () => boolean): void {
    this.#enqueue(() => this.#take(provider, report), isEnded);
  }

  /** The provider has rejected the message with the order. */
  rejected(provider: string, id: string, text: string, isEnded: () => boolean): void {
    this.#enqueue(async () => {
      const record = await this.#parts.cover.read(id);
      if (record?.provider === provider) await this.#end(record, `${provider}: ${text.slice(0, 100)}`);
    }, isEnded);
  }

  /** When everything up to now is booked. */
  settled(): Promise<unknown> {
    return this.#last;
  }

  #enqueue(work: () => Promise<void>, isEnded: () => boolean): void {
    this.#last = this.#last.then(async () => {
      // A report is lost with this process alone: a status request brings it back.
      for (let waitMs = 50; !isEnded(); waitMs = Math.min(2_000, waitMs * 2)) {
        try {
          await work();
          return;
        } catch (error) {
          this.#parts.log.warn({ err: error }, 'a report of a cover order is not booked yet');
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
    });
  }

  async #take(provider: string, given: OrderReport): Promise<void> {
    const { cover, log } = this.#parts;
    const { clOrdId } = given;
    // Any text may be an ExecID(17); what is booked under it is one of a form.
    const report = EXEC_ID.test(given.execId) ? given : { ...given, execId: sha256(given.execId, 'base64url') };
    for (let tries = 1; tries <= TRIES; tries++) {
      const record = await cover.read(clOrdId);
      if (record === undefined || record.provider !== provider) {
        this.counts.foreign++;
        log.warn({ provider, order: clOrdId.slice(0, 64) }, 'a provider reports on an order that is none of ours');
        return;
      }
      const fill = report.ordStatus === REJECTED ? undefined : addedFill(record, report);
      if (fill === 'malformed') {
        this.counts.malformed++;
        log.error(
          { provider, order: record.id, report: report.execId },
          'a report of a cover order cannot be booked: resolve it by hand',
        );
        return;
      }
      if (fill !== undefined) {
        const booked = await cover.book(record, fill, 'engine');
        if (booked === 'changed') continue;
        if (booked === 'booked') this.counts.booked++;
        else if (booked !== 'known') {
          log.error({ provider, order: record.id, reason: booked }, 'a fill of a cover order cannot be booked');
          return;
        }
      } else if (report.execType === 'F') this.counts.repeated++;
      await this.#conclude(record.id, report);
      return;
    }
    throw new Error('a cover order changes faster than it can be read');
  }

  /** After the fill: what the report says of the order as a whole. */
  async #conclude(id: string, { ordStatus, reason, text, execType }: OrderReport): Promise<void> {
    const { cover, now } = this.#parts;
    const record = await cover.read(id);
    if (record === undefined || (record.status !== 'sent' && record.status !== 'unknown')) return;
    if (!ENDED.has(ordStatus) || reason === DUPLICATE_ORDER) return;
    if (ordStatus === REJECTED && reason === UNKNOWN_ORDER && execType === 'I') {
      const since = this.#notKnown.get(id) ?? now();
      this.#notKnown.set(id, since);
      if (now() - since < CONFIRM_MS) return;
      await this.#end(record, `not known to ${record.provider}`);
    } else await this.#end(record, text === '' ? '' : `${record.provider}: ${text}`);
  }

  async #end(record: CoverRecord, reason: string): Promise<void> {
    this.#notKnown.delete(record.id);
    const moved = await this.#parts.cover.move(record, 'ended', reason.replace(/[^\x20-\x7e]/g, '?'));
    if (moved.kind === 'moved' && moved.status !== 'filled') this.#parts.onRefused({ ...record, status: moved.status });
  }
}
