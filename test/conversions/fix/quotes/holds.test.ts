/** What becomes of a hold without being asked for: its time ends, the market closes, the desk or the engine goes away and comes back. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleDue } from '../../../../engine/roles/conversions/settle-due.js';
import { perform } from '../../../../engine/service/perform.js';
import { type ClientOf, type Rig, startRig } from '../../../fix/rig.js';
import type { Fields, Received, TestDesk } from '../../../support/desk.js';
import { until } from '../../../support/until.js';
import { bookOverRest, faultsOf, fund, openHolds, quote } from './quoting.js';

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;
let isOpen = true;
/** By the clock of the part that asks; epoch ms. */
let closesAtMs = Number.POSITIVE_INFINITY;
/** How often the opening hours were asked for. */
let asked = 0;
let clients = 0;

beforeAll(async () => {
  rig = await startRig({
    isOpen(nowMs) {
      asked++;
      return isOpen && nowMs < closesAtMs;
    },
  });
});
beforeEach(async () => {
  isOpen = true;
  closesAtMs = Number.POSITIVE_INFINITY;
  rig.tick('EUR/USD', '1.08158', '1.08164');
  acme = await rig.client(`acme${++clients}`);
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
});
afterEach(() => expect(faultsOf(desk)).toEqual([]));
afterAll(() => rig.stop());

const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));
const body = (message: Received) => message.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '');

/** Logs on again and continues the sequence numbers. */
async function back(on: Rig = rig, before: TestDesk = desk): Promise<TestDesk> {
  const again = on.desk(acme);
  again.nextOut = before.nextOut;
  await again.connect();
  again.send('A', [
    [98, 0],
    [108, 30],
    [553, acme.clientKey],
    [554, acme.clientSecret],
  ]);
  token = (await again.next('A')).get(20001)!;
  return again;
}

async function stand(of: TestDesk, holdId: string): Promise<string | undefined> {
  of.send('a', [
    [649, 'A'],
    [117, holdId],
    [55, 'EUR/USD'],
    [20001, token],
  ]);
  return (await of.next('AI', (message) => message.get(649) === 'A')).get(297);
}

const SENT_BEFORE = [122, '20200101-00:00:00.000'] as const;
const AGAIN: [what: string, header: Fields][] = [
  ['PossDupFlag(43)', [[43, 'Y'], SENT_BEFORE]],
  ['PossResend(97)', [[97, 'Y']]],
];

test('its margin is not below its value as an option; without a hold there is none, and an indicative quote has it too', async () => {
  acme = await rig.client(`none${++clients}`, { margin: '0' });
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
  const day = { 62: '20991231-00:00:00' };
  const [one, both] = [await quote(desk, 'Q1', token, day), await quote(desk, 'Q2', token, { ...day, 54: undefined })];
  expect([one, both].map((message) => message.get(20003))).toEqual(['0.2087', '0.4174']);
  const shown = [
    await quote(desk, 'Q3', token, { ...day, 537: 0 }),
    await quote(desk, 'Q4', token, { ...day, 537: 0, 54: undefined }),
  ];
  expect(shown.map((message) => [132, 133].map((tag) => message.get(tag)))).toEqual(
    [one, both].map((message) => [132, 133].map((tag) => message.get(tag))),
  );
});

