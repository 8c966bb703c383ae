/** The plan and the result of the callers of a run. */
import type { ServerUnderTest } from './plan.js';
import type { HttpRequest } from './requests.js';

export interface CallersPlan {
  /** Callers use them in turn; their CPU time is read during the run. */
  readonly servers: readonly ServerUnderTest[];
  /** `http`: the requests below; `fix`: an order by NewOrderSingle(D). */
  readonly door: 'http' | 'fix';
  readonly callers: number;
  /** Over HTTP: the requests of each caller, in turn, repeatedly. Callers beyond the list start it anew. */
  readonly requests: readonly (readonly HttpRequest[])[];
  /** Number of the first desk: one that has logged on a few times within a minute may not again. */
  readonly firstDesk: number;
  readonly warmUpS: number;
  readonly seconds: number;
  /** Requests a second of one caller, and orders of a desk, which has a throttle; 0: as fast as answers arrive. */
  readonly perCallerPerSecond: number;
}

export interface CallersResult {
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  /** CPU time of the server per request: little affected by noise. */
  readonly cpuUs: number;
  /** Answers that were refusals, by their text. */
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
