import { countUp } from './counters.js';
import type { Desk } from './desk.js';
import type { Door } from './door.js';
import { LIMITS } from './settings.js';

/** The desk sends faster than it may: each time is refused, the third within ten seconds ends the session and blocks its logons for a while. */
export function breach(door: Door, desk: Desk): void {
  const nowMs = door.services.now();
  door.counters.throttled++;
  if (!desk.breaches.add(nowMs)) return;
  countUp(door.counters.refusals, 'RATE_LIMITED');
  door.throttle.block(desk.identity.compId, nowMs + LIMITS.blockMs);
  // After the refusal of this message, which the caller sends.
  queueMicrotask(() => desk.session.logout('RATE_LIMITED'));
}
