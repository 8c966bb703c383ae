/** What a provider may say of a cover order, and when: each report is booked once, or stops the pair's cover until the operator has settled it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CoverRule } from '../../../engine/domain/cover/cover.js';
import { FIX_DICTIONARY } from '../../../engine/domain/data/data-file.js';
import * as Tag from '../../../engine/domain/fix/tags.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { NO_DEALS } from '../../../engine/domain/risk/position.js';
import { coverSettings } from '../../../engine/rates/cover/cover-session.js';
import { CoverRole } from '../../../engine/roles/cover/cover-role.js';
import { type RiskRound, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { coverKeys, HOUSE } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { type Received, type ScriptedProvider, startScriptedProvider } from '../../support/scripted-provider.js';
import { SOON } from '../../support/until.js';

let on: LedgerRig;
let acme: RigClient;
let lp: ScriptedProvider;
const open: (() => Promise<unknown> | unknown)[] = [];
let clients = 0;

const RULE: CoverRule = {
  ...{ pair: 'EUR/USD', band: 100_000, ratio: 100, min: 1_000, max: 500_000, step: 1_000, everyMs: 0, worst: '5' },
  ...{ quoteAgeMs: 60_000, order: 'limit' as const, timeInForce: 'IOC' as const },
  providers: ['LP1'],
};

beforeEach(async () => {
  on = await startLedgerRig(Date.now());
  open.push(() => on.stop());
  acme = await on.client(`acme${++clients}`, { EUR: '90000000.00', USD: '90000000.00' });
  lp = await startScriptedProvider();
  open.push(() => lp.close());
  await on.services.store.cover.rules.change('EUR/USD', () => RULE);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function start(more = '') {
  const sessions = coverSettings(`fix://127.0.0.1:${lp.port}?sender=HOUSE&target=LP&provider=LP1${more}`);
  const cover = new CoverRole(on.services, { mode: 'auto', sessions });
  const risk = startRiskRole(on.services, [cover]);
  const stop = async () => {
    await risk.stop();
    await cover.stop();
  };
  open.push(stop);
  return { cover, stop };
}

/** Its first order, of 300,000 EUR to be sold, has arrived at the provider. */
async function ordered(answer: (order: Received) => void = () => {}, more = '') {
  lp.onOrder = answer;
  const started = start(more);
  await acme.book('EUR/USD', 300_000);
  await expect.poll(() => lp.received.length, SOON).toBeGreaterThan(0);
  return { ...started, id: lp.received[0]!.clOrdId };
}

const read = async (id: string) => (await on.services.store.cover.read(id))!;
const orders = () => on.services.store.cover.list(100);
const reconciled = async () => (await on.ask('reconcile', {})).differences;
const sent = () => lp.received.filter(({ msgType }) => msgType === 'D');
/** A first fill of 100,000. */
const PART = { [Tag.OrdStatus]: 1, [Tag.LastQty]: 100_000, [Tag.LastPx]: '1.08431', [Tag.CumQty]: 100_000 };
const WHOLE = { [Tag.LastQty]: 300_000, [Tag.LastPx]: '1.08431' };
const NOTHING = { [Tag.CumQty]: 0, [Tag.AvgPx]: 0 };
const BUSINESS_REJECT_REASON = 380;

test('Reject(3) of an order ends it', async () => {
  await lp.close();
  lp = await startScriptedProvider(['HandlInst']);
  open.push(() => lp.close());
  const { cover } = start();
  await acme.book('EUR/USD', 300_000);
  await expect.poll(async () => (await orders())[0]?.status, SOON).toBe('rejected');
  expect((await orders()).at(-1)).toMatchObject({ filled: 0n, reason: expect.stringMatching(/^LP1: .*missing/i) });
  await expect.poll(() => cover.counts.blocked.get('rejected'), SOON).toBe(1);
  expect(lp.received).toEqual([]);
});

test('BusinessMessageReject(j) of an order ends it, and one of another message does not', async () => {
  const { id } = await ordered((order) => {
    const reject = (type: string) =>
      lp.send('j', [
        [Tag.RefMsgType, type],
        [Tag.BusinessRejectRefID, order.clOrdId],
        [BUSINESS_REJECT_REASON, 4],
        [Tag.Text, 'Application not available'],
      ]);
    if (sent().length > 1) {
      reject('H');
      lp.report(order.clOrdId, WHOLE);
    } else reject('D');
  });
  await expect.poll(async () => (await read(id)).status, SOON).toBe('rejected');
  expect(await read(id)).toMatchObject({ reason: 'LP1: Application not available' });
  await expect
    .poll(async () => (await orders()).map(({ status }) => status).sort(), SOON)
    .toEqual(['filled', 'rejected']);
  expect(sent().length).toBe(2);
});

