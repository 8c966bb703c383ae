import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ThrottleViolations, TokenBucket } from '../../engine/fix/desk.js';
import { LIMITS } from '../../engine/fix/settings.js';
import { quoteRequest } from '../conversions/fix/quotes/quoting.js';
import type { Fields, Received, TestDesk } from '../support/desk.js';
import { PATIENT } from '../support/store.js';
import { until } from '../support/until.js';
import { type Rig, startRig } from './rig.js';
import { startTrader } from './trader.js';

// The clock does not advance, so that the rate is what the test sends; it is in the future, since the store expires keys by its own.
const NOW = Date.parse('2028-11-17T08:00:00Z');

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
});
afterAll(() => rig.stop());

async function loggedOn(name: string): Promise<{ desk: TestDesk; token: string }> {
  const desk = rig.desk(await rig.client(name));
  const token = (await desk.logon()).get(20001)!;
  return { desk, token };
}

test('rejects the twenty-first request of a second; the session continues', async () => {
  const { desk, token } = await loggedOn('quick');
  for (let i = 1; i <= 22; i++) desk.stream(`M${i}`, ['EUR/USD'], token);
  const reject = await desk.next('Y');
  expect([reject.get(262), reject.get(281), reject.get(20011)]).toEqual(['M21', '2', 'RATE_LIMITED']);
  await desk.next('Y');
  await desk.settle();
  expect(desk.count('W')).toBe(20);
});

test('the third time within ten seconds ends the session, and its logons are blocked for fifteen', async () => {
  const client = await rig.client('hasty');
  const desk = rig.desk(client);
  const token = (await desk.logon()).get(20001)!;
  for (let i = 1; i <= 23; i++) desk.stream(`M${i}`, ['EUR/USD'], token);
  expect((await desk.next('5')).get(58)).toBe('RATE_LIMITED');
  desk.send('5', []);
  await desk.untilClosed();

  const again = rig.desk(client);
  await again.connect();
  again.sendLogon();
  expect((await again.next('5')).get(58)).toBe('RATE_LIMITED: logons are blocked for 15 seconds');
  rig.skip(15_001);
  expect((await rig.desk(client).logon()).get(35)).toBe('A');
});

describe('400 requests in a burst', () => {
  // The bound of the wait for their answers is the product's; a machine that has much else to do may need more.
  const { lastAnswersMs } = LIMITS;
  beforeAll(() => void Object.assign(LIMITS, { lastAnswersMs: PATIENT.answerMs }));
  afterAll(() => void Object.assign(LIMITS, { lastAnswersMs }));

  test('the hundred within the limit are answered, and the others refused, before the Logout(5)', async () => {
    const { desk, token } = await loggedOn('burst');
    for (let i = 1; i <= 400; i++)
      desk.send('H', [
        [11, `O${i}`],
        [55, 'EUR/USD'],
        [54, 1],
        [20001, token],
      ]);
    expect((await desk.next('5')).get(58)).toBe('RATE_LIMITED');
    desk.send('5', []);
    await desk.untilClosed();
    const answers = desk.received.filter((message) => message.get(35) === '8');
    expect(new Set(answers.map((message) => message.get(11)))).toEqual(
      new Set(Array.from({ length: 100 }, (_, i) => `O${i + 1}`)),
    );
    expect(desk.count('j')).toBeGreaterThanOrEqual(3);
    expect(desk.received.at(-1)!.get(35)).toBe('5');
  });

  test('an order of the hundred is booked and reported; one behind them is not accepted, whatever permits have come back', async () => {
    const client = await startTrader(rig, 'keen');
    rig.tick('EUR/USD', '1.08158', '1.08164');
    for (let i = 1; i <= 110; i++) client.order({ 11: `K${i}`, 38: 10 });
    expect((await client.desk.next('5')).get(58)).toBe('RATE_LIMITED');
    const reports = client.desk.received.filter((message) => message.get(35) === '8');
    const ids = (execType: string) =>
      [...new Set(reports.filter((report) => report.get(150) === execType).map((report) => report.get(11)))].sort();
    const named = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `K${from + i}`).sort();
    expect(ids('F')).toEqual(named(1, 100));
    expect(ids('8').slice(0, 3)).toEqual(named(101, 110).slice(0, 3));
  });
});