describe('its time is over', () => {
  test('reports it to its desk once, with the routing fields of the request', async () => {
    const held = await quote(desk, 'Q1', token, {}, [[50, 'TRADER7']]);
    await quote(desk, 'Q2', token, { 62: '20991231-00:00:00' });
    await settleDue(rig.services, 100);
    await desk.settle();
    expect(desk.count('AI')).toBe(0);
    await rig.skip(30_100);
    await settleDue(rig.services, 100);
    const report = await desk.next('AI');
    expect(body(report)).toBe(
      `57=TRADER7|131=Q1|117=${held.get(117)}|55=EUR/USD|62=${held.get(62)}|297=7|20011=HOLD_EXPIRED|`,
    );
    await settleDue(rig.services, 100);
    await desk.settle();
    expect(desk.count('AI')).toBe(1);
    expect(await openHolds(rig, acme)).toHaveLength(1);
  });

  test('a hold that was released or booked before its expiry is not reported', async () => {
    await fund(rig, acme);
    const booked = (await quote(desk, 'Q1', token)).get(117)!;
    const released = (await quote(desk, 'Q2', token)).get(117)!;
    expect(await bookOverRest(rig, acme, booked)).toMatch(/^BFX/);
    desk.send('AJ', [
      [693, 'J1'],
      [117, released],
      [694, 6],
      [55, 'EUR/USD'],
      [20001, token],
    ]);
    expect((await desk.next('AI')).get(297)).toBe('6');
    await rig.skip(30_100);
    await settleDue(rig.services, 100);
    await desk.settle();
    expect(desk.count('AI')).toBe(1);
  });

  test('reports it at the next logon of a desk that was logged out', async () => {
    const holdId = (await quote(desk, 'Q1', token)).get(117);
    desk.send('5', []);
    await desk.untilClosed();
    await rig.skip(30_100);
    await expect.poll(async () => (await settleDue(rig.services, 100)).due, { interval: 100 }).toBeGreaterThan(0);
    const report = await (await back()).next('AI');
    expect(pick(report, 131, 117, 297, 97)).toEqual(['Q1', holdId, '7', 'Y']);
  });
});

describe('the market closes', () => {
  test('withdraws and reports every hold of a desk; none can be booked when the market opens again', async () => {
    await fund(rig, acme);
    const held = await quote(desk, 'Q1', token, {}, [[50, 'TRADER7']]);
    const second = (await quote(desk, 'Q2', token)).get(117)!;
    const used = (await quote(desk, 'Q3', token)).get(117)!;
    expect(await bookOverRest(rig, acme, used)).toMatch(/^BFX/);
    isOpen = false;
    const report = await desk.next('AI', (message) => message.get(131) === 'Q1');
    expect(body(report)).toBe(
      `57=TRADER7|131=Q1|117=${held.get(117)}|55=EUR/USD|62=${held.get(62)}|297=4|20011=MARKET_CLOSED|`,
    );
    expect(pick(await desk.next('AI'), 117, 297)).toEqual([second, '4']);
    expect(await openHolds(rig, acme)).toEqual([]);
    isOpen = true;
    for (const id of [held.get(117)!, second]) {
      expect(await bookOverRest(rig, acme, id)).toBe('HOLD_EXPIRED');
      expect(await stand(desk, id)).toBe('4');
    }
    await rig.skip(30_100);
    await settleDue(rig.services, 100);
    await desk.settle();
    expect(desk.received.filter((message) => message.get(35) === 'AI' && message.get(649) === undefined)).toHaveLength(
      2,
    );
  });

  test('and closes again: what was held in between is withdrawn too', async () => {
    desk.send('g', [
      [335, 'G1'],
      [263, 1],
    ]);
    await desk.next('h');
    for (const id of ['Q1', 'Q2']) {
      await quote(desk, id, token);
      isOpen = false;
      expect(pick(await desk.next('AI'), 131, 297)).toEqual([id, '4']);
      isOpen = true;
      // Reported by the timer that has seen the market open.
      await desk.next('h', (message) => message.get(340) === '2');
    }
  });

  test('the market closes by the clock of the store, not by that of the gateway', async () => {
    const { services } = rig;
    const HOUR_MS = 3_600_000;
    desk.send('g', [
      [335, 'G1'],
      [263, 1],
    ]);
    expect((await desk.next('h')).get(340)).toBe('2');
    await quote(desk, 'Q1', token);
    const storeNow = () => services.store.clock.estimate()!;
    try {
      // The gateway's clock is two hours ahead, and the market closes in one.
      rig.host.aheadMs = 2 * HOUR_MS;
      closesAtMs = storeNow() + HOUR_MS;
      asked = 0;
      await until(() => asked > 100);
      await desk.settle();
      expect([desk.count('AI'), desk.count('h')]).toEqual([0, 1]);
      expect(await openHolds(rig, acme)).toHaveLength(1);

      // Two hours behind, and it closed an hour ago.
      rig.host.aheadMs = -2 * HOUR_MS;
      closesAtMs = storeNow() - HOUR_MS;
      expect(pick(await desk.next('AI'), 131, 297)).toEqual(['Q1', '4']);
      expect((await desk.next('h')).get(340)).toBe('3');
    } finally {
      rig.host.aheadMs = 0;
    }
  });

  test('a hold of REST is left to its time', async () => {
    const caller = { clientId: acme.id, keyId: acme.clientKey, rights: new Set(['rates', 'trade'] as const) };
    const currencies = { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 250_000 };
    const offered = await perform(rig.services, 'getLockableRate', caller, currencies);
    if ('refusal' in offered) throw new Error(offered.text);
    const locked = await perform(rig.services, 'lockRate', caller, { rateSignature: offered.rateSignature });
    if ('refusal' in locked) throw new Error(locked.text);
    const own = (await quote(desk, 'Q1', token)).get(117);
    isOpen = false;
    expect(pick(await desk.next('AI'), 117, 297)).toEqual([own, '4']);
    isOpen = true;
    await fund(rig, acme);
    expect(await bookOverRest(rig, acme, locked.hold.id)).toMatch(/^BFX/);
  });

  test('reports the withdrawal to a desk that logs on while the market is closed', async () => {
    const holdId = (await quote(desk, 'Q1', token)).get(117);
    desk.send('5', []);
    await desk.untilClosed();
    isOpen = false;
    const report = await (await back()).next('AI');
    expect(pick(report, 131, 117, 297)).toEqual(['Q1', holdId, '4']);
  });
});

