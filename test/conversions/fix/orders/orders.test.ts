/** NewOrderSingle(D): what is booked, and what comes back when it is sent again. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { account, startTrader, type Trader, traderOf, utc } from '../../../fix/trader.js';

let rig: Rig;
let acme: Trader;

// 2026-11-20 is a Friday; spot of EUR/USD is the 24th.
const NOW = Date.parse('2026-11-20T08:00:00Z');

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  acme = await startTrader(rig, 'acme');
  rig.tick('EUR/USD', '1.08158', '1.08164');
  rig.tick('USD/JPY', '150.00', '150.01');
});
afterAll(() => rig.stop());

const balance = async (of: Trader, currency: string) =>
  (await of.money()).balances[`${currency}/${of.accounts[currency]}`];

describe('a market order', () => {
  test('buys CCY1: the offer, the amount of CCY2 rounded up', async () => {
    acme.order({ 11: 'BUY', 38: '250000.00' });
    const report = await acme.report('BUY');
    expect(
      [37, 150, 39, 54, 38, 40, 15, 32, 31, 14, 151].map((tag) => report.get(tag)!.replace(/^BFX\w+$/, 'BFX')),
    ).toEqual(['BFX', 'F', '2', '1', '250000', '1', 'EUR', '250000', '1.0843509', '250000', '0']);
    expect([119, 120, 20013, 20014, 20015, 20016].map((tag) => report.get(tag))).toEqual([
      '271087.73',
      'USD',
      'EUR',
      'USD',
      '250000.00',
      '271087.73',
    ]);
    expect([await balance(acme, 'EUR'), await balance(acme, 'USD')]).toEqual(['125000000', '72891227']);
  });

  test.each<[what: string, fields: object, sold: string, bought: string]>([
    ['sells CCY1', { 54: 2, 38: 1000, 15: 'EUR' }, 'EUR 1000.00', 'USD 1078.87'],
    ['buys CCY1 with so much of CCY2', { 54: 1, 38: 1000, 15: 'USD' }, 'USD 1000.00', 'EUR 922.21'],
    ['sells CCY1 for so much of CCY2', { 54: 2, 38: 1000, 15: 'USD' }, 'EUR 926.90', 'USD 1000.00'],
  ])('%s: Side(54) is about CCY1, whatever Currency(15) is', async (what, fields, sold, bought) => {
    acme.order({ 11: what.replaceAll(' ', '-'), ...fields });
    const report = await acme.report(what.replaceAll(' ', '-'));
    expect([`${report.get(20014)} ${report.get(20016)}`, `${report.get(20013)} ${report.get(20015)}`]).toEqual([
      sold,
      bought,
    ]);
    expect([report.get(38), report.get(15), report.get(14)]).toEqual(['1000', report.get(15), '1000']);
  });

  test('carries its text, or says which order it was', async () => {
    acme.order({ 11: 'TEXT', 58: 'Invoice 8841' });
    acme.order({ 11: 'NO-TEXT' });
    expect((await acme.report('TEXT')).get(58)).toBe('Invoice 8841');
    expect((await acme.report('NO-TEXT')).get(58)).toBe('FIX NO-TEXT');
  });

  test('settles on the date that is asked for, up to spot', async () => {
    acme.order({ 11: 'TOM', 64: '20261123' });
    expect((await acme.report('TOM')).get(64)).toBe('20261123');
    acme.order({ 11: 'SPOT', 63: 0 });
    expect((await acme.report('SPOT')).get(64)).toBe('20261124');
  });

  test('of a scheduled type is filled now and settles later', async () => {
    await rig.services.store.clients.setScheduledLimit('acme', '1000000');
    const before = await balance(acme, 'EUR');
    acme.order({ 11: 'LATER', 54: 2, 20005: 'SCHEDULED1' });
    const report = await acme.report('LATER');
    expect([39, 150, 20005, 64, 126].map((tag) => report.get(tag))).toEqual([
      '2',
      'F',
      'SCHEDULED1',
      '20261123',
      '20261123-08:00:00.000',
    ]);
    expect(await balance(acme, 'EUR')).toBe(before);
  });

  test('reverses the routing fields of the order', async () => {
    acme.order(
      { 11: 'ROUTED' },
      {
        more: [
          [50, 'TRADER7'],
          [115, 'FUND2'],
        ],
      },
    );
    const report = await acme.report('ROUTED');
    expect([report.get(57), report.get(128)]).toEqual(['TRADER7', 'FUND2']);
  });
});

describe('accounts', () => {
  test('Account(1) alone is the one that is sold from', async () => {
    const second = await account(rig, 'acme', 'USD', '5000');
    acme.order({ 11: 'ACC1', 1: second });
    const report = await acme.report('ACC1');
    expect([report.get(1), report.get(20008), report.get(20007)]).toEqual([second, second, acme.accounts.EUR]);
    expect((await acme.money()).balances[`USD/${second}`]).toBe('391564');
  });

  test('BuyAccount(20007) is bought into, SellAccount(20008) sold from', async () => {
    const [euro, dollar] = [await account(rig, 'acme', 'EUR'), await account(rig, 'acme', 'USD', '5000')];
    acme.order({ 11: 'BOTH', 20007: euro, 20008: dollar, 1: dollar });
    const report = await acme.report('BOTH');
    expect([report.get(20007), report.get(20008)]).toEqual([euro, dollar]);
    const { balances } = await acme.money();
    expect([balances[`EUR/${euro}`], balances[`USD/${dollar}`]]).toEqual(['100000', '391564']);
    acme.order({ 11: 'BUY-ONLY', 20007: euro });
    expect((await acme.report('BUY-ONLY')).get(20008)).toBe(acme.accounts.USD);
  });
});

describe('a limit order', () => {
  test.each([
    [1, '1.0843509'],
    [1, '1.09'],
    [2, '1.0788760'],
    [2, '01.0700'],
  ])('on side %i up to %s is booked at the rate of the moment', async (side, limit) => {
    const id = `L${side}-${limit}`;
    acme.order({ 11: id, 54: side, 40: 2, 44: limit });
    const report = await acme.report(id);
    expect([150, 40, 31].map((tag) => report.get(tag))).toEqual(['F', '2', side === 1 ? '1.0843509' : '1.0788760']);
    expect(Number(report.get(44))).toBe(Number(limit));
  });
});

describe('an order on a hold', () => {
  const lock = async (amount: object = { buyAmount: 1000 }) => {
    const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(['rates', 'trade'] as const) };
    const asked = { sellCurrency: 'USD', buyCurrency: 'EUR', ...amount };
    const rate = await perform(rig.services, 'getLockableRate', caller, asked);
    if ('refusal' in rate) throw new Error(rate.text);
    const held = await perform(rig.services, 'lockRate', caller, { rateSignature: rate.rateSignature });
    if ('refusal' in held) throw new Error(held.text);
    return held.hold.id;
  };

  test('is booked once at the rate of the hold, whatever the market rate', async () => {
    const hold = await lock();
    rig.tick('EUR/USD', '1.09158', '1.09164');
    acme.order({ 11: 'HELD', 40: 'D', 117: hold, 44: '1.08435090' });
    const report = await acme.report('HELD');
    expect([150, 40, 31, 20006].map((tag) => report.get(tag))).toEqual(['F', 'D', '1.0843509', hold]);
    rig.tick('EUR/USD', '1.08158', '1.08164');
    acme.order({ 11: 'HELD-2', 40: 'D', 117: hold });
    const again = await acme.report('HELD-2');
    expect([150, 39, 103, 20006, 20011].map((tag) => again.get(tag))).toEqual(['8', '8', '6', hold, 'HOLD_USED']);
  });

  test('settles on the date of the hold', async () => {
    acme.order({ 11: 'DATED', 40: 'D', 117: await lock({ buyAmount: 1000, settlementDate: '2026-11-23' }), 63: 0 });
    expect((await acme.report('DATED')).get(64)).toBe('20261123');
  });
});

describe('sent again', () => {
  const outcome = (report: { get(tag: number): string | undefined }) =>
    [37, 17, 39, 31, 32, 60, 58].map((tag) => report.get(tag));

  test('a repeated order is answered with its outcome, and nothing is booked again', async () => {
    acme.order({ 11: 'AGAIN', 38: 1000, 59: 3 });
    const first = await acme.report('AGAIN');
    expect([first.get(150), first.get(59)]).toEqual(['F', '3']);
    const after = await acme.money();
    rig.tick('EUR/USD', '1.09158', '1.09164');
    const ways = [
      [],
      [[97, 'Y']],
      [
        [43, 'Y'],
        [122, utc(NOW)],
      ],
      [
        [43, 'Y'],
        [122, utc(NOW - 60_000)],
      ],
    ] as const;
    for (const more of ways) {
      acme.order({ 11: 'AGAIN', 38: '1000.00', 58: 'another text' }, { more });
      const again = await acme.report('AGAIN');
      expect(again.get(150)).toBe('I');
      expect(outcome(again)).toEqual(outcome(first));
    }
    rig.tick('EUR/USD', '1.08158', '1.08164');
    expect(await acme.money()).toEqual(after);
  });

  test('over a gap it is answered once', async () => {
    const own = await startTrader(rig, 'gap');
    own.desk.nextOut++;
    own.order({ 11: 'GAP-2' });
    await own.desk.next('2');
    const gap = own.desk.nextOut - 2;
    own.desk.nextOut = gap;
    const again = {
      more: [
        [43, 'Y'],
        [122, utc(NOW)],
      ] as const,
    };
    own.order({ 11: 'GAP-1' }, again);
    own.order({ 11: 'GAP-2' }, again);
    expect([(await own.report('GAP-1')).get(150), (await own.report('GAP-2')).get(150)]).toEqual(['F', 'F']);
    await own.desk.settle();
    // A store that is slow has an order reported as pending first, 150=A.
    expect(own.desk.received.filter((report) => report.get(150) === 'F')).toHaveLength(2);
    expect((await own.money()).journal).toBe(4);
  });

  test('a rejected order is rejected again, even if it could be booked by now', async () => {
    acme.order({ 11: 'REFUSED', 40: 2, 44: '1.08' });
    const first = await acme.report('REFUSED');
    expect([150, 39, 20011].map((tag) => first.get(tag))).toEqual(['8', '8', 'LIMIT_NOT_MET']);
    rig.tick('EUR/USD', '1.07158', '1.07164');
    acme.order({ 11: 'REFUSED', 40: 2, 44: '1.0800' });
    const again = await acme.report('REFUSED');
    rig.tick('EUR/USD', '1.08158', '1.08164');
    expect([150, 39, 103, 20011, 37, 17].map((tag) => again.get(tag))).toEqual([
      'I',
      '8',
      '99',
      'LIMIT_NOT_MET',
      'NONE',
      first.get(17),
    ]);
  });

  test.each([
    ['another amount', { 38: 1001 }],
    ['another side', { 54: 2 }],
    ['another kind of order', { 40: 2, 44: 2 }],
    ['another date', { 64: '20261123' }],
    ['another account', { 20007: '100000000000' }],
  ])('with %s it is another order, and refused', async (what, fields) => {
    const id = `REUSED-${what.replaceAll(' ', '-')}`;
    acme.order({ 11: id });
    await acme.report(id);
    const after = await acme.money();
    acme.order({ 11: id, ...fields });
    const reject = await acme.report(id);
    expect([150, 39, 37, 103, 20011].map((tag) => reject.get(tag))).toEqual([
      '8',
      '8',
      'NONE',
      '6',
      'REQUEST_ID_REUSED',
    ]);
    expect(await acme.money()).toEqual(after);
  });

  test('by REST it is the same order', async () => {
    acme.order({ 11: 'BOTH-DOORS', 54: 2 });
    const first = await acme.report('BOTH-DOORS');
    const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(['trade'] as const) };
    const command = {
      requestId: 'BOTH-DOORS',
      description: 'x',
      sellCurrency: 'EUR',
      buyCurrency: 'USD',
      sellAmount: 1000,
    };
    const booked = await perform(rig.services, 'bookFxByCurrency', caller, command);
    expect(booked).toMatchObject({ replayed: true, booking: { id: first.get(37) } });
  });

  test('on another session of the client it is the same order', async () => {
    acme.order({ 11: 'TWO-DESKS' });
    const first = await acme.report('TWO-DESKS');
    await perform(rig.services, 'assignCompId', undefined, { compId: 'ACME2', clientId: 'acme' });
    const second = rig.desk(acme, { compId: 'ACME2' });
    const other = traderOf(rig, acme, second, (await second.logon()).get(20001)!);
    other.order({ 11: 'TWO-DESKS' });
    const again = await other.report('TWO-DESKS');
    expect([again.get(150), again.get(37), again.get(17)]).toEqual(['I', first.get(37), first.get(17)]);
  });
});

test("the session's token replaces an absent one where the settings allow it", async () => {
  const own = await startRig({ settings: { tokenOnRequest: 'session' } });
  const session = await startTrader(own, 'acme');
  own.tick('EUR/USD', '1.08158', '1.08164');
  session.order({ 11: 'T1', 20001: undefined });
  expect((await session.report('T1')).get(150)).toBe('F');
  await own.stop();
});

describe('a ClOrdID(11) of any visible characters', () => {
  test.each(['DESK:2026/11/20{1}', '.x', '#', '\'"\\=*?[]|', '~'.repeat(64), 'x'.repeat(64)])(
    '%s is booked once, and found again',
    async (id) => {
      const before = await balance(acme, 'EUR');
      acme.order({ 11: id, 38: 1000 });
      const filled = await acme.report(id);
      expect([filled.get(150), filled.get(58)]).toEqual(['F', `FIX ${id}`]);
      acme.order({ 11: id, 38: 1000 });
      expect((await acme.report(id)).get(150)).toBe('I');
      acme.order({ 11: id, 38: 2000 });
      expect((await acme.report(id)).get(20011)).toBe('REQUEST_ID_REUSED');
      acme.status(id);
      const status = await acme.report(id);
      expect([status.get(150), status.get(37)]).toEqual(['I', filled.get(37)]);
      expect(Number(await balance(acme, 'EUR')) - Number(before)).toBe(100_000);
    },
  );

  test('has a receipt of its own: the hash of one is another order', async () => {
    const hash = `#${createHash('sha256').update('a:b').digest('base64url')}`;
    acme.order({ 11: 'a:b', 38: 1000 });
    const first = await acme.report('a:b');
    acme.order({ 11: hash, 38: 1000 });
    const second = await acme.report(hash);
    expect([first.get(150), second.get(150)]).toEqual(['F', 'F']);
    expect(second.get(37)).not.toBe(first.get(37));
  });

  test('is refused as a request id of REST, which keeps its form', async () => {
    const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(['trade'] as const) };
    const command = { requestId: 'a:b', description: 'x', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 10 };
    expect(await perform(rig.services, 'bookFxByCurrency', caller, command)).toMatchObject({
      refusal: 'VALIDATION_FAILED',
      fields: [{ field: 'requestId' }],
    });
  });

  test('leaves a ledger that agrees with its journal and its receipts', async () => {
    expect(await perform(rig.services, 'reconcile', undefined, {})).toMatchObject({ differences: [] });
  });
});
