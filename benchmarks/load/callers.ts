/** What the callers of a run are told, and what they tell. */
import type { ServerUnderTest } from './plan.js';
import type { HttpRequest } from './requests.js';

export interface CallersPlan {
  /** Callers take them in turn; their CPU time is read while they ask. */
  readonly servers: readonly ServerUnderTest[];
  /** `http`: the requests below; `fix`: an order by NewOrderSingle(D). */
  readonly door: 'http' | 'fix';
  readonly callers: number;
  /** Over HTTP: what a caller sends in turn, again and again. Callers beyond the list begin it anew. */
  readonly requests: readonly (readonly HttpRequest[])[];
  /** Number of the first desk: one that has logged on a few times within a minute may not again. */
  readonly firstDesk: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Requests a second of one caller, and orders of a desk, which may not send faster; 0: as fast as answers come. */
  readonly perCallerPerSecond: number;
}

export interface CallersResult {
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  /** CPU time of the server for each request: what noise hardly moves. */
  readonly cpuUs: number;
  /** Answers that were a refusal, by what they were. */
  readonly faults: readonly string[];
}

export const httpPlan = (
  server: ServerUnderTest,
  callers: number,
  seconds: number,
  requests: CallersPlan['requests'],
): CallersPlan => ({
  servers: [server],
  door: 'http',
  callers,
  requests,
  firstDesk: 0,
  warmUpS: 1,
  seconds,
  perCallerPerSecond: 0,
});