describe('sent again on ResendRequest(2)', () => {
  test('a quote is, until its time is over; then it is gap-filled', async () => {
    const held = await quote(desk, 'Q1', token);
    const refused = await quote(desk, 'Q2', token, { 38: 0 });
    const from = held.get(34)!;
    const resend = async () => {
      desk.send('2', [
        [7, from],
        [16, refused.get(34)!],
      ]);
      return desk.next(['AG'], (message) => message.get(43) === 'Y');
    };
    expect(pick(await resend(), 34, 131)).toEqual([refused.get(34), 'Q2']);
    const again = await desk.next('S');
    expect(pick(again, 34, 43, 117, 122)).toEqual([from, 'Y', held.get(117), held.get(52)]);
    await rig.skip(30_100);
    await resend();
    expect(pick(await desk.next('4'), 34, 36, 123)).toEqual([from, refused.get(34), 'Y']);
    expect(desk.count('S')).toBe(2);
  });

  test('how a hold has ended always is', async () => {
    await quote(desk, 'Q1', token);
    await rig.skip(30_100);
    await settleDue(rig.services, 100);
    const report = await desk.next('AI');
    desk.send('2', [
      [7, report.get(34)!],
      [16, 0],
    ]);
    const again = await desk.next('AI');
    expect(pick(again, 34, 43, 131, 297)).toEqual([report.get(34), 'Y', 'Q1', '7']);
  });
});

