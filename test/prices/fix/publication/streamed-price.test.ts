/** What may be booked by QuoteEntryID(299), and until when. */
import { beforeEach, describe, expect, test } from 'vitest';
import { formatScaled } from '../../../../engine/domain/money/money.js';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import type { StreamedPrice } from '../../../../engine/fix/publication/streamed-prices.js';
import { type Bench, bench, HeldDesk } from './held-desk.js';

let on: Bench;
let desk: HeldDesk;
beforeEach(() => {
  on = bench();
  desk = new HeldDesk();
  on.tick('EUR/USD', '1.08150', '1.08160');
});

/** QuoteEntryID(299) of the newest price that the desk has been sent. */
function quoted(of = desk): string {
  on.publication.flush();
  return of.received.at(-1)!.get(299)!;
}
const priceOf = (quoteId: string, client = 'acme') => on.publication.streamedPrice(quoteId, client);
const isBookable = (quoteId: string, client = 'acme') => priceOf(quoteId, client) !== undefined;
const shown = ({ pair, bid, offer }: StreamedPrice) => [bid, offer].map((side) => formatScaled(side, pair.priceDigits));
/** The n-th next version of the same tier. */
const next = (quoteId: string, n = 1) => {
  const [tier, version] = quoteId.split('.') as [string, string];
  return `${tier}.${(Number.parseInt(version, 36) + n).toString(36)}`;
};
const OWN = { rulePpm: 2_500, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, marginPpm: 2_500, levels: 1 };
let cents = 100;
const move = () => on.tick('EUR/USD', `1.08${++cents}`, `1.09${cents}`);

