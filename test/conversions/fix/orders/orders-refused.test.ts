/** Every "no" to a NewOrderSingle(D): its reason, its code, and nothing has moved. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { account, type Order, startTrader, type Trader, traderOf, utc } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';
import { quote } from '../quotes/quoting.js';

// 2026-11-20 is a Friday; spot of EUR/USD is the 24th.
const START = Date.parse('2026-11-20T08:00:00Z');
let now = START;
let isOpen = true;
let rig: Rig;
let acme: Trader;
let other: Trader;
let foreign: string;
let blocked: string;

beforeAll(async () => {
  rig = await startRig({ now: () => now, isOpen: () => isOpen });
  acme = await startTrader(rig, 'acme', { money: { EUR: '1000000', USD: '1000', GBP: '0' } });
  other = await startTrader(rig, 'other');
  foreign = other.accounts.USD!;
  blocked = await account(rig, 'acme', 'USD', '5000');
  await perform(rig.services, 'changeAccount', undefined, { accountNumber: blocked, active: false });
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

let sent = 0;
/** Sends the order, and proves that what answers it has moved nothing. */
async function refused(order: Order, of: Trader = acme): Promise<Received> {
  const id = String(order[11] ?? `R${++sent}`);
  const before = await of.money();
  of.order({ ...order, 11: id });
  const report = await of.report(id);
  expect([report.get(150), report.get(39), report.get(37)]).toEqual(['8', '8', 'NONE']);
  expect([report.get(151), report.get(14), report.get(6)]).toEqual(['0', '0', '0']);
  expect(report.get(58)).toBeTruthy();
  expect(await of.money()).toEqual(before);
  return report;
}

