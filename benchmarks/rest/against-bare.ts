/** Requests of each row over REST against a bare Express GET, in turn. */
import type { CallersPlan, CallersResult } from '../load/callers.js';
import { httpPlan } from '../load/callers.js';
import { runCallers } from '../load/engine.js';
import type { Doors, Ground } from '../load/ground.js';
import { BARE } from '../load/requests.js';
import { ask, askersOf } from './askers.js';
import type { Row } from './rows.js';

export interface RestRuns {
  readonly row: Row;
  /** Why it was not measured: its first request was rejected. */
  readonly fault?: string;
  readonly bare: readonly CallersResult[];
  readonly ours: readonly CallersResult[];
}

export async function* againstBare(
  { doors, store, clients }: Pick<Ground, 'store' | 'clients'> & { readonly doors: Doors },
  rows: readonly Row[],
  { callers, runs, seconds }: { readonly callers: number; readonly runs: number; readonly seconds: number },
): AsyncGenerator<RestRuns> {
  const askers = await askersOf(store, clients);
  const call = (door: Doors['rest'], requests: CallersPlan['requests']) =>
    runCallers(httpPlan(door, callers, seconds, requests));
  await call(doors.bare, [[BARE]]);
  for (const row of rows) {
    const requests = askers.map((asker) => row.requests(asker));
    const fault = await faultOf(requests[0]![0]!);
    const bare: CallersResult[] = [];
    const ours: CallersResult[] = [];
    for (let run = 0; run < runs && fault === undefined; run++) {
      bare.push(await call(doors.bare, [[BARE]]));
      ours.push(await call(doors.rest, requests));
    }
    yield { row, ...(fault !== undefined && { fault }), bare, ours };
  }
}

/** Sent once: a row that is rejected is not measured. */
async function faultOf(request: Parameters<typeof ask>[0]): Promise<string | undefined> {
  const { status, body } = await ask(request);
  return status === 200 ? undefined : `${status} ${body.code} ${JSON.stringify(body.errors ?? [])}`;
}