describe('a streamed price', () => {
  test('is booked at what the desk was shown, with what it was made of', () => {
    on.ask(desk, {});
    const price = priceOf(quoted())!;
    expect(shown(price)).toEqual(desk.received[0]!.all(270));
    expect(price).toEqual({
      pair: pairBySymbol('EUR/USD'),
      bid: 10_787_962,
      offer: 10_843_108,
      providerBid: 10_815_000,
      providerOffer: 10_816_000,
      bidBand: { limit: Number.POSITIVE_INFINITY, ...OWN },
      offerBand: { limit: Number.POSITIVE_INFINITY, ...OWN },
      originKeys: expect.any(Float64Array),
      position: 0,
      type: 'PREFUNDING',
      settlesOn: '20261124',
      sides: 'both',
      isCurrent: true,
    });
  });

  test('names the quote that it was made of for as long as it may be booked, also of a cross', () => {
    const legs = (quoteId: string, symbol: string) =>
      on.book.origins
        .legs(pairBySymbol(symbol)!, true, priceOf(quoteId)!.originKeys)
        .map(({ pair, provider, price, sourceTimeUs }) => [pair.symbol, provider, price, sourceTimeUs]);
    const { index } = pairBySymbol('EUR/USD')!;
    const provider = on.book.registerProvider('test');
    on.tick('USD/JPY', '150.000', '150.010');
    on.ask(desk, {});
    on.ask(desk, { mdReqId: 'M2', symbols: ['EUR/JPY'] });
    quoted();
    const [direct, cross] = desk.received.map((message) => message.get(299)!) as [string, string];
    const before = [['EUR/USD', 'test', 10_815_000, 0]];
    expect(legs(direct, 'EUR/USD')).toEqual(before);
    // The same price again, with a newer time.
    on.book.tick(provider, index, 10_815_000, 10_816_000, 1_000_000, 1_000_000, 7, 0);
    const last = [['EUR/USD', 'test', 10_815_000, 7]];
    expect(legs(direct, 'EUR/USD')).toEqual(last);
    on.book.tick(provider, index, 10_817_000, 10_818_000, 1_000_000, 1_000_000, 8, 0);
    on.book.tick(provider, index, 10_819_000, 10_820_000, 1_000_000, 1_000_000, 9, 0);
    expect(legs(direct, 'EUR/USD')).toEqual(last);
    expect(legs(cross, 'EUR/JPY')).toEqual([...last, ['USD/JPY', 'test', 15_000_000, 0]]);
    expect(legs(next(direct, 1), 'EUR/USD')).toEqual([['EUR/USD', 'test', 10_817_000, 8]]);
  });

  test('of a ladder names the quote of its best price', () => {
    on.quote('EUR/USD', '1.0815x1000000 1.0814x1000000', '1.0816x1000000');
    on.ask(desk, { isLadder: true });
    const id = quoted();
    on.quote('EUR/USD', '1.0813x1000000', '1.0817x1000000');
    on.publication.flush();
    const { pair, originKeys } = priceOf(id)!;
    expect(on.book.origins.legs(pair, true, originKeys)).toMatchObject([{ provider: 'test', price: 10_815_000 }]);
    expect(on.book.origins.legs(pair, false, originKeys)).toMatchObject([{ provider: 'test', price: 10_816_000 }]);
  });

  test('carries the type, the side and the date that were asked for', () => {
    on.ask(desk, { type: 'SCHEDULED1', offer: false, valueDate: '20261126' });
    const asked = { type: 'SCHEDULED1', sides: 'bid', valueDate: '20261126', settlesOn: '20261126' };
    expect(priceOf(quoted())).toMatchObject(asked);
  });

  test('stays while it is the newest, whatever its age within the bound of the book', () => {
    on.ask(desk, {});
    const id = quoted();
    on.nowMs += on.book.maxAgeMs;
    expect(priceOf(id)).toMatchObject({ isCurrent: true });
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
  });

  test.each([
    [0, true],
    [499, true],
    [500, true],
    [501, false],
  ])('replaced %d ms ago: %s', (ms, bookable) => {
    on.ask(desk, {});
    const id = quoted();
    on.nowMs += 2_000;
    move();
    on.nowMs += ms;
    move();
    expect(isBookable(id)).toBe(bookable);
    if (bookable) expect(priceOf(id)).toMatchObject({ providerBid: 10_815_000, isCurrent: false });
    expect(priceOf(quoted())).toMatchObject({ isCurrent: true });
  });

  test('is what an incremental stream shows too, by the names of both its tiers', () => {
    on.ask(desk, { incremental: true });
    const first = quoted();
    move();
    const second = quoted();
    expect(desk.received.map(({ type }) => type)).toEqual(['W', 'X']);
    expect(shown(priceOf(second)!)).toEqual(desk.received[1]!.all(270));
    expect([priceOf(first)!.isCurrent, priceOf(second)!.isCurrent]).toEqual([false, true]);
  });

  test('withdrawn is gone at once, and does not come back with the next price', () => {
    on.ask(desk, {});
    const id = quoted();
    on.nowMs += 10;
    on.withdraw('EUR/USD');
    expect(isBookable(id)).toBe(false);
    expect(isBookable(next(id))).toBe(false);
    on.tick('EUR/USD', '1.08150', '1.08160');
    expect(isBookable(id)).toBe(false);
    expect(priceOf(quoted())).toMatchObject({ isCurrent: true });
  });

  test('that a margin left nothing of, for one tick, is withdrawn for that client alone', () => {
    // 1.0816 / 0.001202 is below 900, the largest price that there is; 1.0821 / 0.001202 is above.
    on.margins.set('dear', 998_798);
    const dear = new HeldDesk();
    on.ask(desk, {});
    on.ask(dear, { clientId: 'dear' });
    const [id, dearId] = [quoted(), quoted(dear)];
    expect(isBookable(dearId, 'dear')).toBe(true);
    on.tick('EUR/USD', '1.08200', '1.08210');
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.publication.flush();
    expect(dear.received.map((message) => message.get(276))).toEqual(['A', 'B', 'A']);
    expect([isBookable(id), isBookable(dearId, 'dear')]).toEqual([true, false]);
  });

  test('that was replaced is booked for half a second, but not once it is too old', () => {
    on.ask(desk, {});
    const id = quoted();
    on.nowMs += on.book.maxAgeMs - 100;
    move();
    on.nowMs += 100;
    expect(isBookable(id)).toBe(true);
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
    expect(isBookable(quoted())).toBe(true);
  });

  test.each([
    ['when it is asked for', () => {}],
    ['by the sweep', () => on.book.sweep()],
  ])('rejects a price whose ticks are too old, noticed %s, also where another provider has a price', (_, notice) => {
    const other = on.book.registerProvider('other');
    on.ask(desk, {});
    const id = quoted();
    on.nowMs += 3_000;
    const { index } = pairBySymbol('EUR/USD')!;
    on.book.tick(other, index, 10_814_000, 10_817_000, 0, 0, 0, 0);
    expect(priceOf(id)).toMatchObject({ isCurrent: true });
    on.nowMs = 1_000 + on.book.maxAgeMs + 1;
    notice();
    expect([isBookable(id), isBookable(id)]).toEqual([false, false]);
    expect(priceOf(quoted())).toMatchObject({ providerBid: 10_814_000, isCurrent: true });
  });

  test('of a cross is booked like any other, until a leg has no price', () => {
    on.tick('NZD/USD', '0.60000', '0.60010');
    on.ask(desk, { symbols: ['EUR/NZD'] });
    const first = quoted();
    on.nowMs += 100;
    on.tick('NZD/USD', '0.60100', '0.60110');
    const second = quoted();
    expect(shown(priceOf(second)!)).toEqual(desk.received[1]!.all(270));
    expect([priceOf(first)!.isCurrent, priceOf(second)!.isCurrent]).toEqual([false, true]);
    on.withdraw('NZD/USD');
    expect([isBookable(first), isBookable(second)]).toEqual([false, false]);
  });

  test('is kept through 1,500 ticks in 100 ms: of more than 1,024 the oldest are not booked', () => {
    on.ask(desk, {});
    const id = quoted();
    for (let i = 0; i < 1_500; i++) {
      on.nowMs += 100 / 1_500;
      on.tick('EUR/USD', `1.0${7_500 + i}`, `1.0${7_501 + i}`);
    }
    const ids = Array.from({ length: 1_501 }, (_, i) => next(id, i));
    expect(quoted()).toBe(ids[1_500]);
    expect(ids.map((each) => isBookable(each))).toEqual(ids.map((_, i) => i > 1_500 - 1_024));
    for (const i of [477, 478, 1_000, 1_499, 1_500]) {
      expect(formatScaled(priceOf(ids[i]!)!.providerBid, 7)).toBe(`1.0${7_500 + i - 1}00`);
    }
  });
});

