/**
 * The ports of a session. It owns no socket, timer or clock: the acceptor and the initiator pass them in, and a test passes in others.
 */

export interface Clock {
  /** Epoch ms: SendingTime(52) and schedules. May step in either direction. */
  now(): number;
  /** Monotonic ms: every interval is measured with this one. */
  elapsed(): number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** One connection, seen from the session. */
export interface Wire {
  readonly remoteAddress: string;
  /** Written bytes that the kernel has not accepted yet. */
  readonly backlogBytes: number;
  /** Writes the bytes. False: they are still needed and the caller must not touch them again. */
  write(bytes: Uint8Array): boolean;
  /** Closes when all bytes are sent, at the latest after a second. */
  end(): void;
  /** Closes now. */
  destroy(): void;
  /** No message is passed to the session until `resume`; the peer's bytes wait, within a bound. */
  pause(): void;
  resume(): void;
}