describe('refused with ExecutionReport(8)', () => {
  const held = { 40: 'D', 117: 'HLD0000000000000' };
  test.each<[what: string, order: () => Order, reason: string, code: string, text?: string | RegExp]>([
    ['no token', () => ({ 20001: undefined }), '99', 'TOKEN_REQUIRED', 'Token required: tag 20001 missing'],
    ['an unknown token', () => ({ 20001: 'A'.repeat(43) }), '99', 'TOKEN_INVALID'],
    ["another client's token", () => ({ 20001: other.token }), '99', 'TOKEN_CLIENT_MISMATCH'],
    ['a symbol that is none', () => ({ 55: 'EUR/QQQ' }), '1', 'UNKNOWN_SYMBOL', 'Unknown symbol EUR/QQQ'],
    ['a security that is no currency', () => ({ 167: 'CS' }), '1', 'UNKNOWN_SYMBOL'],
    ['the inverse', () => ({ 55: 'USD/EUR' }), '1', 'INVERSE_SYMBOL', /use EUR\/USD$/],
    ['another type', () => ({ 20005: 'SOON' }), '99', 'BAD_BOOKFX_TYPE'],
    ['a ClOrdID with a blank', () => ({ 11: 'a b' }), '99', 'BAD_REQUEST_ID'],
    [
      'a ClOrdID with an umlaut',
      () => ({ 11: 'Z\u00fcrich' }),
      '99',
      'BAD_REQUEST_ID',
      /^ClOrdID\(11\) must be 1 to 64/,
    ],
    ['a ClOrdID of 65 characters', () => ({ 11: 'x'.repeat(65) }), '99', 'BAD_REQUEST_ID'],
    ['a stop order', () => ({ 40: 3 }), '11', 'UNSUPPORTED_ORDTYPE'],
    ['good till cancelled', () => ({ 59: 1 }), '11', 'UNSUPPORTED_TIF'],
    ['good for the day', () => ({ 59: 0 }), '11', 'UNSUPPORTED_TIF'],
    ['a short sale', () => ({ 54: 5 }), '99', 'BAD_SIDE'],
    ['a currency of another pair', () => ({ 15: 'GBP' }), '99', 'BAD_CURRENCY', /must be EUR or USD/],
    ['nothing', () => ({ 38: 0 }), '13', 'BAD_AMOUNT', 'Amount must be above 0'],
    ['less than nothing', () => ({ 38: -1000 }), '13', 'BAD_AMOUNT'],
    ['more decimals than the currency has', () => ({ 38: '1000.001' }), '13', 'BAD_AMOUNT', /3 decimals and EUR has 2/],
    ['an amount that no number keeps', () => ({ 38: '1000.00000000000001' }), '13', 'BAD_AMOUNT'],
    ['less than the smallest of the pair', () => ({ 38: '0.5' }), '13', 'AMOUNT_BELOW_MIN'],
    ['more than the largest of the pair', () => ({ 38: 5_000_001 }), '3', 'AMOUNT_ABOVE_LIMIT', /pair limit 5000000/],
    ['a text of 141 characters', () => ({ 58: 'x'.repeat(141) }), '99', 'VALIDATION_FAILED', /^Text\(58\): 1 to 140/],
    [
      'a text with an escape',
      () => ({ 58: 'Pay\u001b[31m' }),
      '99',
      'VALIDATION_FAILED',
      /^Text\(58\): send it without/,
    ],
    [
      'a text with a C1 control',
      () => ({ 58: 'Pay\u009b' }),
      '99',
      'VALIDATION_FAILED',
      /^Text\(58\): send it without/,
    ],
    [
      'a quote without being on a quote',
      () => ({ 117: 'HLD0000000000000' }),
      '99',
      'VALIDATION_FAILED',
      /QuoteID\(117\)/,
    ],
    ['a price without a limit', () => ({ 44: '1.08' }), '99', 'VALIDATION_FAILED', /Price\(44\)/],
    ['a limit below 0', () => ({ 40: 2, 44: '-1' }), '99', 'VALIDATION_FAILED', /^Price\(44\): a decimal/],
    ['a far leg', () => ({ 193: '20261130' }), '99', 'VALIDATION_FAILED', /^SettlDate2\(193\) is not taken/],
    ['an amount for the far leg', () => ({ 192: 5 }), '99', 'VALIDATION_FAILED', /^OrderQty2\(192\)/],
    ['an amount of cash', () => ({ 152: 5 }), '99', 'VALIDATION_FAILED', /^CashOrderQty\(152\)/],
    ['a stop', () => ({ 99: '1.08' }), '99', 'VALIDATION_FAILED', /^StopPx\(99\)/],
    ['contracts', () => ({ 854: 1 }), '99', 'VALIDATION_FAILED', /^QtyType\(854\)/],
    ['two accounts to sell from', () => ({ 1: blocked, 20008: acme.accounts.USD }), '99', 'VALIDATION_FAILED'],
    ['an account that is none', () => ({ 20008: '100000000000' }), '15', 'UNKNOWN_ACCOUNT'],
    ['an account that cannot be one', () => ({ 1: 'MAIN' }), '15', 'UNKNOWN_ACCOUNT'],
    ["another client's account", () => ({ 20008: foreign }), '15', 'UNKNOWN_ACCOUNT'],
    ['no account in the currency', () => ({ 55: 'EUR/JPY' }), '15', 'UNKNOWN_ACCOUNT'],
    ['a blocked account', () => ({ 20008: blocked }), '15', 'ACCOUNT_INACTIVE'],
    ['an account in another currency', () => ({ 20007: acme.accounts.USD }), '15', 'ACCOUNT_CURRENCY'],
    ['a weekend', () => ({ 64: '20261121' }), '99', 'BAD_SETTLEMENT_DATE', /weekend/i],
    ['a date beyond spot', () => ({ 64: '20261125' }), '99', 'BAD_SETTLEMENT_DATE', /beyond spot/],
    ['another term', () => ({ 63: 3 }), '99', 'BAD_SETTLEMENT_DATE', /SettlType\(63\)/],
    ['scheduled, where none is allowed', () => ({ 54: 2, 20005: 'SCHEDULED1' }), '3', 'AMOUNT_ABOVE_LIMIT'],
    ['a hold that is none', () => held, '5', 'HOLD_NOT_FOUND'],
    ['an indicative quote', () => ({ 40: 'D', 117: 'IND0000000000000' }), '99', 'HOLD_NOT_FIRM'],
    ['a streamed price that never was', () => ({ 40: 'D', 117: 'abcdefghij.1' }), '8', 'QUOTE_STALE'],
    ['a hold with an id that none has', () => ({ 40: 'D', 117: `HLD${'0'.repeat(100)}` }), '5', 'HOLD_NOT_FOUND'],
    ['a price with an id that none has', () => ({ 40: 'D', 117: 'x'.repeat(100) }), '8', 'QUOTE_STALE'],
    [
      'a limit of too many digits',
      () => ({ 40: 2, 44: `1.${'1'.repeat(30)}` }),
      '99',
      'VALIDATION_FAILED',
      /^Price\(44\): a decimal of at most 12 digits before/,
    ],
    ['a pair without a price', () => ({ 55: 'EUR/GBP' }), '99', 'RATE_UNAVAILABLE'],
    ['a worse rate than the limit', () => ({ 54: 2, 40: 2, 44: '1.0788761' }), '99', 'LIMIT_NOT_MET'],
    ['an offer above the limit', () => ({ 54: 1, 40: 2, 44: '1.0843508' }), '99', 'LIMIT_NOT_MET'],
    ['more than there is', () => ({ 38: 2000 }), '3', 'INSUFFICIENT_BALANCE', /^Balance 1000\.00 USD, needed 2168\.71/],
  ])('%s', async (_what, order, reason, code, text) => {
    const report = await refused({ 38: 100, ...order() });
    expect([report.get(103), report.get(20011)]).toEqual([reason, code]);
    if (text) expect(report.get(58)).toMatch(text);
  });

  test.each<[field: string, sent: Order]>([
    ['ExecInst(18)', { 18: 'G' }],
    ['NoAllocs(78)', { 78: 1, 79: 'FUND1', 80: 100 }],
    ['NoAllocs(78)', { 78: 0 }],
    ['MinQty(110)', { 110: 0 }],
    ['MaxFloor(111)', { 111: 0 }],
    ['ExpireTime(126)', { 126: '20261120-09:00:00' }],
    ['EffectiveTime(168)', { 168: '20261120-07:00:00' }],
    ['MaxShow(210)', { 210: 0 }],
    ['PegOffsetValue(211)', { 211: '0.0' }],
    ['NoTradingSessions(386)', { 386: 1, 336: 'FX' }],
    ['NoTradingSessions(386)', { 386: 0 }],
    ['DiscretionInst(388)', { 388: 0 }],
    ['DiscretionOffsetValue(389)', { 389: 0 }],
    ['PriceType(423)', { 423: 1 }],
    ['ExpireDate(432)', { 432: '20261120' }],
    ['OrderPercent(516)', { 516: 50 }],
    ['Price2(640)', { 640: '1.08' }],
    ['TargetStrategy(847)', { 847: 1001 }],
    ['TargetStrategyParameters(848)', { 848: 'x' }],
    ['ParticipationRate(849)', { 849: 0 }],
    // The first of the message is named.
    ['ExecInst(18)', { 18: 'G', 110: 0, 847: 1001 }],
  ])('%s would change the order: %j', async (field, sent) => {
    const report = await refused({ 38: 100, ...sent });
    expect([report.get(103), report.get(20011)]).toEqual(['11', 'UNSUPPORTED_FIELD']);
    expect(report.get(58)).toContain(`${field} is not supported`);
  });

  test('units as quantity and as price are what they are anyway', async () => {
    acme.order({ 11: 'UNITS', 38: 1, 40: 2, 44: 2, 423: 2, 854: 0 });
    expect((await acme.report('UNITS')).get(150)).toBe('F');
  });

  test('a token that has ended, by time and by revocation', async () => {
    const own = await startTrader(rig, 'ended');
    now = START + 24 * 3_600_000;
    try {
      const report = await refused({}, own);
      expect([report.get(103), report.get(20011)]).toEqual(['99', 'TOKEN_EXPIRED']);
    } finally {
      now = START;
    }
    const revoked = await startTrader(rig, 'revoked');
    await perform(rig.services, 'revokeClientTokens', undefined, { clientId: 'revoked' });
    const report = await refused({}, revoked);
    expect([report.get(103), report.get(20011)]).toEqual(['99', 'TOKEN_REVOKED']);
  });

  test('while the market is closed', async () => {
    isOpen = false;
    try {
      const report = await refused({ 38: 100 });
      expect([report.get(103), report.get(20011)]).toEqual(['2', 'MARKET_CLOSED']);
    } finally {
      isOpen = true;
    }
  });

  test('a balance that would grow too large', async () => {
    const rich = await startTrader(rig, 'rich', { money: { EUR: '1000', USD: '9999999999999.99' } });
    const report = await refused({ 54: 2, 38: 100 }, rich);
    expect([report.get(103), report.get(20011)]).toEqual(['3', 'BALANCE_LIMIT']);
  });

  test('above the message rate a resent order is not rejected: it may be booked', async () => {
    const again = await startTrader(rig, 'again');
    again.order({ 11: 'A1' });
    expect((await again.report('A1')).get(150)).toBe('F');
    for (let i = 0; i < 100; i++) again.status('A1');
    again.order({ 11: 'A1' }, { more: [[97, 'Y']] });
    const reject = await again.desk.next('j', (message) => message.get(372) === 'D');
    expect([380, 20011].map((tag) => reject.get(tag))).toEqual(['0', 'RATE_LIMITED']);
    expect(again.desk.received.filter((report) => report.get(39) === '8')).toEqual([]);
  });

  test('above the message rate', async () => {
    const fast = await startTrader(rig, 'fast');
    const before = await fast.money();
    for (let i = 0; i < 101; i++) fast.order({ 11: `F${i}`, 55: 'EUR/QQQ' });
    const report = await fast.report('F100');
    expect([150, 39, 103, 20011].map((tag) => report.get(tag))).toEqual(['8', '8', '99', 'RATE_LIMITED']);
    expect(await fast.money()).toEqual(before);
  });
});

