/** Checks that payments under way will continue: each has its entry in the work stream or in the due list. */
import { PAYMENT_ID } from '../../domain/core/ids.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payments/payment-status.js';
import type { Connection } from '../connection/connection.js';
import { fieldsOf } from '../connection/fields.js';
import { batchEntry } from '../coordination/work.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { stateOf } from '../payments/payment-record.js';

/** A payment without an entry for its next step. */
export interface LostPayment {
  readonly id: string;
  readonly status: PaymentStatus;
  /** When it took its last step, epoch ms. */
  readonly sinceMs: number;
}

export interface WorkAudit {
  /** The stalled ones of `ids`; safe while workers run. */
  lost(of: MoneyOf, ids: readonly string[]): Promise<readonly LostPayment[]>;
  /** Whether a worker will draw items of the batch; safe while workers run. */
  hasBatch(of: MoneyOf, batchId: string): Promise<boolean>;
}

interface Asked extends LostPayment {
  readonly step: number;
  /** Its entry in the due list. */
  readonly due: string;
}

const PAGE = 500;

export function workAudit(connection: Connection): WorkAudit {
  /** Undefined: its next step needs no entry. */
  const asked = async (of: MoneyOf, id: string): Promise<Asked | undefined> => {
    if (!PAYMENT_ID.test(id)) return undefined;
    const state = await connection.read((redis) => redis.hget(ledgerKeys(of).payment(id), 's'));
    if (!state) return undefined;
    const { status, step, isBusy, updatedAtMs } = stateOf(state);
    if (!isStatus(status)) return undefined;
    const named = { id, status, step, sinceMs: updatedAtMs };
    if (status === 'AWAITING_FUNDS') return { ...named, due: `expire:${of.id}:${id}` };
    // In these two a worker has the next step, whatever the record says.
    const isUnderWay = isBusy || status === 'IN_PROCESS' || status === 'COMPLIANCE_APPROVED';
    return isUnderWay ? { ...named, due: `work:${of.id}:${id}.${step}` } : undefined;
  };
  const withoutDue = async (of: MoneyOf, all: readonly Asked[]): Promise<Asked[]> => {
    const { due } = ledgerKeys(of);
    const scores = await Promise.all(all.map((one) => connection.read((redis) => redis.zscore(due, one.due))));
    return all.filter((_one, i) => scores[i] === null);
  };
  /** Those missing from the shard's work stream; one page of it is in memory at a time. */
  const withoutWork = async (of: MoneyOf, all: readonly Asked[]): Promise<Asked[]> => {
    const { work } = ledgerKeys(of);
    const missing = new Map(all.map((one) => [`${one.id}.${one.step}`, one]));
    for (let after = '-'; missing.size > 0; ) {
      const page = await connection.read((redis) => redis.xrange(work, after, '+', 'COUNT', PAGE));
      for (const [, fields] of page) {
        const { payment, step } = fieldsOf(fields);
        missing.delete(`${payment}.${step}`);
      }
      if (page.length < PAGE) break;
      after = `(${page.at(-1)![0]}`;
    }
    return [...missing.values()];
  };
  /** During the read an entry may move from the due list to the stream and back, and the payment may take steps. */
  const look = async (of: MoneyOf, ids: readonly string[]): Promise<Asked[]> => {
    const underWay = (await Promise.all(ids.map((id) => asked(of, id)))).filter((one) => one !== undefined);
    let lost = await withoutDue(of, underWay);
    if (lost.length === 0) return lost;
    lost = await withoutDue(of, await withoutWork(of, lost));
    const now = await Promise.all(lost.map(({ id }) => asked(of, id)));
    return lost.filter(({ due }, i) => now[i]?.due === due);
  };
  const hasBatchNow = async (of: MoneyOf, batchId: string): Promise<boolean> => {
    const { due, work } = ledgerKeys(of);
    if ((await connection.read((redis) => redis.zscore(due, batchEntry(of, batchId)))) !== null) return true;
    for (let after = '-'; ; ) {
      const page = await connection.read((redis) => redis.xrange(work, after, '+', 'COUNT', PAGE));
      if (page.some(([, fields]) => fieldsOf(fields).batch === batchId)) return true;
      if (page.length < PAGE) return false;
      after = `(${page.at(-1)![0]}`;
    }
  };
  return {
    // During the first look it may move from the stream to the due list, and back.
    hasBatch: async (of, batchId) => (await hasBatchNow(of, batchId)) || hasBatchNow(of, batchId),
    async lost(of, ids) {
      const first = await look(of, ids);
      if (first.length === 0) return first;
      const again = await look(
        of,
        first.map(({ id }) => id),
      );
      return again.filter(({ due }) => first.some((one) => one.due === due));
    },
  };
}

const isStatus = (text: string): text is PaymentStatus => (PAYMENT_STATUSES as readonly string[]).includes(text);
