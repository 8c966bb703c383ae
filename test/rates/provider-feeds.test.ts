import { readFileSync } from 'node:fs';
import {
  Acceptor,
  Dictionary,
  type Field,
  LogStream,
  type MessageView,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PAIRS } from '../../engine/domain/money/pair.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import { createFeed } from '../../engine/rates/feed.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { runCommand } from '../../engine/tools/lp-simulator/faults.js';
import {
  type LpSimulator,
  type LpSimulatorOptions,
  startLpSimulator,
} from '../../engine/tools/lp-simulator/simulator.js';
import { until } from '../support/until.js';
import { indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');
const pairs = ['EUR/USD', 'USD/JPY'].map((symbol) => PAIRS[indexOf(symbol)]);
const said: string[] = [];
const log = {
  info: (_fields: object, text: string) => said.push(text),
  warn: (fields: object, text: string) => said.push(`${text} ${JSON.stringify(fields)}`),
};

const open: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).reverse()) await (one.stop ?? one.close)?.call(one);
  said.length = 0;
});

type Way = 'ws' | 'fix W' | 'fix X';

async function desk(way: Way, options: RateBookOptions & LpSimulatorOptions = {}, user = '', patience = '') {
  const lp = await startLpSimulator({ ws: 0, fix: 0, pairs, ...options });
  open.push(lp);
  const book = new RateBook(options);
  const fix = `fix://${user}127.0.0.1:${lp.fixPort}?sender=US&target=LP&symbols=EURUSD+USDJPY&provider=LP${patience}`;
  const feed = createFeed(
    {
      ws: `ws://${user}127.0.0.1:${lp.wsPort}/#symbols=EURUSD+USDJPY&provider=LP`,
      'fix W': `${fix}&style=EURUSD`,
      'fix X': `${fix}&update=1`,
    }[way],
    { book, log },
  );
  open.push(feed);
  await feed.start();
  return { lp, book, feed };
}

/** A silent provider that has just shown exactly this price. Its source time, epoch microseconds. */
async function shows(lp: LpSimulator, book: RateBook, bid: number, offer: number): Promise<number> {
  lp.faults.isStalled = true;
  const sourceTimeUs = Date.now() * 1000 + 777;
  lp.tick({ pair: pairs[0], bid, offer, sourceTimeUs });
  await until(() => book.bid[EURUSD] === bid && book.offer[EURUSD] === offer);
  return sourceTimeUs;
}

test('the session with a FIX provider is in the message log, without its password', async () => {
  const lp = await startLpSimulator({ ws: 0, fix: 0, pairs, key: 'k', secret: 'hush' });
  open.push(lp);
  const messageLog = new LogStream();
  const seen: string[] = [];
  messageLog.on('data', ({ kind, session, text }) =>
    seen.push(`${session?.targetCompId ?? '-'} ${kind} ${text.replaceAll('\x01', '|')}`),
  );
  const feed = createFeed(`fix://k:hush@127.0.0.1:${lp.fixPort}?sender=US&target=LP&symbols=EURUSD`, {
    book: new RateBook(),
    log,
    messageLog,
  });
  open.push(feed);
  await feed.start();
  await until(() => seen.some((line) => /^LP in .*\|35=W\|/.test(line)));
  expect(seen.find((line) => line.startsWith('LP out'))).toMatch(/\|35=A\|.*\|554=\*{4}\|/);
  expect(seen.some((line) => /^LP in .*\|35=A\|/.test(line))).toBe(true);
});

