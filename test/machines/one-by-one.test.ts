/** Single cases with real processes: a desk that two engines claim, and programs that drain. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CrashClient, provision } from '../crash/clients.js';
import { type Fields, type Received, TestDesk, timestamp } from '../support/desk.js';
import { NO_REDIS_SERVER, type RedisProcess, redisServer, startRedis } from '../support/redis-process.js';
import { type Machine, Machines } from './machines.js';
import { type Provider, startProvider } from './provider.js';

const isMissing = redisServer() === undefined;
if (isMissing) console.log(`machines one by one ${NO_REDIS_SERVER}`);

let redis: RedisProcess;
let provider: Provider;
let machines: Machines;
let rich: CrashClient;
const violations: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  redis = await startRedis();
  provider = await startProvider();
  const shared = {
    redisUrl: redis.redisUrl,
    look: <T>(ask: (of: typeof redis.redis) => Promise<T>) => ask(redis.redis),
    stop: redis.stop,
  };
  const only: Machine[] = ['feed1', 'gateway1', 'gateway2', 'sidecar1'];
  machines = await Machines.start(
    shared,
    provider,
    () => [],
    (text) => violations.push(text),
    only,
  );
  [rich] = (await provision(machines.storeOptions())) as [CrashClient];
});
afterAll(async () => {
  await machines?.stop();
  await provider?.close();
  await redis?.stop();
  expect(violations).toEqual([]);
});

const deskAt = (machine: Machine, compId: string): TestDesk =>
  new TestDesk({ port: Number(machines.addresses(machine)!.fix!.split(':')[1]), compId });

/** Logs on and continues its numbers. */
function sendLogon(desk: TestDesk, number: number): void {
  const { clientKey, clientSecret } = rich;
  desk.nextOut = number;
  desk.send('A', [
    [98, 0],
    [108, 30],
    [553, clientKey],
    [554, clientSecret],
  ]);
}
async function logon(desk: TestDesk, number: number): Promise<Received> {
  await desk.connect();
  sendLogon(desk, number);
  return desk.next('A');
}
/**
 * Until it is answered. Messages that the stopped engine had not recorded yet are requested again and gap-filled: they were administrative
 * only.
 */
async function inStep(desk: TestDesk): Promise<void> {
  const number = desk.nextOut;
  desk.send('1', [[112, 'in-step']]);
  const isEither = (message: Received) => message.get(35) === '2' || message.get(112) === 'in-step';
  const first = await desk.next(['0', '2'], isEither);
  if (first.get(35) === '0') return;
  const header = { seqNum: Number(first.get(7)), more: [[43, 'Y'] as const, [122, timestamp(Date.now())] as const] };
  desk.send(
    '4',
    [
      [123, 'Y'],
      [36, number],
    ],
    header,
  );
  await desk.next('0', (message) => message.get(112) === 'in-step');
}
const order = (id: string, token: string): Fields => [
  [11, id],
  [55, 'EUR/USD'],
  [54, 1],
  [38, 500],
  [40, 1],
  [15, 'EUR'],
  [60, timestamp(Date.now())],
  [20001, token],
];
const lastNumber = (desk: TestDesk): number => Math.max(...desk.received.map((message) => Number(message.get(34))));

