import type { MessageView } from '../codec/message-view.js';
import { parseUtcTimestamp } from '../codec/values.js';

/** Compares a value without making a string of it. */
export function isText(view: MessageView, i: number, text: string): boolean {
  const start = view.valueStartAt(i);
  if (view.valueEndAt(i) - start !== text.length) return false;
  for (let k = 0; k < text.length; k++) if (view.buffer[start + k] !== text.charCodeAt(k)) return false;
  return true;
}

/** True when field `i` is there and not empty. */
export function hasValue(view: MessageView, i: number): boolean {
  return i >= 0 && view.valueEndAt(i) > view.valueStartAt(i);
}

/** Epoch ms of a UTCTimestamp field; NaN when it is absent or no time. */
export function timeAt(view: MessageView, i: number): number {
  return i < 0 ? Number.NaN : parseUtcTimestamp(view.buffer, view.valueStartAt(i), view.valueEndAt(i));
}

/** False when SendingTime(52) is a time, and too far from ours. */
export function isTimely(view: MessageView, nowMs: number, maxLatencyS: number): boolean {
  return !(Math.abs(timeAt(view, view.find(52)) - nowMs) > maxLatencyS * 1000);
}
