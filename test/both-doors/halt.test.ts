/** The whole program: a pair halted by an operator's command is traded neither by FIX nor by REST until it is resumed. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Ratewire, ratewireOn } from '../support/ratewire.js';
import { SOON } from '../support/until.js';
import { openTwoDoors, type TwoDoors } from './two-doors.js';

const SAID = 'EUR/USD is halted: try again when it is resumed';
const RATE = 'bookfx/rate?sell_currency=EUR&buy_currency=USD';
const LOCK = 'lockFx/getFxRate?source_currency=EUR&destination_currency=USD&sell_amount=10';
const PAIR = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 10 };

let doors: TwoDoors;
let ratewire: Ratewire;
beforeAll(async () => {
  doors = await openTwoDoors();
  ratewire = ratewireOn(doors.dataDir);
  doors.tick('GBP/USD', '1.26158', '1.26164');
  await doors.untilRate('GBP', 'USD', 1.26158);
});
afterAll(() => doors.stop());

/** Until the sidecar knows it too. */
const untilRest = (path: string, status: number) =>
  vi.waitFor(async () => expect((await doors.ask('GET', path)).status).toBe(status), 120_000);

describe('halted', () => {
  let heldByRest: string;
  let offer: unknown;
  let shown: string;
  let before: Record<string, number>;
  beforeAll(async () => {
    const { desk, token } = doors;
    desk.stream('M1', ['EUR/USD', 'EUR/GBP'], token);
    shown = (await desk.next('W', (message) => message.get(55) === 'EUR/USD' && message.get(276) === 'A')).get(299)!;
    heldByRest = await doors.holdByRest('source_currency=EUR&destination_currency=USD&sell_amount=10');
    offer = (await doors.ask('GET', LOCK)).body.rate_signature;
    before = await doors.balances();
    const halted = await ratewire.json('pairs', 'halt', 'EUR/USD', '--reason', 'wrong prices');
    expect(halted).toMatchObject({ pair: 'EUR/USD', reason: 'wrong prices' });
    await untilRest(RATE, 400);
  });

  test('streams have no price of the pair and of crosses that need it, and keep the others', async () => {
    for (const pair of ['EUR/USD', 'EUR/GBP'])
      await doors.desk.next('W', (message) => message.get(55) === pair && message.get(276) === 'B');
    const status = await doors.desk.next('f', (message) => message.get(55) === 'EUR/USD' && message.get(326) === '2');
    expect(status.get(58)).toBe('Halted');
    expect((await doors.ask('GET', RATE.replace('EUR', 'GBP'))).status).toBe(200);
    expect((await doors.ask('GET', RATE.replace('USD', 'GBP'))).body.code).toBe('RATE_UNAVAILABLE');
  });

  test('REST refuses a rate, an offer, a hold, and a booking at the market or at a hold', async () => {
    const answers = [
      await doors.ask('GET', RATE),
      await doors.ask('GET', LOCK),
      await doors.ask('POST', 'lockFx/lockFxRate', { rate_signature: offer }),
      await doors.bookByRest('halted-market', PAIR),
      await doors.bookByRest('halted-held', { ...PAIR, fx_hold_id: heldByRest }),
    ];
    for (const { status, body } of answers)
      expect([status, body.code, body.detail ?? body.message]).toEqual([400, 'TRADING_HALTED', SAID]);
  });

  test('FIX rejects an order at the market, at a hold by FIX or REST, and at a streamed price', async () => {
    const order = { side: 2, quantity: '10', currency: 'EUR' } as const;
    const reports = [
      await doors.order('HALTED-1', order),
      await doors.order('HALTED-2', { ...order, quoteId: heldByRest }),
      await doors.order('HALTED-3', { ...order, quoteId: shown }),
    ];
    for (const report of reports)
      expect([39, 103, 20011, 58].map((tag) => report.get(tag))).toEqual(['8', '2', 'TRADING_HALTED', SAID]);
  });

  test('the operator sees who halted it, when and why, and the audit log has an entry', async () => {
    const [pair, ...others] = await ratewire.json<Record<string, string>[]>('pairs', 'list', '--halted');
    expect(others).toEqual([]);
    expect(pair).toMatchObject({ pair: 'EUR/USD', state: 'halted', reason: 'wrong prices' });
    expect([String(pair?.providers), pair?.halted_by]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/@/),
    ]);
    const pound = (await ratewire.json<Record<string, string>[]>('pairs', 'list')).find(
      ({ pair }) => pair === 'GBP/USD',
    );
    expect(pound).toMatchObject({ state: 'ready', price_age_ms: expect.any(Number) });
    const again = await ratewire.json('pairs', 'halt', 'EUR/USD', '--reason', 'another');
    expect(again.reason).toBe('wrong prices');
    expect((await ratewire.run('pairs', 'resume', 'GBP/USD')).err).toMatch(/^WRONG_STATE: GBP\/USD: not halted/);
    expect((await ratewire.run('pairs', 'halt', 'USD/EUR', '--reason', 'x')).err).toMatch(/^VALIDATION_FAILED: pair: /);
    expect((await ratewire.run('audit')).out).toContain('pair EUR/USD');
  });

  test('a resumed pair trades again, and nothing was booked in between', async () => {
    expect(await doors.balances()).toEqual(before);
    doors.tick('EUR/USD', '1.08258', '1.08264');
    expect(await ratewire.json('pairs', 'resume', 'EUR/USD')).toEqual({ pair: 'EUR/USD' });
    await doors.desk.next('f', (message) => message.get(55) === 'EUR/USD' && message.get(326) === '3');
    await doors.desk.next('W', (message) => message.get(55) === 'EUR/USD' && message.get(276) === 'A');
    await doors.untilRate('EUR', 'USD', 1.08258);
    // What REST held is firm again, at its rate, until its expiry.
    const booked = await doors.bookByRest('resumed-held', { ...PAIR, fx_hold_id: heldByRest });
    expect([booked.status, booked.body.fx_rate]).toEqual([200, 1.08158]);
    const report = await doors.order('RESUMED-1', { side: 2, quantity: '10', currency: 'EUR' });
    expect(report.get(39)).toBe('2');
  });
});

