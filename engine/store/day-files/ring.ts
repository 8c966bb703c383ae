/**
 * A ring of bytes that one thread writes and another reads, without a lock and without a system call: the writer copies and continues, and
 * counts what does not fit. Records begin at multiples of 8. What kinds there are its writer decides, from 1 to 255.
 */
const HEAD = 0;
const TAIL = 1;
const DROPPED = 2;
const CLOSING = 3;
const CONTROL_BYTES = 64;
/** length (4), kind (1), free (1), number (2), time (8) */
const RECORD_BYTES = 16;
/** The rest of the ring is free: the next record is at its start. */
const SKIP = 0;

/** Bytes of the shared memory for a ring of `capacity` bytes, a power of two from 1,024 to 2^30. */
export const ringBytes = (capacity: number): number => CONTROL_BYTES + capacity;

class Ring {
  protected readonly control: Int32Array;
  readonly bytes: Buffer;
  protected readonly capacity: number;

  constructor(readonly memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_BYTES / 4);
    this.capacity = memory.byteLength - CONTROL_BYTES;
    this.bytes = Buffer.from(memory, CONTROL_BYTES, this.capacity);
  }

  /** Records that did not fit. */
  get dropped(): number {
    return Atomics.load(this.control, DROPPED) >>> 0;
  }
}

export class RingWriter extends Ring {
  private head = 0;
  private next = 0;

  /** The bytes as doubles, for records that are written in place. */
  readonly doubles = new Float64Array(this.memory, CONTROL_BYTES, this.capacity / 8);

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
    const used = (this.head - Atomics.load(this.control, TAIL)) >>> 0;
    if (size > this.capacity / 2 || used + skipped + size > this.capacity) {
      Atomics.add(this.control, DROPPED, 1);
      return -1;
    }
    if (skipped > 0) this.bytes[at + 4] = SKIP;
    const begin = skipped > 0 ? 0 : at;
    const { bytes } = this;
    bytes.writeUInt32LE(length, begin);
    bytes[begin + 4] = kind;
    bytes.writeUInt16LE(number, begin + 6);
    bytes.writeDoubleLE(time, begin + 8);
    this.next = (this.head + skipped + size) | 0;
    return begin + RECORD_BYTES;
  }

  /** A quarter of the ring is free. */
  get hasRoom(): boolean {
    return (this.head - Atomics.load(this.control, TAIL)) >>> 0 <= this.capacity * 0.75;
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
    let records = 0;
    const { bytes } = this;
    while (tail !== head) {
      const at = tail & (this.capacity - 1);
      const kind = bytes[at + 4]!;
      if (kind === SKIP) {
        tail = (tail + this.capacity - at) | 0;
      } else {
        const length = bytes.readUInt32LE(at);
        const start = at + RECORD_BYTES;
        tail = (tail + ((RECORD_BYTES + length + 7) & ~7)) | 0;
        records++;
        try {
          each(kind, bytes.readUInt16LE(at + 6), bytes.readDoubleLE(at + 8), bytes, start, start + length);
        } finally {
          // Also where it has failed: the next reader must not fail at the same record again.
          Atomics.store(this.control, TAIL, tail);
        }
        continue;
      }
      Atomics.store(this.control, TAIL, tail);
    }
    return records;
  }
}
