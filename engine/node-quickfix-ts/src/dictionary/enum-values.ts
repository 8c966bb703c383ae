/** The values a field may take, compared as bytes. */
export class EnumValues {
  /** Values of one character, which nearly all are, by that character. */
  readonly #single = new Uint8Array(256);
  /** Longer ones by hash. */
  readonly #longer = new Map<number, Uint8Array[]>();

  constructor(values: readonly string[]) {
    for (const value of values) {
      const bytes = Uint8Array.from(Buffer.from(value, 'latin1'));
      if (bytes.length === 1) this.#single[bytes[0]] = 1;
      else {
        const key = hash(bytes, 0, bytes.length);
        this.#longer.set(key, [...(this.#longer.get(key) ?? []), bytes]);
      }
    }
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start === 1) return this.#single[bytes[start]] === 1;
    const candidates = this.#longer.get(hash(bytes, start, end));
    return candidates?.some((candidate) => isSame(candidate, bytes, start, end)) ?? false;
  }

  /** MultipleValueString: each of the values, separated by a space, is one of these. */
  hasEach(bytes: Uint8Array, start: number, end: number): boolean {
    let from = start;
    for (let i = start; i <= end; i++) {
      if (i < end && bytes[i] !== 0x20) continue;
      if (!this.has(bytes, from, i)) return false;
      from = i + 1;
    }
    return true;
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = end - start;
  for (let i = start; i < end; i++) h = (Math.imul(h, 31) + bytes[i]) | 0;
  return h;
}

function isSame(value: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (value.length !== end - start) return false;
  for (let i = 0; i < value.length; i++) if (value[i] !== bytes[start + i]) return false;
  return true;
}