test('reports out of order, repeated, and with ExecIDs of any form are booked once', async () => {
  const { id } = await ordered();
  // The end first: what it counts is booked, and the fill behind it is contained.
  lp.report(id, {
    ...PART,
    [Tag.ExecID]: 'a fill / 1',
    [Tag.OrdStatus]: 4,
    [Tag.ExecType]: 4,
    [Tag.LastQty]: undefined,
  });
  lp.report(id, { ...PART, [Tag.ExecID]: 'a fill / 1' });
  lp.report(id, { ...PART, [Tag.ExecID]: 'a fill / 1' });
  lp.report(id, { ...NOTHING, [Tag.ExecType]: 0, [Tag.OrdStatus]: 0 });
  await expect.poll(async () => (await read(id)).status, SOON).toBe('partly-filled');
  // A fill that comes behind the end of the order is a deal.
  lp.report(id, {
    [Tag.ExecID]: 'late',
    [Tag.LastQty]: 50_000,
    [Tag.LastPx]: '1.08425',
    [Tag.CumQty]: 150_000,
    [Tag.OrdStatus]: 1,
  });
  await expect.poll(async () => (await read(id)).fills.length, SOON).toBe(2);
  expect(await read(id)).toMatchObject({ status: 'partly-filled', filled: 15_000_000n, quote: 16_264_350n });
  expect(await reconciled()).toEqual([]);
});

test.each([
  ['expired', { ...NOTHING, [Tag.ExecType]: 'C', [Tag.OrdStatus]: 'C' }, 'rejected'],
  [
    'done for day, with a part',
    { ...{ [Tag.CumQty]: 100_000 }, [Tag.ExecType]: 3, [Tag.OrdStatus]: 3 },
    'partly-filled',
  ],
  ['a status, whole', { [Tag.CumQty]: 300_000, [Tag.ExecType]: 'I', [Tag.OrdStatus]: 2 }, 'filled'],
])('the order ends by one report: %s', async (_what, fields, status) => {
  const { id } = await ordered((order) => {
    if (sent().length === 1) lp.report(order.clOrdId, fields);
  });
  await expect.poll(async () => (await read(id)).status, SOON).toBe(status);
  expect(await reconciled()).toEqual([]);
});

test('a report whose amounts cannot be read books nothing: the status is requested', async () => {
  lp.onStatus = ({ clOrdId }) => lp.report(clOrdId, { [Tag.ExecType]: 'I', [Tag.OrdStatus]: 2 });
  const { cover, id } = await ordered((order) => {
    if (sent().length === 1) lp.report(order.clOrdId, { ...PART, [Tag.AvgPx]: 0, [Tag.LastPx]: 0 });
  });
  await expect.poll(async () => (await read(id)).status, SOON).toBe('filled');
  expect(cover.counts.reports.get('malformed')).toBe(1);
  // Behind the end of the order there is no status to wait for.
  lp.report(id, { [Tag.CumQty]: '300000.005' });
  await expect.poll(async () => (await read(id)).status, SOON).toBe('disputed');
  expect(await reconciled()).toEqual([]);
}, 60_000);

test('a report that the session rejects is logged, and its order is settled by a status', async () => {
  lp.onStatus = ({ clOrdId }) => lp.report(clOrdId, { [Tag.ExecType]: 'I', [Tag.OrdStatus]: 2 });
  const { id } = await ordered(
    (order) => lp.report(order.clOrdId, { ...WHOLE, [Tag.OrdStatus]: undefined }),
    `&dictionary=${FIX_DICTIONARY}`,
  );
  await expect.poll(async () => (await read(id)).status, SOON).toBe('filled');
  expect(on.log.filter((line) => line.includes('a message of a provider was rejected')).length).toBe(1);
  expect(await reconciled()).toEqual([]);
}, 60_000);

test('of orders that are none of ours, or were never sent, nothing is booked', async () => {
  const { cover, id } = await ordered();
  lp.report('CVR9999999999999999', WHOLE);
  lp.report('x'.repeat(200), WHOLE);
  lp.report(`${id}:fill`, WHOLE);
  await expect.poll(() => cover.counts.reports.get('foreign'), SOON).toBe(3);
  expect((await read(id)).filled).toBe(0n);
  expect(await reconciled()).toEqual([]);
});