test.each([
  // msgType  fields                                 answered with
  [
    'g',
    [
      [335, 'G'],
      [263, 0],
    ],
    'j',
    '0',
  ],
  [
    'x',
    [
      [320, 'L'],
      [559, 4],
    ],
    'j',
    '0',
  ],
  [
    'BE',
    [
      [923, 'U'],
      [924, 4],
      [553, 'CK_other'],
    ],
    'BF',
    undefined,
  ],
  [
    'V',
    [
      [262, 'M'],
      [263, 2],
    ],
    'Y',
    undefined,
  ],
  [
    'AJ',
    [
      [693, 'J'],
      [117, 'HLD0000000000'],
      [694, 6],
      [55, 'EUR/USD'],
    ],
    'AI',
    undefined,
  ],
  [
    'a',
    [
      [117, 'HLD0000000000'],
      [55, 'EUR/USD'],
    ],
    'AI',
    undefined,
  ],
  [
    'Z',
    [
      [117, '*'],
      [298, 4],
    ],
    'AI',
    undefined,
  ],
] as const)('a hundred messages at once, then %s is refused', async (msgType, fields, answer, reason) => {
  const { desk } = await loggedOn(`burst${msgType.toLowerCase()}`);
  for (let i = 0; i < 100; i++)
    desk.send('e', [
      [324, `E${i}`],
      [55, 'EUR/USD'],
      [263, 0],
    ]);
  desk.send(msgType, fields);
  const refused = await desk.next(answer);
  expect([refused.get(380), refused.get(20011)]).toEqual([reason, 'RATE_LIMITED']);
  await desk.settle();
  expect(desk.count('f')).toBe(100);
});

/** A desk whose last `missed` messages the engine has not counted, and now asks for. */
async function askedAgain(name: string, missed: number): Promise<{ desk: TestDesk; token: string }> {
  const client = await rig.client(name);
  const first = rig.desk(client);
  const token = (await first.logon()).get(20001)!;
  first.close();
  const desk = rig.desk(client);
  await desk.connect();
  desk.send(
    'A',
    [
      [98, 0],
      [108, 30],
      [553, client.clientKey],
      [554, client.clientSecret],
    ],
    { seqNum: 2 + missed },
  );
  expect((await desk.next('2')).get(7)).toBe('2');
  desk.nextOut = 2;
  return { desk, token };
}

const orderAsked = (token: string): Fields => [
  [11, 'O1'],
  [55, 'EUR/USD'],
  [54, 1],
  [20001, token],
];
const BEFORE = { more: [[43, 'Y'] as const, [122, '20281117-07:59:59.000'] as const] };
const isLimited = (message: Received) => message.get(20011) === 'RATE_LIMITED';

test('what is sent again because the engine has asked for it is no haste, up to a thousand', async () => {
  const missed = 1_001;
  const { desk, token } = await askedAgain('missed', missed);
  const ask = (header?: typeof BEFORE) => desk.send('H', orderAsked(token), header);
  for (let i = 1; i <= missed; i++) ask(BEFORE);
  await desk.next('j', isLimited);
  await until(() => desk.count('8') === missed - 1);

  // Its hundred at once are its own still.
  desk.nextOut = 3 + missed;
  for (let i = 0; i < 100; i++) ask();
  await until(() => desk.count('8') === missed + 99);
  expect(desk.received.filter(isLimited)).toHaveLength(1);
});

test('of requests for a rate that are sent again because the engine has asked for them each has an answer', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const { desk, token } = await askedAgain('quoting', 30);
  for (let i = 1; i <= 30; i++) desk.send('R', quoteRequest(`Q${i}`, token, { 38: 100 }), BEFORE);
  await until(() => desk.count('S') + desk.count('AG') === 30);
  expect(desk.received.filter(isLimited)).toEqual([]);
});

test('messages read late after a stall of the engine are no throttle violation, up to a thousand', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const client = await rig.client('unread');
  let sentMs = NOW;
  const desk = rig.desk(client, { now: () => sentMs });
  const token = (await desk.logon()).get(20001)!;
  sentMs = NOW - 10_000;
  for (let i = 1; i <= 30; i++) desk.send('R', quoteRequest(`Q${i}`, token, { 38: 100 }));
  for (let i = 1; i <= 100; i++) desk.send('H', orderAsked(token));
  await until(() => desk.count('8') === 100);
  expect(desk.received.filter(isLimited)).toEqual([]);
});