describe('on a hold', () => {
  let holds = 0;
  const lock = async (changes: Order = {}) =>
    (await quote(acme.desk, `Q${++holds}`, acme.token, { 38: 100, 62: utc(now + 30_000), ...changes })).get(117)!;
  const onHold = { 40: 'D', 38: 100 };

  test.each<[what: string, order: Order, code: string]>([
    ['another amount', { 38: 101 }, 'HOLD_MISMATCH'],
    ['the amount in the other currency', { 15: 'USD' }, 'HOLD_MISMATCH'],
    ['the other side', { 54: 2 }, 'HOLD_MISMATCH'],
    ['another pair', { 55: 'GBP/USD', 15: 'GBP' }, 'HOLD_MISMATCH'],
    ['another date', { 64: '20261123' }, 'HOLD_MISMATCH'],
    ['another type', { 20005: 'SCHEDULED1' }, 'HOLD_MISMATCH'],
    ['another price', { 44: '1.0843508' }, 'PRICE_MISMATCH'],
  ])('%s', async (_what, order, code) => {
    if (order[20005]) await rig.services.store.clients.setScheduledLimit('acme', '1000000');
    const hold = await lock();
    const report = await refused({ ...onHold, 117: hold, ...order });
    expect([103, 20006, 20011].map((tag) => report.get(tag))).toEqual(['99', hold, code]);
    acme.order({ 11: `AFTER-${hold}`, ...onHold, 117: hold });
    expect((await acme.report(`AFTER-${hold}`)).get(150)).toBe('F');
  });

  test.each(['SCHEDULED1', 'SCHEDULED2'])('of %s: another date is refused, its own is booked', async (type) => {
    const own = await startTrader(rig, `dated-${type.at(-1)}`);
    await rig.services.store.clients.setScheduledLimit(own.id, '1000000');
    const quoted = await quote(own.desk, 'DATED', own.token, { 38: 100, 62: utc(now + 30_000), 20005: type });
    const [hold, date] = [quoted.get(117)!, quoted.get(64)!];
    for (const other of ['20261121', '20201120', '20311120']) {
      own.order({ 11: `D${other}`, ...onHold, 117: hold, 64: other });
      const report = await own.report(`D${other}`);
      expect([report.get(20011), report.get(58)]).toEqual(['HOLD_MISMATCH', expect.stringContaining(date)]);
    }
    own.order({ 11: 'AFTER', ...onHold, 117: hold, 64: date });
    const report = await own.report('AFTER');
    expect([report.get(150), report.get(64), report.get(20005)]).toEqual(['F', date, type]);
  });

  test('that has expired', async () => {
    const hold = await lock({ 62: utc(now + 30_000) });
    now += 30_001;
    await rig.turn();
    const report = await refused({ ...onHold, 117: hold });
    now = START;
    await rig.turn();
    expect([103, 20006, 20011].map((tag) => report.get(tag))).toEqual(['8', hold, 'HOLD_EXPIRED']);
  });

  test('that was booked already', async () => {
    const hold = await lock();
    acme.order({ 11: 'USED', ...onHold, 117: hold });
    await acme.report('USED');
    const report = await refused({ ...onHold, 117: hold });
    expect([103, 20006, 20011].map((tag) => report.get(tag))).toEqual(['6', hold, 'HOLD_USED']);
  });

  test("of another client's", async () => {
    const hold = (await quote(other.desk, 'Q', other.token, { 38: 100, 62: utc(now + 30_000) })).get(117)!;
    const report = await refused({ ...onHold, 117: hold });
    expect([report.get(103), report.get(20011)]).toEqual(['5', 'HOLD_NOT_FOUND']);
  });
});

