import type { Clock, Wire } from './ports.js';

const SIZE = 64 * 1024;

/** Who writes with the pen. */
export interface Writer {
  readonly wire: Wire;
  /** Its bytes have been handed to the wire. */
  penWritten(): void;
}

/**
 * One buffer for all sessions of a process, because a buffer per session would be most of a session's memory. The session
 * whose turn it is encodes into it; when another begins, at `flush`, or at the end of the event-loop turn, everything
 * goes out in one write. A socket write costs more than twenty messages, so the number of writes is what decides.
 */
export class Pen {
  buffer: Uint8Array = Buffer.allocUnsafeSlow(SIZE);
  /** Where the next message begins. */
  at = 0;
  /** Epoch ms, whole, when the writer took the pen: SendingTime(52) of all that it writes now. */
  nowMs = 0;
  private writer: Writer | undefined;
  private scheduled = false;
  private readonly endOfTurn = (): void => {
    this.scheduled = false;
    this.flush();
  };

  constructor(private readonly clock: Clock) {}

  /** From here on `writer` encodes at `at`; at least `room` bytes are free. */
  take(writer: Writer, room: number): void {
    if (this.writer !== writer) {
      this.flush();
      this.writer = writer;
      this.nowMs = Math.floor(this.clock.now());
    }
    if (this.at + room > this.buffer.length) this.makeRoom(writer, room);
    if (!this.scheduled) {
      this.scheduled = true;
      setImmediate(this.endOfTurn);
    }
  }

  /** True while `writer` has bytes here that are not written. */
  holds(writer: Writer): boolean {
    return this.at > 0 && this.writer === writer;
  }

  /** One write of everything encoded since the last. */
  flush(): void {
    const writer = this.writer;
    const length = this.at;
    this.writer = undefined;
    this.at = 0;
    if (writer === undefined || length === 0) return;
    const wire = writer.wire;
    if (wire.backlogBytes > 0) {
      // It will wait behind what waits already: hand over just these bytes, and keep the pen.
      wire.write(Uint8Array.from(this.buffer.subarray(0, length)));
    } else if (!wire.write(this.buffer.subarray(0, length))) {
      this.buffer = Buffer.allocUnsafeSlow(SIZE);
    }
    writer.penWritten();
  }

  private makeRoom(writer: Writer, room: number): void {
    this.flush();
    this.writer = writer;
    if (room > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(room);
  }
}