test.each([
  ['another side', { ...{ [Tag.Side]: 1, [Tag.LastQty]: 300_000 }, [Tag.LastPx]: '1.08431' }, /Side\(54\), 1/],
  ['another pair', { ...{ [Tag.Symbol]: 'GBP/USD', [Tag.LastQty]: 300_000 }, [Tag.LastPx]: '1.08431' }, /GBP/],
  ['another currency', { ...{ [Tag.Currency]: 'USD', [Tag.LastQty]: 300_000 }, [Tag.LastPx]: '1.08431' }, /Currency/],
  [
    'more than the order',
    { ...{ [Tag.CumQty]: 999_999_999_999, [Tag.LastQty]: 5 }, [Tag.LastPx]: '1.08431' },
    /more than the order, 999999999999.00/,
  ],
  [
    'a fill above the order',
    { ...{ [Tag.CumQty]: 300_000, [Tag.LastQty]: 300_001 }, [Tag.LastPx]: '1.08431' },
    /more than/,
  ],
])('a report with %s is not booked, and blocks the pair by name', async (_what, fields, text) => {
  const { cover, id } = await ordered((order) => lp.report(order.clOrdId, fields));
  await expect.poll(async () => (await read(id)).status, SOON).toBe('disputed');
  expect(await read(id)).toMatchObject({ filled: 0n, reason: expect.stringMatching(text) });
  await expect.poll(() => [cover.counts.disputed, cover.counts.blocked.get('disputed')], SOON).toEqual([1, 1]);
  expect(sent().length).toBe(1);
  await on.ask('resolveCover', { id, filled: '0', reason: 'not dealt' });
  await expect.poll(() => sent().length, SOON).toBe(2);
});

test.each([
  ['H', { [Tag.CumQty]: 0, [Tag.AvgPx]: 0, [Tag.OrdStatus]: 4 }, '0', undefined, 0n, 0n],
  ['H', { [Tag.CumQty]: 100_000, [Tag.OrdStatus]: 1 }, '100000', '1.08431', 10_000_000n, 10_843_100n],
  ['G', { [Tag.CumQty]: 300_000, [Tag.AvgPx]: '1.07431' }, '300000', '1.07431', 30_000_000n, 32_229_300n],
  ['G', { [Tag.CumQty]: 300_000, [Tag.AvgPx]: '1.09' }, '300000', '1.09', 30_000_000n, 32_700_000n],
])(
  'ExecType(150)=%s of a fill blocks the pair until the operator has settled it',
  async (execType, fields, filled, price, base, quote) => {
    const { cover, id } = await ordered((order) => {
      if (sent().length === 1) lp.report(order.clOrdId, { ...WHOLE, [Tag.ExecID]: 'X1' });
    });
    await expect.poll(async () => (await read(id)).status, SOON).toBe('filled');
    const change = { [Tag.ExecID]: 'X2', [Tag.ExecRefID]: 'X1', [Tag.ExecType]: execType, ...fields };
    lp.report(id, change);
    await expect.poll(() => cover.counts.disputed, SOON).toBe(1);
    expect(await read(id)).toMatchObject({
      status: 'disputed',
      filled: 30_000_000n,
      reason: expect.stringContaining('booked are 300000.00 EUR for 325293.00 USD'),
    });
    // What clients deal meanwhile is not covered, and the reason has a name.
    await acme.book('EUR/USD', 200_000);
    await expect.poll(() => cover.counts.blocked.get('disputed'), SOON).toBe(1);
    await on.ask('resolveCover', { id, filled, ...(price && { price }), reason: 'their confirmation' });
    expect(await read(id)).toMatchObject({ status: 'resolved', filled: base, quote });
    const { lines } = await on.services.store.positions.ofClient(HOUSE);
    expect(
      lines.map(({ baseSold, quoteReceived, baseBought, quotePaid }) => [
        baseSold,
        quoteReceived,
        baseBought,
        quotePaid,
      ]),
    ).toEqual([[base, quote, 0n, 0n]]);
    expect(await on.services.store.cover.balances()).toMatchObject({
      'EUR/house:cover:LP1': base,
      'USD/house:cover:LP1': -quote,
    });
    expect(await reconciled()).toEqual([]);
    // The pair is covered again, and the same report changes nothing any more.
    await expect.poll(() => sent().length, SOON).toBe(2);
    lp.report(id, change);
    lp.report(id, { ...WHOLE, [Tag.ExecID]: 'X1' });
    lp.report(sent()[1]!.clOrdId, { ...WHOLE, [Tag.LastQty]: 1_000, [Tag.CumQty]: 1_000, [Tag.OrdStatus]: 1 });
    await expect.poll(async () => (await read(sent()[1]!.clOrdId)).filled, SOON).toBe(100_000n);
    expect(await read(id)).toMatchObject({ filled: base, quote });
  },
  60_000,
);

