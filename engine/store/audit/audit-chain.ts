/**
 * The chain of the audit log: entries are numbered from 1 without a gap, and each has an HMAC-SHA256 under a sub-key of the master key over
 * the HMAC of the previous entry, its own id and number, and its fields. The first entry says that the chain begins.
 */
import { createHmac } from 'node:crypto';
import type { RawEntry } from '../ledger/journal.js';

export interface ChainHead {
  /** 0: the chain has not begun. */
  readonly number: number;
  readonly mac: string;
  /** Id of the entry in the log. */
  readonly entry: string;
}

export const macOf = (key: Buffer, before: string, entry: string, number: number, fields: readonly string[]): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([before, entry, number, ...fields]))
    .digest('hex');

/** Fields of the entry that begins the chain. */
export const START: readonly string[] = ['chain', 'start'];

/** Verifies the whole log entry by entry, oldest first; returns the entry at which it breaks. */
export class AuditChain {
  readonly #key: Buffer;
  head: ChainHead = { number: 0, mac: '', entry: '' };

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Undefined: the entry follows. */
  take([entry, all]: RawEntry): string | undefined {
    const [numberName, numberText, macName, mac = '', ...fields] = all;
    const { number: last, mac: before } = this.head;
    if (numberName !== 'number' || macName !== 'mac')
      return 'it has no number and no HMAC: it was not written by ratewire, or was changed';
    const number = Number(numberText);
    if (number !== last + 1)
      return `it has number ${number}, and ${last + 1} is what comes next: an entry was removed, or the order was changed`;
    if (macOf(this.#key, before, entry, number, fields) !== mac)
      return 'its HMAC is not that of the entry: it, or the one before, was changed or written without the key';
    this.head = { number, mac, entry };
    return undefined;
  }
}