describe.each(AGAIN)('a request that comes again with %s', (_what, header) => {
  test('is answered with the hold that it has, whatever it says now', async () => {
    const first = await quote(desk, 'Q1', token);
    rig.tick('EUR/USD', '1.08258', '1.08264');
    const again = await quote(desk, 'Q1', token, { 62: '20200101-00:00:00' }, header);
    expect(body(again)).toBe(body(first));
    expect(await openHolds(rig, acme)).toHaveLength(1);
  });

  test('is answered anew when it has none', async () => {
    expect((await quote(desk, 'Q1', token, {}, header)).get(35)).toBe('S');
    expect(await openHolds(rig, acme)).toHaveLength(1);
  });

  test('gets the end of its hold reported', async () => {
    await fund(rig, acme);
    const used = (await quote(desk, 'Q1', token)).get(117)!;
    const over = (await quote(desk, 'Q2', token)).get(117)!;
    await bookOverRest(rig, acme, used);
    await rig.skip(30_100);
    expect(pick(await quote(desk, 'Q1', token, {}, header), 35, 117, 297, 20011)).toEqual([
      'AI',
      used,
      '5',
      'HOLD_USED',
    ]);
    expect(pick(await quote(desk, 'Q2', token, {}, header), 35, 117, 297, 20011)).toEqual([
      ...['AI', over],
      ...['7', 'HOLD_EXPIRED'],
    ]);
  });

  test('is answered after a reconnect too', async () => {
    const first = await quote(desk, 'Q1', token);
    desk.send('5', []);
    await desk.untilClosed();
    const again = await back();
    expect((await quote(again, 'Q1', token, {}, header)).get(117)).toBe(first.get(117));
  });
});

describe('a hold belongs to its client on every session', () => {
  test('keeps the hold after a reconnect, and REST books it once', async () => {
    await fund(rig, acme);
    const holdId = (await quote(desk, 'Q1', token)).get(117)!;
    desk.close();
    await expect.poll(() => [...rig.gateway.sessions()].some(({ id }) => id.targetCompId === acme.compId)).toBe(false);
    const again = await back();
    expect(await stand(again, holdId)).toBe('0');
    expect(await bookOverRest(rig, acme, holdId)).toMatch(/^BFX/);
    expect(await bookOverRest(rig, acme, holdId)).toBe('HOLD_USED');
    expect(await stand(again, holdId)).toBe('5');
  });

  test('another engine answers the repeated request with it, and reports its end', async () => {
    const first = await quote(desk, 'Q1', token);
    desk.close();
    const other = await startRig({ beside: rig });
    await expect.poll(() => [...rig.gateway.sessions()].some(({ id }) => id.targetCompId === acme.compId)).toBe(false);
    const again = await back(other);
    expect(await stand(again, first.get(117)!)).toBe('0');
    const same = await quote(again, 'Q1', token, {}, [[43, 'Y'], SENT_BEFORE]);
    expect(body(same)).toBe(body(first));
    await rig.skip(30_100);
    const isReport = (message: Received) => message.get(35) === 'AI' && message.get(649) === undefined;
    await expect
      .poll(async () => (await settleDue(rig.services, 100)) && again.received.some(isReport), { interval: 100 })
      .toBe(true);
    expect(pick(await again.next('AI', isReport), 117, 297)).toEqual([first.get(117), '7']);
    await other.stop();
  });

  test('another session of the client may ask for it and book it', async () => {
    await perform(rig.services, 'assignCompId', undefined, { compId: `${acme.compId}B`, clientId: acme.id });
    const holdId = (await quote(desk, 'Q1', token)).get(117)!;
    const second = rig.desk(acme, { compId: `${acme.compId}B` });
    await second.logon();
    expect(await stand(second, holdId)).toBe('0');
    // Ids of requests are a session's own.
    expect((await quote(second, 'Q1', token)).get(117)).not.toBe(holdId);
    await fund(rig, acme);
    const caller = { clientId: acme.id, keyId: acme.clientKey, rights: new Set(['trade'] as const) };
    const booked = await perform(rig.services, 'bookFxByCurrency', caller, {
      requestId: 'B1',
      description: 'x',
      sellCurrency: 'USD',
      buyCurrency: 'EUR',
      buyAmount: 250_000,
      quoteId: holdId,
      session: `${acme.compId}B`,
    });
    expect(booked).toMatchObject({ booking: { holdId, sell: '27108773' } });
  });
});
