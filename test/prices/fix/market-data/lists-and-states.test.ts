import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Rig, startRig } from '../../../fix/rig.js';
import type { TestDesk } from '../../../support/desk.js';

let rig: Rig;
let desk: TestDesk;
let token: string;
let isOpen = true;
let clients = 0;

beforeAll(async () => {
  rig = await startRig({ isOpen: () => isOpen });
});
beforeEach(async () => {
  isOpen = true;
  rig.withdraw('EUR/USD');
  desk = rig.desk(await rig.client(`desk${++clients}`, { pair: 'EUR/USD' }));
  token = (await desk.logon()).get(20001)!;
});
afterAll(() => rig.stop());

describe('SecurityListRequest(x)', () => {
  test('lists what the client has a margin for', async () => {
    desk.send('x', [
      [320, 'L1'],
      [559, 4],
      [263, 1],
    ]);
    expect((await desk.next('y')).text).toContain(
      '|320=L1|322=L1.1|560=0|393=1|146=1|55=EUR/USD|460=4|167=FOR|107=EUR against USD|15=EUR|561=1|562=1|' +
        '58=dp=7;pip=4;max=5000000;types=PREFUNDING,SCHEDULED1,SCHEDULED2;spot=T+2;depth=1|10=',
    );
  });

  test.each([
    ['one symbol', 0, 'EUR/USD', '0'],
    ['no symbol', 0, undefined, '1'],
    ['another list', 2, 'EUR/USD', '1'],
    ['an unknown symbol', 0, 'EUR/QQQ', '2'],
    ['the inverse', 0, 'USD/EUR', '2'],
    ['a pair without a margin', 0, 'GBP/USD', '3'],
  ])('%s', async (_what, type, symbol, result) => {
    desk.send('x', [[320, 'L1'], [559, type], ...(symbol ? [[55, symbol] as const] : [])]);
    const list = await desk.next('y');
    expect(list.get(560)).toBe(result);
    expect(list.all(55)).toEqual(result === '0' ? [symbol] : []);
  });
});

describe('TradingSessionStatusRequest(g)', () => {
  test('once, then at every change, then no more', async () => {
    desk.send('g', [
      [335, 'G0'],
      [263, 0],
    ]);
    expect((await desk.next('h')).text).toMatch(/\|335=G0\|336=FX\|340=1\|58=[^|]+\|10=/);
    desk.send('g', [
      [335, 'G1'],
      [263, 1],
    ]);
    expect((await desk.next('h')).get(340)).toBe('1');

    rig.tick('EUR/USD', '1.08158', '1.08164');
    const open = await desk.next('h');
    expect([open.get(335), open.get(340)]).toEqual(['G1', '2']);
    isOpen = false;
    expect((await desk.next('h')).get(340)).toBe('3');
    isOpen = true;
    expect((await desk.next('h')).get(340)).toBe('2');

    desk.send('g', [
      [335, 'G1'],
      [263, 2],
    ]);
    await desk.settle();
    const sent = desk.count('h');
    rig.withdraw('EUR/USD');
    await new Promise((resolve) => setTimeout(resolve, 600));
    await desk.settle();
    expect(desk.count('h')).toBe(sent);
  });

  test.each([
    [
      'another market',
      [
        [336, 'NYSE'],
        [263, 0],
      ] as const,
      '1',
    ],
    ['another kind of request', [[263, 7]] as const, undefined],
  ])('%s is refused', async (_what, fields, reason) => {
    desk.send('g', [[335, 'G1'], ...fields]);
    const status = await desk.next('h');
    expect([status.get(340), status.get(567)]).toEqual(['6', reason]);
  });
});

describe('SecurityStatusRequest(e)', () => {
  test('once, then when the pair loses its providers and has them again', async () => {
    desk.send('e', [
      [324, 'E1'],
      [55, 'EUR/USD'],
      [263, 1],
    ]);
    expect((await desk.next('f')).text).toMatch(/\|324=E1\|55=EUR\/USD\|326=18\|58=[^|]+\|10=/);
    rig.tick('EUR/USD', '1.08158', '1.08164');
    expect((await desk.next('f')).get(326)).toBe('17');
    rig.withdraw('EUR/USD');
    expect((await desk.next('f')).get(326)).toBe('18');
    desk.send('e', [
      [324, 'E2'],
      [55, 'EUR/USD'],
      [263, 2],
    ]);
    desk.send('e', [
      [324, 'E3'],
      [55, 'EUR/QQQ'],
      [263, 0],
    ]);
    const unknown = await desk.next('f');
    expect([unknown.get(324), unknown.get(326), unknown.get(58)]).toEqual(['E3', '20', 'Unknown symbol EUR/QQQ']);
  });

  test('notifies a desk that streams the pair too', async () => {
    rig.tick('EUR/USD', '1.08158', '1.08164');
    // The pairs are looked at four times a second: by then this one counts as priced.
    await new Promise((resolve) => setTimeout(resolve, 300));
    desk.stream('M1', ['EUR/USD'], token);
    await desk.next('W');
    rig.withdraw('EUR/USD');
    const status = await desk.next('f', (message) => message.get(326) === '18');
    expect([status.get(55), status.get(324)]).toEqual(['EUR/USD', undefined]);
  });

  test('while the market is closed the pair is halted', async () => {
    isOpen = false;
    desk.send('e', [
      [324, 'E1'],
      [55, 'EUR/USD'],
      [263, 0],
    ]);
    expect((await desk.next('f')).get(326)).toBe('2');
  });
});

test('what we do not take is answered, what FIX does not have is rejected', async () => {
  desk.sendUntaken();
  const reject = await desk.next('j');
  expect(reject.text).toContain('|45=2|372=E|380=3|58=Unsupported Message Type|20011=UNSUPPORTED_MSGTYPE|');
  desk.send('ZZ', [[58, 'x']]);
  expect((await desk.next('3')).get(373)).toBe('11');
});
