/** An engine that stops answers what its desks sent before, and then logs them out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DRAINING } from '../../../engine/fix/application.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { startTrader } from '../../fix/trader.js';
import { redisAt } from '../../support/redis-client.js';
import { until } from '../../support/until.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

test('a row of orders and requests for quote, also those whose turn had not come', async () => {
  const of = await startTrader(rig, 'acme');
  const redis = redisAt(rig.redisUrl);
  await redis.call('CLIENT', 'PAUSE', '300', 'WRITE');
  redis.disconnect();
  const before = rig.gateway.counters.received.get('D') ?? 0;
  for (let i = 0; i < 20; i++) of.order({ 11: `O${i}` });
  of.desk.send('R', [
    [131, 'Q'],
    [146, 1],
    [55, 'EUR/USD'],
    [54, 1],
    [38, 1000],
    [15, 'EUR'],
    [20001, of.token],
  ]);
  await until(() => rig.gateway.counters.received.get('R') === 1);
  expect(rig.gateway.counters.received.get('D')).toBe(before + 20);
  const stopped = rig.gateway.stop();
  const logout = await of.desk.next('5');
  expect(logout.get(58)).toBe(DRAINING);
  const sent = of.desk.received.slice(0, of.desk.received.indexOf(logout));
  // Of those that wait for the store together any may have its answer first.
  const filled = sent.filter((message) => message.get(150) === 'F').map((message) => message.get(11));
  expect(filled.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `O${i}`).toSorted());
  expect(sent.some((message) => message.get(35) === 'S')).toBe(true);
  of.desk.send('5', []);
  await stopped;
});