test('messages that we do not take count too', async () => {
  const { desk } = await loggedOn('noisy');
  for (let i = 0; i < 103; i++) desk.send('AA', [[58, 'x']]);
  await desk.next('5');
});

test('a pace refills with time, and a clock that steps back gives nothing', () => {
  const pace = new TokenBucket(10, 2, 1_000);
  expect([pace.take(1_000), pace.take(1_000), pace.take(1_000)]).toEqual([true, true, false]);
  expect(pace.take(1_100)).toBe(true);
  expect(pace.take(500)).toBe(false);
  expect([pace.take(60_500), pace.take(60_500), pace.take(60_500)]).toEqual([true, true, false]);
});

test('violations are forgotten after the window', () => {
  const violations = new ThrottleViolations(3, 10_000);
  expect([0, 5_000, 10_001, 11_000].map((at) => violations.add(at))).toEqual([false, false, false, true]);
});

test('a desk may ask for a hundred tokens at once, then for one a second; its logons count too', async () => {
  const client = await rig.client('greedy');
  const desk = rig.desk(client);
  await desk.logon();
  const renew = async (id: number): Promise<(string | undefined)[]> => {
    // The messages themselves have a pace of their own.
    rig.skip(10);
    desk.send('BE', [
      [923, `U${id}`],
      [924, 1],
      [553, client.clientKey],
      [554, client.clientSecret],
    ]);
    const answer = await desk.next('BF');
    return [answer.get(926), answer.get(20011)];
  };
  const answers: (string | undefined)[] = [];
  for (let i = 0; i < 110; i++) answers.push((await renew(i))[0]);
  // One permit by the logon, one back after a second.
  expect(answers).toEqual([...Array(100).fill('1'), ...Array(10).fill('6')]);
  expect(await renew(111)).toEqual(['6', 'RATE_LIMITED']);

  const another = rig.desk(client);
  await another.connect();
  another.sendLogon();
  expect((await another.next('5')).get(58)).toBe('RATE_LIMITED: too many logons; log on again in a minute');
  rig.skip(1_000);
  expect(await renew(112)).toEqual(['1', undefined]);
});

test.each([
  ['V', 262],
  ['x', 320],
  ['e', 324],
  ['g', 335],
  ['BE', 553],
  ['BE', 923],
  ['AJ', 117],
  ['AJ', 693],
  ['a', 117],
  ['a', 649],
  ['Z', 117],
  ['Z', 131],
])(
  '%s: an id of more than 128 characters in %i, or with control characters, is rejected, neither echoed nor stored',
  async (msgType, tag) => {
    const { desk } = await loggedOn(`long${msgType}${tag}`);
    const required: Record<string, readonly (readonly [number, string | number])[]> = {
      V: [[263, 2]],
      x: [[559, 4]],
      e: [
        [55, 'EUR/USD'],
        [263, 0],
      ],
      g: [[263, 0]],
      BE: [[924, 4], tag === 553 ? [923, 'U'] : [553, 'K']],
      AJ: [[694, 6], [55, 'EUR/USD'], tag === 117 ? [693, 'J'] : [117, 'HLD']],
      Z: [[298, 1], tag === 117 ? [131, 'Q'] : [117, '*']],
      a: [[55, 'EUR/USD'], ...(tag === 117 ? [] : ([[117, 'HLD']] as const))],
    };
    for (const [id, route] of [
      ['x'.repeat(129), 'y'.repeat(4_000)],
      ['xxxx\u001b[31m', 'y\u0085'],
    ] as const) {
      desk.send(msgType, [[tag, id], ...required[msgType]!], { more: [[115, route]] });
      const reject = await desk.next('3');
      expect([reject.get(371), reject.get(373), reject.get(128)]).toEqual([String(tag), '5', undefined]);
      expect(reject.text.length).toBeLessThan(300);
    }
    await desk.settle();
    expect(desk.log()).not.toContain('xxxx');
  },
);
