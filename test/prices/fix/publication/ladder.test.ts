/** MarketDepth(264)=0 of a desk with that option: every band of the client's ladder. */
import { beforeEach, describe, expect, test } from 'vitest';
import { clientBid, clientOffer } from '../../../../engine/domain/money/rate.js';
import { quoteLadder } from '../../../rates/clock.js';
import { type Bench, bench, HeldDesk, type Published } from './held-desk.js';

const BIDS = '1.10000x1000000 1.09900x1000000 1.09700x2000000';
const OFFERS = '1.10100x1000000 1.10300x2000000';

let on: Bench;
let desk: HeldDesk;
beforeEach(() => {
  on = bench();
  desk = new HeldDesk(() => on.nowMs);
  on.margins.set('acme', 0);
  on.quote('EUR/USD', BIDS, OFFERS);
});

const flush = () => {
  on.publication.flush();
  return desk.received.splice(0);
};
const bandsOf = (message: Published) => {
  const tags = [279, 269, 270, 271, 276, 290].map((tag) => message.all(tag));
  return message.all(269).map((_, i) =>
    tags
      .map((values) => values[i])
      .join(' ')
      .trim(),
  );
};
const idsOf = (message: Published) => message.all(299);
const at = (id: string, client = 'acme') => on.publication.streamedPrice(id, client);

const FIRST = [
  '0 1.1000000 1000000 A 1',
  '0 1.0995000 2000000 A 2',
  '0 1.0982500 4000000 A 3',
  '1 1.1010000 1000000 A 1',
  '1 1.1023333 3000000 A 2',
];

