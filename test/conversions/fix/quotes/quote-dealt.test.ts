/** How long each quote of a stream can be dealt. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { MARGIN, QuotedBook } from './quoted-book.js';

let on: QuotedBook;
beforeEach(() => {
  on = new QuotedBook();
});

describe('a quote can be dealt', () => {
  test('at what was sent, by its own client', () => {
    on.open();
    const id = on.last();
    expect(on.quotes.find(id, 'acme')).toEqual({
      pair: pairBySymbol('EUR/USD'),
      type: 'PREFUNDING',
      valueDate: '20281121',
      amount: { currency: 'EUR', minor: 25_000_000n },
      bid: expect.objectContaining({ price: 10_787_962, providerPrice: 10_815_000, sellCurrency: 'EUR' }),
      offer: expect.objectContaining({ price: 10_843_108, providerPrice: 10_816_000, sellCurrency: 'USD' }),
    });
    expect(on.dealable(id, 'other')).toBe(false);
    for (const wrong of [id.replace(/1$/, '2'), `${id}.1`, id.slice(0, -2), `${id}0`, 'STR', 'nothing'])
      expect([wrong, on.dealable(wrong)]).toEqual([wrong, false]);
  });

  test('while the price is fresh', () => {
    on.open();
    const id = on.last();
    on.nowMs += on.book.maxAgeMs;
    expect(on.dealable(id)).toBe(true);
    on.nowMs += 1;
    expect(on.dealable(id)).toBe(false);
  });

  test.each([
    ['when it is asked for', () => {}],
    ['by the sweep', () => on.book.sweep()],
  ])('not once it is too old, noticed %s, where another on.provider has a price', (_, notice) => {
    on.open();
    const id = on.last();
    on.nowMs += 4_000;
    const { index } = pairBySymbol('EUR/USD')!;
    const other = on.book.registerProvider('other');
    const worse = () => on.book.tick(other, index, 10_714_000, 10_917_000, 0, 0, on.nowMs * 1000, 0);
    worse();
    // Its own provider has confirmed it.
    on.tick('1.08150', '1.08160');
    expect(on.sent()).toEqual([]);
    on.nowMs += on.book.maxAgeMs - 1_000;
    worse();
    on.nowMs += 1_000;
    expect(on.dealable(id)).toBe(true);
    on.nowMs += 1;
    notice();
    expect([on.dealable(id), on.dealable(id)]).toEqual([false, false]);
    expect(on.sent().map((message) => message.get(20004) ?? message.get(132))).toEqual(['1.0687215']);
  });

  test('for half a second after it was replaced, but not once it is too old', () => {
    on.open();
    const id = on.last();
    on.nowMs += on.book.maxAgeMs - 100;
    on.move();
    const next = on.last();
    on.nowMs += 100;
    expect(on.dealable(id)).toBe(true);
    on.nowMs += 1;
    expect([on.dealable(id), on.dealable(next)]).toEqual([false, true]);
  });

  test.each([
    [0, true],
    [500, true],
    [501, false],
  ])('%d ms after it was replaced: %s', (ms, expected) => {
    on.open();
    const id = on.last();
    on.nowMs += 2_000;
    on.move();
    on.sent();
    on.nowMs += ms;
    expect(on.dealable(id)).toBe(expected);
    on.quotes.rollDates();
    expect(on.dealable(id)).toBe(expected);
  });

  test('also where the next one has the margin of another band; but not once the margins have changed', () => {
    on.margins.replace([MARGIN, { ...MARGIN, marginPpm: 1_000, above: 1_000_000 }]);
    on.open({ side: '2', currency: 'USD', quantity: '1070000' });
    const id = on.last();
    on.tick('1.07000', '1.07010');
    const [next] = on.sent();
    expect([next!.get(20004), next!.get(132)]).toEqual(['1.07', '1.0689300']);
    on.nowMs += 500;
    expect(on.dealable(id)).toBe(true);
    on.margins.replace([MARGIN, { ...MARGIN, marginPpm: 1_100, above: 1_000_000 }]);
    on.quotes.marginsChanged();
    expect([id, next!.get(117)!].map((one) => on.dealable(one))).toEqual([false, false]);
    const [again] = on.sent();
    // Those of another client.
    on.margins.replace([{ ...MARGIN, clientId: 'other' }, MARGIN, { ...MARGIN, marginPpm: 1_100, above: 1_000_000 }]);
    on.quotes.marginsChanged();
    expect([on.sent(), on.dealable(again!.get(117)!)]).toEqual([[], true]);
  });

  test('counted from the change of the price, also where the desk could not be sent the next quote', () => {
    on.open();
    const id = on.last();
    on.desk.congested = true;
    on.move();
    on.sent();
    on.nowMs += 400;
    on.move();
    expect(on.dealable(id)).toBe(true);
    on.nowMs += 101;
    expect(on.dealable(id)).toBe(false);
  });

  test('not after a withdrawal, and not again when the price is back', () => {
    on.open();
    const id = on.last();
    on.withdraw();
    expect(on.dealable(id)).toBe(false);
    expect(on.sent().map(({ type, get }) => [type, get(117), get(298), get(20011)])).toEqual([
      ['Z', id, '1', 'RATE_UNAVAILABLE'],
    ]);
    expect(on.sent()).toEqual([]);
    on.tick('1.08150', '1.08160');
    expect(on.dealable(id)).toBe(false);
    const [again] = on.sent();
    expect([again!.type, on.dealable(again!.get(117)!)]).toEqual(['S', true]);
  });

  test('not before it is sent', () => {
    const { name } = on.open();
    expect(on.dealable(`${name}.1`)).toBe(false);
    expect(on.last()).toBe(`${name}.1`);
  });

  test('not after its stream has ended', () => {
    const stream = on.open();
    const id = on.last();
    on.quotes.end(stream);
    on.quotes.end(stream);
    expect(on.dealable(id)).toBe(false);
    on.open();
    const other = on.last();
    on.quotes.endAll(on.desk.session);
    expect([on.dealable(other), on.quotes.all(on.desk.session)]).toEqual([false, []]);
    on.move();
    expect(on.sent()).toEqual([]);
  });
});
