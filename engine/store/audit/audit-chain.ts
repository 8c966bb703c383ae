/**
 * The chain of the audit log: entries are numbered from 1 without a gap, and each has an HMAC-SHA256 under a sub-key of the master key over
 * the HMAC of the previous entry, its own id and number, and its fields. The first entry of the chain states how many entries preceded it
 * (of release 0.1.0, which had no chain) and their digest.
 */
import { createHash, createHmac } from 'node:crypto';
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

/** Digest of the entries before the chain. */
export class EarlierEntries {
  readonly #hash = createHash('sha256');
  count = 0;

  add(entry: RawEntry): void {
    this.#hash.update(`${JSON.stringify(entry)}\n`);
    this.count++;
  }

  get digest(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Fields of the entry that begins the chain. */
export const startFields = ({ count, digest }: EarlierEntries): string[] => [
  ...['chain', 'start', 'earlier', String(count), 'digest', digest],
];

/** Verifies the whole log entry by entry, oldest first; returns the entry at which it breaks. */
export class AuditChain {
  readonly #key: Buffer;
  readonly #earlier = new EarlierEntries();
  head: ChainHead = { number: 0, mac: '', entry: '' };

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Entries of release 0.1.0, before the chain. */
  get earlier(): number {
    return this.#earlier.count;
  }

  /** Undefined: the entry follows. */
  take(raw: RawEntry): string | undefined {
    const [entry, all] = raw;
    const [numberName, numberText, macName, mac = '', ...fields] = all;
    const isChained = numberName === 'number' && macName === 'mac';
    const { number: last, mac: before } = this.head;
    if (!isChained) {
      if (last > 0) return 'it has no number and no HMAC: it was not written by ratewire, or was changed';
      this.#earlier.add(raw);
      return undefined;
    }
    const number = Number(numberText);
    if (number !== last + 1)
      return `it has number ${number}, and ${last + 1} is what comes next: an entry was removed, or the order was changed`;
    if (macOf(this.#key, before, entry, number, fields) !== mac)
      return 'its HMAC is not that of the entry: it, or the one before, was changed or written without the key';
    if (number === 1 && startFields(this.#earlier).join(' ') !== fields.join(' '))
      return 'the entries before the start of the chain are not those that were there then: one was removed, changed or added';
    this.head = { number, mac, entry };
    return undefined;
  }
}
