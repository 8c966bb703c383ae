import type { SessionEvent } from '../types.js';

const made = new Map<string, SessionEvent>();

/**
 * The event of this kind and detail, made once: counting must not allocate. The details are MsgTypes that the dictionary
 * knows and short words of our own, so the map is bounded.
 */
export function sessionEvent(kind: SessionEvent['kind'], detail: string): SessionEvent {
  const key = `${kind} ${detail}`;
  let event = made.get(key);
  if (event === undefined) {
    event = Object.freeze({ kind, detail });
    made.set(key, event);
  }
  return event;
}
