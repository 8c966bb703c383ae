/** Orders by FIX: each desk sends the next when the report of the last is there, within its throttle. */
import { type CallersResult, httpPlan } from '../load/callers.js';
import { runCallers } from '../load/engine.js';
import type { ServerUnderTest } from '../load/plan.js';

/** A desk may send 50 messages a second. */
export const DESK_PACE = 45;

/** Each run with other desks, as far as the clients suffice: a desk may log on only a few times a minute. */
export function orders(
  door: ServerUnderTest,
  clients: number,
  seconds: number,
): (desks: number) => Promise<CallersResult> {
  let last = 0;
  return (desks) => {
    const firstDesk = last + desks > clients ? 1 : last + 1;
    last = firstDesk + desks - 1;
    const plan = httpPlan(door, desks, seconds, []);
    return runCallers({ ...plan, door: 'fix', firstDesk, perCallerPerSecond: DESK_PACE });
  };
}
