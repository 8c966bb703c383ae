/** Cover from the position of clients' deals to the booked fill, with a provider that deals and fails over FIX. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CoverRule } from '../../../engine/domain/cover/cover.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { NO_DEALS, netBase } from '../../../engine/domain/risk/position.js';
import { coverSettings } from '../../../engine/rates/cover/cover-session.js';
import { CoverRole } from '../../../engine/roles/cover/cover-role.js';
import type { CoverParts } from '../../../engine/roles/cover/cover-term.js';
import { type RiskRound, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { HOUSE } from '../../../engine/store/keys/redis-keys.js';
import { runCommand } from '../../../engine/tools/lp-simulator/faults.js';
import { type LpSimulator, startLpSimulator } from '../../../engine/tools/lp-simulator/simulator.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { planCover } from '../../support/cover.js';
import { SOON } from '../../support/until.js';

const EURUSD = pairBySymbol('EUR/USD')!;
let on: LedgerRig;
let acme: RigClient;
let lp: LpSimulator;
let folder: string;
const open: (() => Promise<unknown> | unknown)[] = [];
let clients = 0;

beforeEach(async () => {
  on = await startLedgerRig(Date.now());
  open.push(() => on.stop());
  acme = await on.client(`acme${++clients}`, { EUR: '90000000.00', USD: '90000000.00' });
  folder = mkdtempSync(join(tmpdir(), 'cover-'));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  lp = await provider(0);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function provider(port: number): Promise<LpSimulator> {
  const started = await startLpSimulator({
    fix: port,
    pairs: [EURUSD],
    kept: { orders: join(folder, 'orders'), store: join(folder, 'sessions') },
  });
  started.faults.isStalled = true;
  started.tick({ pair: EURUSD, bid: 10_843_100, offer: 10_843_300, sourceTimeUs: Date.now() * 1000 });
  open.push(() => started.close());
  return started;
}

/** The clock of the role: it is ahead by what the tests have let pass. */
let aheadMs = 0;
const now = () => performance.now() + aheadMs;
/** Each time that it is read, seconds have passed. */
const later =
  <T>(read: () => T) =>
  (): T => {
    aheadMs += 2_500;
    return read();
  };
/** Until the provider has an order, and has said nothing of it for long enough. */
async function isUnknown(cover: CoverRole): Promise<void> {
  await expect.poll(() => lp.orders!.orders.length, SOON).toBe(1);
  await expect
    .poll(
      later(() => cover.counts.unknown),
      SOON,
    )
    .toBe(1);
}
/** Until all is covered; time passes while the provider says nothing of an order that it has. */
const covered = () =>
  expect
    .poll(async () => {
      const [open] = await on.services.store.cover.open();
      const hasArrived = lp.orders!.orders.some(({ clOrdId }) => clOrdId === open?.id);
      if (open?.status === 'unknown' || (open?.status === 'sent' && hasArrived)) aheadMs += 2_500;
      return net();
    }, SOON)
    .toBe(0n);

const RULE: CoverRule = {
  ...{ pair: 'EUR/USD', band: 100_000, ratio: 100, min: 1_000, max: 500_000, step: 1_000, everyMs: 0, worst: '5' },
  ...{ quoteAgeMs: 60_000, order: 'limit' as const, timeInForce: 'IOC' as const },
  providers: ['LP1'],
};

const sessionOf = ({ fixPort }: LpSimulator) => `fix://127.0.0.1:${fixPort}?sender=HOUSE&target=LP&provider=LP1`;

function start(mode: CoverParts['mode'], sessions = sessionOf(lp)) {
  const cover = new CoverRole(on.services, { mode, sessions: coverSettings(sessions), now });
  const risk = startRiskRole(on.services, [cover]);
  const stop = async () => {
    await risk.stop();
    await cover.stop();
  };
  open.push(stop);
  return { cover, risk, stop };
}