describe('refused otherwise', () => {
  test.each(['soon', '20261332', '20260230', '2026-11-24'])(
    'SettlDate(64) %s, which is no date: Reject(3)',
    async (date) => {
      acme.order({ 11: `S${date}`, 64: date });
      const reject = await acme.desk.next('3');
      expect([reject.get(371), reject.get(372), reject.get(373)]).toEqual(['64', 'D', '6']);
    },
  );

  test.each<[what: string, order: Order, tag: string]>([
    ['no ClOrdID', { 11: undefined }, '11'],
    ['no symbol', { 55: undefined }, '55'],
    ['no side', { 54: undefined }, '54'],
    ['no quantity', { 38: undefined }, '38'],
    ['no currency', { 15: undefined }, '15'],
    ['no order type', { 40: undefined }, '40'],
    ['no time', { 60: undefined }, '60'],
  ])('%s: Reject(3)', async (_what, order, tag) => {
    const before = await acme.money();
    acme.order({ 11: `M${tag}`, ...order });
    const reject = await acme.desk.next('3');
    expect([reject.get(371), reject.get(372), reject.get(373)]).toEqual([tag, 'D', '1']);
    expect(await acme.money()).toEqual(before);
  });

  test.each<[what: string, order: Order, missing: string]>([
    ['previously quoted without a quote', { 40: 'D' }, 'QuoteID(117)'],
    ['a limit order without a limit', { 40: 2 }, 'Price(44)'],
  ])('%s: BusinessMessageReject(j) 380=5', async (_what, order, missing) => {
    const before = await acme.money();
    acme.order({ 11: `J-${missing.length}`, ...order });
    const reject = await acme.desk.next('j');
    expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual(['D', '5', 'VALIDATION_FAILED']);
    expect(reject.get(58)).toContain(missing);
    expect(await acme.money()).toEqual(before);
  });

  test('a key without the right: BusinessMessageReject(j) 380=6', async () => {
    const reader = await startTrader(rig, 'reader', { rights: ['read', 'rates'] });
    const before = await reader.money();
    reader.order({ 11: 'RIGHT' });
    const reject = await reader.desk.next('j');
    expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual(['D', '6', 'NOT_ENTITLED']);
    expect(reject.get(58)).toContain('trade');
    expect(await reader.money()).toEqual(before);
  });

  test.each(['F', 'G'])('%s: there is nothing to cancel or replace', async (msgType) => {
    acme.desk.send(msgType, [
      [41, 'A'],
      [11, 'B'],
      [55, 'EUR/USD'],
      [54, 1],
      [60, utc(now)],
      [38, 100],
      ...(msgType === 'G' ? [[40, 1] as const] : []),
    ]);
    const reject = await acme.desk.next('j');
    expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual([msgType, '3', 'UNSUPPORTED_MSGTYPE']);
  });

  test.each([1, 11, 15, 38, 44, 55, 117])('more than 128 characters in %i are not carried back', async (tag) => {
    acme.order({ 11: 'LONG', 40: 2, 44: 2, [tag]: (tag === 38 || tag === 44 ? '1' : 'x').repeat(129) });
    const reject = await acme.desk.next('3');
    expect([reject.get(371), reject.get(373)]).toEqual([String(tag), '5']);
  });
});

