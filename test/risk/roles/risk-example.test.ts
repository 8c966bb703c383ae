/** The worked example of a day in docs/risk.md: what it says is what happens, to the last digit. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shownPrice } from '../../../engine/cli/record/explained.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { formatMinor } from '../../../engine/domain/money/money.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { scaledFromText } from '../../../engine/domain/money/rate.js';
import type { RiskFigures } from '../../../engine/domain/risk/figures.js';
import { coverSettings } from '../../../engine/rates/cover/cover-session.js';
import { CoverRole } from '../../../engine/roles/cover/cover-role.js';
import { limitSlices } from '../../../engine/roles/risk/limit-slices.js';
import { type RiskRole, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { type LpSimulator, startLpSimulator } from '../../../engine/tools/lp-simulator/simulator.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { SOON } from '../../support/until.js';
import { read } from '../../tidy/tree.js';

/** A Tuesday, noon in New York. */
const NOON = Date.parse('2026-03-03T17:00:00Z');

const EURUSD = pairBySymbol('EUR/USD')!;

let on: LedgerRig;
let role: RiskRole;
let cover: CoverRole;
let lp: LpSimulator;
let acme: RigClient;
let other: RigClient;
beforeAll(async () => {
  on = await startLedgerRig(NOON);
  await on.services.store.riskFigures.follow('USD');
  acme = await on.client('acme', { EUR: '1000000.00', USD: '1000000.00' });
  other = await on.client('other', { EUR: '1000000.00', USD: '1000000.00' });
  lp = await startLpSimulator({ fix: 0, pairs: [EURUSD] });
  lp.faults.isStalled = true;
  lp.tick({ pair: EURUSD, bid: 10_900_000, offer: 10_900_200, sourceTimeUs: Date.now() * 1_000 });
  const sessions = coverSettings(`fix://127.0.0.1:${lp.fixPort}?sender=HOUSE&target=LP&provider=LP1`);
  cover = new CoverRole(on.services, { mode: 'auto', sessions });
  role = startRiskRole(on.services, [limitSlices(on.services), cover]);
});
afterAll(async () => {
  await role.stop();
  await cover.stop();
  await lp.close();
  await on.stop();
});

const EXAMPLE = read('docs/risk.md').split('\n## A day, as an example\n')[1]!.split('\n## ')[0]!;
/** The rows of its table, by their first cell. */
const ROWS = new Map(
  EXAMPLE.split('\n')
    .filter((line) => /^\| \d /.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([step, , ...cells]) => [Number(step), cells]),
);

const units = (minor: number | bigint) =>
  formatMinor(BigInt(minor), 'USD').replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

/** As the table has it: net EUR, average bought and sold, realised, unrealised, margin, value, use of the limit. */
function cellsOf({ pairs, currencies, limits }: RiskFigures): string[] {
  const pair = pairs.find((one) => one.pair === 'EUR/USD')!;
  const euro = currencies.find(({ currency }) => currency === 'EUR')!;
  const [limit] = limits;
  const { realised, unrealised, margin } = pair.profit!;
  const used = limit === undefined ? '-' : `${Math.floor((100 * limit.used) / limit.most)} %, ${limit.mark}`;
  const rates = [pair.averageBought ?? '-', pair.averageSold ?? '-'];
  return [units(pair.netBase), ...rates, ...[realised, unrealised, margin, euro.value!].map(units), used];
}

const isAsSaid = (step: number) =>
  vi.waitFor(() => {
    const figures = on.services.risk.figures(5_000);
    expect(figures).toBeDefined();
    expect(cellsOf(figures!)).toEqual(ROWS.get(step));
  }, SOON);
const buys = (client: RigClient, amount: number) =>
  client.tryToBook('USD/EUR', 0, { sellAmount: undefined, buyAmount: amount });
const codeOf = (answer: object) => (isRefusal(answer) ? answer.refusal : 'booked');

test('each step has the figures of the page', async () => {
  const first = await acme.book('EUR/USD', 250_000);
  await isAsSaid(1);
  expect(codeOf(await buys(other, 100_000))).toBe('booked');
  await isAsSaid(2);

  await on.ask('setLimits', { scope: 'house', nopCurrency: ['EUR=200000'] });
  on.services.limits.replace(await on.services.store.limits.load());
  await isAsSaid(3);
  expect(codeOf(await acme.tryToBook('EUR/USD', 50_000))).toBe('CREDIT_LIMIT');

  await on.ask('reducePair', { pair: 'EUR/USD', reason: 'close to the limit' });
  expect(codeOf(await acme.tryToBook('EUR/USD', 1))).toBe('CREDIT_LIMIT');
  expect(codeOf(await buys(other, 20_000))).toBe('booked');
  await isAsSaid(4);

  const { index, priceDigits } = pairBySymbol('EUR/USD')!;
  const [bid, offer] = ['1.09000', '1.09002'].map((text) => scaledFromText(text, priceDigits, 'down')) as [
    number,
    number,
  ];
  on.services.book.tick(0, index, bid, offer, 0, 0, 0, 0);
  await isAsSaid(5);

  await on.ask('resumePair', { pair: 'EUR/USD' });
  const [, options = ''] = /`ratewire cover set EUR\/USD ([^`]*)`/.exec(EXAMPLE)!;
  const option = (name: string) => options.split(`--${name} `)[1]!.split(' ')[0]!;
  const [band, ratio, min, step] = ['band', 'ratio', 'min', 'step'].map((name) => Number(option(name)));
  const providers = option('providers').split(',');
  // The market of this test does not tick.
  await on.ask('setCoverRule', { pair: 'EUR/USD', band, ratio, min, step, providers, quoteAgeMs: 60_000 });
  await isAsSaid(6);
  const [order, ...more] = (await on.ask('listCovers', {})).covers;
  expect(more).toEqual([]);
  const { deals } = await on.ask('showCover', { id: order!.id });
  expect(deals.map(({ clientId, covered }) => [clientId, covered])).toEqual([['acme', 6_500_000n]]);

  const explained = shownPrice(await on.ask('explainPrice', { id: first.id })).text();
  for (const line of EXAMPLE.split('```')[1]!.trim().split('\n').slice(1)) expect(explained).toContain(line.trim());
  expect((await on.ask('reconcile', {})).differences).toEqual([]);
  expect([...ROWS.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
});
