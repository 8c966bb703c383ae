/** What bank providers send instead of W and X, or beyond FIX 4.4, over TCP; and why they leave. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { formatUtcTimestamp, MessageView } from 'node-quickfix-ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Ladder } from '../../engine/domain/money/ladder.js';
import { PAIRS } from '../../engine/domain/money/pair.js';
import { createFeed } from '../../engine/rates/feed.js';
import { FixQuotes } from '../../engine/rates/feeds/fix-quotes.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { runCommand } from '../../engine/tools/lp-simulator/faults.js';
import { type LpSimulatorOptions, startLpSimulator } from '../../engine/tools/lp-simulator/simulator.js';
import { awayProviders } from '../../engine/wiring/metrics/rate-metrics.js';
import { createAuthority } from '../support/certificate.js';
import { until } from '../support/until.js';
import { indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');
const BID = 11_000_000;
const open: { close?(): Promise<void>; stop?(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).reverse()) await (one.stop ?? one.close)?.call(one);
});

async function provider(options: LpSimulatorOptions['dialect'], query: string) {
  const lp = await startLpSimulator({ fix: 0, pairs: [PAIRS[EURUSD]!], dialect: options });
  open.push(lp);
  lp.faults.isStalled = true;
  const clock = { offsetMs: 0 };
  const now = () => performance.now() + clock.offsetMs;
  const book = new RateBook({ maxAgeMs: 600_000, maxJumpPercent: 100, now });
  const said: string[] = [];
  const say = (fields: object, text: string) => said.push(`${text} ${JSON.stringify(fields)}`);
  const url = `fix://127.0.0.1:${lp.fixPort}?sender=US&target=LP&symbols=EURUSD&provider=LP${query}`;
  const feed = createFeed(url, { book, log: { info: say, warn: say }, now });
  open.push(feed);
  await feed.start();
  const show = (bid: number) =>
    lp.tick({ pair: PAIRS[EURUSD]!, bid, offer: bid + 1_200, sourceTimeUs: Date.now() * 1_000 });
  const price = (units: number) => book.priceFor(EURUSD, true, BigInt(units * 100))?.price;
  show(BID);
  return { lp, book, said, show, price, clock };
}

test('Quote(S): a stream of quotes to a QuoteRequest(R), until QuoteCancel(Z)', async () => {
  const { lp, book, show, price } = await provider({}, '&request=R&amount=2000000');
  await until(() => book.bid[EURUSD] === BID);
  expect(book.read(EURUSD)).toMatchObject({ bid: BID, offer: BID + 1_200, bidSize: 1_000_000 });
  // A provider with one level carries the maximum of the pair.
  expect(price(5_000_000)).toBe(BID);
  show(BID + 100);
  await until(() => book.bid[EURUSD] === BID + 100);
  expect(runCommand(lp, 'cancel')).toContain('cancelled');
  await until(() => book.read(EURUSD) === undefined);
  show(BID + 200);
  await until(() => book.bid[EURUSD] === BID + 200);
});

test('Quote(S): the price ends at its ValidUntilTime(62), before it is too old', async () => {
  const { book, clock } = await provider({}, '&request=R');
  await until(() => book.bid[EURUSD] === BID);
  clock.offsetMs += 50_000;
  expect(book.read(EURUSD)).toBeDefined();
  clock.offsetMs += 11_000;
  expect(book.read(EURUSD)).toBeUndefined();
});

test('Quote(S): after a stall it ends as much sooner as it may have waited', async () => {
  const { book, clock, show } = await provider({}, '&request=R');
  await until(() => book.bid[EURUSD] === BID);
  book.sweep(500);
  clock.offsetMs += 11_000;
  show(BID + 100);
  await until(() => book.bid[EURUSD] === BID + 100);
  clock.offsetMs += 48_000;
  expect(book.read(EURUSD)).toBeDefined();
  clock.offsetMs += 2_000;
  expect(book.read(EURUSD)).toBeUndefined();
});

test('a stream of quotes that has run out by QuoteStatusReport(AI) is asked for again', async () => {
  const { lp, book, said, show, clock } = await provider({}, '&request=R');
  await until(() => book.bid[EURUSD] === BID);
  // At once, a second or more after the request.
  clock.offsetMs += 1_001;
  runCommand(lp, 'expire');
  show(BID + 100);
  await until(() => book.bid[EURUSD] === BID + 100);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  runCommand(lp, 'expire');
  await until(() => said.some((line) => line.startsWith('provider refused a pair; asking again in 60 s')));
  expect(book.read(EURUSD)).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  show(BID + 200);
  await until(() => book.bid[EURUSD] === BID + 200);
});

test('MassQuote(i): each entry is a level, and is acknowledged as QuoteResponseLevel(301) asks', async () => {
  const { lp, book, show, price } = await provider({ massQuotes: true }, '&depth=0');
  await until(() => book.bid[EURUSD] === BID);
  expect([price(1_000_000), price(3_000_000), price(5_000_000)]).toEqual([BID, BID - 200, BID - 360]);
  expect(price(5_000_001)).toBeUndefined();
  show(BID + 100);
  await until(() => book.bid[EURUSD] === BID + 100);
  await until(() => lp.acknowledged.length >= 2);
  expect(lp.acknowledged.every((one) => / 0$/.test(one))).toBe(true);
});

describe('SettlDate(64) in each entry', () => {
  test.each(['&depth=0', '&depth=0&update=1'])('%s: only the prices for spot are used', async (query) => {
    const { book, said, show, price } = await provider({ settlDates: true }, query);
    await until(() => book.bid[EURUSD] === BID);
    show(BID + 100);
    await until(() => book.bid[EURUSD] === BID + 100);
    expect(price(5_000_001)).toBeUndefined();
    expect(said.filter((line) => line.startsWith('provider quotes other dates too')).length).toBe(1);
  });

  test('is in the dictionary of the provider, by which its messages are checked, and never in ours', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'dictionary-'));
    const ours = 'fix-config/FIX44-ratewire.xml';
    const extended = join(directory, 'LP.xml');
    const entry = "<field name='MDEntryTime' required='N' />";
    const text = readFileSync(ours, 'utf8');
    expect(text).toContain(entry);
    writeFileSync(extended, text.replaceAll(entry, `${entry}<field name='SettlDate' required='N' />`));
    const known = await provider({ settlDates: true }, `&dictionary=${extended}`);
    await until(() => known.book.bid[EURUSD] === BID);
    const unknown = await provider({ settlDates: true }, `&dictionary=${ours}`);
    const plain = await provider({}, `&dictionary=${ours}`);
    await until(() => plain.book.bid[EURUSD] === BID);
    expect(unknown.book.bid[EURUSD]).toBe(0);
    rmSync(directory, { recursive: true });
  });
});

test('the reason of a Logout(5) is logged and kept', async () => {
  const { lp, book, said } = await provider({}, '');
  await until(() => book.bid[EURUSD] === BID);
  expect(book.providers()[0]).toMatchObject({ up: true, losses: 0 });
  runCommand(lp, 'logout closed for maintenance until 18:00');
  await until(() => book.providers()[0]!.losses === 1);
  expect(book.providers()[0]!.lastLoss).toContain('closed for maintenance until 18:00');
  expect(said.some((line) => /^provider away.*closed for maintenance until 18:00/.test(line))).toBe(true);
  // A provider's text may have any byte; what is shown of it is one line.
  const other = book.registerProvider('other');
  book.providerDown(other, `until\n18:00 ${'x'.repeat(300)}`);
  expect(awayProviders(book).at(-1)).toMatch(/^provider other away: until\?18:00 x{188}$/);
  // It logs on again, and the reason stays.
  await until(() => book.bid[EURUSD] === BID);
  expect(book.providers()[0]).toMatchObject({ up: true, losses: 1 });
});

/** A feed of one pair from that address. */
async function feedOf(address: string) {
  const book = new RateBook({ maxSpreadPercent: 100 });
  const said: string[] = [];
  const say = (fields: object, text: string) => said.push(`${text} ${JSON.stringify(fields)}`);
  const url = `${address}?sender=US&target=LP&symbols=EURUSD&provider=LP`;
  const feed = createFeed(url, { book, log: { info: say, warn: say } });
  open.push(feed);
  await feed.start();
  return { book, said };
}