describe('the client halted', () => {
  const CLIENT_SAID = 'Your trading is halted: ask us to resume it';
  let heldByRest: string;
  let heldByFix: string;
  let offer: unknown;
  let shown: string;
  let before: Record<string, number>;
  beforeAll(async () => {
    const { desk, token } = doors;
    heldByRest = await doors.holdByRest('source_currency=EUR&destination_currency=USD&sell_amount=10');
    heldByFix = (
      await doors.holdByFix('CLIENT-HELD', [
        [537, 1],
        [54, 2],
        [38, 10],
        [15, 'EUR'],
      ])
    ).get(117)!;
    offer = (await doors.ask('GET', LOCK)).body.rate_signature;
    before = await doors.balances();
    desk.stream('M2', ['EUR/USD', 'GBP/USD'], token);
    shown = (await desk.next('W', (message) => message.get(262) === 'M2' && message.get(55) === 'EUR/USD')).get(299)!;
    const halted = await ratewire.json('clients', 'halt', 'demo', '--reason', 'orders without end');
    expect(halted).toMatchObject({ client: 'demo', state: 'HALTED', reason: 'orders without end' });
    await untilRest(RATE, 400);
  });

  test('every stream of it loses its prices, each pair is said to be halted, and no tick brings a price', async () => {
    const { desk } = doors;
    for (const pair of ['EUR/USD', 'GBP/USD']) {
      const isOf = (message: { get(tag: number): string | undefined }) => message.get(55) === pair;
      await desk.next('W', (message) => message.get(262) === 'M2' && isOf(message) && message.get(276) === 'B');
      await desk.next('f', (message) => isOf(message) && message.get(326) === '2');
    }
    const count = desk.count('W');
    doors.tick('EUR/USD', '1.08168', '1.08174');
    desk.send('g', [
      [335, 'G1'],
      [263, 0],
    ]);
    expect((await desk.next('h', (message) => message.get(335) === 'G1')).get(340)).toBe('1');
    expect(desk.count('W')).toBe(count);
  });

  test('REST refuses a rate, an offer, a hold, and a booking at the market or at a hold', async () => {
    const answers = [
      await doors.ask('GET', RATE),
      await doors.ask('GET', LOCK),
      await doors.ask('POST', 'lockFx/lockFxRate', { rate_signature: offer }),
      await doors.bookByRest('client-market', PAIR),
      await doors.bookByRest('client-held', { ...PAIR, fx_hold_id: heldByRest }),
    ];
    for (const { status, body } of answers)
      expect([status, body.code, body.detail ?? body.message]).toEqual([400, 'TRADING_HALTED', CLIENT_SAID]);
  });

  test('FIX rejects an order at the market, at a hold by FIX or REST, and at a streamed price, and quotes nothing', async () => {
    const { desk, token } = doors;
    const order = { side: 2, quantity: '10', currency: 'EUR' } as const;
    const reports = [
      await doors.order('CLIENT-1', order),
      await doors.order('CLIENT-2', { ...order, quoteId: heldByRest }),
      await doors.order('CLIENT-3', { ...order, quoteId: heldByFix }),
      await doors.order('CLIENT-4', { ...order, quoteId: shown }),
    ];
    for (const report of reports)
      expect([39, 103, 20011, 58].map((tag) => report.get(tag))).toEqual(['8', '2', 'TRADING_HALTED', CLIENT_SAID]);
    desk.send('R', [
      [131, 'CLIENT-R'],
      [146, 1],
      [55, 'EUR/USD'],
      [537, 1],
      [54, 2],
      [38, 10],
      [15, 'EUR'],
      [20001, token],
    ]);
    const reject = await desk.next('AG', (message) => message.get(131) === 'CLIENT-R');
    expect([658, 20011, 58].map((tag) => reject.get(tag))).toEqual(['2', 'TRADING_HALTED', CLIENT_SAID]);
    // What the desk held is withdrawn, as while a pair is halted.
    const withdrawn = await desk.next('AI', (message) => message.get(117) === heldByFix);
    expect([297, 20011].map((tag) => withdrawn.get(tag))).toEqual(['4', 'TRADING_HALTED']);
  });

  test('the operator sees it in the list, in the client and in the house, and the audit log has it', async () => {
    const [demo] = await ratewire.json<Record<string, unknown>[]>('clients', 'list');
    expect(demo).toMatchObject({ id: 'demo', trading: 'HALTED', halt_reason: 'orders without end' });
    expect(await ratewire.json('clients', 'show', 'demo')).toEqual(demo);
    const house = await ratewire.json('house', 'show');
    expect(house).toMatchObject({ state: 'ACTIVE', restricted: [{ client: 'demo', state: 'HALTED' }] });
    expect((await ratewire.run('audit', '--subject', 'client demo')).out).toContain('haltClient');
    expect((await ratewire.run('clients', 'halt', 'unknown-1', '--reason', 'x')).err).toMatch(/^UNKNOWN_CLIENT/);
  });

  test('a resumed client trades again, and nothing was booked in between', async () => {
    expect(await doors.balances()).toEqual(before);
    expect(await ratewire.json('clients', 'resume', 'demo')).toEqual({ client: 'demo' });
    await doors.desk.next('f', (message) => message.get(55) === 'EUR/USD' && message.get(326) === '3');
    await doors.desk.next('W', (message) => message.get(262) === 'M2' && message.get(276) === 'A');
    await untilRest(RATE, 200);
    expect((await doors.bookByRest('client-resumed', { ...PAIR, fx_hold_id: heldByRest })).status).toBe(200);
    expect((await doors.order('CLIENT-5', { side: 2, quantity: '10', currency: 'EUR' })).get(39)).toBe('2');
    expect((await ratewire.run('clients', 'resume', 'demo')).err).toMatch(/^WRONG_STATE: client demo: not halted/);
  });
});