describe.each<Way>(['ws', 'fix W', 'fix X'])('%s', (way) => {
  test('prices arrive to the digit, with sizes and the source time', async () => {
    const { lp, book } = await desk(way);
    await until(() => book.read(EURUSD) !== undefined && book.read(indexOf('USD/JPY')) !== undefined);
    // Seven decimals, near enough to be no jump.
    const bid = book.bid[EURUSD] + 1;
    const sourceTimeUs = await shows(lp, book, bid, bid + 1_307);
    expect(book.read(EURUSD)).toMatchObject({
      bid,
      offer: bid + 1_307,
      bidSize: 1_000_000,
      offerSize: 1_000_000,
      crossed: false,
    });
    // FIX carries what its parser keeps; at least the millisecond.
    expect(Math.abs((book.read(EURUSD)?.sourceTimeUs ?? 0) - sourceTimeUs)).toBeLessThan(1_000);
    expect(said.join()).not.toContain('rejected');
  });

  test('three levels arrive, up to the maximum of the pair', async () => {
    const { lp, book } = await desk(way, {}, '', '&depth=0');
    await until(() => book.read(EURUSD) !== undefined);
    const bid = book.bid[EURUSD] - (book.bid[EURUSD] % 100);
    await shows(lp, book, bid, bid + 1_200);
    const price = (units: number) => book.priceFor(EURUSD, true, BigInt(units * 100))?.price;
    // A quarter of the spread each.
    expect([price(1_000_000), price(3_000_000), price(5_000_000)]).toEqual([bid, bid - 200, bid - 360]);
    expect(price(5_000_001)).toBeUndefined();
    expect(book.priceFor(EURUSD, false, 500_000_000n)?.price).toBe(bid + 1_200 + 360);
  });

  test('prices of a silent provider become stale, and fresh with its next tick', async () => {
    const { lp, book } = await desk(way, { maxAgeMs: 250 });
    await until(() => book.read(EURUSD) !== undefined);
    runCommand(lp, 'stall');
    await until(() => {
      book.sweep();
      return book.bid[EURUSD] === 0;
    });
    expect(book.providers()[0].up).toBe(true);
    expect(book.stalePairs).toBeGreaterThan(0);
    runCommand(lp, 'resume');
    await until(() => book.bid[EURUSD] !== 0);
  });

  test('a lost connection withdraws its prices at once, and is reopened', async () => {
    const { lp, book } = await desk(way, { maxAgeMs: 600_000 });
    await until(() => book.read(EURUSD) !== undefined);
    lp.faults.isStalled = true;
    runCommand(lp, 'disconnect');
    await until(() => book.read(EURUSD) === undefined && book.read(indexOf('USD/JPY')) === undefined);
    expect(book.providers()[0].up).toBe(false);
    lp.faults.isStalled = false;
    await until(() => book.read(EURUSD) !== undefined);
    expect(book.providers()[0].up).toBe(true);
  });

  test('reconnects after a stall of this process, and drops the pending input', async () => {
    let stalledMs = 0;
    const { book } = await desk(way, { maxAgeMs: 600_000, now: () => performance.now() + stalledMs });
    await until(() => book.read(EURUSD) !== undefined);
    let withdrawn = 0;
    book.onChange((pair) => {
      if (book.bid[pair] === 0) withdrawn++;
    });
    book.sweep(1);
    stalledMs = 1_100;
    book.sweep(1);
    await until(() => withdrawn > 0);
    await until(() => book.read(EURUSD) !== undefined);
  });

  test('rejects and counts crossed prices, and accepts the others', async () => {
    const { lp, book } = await desk(way);
    await until(() => book.read(EURUSD) !== undefined);
    runCommand(lp, 'cross 20');
    await until(() => book.refused.crossed === 20);
    const before = book.providers()[0].ticks;
    await until(() => book.providers()[0].ticks > before + 4);
    expect(book.refused.crossed).toBe(20);
    expect(book.bid[EURUSD]).toBeLessThanOrEqual(book.offer[EURUSD]);
  });

  test('ignores one far tick, and accepts a new level once it is confirmed', async () => {
    const { lp, book } = await desk(way, { maxJumpPercent: 2 });
    await until(() => book.read(EURUSD) !== undefined && book.read(indexOf('USD/JPY')) !== undefined);
    const level = book.bid[EURUSD];
    runCommand(lp, 'spike 9');
    await until(() => book.refused.jump === 1);
    expect(book.bid[EURUSD]).toBeLessThan(level * 1.02);
    runCommand(lp, 'jump 9');
    await until(() => book.bid[EURUSD] > level * 1.07);
  });

  test('sends key and secret', async () => {
    const wrong = await desk(way, { key: 'k', secret: 's' }, 'k:x@');
    const right = await desk(way, { key: 'k', secret: 's' }, 'k:s@');
    await until(() => right.book.read(EURUSD) !== undefined);
    expect(wrong.book.read(EURUSD)).toBeUndefined();
    expect(said.join()).not.toContain('k:x');
  });

  test('stops while it is connected and while it is not', async () => {
    const { lp, feed, book } = await desk(way);
    await until(() => book.read(EURUSD) !== undefined);
    await lp.close();
    await until(() => book.read(EURUSD) === undefined);
    await feed.stop();
    expect(book.providers()[0].up).toBe(false);
  });
});

/** A FIX provider that answers each request so. Its port. */
async function venue(onMessage: (session: Session, message: MessageView) => void): Promise<number> {
  const acceptor = new Acceptor({
    port: 0,
    dictionary: Dictionary.parse(readFileSync('fix-config/FIX44-ratewire.xml', 'utf8')),
    store: memoryStoreFactory(),
    application: {
      authenticate: () => ({
        accept: true,
        profile: profile({ supported: new Set(['V', 'R']) }),
        reply: [],
        context: undefined,
      }),
      onLogon() {},
      onLogout() {},
      onMessage,
    },
  });
  open.push({ stop: () => acceptor.stop() });
  return (await acceptor.listen()).port;
}

