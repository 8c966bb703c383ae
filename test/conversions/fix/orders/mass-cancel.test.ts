/** OrderMassCancelRequest(q): a desk halts all trading of its client. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { startBesideHungStore, startTrader, type Trader, traderOf } from '../../../fix/trader.js';
import type { Fields, Received } from '../../../support/desk.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

const TIME = '20261120-08:00:00.000';
const tags = (message: Received, ...asked: number[]) => asked.map((tag) => message.get(tag));

async function stop({ desk, token }: Pick<Trader, 'desk' | 'token'>, id: string, fields: Fields = []) {
  const sent = new Map<number, string | number>([[11, id], [530, 7], [60, TIME], [20001, token], ...fields]);
  desk.send(
    'q',
    [...sent].filter(([, value]) => value !== ''),
  );
  return desk.next(['r', 'j'], (message) => message.get(35) === 'j' || message.get(11) === id);
}

async function stateOf(clientId: string) {
  return rig.services.store.tradingStates.read({ scope: 'client', name: clientId });
}

const resume = async (clientId: string) => {
  const done = await perform(rig.services, 'resumeClient', undefined, { clientId });
  if (isRefusal(done)) throw new Error(done.text);
};

test('halts the client at each of its sessions from the report on, and only the operator resumes it', async () => {
  const acme = await startTrader(rig, 'acme');
  const other = await startTrader(rig, 'other');
  await perform(rig.services, 'assignCompId', undefined, { compId: 'ACME2', clientId: 'acme' });
  const desk = rig.desk({ ...acme, compId: 'ACME2' });
  const second = traderOf(rig, acme, desk, (await desk.logon()).get(20001)!);
  for (const { desk, token } of [acme, second, other]) {
    desk.stream('M1', ['EUR/USD'], token);
    await desk.next('W');
  }
  const report = await stop(acme, 'STOP-1', [[58, 'orders without end']]);
  expect(tags(report, 35, 11, 530, 531, 532, 533, 20011)).toEqual(['r', 'STOP-1', '7', '7', undefined, '0', undefined]);
  for (const [trader, id] of [
    [acme, 'A1'],
    [second, 'A2'],
  ] as const) {
    trader.order({ 11: id });
    expect(tags(await trader.report(id), 39, 103, 20011)).toEqual(['8', '2', 'TRADING_HALTED']);
    await trader.desk.next('W', (message) => message.get(276) === 'B');
  }
  other.order({ 11: 'O1' });
  expect((await other.report('O1')).get(39)).toBe('2');
  expect(await stateOf('acme')).toMatchObject({ state: 'HALTED', by: 'client acme', reason: 'orders without end' });

  const again = await stop(second, 'STOP-2', [[58, 'another reason']]);
  expect(tags(again, 531, 533, 60, 58)).toEqual(tags(report, 531, 533, 60, 58));
  expect(again.get(37)).not.toBe(report.get(37));
  expect(await stateOf('acme')).toMatchObject({ reason: 'orders without end' });

  await resume('acme');
  acme.order({ 11: 'A3' });
  expect((await acme.report('A3')).get(39)).toBe('2');
  for (const one of [acme.desk, desk, other.desk]) one.close();
});

test.each<[what: string, fields: Fields, answer: (string | undefined)[]]>([
  [
    'one security',
    [
      [530, 1],
      [55, 'EUR/USD'],
    ],
    ['r', '0', '0', 'VALIDATION_FAILED'],
  ],
  ['a trading session', [[530, 6]], ['r', '0', '0', 'VALIDATION_FAILED']],
  ['all orders of a pair', [[55, 'EUR/USD']], ['r', '0', '99', 'UNSUPPORTED_FIELD']],
  ['all orders of a side', [[54, 1]], ['r', '0', '99', 'UNSUPPORTED_FIELD']],
  ['no token', [[20001, '']], ['r', '0', '99', 'TOKEN_REQUIRED']],
  ['an unknown token', [[20001, 'x'.repeat(43)]], ['r', '0', '99', 'TOKEN_INVALID']],
])('rejects %s, and the client trades on', async (what, fields, answer) => {
  const name = what.replaceAll(' ', '-');
  const trader = await startTrader(rig, name);
  const report = await stop(trader, 'STOP', fields);
  expect(tags(report, 35, 531, 532, 20011)).toEqual(answer);
  expect([report.get(37), report.get(533)]).toEqual(['NONE', undefined]);
  expect(await stateOf(name)).toBeUndefined();
  trader.order({ 11: 'A1' });
  expect((await trader.report('A1')).get(39)).toBe('2');
  trader.desk.close();
});

test('a token of another client, and a key without the right trade, halt neither client', async () => {
  const [one, another] = [await startTrader(rig, 'one'), await startTrader(rig, 'another')];
  const foreign = await stop(one, 'STOP', [[20001, another.token]]);
  expect(tags(foreign, 531, 20011)).toEqual(['0', 'TOKEN_CLIENT_MISMATCH']);
  const reader = await startTrader(rig, 'reader', { rights: ['read', 'rates'] });
  expect(tags(await stop(reader, 'STOP'), 35, 372, 380, 20011)).toEqual(['j', 'q', '6', 'NOT_ENTITLED']);
  for (const name of ['one', 'another', 'reader']) expect(await stateOf(name)).toBeUndefined();
  for (const { desk } of [one, another, reader]) desk.close();
});

test('a desk that has used up its message rate is halted all the same', async () => {
  // The clock does not move: the rate is used up by the hundred messages of its burst.
  const now = Date.now();
  const still = await startRig({ now: () => now });
  const { desk, token, status } = await startTrader(still, 'busy');
  for (let number = 1; number <= 101; number++) status(`A${number}`);
  desk.send('q', [
    [11, 'STOP'],
    [530, 7],
    [60, TIME],
    [20001, token],
  ]);
  expect(tags(await desk.next('j'), 372, 20011)).toEqual(['H', 'RATE_LIMITED']);
  expect(tags(await desk.next('r'), 11, 531)).toEqual(['STOP', '7']);
  await still.stop();
});

test('a request with a field missing, or with a value that FIX does not have, is a Reject(3)', async () => {
  const bad = await startTrader(rig, 'bad');
  for (const [fields, tag, reason] of [
    [[[530, '']], '530', '1'],
    [[[530, 9]], '530', '5'],
    [[[60, '']], '60', '1'],
  ] as const) {
    const sent = new Map<number, string | number>([[11, 'S'], [530, 7], [60, TIME], [20001, bad.token], ...fields]);
    bad.desk.send(
      'q',
      [...sent].filter(([, value]) => value !== ''),
    );
    expect(tags(await bad.desk.next('3'), 371, 373)).toEqual([tag, reason]);
  }
  expect(await stateOf('bad')).toBeUndefined();
  bad.desk.close();
});

test('while the store does not answer, j says that it is not known', async () => {
  const answer = await stop(await startBesideHungStore(), 'STOP');
  expect(tags(answer, 35, 372, 380, 20011)).toEqual(['j', 'q', '4', 'STORE_UNAVAILABLE']);
});