describe('a stream of ladders', () => {
  test('W has every band, each with the price of its whole amount', () => {
    on.ask(desk, { isLadder: true });
    const [message, ...more] = flush();
    expect(more).toEqual([]);
    expect(message!.type).toBe('W');
    expect(message!.get(268)).toBe('5');
    expect(bandsOf(message!)).toEqual(FIRST);
    expect(message!.get(20012)).toBe('20261124');
    expect(idsOf(message!).map((id) => id.split('.')[2])).toEqual(['1', '2', '3', '1', '2']);
  });

  test('a band ends where the margin changes, and has the margin of its amounts', () => {
    on.margins.set('acme', 3_000);
    on.bands.set('acme', [
      { above: 1_500_000, marginPpm: 2_000 },
      { above: 4_000_000, marginPpm: 1 },
    ]);
    on.ask(desk, { isLadder: true, offer: false });
    const bid = (provider: number, ppm: number) => (clientBid(provider, ppm) / 1e7).toFixed(7);
    expect(bandsOf(flush()[0]!)).toEqual([
      `0 ${bid(11_000_000, 3_000)} 1000000 A 1`,
      `0 ${bid(10_996_667, 3_000)} 1500000 A 2`,
      `0 ${bid(10_995_000, 2_000)} 2000000 A 3`,
      `0 ${bid(10_982_500, 2_000)} 4000000 A 4`,
    ]);
  });

  test('a provider with one level has one band, up to the maximum of the pair', () => {
    on.tick('USD/JPY', '150.00', '150.10');
    on.ask(desk, { isLadder: true, symbols: ['USD/JPY'] });
    expect(bandsOf(flush()[0]!)).toEqual(['0 150.00000 5000000 A 1', '1 150.10000 5000000 A 1']);
  });

  test('a change behind the first level is published to it, and not to a stream of the first band', () => {
    const first = new HeldDesk(() => on.nowMs);
    on.ask(desk, { isLadder: true });
    on.ask(first, {});
    flush();
    expect(first.received.splice(0).map(bandsOf)).toEqual([['0 1.1000000 1000000 A', '1 1.1010000 1000000 A']]);
    on.quote('EUR/USD', '1.10000x1000000 1.09900x3000000', OFFERS);
    expect(bandsOf(flush()[0]!).slice(0, 2)).toEqual(['0 1.1000000 1000000 A 1', '0 1.0992500 4000000 A 2']);
    expect(first.received).toEqual([]);
    // The same again is no message.
    on.quote('EUR/USD', '1.10000x1000000 1.09900x3000000', OFFERS);
    expect(flush()).toEqual([]);
  });

  test('a cross has the bands of its legs, and follows a change behind the first level of one', () => {
    on.quote('USD/JPY', '150.000x10000000', '150.100x10000000');
    on.ask(desk, { isLadder: true, symbols: ['EUR/JPY'], offer: false });
    expect(bandsOf(flush()[0]!)).toEqual([
      '0 165.00000 1000000 A 1',
      '0 164.92500 2000000 A 2',
      '0 164.73750 4000000 A 3',
    ]);
    on.quote('EUR/USD', '1.10000x1000000 1.09800x1000000', OFFERS);
    expect(bandsOf(flush()[0]!)).toEqual(['0 165.00000 1000000 A 1', '0 164.85000 2000000 A 2']);
  });

  test('ladders of one turn are one message, the newest', () => {
    on.ask(desk, { isLadder: true });
    flush();
    for (const size of [1, 2, 3]) on.quote('EUR/USD', `1.10000x${size}000000`, OFFERS);
    expect(flush().map((message) => bandsOf(message)[0])).toEqual(['0 1.1000000 3000000 A 1']);
  });

  test('X has what is new, what has changed and what is gone, and names each band for good', () => {
    on.ask(desk, { isLadder: true, incremental: true });
    expect(flush().map(({ type }) => type)).toEqual(['W']);
    on.quote('EUR/USD', '1.10000x1000000', '1.10100x1000000 1.10300x2000000 1.10400x1000000');
    const [message] = flush();
    expect(message!.type).toBe('X');
    expect(bandsOf(message!)).toEqual([
      '1 0 1.1000000 1000000 A 1',
      '2 0 0 0 B 2',
      '2 0 0 0 B 3',
      '1 1 1.1010000 1000000 A 1',
      '1 1 1.1023333 3000000 A 2',
      '0 1 1.1027500 4000000 A 3',
    ]);
    expect(message!.all(278)).toEqual(
      [1, 2, 3].flatMap((k) => [`EUR/USD.B.${k}`]).concat([1, 2, 3].map((k) => `EUR/USD.O.${k}`)),
    );
    expect(message!.get(268)).toBe('6');
    on.withdraw('EUR/USD');
    expect(bandsOf(flush()[0]!)).toEqual(['2 0 0 0 B 1', '2 1 0 0 B 1', '2 1 0 0 B 2', '2 1 0 0 B 3']);
    on.quote('EUR/USD', '1.10000x1000000', '1.10100x1000000');
    expect(bandsOf(flush()[0]!)).toEqual(['0 0 1.1000000 5000000 A 1', '0 1 1.1010000 5000000 A 1']);
    // After a resend it begins again.
    on.publication.resent(desk.session);
    expect(flush().map(({ type }) => type)).toEqual(['W']);
  });

  test('W without a price withdraws both sides', () => {
    on.ask(desk, { isLadder: true });
    flush();
    on.withdraw('EUR/USD');
    const [message] = flush();
    expect(bandsOf(message!)).toEqual(['0 0 0 B 1', '1 0 0 B 1']);
    expect(message!.get(299)).toBeUndefined();
    expect(message!.get(20012)).toBeUndefined();
  });

  test('a congested desk gets the newest ladder when it has drained', () => {
    on.ask(desk, { isLadder: true, incremental: true });
    flush();
    desk.congested = true;
    on.quote('EUR/USD', '1.10000x2000000 1.09900x1000000', OFFERS);
    expect(flush()).toEqual([]);
    on.quote('EUR/USD', '1.10000x3000000 1.09900x1000000', OFFERS);
    expect(flush()).toEqual([]);
    expect(on.publication.conflatedOf(desk.session)).toBe(1);
    desk.congested = false;
    on.publication.drained(desk.session);
    expect(bandsOf(desk.received.splice(0)[0]!)[0]).toBe('1 0 1.1000000 3000000 A 1');
  });

  test('a level that has become too old is published no more', () => {
    on.ask(desk, { isLadder: true });
    flush();
    const second = on.book.registerProvider('second');
    on.nowMs += 4_000;
    on.book.tick(second, 3, 10_999_000, 11_020_000, 1_000_000, 1_000_000, 0, 0);
    flush();
    on.nowMs += 2_000;
    on.book.sweep();
    expect(bandsOf(flush()[0]!)).toEqual(['0 1.0999000 5000000 A 1', '1 1.1020000 5000000 A 1']);
  });

  test('other margins are another tier, and begin with W', () => {
    on.ask(desk, { isLadder: true, incremental: true });
    const before = idsOf(flush()[0]!)[1]!;
    on.bands.set('acme', [{ above: 1_000_000, marginPpm: 100 }]);
    on.publication.marginsChanged();
    const [message] = flush();
    expect(message!.type).toBe('W');
    expect(idsOf(message!)[1]!.split('.')[0]).not.toBe(before.split('.')[0]);
    expect(bandsOf(message!)[1]).toBe(`0 ${(clientBid(10_995_000, 100) / 1e7).toFixed(7)} 2000000 A 2`);
  });

  test('one snapshot, and no more', () => {
    on.ask(desk, { isLadder: true, snapshotOnly: true });
    expect(flush().map(bandsOf)).toEqual([FIRST]);
    expect(on.publication.count(desk.session)).toBe(0);
    on.quote('EUR/USD', '1.10000x2000000', OFFERS);
    expect(flush()).toEqual([]);
  });

  test('the first margin and the first band are disclosed', () => {
    on.margins.set('acme', 2_500);
    on.ask(desk, { isLadder: true, offer: false, discloseMargin: true, discloseProviderRate: true, sourceTime: true });
    const [message] = flush();
    expect(message!.get(20003)).toBe('0.25');
    expect(message!.get(20004)).toBe('1.1000000');
    expect(message!.get(20017)).toMatch(/^\d{8}-\d\d:\d\d:\d\d\.\d{6}$/);
  });
});

