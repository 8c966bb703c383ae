/** The messages of a session that have been received and not been processed yet: they are not recorded as received. */
import type { SessionStore } from 'node-quickfix-ts';
import { withTimeout } from '../../domain/core/with-timeout.js';

/** At the end of a session its messages in flight have so long to be processed before its numbers are settled. */
const SETTLE_WAIT_MS = 500;

/** MsgSeqNum(34) of a desk's messages that have been received and not been processed yet. */
export class InFlightMessages {
  private readonly numbers = new Set<{ readonly number: number }>();
  private readonly waiting = new Set<() => void>();
  /** Called whenever one is finished. */
  onFinished: () => void = () => undefined;

  /** Returns what is called when the message has been processed. One that never is will be requested again at the next logon. */
  begin(number: number): () => void {
    const entry = { number };
    this.numbers.add(entry);
    return () => {
      if (!this.numbers.delete(entry)) return;
      this.onFinished();
      if (this.numbers.size === 0) this.wake();
    };
  }

  /** The next number that the store may record, when `next` is the next that is expected. */
  upTo(next: number): number {
    let first = next;
    for (const { number } of this.numbers) if (number < first) first = number;
    return first;
  }

  /** Resolves when none is left. */
  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      if (this.numbers.size === 0) resolve();
      else this.waiting.add(resolve);
    });
  }

  clear(): void {
    this.numbers.clear();
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}

/** A session store that records a number as received only when its message has been processed: after a crash it is requested again. */
export function ackAfterProcessing(store: SessionStore, inFlight: InFlightMessages): SessionStore {
  let next: number | undefined;
  let saved = 0;
  const save = (): void => {
    if (next === undefined) return;
    const upTo = inFlight.upTo(next);
    if (upTo !== saved) store.saveNextIn(upTo);
    saved = upTo;
  };
  inFlight.onFinished = save;
  return {
    open: (onTakenOver) => store.open(onTakenOver),
    reset(nowMs) {
      inFlight.clear();
      next = undefined;
      return store.reset(nowMs);
    },
    reserve: (bound) => store.reserve(bound),
    async settle(nextOut, nextIn) {
      next = undefined;
      await withTimeout(inFlight.whenEmpty(), SETTLE_WAIT_MS, () => undefined);
      return store.settle(nextOut, inFlight.upTo(nextIn));
    },
    saveNextIn(nextIn) {
      next = nextIn;
      save();
    },
    append: (number, message, reference) => store.append(number, message, reference),
    read: (from, to, limit) => store.read(from, to, limit),
    close: () => store.close(),
  };
}
