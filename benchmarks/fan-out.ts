/**
 * CPU and memory of a tick that is published to 100 desks, each with a margin of its own, in this process and without sockets: without rules of
 * pricing, with a skew, and with a skew and bounds of the spread that change each price. In turn, so that the ratios are of one machine and minute.
 *
 *   npm run build && node --expose-gc --import tsx benchmarks/fan-out.ts [--rounds 9]
 */
import { parseArgs } from 'node:util';
import type { Session, SharedBody } from 'node-quickfix-ts';
import { pairBySymbol } from '../engine/domain/money/pair.js';
import type { PricingRule } from '../engine/domain/prices/pricing-rule.js';
import { PAIRS } from './load/scenarios.js';
import { markdownTable, median } from './measure.js';

const DESKS = 100;
const TICKS = 10_000;
/** A turn of the event loop has so many ticks. */
const TURN = 4;

const built = <Module>(file: string): Promise<Module> =>
  import(new URL(`../dist/engine/${file}`, import.meta.url).href);
const { Publication } = await built<typeof import('../engine/fix/publication/publication.js')>(
  'fix/publication/publication.js',
);
const { RateBook } = await built<typeof import('../engine/rates/rate-book.js')>('rates/rate-book.js');
const { PriceShifts } = await built<typeof import('../engine/rates/price-shifts.js')>('rates/price-shifts.js');

const book = new RateBook();
const provider = book.registerProvider('benchmark');
const shifts = new PriceShifts(book);
shifts.setPosition(() => 5e6);
const publication = new Publication({
  book,
  shifts,
  marginBands: (clientId) => [{ above: 0, marginPpm: 2_000 + Number(clientId) }],
  isHalted: () => false,
  spotDate: () => '20301231',
  onNotEntitled() {},
});
const pairs = PAIRS.map((symbol) => pairBySymbol(symbol)!);
const sent = new Uint8Array(4_096);
for (let desk = 0; desk < DESKS; desk++) {
  const session = {
    congested: false,
    sendingTimeMs: () => 0,
    publish(_type: unknown, prefix: SharedBody, body: SharedBody) {
      sent.set(prefix.filled());
      sent.set(body.filled(), prefix.length);
    },
    flush() {},
  };
  publication.subscribe(session as unknown as Session, {
    ...{ mdReqId: 'M1', clientId: String(desk), pairs, type: 'PREFUNDING', bid: true, offer: true, isLadder: false },
    ...{
      incremental: false,
      snapshotOnly: false,
      discloseMargin: false,
      discloseProviderRate: false,
      sourceTime: true,
    },
  });
}

let count = 0;
function publishTicks(): void {
  for (let i = 1; i <= TICKS; i++) {
    const { index, priceDigits } = pairs[i % pairs.length]!;
    const bid = (priceDigits === 5 ? 15_000_000 : 10_000_000) + (++count % 1_000) * 100;
    book.tick(provider, index, bid, bid + 200, 1e6, 1e6, 1_700_000_000_000_000 + count, 0);
    if (i % TURN === 0) publication.flush();
  }
}

const SKEW = { pair: '*', skew: 500, skewMax: 2_000 };
const CASES: readonly (readonly [name: string, rules: readonly PricingRule[]])[] = [
  ['no rule', []],
  ['skew', [SKEW]],
  ['skew, floor and ceiling', [{ ...SKEW, spreadMin: 70_000, spreadMax: 75_000 }]],
];
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const found = CASES.map(() => ({ cpu: [] as number[], bytes: [] as number[] }));
for (let round = -1; round < Number(values.rounds); round++) {
  for (const [i, [, rules]] of CASES.entries()) {
    shifts.replace(rules);
    publication.flush();
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const began = process.cpuUsage();
    publishTicks();
    const { user, system } = process.cpuUsage(began);
    const grown = process.memoryUsage().heapUsed - before;
    // The first round compiles.
    if (round < 0) continue;
    found[i]!.cpu.push((user + system) / TICKS / DESKS);
    found[i]!.bytes.push(grown / TICKS);
  }
}
const base = median(found[0]!.cpu);
const rows = CASES.map(([name], i) => {
  const { cpu, bytes } = found[i]!;
  const spread = Math.round(((Math.max(...cpu) - Math.min(...cpu)) / median(cpu)) * 100);
  const ratio = (median(cpu) / base).toFixed(2);
  return [name, `${median(cpu).toFixed(3)} us`, `${spread} %`, ratio, `${Math.round(median(bytes))} B`];
});
const headings = ['rules of pricing', 'CPU of a price', 'spread', 'to no rule', `heap of a tick to ${DESKS} desks`];
process.stdout.write(`${markdownTable(headings, rows)}\n`);
process.exit(0);
