/**
 * A ring of bytes that one thread writes and another reads, without a lock and without a system call: the writer copies and continues, and
 * counts what does not fit. Records begin at multiples of 8.
 */
const HEAD = 0;
const TAIL = 1;
const DROPPED = 2;
const CLOSING = 3;
const CONTROL_BYTES = 64;
/** length (4), kind (1), free (1), session (2), time (8) */
const RECORD_BYTES = 16;
/** The rest of the ring is free: the next record is at its start. */
const SKIP = 0;

export const KINDS = { name: 1, in: 2, out: 3, garbled: 4, event: 5 } as const;
export type Kind = (typeof KINDS)[keyof typeof KINDS];

/** Bytes of the shared memory for a ring of `capacity` bytes, a power of two from 1,024 to 2^30. */
export const ringBytes = (capacity: number): number => CONTROL_BYTES + capacity;

class Ring {
  protected readonly control: Int32Array;
  protected readonly bytes: Buffer;
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

  /** False: there is no room, and the record is counted as dropped. */
  write(kind: Kind, session: number, timeUs: number, source: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    const size = (RECORD_BYTES + length + 7) & ~7;
    const at = this.head & (this.capacity - 1);
    const left = this.capacity - at;
    const skipped = left < size ? left : 0;
    const used = (this.head - Atomics.load(this.control, TAIL)) >>> 0;
    if (size > this.capacity / 2 || used + skipped + size > this.capacity) {
      Atomics.add(this.control, DROPPED, 1);
      return false;
    }
    if (skipped > 0) this.bytes[at + 4] = SKIP;
    const begin = skipped > 0 ? 0 : at;
    const { bytes } = this;
    bytes.writeUInt32LE(length, begin);
    bytes[begin + 4] = kind;
    bytes.writeUInt16LE(session, begin + 6);
    bytes.writeDoubleLE(timeUs, begin + 8);
    bytes.set(length === source.length ? source : source.subarray(start, end), begin + RECORD_BYTES);
    this.head = (this.head + skipped + size) | 0;
    Atomics.store(this.control, HEAD, this.head);
    return true;
  }

  /** The reader ends when it has read everything. */
  close(): void {
    Atomics.store(this.control, CLOSING, 1);
    Atomics.notify(this.control, CLOSING);
  }
}

export type OnRecord = (kind: Kind, session: number, timeUs: number, bytes: Buffer, start: number, end: number) => void;

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
          each(kind as Kind, bytes.readUInt16LE(at + 6), bytes.readDoubleLE(at + 8), bytes, start, start + length);
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
