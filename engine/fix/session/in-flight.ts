import type { SessionStore } from 'node-quickfix-ts';

/** At the end of a session its messages under way have so long to be carried out before its numbers are settled. */
const SETTLE_WAIT_MS = 500;

/** Numbers of a desk's messages that have been taken and not been carried out yet. */
export class Unfinished {
  private readonly numbers = new Set<{ readonly number: number }>();
  /** Told whenever one is finished. */
  onFinished: () => void = () => undefined;

  /** Returns what is called when the message has been carried out; one that never is will be asked for again at the next logon. */
  begin(number: number): () => void {
    const entry = { number };
    this.numbers.add(entry);
    return () => {
      if (this.numbers.delete(entry)) this.onFinished();
    };
  }

  /** The next number that the store may know, when `next` is the next that is expected. */
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

/** A session store that never holds a number as received whose message has not been carried out: after a crash it is asked for again. */
export function neverAhead(store: SessionStore, unfinished: Unfinished): SessionStore {
  let next: number | undefined;
  let saved = 0;
  let idle: (() => void) | undefined;
  const save = (): void => {
    if (next === undefined) return;
    const upTo = unfinished.upTo(next);
    if (upTo !== saved) store.saveNextIn(upTo);
    saved = upTo;
  };
  unfinished.onFinished = () => {
    save();
    if (unfinished.isEmpty) idle?.();
  };
  return {
    open: (onTakenOver) => store.open(onTakenOver),
    reset(nowMs) {
      unfinished.clear();
      next = undefined;
      return store.reset(nowMs);
    },
    reserve: (bound) => store.reserve(bound),
    async settle(nextOut, nextIn) {
      next = undefined;
      if (!unfinished.isEmpty) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, SETTLE_WAIT_MS);
          idle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return store.settle(nextOut, unfinished.upTo(nextIn));
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
