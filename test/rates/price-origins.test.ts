/** What a price is made of: the providers, ids and times of its quotes, and the next best price. */
import { MessageView } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { ORIGIN_KEYS } from '../../engine/domain/money/price-columns.js';
import { type FixPriceSink, FixPrices } from '../../engine/rates/feeds/fix-prices.js';
import { FixQuotes } from '../../engine/rates/feeds/fix-quotes.js';
import { TickFrame } from '../../engine/rates/feeds/tick-frame.js';
import { QuoteId, SideOrigin } from '../../engine/rates/quote-origins.js';
import type { RateBook } from '../../engine/rates/rate-book.js';
import { RelayNames, RelayWriter, readRelayEntries, readRelayHeader } from '../../engine/rates/relay-message.js';
import { random } from '../domain/random.js';
import { bookWithClock, indexOf } from './clock.js';

const EURUSD = pairBySymbol('EUR/USD')!;
/** Whole numbers from 0 to below `end`, the same in every run. */
const wholeNumbers = (seed: number) => {
  const next = random(seed);
  return (end: number) => Math.floor(next() * end);
};

function idOf(text: string): string {
  const id = new QuoteId();
  const bytes = Buffer.from(`..${text}..`, 'latin1');
  id.set(bytes, 2, 2 + text.length);
  return Buffer.from(id.bytes.subarray(0, id.length)).toString('latin1');
}

function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'latin1')) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return `#${hash.toString(16).padStart(16, '0')}`;
}

