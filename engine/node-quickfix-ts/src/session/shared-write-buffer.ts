import type { SessionLog } from '../log/log.js';
import type { Clock, Wire } from './host.js';

const SIZE = 64 * 1024;

/** A session that writes into the buffer. */
export interface Writer {
  readonly wire: Wire;
  readonly log: SessionLog | undefined;
  /** Its bytes have been handed to the wire. */
  written(): void;
}

/**
 * One write buffer for all sessions of a process: one per session would be most of a session's memory. One session at a time encodes
 * into it; everything is written in one call when another session begins, at `flush`, or at the end of the event-loop turn. A socket
 * write costs more than twenty messages, so the number of writes decides the throughput.
 */
export class SharedWriteBuffer {
  bytes: Uint8Array = Buffer.allocUnsafeSlow(SIZE);
  /** Where the next message begins. */
  at = 0;
  /** Epoch ms, whole, when the writer began: SendingTime(52) of everything that it writes now. */
  nowMs = 0;
  private writer: Writer | undefined;
  private scheduled = false;
  /** Where the bytes begin that the writer's log has not received. */
  private unlogged = 0;
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
    if (this.at + room > this.bytes.length) this.makeRoom(writer, room);
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
    const { log, wire } = writer;
    if (log !== undefined && this.unlogged < length) log.outgoing(this.bytes, this.unlogged, length);
    this.unlogged = 0;
    if (wire.backlogBytes > 0) {
      // These bytes will wait behind the backlog: hand over a copy, and keep the buffer.
      wire.write(Uint8Array.from(this.bytes.subarray(0, length)));
    } else if (!wire.write(this.bytes.subarray(0, length))) {
      this.bytes = Buffer.allocUnsafeSlow(SIZE);
    }
    writer.written();
  }

  /** The message from `begin` to `at` is not for the log. */
  leaveOut(log: SessionLog, begin: number): void {
    if (this.unlogged < begin) log.outgoing(this.bytes, this.unlogged, begin);
    this.unlogged = this.at;
  }

  private makeRoom(writer: Writer, room: number): void {
    this.flush();
    this.writer = writer;
    if (room > this.bytes.length) this.bytes = Buffer.allocUnsafeSlow(room);
  }
}