test('an order that ends between two rounds is not covered again from positions that were read before', async () => {
  lp.onOrder = ({ clOrdId }) => lp.report(clOrdId, WHOLE);
  const sessions = coverSettings(`fix://127.0.0.1:${lp.port}?sender=HOUSE&target=LP&provider=LP1`);
  const cover = new CoverRole(on.services, { mode: 'auto', sessions });
  open.push(() => cover.stop());
  await expect.poll(() => on.services.store.riskFigures.nowMs(), SOON).toBeDefined();
  const round = (baseBought: bigint, beganMs = performance.now()) => {
    const times = { atMs: on.services.store.riskFigures.nowMs()!, clockMs: on.now, day: '20261123', beganMs };
    const positions = new Map([[pairBySymbol('EUR/USD')!, { ...NO_DEALS, baseBought }]]);
    return cover.round({ holding: 'engine 1763625600000001', ...times, positions } as unknown as RiskRound);
  };
  await round(0n);
  await expect.poll(() => cover.counts.sessions, SOON).toEqual([['LP1', true]]);
  const beganMs = performance.now();
  await round(30_000_000n, beganMs);
  await expect.poll(async () => (await orders())[0]?.status, SOON).toBe('filled');
  for (let turns = 0; turns < 20; turns++) {
    await round(30_000_000n, beganMs);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(sent().length).toBe(1);
});

test('what a provider reports and the store does not take is resent to the next holder of the lease', async () => {
  const { id, stop } = await ordered();
  lp.report(id, { ...WHOLE, [Tag.ExecID]: 'X1' });
  await expect.poll(async () => (await read(id)).status, SOON).toBe('filled');
  await on.redis.set(coverKeys.openCovers, 'no hash');
  // No status request would bring this back: the order has ended.
  lp.report(id, { [Tag.ExecID]: 'X2', [Tag.ExecType]: 'H', [Tag.CumQty]: 0, [Tag.AvgPx]: 0 });
  const isTried = () => on.log.some((line) => line.includes('is not booked yet'));
  await expect.poll(isTried, SOON).toBe(true);
  await stop();
  await on.redis.del(coverKeys.openCovers);
  start();
  await expect.poll(async () => (await read(id)).status, SOON).toBe('disputed');
}, 60_000);

test('what a provider takes back by telephone is disputed by hand, and then resolved', async () => {
  const { cover, id } = await ordered((order) => lp.report(order.clOrdId, WHOLE));
  await expect.poll(async () => (await read(id)).status, SOON).toBe('filled');
  await expect(on.ask('resolveCover', { id, filled: '0', reason: 'not yet' })).rejects.toThrow('WRONG_STATE');
  await on.ask('disputeCover', { id, reason: 'cancelled by telephone' });
  await expect(on.ask('disputeCover', { id, reason: 'again' })).rejects.toThrow('WRONG_STATE');
  await expect.poll(() => cover.counts.disputed, SOON).toBe(1);
  lp.onOrder = () => {};
  await on.ask('resolveCover', { id, filled: '0', reason: 'confirmed' });
  expect(await read(id)).toMatchObject({ status: 'resolved', filled: 0n, quote: 0n });
  await expect.poll(() => sent().length, SOON).toBe(2);
  // The order that has taken its place may be disputed too, and again.
  const next = sent()[1]!.clOrdId;
  for (const reason of ['one', 'two']) {
    await on.ask('disputeCover', { id: next, reason });
    await on.ask('resolveCover', { id: next, filled: '1000', price: '1.08431', reason });
  }
  expect(await read(next)).toMatchObject({ filled: 100_000n, quote: 108_431n, disputes: ['hand:1', 'hand:2'] });
  expect(await reconciled()).toEqual([]);
}, 60_000);
