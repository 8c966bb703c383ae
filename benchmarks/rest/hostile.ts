/** The effect of requests with hostile texts on the other clients: p99 of reads, with them and without. */
import type { RowName } from '../goals.js';
import { type CallersResult, httpPlan } from '../load/callers.js';
import { runCallers } from '../load/engine.js';
import { onFreshStore, withDoors } from '../load/ground.js';
import { print, ratio, said, shown } from '../load/report.js';
import { get, type HttpRequest, listOf, membersOf, post, repeated } from '../load/requests.js';
import { type Asker, askersOf } from './askers.js';
import { payment } from './rows.js';

/** Each as long as a body allows: to be normalised, matched, grouped and measured. */
const TEXTS = [
  repeated(['\u0301', 15_000], ['\u0327', 15_000]),
  repeated(['x', 1], ['\u0323\u0301', 14_000]),
  repeated(['x', 60_000]),
  repeated(['a', 1], [' ', 60_000], ['b', 1]),
  repeated(['a.', 30_000], ['@', 1]),
  repeated(['p. o. ', 10_000], ['x', 1]),
];
const FIELDS = [
  ...['beneficiary_name', 'beneficiary_address', 'beneficiary_email', 'beneficiary_account_number', 'remitter_name'],
  ...['statement_narrative', 'routing_code_value_1', 'beneficiary_identification_value', 'request_id'],
];

const READERS = { callers: 8, perCallerPerSecond: 25 };
/** Each a request of 64 KiB: one such request once blocked all others for seconds. */
const HOSTILE = { callers: 2, perCallerPerSecond: 10 };

export function besideHostileTexts(runs: number, seconds: number): Promise<void> {
  return onFreshStore(2, ({ dataDir, store, clients }) =>
    withDoors(dataDir, async ({ rest }) => {
      const [reader, sender] = await askersOf(store, clients);
      const reads = [get(reader!.token, '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD')];
      const read = () => runCallers({ ...httpPlan(rest, READERS.callers, seconds, [reads]), ...READERS });
      const without: CallersResult[] = [];
      const beside: CallersResult[] = [];
      const sent: CallersResult[] = [];
      for (let run = 0; run < runs; run++) {
        without.push(await read());
        const plan = { ...httpPlan(rest, HOSTILE.callers, seconds, [hostile(sender!)]), ...HOSTILE };
        const [one, other] = await Promise.all([read(), runCallers(plan)]);
        beside.push(one);
        sent.push(other);
      }
      const ratios = beside.map(({ p99us }, i) => p99us / without[i]!.p99us);
      print(
        `Reads of another client, beside ${HOSTILE.callers * HOSTILE.perCallerPerSecond} hostile requests a second`,
        ['without', 'with', 'p99 with / without (spread)', 'goal', 'hostile requests', 'answered by'],
        [[shown(without), shown(beside), ratio(ratios), '2 at most', shown(sent), said(sent)]],
      );
    }),
  );
}

/** Each text in each field. */
function hostile(sender: Asker): HttpRequest[] {
  return TEXTS.flatMap((text) =>
    FIELDS.map((field) => post(sender.token, '/api/v1/payments/validate', { ...payment(sender), [field]: text })),
  );
}

const ITEMS = '/api/v1/batches/BAT01K4M2V7Q8Z3X5YAB/items';
const ITEM = { transaction_number: 'INV-1', destination_amount: 125, beneficiary: { name: 'Anna Schmidt' } };
const BOOK = '/api/v1/bookfx/currency/create';

/** The requests that cost the sidecar most, by what was tried; each is refused. */
export const DEAREST: readonly { readonly row: RowName; requests(sender: Asker): HttpRequest[] }[] = [
  { row: 'hostile/items', requests: ({ token }) => [post(token, ITEMS, { items: listOf(170_000, {}) })] },
  {
    row: 'hostile/faults',
    requests: ({ token }) => [post(token, ITEMS, { items: listOf(1_000, { item_id: '', ...ITEM }) })],
  },
  { row: 'hostile/members', requests: ({ token }) => [post(token, BOOK, membersOf(5_000, 1))] },
  { row: 'hostile/numbers', requests: ({ token }) => [post(token, BOOK, membersOf(2_400, 1.2345678901234567))] },
  { row: 'hostile/texts', requests: hostile },
];