describe('the id of a quote', () => {
  test.each(['7', 'Q-1/a.b:c|d', 'x'.repeat(20)])('%s is kept as it came', (id) => expect(idOf(id)).toBe(id));

  test.each(['x'.repeat(21), 'a b', 'a"b', 'a\\b', '#1', 'caf\xe9', 'a\x01', '9'.repeat(500)])(
    '%j is kept as its hash',
    (id) => expect(idOf(id)).toBe(fnv1a(id)),
  );

  test('the hash is FNV-1a of 64 bits, as published', () => {
    // From the vectors of its authors, for texts that are otherwise kept.
    expect(fnv1a('foobar')).toBe('#85944171f73967e8');
    const int = wholeNumbers(7);
    for (let i = 0; i < 500; i++) {
      const text = Array.from({ length: 21 + int(80) }, () => String.fromCharCode(int(256))).join('');
      expect(idOf(text)).toBe(fnv1a(text));
    }
  });

  test('a count is its digits', () => {
    for (const count of [1, 9, 10, 912, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
      const id = new QuoteId();
      id.setNumber(count);
      expect(Buffer.from(id.bytes.subarray(0, id.length)).toString()).toBe(String(count));
    }
  });
});

function setId(book: RateBook, bid: string, offer = bid): void {
  book.origin.isKnown = true;
  for (const [side, text] of [
    [book.origin.bid, bid],
    [book.origin.offer, offer],
  ] as const)
    side.id.set(Buffer.from(text), 0, text.length);
}

function legsOf(book: RateBook, symbol: string, isBid: boolean, nowMs: number) {
  const pair = pairBySymbol(symbol)!;
  const keys = new Float64Array(ORIGIN_KEYS);
  expect(book.read(pair.index)).toBeDefined();
  book.origins.write(pair.index, nowMs, keys);
  return book.origins
    .legs(pair, isBid, keys)
    .map(({ pair: { symbol: leg }, isBid: hit, provider, quoteId, price, sourceTimeUs, runnerUp }) =>
      [leg, hit ? 'bid' : 'offer', provider, quoteId, price, sourceTimeUs, runnerUp?.provider, runnerUp?.price].join(
        ' ',
      ),
    );
}

function twoProviders() {
  const made = bookWithClock();
  const { book } = made;
  const [a, b, c] = ['A', 'B', 'C'].map((name) => book.registerProvider(name));
  let number = 0;
  const tick = (provider: number, symbol: string, bid: number, offer: number, id: string, offerId = id) => {
    setId(book, id, offerId);
    book.tick(provider, indexOf(symbol), bid, offer, 0, 0, ++number, 0);
  };
  const legs = (symbol: string, isBid: boolean) => legsOf(book, symbol, isBid, made.clock.ms);
  return { ...made, a: a!, b: b!, c: c!, tick, legs };
}

describe('a price names', () => {
  test('the provider, the id and the time of each side, and the next best provider', () => {
    const { a, b, c, tick, legs } = twoProviders();
    tick(a, 'EUR/USD', 11_000_000, 11_003_000, 'a1');
    tick(b, 'EUR/USD', 10_999_000, 11_002_000, 'b1', 'b1-offer');
    tick(c, 'EUR/USD', 10_998_000, 11_004_000, 'c1');
    expect(legs('EUR/USD', true)).toEqual(['EUR/USD bid A a1 11000000 1 B 10999000']);
    expect(legs('EUR/USD', false)).toEqual(['EUR/USD offer B b1-offer 11002000 2 A 11003000']);
    tick(a, 'EUR/USD', 11_000_000, 11_003_000, 'a2');
    expect(legs('EUR/USD', true)).toEqual(['EUR/USD bid A a2 11000000 4 B 10999000']);
  });

  test('no next best provider where the others are too old, and no id where there is none', () => {
    const { a, b, book, clock, tick, legs } = twoProviders();
    tick(b, 'EUR/USD', 10_999_000, 11_004_000, 'b1');
    clock.ms += 5_001;
    book.tick(a, EURUSD.index, 11_000_000, 11_003_000, 0, 0, 7, 0);
    expect(legs('EUR/USD', true)).toEqual(['EUR/USD bid A  11000000 7  ']);
  });

  test('both legs of a cross, each on the side that is hit', () => {
    const { a, b, tick, legs } = twoProviders();
    tick(a, 'EUR/USD', 11_000_000, 11_003_000, 'a1');
    tick(b, 'EUR/USD', 10_999_000, 11_002_000, 'b1');
    tick(a, 'USD/JPY', 15_000_000, 15_001_000, 'a2');
    tick(a, 'GBP/USD', 13_000_000, 13_002_000, 'a3');
    expect(legs('EUR/JPY', true)).toEqual(['EUR/USD bid A a1 11000000 1 B 10999000', 'USD/JPY bid A a2 15000000 3  ']);
    expect(legs('EUR/JPY', false)).toEqual([
      'EUR/USD offer B b1 11002000 2 A 11003000',
      'USD/JPY offer A a2 15001000 3  ',
    ]);
    // Its second leg is GBP/USD turned round.
    expect(legs('EUR/GBP', true)).toEqual([
      'EUR/USD bid A a1 11000000 1 B 10999000',
      'GBP/USD offer A a3 13002000 4  ',
    ]);
    expect(legs('EUR/GBP', false)).toEqual([
      'EUR/USD offer B b1 11002000 2 A 11003000',
      'GBP/USD bid A a3 13000000 4  ',
    ]);
  });

  test('the one provider that makes the price while two are crossed against each other', () => {
    const { a, b, tick, legs } = twoProviders();
    tick(a, 'EUR/USD', 11_000_000, 11_001_000, 'a1');
    tick(b, 'EUR/USD', 11_002_000, 11_003_000, 'b1');
    expect(legs('EUR/USD', true)).toEqual(['EUR/USD bid B b1 11002000 2 A 11000000']);
    expect(legs('EUR/USD', false)).toEqual(['EUR/USD offer B b1 11003000 2 A 11001000']);
  });
});

test('keys of replaced prices name what they were made of, and never another quote', () => {
  const { book, clock } = bookWithClock({ maxJumpPercent: 100 });
  const providers = ['A', 'B', 'C'].map((name) => book.registerProvider(name));
  const symbols = ['EUR/USD', 'USD/JPY', 'GBP/USD'];
  const crossed = ['EUR/JPY', 'EUR/GBP', 'GBP/JPY', ...symbols];
  const int = wholeNumbers(11);
  const kept: { keys: Float64Array; symbol: string; isBid: boolean; was: unknown }[] = [];
  for (let i = 0; i < 3_000; i++) {
    const provider = providers[int(3)]!;
    const pair = indexOf(symbols[int(3)]!);
    if (int(20) === 0) book.withdraw(provider, pair);
    else {
      const bid = 11_000_000 + int(4) * 100;
      setId(book, `${i}`);
      book.tick(provider, pair, bid, bid + 200 + int(3) * 100, 0, 0, 1_000 + i, 0);
    }
    clock.ms += int(30);
    const symbol = crossed[int(6)]!;
    const { index } = pairBySymbol(symbol)!;
    if (book.read(index) === undefined) continue;
    const keys = new Float64Array(ORIGIN_KEYS);
    book.origins.write(index, clock.ms, keys);
    const isBid = int(2) === 0;
    // A quote of the same price that follows is as good: it has another id and time.
    const was = () =>
      book.origins
        .legs(pairBySymbol(symbol)!, isBid, keys)
        .map(({ price, provider: of, runnerUp }) => [of, price, runnerUp]);
    kept.push({ keys, symbol, isBid, was: was() });
  }
  expect(kept.length).toBeGreaterThan(2_000);
  for (const { keys, symbol, isBid, was } of kept)
    expect(
      book.origins
        .legs(pairBySymbol(symbol)!, isBid, keys)
        .map(({ price, provider, runnerUp }) => [provider, price, runnerUp]),
    ).toEqual(was);
});

describe('the relay', () => {
  function relayed(fill: (writer: RelayWriter, book: RateBook) => void) {
    const { book: source } = bookWithClock();
    const writer = new RelayWriter(3, source.origin.names);
    writer.begin(1, 1, true, 0);
    fill(writer, source);
    return { message: writer.finish(), source };
  }

  test('carries provider, id, time and runner-up of each side', () => {
    const { a, b, book, tick, clock } = twoProviders();
    tick(a, 'EUR/USD', 11_000_000, 11_003_000, 'a1');
    tick(b, 'EUR/USD', 10_999_000, 11_002_000, 'x'.repeat(30));
    const { message } = relayed((writer) => {
      const origin = { bid: new SideOrigin(), offer: new SideOrigin() };
      book.origins.fill(EURUSD.index, clock.ms, origin);
      // By the names of the other book, which are the same here.
      writer.add('EURUSD', 7, 11_000_000, 11_002_000, 0, 0, 2, 5, undefined, origin);
      writer.add('USDJPY', 5, 0, 0, 0, 0, 0, 0);
    });
    expect(readRelayHeader(message)).toBeDefined();
    for (let end = 0; end < message.length; end++) expect(readRelayHeader(message.subarray(0, end))).toBeUndefined();
  });

  test('of another engine is shown as what providers quote there', () => {
    const source = twoProviders();
    source.tick(source.a, 'EUR/USD', 11_000_000, 11_003_000, 'a1');
    source.tick(source.b, 'EUR/USD', 10_999_000, 11_002_000, 'x'.repeat(30));
    source.tick(source.a, 'USD/JPY', 15_000_000, 15_001_000, 'a2');
    const writer = new RelayWriter(3, source.book.origin.names);
    const follower = bookWithClock();
    const names = new RelayNames(follower.book.origin.names);
    const relay = follower.book.registerProvider('relay', { trusted: true });
    const origin = { bid: new SideOrigin(), offer: new SideOrigin() };
    for (let number = 1; number <= 2; number++) {
      writer.begin(1, number, true, 0);
      for (const symbol of ['EUR/USD', 'USD/JPY', 'GBP/USD']) {
        const { index, base, quote, priceDigits } = pairBySymbol(symbol)!;
        const { bid, offer, sourceTimeUs } = source.book;
        if (!source.book.isDirect(index)) {
          writer.add(base + quote, priceDigits, 0, 0, 0, 0, 0, 0);
          continue;
        }
        source.book.origins.fill(index, source.clock.ms, origin);
        const [low, high] = [bid[index]!, offer[index]!];
        writer.add(base + quote, priceDigits, low, high, 0, 0, sourceTimeUs[index]!, 5, undefined, origin);
      }
      readRelayEntries(
        writer.finish(),
        (entry) => {
          if (entry.bid === 0) return;
          follower.book.origin.isKnown = true;
          follower.book.origin.bid.copy(entry.origin!.bid);
          follower.book.origin.offer.copy(entry.origin!.offer);
          const pair = indexOf(`${entry.symbol.slice(0, 3)}/${entry.symbol.slice(3)}`);
          follower.book.tick(relay, pair, entry.bid, entry.offer, 0, 0, entry.sourceTimeUs, 0);
        },
        names,
      );
    }
    for (const symbol of ['EUR/USD', 'USD/JPY', 'EUR/JPY'])
      for (const isBid of [true, false])
        expect(legsOf(follower.book, symbol, isBid, follower.clock.ms)).toEqual(source.legs(symbol, isBid));
    expect(source.legs('EUR/USD', false)[0]).toContain(fnv1a('x'.repeat(30)));
  });

  test('messages with bytes that no writer makes are refused, and read without harm', () => {
    const { message } = relayed((writer, book) => {
      const origin = { bid: new SideOrigin(), offer: new SideOrigin() };
      origin.bid.by = book.origin.names.numberOf('LP-1');
      origin.offer.by = book.origin.names.numberOf('LP-2');
      origin.bid.id.set(Buffer.from('id'), 0, 2);
      writer.add('EURUSD', 7, 11_000_000, 11_002_000, 0, 0, 2, 5, undefined, origin);
    });
    const int = wholeNumbers(3);
    for (let i = 0; i < 5_000; i++) {
      const bytes = Buffer.from(message);
      for (let n = int(4); n >= 0; n--) bytes[4 + int(bytes.length - 4)] = int(256);
      if (readRelayHeader(bytes) === undefined) continue;
      const names = new RelayNames(bookWithClock().book.origin.names);
      readRelayEntries(bytes, ({ origin }) => expect(origin?.bid.id.length ?? 0).toBeLessThanOrEqual(20), names);
    }
  });
});

describe('a feed reads the ids of quotes', () => {
  test('of WebSocket frames', () => {
    const frame = new TickFrame();
    const scanned = (rest: string) => {
      expect(frame.scan(Buffer.from(`{"s":"EUR/USD","b":"1.1","a":"1.2"${rest}}`))).toBe('tick');
      return [Buffer.from(frame.id.bytes.subarray(0, frame.id.length)).toString(), frame.sequence];
    };
    expect(scanned('')).toEqual(['', 0]);
    expect(scanned(',"n":912')).toEqual(['', 912]);
    expect(scanned(',"n":912,"id":"Q77"')).toEqual(['Q77', 912]);
    expect(scanned(',"id":77')).toEqual(['77', 0]);
  });

  function fix() {
    const ids: string[] = [];
    const text = ({ bytes, length }: QuoteId) => Buffer.from(bytes.subarray(0, length)).toString();
    const id = new QuoteId();
    const sink: FixPriceSink = {
      tick(_pair, _ladder, _sourceTimeUs, _endsAtMs, entries) {
        ids.push(
          [true, false]
            .map((isBid) => {
              entries.readId(isBid, id);
              return text(id);
            })
            .join('/'),
        );
      },
      withdraw: () => ids.push('-'),
      spotDate: () => 20251124,
      otherDate() {},
      malformed: () => ids.push('malformed'),
      unknownPair: () => ids.push('unknown'),
    };
    const view = (msgType: string, body: string): MessageView => {
      const inner = `35=${msgType}|34=2|49=LP|52=20251120-00:00:00.250|56=US|${body}|`.replaceAll('|', '\x01');
      const head = `8=FIX.4.4\x019=${inner.length}\x01${inner}`;
      const sum = [...Buffer.from(head, 'latin1')].reduce((all, byte) => all + byte, 0) % 256;
      const bytes = Buffer.from(`${head}10=${String(sum).padStart(3, '0')}\x01`, 'latin1');
      const read = new MessageView();
      expect(read.index(bytes, 0, bytes.length)).toBe(true);
      return read;
    };
    return {
      ids,
      view,
      prices: new FixPrices(sink),
      quotes: new FixQuotes(
        sink,
        () => -1,
        () => 0,
      ),
    };
  }

  test('of W and X: QuoteEntryID(299), else MDEntryID(278), of the best entry of each side', () => {
    const { ids, view, prices } = fix();
    const X = (body: string) => prices.incremental(view('X', body), -1);
    prices.snapshot(view('W', '55=EUR/USD|268=3|269=0|270=1.1|299=qb2|269=0|270=1.11|299=qb1|269=1|270=1.2'), -1);
    X('268=2|279=0|269=0|278=b1|55=EUR/USD|270=1.1|279=0|269=1|278=o1|55=EUR/USD|270=1.2');
    X('268=1|279=0|269=0|278=b2|55=EUR/USD|270=1.15');
    X('268=1|279=1|269=0|278=b1|55=EUR/USD|270=1.16|299=qb9');
    X('268=1|279=2|278=b1|55=EUR/USD');
    X('268=1|279=1|278=o3|280=o1|55=EUR/USD|270=1.19');
    expect(ids).toEqual(['qb1/', 'b1/o1', 'b2/o1', 'qb9/o1', 'b2/o1', 'b2/o3']);
  });

  test('of MassQuote(i) and Quote(S)', () => {
    const { ids, view, quotes } = fix();
    quotes.massQuote(view('i', '117=m1|296=1|302=1|311=EUR/USD|295=2|299=e1|132=1.1|133=1.2|299=e2|132=1.11|133=1.21'));
    quotes.massQuote(view('i', '117=m2|296=1|302=1|311=EUR/USD|295=1|299=e1|132=1.12'));
    quotes.quote(view('S', `131=r|117=${'q'.repeat(21)}|55=EUR/USD|132=1.1|133=1.2`));
    expect(ids[0]).toBe('e2/e1');
    expect(ids[1]).toBe('e1/e1');
    expect(ids[2]).toBe(`${fnv1a('q'.repeat(21))}/${fnv1a('q'.repeat(21))}`);
  });
});