describe('QuoteEntryID(299) of a band', () => {
  test('is dealt at the price of the band, for its amounts', () => {
    on.margins.set('acme', 3_000);
    on.bands.set('acme', [{ above: 1_500_000, marginPpm: 2_000 }]);
    on.ask(desk, { isLadder: true });
    const ids = idsOf(flush()[0]!);
    expect(at(ids[3]!)).toMatchObject({
      bid: clientBid(10_982_500, 2_000),
      providerBid: 10_982_500,
      bidBand: { limit: 4_000_000, marginPpm: 2_000 },
      sides: 'bid',
      isCurrent: true,
    });
    expect(at(ids[1]!)).toMatchObject({
      providerBid: 10_996_667,
      bidBand: { limit: 1_500_000, marginPpm: 3_000 },
      offer: clientOffer(11_016_667, 3_000),
      offerBand: { limit: 1_500_000, marginPpm: 3_000 },
      sides: 'both',
    });
  });

  test('is bookable for half a second after the next ladder, and not after a withdrawal', () => {
    on.ask(desk, { isLadder: true });
    const [, second] = idsOf(flush()[0]!);
    on.quote('EUR/USD', '1.10050x1000000', '1.10150x1000000');
    flush();
    on.nowMs += 500;
    expect(at(second!)).toMatchObject({ providerBid: 10_995_000, isCurrent: false });
    on.nowMs += 1;
    expect(at(second!)).toBeUndefined();
    on.quote('EUR/USD', BIDS, OFFERS);
    const third = idsOf(flush()[0]!)[1]!;
    on.withdraw('EUR/USD');
    expect(at(third)).toBeUndefined();
  });

  test('is not bookable once a level that it takes is too old', () => {
    on.ask(desk, { isLadder: true });
    const [first] = idsOf(flush()[0]!);
    on.nowMs += on.book.maxAgeMs;
    expect(at(first!)).toBeDefined();
    on.nowMs += 1;
    expect(at(first!)).toBeUndefined();
  });

  test.each([
    ['when it is asked for', () => {}],
    ['by the sweep', () => on.book.sweep()],
  ])('that has become too old, noticed %s, is not bookable, where another provider has levels', (_, notice) => {
    on.ask(desk, { isLadder: true });
    flush();
    on.nowMs += 4_000;
    on.book.tick(on.book.registerProvider('second'), 3, 10_999_000, 11_020_000, 1_000_000, 1_000_000, 0, 0);
    const [both] = idsOf(flush()[0]!);
    on.nowMs += 1_000;
    expect(at(both!)).toMatchObject({ isCurrent: true });
    on.nowMs += 1;
    notice();
    expect([at(both!), at(both!)]).toEqual([undefined, undefined]);
    expect(at(idsOf(flush()[0]!)[0]!)).toMatchObject({ providerBid: 10_999_000, isCurrent: true });
  });

  test('that was replaced is bookable for half a second, but not once a level is too old', () => {
    on.ask(desk, { isLadder: true });
    const [first] = idsOf(flush()[0]!);
    on.nowMs += on.book.maxAgeMs - 100;
    on.quote('EUR/USD', '1.10000x2000000 1.09900x1000000', OFFERS);
    const [second] = idsOf(flush()[0]!);
    on.nowMs += 100;
    expect(at(first!)).toMatchObject({ isCurrent: false });
    on.nowMs += 1;
    expect([at(first!), at(second!)]).toEqual([undefined, expect.objectContaining({ isCurrent: true })]);
  });

  test('dealt in the turn of a change: the desk is sent the new ladder all the same', () => {
    on.ask(desk, { isLadder: true });
    const [first] = idsOf(flush()[0]!);
    on.quote('EUR/USD', '1.10000x2000000 1.09900x1000000', OFFERS);
    expect(at(first!)).toMatchObject({ isCurrent: false });
    expect(flush().map((message) => bandsOf(message)[0])).toEqual(['0 1.1000000 2000000 A 1']);
  });

  test('a level that a request over REST finds too old ends for the desk too', () => {
    on.ask(desk, { isLadder: true });
    on.nowMs += 4_000;
    const second = ['EUR/USD', '1.10005x1000000 1.09000x1000000', '1.10095x1000000 1.12000x1000000'] as const;
    quoteLadder(on.book, on.book.registerProvider('second'), second);
    expect(flush()[0]!.all(271)).toHaveLength(8);
    on.nowMs += 1_001;
    expect(on.book.priceFor(3, true, 100_000_000n)).toBeDefined();
    on.book.sweep();
    expect(flush().map((message) => message.all(271))).toEqual([['1000000', '2000000', '1000000', '2000000']]);
  });

  test('is the client’s own, of a band that there is', () => {
    on.ask(desk, { isLadder: true });
    const [first] = idsOf(flush()[0]!);
    expect(at(first!, 'other')).toBeUndefined();
    const [tier, version] = first!.split('.');
    for (const id of [
      `${tier}.${version}`,
      `${tier}.${version}.4`,
      `${tier}.${version}.0`,
      `${tier}.${version}.11`,
      `${tier}.9.1`,
    ])
      expect([id, at(id)]).toEqual([id, undefined]);
    const plain = new HeldDesk(() => on.nowMs);
    on.ask(plain, {});
    on.publication.flush();
    expect(at(`${plain.received[0]!.get(299)}.1`)).toBeUndefined();
  });

  test('of a price for another spot date is no longer bookable', () => {
    on.ask(desk, { isLadder: true });
    const [first] = idsOf(flush()[0]!);
    on.spotDate = '20261125';
    on.publication.rollSpotDates();
    const [message] = flush();
    expect(message!.get(20012)).toBe('20261125');
    expect(at(first!)).toBeUndefined();
    expect(at(idsOf(message!)[0]!)).toMatchObject({ settlesOn: '20261125' });
  });
});
