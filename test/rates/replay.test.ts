import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../engine/domain/money/money.js';
import { PAIRS, pairOf } from '../../engine/domain/money/pair.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import { createFeed, createFeeds, type Feed, FeedSettingError } from '../../engine/rates/feed.js';
import { referenceRates } from '../../engine/rates/feeds/reference-rates.js';
import { RECORDED_SURVEY } from '../../engine/rates/feeds/replay-feed.js';
import { readTickFile, surveyTickFile } from '../../engine/rates/feeds/tick-file.js';
import { DIRECT_PAIRS, RateWalk } from '../../engine/rates/feeds/walk.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { until } from '../support/until.js';
import { indexOf } from './clock.js';

const HOUR = 'engine/rates/data/fx-ticks-2014-05-06T12.csv.gz';
const around = (day: string) => `test/rates/data/fx-ticks-${day}T12-15.csv`;
const log = { info() {}, warn() {} };

let folder: string;
let feed: Feed | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratewire-ticks-'));
});
afterEach(async () => {
  await feed?.stop();
  feed = undefined;
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function play(spec: string, options: RateBookOptions = {}) {
  const book = new RateBook(options);
  feed = createFeed(spec, { book, log });
  await feed.start();
  return book;
}

function mid(book: RateBook, symbol: string): number {
  const price = book.read(indexOf(symbol));
  return price ? (price.bid + price.offer) / 2 / 10 ** PAIRS[indexOf(symbol)].priceDigits : Number.NaN;
}

describe("at 12:15:00 UTC the price is the ECB's reference rate, within one basis point", () => {
  test.each([
    ['2014-05-06', 1.3945, 1.5909],
    ['2014-05-07', 1.3927, 1.6035],
    ['2014-05-08', 1.3953, 1.6122],
    ['2014-05-09', 1.3781, 1.5957],
  ])('%s', async (day, eurUsd, eurNzd) => {
    // At this moment of 2014-05-09 the last NZD/USD of either provider was six seconds old.
    const book = await play(`replay:${around(day)}@${day}T12:15:00Z`);
    expect(Math.abs(mid(book, 'EUR/USD') / eurUsd - 1)).toBeLessThan(0.0001);
    expect(Math.abs(mid(book, 'EUR/NZD') / eurNzd - 1)).toBeLessThan(0.0001);
    expect(book.read(indexOf('EUR/NZD'))?.crossed).toBe(true);
    expect(book.read(indexOf('EUR/USD'))?.crossed).toBe(false);
  });
});

describe('the default feed', () => {
  test('quotes or crosses every pair of the offered currencies', async () => {
    const book = await play('replay');
    await until(() => book.providers().length === 3 && book.providers().every((p) => p.ticks > 0));
    await until(() => book.read(indexOf('EUR/USD')) !== undefined && book.read(indexOf('NZD/USD')) !== undefined);
    const missing = PAIRS.filter((pair) => book.read(pair.index) === undefined).map((pair) => pair.symbol);
    expect(missing).toEqual([]);
    expect(CURRENCIES.length).toBeGreaterThanOrEqual(30);
  });

  test('its stated contents are those of the file', async () => {
    expect(await surveyTickFile(HOUR)).toEqual(RECORDED_SURVEY);
  });

  test('a source time is shifted to now', async () => {
    const book = await play('replay');
    await until(() => book.read(indexOf('EUR/USD')) !== undefined);
    const sourceMs = (book.read(indexOf('EUR/USD'))?.sourceTimeUs ?? 0) / 1000;
    expect(Math.abs(sourceMs - Date.now())).toBeLessThan(60_000);
  });
});

test('five minutes of the recorded file: rejects and counts crossed ticks, accepts the others, and is never crossed', async () => {
  let nowMs = 0;
  const book = new RateBook({ now: () => nowMs });
  let crossed = 0;
  let changes = 0;
  book.onChange((pair) => {
    changes++;
    if (book.bid[pair] > book.offer[pair]) crossed++;
  });
  let ticks = 0;
  let crossedTicks = 0;
  let fxcmEurUsd = 0;
  let fxcmCrossed = 0;
  let fromMs = 0;
  const counts = { broken: 0, unknownPairs: 0 };
  for await (const rows of readTickFile(HOUR, counts)) {
    for (const row of rows) {
      fromMs ||= row.timeMs;
      if (row.timeMs >= fromMs + 300_000) break;
      nowMs = row.timeMs;
      ticks++;
      const isCrossed = row.bid > row.offer;
      if (isCrossed) crossedTicks++;
      if (row.provider === 'FXCM' && row.pair === indexOf('EUR/USD')) {
        fxcmEurUsd++;
        if (isCrossed) fxcmCrossed++;
      }
      book.tick(book.registerProvider(row.provider), row.pair, row.bid, row.offer, 0, 0, row.timeMs * 1000, 0);
      book.sweep();
    }
  }
  expect(ticks).toBeGreaterThan(1_000);
  expect(fxcmCrossed / fxcmEurUsd).toBeGreaterThan(0.05);
  expect(book.refused).toEqual({
    crossed: crossedTicks,
    negative: 0,
    order: 0,
    jump: 0,
    ladder: 0,
    level: 0,
    spread: 0,
    malformed: 0,
    'unknown-pair': 0,
  });
  expect(crossed).toBe(0);
  expect(changes).toBeGreaterThan(ticks / 2);
  expect(counts).toEqual({ broken: 0, unknownPairs: 0 });
});

describe('a file', () => {
  const header = 'timestamp_utc_ms,pair,bid,ask,provider\n';

  test('with broken rows and unknown pairs plays the others', async () => {
    const path = file(
      'ticks.csv.gz',
      gzipSync(
        `${header}1000,EURUSD,1.1,1.2,A\nx,EURUSD,1.1,1.2,A\n1000,EURUSD,1.1,A\n1000,EURUSD,1.1,1.2,A,more\n1000,XAUUSD,1.1,1.2,A\n1001,GBPUSD,1.50000,1.50002,A`,
      ),
    );
    const counts = { broken: 0, unknownPairs: 0 };
    const rows = [];
    for await (const batch of readTickFile(path, counts)) rows.push(...batch);
    expect(rows.map((row) => row.timeMs)).toEqual([1000, 1001]);
    expect(counts).toEqual({ broken: 3, unknownPairs: 1 });
  });

  test('with a byte order mark and CRLF is read too', async () => {
    const path = file('windows.csv', `\ufeff${header}1000,EURUSD,1.1,1.2,A\n`.replaceAll('\n', '\r\n'));
    const counts = { broken: 0, unknownPairs: 0 };
    const rows = [];
    for await (const batch of readTickFile(path, counts)) rows.push(...batch);
    expect(rows.map((row) => row.timeMs)).toEqual([1000]);
    expect(counts).toEqual({ broken: 0, unknownPairs: 0 });
  });

  test('of one pair and no provider: the pair is in its name', async () => {
    const book = await play('replay:test/rates/data/truefx-usdjpy-2013-01-01.csv@2013-01-01T22:02:44Z');
    await until(() => !Number.isNaN(mid(book, 'USD/JPY')));
    expect(mid(book, 'USD/JPY')).toBeCloseTo(86.69, 1);
    // Walked from the last reference rates before that day.
    expect(mid(book, 'EUR/USD')).toBeCloseTo(1.3194, 2);
  });

  test('is played again from its start; the difference at the seam is no jump', async () => {
    const rows = [100, 101, 102, 103, 104, 105, 106].map((mid, i) => `${1000 + i},EURUSD,1.${mid},1.${mid}02,A`);
    const book = await play(`replay:${file('loop.csv', `${header}${rows.join('\n')}`)}`, { maxJumpPercent: 0.3 });
    await until(() => (book.providers().find((p) => p.name === 'A')?.ticks ?? 0) >= 21);
    expect(book.refused).toMatchObject({ jump: 0, order: 0 });
  });

  test('from a moment on: the last good tick before it is the price at once, received now, with its own source time', async () => {
    const rows = ['1000,EURUSD,1.1,1.10001,A', '2000,EURUSD,1.2,1.1,A', '900000,EURUSD,1.3,1.30001,A'];
    const begunAtMs = performance.now();
    const book = await play(`replay:${file('prime.csv', `${header}${rows.join('\n')}`)}@1970-01-01T00:01:41Z`);
    expect(mid(book, 'EUR/USD')).toBeCloseTo(1.1, 4);
    const price = book.read(indexOf('EUR/USD'));
    // By the file it is 100 s old.
    expect(price?.ageMs).toBeLessThanOrEqual(performance.now() - begunAtMs);
    expect(Date.now() - (price?.sourceTimeUs ?? 0) / 1000).toBeGreaterThanOrEqual(100_000);
  });

  test('starts at a round time just before its first tick or just after its last', async () => {
    const path = file('day.csv', `${header}100300,EURUSD,1.1,1.10001,A\n100900,EURUSD,1.2,1.20001,A`);
    const before = await play(`replay:${path}@1970-01-01T00:01:40Z`);
    expect(mid(before, 'EUR/USD')).toBeNaN();
    await until(() => !Number.isNaN(mid(before, 'EUR/USD')));
    await feed?.stop();
    const after = await play(`replay:${path}@1970-01-01T00:02:40Z`);
    expect(mid(after, 'EUR/USD')).toBeCloseTo(1.2, 4);
    await feed?.stop();
    await expect(play(`replay:${path}@1970-01-01T00:02:41Z`)).rejects.toThrow(/outside of/);
  });

  test.each([
    ['replay:/nowhere/ticks.csv', /cannot be read/],
    ['replay:', /names no file/],
    [`replay:${HOUR}@soon`, /is not a time as RFC 3339/],
    [`replay:${HOUR}@2014-05-06T12:15:00`, /is not a time as RFC 3339/],
    [`replay:${HOUR}@2014-05-06T14:15:00Z`, /outside of .*2014-05-06T12:00/],
    ['replay:test/rates/clock.ts', /first line/],
    ['replay:test/rates', /cannot be read as a file/],
    ['replay:/dev/zero', /cannot be read as a file/],
    [`replay:${HOUR}@2014-02-30T12:15:00Z`, /'2014-02-30T12:15:00Z' is not a time as RFC 3339/],
    ['replay:EMPTY', /no row/],
    ['replay:TORN', /unexpected end/],
    ['simulated:x', /whole number/],
    ['reply', /accepted: replay/],
    ['http://key:secret@lp/', /accepted: replay/],
    ['relay', /REDIS_URL/],
    ['ws://', /no URL/],
    ['ws://lp:1/#symbols=EURUSD+ABCDEF', /ABCDEF/],
  ])('rejects %s with one line that names the remedy', async (spec, text) => {
    const real = spec
      .replace('EMPTY', file('empty.csv', header))
      .replace('TORN', file('torn.csv.gz', gzipSync(`${header}1000,EURUSD,1.1,1.2,A\n`.repeat(99)).subarray(0, -20)));
    const problem = await play(real).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(FeedSettingError);
    expect(String(problem)).toMatch(text);
    expect(String(problem)).not.toContain('secret');
    expect(String(problem).split('\n').length).toBe(1);
  });
});

describe('the walk', () => {
  const ticksOf = (seed: number) => {
    const walk = new RateWalk(referenceRates('2014-05-06'), seed);
    return Array.from({ length: 500 }, () => walk.next());
  };

  test('the same seed gives the same walk, another seed another', () => {
    expect(ticksOf(7)).toEqual(ticksOf(7));
    expect(ticksOf(7)).not.toEqual(ticksOf(8));
  });

  test('starts at the last reference rates at or before the day', () => {
    expect(referenceRates('2014-05-11').date).toBe('2014-05-09');
    expect(referenceRates('1999-01-01').date).toBe('2012-01-02');
    const eurUsd = ticksOf(7).find((tick) => tick.pair.symbol === 'EUR/USD');
    expect((eurUsd?.bid ?? 0) / 1e7).toBeCloseTo(1.3945, 3);
  });

  test('reaches every currency', () => {
    const named = new Set(DIRECT_PAIRS.flatMap((pair) => [pair.base, pair.quote]));
    expect(CURRENCIES.map((currency) => currency.code).filter((code) => !named.has(code))).toEqual([]);
    for (const { code } of CURRENCIES) if (code !== 'USD') expect(DIRECT_PAIRS).toContain(pairOf('USD', code)?.pair);
  });

  test('does not move a currency whose price a provider sends', () => {
    const eurAud = PAIRS[indexOf('EUR/AUD')];
    const walk = new RateWalk(referenceRates('2014-05-06'), 1, [eurAud]);
    walk.lead(indexOf('AUD/USD'), 9_350_000, 9_350_000);
    const first = walk.next();
    for (let i = 0; i < 1_000; i++) expect(walk.next()).toEqual(first);
    expect((first.bid + first.offer) / 2 / 10 ** eurAud.priceDigits).toBeCloseTo(1.3945 / 0.935, 3);
  });

  test('a euro cross agrees with its two dollar pairs', () => {
    const latest = new Map<string, number>();
    for (const { pair, bid, offer } of ticksOf(3)) latest.set(pair.symbol, (bid + offer) / 2 / 10 ** pair.priceDigits);
    const implied = (latest.get('EUR/USD') ?? 0) * (latest.get('USD/JPY') ?? 0);
    expect(Math.abs(implied / (latest.get('EUR/JPY') ?? 0) - 1)).toBeLessThan(0.0003);
  });
});

test('several feeds are separated by commas', () => {
  const deps = { book: new RateBook(), log };
  expect(createFeeds('replay, simulated:3,ws://lp.example:1/', deps).map((made) => made.name)).toEqual([
    'replay',
    'simulated:3',
    'ws:lp.example-1',
  ]);
  expect(deps.book.providers()).toEqual([]);
});
