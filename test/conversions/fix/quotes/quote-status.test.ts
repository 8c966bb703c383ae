/** QuoteResponse(AJ) releases a hold, QuoteStatusRequest(a) requests its status; both are answered with QuoteStatusReport(AI). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type ClientOf, type Rig, startRig } from '../../../fix/rig.js';
import type { Fields, Received, TestDesk } from '../../../support/desk.js';
import { bookOverRest, faultsOf, fund, openHolds, quote } from './quoting.js';

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;
let holdId: string;
let until: string;
let clients = 0;

beforeAll(async () => {
  rig = await startRig();
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
beforeEach(async () => {
  acme = await rig.client(`acme${++clients}`);
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
  const held = await quote(desk, 'Q1', token);
  holdId = held.get(117)!;
  until = held.get(62)!;
});
afterEach(() => expect(faultsOf(desk)).toEqual([]));
afterAll(() => rig.stop());

type Changes = Readonly<Record<number, string | number | undefined>>;
type Question = 'AJ' | 'a';

/** Releases the hold, or requests its status. */
function ask(type: Question, changes: Changes = {}, more: Fields = [], of = desk): Promise<Received> {
  const ids: Changes = type === 'AJ' ? { 693: 'J1', 694: 6 } : { 649: 'A1', 263: 0 };
  const values: Changes = { 117: holdId, 55: 'EUR/USD', 20001: token, ...ids, ...changes };
  const order = [649, 693, 117, 694, 55, 263, 20001];
  const fields = order.flatMap((tag) => (values[tag] === undefined ? [] : [[tag, values[tag]] as const]));
  of.send(type, fields, { more });
  return of.next(['AI', 'j', '3']);
}

const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));
const body = (message: Received) => message.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '');

describe('QuoteRespType(694)=6 releases a hold', () => {
  test('the hold is released, and cannot be booked', async () => {
    expect(body(await ask('AJ'))).toBe(`131=Q1|117=${holdId}|693=J1|55=EUR/USD|62=${until}|297=6|`);
    expect(await openHolds(rig, acme)).toEqual([]);
    await fund(rig, acme);
    expect(await bookOverRest(rig, acme, holdId)).toBe('HOLD_EXPIRED');
    expect(body(await ask('a'))).toBe(`649=A1|131=Q1|117=${holdId}|55=EUR/USD|62=${until}|297=6|`);
    // Again it is as it was.
    expect(pick(await ask('AJ'), 297, 20011)).toEqual(['6', undefined]);
  });

  test.each([1, 2, 3, 4, 5])('not with QuoteRespType(694)=%i: booking is by order', async (type) => {
    const answer = await ask('AJ', { 694: type });
    expect(pick(answer, 35, 297, 20011)).toEqual(['AI', '5', 'VALIDATION_FAILED']);
    expect(answer.get(58)).toContain('use NewOrderSingle 40=D');
    expect(await openHolds(rig, acme)).toHaveLength(1);
  });

  test('by another session of the same client', async () => {
    await perform(rig.services, 'assignCompId', undefined, { compId: `${acme.compId}B`, clientId: acme.id });
    const second = rig.desk(acme, { compId: `${acme.compId}B` });
    await second.logon();
    expect(pick(await ask('AJ', {}, [], second), 131, 117, 297)).toEqual(['Q1', holdId, '6']);
    expect(await openHolds(rig, acme)).toEqual([]);
  });
});

describe('the status of a hold', () => {
  test('live', async () => {
    expect(body(await ask('a'))).toBe(`649=A1|131=Q1|117=${holdId}|55=EUR/USD|62=${until}|297=0|`);
    expect(pick(await ask('a', { 649: undefined, 263: undefined }), 649, 297)).toEqual([undefined, '0']);
  });

  test.each<[what: string, end: () => Promise<unknown>, status: string, code: string]>([
    [
      'booked',
      async () => {
        await fund(rig, acme);
        expect(await bookOverRest(rig, acme, holdId)).toMatch(/^BFX/);
      },
      '5',
      'HOLD_USED',
    ],
    ['over', async () => rig.skip(30_100), '7', 'HOLD_EXPIRED'],
  ])('%s: so say both', async (_what, end, status, code) => {
    await end();
    for (const type of ['a', 'AJ'] as const) {
      const answer = await ask(type);
      expect(pick(answer, 35, 131, 117, 55, 62, 297, 20011)).toEqual([
        ...['AI', 'Q1', holdId, 'EUR/USD', until],
        status,
        code,
      ]);
      expect(answer.get(58)).toMatch(/hold/i);
    }
  });
});