const orders = async () => on.services.store.cover.list(100);
const net = async () => {
  let sum = 0n;
  for (const { lines } of await on.services.store.positions.ofAllShards())
    for (const line of lines) if (line.pair === 'EUR/USD') sum += netBase(line);
  return sum;
};
const sumFilled = () =>
  (lp.orders?.orders ?? []).flatMap(({ fills }) => fills).reduce((sum, { quantity }) => sum + quantity, 0);
const reconciled = async () => (await on.ask('reconcile', {})).differences;
/** Everything that the provider has filled is booked, and nothing else. */
async function agrees(): Promise<void> {
  await expect
    .poll(async () => Number((await orders()).reduce((sum, { filled }) => sum + filled, 0n)) / 100, SOON)
    .toBe(sumFilled());
  expect(await reconciled()).toEqual([]);
  expect(lp.orders!.orders.filter(({ repeats }) => repeats > 0)).toEqual([]);
}

test('a position outside its band is covered in orders of the largest size, down to the band', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  start('auto');
  // The client sells EUR: the house is long by 1,234,567.00.
  await acme.book('EUR/USD', 1_234_567);
  await expect.poll(net, SOON).toBe(56_700n);
  // By their fills: the clock of this test does not run.
  const done = (await orders()).toSorted((a, b) => (a.fills[0]!.entry < b.fills[0]!.entry ? -1 : 1));
  expect(done.map(({ side, amount, status }) => [side, amount, status])).toEqual([
    ['sell', 50_000_000n, 'filled'],
    ['sell', 50_000_000n, 'filled'],
    ['sell', 23_400_000n, 'filled'],
  ]);
  expect(done[0]!.fills[0]!.price).toBe('1.08431');
  await agrees();
  const { deals, isWhole } = await on.ask('showCover', { id: done[1]!.id });
  expect(isWhole).toBe(true);
  expect(deals).toMatchObject([{ clientId: acme.id, amount: 123_456_700n, covered: 50_000_000n }]);
  expect((await on.services.store.cover.balances())['EUR/house:cover:LP1']).toBe(123_400_000n);
  expect(HOUSE.id).toBe('_house');
});

test('suggest writes the order, and sends it once the operator lets it', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  const { cover } = start('suggest');
  await acme.book('EUR/USD', 200_000);
  await expect.poll(async () => (await orders())[0]?.status, SOON).toBe('suggested');
  await expect.poll(() => cover.counts.blocked.get('suggested'), SOON).toBe(1);
  expect(lp.orders!.orders).toEqual([]);
  await on.ask('sendCover', { id: (await orders())[0]!.id });
  await expect.poll(net, SOON).toBe(0n);
  await agrees();
});

test.each([
  'partial 40',
  'reject',
  'last-look 50',
  'last-look 50 reject',
  'duplicate',
  'gap',
  'cut',
  'fill-cut',
  'silent',
  'silent-fill',
])(
  'the provider once: %s',
  async (words) => {
    await on.services.store.cover.rules.change('EUR/USD', () => RULE);
    runCommand(lp, `orders next 1 ${words}`);
    start('auto');
    await acme.book('EUR/USD', 300_000);
    if (/silent|cut/.test(words)) await covered();
    else await expect.poll(net, SOON).toBe(0n);
    await agrees();
    expect((await orders()).length).toBe(/partial|reject|cut$|^silent$/.test(words) && words !== 'fill-cut' ? 2 : 1);
  },
  60_000,
);

test('a provider that rejects is backed off, and the next one is tried', async () => {
  runCommand(lp, 'orders reject');
  const second = await startLpSimulator({ fix: 0, pairs: [EURUSD] });
  open.push(() => second.close());
  second.faults.isStalled = true;
  second.tick({ pair: EURUSD, bid: 10_843_100, offer: 10_843_300, sourceTimeUs: Date.now() * 1000 });
  await on.services.store.cover.rules.change('EUR/USD', () => ({ ...RULE, providers: ['LP1', 'LP2'] }));
  start('auto', [sessionOf(lp), `fix://127.0.0.1:${second.fixPort}?sender=HOUSE&target=LP2&provider=LP2`].join());
  await acme.book('EUR/USD', 300_000);
  await expect.poll(net, SOON).toBe(0n);
  expect(await orders()).toContainEqual(expect.objectContaining({ provider: 'LP2', status: 'filled' }));
});

