import { digitsOf, writeUint } from './ascii.js';

// Own copies, not imports: see ascii.ts.
const EQUALS = 0x3d;
const SOH = 0x01;

const NOTHING = new Uint8Array(0);

/** Longest body; a message above this would not be taken by a peer either. */
const MAX_BYTES = 64 * 1024;

/**
 * Fields in wire order with the sum of their bytes, so that a message made of several bodies has its CheckSum(10) by
 * adding. Cleared and filled again; grows as needed.
 */
export class SharedBody {
  bytes: Uint8Array;
  length = 0;
  sum = 0;
  #filled: Uint8Array = NOTHING;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  clear(): void {
    this.length = 0;
    this.sum = 0;
  }

  /** The bytes filled so far, without copying; valid until more is appended. Copying it whole is the fastest there is. */
  filled(): Uint8Array {
    // The view of last time is still right when the body has the same length again, which ticks of one pair mostly have.
    if (this.#filled.length !== this.length) this.#filled = this.bytes.subarray(0, this.length);
    return this.#filled;
  }

  /** ASCII (Latin-1) as it is, without a separator: for names of tags made once, e.g. `\x01270=`. */
  text(s: string): void {
    this.#room(s.length);
    const bytes = this.bytes;
    let at = this.length;
    let sum = this.sum;
    for (let i = 0; i < s.length; i++) {
      const code = s.charCodeAt(i);
      const byte = code > 0xff ? 0x3f : code;
      bytes[at++] = byte;
      sum += byte;
    }
    this.length = at;
    this.sum = sum;
  }

  /** `tag=value SOH`. A value cannot end its field: SOH in it becomes a space. */
  field(tag: number, value: string): void {
    this.#room(12 + value.length);
    this.uint(tag);
    this.byte(EQUALS);
    const bytes = this.bytes;
    let at = this.length;
    let sum = this.sum;
    for (let i = 0; i < value.length; i++) {
      const byte = fieldByte(value.charCodeAt(i));
      bytes[at++] = byte;
      sum += byte;
    }
    bytes[at++] = SOH;
    this.length = at;
    this.sum = sum + SOH;
  }

  /** A whole number 0..2^53 in digits, without tag or separator. */
  uint(n: number): void {
    this.#room(digitsOf(n));
    const from = this.length;
    const to = writeUint(this.bytes, from, n);
    for (let i = from; i < to; i++) this.sum += this.bytes[i];
    this.length = to;
  }

  byte(b: number): void {
    this.#room(1);
    this.bytes[this.length++] = b;
    this.sum += b;
  }

  /** The bytes from..to of another buffer, as they are. */
  append(source: Uint8Array, from: number, to: number): void {
    this.#room(to - from);
    const bytes = this.bytes;
    let at = this.length;
    let sum = this.sum;
    for (let i = from; i < to; i++) {
      bytes[at++] = source[i];
      sum += source[i];
    }
    this.length = at;
    this.sum = sum;
  }

  #room(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    if (needed > MAX_BYTES) throw new RangeError(`FIX body over ${MAX_BYTES} bytes: send fewer entries in one message`);
    const larger = new Uint8Array(Math.min(MAX_BYTES, Math.max(needed, this.bytes.length * 2)));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.#filled = NOTHING;
  }
}

/** One character of a field value as its byte: SOH would end the field, and there is no byte above 255. */
export function fieldByte(code: number): number {
  return code === SOH ? 0x20 : code > 0xff ? 0x3f : code;
}