describe.skipIf(isMissing)('machines', () => {
  test('rejects a desk that is live in another engine, until that engine is suspended; after it resumes, it ends its own session', async () => {
    const first = deskAt('feed1', 'RICH1');
    const token = (await logon(first, 1)).get(20001)!;
    first.stream('S', ['EUR/USD'], token);
    await first.next('W');

    const second = deskAt('gateway1', 'RICH1');
    await expect(logon(second, first.nextOut)).rejects.toThrow('closed before a A came');
    expect(second.received).toEqual([]);
    await first.settle();

    await machines.kill('feed1 STOP');
    // It stays in the engine's socket until the engine resumes; the number is given to another message elsewhere.
    const number = first.nextOut;
    first.send('D', order('unheard', token));
    const last = lastNumber(first);
    const heard = first.received.length;
    const third = deskAt('gateway1', 'RICH1');
    let answer: Received;
    try {
      answer = await logon(third, number);
      // After 3.5 s, when the lease has expired.
      expect(Number(answer.get(34))).toBeGreaterThan(last);
      await inStep(third);
      third.send('D', order('third', answer.get(20001)!));
      // The engine with the feed is suspended: every price is stale.
      // With a slow store the order is reported as pending first, 150=A.
      const report = await third.next('8', (message) => message.get(150) !== 'A');
      expect(report.get(20011)).toBe('RATE_UNAVAILABLE');
    } finally {
      await machines.restore();
    }
    await first.untilClosed();
    // Before it detected the loss it may have sent prices with their TestRequest(1), but nothing of the session: no report, no Logout(5).
    const after = first.received.slice(heard).map((message) => message.get(35));
    expect(after.filter((type) => !['W', '1', '0', 'h', 'f'].includes(type!))).toEqual([]);
    await third.settle();
    // It has executed nothing of what it read too late.
    third.send('H', [
      [11, 'unheard'],
      [55, 'EUR/USD'],
      [54, 1],
      [20001, answer.get(20001)!],
    ]);
    const unheard = await third.next('8', (message) => message.get(11) === 'unheard');
    expect(unheard.get(20011)).toBe('UNKNOWN_ORDER');
    // It has the feed again, and there are prices.
    third.stream('S', ['EUR/USD'], answer.get(20001)!);
    await third.next('W', (price) => price.get(270) !== undefined);
    third.send('5', []);
    await third.untilClosed();
  });

  test('a terminated engine answers the order under way, sends DRAINING, and another engine continues its numbers', async () => {
    const desk = deskAt('gateway2', 'RICH2');
    const token = (await logon(desk, 1)).get(20001)!;
    const early = deskAt('gateway2', 'COPY1');
    await early.connect();
    const { fix, metrics } = machines.addresses('gateway2')!;

    redis.sleep();
    desk.send('D', order('under-way', token));
    await pause(100);
    const ended = machines.kill('gateway2 TERM');
    await pause(100);
    const ready = await fetch(`http://${metrics}/ready`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      'draining: it is about to stop\nsandbox: funding, compliance, payout\nfeed: market\n',
    ]);
    const late = new TestDesk({ port: Number(fix!.split(':')[1]) });
    await expect(late.connect()).rejects.toThrow('ECONNREFUSED');
    sendLogon(early, 1);
    expect((await early.next('5')).get(58)).toMatch(/^DRAINING/);
    redis.wake();

    // It never answers the Logout(5).
    expect((await desk.next('5')).get(58)).toMatch(/^DRAINING/);
    const types = desk.received.map((message) => message.get(35));
    const trade = desk.received.find((message) => message.get(150) === 'F')!;
    expect(types.indexOf('8')).toBeLessThan(types.indexOf('5'));
    expect(trade.get(11)).toBe('under-way');
    await ended;

    const again = deskAt('gateway1', 'RICH2');
    const answer = await logon(again, desk.nextOut);
    // Settled to the number: no gap.
    expect(Number(answer.get(34))).toBe(lastNumber(desk) + 1);
    again.send('2', [
      [7, 1],
      [16, 0],
    ]);
    const replayed = await again.next('8', (report) => report.get(17) === trade.get(17));
    expect([replayed.get(43), replayed.get(34)]).toEqual(['Y', trade.get(34)]);
    again.close();
  });

  test('a terminated sidecar answers the request under way, with Connection: close, and ends', async () => {
    const [host, port] = machines.addresses('sidecar1')!.rest!.split(':');
    const at = { host, port, agent: new Agent({ keepAlive: true }), method: 'POST' };
    const ask = async (path: string, headers: Record<string, string>, body?: object) => {
      const asked = request({
        ...at,
        path,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      });
      asked.end(body && JSON.stringify(body));
      const [response] = await once(asked, 'response');
      let text = '';
      for await (const chunk of response) text += chunk;
      return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
    };
    const { clientKey, clientSecret } = rich;
    const { body } = await ask('/api/v1/authentication', { client_key: clientKey, client_secret: clientSecret });
    const authorization = `Bearer ${body.token}`;

    redis.sleep();
    const booking = {
      request_id: 'under-way-by-rest',
      description: 'drain',
      sell_amount: 500,
      sell_currency: 'EUR',
      buy_currency: 'USD',
    };
    const booked = ask('/api/v1/bookfx/currency/create', { authorization }, booking);
    await pause(100);
    const ended = machines.kill('sidecar1 TERM');
    await pause(300);
    redis.wake();
    const { status, headers } = await booked;
    expect([status, headers.connection]).toEqual([200, 'close']);
    await ended;
  });
});
