/**
 * A ring of bytes that one thread writes and another reads, without a lock and without a system call: the writer copies and continues, and
 * counts what does not fit. Records begin at multiples of 8. What kinds there are its writer decides, from 1 to 255.
 */
const HEAD = 0;
const DROPPED = 1;
const CLOSING = 2;
/** What the reader writes is in a cache line of its own: a writer that reads that line waits for the other CPU. */
const TAIL = 32;
const CONTROL_BYTES = 256;
/** length (4), kind (1), free (1), number (2), time (8) */
const RECORD_BYTES = 16;
/** The reader releases what it has read as often, and at the end. */
const RELEASE_BYTES = 64 * 1024;
/** The rest of the ring is free: the next record is at its start. */
const SKIP = 0;

/** Bytes of the shared memory for a ring of `capacity` bytes, a power of two from 1,024 to 2^30. */
export const ringBytes = (capacity: number): number => CONTROL_BYTES + capacity;

class Ring {
  protected readonly control: Int32Array;
  readonly bytes: Buffer;
  /** The bytes as doubles, for records that are written in place; `ints` for their headers. */
  readonly doubles: Float64Array;
  protected readonly ints: Int32Array;
  protected readonly capacity: number;

  constructor(readonly memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_BYTES / 4);
    this.capacity = memory.byteLength - CONTROL_BYTES;
    this.bytes = Buffer.from(memory, CONTROL_BYTES, this.capacity);
    this.doubles = new Float64Array(memory, CONTROL_BYTES, this.capacity / 8);
    this.ints = new Int32Array(memory, CONTROL_BYTES, this.capacity / 4);
  }

  /** Records that did not fit. */
  get dropped(): number {
    return Atomics.load(this.control, DROPPED) >>> 0;
  }
}

export class RingWriter extends Ring {
  private head = Atomics.load(this.control, HEAD);
  private next = 0;
  /** As it was when there last seemed to be no room. */
  private tail = Atomics.load(this.control, TAIL);

  /** False: there is no room, and the record is counted as dropped. */
  write(kind: number, number: number, time: number, source: Uint8Array, start: number, end: number): boolean {
    const at = this.begin(kind, number, time, end - start);
    if (at < 0) return false;
    const length = end - start;
    this.bytes.set(length === source.length ? source : source.subarray(start, end), at);
    this.commit();
    return true;
  }

  /**
   * Makes room for a record, whose bytes are written to `bytes` or `doubles` from the returned place on, a multiple of 8, before `commit`.
   * Negative: there is no room, and the record is counted as dropped.
   */
  begin(kind: number, number: number, time: number, length: number): number {
    const size = (RECORD_BYTES + length + 7) & ~7;
    const at = this.head & (this.capacity - 1);
    const left = this.capacity - at;
    const skipped = left < size ? left : 0;
    const wanted = skipped + size;
    if (this.#used + wanted > this.capacity) this.tail = Atomics.load(this.control, TAIL);
    if (size > this.capacity / 2 || this.#used + wanted > this.capacity) {
      Atomics.add(this.control, DROPPED, 1);
      return -1;
    }
    if (skipped > 0) this.ints[(at >> 2) + 1] = SKIP;
    const begin = skipped > 0 ? 0 : at;
    this.ints[begin >> 2] = length;
    this.ints[(begin >> 2) + 1] = kind | (number << 16);
    this.doubles[(begin >> 3) + 1] = time;
    this.next = (this.head + skipped + size) | 0;
    return begin + RECORD_BYTES;
  }

  /** A quarter of the ring is free. */
  get hasRoom(): boolean {
    this.tail = Atomics.load(this.control, TAIL);
    return this.#used <= this.capacity * 0.75;
  }

  get #used(): number {
    return (this.head - this.tail) >>> 0;
  }

  /** The record that was begun is whole: the reader may have it. */
  commit(): void {
    this.head = this.next;
    Atomics.store(this.control, HEAD, this.head);
  }

  /** The reader ends when it has read everything. */
  close(): void {
    Atomics.store(this.control, CLOSING, 1);
    Atomics.notify(this.control, CLOSING);
  }
}

export type OnRecord = (kind: number, number: number, time: number, bytes: Buffer, start: number, end: number) => void;

export class RingReader extends Ring {
  get isClosing(): boolean {
    return Atomics.load(this.control, CLOSING) === 1;
  }

  /** Waits so long, or until the writer closes. */
  wait(ms: number): void {
    Atomics.wait(this.control, CLOSING, 0, ms);
  }

  /** Calls `each` with what was written since; the bytes are valid during the call. Returns how many records there were. */
  read(each: OnRecord): number {
    const head = Atomics.load(this.control, HEAD);
    let tail = Atomics.load(this.control, TAIL);
    let released = tail;
    let records = 0;
    const { ints, doubles } = this;
    try {
      while (tail !== head) {
        const at = tail & (this.capacity - 1);
        const word = ints[(at >> 2) + 1]!;
        const kind = word & 0xff;
        if (kind === SKIP) {
          tail = (tail + this.capacity - at) | 0;
          continue;
        }
        const length = ints[at >> 2]!;
        const start = at + RECORD_BYTES;
        tail = (tail + ((RECORD_BYTES + length + 7) & ~7)) | 0;
        records++;
        each(kind, word >>> 16, doubles[(at >> 3) + 1]!, this.bytes, start, start + length);
        if ((tail - released) >>> 0 < RELEASE_BYTES) continue;
        Atomics.store(this.control, TAIL, tail);
        released = tail;
      }
    } finally {
      // Also where a record has failed: the next reader must not fail at it again.
      Atomics.store(this.control, TAIL, tail);
    }
    return records;
  }
}