describe('fix', () => {
  test('a pair that the provider rejects has no price, and is requested again after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const asked: string[] = [];
    const port = await venue((session, message) => {
      const mdReqId = message.string(262) ?? '';
      asked.push(mdReqId);
      session.send('Y', [
        [262, mdReqId],
        [281, 0],
        [58, 'not today'],
      ]);
    });
    const book = new RateBook();
    const feed = createFeed(`fix://127.0.0.1:${port}?sender=US&target=LP&symbols=EURUSD`, { book, log });
    open.push(feed);
    await feed.start();
    await until(() => said.some((text) => text.includes('not today')));
    expect(asked.length).toBe(1);
    vi.advanceTimersByTime(60_000);
    await until(() => asked.length === 2);
    expect(new Set(asked).size).toBe(2);
  });

  test('what a provider has sent of a pair is over with its refusal', async () => {
    let lp: { session: Session; request: string } | undefined;
    const port = await venue((session, message) => {
      lp = { session, request: message.string(262) ?? '' };
    });
    const book = new RateBook();
    const feed = createFeed(`fix://127.0.0.1:${port}?sender=US&target=LP&symbols=EURUSD&update=1`, { book, log });
    open.push(feed);
    await feed.start();
    await until(() => lp !== undefined);
    const { session, request } = lp!;
    const show = (number: number, bid: string, offer: string) =>
      session.send('X', [
        [268, 2],
        ...['0', '1'].flatMap((side): Field[] => [
          [279, 0],
          [269, side],
          [278, `${side}${number}`],
          [55, 'EUR/USD'],
          [270, side === '0' ? bid : offer],
          [271, 1_000_000],
        ]),
      ]);
    show(1, '1.1', '1.1003');
    await until(() => book.bid[EURUSD] === 11_000_000);
    session.send('Y', [
      [262, request],
      [281, 0],
    ]);
    await until(() => book.read(EURUSD) === undefined);
    show(2, '1.0999', '1.1004');
    await until(() => book.read(EURUSD) !== undefined);
    expect([book.bid[EURUSD], book.offer[EURUSD]]).toEqual([10_999_000, 11_004_000]);
  });

  /** A provider that was asked for quotes of EUR/USD. */
  async function askedForQuotes() {
    let lp: { session: Session; request: string } | undefined;
    const port = await venue((session, message) => {
      lp = { session, request: message.string(131) ?? '' };
    });
    const book = new RateBook({ maxAgeMs: 600_000 });
    const feed = createFeed(`fix://127.0.0.1:${port}?sender=US&target=LP&symbols=EURUSD&request=R`, { book, log });
    open.push(feed);
    await feed.start();
    await until(() => lp !== undefined);
    return { book, ...lp! };
  }

  test.each(['131', '55'])('the end of a MassQuote(i), by the field %s, ends its price', async (field) => {
    const { book, session, request } = await askedForQuotes();
    session.send('i', [
      [131, request],
      [117, 'Q1'],
      [296, 1],
      [302, 'A'],
      [304, 1],
      [295, 1],
      [299, '1'],
      [55, 'EUR/USD'],
      [132, '1.1'],
      [133, '1.1003'],
    ]);
    await until(() => book.read(EURUSD) !== undefined);
    session.send('AI', [[117, 'Q1'], field === '131' ? [131, request] : [55, 'EUR/USD'], [297, 6]]);
    await until(() => book.read(EURUSD) === undefined);
  });

  test('a second end of a quote is one too, while the pair is not asked for again yet', async () => {
    const { book, session, request } = await askedForQuotes();
    for (const quoteId of ['S1', 'S2']) {
      session.send('S', [
        [131, request],
        [117, quoteId],
        [55, 'EUR/USD'],
        [132, '1.1'],
        [133, '1.1003'],
      ]);
      await until(() => book.read(EURUSD) !== undefined);
      session.send('AI', [
        [117, quoteId],
        [55, 'EUR/USD'],
        [297, 6],
      ]);
      await until(() => book.read(EURUSD) === undefined);
    }
  });

  test.each([
    ['fix://lp:1?sender=US', /target=/],
    ['fix://lp?sender=US&target=LP', /port/],
    ['fix://lp:1?sender=US&target=LP&version=5', /4\.2, 4\.3, 4\.4/],
    ['fix://lp:1?sender=U S&target=LP', /sender=/],
    ['fix://lp:1?sender=US&target=LP&symbols=XAUUSD', /XAUUSD/],
    ['fix://lp:1?sender=US&target=LP&heartbeat=0', /heartbeat/],
    ['fix://lp:1?sender=US&target=LP&interval=0', /interval=... of lp:1 must be 1 to 300 seconds/],
    ['fix://lp:1?sender=US&target=LP&interval=1e1x', /interval/],
    ['fix://lp:1?sender=US&target=LP&symbol=EURUSD', /'symbol' is no parameter .* symbols=/],
    ['fix://u:hu%sh@lp:1?sender=US&target=LP', /%25/],
    ['ws://u:hu%sh@lp:1/', /%25/],
    ['ws://lp:1/#pairs=EURUSD', /'pairs' is no parameter .*symbols=/],
    ['fix://u:hush@lp:1?sender=US&target=LP&style=eurusd', /EUR\/USD/],
  ])('%s is refused with one line', (spec, text) => {
    let problem = '';
    try {
      createFeed(spec, { book: new RateBook(), log });
    } catch (error) {
      problem = String(error);
    }
    expect(problem).toMatch(text);
    expect(problem).not.toContain('hush');
  });
});