test('a connection that a provider refuses, or whose certificate is not trusted, has its cause in log, /ready and metrics', async () => {
  const { key, certificate } = await (await createAuthority('test')).issue('localhost');
  const server = createTlsServer({ key, cert: certificate }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const untrusted = await feedOf(`fixs://127.0.0.1:${port}`);
  await until(() => untrusted.book.providers()[0]!.losses > 0);
  expect(awayProviders(untrusted.book)).toEqual([expect.stringContaining('provider LP away: certificate: ')]);
  await new Promise((resolve) => server.close(resolve));

  const refused = await feedOf(`fix://127.0.0.1:${port}`);
  // Each attempt counts, and a cause is logged once until it changes.
  await until(() => refused.book.providers()[0]!.losses > 1);
  expect(awayProviders(refused.book)).toEqual([expect.stringContaining('provider LP away: refused: ')]);
  const failed = refused.said.filter((line) => line.startsWith('provider connection failed'));
  expect(failed).toEqual([expect.stringContaining('"cause":"refused"')]);
});

test('a Logon(A) that the provider rejects has its reason in log, /ready and metrics', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      const body = '35=3|34=1|49=LP|52=20251120-00:00:00.250|56=US|45=1|371=108|373=5|58=heartbeat of 10 s only|';
      socket.write(withHead(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  const { book, said } = await feedOf(`fix://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await until(() => book.providers()[0]!.losses > 0);
  expect(awayProviders(book)[0]).toContain('heartbeat of 10 s only');
  expect(said.some((line) => /^provider away.*heartbeat of 10 s only/.test(line))).toBe(true);
});

test('a price that is sent again is as old as it was first sent', async () => {
  const at = (agoMs: number) => formatUtcTimestamp(Date.now() - agoMs);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const header = (msgType: string, number: number) => `35=${msgType}|34=${number}|49=LP|52=${at(0)}|56=US`;
      const price = (symbol: string) => `55=${symbol}|268=2|269=0|270=1.1|271=1|269=1|270=1.2|271=1|`;
      socket.write(withHead(`${header('A', 1)}|98=0|108=30|141=Y|`));
      socket.write(withHead(`${header('W', 2)}|43=Y|122=${at(3_600_000)}|${price('EUR/USD')}`));
      socket.write(withHead(`${header('W', 3)}|43=Y|122=${at(2_000)}|${price('GBP/USD')}`));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  const { book } = await feedOf(`fix://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await until(() => book.providers()[0]!.ticks === 2);
  expect(book.read(EURUSD)).toBeUndefined();
  expect(book.read(indexOf('GBP/USD'))?.ageMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(2_000);
});

/** With BeginString(8), BodyLength(9) and CheckSum(10); `|` for SOH. */
function withHead(body: string): Buffer {
  const inner = body.replaceAll('|', '\x01');
  const head = `8=FIX.4.4\x019=${inner.length}\x01${inner}`;
  const sum = [...Buffer.from(head, 'latin1')].reduce((all, byte) => all + byte, 0) % 256;
  return Buffer.from(`${head}10=${String(sum).padStart(3, '0')}\x01`, 'latin1');
}

/** A MassQuote(i), Quote(S) or QuoteCancel(Z); `|` for SOH. */
function message(msgType: string, body: string): MessageView {
  const bytes = withHead(`35=${msgType}|34=2|49=LP|52=20251120-00:00:00.250|56=US|${body}|`);
  const view = new MessageView();
  expect(view.index(bytes, 0, bytes.length)).toBe(true);
  return view;
}

function quotes() {
  const out: string[] = [];
  const clock = { ms: 5_000, spot: 20251124 };
  /** In how many ms each price ends by itself. */
  const ends: number[] = [];
  const side = ({ count, price, size }: Ladder['bid']) =>
    [...price.subarray(0, count)].map((scaled, i) => `${size[i]! / 1e6}@${scaled / 1e7}`).join(' ');
  const read = new FixQuotes(
    {
      tick(pair, { bid, offer }, _, endsAtMs) {
        out.push(`${PAIRS[pair]!.symbol} ${side(bid)} | ${side(offer)}`);
        ends.push(endsAtMs - clock.ms);
      },
      withdraw: (pair) => out.push(`${PAIRS[pair]!.symbol} -`),
      spotDate: () => clock.spot,
      otherDate() {},
      malformed: () => out.push('malformed'),
      unknownPair: () => out.push('unknown'),
    },
    (view, field) => {
      const id = Buffer.from(view.buffer.subarray(view.valueStartAt(field), view.valueEndAt(field))).toString();
      return field >= 0 && id === 'EURUSD-1' ? EURUSD : -1;
    },
    () => clock.ms,
  );
  return { out, read, clock, ends };
}

const ENTRY = '55=EUR/USD|132=1.1|133=1.1001|134=1000000|135=2000000';

describe('a MassQuote(i)', () => {
  test('changes the entries that it names, and leaves the others', () => {
    const { out, read } = quotes();
    const i = (body: string) => read.massQuote(message('i', body));
    expect(
      i(`117=Q1|296=1|302=A|304=2|295=2|299=1|${ENTRY}|299=2|55=EUR/USD|132=1.0999|133=1.1003|134=3000000`),
    ).toBeUndefined();
    i('117=Q2|296=1|302=A|304=1|295=1|299=2|55=EUR/USD|132=1.0998');
    i('117=Q3|296=1|302=A|304=1|295=1|299=1|55=EUR/USD|132=0|133=0');
    expect(out).toEqual([
      'EUR/USD 1@1.1 3@1.0999 | 2@1.1001 0@1.1003',
      'EUR/USD 1@1.1 3@1.0998 | 2@1.1001 0@1.1003',
      'EUR/USD 3@1.0998 | 0@1.1003',
    ]);
  });

  test('has sizes of its own for entries without them, and a stated size of 0 is no price', () => {
    const { out, read } = quotes();
    const i = (body: string) => read.massQuote(message('i', body));
    i(
      '117=Q1|293=1000000|294=2000000|296=1|302=A|304=2|295=2|299=1|55=EUR/USD|132=1.1|133=1.2|299=2|55=EUR/USD|132=1.09|133=1.3|134=7000000',
    );
    expect(i('117=Q2|296=1|302=A|304=1|295=1|299=1|55=EUR/USD|134=0')).toBeUndefined();
    expect(i('117=Q3|296=1|302=A|304=1|295=1|299=2|55=EUR/USD|135=1E6')?.reason).toBe(99);
    expect(out).toEqual([
      'EUR/USD 1@1.1 7@1.09 | 2@1.2 2@1.3',
      'EUR/USD 7@1.09 | 2@1.2 2@1.3',
      'malformed',
      'EUR/USD -',
    ]);
  });

  test('is no price where it is indicative, for another date than spot, or over', () => {
    const { out, read, clock, ends } = quotes();
    const i = (body: string) => read.massQuote(message('i', `117=Q|296=1|302=A|${body}`));
    i(`304=2|295=2|299=1|${ENTRY}|62=20251120-00:00:03.250|64=20251124|299=2|55=EUR/USD|132=1|133=2|64=20251125`);
    i(`367=20251120-00:00:01.250|304=1|295=1|299=3|${ENTRY}`);
    clock.ms += 1_000;
    i('304=1|295=1|299=1|55=EUR/USD|132=1.05');
    clock.spot = 20251125;
    i('304=1|295=1|299=1|55=EUR/USD|132=1.06');
    read.massQuote(message('i', `117=Q|537=0|296=1|302=A|304=1|295=1|299=2|${ENTRY}`));
    expect(out).toEqual([
      'EUR/USD 1@1.1 | 2@1.1001',
      'EUR/USD 1@1.1 1@1.1 | 2@1.1001 2@1.1001',
      'EUR/USD 1@1.05 | 2@1.1001',
      'EUR/USD 0@1 | 0@2',
      'EUR/USD -',
    ]);
    expect(ends).toEqual([3_000, 1_000, 2_000, Number.POSITIVE_INFINITY]);
  });

  test('takes the pair from the set, the request or the entry, and several in one message', () => {
    const { out, read } = quotes();
    const i = (body: string) => read.massQuote(message('i', body));
    i('296=1|302=EURUSD-1|304=1|295=1|299=1|132=1.1|133=1.2');
    i('131=EURUSD-1|296=1|302=B|304=1|295=1|299=2|132=1.15|133=1.2');
    i('296=2|302=C|311=USD/JPY|304=1|295=1|299=1|132=150|133=151|302=D|304=1|295=1|299=1|55=GBP/USD|132=1.3|133=1.31');
    expect(out).toEqual([
      'EUR/USD 0@1.1 | 0@1.2',
      'EUR/USD 0@1.15 0@1.1 | 0@1.2 0@1.2',
      'GBP/USD 0@1.3 | 0@1.31',
      'USD/JPY 0@1.5 | 0@1.51',
    ]);
  });

  test.each([
    ['an unknown symbol', '299=1|55=AAA/BBB|132=1|133=2', 1, 'unknown'],
    ['a price that is none', '299=1|55=EUR/USD|132=x|133=2', 99, 'malformed'],
  ])('with %s is refused, and used for the rest', (_, entry, reason, said) => {
    const { out, read } = quotes();
    const fault = read.massQuote(message('i', `117=Q1|296=1|302=A|304=2|295=2|${entry}|299=2|${ENTRY}`));
    expect(fault?.reason).toBe(reason);
    expect(out[0]).toBe(said);
    expect(out.at(-1)).toBe('EUR/USD 1@1.1 | 2@1.1001');
  });
});

describe('a Quote(S)', () => {
  test('is the one price of its pair', () => {
    const { out, read } = quotes();
    read.quote(message('S', `131=EURUSD-1|117=S1|${ENTRY}|64=20251124`));
    read.quote(message('S', '131=EURUSD-1|117=S2|132=1.2|133=1.2001'));
    read.quote(message('S', `117=S3|${ENTRY}|64=20991231`));
    read.quote(message('S', '117=S4|55=EUR/USD|132=1.2'));
    read.quote(message('S', '117=S5|55=EUR/USD|132=much|133=1'));
    read.quote(message('S', '117=S6|131=other|132=1|133=1'));
    expect(out).toEqual([
      'EUR/USD 1@1.1 | 2@1.1001',
      'EUR/USD 0@1.2 | 0@1.2001',
      'EUR/USD -',
      'malformed',
      'EUR/USD -',
      'unknown',
    ]);
  });

  test('for another date ends one for what was spot until now', () => {
    const { out, read, clock } = quotes();
    read.quote(message('S', `117=S1|${ENTRY}|64=20251124`));
    clock.spot = 20251125;
    read.quote(message('S', `117=S2|${ENTRY}|64=20251124`));
    expect(out).toEqual(['EUR/USD 1@1.1 | 2@1.1001', 'EUR/USD -']);
  });

  test('that is indicative, or of size 0 on a side, is no price', () => {
    const { out, read } = quotes();
    read.quote(message('S', `117=S1|537=1|${ENTRY}`));
    read.quote(message('S', `117=S2|537=0|${ENTRY}`));
    read.quote(message('S', `117=S3|${ENTRY}`));
    read.quote(message('S', '117=S4|55=EUR/USD|132=1.1|133=1.2|134=1000000|135=0'));
    const price = 'EUR/USD 1@1.1 | 2@1.1001';
    expect(out).toEqual([price, 'EUR/USD -', price, 'EUR/USD -']);
  });

  test('lasts until its ValidUntilTime(62), by the clock of the provider', () => {
    const { out, read, ends } = quotes();
    read.quote(message('S', `117=S1|${ENTRY}|62=20251120-00:00:02.250`));
    read.quote(message('S', `117=S2|${ENTRY}`));
    read.quote(message('S', `117=S3|${ENTRY}|62=20251119-00:00:02.250`));
    read.quote(message('S', `117=S4|${ENTRY}|62=soon`));
    expect(ends).toEqual([2_000, Number.POSITIVE_INFINITY]);
    expect(out.slice(2)).toEqual(['EUR/USD -', 'malformed', 'EUR/USD -']);
  });

  test.each([
    ['its request', '131=EURUSD-1|117=S9|298=1', ['EUR/USD -']],
    ['its quote', '117=S1|298=5', ['EUR/USD -']],
    ['its pair', '117=S9|298=1|295=1|55=EUR/USD', ['EUR/USD -']],
    ['several pairs', '131=EURUSD-1|117=S1|298=1|295=2|55=EUR/USD|55=USD/JPY', ['EUR/USD -', 'USD/JPY -']],
    ['all', '117=*|298=4', ['EUR/USD -', 'USD/JPY -']],
    ['none that we know', '117=S9|298=5', ['EUR/USD -', 'USD/JPY -']],
  ])('a QuoteCancel(Z) of %s withdraws it', (_, body, withdrawn) => {
    const { out, read } = quotes();
    read.quote(message('S', `117=S1|${ENTRY}`));
    read.quote(message('S', '117=S2|55=USD/JPY|132=150|133=151'));
    read.cancel(message('Z', body));
    expect(out.slice(2)).toEqual(withdrawn);
  });
});
