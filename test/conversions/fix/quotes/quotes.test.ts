/** QuoteRequest(R): what is quoted, what is held, and that what is refused holds nothing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { StoreUnavailable } from '../../../../engine/store/connection/errors.js';
import { type ClientOf, type Rig, startRig } from '../../../fix/rig.js';
import type { Received, TestDesk } from '../../../support/desk.js';
import { SOON } from '../../../support/until.js';
import { faultsOf, openHolds, quote, quoteRequest } from './quoting.js';

// A Friday; spot is Tuesday the 21st. It is to come, since the store forgets by its own clock.
const NOW = Date.parse('2028-11-17T08:00:00.004Z');
const DAY_MS = 24 * 3_600_000;

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;
let isOpen = true;
let clients = 0;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW, isOpen: () => isOpen });
  rig.tick('EUR/USD', '1.08158', '1.08164');
  rig.tick('USD/JPY', '156.123', '156.131');
});
beforeEach(async () => {
  isOpen = true;
  acme = await rig.client(`acme${++clients}`);
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
});
afterEach(() => expect(faultsOf(desk)).toEqual([]));
afterAll(() => rig.stop());

const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));

describe('Side(54) says what happens to CCY1, whichever currency the amount is in', () => {
  test.each([
    // 54  38         15      55          price         buys               sells
    ['1', '250000', 'EUR', 'EUR/USD', '1.0843509', 'EUR', '250000.00', 'USD', '271087.73'],
    ['1', '271087.73', 'USD', 'EUR/USD', '1.0843509', 'EUR', '250000.00', 'USD', '271087.73'],
    ['2', '250000', 'EUR', 'EUR/USD', '1.0788760', 'USD', '269719.00', 'EUR', '250000.00'],
    ['2', '269719.5', 'USD', 'EUR/USD', '1.0788760', 'USD', '269719.50', 'EUR', '250000.47'],
    ['1', '1000', 'USD', 'USD/JPY', '156.52231', 'USD', '1000.00', 'JPY', '156523'],
    ['2', '100000', 'JPY', 'USD/JPY', '155.73269', 'JPY', '100000', 'USD', '642.13'],
  ])('54=%s %s %s of %s', async (side, amount, currency, symbol, price, buy, bought, sell, sold) => {
    const answer = await quote(desk, 'Q1', token, { 55: symbol, 54: side, 38: amount, 15: currency });
    expect(pick(answer, 35, 54, 38, 15)).toEqual(['S', side, amount, currency]);
    const [shown, absent] = side === '1' ? [133, 132] : [132, 133];
    expect(pick(answer, shown, absent, shown + 2, absent + 2)).toEqual([price, undefined, amount, undefined]);
    expect(pick(answer, shown === 133 ? 190 : 188, shown === 133 ? 191 : 189)).toEqual([price, '0']);
    expect(pick(answer, 20013, 20014, 20015, 20016)).toEqual([buy, sell, bought, sold]);
    const [held] = await openHolds(rig, acme);
    expect([held!.id, held!.owner, held!.quoteRequestId]).toEqual([answer.get(117), acme.compId, 'Q1']);
  });
});

test.each([
  ['250000.00', '250000'],
  ['00250000.5', '250000.5'],
  ['250000.', '250000'],
  ['999999.99', '999999.99'],
])('an amount is what it is worth: %s', async (sent, reported) => {
  expect(pick(await quote(desk, 'Q1', token, { 38: sent }), 35, 38)).toEqual(['S', reported]);
});

describe('how long a rate is held', () => {
  test.each([
    // requested              reported                 margin percent
    [undefined, '20281117-08:00:30.004', '0.25'],
    ['20281117-08:00:30', '20281117-08:00:30.000', '0.25'],
    ['20281117-08:01:00.004', '20281117-08:01:00.004', '0.25'],
    ['20281117-08:00:45.123456', '20281117-08:00:45.123', '0.25'],
    ['20281117-10:00:00.000', '20281117-10:00:00.000', '0.3'],
    ['20281118-08:00:00.004', '20281118-08:00:00.004', '0.4'],
    ['20281124-08:00:00.000', '20281118-08:00:00.004', '0.4'],
  ])('62=%s', async (wanted, reported, margin) => {
    const answer = await quote(desk, 'Q1', token, { 62: wanted });
    expect(pick(answer, 62, 20003)).toEqual([reported, margin]);
    expect(answer.get(133)! > '1.0843509').toBe(margin !== '0.25');
    const [held] = await openHolds(rig, acme);
    // Whole milliseconds, so that the reported time is the one that is compared.
    expect(Number.isInteger(held!.expiryMs)).toBe(true);
    expect(new Date(held!.expiryMs).toISOString().replace(/[-Z]/g, '').replace('T', '-')).toBe(reported);
  });
});

test.each([
  [{}, '20281121', 'PREFUNDING'],
  [{ 63: 0 }, '20281121', 'PREFUNDING'],
  [{ 64: '20281120' }, '20281120', 'PREFUNDING'],
  [{ 20005: 'SCHEDULED1' }, '20281120', 'SCHEDULED1'],
  [{ 20005: 'SCHEDULED1', 64: '20281120' }, '20281120', 'SCHEDULED1'],
  [{ 1: 'A', 20007: '100000000001', 20008: '100000000002', 460: 4, 167: 'FOR' }, '20281121', 'PREFUNDING'],
  [{ 40: 1, 854: 0 }, '20281121', 'PREFUNDING'],
  [{ 40: 2, 60: '20281117-08:00:00' }, '20281121', 'PREFUNDING'],
  [{ 40: 'D', 62: '20281117-08:01:00', 126: '20281117-08:02:00' }, '20281121', 'PREFUNDING'],
])('settles on the SettlDate(64) of the quote: %j', async (changes, date, type) => {
  expect(pick(await quote(desk, 'Q1', token, changes), 35, 64, 20005)).toEqual(['S', date, type]);
});

describe('QuoteType(537)=0, indicative', () => {
  test.each([
    [undefined, '1.0788760', '1.0843509', undefined],
    [1, undefined, '1.0843509', '1.08164'],
    [2, '1.0788760', undefined, '1.08158'],
  ])('54=%s: shown, not held', async (side, bid, offer, provider) => {
    const answer = await quote(desk, 'Q1', token, { 537: 0, 54: side });
    expect(answer.get(117)).toMatch(/^IND[0-9A-Z]+$/);
    expect(pick(answer, 35, 537, 132, 133, 20004)).toEqual(['S', '0', bid, offer, provider]);
    expect(answer.get(20013)).toBe(side === undefined ? undefined : side === 1 ? 'EUR' : 'USD');
    expect(await openHolds(rig, acme)).toEqual([]);
    // Nothing has been used up: the id may be asked with again.
    expect(pick(await quote(desk, 'Q1', token, { 537: 0 }), 35)).toEqual(['S']);
  });

  test('cannot be booked, asked about or given back', async () => {
    const id = (await quote(desk, 'Q1', token, { 537: 0 })).get(117)!;
    const caller = { clientId: acme.id, keyId: acme.clientKey, rights: new Set(['trade'] as const) };
    const command = { requestId: 'B1', description: 'x', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 250_000 };
    await openAccounts(acme);
    expect(await perform(rig.services, 'bookFxByCurrency', caller, { ...command, quoteId: id })).toMatchObject({
      refusal: 'HOLD_NOT_FIRM',
    });
  });
});

async function openAccounts({ id }: ClientOf): Promise<void> {
  for (const currency of ['EUR', 'USD']) {
    await perform(rig.services, 'openAccount', undefined, { clientId: id, currency });
  }
}

test('reverses the routing fields of the request', async () => {
  const route = [
    [50, 'TRADER7'],
    [115, 'FUND3'],
  ] as const;
  expect(pick(await quote(desk, 'Q1', token, {}, route), 35, 57, 128)).toEqual(['S', 'TRADER7', 'FUND3']);
  expect(pick(await quote(desk, 'Q2', token, { 38: 0 }, route), 35, 57, 128)).toEqual(['AG', 'TRADER7', 'FUND3']);
});

describe('refused with QuoteRequestReject(AG), and nothing is held', () => {
  test.each([
    // what                   changes                                       658   20011
    ['an unknown symbol', { 55: 'EUR/QQQ' }, '1', 'UNKNOWN_SYMBOL'],
    ['the inverse', { 55: 'USD/EUR' }, '1', 'INVERSE_SYMBOL'],
    ['not foreign exchange', { 460: 2 }, '1', 'UNKNOWN_SYMBOL'],
    ['no provider', { 55: 'GBP/USD', 15: 'GBP' }, '8', 'RATE_UNAVAILABLE'],
    ['no amount', { 38: 0 }, '99', 'BAD_AMOUNT'],
    ['a negative amount', { 38: -5 }, '99', 'BAD_AMOUNT'],
    ['decimals beyond the minor unit', { 38: '1000.001' }, '99', 'BAD_AMOUNT'],
    ['decimals of a currency without', { 55: 'USD/JPY', 15: 'JPY', 38: '1000.5' }, '99', 'BAD_AMOUNT'],
    ['sixteen digits', { 38: '1000000.123456789' }, '99', 'BAD_AMOUNT'],
    ['an amount that no number holds', { 38: '250000.00000000000001' }, '99', 'BAD_AMOUNT'],
    ['below the minimum', { 38: '0.99' }, '99', 'AMOUNT_BELOW_MIN'],
    ['above the maximum', { 38: 5_000_001 }, '3', 'AMOUNT_ABOVE_LIMIT'],
    ['above the maximum in the other currency', { 15: 'USD', 38: 5_500_000 }, '3', 'AMOUNT_ABOVE_LIMIT'],
    ['a currency that is not in the pair', { 15: 'GBP' }, '99', 'BAD_CURRENCY'],
    ['a side that is neither', { 54: 5 }, '99', 'BAD_SIDE'],
    ['a Saturday', { 64: '20281118' }, '99', 'BAD_VALUE_DATE'],
    ['a date that is past', { 64: '20281116' }, '99', 'BAD_VALUE_DATE'],
    ['a forward', { 64: '20281122' }, '99', 'BAD_VALUE_DATE'],
    ['another SettlType(63)', { 63: 6 }, '99', 'BAD_VALUE_DATE'],
    ['another day than a scheduled one settles on', { 20005: 'SCHEDULED2', 64: '20281121' }, '99', 'BAD_VALUE_DATE'],
    ['a time that is past', { 62: '20281117-08:00:00.004' }, '99', 'BAD_VALID_UNTIL'],
    ['another type', { 20005: 'SCHEDULED3' }, '99', 'BAD_BOOKFX_TYPE'],
    ['another QuoteType(537)', { 537: 2 }, '99', 'VALIDATION_FAILED'],
  ])('%s', async (_what, changes, reason, code) => {
    for (const quoteType of 537 in changes ? [2] : [1, 0]) {
      const answer = await quote(desk, `Q${quoteType}`, token, { 537: quoteType, ...changes });
      expect(pick(answer, 35, 658, 20011)).toEqual(['AG', reason, code]);
      expect(pick(answer, 131, 146, 55)).toEqual([`Q${quoteType}`, '1', (changes as { 55?: string })[55] ?? 'EUR/USD']);
      expect(answer.get(58)).toMatch(/\w+/);
    }
    expect(await openHolds(rig, acme)).toEqual([]);
    // A refused request has not used up its id.
    expect(pick(await quote(desk, 'Q1', token), 35)).toEqual(['S']);
  });

  test.each<[field: string, sent: Readonly<Record<number, string | number | undefined>>]>([
    ['OrdType(40)', { 40: 3 }],
    ['OrdType(40)', { 40: 'G' }],
    ['Price(44)', { 44: '1.08' }],
    ['CashOrderQty(152)', { 152: 0 }],
    ['CashOrderQty(152)', { 152: 5, 38: undefined }],
    ['OrderQty2(192)', { 192: 0 }],
    ['SettlDate2(193)', { 193: '20281128' }],
    ['OrderPercent(516)', { 516: 0 }],
    ['NoLegs(555)', { 555: 1, 600: 'EUR/USD', 38: undefined, 15: undefined, 54: undefined }],
    ['NoLegs(555)', { 555: 0 }],
    ['Price2(640)', { 640: '1.08' }],
    ['NoQuoteQualifiers(735)', { 735: 1, 695: 'A' }],
    ['NoQuoteQualifiers(735)', { 735: 0 }],
    ['QtyType(854)', { 854: 1 }],
    // The first of the message is named: a swap.
    ['SettlDate2(193)', { 64: '20281121', 193: '20281128', 192: 250_000, 40: 'G' }],
  ])('%s would change what is quoted: %j', async (field, sent) => {
    for (const quoteType of [1, 0]) {
      const answer = await quote(desk, `Q${quoteType}`, token, { 537: quoteType, ...sent });
      expect(pick(answer, 35, 658, 20011)).toEqual(['AG', '99', 'UNSUPPORTED_FIELD']);
      expect(answer.get(58)).toContain(`${field} is not supported`);
    }
    expect(await openHolds(rig, acme)).toEqual([]);
  });

  test('names dates as FIX writes them', async () => {
    const answer = await quote(desk, 'Q1', token, { 64: '20281118' });
    expect(answer.get(58)).toMatch(/20281118.*20281120/);
    expect(answer.get(58)).not.toContain('2026-');
  });

  test('while the market is closed', async () => {
    isOpen = false;
    expect(pick(await quote(desk, 'Q1', token), 35, 658, 20011)).toEqual(['AG', '2', 'MARKET_CLOSED']);
    isOpen = true;
    expect(await openHolds(rig, acme)).toEqual([]);
  });

  test('a pair that is not offered', async () => {
    const other = await rig.client('onlyjpy', { pair: 'USD/JPY' });
    const own = rig.desk(other);
    const mine = (await own.logon()).get(20001)!;
    expect(pick(await quote(own, 'Q1', mine), 35, 658, 20011)).toEqual(['AG', '6', 'NOT_ENTITLED']);
    expect(await openHolds(rig, other)).toEqual([]);
  });

  test('an id that has a hold, until 24 hours later', async () => {
    await quote(desk, 'Q1', token);
    expect(pick(await quote(desk, 'Q1', token), 35, 658, 20011)).toEqual(['AG', '99', 'DUPLICATE_QUOTEREQID']);
    expect(await openHolds(rig, acme)).toHaveLength(1);
    // Ids are the session's own.
    const other = await rig.client('other');
    const own = rig.desk(other);
    expect(pick(await quote(own, 'Q1', (await own.logon()).get(20001)!), 35)).toEqual(['S']);
  });

  test('the fifty-first hold', async () => {
    for (let i = 0; i < 50; i++) expect((await quote(desk, `Q${i}`, token, { 38: 100 })).get(35)).toBe('S');
    expect(pick(await quote(desk, 'Q50', token, { 38: 100 }), 35, 658, 20011)).toEqual(['AG', '3', 'HOLD_LIMIT']);
    expect(await openHolds(rig, acme)).toHaveLength(50);
  });

  test('holds of more than the client may have open, in dollars', async () => {
    await rig.services.store.clients.change(acme.id, { holdLimitUsd: 300_000 });
    expect(pick(await quote(desk, 'Q1', token, { 38: 250_000 }), 35)).toEqual(['S']);
    const answer = await quote(desk, 'Q2', token, { 38: 50_000 });
    expect(pick(answer, 35, 658, 20011)).toEqual(['AG', '3', 'HOLD_LIMIT']);
    expect(answer.get(58)).toMatch(/the limit is 300000.00/);
    expect(await openHolds(rig, acme)).toHaveLength(1);
    await rig.services.store.clients.change(acme.id, { holdLimitUsd: 'default' });
  });
});

describe('tokens and rights', () => {
  test.each([
    ['none', async () => undefined, 'TOKEN_REQUIRED'],
    ['an unknown one', async () => 'x'.repeat(43), 'TOKEN_INVALID'],
    [
      'a revoked one',
      async () => {
        desk.send('BE', [
          [923, 'U1'],
          [924, 1],
          [553, acme.clientKey],
          [554, acme.clientSecret],
        ]);
        const another = (await desk.next('BF')).get(20001)!;
        await rig.services.store.tokens.revoke(another);
        return another;
      },
      'TOKEN_REVOKED',
    ],
    [
      "another client's",
      async () => (await rig.desk(await rig.client('stranger')).logon()).get(20001),
      'TOKEN_CLIENT_MISMATCH',
    ],
  ])('%s', async (_what, tokenOf, code) => {
    expect(pick(await quote(desk, 'Q1', await tokenOf()), 35, 658, 20011)).toEqual(['AG', '6', code]);
    expect(await openHolds(rig, acme)).toEqual([]);
  });

  test.each([
    [['trade'], '0', 'j'],
    [['trade'], '1', 'j'],
    [['rates'], '1', 'j'],
    [['rates'], '0', 'S'],
  ] as const)('rights %j, 537=%s', async (rights, quoteType, expected) => {
    const other = await rig.client(`rights${rights[0]}${quoteType}`, { rights });
    const own = rig.desk(other);
    const mine = (await own.logon()).get(20001)!;
    const number = own.nextOut;
    own.send('R', quoteRequest('Q1', mine, { 537: quoteType }));
    const answer = await own.next(['S', 'AG', 'j']);
    expect(answer.get(35)).toBe(expected);
    if (expected === 'j') {
      expect(pick(answer, 45, 372, 380, 20011)).toEqual([String(number), 'R', '6', 'NOT_ENTITLED']);
    }
    expect(await openHolds(rig, other)).toEqual([]);
  });
});

describe('answered with Reject(3)', () => {
  test.each([
    ['no OrderQty(38)', { 38: undefined }, '1', '38'],
    ['no Currency(15)', { 15: undefined }, '1', '15'],
    ['a long QuoteReqID(131)', { 131: 'x'.repeat(129) }, '5', '131'],
  ])('%s', async (_what, changes, reason, tag) => {
    const { 131: id = 'Q1' } = changes as { 131?: string };
    desk.send('R', quoteRequest(id, token, changes));
    expect(pick(await desk.next('3'), 373, 371, 372)).toEqual([reason, tag, 'R']);
    expect(await openHolds(rig, acme)).toEqual([]);
  });

  test('two pairs in one request', async () => {
    const [id, , ...rest] = quoteRequest('Q1', token);
    const { length } = rest;
    desk.send('R', [id!, [146, 2], ...rest.slice(0, length - 1), [55, 'USD/JPY'], rest[length - 1]!]);
    expect(pick(await desk.next('3'), 373, 371)).toEqual(['5', '146']);
  });
});

describe('limits of messages and open requests', () => {
  test('the twenty-first request without an answer is refused, the twenty-third ends the session', async () => {
    for (let i = 1; i <= 21; i++) desk.send('R', quoteRequest(`Q${i}`, token));
    const refused = await desk.next('AG');
    expect(pick(refused, 131, 658, 20011)).toEqual(['Q21', '99', 'RATE_LIMITED']);
    await desk.next('S', (message) => message.get(131) === 'Q20');
    expect(await openHolds(rig, acme)).toHaveLength(20);
    for (let i = 31; i <= 52; i++) desk.send('R', quoteRequest(`Q${i}`, token));
    expect((await desk.next('5')).get(58)).toBe('RATE_LIMITED');
  });

  test('the hundred-first message at once', async () => {
    for (let i = 0; i < 100; i++) {
      desk.send('e', [
        [324, `E${i}`],
        [55, 'EUR/USD'],
        [263, 0],
      ]);
    }
    expect(pick(await quote(desk, 'Q1', token), 35, 658, 20011)).toEqual(['AG', '99', 'RATE_LIMITED']);
    expect(await openHolds(rig, acme)).toEqual([]);
  });
});

test('the token has expired', async () => {
  const later = await startRig();
  later.tick('EUR/USD', '1.08158', '1.08164');
  const client = await later.client('late');
  const own = later.desk(client);
  const mine = (await own.logon()).get(20001)!;
  later.skip(DAY_MS + 1);
  expect(pick(await quote(own, 'Q1', mine), 35, 658, 20011)).toEqual(['AG', '6', 'TOKEN_EXPIRED']);
  expect(await openHolds(later, client)).toEqual([]);
  await later.stop();
});

test("where the settings allow it, the session's token replaces an absent AuthToken(20001) until it ends", async () => {
  const easy = await startRig({ settings: { tokenOnRequest: 'session' } });
  easy.tick('EUR/USD', '1.08158', '1.08164');
  const client = await easy.client('easy');
  const own = easy.desk(client);
  await own.logon();
  const held = await quote(own, 'Q1', undefined);
  expect(held.get(35)).toBe('S');
  own.send('a', [
    [649, 'A1'],
    [117, held.get(117)!],
    [55, 'EUR/USD'],
  ]);
  expect(pick(await own.next('AI'), 649, 297)).toEqual(['A1', '0']);
  own.send('BE', [
    [923, 'U1'],
    [924, 2],
    [553, client.clientKey],
  ]);
  await own.next('BF');
  expect(pick(await quote(own, 'Q2', undefined), 35, 20011)).toEqual(['AG', 'TOKEN_REVOKED']);
  await easy.stop();
});

test('the store is away', async () => {
  const alone = await startRig();
  alone.tick('EUR/USD', '1.08158', '1.08164');
  const own = alone.desk(await alone.client('acme'));
  const mine = (await own.logon()).get(20001)!;
  await quote(own, 'Q1', mine);
  await alone.services.store.close();
  // What has been read just now is cached for a second: the token first, then only what is held needs the store.
  expect(pick(await quote(own, 'Q2', mine), 35, 658, 20011)).toEqual(['AG', '99', 'STORE_UNAVAILABLE']);
  expect(pick(await quote(own, 'Q3', mine, { 537: 0 }), 35)).toEqual(['S']);
  await vi.waitFor(
    () => expect(async () => alone.services.store.tokens.read(mine)).rejects.toThrow(StoreUnavailable),
    SOON,
  );
  expect(pick(await quote(own, 'Q4', mine), 35, 658, 20011)).toEqual(['AG', '99', 'STORE_UNAVAILABLE']);
  await alone.stop();
});