describe('on a streamed price', () => {
  /** QuoteEntryID(299) of the price that the desk sees now. */
  const streamed = async (of: Pick<Trader, 'desk' | 'token'>, id: string) => {
    of.desk.stream(id, ['EUR/USD'], of.token);
    return (await of.desk.next('W', (message) => message.get(262) === id)).get(299)!;
  };
  const on = (quoteId: string) => ({ 40: 'D', 38: 100, 117: quoteId });
  const replaced = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test('it is booked at what was shown, also just after it was replaced', async () => {
    const shown = await streamed(acme, 'S1');
    rig.tick('EUR/USD', '1.09158', '1.09164');
    acme.order({ 11: 'STREAMED', ...on(shown), 44: '1.0843509' });
    const report = await acme.report('STREAMED');
    expect([150, 31, 40, 20006].map((tag) => report.get(tag))).toEqual(['F', '1.0843509', 'D', undefined]);
    rig.tick('EUR/USD', '1.08158', '1.08164');
  });

  test('of another type it is another price', async () => {
    const report = await refused({ ...on(await streamed(acme, 'S2')), 20005: 'SCHEDULED1' });
    expect([report.get(103), report.get(20011)]).toEqual(['99', 'HOLD_MISMATCH']);
  });

  test.each<[what: string, spoil: () => unknown, repair: () => unknown]>([
    [
      'replaced 600 ms ago',
      () => {
        rig.tick('EUR/USD', '1.08159', '1.08165');
        return replaced(600);
      },
      () => rig.tick('EUR/USD', '1.08158', '1.08164'),
    ],
    ['withdrawn', () => rig.withdraw('EUR/USD'), () => rig.tick('EUR/USD', '1.08158', '1.08164')],
    [
      'withdrawn, and there again since',
      () => {
        rig.withdraw('EUR/USD');
        rig.tick('EUR/USD', '1.08158', '1.08164');
      },
      () => {},
    ],
  ])('%s, it is stale', async (what, spoil, repair) => {
    const shown = await streamed(acme, `S-${what.length}`);
    await spoil();
    const report = await refused(on(shown));
    await repair();
    expect([report.get(103), report.get(20011)]).toEqual(['8', 'QUOTE_STALE']);
  });

  test('of another tier it is stale', async () => {
    const dear = await rig.client('dear', { margin: '0.5' });
    const desk = rig.desk(dear);
    const shown = await streamed(traderOf(rig, dear, desk, (await desk.logon()).get(20001)!), 'S3');
    const report = await refused(on(shown));
    expect([report.get(103), report.get(20011)]).toEqual(['8', 'QUOTE_STALE']);
  });

  test('shown to another client with the same margin, it is stale for one who does not stream it', async () => {
    const shown = await streamed(other, 'S4');
    const report = await refused(on(shown), await startTrader(rig, 'blind'));
    expect([report.get(103), report.get(20011)]).toEqual(['8', 'QUOTE_STALE']);
  });
});

test('a deal and a firm quote beyond a limit: 103=3 and 658=3, with the name of the limit', async () => {
  rig.services.limits.replace(new Map([['acme', { base: 'USD', deal: 10_815 }]]));
  const report = await refused({ 38: 100 });
  expect([report.get(103), report.get(20011)]).toEqual(['3', 'CREDIT_LIMIT']);
  expect(report.get(58)).toMatch(/your limit of the largest single deal/);
  // More than there is too: the limit comes first.
  expect((await refused({ 38: 2000 })).get(20011)).toBe('CREDIT_LIMIT');
  const reject = await quote(acme.desk, 'ABOVE', acme.token, { 54: 2, 38: 100 });
  expect([reject.get(35), reject.get(658), reject.get(20011)]).toEqual(['AG', '3', 'CREDIT_LIMIT']);
  rig.services.limits.replace(new Map());
});
