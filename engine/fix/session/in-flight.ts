import type { SessionStore } from 'node-quickfix-ts';

/** At the end of a session its messages in flight have so long to be processed before its numbers are settled. */
const SETTLE_WAIT_MS = 500;

/** MsgSeqNum(34) of a desk's messages that have been received and not been processed yet. */
export class InFlightMessages {
  private readonly numbers = new Set<{ readonly number: number }>();
  /** Called whenever one is finished. */
  onFinished: () => void = () => undefined;

  /** Returns what is called when the message has been processed. One that never is will be requested again at the next logon. */
  begin(number: number): () => void {
    const entry = { number };
    this.numbers.add(entry);
    return () => {
      if (this.numbers.delete(entry)) this.onFinished();
    };
  }

  /** The next number that the store may record, when `next` is the next that is expected. */
  upTo(next: number): number {
    let first = next;
    for (const { number } of this.numbers) if (number < first) first = number;
    return first;
  }

  get isEmpty(): boolean {
    return this.numbers.size === 0;
  }

  clear(): void {
    this.numbers.clear();
  }
}

/** A session store that records a number as received only when its message has been processed: after a crash it is requested again. */
export function ackAfterProcessing(store: SessionStore, inFlight: InFlightMessages): SessionStore {
  let next: number | undefined;
  let saved = 0;
  let idle: (() => void) | undefined;
  const save = (): void => {
    if (next === undefined) return;
    const upTo = inFlight.upTo(next);
    if (upTo !== saved) store.saveNextIn(upTo);
    saved = upTo;
  };
  inFlight.onFinished = () => {
    save();
    if (inFlight.isEmpty) idle?.();
  };
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
      if (!inFlight.isEmpty) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, SETTLE_WAIT_MS);
          idle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return store.settle(nextOut, inFlight.upTo(nextIn));
    },
    saveNextIn(nextIn) {
      next = nextIn;
      save();
    },
    append: (number, message, outboxEntry) => store.append(number, message, outboxEntry),
    read: (from, to, limit) => store.read(from, to, limit),
    close: () => store.close(),
  };
}
