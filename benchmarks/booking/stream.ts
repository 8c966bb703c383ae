/** What bookings cost the stream of prices: the p99 from tick to desk under a booking load, against the same engine without, in turn. */
import type { Store } from '../../engine/store/store.js';
import { LOAD_CPU, runCallers, runLoad, startEngine, startSidecar } from '../load/engine.js';
import type { LoadPlan, LoadResult } from '../load/plan.js';
import { markdownTable, median } from '../measure.js';

const FIX_PORT = 19_910;
const REST_PORT = 19_912;
const DESKS = 100;
const TICKS_PER_SECOND = 1_000;
/** Bookings a second: so many callers, each so often. */
const CALLERS = 16;
const PER_CALLER = 20;
const PAIRS = 'EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD EUR/GBP EUR/JPY USD/SGD'.split(' ');

export interface StreamRuns {
  readonly dataDir: string;
  readonly store: Store;
  readonly runs: number;
  readonly seconds: number;
}

export async function measureStream({ dataDir, store, runs, seconds }: StreamRuns): Promise<string> {
  const { token } = await store.tokens.issue('bench200', 'benchmark', ['read', 'rates', 'trade']);
  const engine = await startEngine(dataDir, FIX_PORT, FIX_PORT + 1);
  const sidecar = await startSidecar(dataDir, REST_PORT, LOAD_CPU);
  const alone: LoadResult[] = [];
  const loaded: LoadResult[] = [];
  let booked = 0;
  try {
    for (let run = 0; run < runs; run++) {
      alone.push(await runLoad(plan(engine.pid, seconds)));
      const booking = runCallers({
        door: 'rest',
        port: REST_PORT,
        callers: CALLERS,
        warmUpS: 4,
        seconds,
        tokens: [token],
        perCallerPerSecond: PER_CALLER,
        firstDesk: 0,
      });
      loaded.push(await runLoad(plan(engine.pid, seconds)));
      booked += (await booking).perSecond / runs;
    }
  } finally {
    await sidecar.stop();
    await engine.stop();
  }
  const ratios = loaded.map(({ latencyUs }, i) => latencyUs.p99 / alone[i]!.latencyUs.p99);
  const p99 = (of: readonly LoadResult[]) => `p99 ${Math.round(median(of.map((r) => r.latencyUs.p99)))} us`;
  const spread = ((Math.max(...ratios) - Math.min(...ratios)) / median(ratios)) * 100;
  const row = [p99(alone), p99(loaded), `${median(ratios).toFixed(2)} (${spread.toFixed(0)} %)`, '1.5'];
  const title = `The stream to ${DESKS} desks, ${TICKS_PER_SECOND} ticks a second, beside ${Math.round(booked)} bookings a second, ${runs} pairs`;
  return `\n${title}\n\n${markdownTable(['alone', 'under bookings', 'ratio (spread)', 'goal'], [row])}\n`;
}

function plan(serverPid: number, seconds: number): LoadPlan {
  return {
    port: FIX_PORT,
    feed: { kind: 'ws', port: FIX_PORT + 1 },
    targetCompId: 'FXENGINE',
    sessions: DESKS,
    pairs: PAIRS,
    pace: { ticksPerSecond: TICKS_PER_SECOND },
    warmUpS: 1.5,
    seconds,
    serverPid,
    heavyDesk: 'none',
  };
}