describe('a client that stops itself', () => {
  const book = (id: string) => doors.bookByRest(id, PAIR);
  const resume = () => ratewire.json('clients', 'resume', 'demo');

  test('by FIX is refused over REST, and by REST at its FIX session, until the operator resumes it', async () => {
    const { desk, token } = doors;
    desk.send('q', [
      [11, 'STOP-1'],
      [530, 7],
      [60, '20261120-08:00:00.000'],
      [20001, token],
    ]);
    expect((await desk.next('r')).get(531)).toBe('7');
    await untilRest(RATE, 400);
    expect((await book('stopped-by-fix')).body.code).toBe('TRADING_HALTED');
    expect((await doors.ask('GET', 'trading/state')).body).toMatchObject({ state: 'HALTED', by: 'client' });
    await resume();
    await untilRest(RATE, 200);

    expect((await doors.ask('POST', 'trading/halt')).body).toMatchObject({ state: 'HALTED', by: 'client' });
    expect((await book('stopped-by-rest')).body.code).toBe('TRADING_HALTED');
    const order = { side: 2, quantity: '10', currency: 'EUR' } as const;
    await vi.waitFor(async () => {
      const report = await doors.order(`STOPPED-${Math.random().toString(36).slice(2)}`, order);
      expect([103, 20011].map((tag) => report.get(tag))).toEqual(['2', 'TRADING_HALTED']);
    }, SOON);
    expect((await ratewire.run('audit', '--subject', 'client demo')).out).toContain('client demo');
    await resume();
    await untilRest(RATE, 200);
  });
});

