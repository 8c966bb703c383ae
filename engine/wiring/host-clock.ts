/**
 * Whether this machine's clock agrees with the store's, by which every step judges times. A clock that is off moves no money at a wrong
 * time; the times of tokens, of offers and of SendingTime(52) are still this machine's.
 */

import type { Services } from '../service/core/services.js';
import type { Metrics } from './metrics/metrics.js';

type StoreClock = Services['store']['clock'];

/** Off by more, this process warns. On a cluster the master that differs most counts. */
const WARN_MS = 1_000;
/** Off by more, this process is not ready. */
const NOT_READY_MS = 5_000;
const COMPARE_MS = 1_000;
/** An unchanged difference is logged once in this time. */
const AGAIN_MS = 10 * 60_000;

const TURNED_REMEDY = 'correct it (NTP), or accept it with `ratewire store clock --accept`';
const REMEDY = "synchronise this machine's clock and that of the store's servers (NTP)";

export function hostClockMetrics(metrics: Metrics, clock: StoreClock): void {
  metrics.gauge(
    'ratewire_store_clock_skew_seconds',
    "This machine's clock less the store's; on a cluster that of the master which differs most; beyond 5 either way: not ready",
    () => (clock.hostAheadMs() ?? 0) / 1_000,
  );
  metrics.gauge(
    'ratewire_store_clock_turned_seconds',
    "By how much the clock of the store's server was turned while this process ran; 0 up to a minute; beyond it commands are refused",
    () => clock.turnedMs() / 1_000,
  );
}

/** For /ready: empty while the clocks agree well enough. */
export function hostClockReasons(clock: StoreClock): string[] {
  const turnedMs = clock.turnedMs();
  if (turnedMs !== 0) return [`${turned(turnedMs)}: ${TURNED_REMEDY}`];
  const aheadMs = clock.hostAheadMs() ?? 0;
  return Math.abs(aheadMs) > NOT_READY_MS ? [`${difference(aheadMs)}, more than 5 s: ${REMEDY}`] : [];
}

/** Warns while the difference is above 1 s: at once when it has changed by as much, else every ten minutes. Returns how to stop. */
export function watchHostClock(clock: StoreClock, log: Pick<Services['log'], 'info' | 'warn'>): () => void {
  let loggedMs = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let wasTurned = false;
  const compare = (): void => {
    const turnedMs = clock.turnedMs();
    if (turnedMs !== 0 && !wasTurned)
      log.warn({ turnedS: Math.round(turnedMs / 1_000) }, `${turned(turnedMs)}: ${TURNED_REMEDY}`);
    if (turnedMs === 0 && wasTurned) log.info({}, "the clock of the store's server is as expected again");
    wasTurned = turnedMs !== 0;
    const aheadMs = clock.hostAheadMs() ?? 0;
    const isOff = Math.abs(aheadMs) > WARN_MS;
    const hasChanged = Math.abs(aheadMs - loggedMs) > WARN_MS;
    const isAgain = (isOff || loggedMs !== 0) && performance.now() - loggedAt > AGAIN_MS;
    if (!hasChanged && !isAgain) return;
    loggedMs = isOff ? aheadMs : 0;
    loggedAt = performance.now();
    const aheadS = Math.round(aheadMs) / 1_000;
    if (!isOff) log.info({ aheadS }, "this machine's clock agrees with the store's again");
    else log.warn({ aheadS }, `${difference(aheadMs)}: ${REMEDY}. Beyond 5 s this process is not ready.`);
  };
  const timer = setInterval(compare, COMPARE_MS).unref();
  return () => clearInterval(timer);
}

function turned(ms: number): string {
  return `the clock of the store's server was turned ${ms > 0 ? 'ahead' : 'back'} by ${(Math.abs(ms) / 1_000).toFixed(0)} s, and commands are refused`;
}

function difference(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  return `this machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the store's`;
}
