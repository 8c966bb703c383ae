/**
 * The whole program: a rate held by FIX is booked by REST and vice versa, a request id is shared by both, and both book the same amounts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { amountsOf, confirmed, openTwoDoors, type TwoDoors } from './two-doors.js';

let doors: TwoDoors;

beforeAll(async () => {
  doors = await openTwoDoors();
});
afterAll(() => doors.stop());

beforeEach(async () => {
  doors.tick('EUR/USD', '1.08158', '1.08164');
  doors.tick('USD/JPY', '154.321', '154.339');
  await doors.untilRate('EUR', 'USD', 1.08158);
  await doors.untilRate('USD', 'JPY', 154.321);
});

describe('a rate held by FIX or REST is booked by the other', () => {
  test('held over FIX, booked over REST as fx_hold_id', async () => {
    const quote = await doors.holdByFix('HELD-BY-FIX', [
      [54, 1],
      [38, '250000'],
      [15, 'EUR'],
    ]);
    const offer = quote.get(133)!;
    // The market moves; the held rate does not.
    doors.tick('EUR/USD', '1.09158', '1.09164');
    await doors.untilRate('EUR', 'USD', 1.09158);
    const hold = { sell_currency: 'USD', buy_currency: 'EUR', buy_amount: 250_000, fx_hold_id: quote.get(117) };
    const booked = await doors.bookByRest('rest-by-fix-hold', hold);
    expect(booked.status, JSON.stringify(booked.body)).toBe(200);
    // Rounded up: the client pays the fraction.
    const sold = Math.ceil(Number((Number(offer) * 25_000_000).toFixed(4))) / 100;
    expect(booked.body).toMatchObject({ buy_amount: 250_000, sell_amount: sold });
    expect(booked.body.instarem_fx_rate).toBe(Number((1 / Number(offer)).toPrecision(10)));

    const copy = await doors.dropCopy('rest-by-fix-hold');
    expect([copy.get(37), copy.get(20006)]).toEqual([booked.body.confirmation_id, quote.get(117)]);
    expect([copy.get(31), amountsOf(copy)]).toEqual([offer, confirmed(booked.body)]);

    const again = await doors.order('FIX-AFTER-REST', {
      side: 1,
      quantity: '250000',
      currency: 'EUR',
      quoteId: quote.get(117)!,
    });
    expect([again.get(39), again.get(20011)]).toEqual(['8', 'HOLD_USED']);
  });

  test('held over REST, booked over FIX by QuoteID(117)', async () => {
    const holdId = await doors.holdByRest('source_currency=EUR&destination_currency=USD&sell_amount=1234.56');
    doors.tick('EUR/USD', '1.07158', '1.07164');
    await doors.untilRate('EUR', 'USD', 1.07158);
    const before = await doors.balances();
    const report = await doors.order('FIX-BY-REST-HOLD', {
      side: 2,
      quantity: '1234.56',
      currency: 'EUR',
      quoteId: holdId,
    });
    expect([report.get(150), report.get(39)]).toEqual(['F', '2']);
    const { body } = await doors.ask('GET', `bookfx/${report.get(37)}`);
    expect(confirmed(body)).toEqual(amountsOf(report));
    expect([body.fx_rate, String(body.instarem_fx_rate)]).toEqual([1.08158, String(Number(report.get(31)))]);
    const after = await doors.balances();
    expect([after.EUR, after.USD]).toEqual([
      Number((before.EUR! - 1234.56).toFixed(2)),
      Number((before.USD! + Number(report.get(20015))).toFixed(2)),
    ]);

    const late = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1234.56, fx_hold_id: holdId };
    const again = await doors.bookByRest('rest-after-fix', late);
    expect([again.status, again.body.code]).toEqual([400, 'HOLD_USED']);
  });

  test('two-way, held over FIX: REST reads both sides, and the currencies of its booking decide', async () => {
    const amount = [
      [38, '2500'],
      [15, 'EUR'],
    ] as const;
    const [sold, bought] = [await doors.holdByFix('BOTH-1', amount), await doors.holdByFix('BOTH-2', amount)];
    const [bid, offer] = [Number(sold.get(132)), Number(sold.get(133))];
    const { body: read } = await doors.ask('GET', `lockFx/hold/${sold.get(117)}`);
    const inverse = Number((1 / offer).toPrecision(10));
    expect(read).toMatchObject({ side: 'both', source_currency: 'EUR', fx_rate: bid, opposite_fx_rate: inverse });
    doors.tick('EUR/USD', '1.09158', '1.09164');
    await doors.untilRate('EUR', 'USD', 1.09158);
    const sell = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 2500, fx_hold_id: sold.get(117) };
    const buy = { sell_currency: 'USD', buy_currency: 'EUR', buy_amount: 2500, fx_hold_id: bought.get(117) };
    expect((await doors.bookByRest('both-sold', sell)).body.instarem_fx_rate).toBe(bid);
    expect((await doors.bookByRest('both-bought', buy)).body.instarem_fx_rate).toBe(inverse);
    const copy = await doors.dropCopy('both-bought');
    expect([54, 31, 20006].map((tag) => copy.get(tag))).toEqual(['1', bought.get(133), bought.get(117)]);
    const again = { ...sell, sell_currency: 'USD', buy_currency: 'EUR', sell_amount: undefined, buy_amount: 2500 };
    expect((await doors.bookByRest('both-again', again)).body.code).toBe('HOLD_USED');
  });

  test('two-way, held over REST: the side of the order decides', async () => {
    const holdId = await doors.holdByRest(
      'source_currency=EUR&destination_currency=USD&sell_amount=1234.56&two_way=true',
    );
    const { body: read } = await doors.ask('GET', `lockFx/hold/${holdId}`);
    const buys = { side: 1, quantity: '1234.56', currency: 'EUR', quoteId: holdId } as const;
    const other = await doors.order('BOTH-OTHER', { ...buys, quantity: '1234.57' });
    expect([other.get(39), other.get(20011)]).toEqual(['8', 'HOLD_MISMATCH']);
    const report = await doors.order('BOTH-BUYS', buys);
    expect([report.get(39), 1 / Number(report.get(31))]).toEqual([
      '2',
      expect.closeTo(Number(read.opposite_fx_rate), 9),
    ]);
    const again = await doors.order('BOTH-SELLS', { ...buys, side: 2 });
    expect([again.get(39), again.get(20011)]).toEqual(['8', 'HOLD_USED']);
  });

  test('concurrent bookings by FIX and REST book it once', async () => {
    for (let round = 0; round < 5; round++) {
      const holdId = await doors.holdByRest('source_currency=EUR&destination_currency=USD&sell_amount=10');
      const before = await doors.balances();
      const [report, answer] = await Promise.all([
        doors.order(`RACE-${round}`, { side: 2, quantity: '10', currency: 'EUR', quoteId: holdId }),
        doors.bookByRest(`race-${round}`, {
          sell_currency: 'EUR',
          buy_currency: 'USD',
          sell_amount: 10,
          fx_hold_id: holdId,
        }),
      ]);
      expect([report.get(39) === '2', answer.status === 200].sort()).toEqual([false, true]);
      expect((await doors.balances()).EUR).toBe(Number((before.EUR! - 10).toFixed(2)));
    }
  });
});

describe('ClOrdID(11) and request_id are one', () => {
  const sold = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };
  const asOrder = { side: 2, quantity: '100', currency: 'EUR' } as const;

  test('booked over REST: the same order gets its current status, 150=I, and books nothing', async () => {
    const booked = await doors.bookByRest('one-id-1', sold);
    expect([booked.status, booked.isReplay]).toEqual([200, false]);
    await doors.dropCopy('one-id-1');
    const before = await doors.balances();
    const report = await doors.order('one-id-1', asOrder);
    expect([report.get(150), report.get(39), report.get(37)]).toEqual(['I', '2', booked.body.confirmation_id]);
    expect(amountsOf(report)).toEqual(confirmed(booked.body));
    expect(await doors.balances()).toEqual(before);
  });

  test('filled over FIX: the same booking over REST is a replay', async () => {
    const report = await doors.order('one-id-2', asOrder);
    expect(report.get(150)).toBe('F');
    const before = await doors.balances();
    const booked = await doors.bookByRest('one-id-2', sold);
    expect([booked.status, booked.isReplay, booked.body.confirmation_id]).toEqual([200, true, report.get(37)]);
    expect(confirmed(booked.body)).toEqual(amountsOf(report));
    expect(await doors.balances()).toEqual(before);
  });

  test('both reject another command', async () => {
    const report = await doors.order('one-id-1', { ...asOrder, quantity: '101' });
    expect([report.get(39), report.get(20011)]).toEqual(['8', 'REQUEST_ID_REUSED']);
    const booked = await doors.bookByRest('one-id-2', { ...sold, sell_amount: 101 });
    expect([booked.status, booked.body.code]).toEqual([409, 'REQUEST_ID_REUSED']);
  });
});

describe('a booking over REST reaches the desk as a drop copy', () => {
  test('with the rate, the amounts and the accounts of the confirmation', async () => {
    const { status, body } = await doors.bookByRest('copied', {
      sell_currency: 'USD',
      buy_currency: 'JPY',
      sell_amount: 1234.56,
    });
    expect(status).toBe(200);
    const copy = await doors.dropCopy('copied');
    expect([150, 39, 37, 55, 54, 58].map((tag) => copy.get(tag))).toEqual([
      'F',
      '2',
      body.confirmation_id,
      'USD/JPY',
      '2',
      'Invoice 8841',
    ]);
    expect(amountsOf(copy)).toEqual(confirmed(body));
    expect(Number(copy.get(31))).toBe(body.instarem_fx_rate);
    expect([20007, 20008].map((tag) => Number(copy.get(tag)))).toEqual([body.from_account, body.to_account]);
  });

  test('rejects a description that would end a field, and replaces characters that FIX does not have by question marks', async () => {
    const booked = (description: string) =>
      doors.bookByRest('strange', { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100, description });
    const refused = await booked('a\u0001150=8\u000139=8\u000110=000\u0001b');
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ field: 'description', code: 'incorrect_format' }],
    ]);
    expect((await booked('a 150=8 漢字')).status).toBe(200);
    const copy = await doors.dropCopy('strange');
    expect([copy.all(150), copy.all(39), copy.all(10).length]).toEqual([['F'], ['2'], 1]);
    expect(copy.get(58)).toBe('a 150=8 ??');
    await doors.desk.settle();
  });
});

describe('the same command has the same amounts by FIX and by REST', () => {
  test.each<[symbol: string, sell: string, buy: string, dealt: 'sell' | 'buy', amount: string]>([
    ['EUR/USD', 'EUR', 'USD', 'sell', '1234.57'],
    ['EUR/USD', 'EUR', 'USD', 'buy', '1234.57'],
    ['EUR/USD', 'USD', 'EUR', 'sell', '1234.57'],
    ['EUR/USD', 'USD', 'EUR', 'buy', '1234.57'],
    ['USD/JPY', 'USD', 'JPY', 'sell', '99.99'],
    ['USD/JPY', 'USD', 'JPY', 'buy', '10001'],
    ['USD/JPY', 'JPY', 'USD', 'sell', '10001'],
    ['USD/JPY', 'JPY', 'USD', 'buy', '99.99'],
  ])('%s: sells %s, buys %s, %s amount %s', async (symbol, sell, buy, dealt, amount) => {
    const name = `${sell}-${buy}-${dealt}`;
    const side = buy === symbol.slice(0, 3) ? 1 : 2;
    const currency = dealt === 'sell' ? sell : buy;
    const report = await doors.order(`FIX-${name}`, { symbol, side, quantity: amount, currency });
    expect(report.get(150), report.text).toBe('F');
    const booked = await doors.bookByRest(`rest-${name}`, {
      sell_currency: sell,
      buy_currency: buy,
      [`${dealt}_amount`]: Number(amount),
    });
    expect(confirmed(booked.body)).toEqual(amountsOf(report));
    const { body: read } = await doors.ask('GET', `bookfx/${report.get(37)}`);
    const rates = ['instarem_fx_rate', 'fx_rate', 'margin_percent', 'margin_value', 'settlement_date'];
    expect(rates.map((key) => read[key])).toEqual(rates.map((key) => booked.body[key]));
  });
});