describe('not booked is', () => {
  test.each([
    '',
    '.',
    '..',
    '0',
    'HLD0123456789ABCD',
    '__proto__.1',
    'constructor.1',
    '0123456789.',
    '.1',
    '0123456789.1.1',
    '0123456789.-1',
    '0123456789.1e9',
    '０１２３４５６７８９.１',
    '💶💶💶💶💶.1',
  ])('%j', (id) => {
    expect(priceOf(id)).toBeUndefined();
  });

  test('an id that is very long', () => {
    for (const id of ['0'.repeat(1e6), `0123456789.${'z'.repeat(1e6)}`]) expect(isBookable(id)).toBe(false);
  });

  test('an id that is written in another way than it was sent', () => {
    on.ask(desk, {});
    const id = quoted();
    const [tier, version] = id.split('.') as [string, string];
    expect(isBookable(id)).toBe(true);
    for (const other of [`${tier}.0${version}`, ` ${id}`, `${id} `, `${id}\n`, id.toUpperCase().replace('.', '.0')])
      expect(isBookable(other)).toBe(false);
  });

  test('an id of another run, of a price that was never sent, and of one that is yet to come', () => {
    for (let i = 0; i < 5; i++) move();
    on.ask(desk, {});
    const id = quoted();
    const run = Number.parseInt(id.slice(0, 6), 36);
    const other = ((run + 1) % 36 ** 6).toString(36).padStart(6, '0');
    expect([id, other + id.slice(6), next(id, -1), next(id)].map((each) => isBookable(each))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(bench().publication.streamedPrice(id, 'acme')).toBeUndefined();
  });

  test("another client's price, better as it may be", () => {
    on.margins.set('other', 100);
    const other = new HeldDesk();
    on.ask(desk, {});
    on.ask(other, { clientId: 'other' });
    const [mine, theirs] = [quoted(), quoted(other)];
    expect([isBookable(mine), isBookable(theirs), isBookable(theirs, 'other')]).toEqual([true, false, true]);
    // The same margin is the same tier: both are streamed it; for a client that is not streamed it, the price is stale.
    expect(isBookable(mine, 'unknown')).toBe(false);
  });
});

describe('when a stream is over, its prices are booked for half a second by', () => {
  const ends: [string, () => void][] = [
    ['an end of the request', () => on.publication.unsubscribe(desk.session, 'M1')],
    ['an end of the session', () => on.publication.end(desk.session)],
    [
      'a margin that has changed',
      () => {
        on.margins.set('acme', 5_000);
        on.publication.marginsChanged();
      },
    ],
    [
      'a pair that the client has lost',
      () => {
        on.margins.set('acme', undefined);
        on.publication.marginsChanged();
      },
    ],
  ];
  test.each(ends)('%s', (_, end) => {
    // Another client continues with the same tier.
    const other = new HeldDesk();
    on.ask(other, { clientId: 'other' });
    on.ask(desk, {});
    const id = quoted();
    end();
    on.nowMs += 500;
    expect(priceOf(id)).toMatchObject({ bidBand: { marginPpm: 2_500 }, providerBid: 10_815_000, isCurrent: false });
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
    expect(isBookable(id, 'other')).toBe(true);
  });

  test('a snapshot, from when it was sent', () => {
    on.ask(desk, { snapshotOnly: true });
    on.nowMs += 1_000;
    const id = quoted();
    on.nowMs += 500;
    expect(priceOf(id)).toMatchObject({ isCurrent: false });
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
  });

  test('a margin that has changed, of an incremental stream', () => {
    on.ask(desk, { incremental: true });
    quoted();
    move();
    const id = quoted();
    on.margins.set('acme', 5_000);
    on.publication.marginsChanged();
    on.nowMs += 500;
    expect(priceOf(id)).toMatchObject({ bidBand: { marginPpm: 2_500 } });
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
    move();
    expect(priceOf(quoted())).toMatchObject({ bidBand: { marginPpm: 5_000 }, isCurrent: true });
  });

  test('no longer than half a second after they were replaced', () => {
    on.ask(desk, {});
    const id = quoted();
    move();
    on.nowMs += 400;
    on.publication.end(desk.session);
    on.nowMs += 100;
    expect(isBookable(id)).toBe(true);
    on.nowMs += 1;
    expect(isBookable(id)).toBe(false);
  });

  test('no client when the price has been withdrawn since, although no desk streams the pair', () => {
    on.tick('NZD/USD', '0.60000', '0.60010');
    on.ask(desk, { symbols: ['EUR/NZD'], snapshotOnly: true });
    const id = quoted();
    on.publication.rollSpotDates();
    expect(isBookable(id)).toBe(true);
    on.withdraw('NZD/USD');
    on.tick('NZD/USD', '0.60000', '0.60010');
    expect(isBookable(id)).toBe(false);
  });

  test('another session of the client, which streams on', () => {
    const second = new HeldDesk();
    on.ask(desk, {});
    on.ask(second, {});
    const id = quoted();
    on.publication.end(desk.session);
    on.nowMs += 501;
    expect(priceOf(id)).toMatchObject({ isCurrent: true });
  });

  test('the newest 10,000 that were left: memory is bounded', () => {
    const ids: string[] = [];
    for (let i = 0; i < 10_001; i++) {
      on.ask(desk, { snapshotOnly: true });
      ids.push(quoted());
      desk.received.length = 0;
    }
    expect([ids[0]!, ids[1]!, ids[10_000]!].map((id) => isBookable(id))).toEqual([false, true, true]);
  });
});

test('a pair that is streamed again within the half second is followed on', () => {
  on.ask(desk, {});
  on.publication.flush();
  on.publication.end(desk.session);
  on.nowMs += 400;
  on.ask(desk, {});
  on.publication.flush();
  on.nowMs += 400;
  on.publication.rollSpotDates();
  desk.received.length = 0;
  move();
  expect(priceOf(quoted())).toMatchObject({ isCurrent: true });
});

test('restarts a pair that is streamed again: prices in between were not published', () => {
  on.ask(desk, {});
  const before = quoted();
  on.publication.end(desk.session);
  on.nowMs += 501;
  on.publication.rollSpotDates();
  move();
  on.ask(desk, {});
  const id = quoted();
  move();
  const tier = id.split('.')[0];
  const ids = [before, `${tier}.${before.split('.')[1]}`, id, quoted()];
  expect(ids.map((each) => isBookable(each))).toEqual([false, false, true, true]);
});

test('when spot rolls, a price for the old date is not booked, one for a date that was asked for is', () => {
  on.ask(desk, {});
  const spot = quoted();
  on.ask(desk, { mdReqId: 'M2', valueDate: '20261126' });
  const dated = quoted();
  on.spotDate = '20261125';
  on.publication.rollSpotDates();
  expect([isBookable(spot), priceOf(dated)?.settlesOn]).toEqual([false, '20261126']);
  on.publication.flush();
  const [newSpot, newDated] = desk.received.slice(-2).map((message) => message.get(299)!);
  expect([newSpot, newDated].map((id) => priceOf(id!)?.settlesOn).sort()).toEqual(['20261125', '20261126']);
});

describe('what a price carries is part of it', () => {
  const cross = (firstBid: number) => {
    on.quote('EUR/USD', `1.0800x${firstBid} 1.0500x90000000`, '1.0810x10000000 1.0900x90000000');
    on.quote('USD/JPY', '150.00', '150.10');
  };

  test('of a cross too: a level that shrinks makes another price', () => {
    cross(10_000_000);
    on.ask(desk, { symbols: ['EUR/JPY'] });
    const before = quoted();
    expect(priceOf(before)).toMatchObject({ bidBand: { limit: 10_000_000 } });
    cross(100_000);
    const after = quoted();
    expect(after).toBe(next(before));
    expect(priceOf(after)).toMatchObject({ bidBand: { limit: 100_000 }, isCurrent: true });
    on.nowMs += 501;
    expect(isBookable(before)).toBe(false);
  });

  test('a price that carried any amount and now begins a ladder is another one', () => {
    on.tick('EUR/USD', '1.0800', '1.0810');
    on.ask(desk, {});
    const before = quoted();
    on.quote('EUR/USD', '1.0800x1000000 1.0500x90000000', '1.0810x1000000 1.0900x90000000');
    expect(quoted()).toBe(next(before));
    on.nowMs += 501;
    expect(isBookable(before)).toBe(false);
  });

  test('MDEntrySize(271) is no more than it carries, also where no provider quotes the pair', () => {
    const sizes = () => {
      quoted();
      return desk.received.at(-1)!.all(271);
    };
    cross(10_000_000);
    on.ask(desk, { symbols: ['EUR/JPY'] });
    expect(sizes()).toEqual(['10000000', '10000000']);
    cross(100_000);
    expect(sizes()).toEqual(['100000', '10000000']);
    // Any amount: the usual size.
    on.tick('EUR/USD', '1.0800', '1.0810');
    expect(sizes()).toEqual(['1000000', '1000000']);
  });
});