describe('the house halted', () => {
  test('no pair is dealt until it is resumed; what was halted by itself stays so', async () => {
    await ratewire.json('pairs', 'halt', 'GBP/USD', '--reason', 'one');
    expect(await ratewire.json('house', 'halt', '--reason', 'all of it')).toMatchObject({ state: 'HALTED' });
    await untilRest(RATE, 400);
    expect((await doors.ask('GET', RATE)).body.code).toBe('TRADING_HALTED');
    const report = await doors.order('HOUSE-1', { side: 2, quantity: '10', currency: 'EUR' });
    expect([103, 20011, 58].map((tag) => report.get(tag))).toEqual(['2', 'TRADING_HALTED', SAID]);
    expect(await ratewire.json('house', 'show')).toMatchObject({ state: 'HALTED', reason: 'all of it' });
    const pairs = await ratewire.json<Record<string, string>[]>('pairs', 'list');
    expect(new Set(pairs.map(({ trading, reason }) => `${trading} ${reason}`))).toEqual(
      new Set(['HALTED all of it', 'HALTED one']),
    );
    expect(await ratewire.json('house', 'resume')).toEqual({ state: 'ACTIVE' });
    await untilRest(RATE, 200);
    expect((await doors.ask('GET', RATE.replace('EUR', 'GBP'))).body.code).toBe('TRADING_HALTED');
    await ratewire.json('pairs', 'resume', 'GBP/USD');
    await untilRest(RATE.replace('EUR', 'GBP'), 200);
    expect((await ratewire.run('house', 'resume')).err).toMatch(/^WRONG_STATE: the house: not halted/);
  });
});

describe('all pairs halted', () => {
  test("is one halt, ended as one; a pair's own halt stays", async () => {
    await ratewire.json('pairs', 'halt', 'GBP/USD', '--reason', 'one');
    await ratewire.json('pairs', 'halt', '*', '--reason', 'all');
    await untilRest(RATE, 400);
    for (const program of ['metrics', 'rest-metrics']) {
      const read = async (path: string) => (await fetch(`http://${doors.addresses[program]}/${path}`)).text();
      // No rates are expected: /ready must not take the sidecar out of service.
      await expect.poll(() => read('ready')).toBe('ready\nsandbox: funding, compliance, payout\nfeed: market\n');
      expect(await read('metrics')).toMatch(/^ratewire_pairs_halted\{program="\w+"\} 465$/m);
      expect(await read('metrics')).toMatch(/^ratewire_pairs_priced\{program="\w+"\} 0$/m);
    }
    expect((await ratewire.run('pairs', 'resume', 'EUR/USD')).err).toMatch(/^WRONG_STATE: All pairs are halted/);
    await ratewire.json('pairs', 'resume', '*');
    await untilRest(RATE, 200);
    expect((await doors.ask('GET', RATE.replace('EUR', 'GBP'))).body.code).toBe('TRADING_HALTED');
    await ratewire.json('pairs', 'resume', 'GBP/USD');
    await untilRest(RATE.replace('EUR', 'GBP'), 200);
  });
});