test('what a provider does not say is resolved by hand, and a report that comes later is booked', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  runCommand(lp, 'orders next 1 silent-fill');
  runCommand(lp, 'orders status off');
  const { cover } = start('auto');
  await acme.book('EUR/USD', 300_000);
  await isUnknown(cover);
  await expect.poll(() => cover.counts.blocked.get('unknown'), SOON).toBe(1);
  const [order] = await orders();
  await on.ask('resolveCover', { id: order!.id, filled: '300000', price: '1.08431', reason: 'by telephone' });
  await expect.poll(net, SOON).toBe(0n);
  expect((await orders()).length).toBe(1);
  await agrees();
});

test('with trades=Y the trades of an unknown order are asked for too, and booked once', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  runCommand(lp, 'orders next 1 silent-fill');
  start('auto', `${sessionOf(lp)}&trades=Y`);
  await acme.book('EUR/USD', 300_000);
  await covered();
  expect((await orders()).map(({ status, fills }) => [status, fills.length])).toEqual([['filled', 1]]);
  await agrees();
});

test('another engine continues with the orders of one that has ended, and sends none again', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  runCommand(lp, 'orders next 1 silent-fill');
  const first = start('auto');
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => lp.orders!.orders.length, SOON).toBe(1);
  await first.stop();
  start('auto');
  await expect.poll(net, SOON).toBe(0n);
  expect((await orders()).length).toBe(1);
  await agrees();
});

test.each([
  ['no-provider', {}, 'no session'],
  ['below-minimum', { min: 400_000, max: 500_000 }, ''],
  ['stale-quote', { quoteAgeMs: 1 }, ''],
  ['worst-price', { worst: '0' }, ''],
] as const)('blocked: %s', async (reason, change, sessions) => {
  await on.services.store.cover.rules.change('EUR/USD', () => ({ ...RULE, ...change }));
  const { cover } = start('auto', ...(sessions === '' ? [] : ['']));
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => cover.counts.blocked.get(reason), SOON).toBe(1);
  const shown = () => on.services.risk.figures(5_000)?.covers.map((one) => `${one.pair} ${one.status} ${one.reason}`);
  await on.services.store.riskFigures.follow('USD');
  await expect.poll(shown, SOON).toEqual([`EUR/USD blocked ${reason}`]);
  expect(lp.orders!.orders).toEqual([]);
});

test.each([
  ['a halted pair', () => on.services.book.halt(new Set([EURUSD.index]))],
  ['a closed market', () => Object.assign(on.services.settings, { marketHours: { isOpen: () => false } })],
] as const)('blocked: closed, by %s', async (_what, close) => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  await acme.book('EUR/USD', 300_000);
  close();
  const { cover } = start('auto');
  await expect.poll(() => cover.counts.blocked.get('closed'), SOON).toBe(1);
  expect(await orders()).toEqual([]);
});

test('blocked: rejected, while every provider is passed over', async () => {
  runCommand(lp, 'orders reject');
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  const { cover } = start('auto');
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => cover.counts.blocked.get('rejected'), SOON).toBe(1);
  expect(cover.counts.orders.get('rejected')).toBeGreaterThan(0);
  runCommand(lp, 'orders fill');
  await expect.poll(net, SOON).toBe(0n);
  await agrees();
});

test.each(['before', 'after'])('blocked: store, and nothing is sent: a later claim, %s the start', async (when) => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  const later = `another ${(Date.now() + 3_600_000) * 1_000}`;
  if (when === 'before') expect(await on.services.store.cover.claim(later)).toBe(true);
  const { cover } = start('auto');
  if (when === 'after') {
    await expect.poll(() => cover.counts.sessions, SOON).toEqual([['LP1', true]]);
    expect(await on.services.store.cover.claim(later)).toBe(true);
  }
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => cover.counts.blocked.get('store'), SOON).toBe(1);
  expect(await orders()).toEqual([]);
});