describe.each<Question>(['AJ', 'a'])('%s is refused, and the hold stays', (type) => {
  const stays = async () => expect(await openHolds(rig, acme)).toHaveLength(1);

  test.each([
    ['an unknown hold', { 117: 'HLD0000000000' }, '9', 'HOLD_NOT_FOUND'],
    ['an indicative quote', { 117: 'IND0000000000' }, '9', 'HOLD_NOT_FOUND'],
    ['no id of ours', { 117: '*:{}' }, '9', 'HOLD_NOT_FOUND'],
    ['another pair than that of the hold', { 55: 'USD/JPY' }, '5', 'HOLD_MISMATCH'],
    ['no token', { 20001: undefined }, '5', 'TOKEN_REQUIRED'],
    ['an unknown token', { 20001: 'x'.repeat(43) }, '5', 'TOKEN_INVALID'],
  ])('%s', async (_what, changes, status, code) => {
    const answer = await ask(type, changes);
    expect(pick(answer, 35, 297, 20011)).toEqual(['AI', status, code]);
    const { 117: asked = holdId, 55: symbol = 'EUR/USD' } = changes as Changes;
    expect(pick(answer, 117, 55)).toEqual([asked, symbol]);
    expect(pick(answer, type === 'AJ' ? 693 : 649)).toEqual([type === 'AJ' ? 'J1' : 'A1']);
    await stays();
  });

  test("another client's hold", async () => {
    const other = await rig.client(`other${clients}${type.toLowerCase()}`);
    const own = rig.desk(other);
    const mine = (await own.logon()).get(20001)!;
    expect(pick(await ask(type, { 20001: mine }, [], own), 297, 20011)).toEqual(['9', 'HOLD_NOT_FOUND']);
    expect(pick(await ask(type, { 20001: mine }), 297, 20011)).toEqual(['5', 'TOKEN_CLIENT_MISMATCH']);
    await stays();
  });

  test('a token that has ended', async () => {
    desk.send('BE', [
      [923, 'U1'],
      [924, 2],
      [553, acme.clientKey],
    ]);
    await desk.next('BF');
    expect(pick(await ask(type), 297, 20011)).toEqual(['5', 'TOKEN_REVOKED']);
    await stays();
  });

  test('without the right to trade', async () => {
    const other = await rig.client(`rates${clients}${type.toLowerCase()}`, { rights: ['rates'] });
    const own = rig.desk(other);
    const mine = (await own.logon()).get(20001)!;
    const number = own.nextOut;
    const answer = await ask(type, { 20001: mine }, [], own);
    expect(pick(answer, 35, 45, 372, 380, 20011)).toEqual(['j', String(number), type, '6', 'NOT_ENTITLED']);
  });

  test.each([[117], [55]])('without tag %i', async (tag) => {
    expect(pick(await ask(type, { [tag]: undefined }), 35, 371, 373)).toEqual(['3', String(tag), '1']);
    await stays();
  });

  test('and the answer goes the way back', async () => {
    const route = [
      [50, 'TRADER7'],
      [115, 'FUND3'],
    ] as const;
    expect(pick(await ask(type, { 117: 'HLD0000000000' }, route), 57, 128)).toEqual(['TRADER7', 'FUND3']);
    expect(pick(await ask(type, {}, route), 57, 128, 297)).toEqual(['TRADER7', 'FUND3', type === 'AJ' ? '6' : '0']);
  });
});

test('rejects a subscription to a hold: its end is reported unsolicited', async () => {
  expect(pick(await ask('a', { 263: 1 }), 297, 20011)).toEqual(['5', 'UNSUPPORTED_SUBSCRIPTION_TYPE']);
});

test('rejects both with STORE_UNAVAILABLE during a store outage', async () => {
  const alone = await startRig();
  alone.tick('EUR/USD', '1.08158', '1.08164');
  const own = alone.desk(await alone.client('acme'));
  token = (await own.logon()).get(20001)!;
  holdId = (await quote(own, 'Q1', token)).get(117)!;
  await alone.services.store.close();
  for (const type of ['AJ', 'a'] as const)
    expect(pick(await ask(type, {}, [], own), 297, 20011)).toEqual(['5', 'STORE_UNAVAILABLE']);
  await alone.stop();
});
