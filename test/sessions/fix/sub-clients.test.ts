/** A desk of a sub-client logs on with a key of the sub-client itself, and sees nothing of its platform, of another sub-client or of a stranger. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { startTrader, type Trader } from '../../fix/trader.js';

let rig: Rig;
/** The platform, its two sub-clients, and another client. */
let traders: readonly Trader[];

beforeAll(async () => {
  rig = await startRig();
  rig.tick('EUR/USD', '1.08', '1.0802');
  const acme = await startTrader(rig, 'acme');
  await rig.services.store.clients.change('acme', { isPlatform: true });
  traders = [
    acme,
    await startTrader(rig, 'acme~one'),
    await startTrader(rig, 'acme~two'),
    await startTrader(rig, 'other'),
  ];
});
afterAll(() => rig.stop());

test('the key of the platform is no key of a desk of its sub-client, nor the other way round', async () => {
  const [acme, one] = traders as [Trader, Trader];
  for (const [compId, key] of [
    [one.compId, acme],
    [acme.compId, one],
  ] as const) {
    const desk = rig.desk({ ...key, compId });
    await desk.connect();
    desk.sendLogon();
    expect((await desk.next('5')).get(58)).toBe('Authentication failed');
  }
});

test('a token of the platform is none in the session of its sub-client', async () => {
  const [acme, one] = traders as [Trader, Trader];
  one.order({ 11: 'with-a-token', 20001: acme.token });
  const report = await one.report('with-a-token');
  expect([report.get(150), report.get(20011)]).toEqual(['8', 'TOKEN_CLIENT_MISMATCH']);
});

test('each finds its own orders and trades alone, also under one ClOrdID(11)', async () => {
  const ids = new Map<string, string>();
  for (const trader of traders) {
    trader.order({ 11: 'same' });
    const report = await trader.report('same');
    expect(report.get(150)).toBe('F');
    ids.set(trader.id, report.get(37)!);
    trader.order({ 11: `of-${trader.compId}` });
    await trader.report(`of-${trader.compId}`);
  }
  expect(new Set(ids.values()).size).toBe(4);
  for (const trader of traders)
    for (const other of traders) {
      const asked = `of-${other.compId}`;
      trader.status(asked);
      const answer = await trader.report(asked);
      const expected = trader === other ? ['2', undefined] : ['8', 'UNKNOWN_ORDER'];
      expect([trader.id, other.id, answer.get(39), answer.get(20011)]).toEqual([trader.id, other.id, ...expected]);
    }
  for (const { id, desk, token } of traders) {
    desk.send('AD', [
      [568, `all-${id.replace('~', '.')}`],
      [569, 0],
      [20001, token],
    ]);
    const answer = await desk.next('AQ');
    expect([id, answer.get(748)]).toEqual([id, '2']);
  }
});

test('its prices have the margin of the platform and what the platform adds', async () => {
  const one = traders[1]!;
  // Both have 0.25 percent in this test.
  expect(rig.services.margins.find('acme~one', 'EUR/USD', 'PREFUNDING')).toBe(5_000);
  one.order({ 11: 'priced', 54: 2 });
  // 1.08 x 0.995.
  expect((await one.report('priced')).get(31)).toBe('1.0746000');
});

test('a halt of the platform takes the prices of its sub-clients too', async () => {
  const [, one, , other] = traders as [Trader, Trader, Trader, Trader];
  await perform(rig.services, 'haltClient', undefined, { clientId: 'acme', reason: 'a test' });
  await expect.poll(() => rig.services.states.isHalted('acme~one')).toBe(true);
  one.order({ 11: 'halted' });
  expect((await one.report('halted')).get(20011)).toBe('TRADING_HALTED');
  other.order({ 11: 'not-halted' });
  expect((await other.report('not-halted')).get(150)).toBe('F');
  await perform(rig.services, 'resumeClient', undefined, { clientId: 'acme' });
});

test('a disabled platform ends the sessions of its sub-clients', async () => {
  const [, one] = traders as [Trader, Trader];
  await perform(rig.services, 'disableClient', undefined, { id: 'acme', disabled: true });
  await one.desk.untilClosed();
  const again = rig.desk(one);
  await again.connect();
  again.sendLogon();
  expect((await again.next('5')).get(58)).toBe('Authentication failed');
});