test('blocked: stale-figures, when the positions of the round are old', async () => {
  const role = new CoverRole(on.services, { mode: 'auto', sessions: coverSettings(sessionOf(lp)) });
  open.push(() => role.stop());
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  await expect.poll(() => on.services.store.riskFigures.nowMs(), SOON).toBeDefined();
  const positions = new Map([[EURUSD, { ...NO_DEALS, baseBought: 30_000_000n }]]);
  const round = (ageMs: number) => {
    const atMs = on.services.store.riskFigures.nowMs()! - ageMs;
    const times = { atMs, clockMs: on.now, beganMs: performance.now(), day: '20261123' };
    return role.round({ holding: 'engine 1763625600000001', ...times, positions } as unknown as RiskRound);
  };
  await expect
    .poll(async () => {
      await round(3_000);
      return role.counts.blocked.get('stale-figures');
    }, SOON)
    .toBe(1);
  expect(await orders()).toEqual([]);
});

test('a market order, all or nothing', async () => {
  const rule = { ...RULE, order: 'market' as const, timeInForce: 'FOK' as const };
  await on.services.store.cover.rules.change('EUR/USD', () => rule);
  // Of a part a FOK order takes nothing.
  runCommand(lp, 'orders next 1 partial 40');
  const { cover } = start('auto');
  await acme.book('EUR/USD', 300_000);
  await expect.poll(net, SOON).toBe(0n);
  expect(lp.orders!.orders).toMatchObject([
    { limit: undefined, timeInForce: '4', fills: [], status: 'cancelled' },
    { limit: undefined, timeInForce: '4', quantity: 300_000, status: 'filled' },
  ]);
  await agrees();
  // Without a limit the price of the book decides whether it is sent.
  await on.services.store.cover.rules.change('EUR/USD', () => ({ ...rule, worst: '0' }));
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => cover.counts.blocked.get('worst-price'), SOON).toBe(1);
  expect(lp.orders!.orders.length).toBe(2);
});

test('a pair whose rule is removed is no longer outside its band', async () => {
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
  const { cover } = start('auto', '');
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => cover.counts.uncoveredS, SOON).toBeGreaterThan(0);
  await on.services.store.cover.rules.change('EUR/USD', () => undefined);
  await expect.poll(() => [cover.counts.uncoveredS, cover.counts.blocked.get('no-provider')], SOON).toEqual([0, 0]);
});

test('COVER=off: what was not sent is withdrawn, and what is not known is shown until it is resolved', async () => {
  const { store } = on.services;
  const sent = await planCover(store.cover, 'sent', { side: 'sell', amount: 30_000_000n });
  const planned = await planCover(store.cover, 'planned', { pair: 'GBP/USD' });
  const suggested = await planCover(store.cover, 'suggested', { pair: 'USD/JPY' });
  const { cover } = start('off');
  await expect
    .poll(
      later(async () => (await store.cover.read(sent.id))!.status),
      SOON,
    )
    .toBe('unknown');
  for (const { id } of [planned, suggested])
    expect(await store.cover.read(id)).toMatchObject({ status: 'withdrawn', reason: 'COVER is off' });
  expect(on.log.filter((line) => line.includes('COVER is off') && line.includes(sent.id)).length).toBe(1);
  await expect.poll(() => cover.counts.unknown, SOON).toBe(1);
  await on.ask('resolveCover', { id: sent.id, filled: '300000', price: '1.08431', reason: 'by telephone' });
  expect(await store.cover.read(sent.id)).toMatchObject({ status: 'filled', filled: 30_000_000n });
  await expect
    .poll(
      later(() => cover.counts.unknown),
      SOON,
    )
    .toBe(0);
  expect(await reconciled()).toEqual([]);
  expect(lp.orders!.orders).toEqual([]);
}, 60_000);
