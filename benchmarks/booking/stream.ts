/** The effect of requests on the stream of prices: the p99 from tick to desk with them, against the same engine without, in turn. */
import { freePort } from '../../test/support/free-port.js';
import { type CallersPlan, type CallersResult, httpPlan } from '../load/callers.js';
import { LOAD_CPU, runCallers, runLoad, startEngine, startSidecar } from '../load/engine.js';
import type { LoadPlan, LoadResult } from '../load/plan.js';
import { ratio, said } from '../load/report.js';
import { markdownTable, median } from '../measure.js';

const FIX_PORT = await freePort();
const FEED_PORT = await freePort();
const REST_PORT = await freePort();
const DESKS = 100;
const TICKS_PER_SECOND = 1_000;
const PAIRS = 'EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD EUR/GBP EUR/JPY USD/SGD'.split(' ');

export interface StreamRuns {
  readonly dataDir: string;
  readonly beside: Pick<CallersPlan, 'requests' | 'callers' | 'perCallerPerSecond'> & { readonly what: string };
  readonly runs: number;
  readonly seconds: number;
}

export async function measureStream({ dataDir, beside, runs, seconds }: StreamRuns): Promise<string> {
  const { what, ...load } = beside;
  const engine = await startEngine(dataDir, FIX_PORT, FEED_PORT);
  const sidecar = await startSidecar(dataDir, REST_PORT, LOAD_CPU);
  const alone: LoadResult[] = [];
  const loaded: LoadResult[] = [];
  const found: CallersResult[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      alone.push(await runLoad(plan(engine.pid, seconds)));
      const asking = runCallers({
        ...httpPlan({ port: REST_PORT, pid: sidecar.pid }, 0, seconds, []),
        ...load,
        warmUpS: 4,
      });
      loaded.push(await runLoad(plan(engine.pid, seconds)));
      found.push(await asking);
    }
  } finally {
    await sidecar.stop();
    await engine.stop();
  }
  const ratios = loaded.map(({ latencyUs }, i) => latencyUs.p99 / alone[i]!.latencyUs.p99);
  const p99 = (of: readonly LoadResult[]) => `p99 ${Math.round(median(of.map((r) => r.latencyUs.p99)))} us`;
  const perSecond = Math.round(median(found.map((r) => r.perSecond)));
  const row = [p99(alone), p99(loaded), ratio(ratios), '1.5', said(found)];
  const title = `The stream to ${DESKS} desks, ${TICKS_PER_SECOND} ticks a second, beside ${perSecond} ${what} a second, ${runs} pairs`;
  return `\n${title}\n\n${markdownTable(['alone', 'beside them', 'ratio (spread)', 'goal', 'faults'], [row])}\n`;
}

function plan(pid: number, seconds: number): LoadPlan {
  return {
    servers: [{ port: FIX_PORT, pid }],
    feed: { kind: 'ws', port: FEED_PORT },
    targetCompId: 'FXENGINE',
    sessions: DESKS,
    pairs: PAIRS,
    pace: { ticksPerSecond: TICKS_PER_SECOND },
    warmUpS: 1.5,
    seconds,
    heavyDesk: 'none',
  };
}
