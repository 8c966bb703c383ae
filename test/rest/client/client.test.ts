/** ratewire-client against the REST door: tokens, repeats, refusals, lists and decimals. Where an answer is lost, the door has given it. */
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import {
  type ClientOptions,
  createClient,
  type Decimals,
  NoAnswerError,
  ProblemError,
  type paths,
  type Client as RatewireClient,
} from '../../../rest/client/src/index.js';
import { PAYMENT_EXAMPLE } from '../../../rest/features/payments/payment-references.js';
import { IMPATIENT } from '../../support/store.js';
import { SOON } from '../../support/until.js';
import { type Client, MONDAY, type MoneyDoor, openMoneyDoor } from '../money-door.js';

let door: MoneyDoor;
let acme: Client;
let key: { readonly clientKey: string; readonly clientSecret: string };

beforeAll(async () => {
  door = await openMoneyDoor({ writes: 1_000 });
  acme = await door.client('acme');
  key = (await door.opened.store.keys.issue('acme', ['read', 'rates', 'trade', 'pay']))!;
  await acme.account('EUR', 1_000_000_00n);
  await acme.account('USD', 1_000_000_00n);
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

/** What the client sent, by path, with the status of each answer. */
interface Wire {
  readonly sent: string[];
  readonly headers: Headers[];
  /** Called after each answer; what it throws is what the client gets in its place. */
  after: (attempt: number, path: string) => void;
}

function connected<D extends Decimals = 'number'>(more: Partial<ClientOptions<D>> = {}) {
  const wire: Wire = { sent: [], headers: [], after: () => {} };
  const options: ClientOptions<D> = {
    baseUrl: `http://127.0.0.1:${door.port}`,
    ...key,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      const path = new URL(url).pathname.replace('/api/v1/', '');
      wire.sent.push(`${init.method} ${path} ${answer.status}`);
      wire.headers.push(new Headers(init.headers));
      wire.after(wire.sent.length, path);
      return answer;
    },
    ...more,
  };
  return { client: createClient(options), wire };
}

const lost = (): never => {
  throw new TypeError('fetch failed');
};
const failed = <E>(promise: Promise<unknown>, kind: new (...given: never[]) => E): Promise<E> =>
  promise.then(
    () => expect.fail('it was answered'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(kind);
      return error as E;
    },
  );
let ids = 0;
const nextId = () => `client-${++ids}`;
const convert = (request_id: string, sell_amount = 100) => ({
  body: { request_id, description: 'Invoice', sell_amount, sell_currency: 'EUR', buy_currency: 'USD' },
});
const BOOK = '/api/v1/bookfx/currency/create';
/** The document's own example, as the type that a program would have. */
const payment =
  PAYMENT_EXAMPLE as unknown as paths['/api/v1/payments/create']['post']['requestBody']['content']['application/json'];
const fundEntry = (account_number: number, request_id?: string) => ({
  body: {
    account_number,
    amount: 12.5,
    instarem_deposit_account: 'DBS-0001-EUR',
    payment_reference: 'top-up',
    ...(request_id !== undefined && { request_id }),
  },
});

describe('a token', () => {
  test('is asked for once by calls that begin together, and kept', async () => {
    const { client, wire } = connected();
    await Promise.all([client.GET('/api/v1/account'), client.GET('/api/v1/balance/all')]);
    await client.GET('/api/v1/account');
    expect(wire.sent.filter((one) => one.includes('authentication'))).toEqual(['POST authentication 200']);
    expect(wire.sent.length).toBe(4);
  });

  test('is renewed before it ends', async () => {
    // It ends five minutes and three seconds after it is issued.
    door.services.nowMs = Date.now() - 86_400_000 + 303_000;
    const { client, wire } = connected();
    const renewals = () => wire.sent.filter((one) => one.includes('authentication')).length;
    await client.GET('/api/v1/account');
    await expect
      .poll(async () => {
        await client.GET('/api/v1/account');
        return renewals();
      })
      .toBe(2);
    expect(wire.sent.filter((one) => one.endsWith('401'))).toEqual([]);
  });

  test('is used until its end where a renewal before it fails', async () => {
    door.services.nowMs = Date.now() - 86_400_000 + 303_000;
    const { client, wire } = connected({ attempts: 1 });
    await client.GET('/api/v1/account');
    wire.after = (_, path) => path === 'authentication' && lost();
    const renewals = () => wire.sent.filter((one) => one.includes('authentication')).length;
    await expect
      .poll(async () => {
        await client.GET('/api/v1/account');
        return renewals();
      })
      .toBe(2);
    await client.GET('/api/v1/account');
    expect(renewals()).toBe(2);
  });

  test.each([
    ['TOKEN_REVOKED', () => door.opened.store.tokens.revokeAll('acme')],
    [
      'TOKEN_EXPIRED',
      () => {
        door.services.nowMs += 25 * 3_600_000;
      },
    ],
  ])('that is answered with %s is replaced once, and the command is executed once', async (_code, end) => {
    const { client, wire } = connected();
    await client.GET('/api/v1/account');
    await end();
    door.services.nowMs += 2_000;
    door.freshPrices();
    const { response } = await client.POST(BOOK, convert(nextId()));
    expect(response.headers.get('idempotent-replayed')).toBeNull();
    expect(wire.sent.slice(2)).toEqual([
      'POST bookfx/currency/create 401',
      'POST authentication 200',
      'POST bookfx/currency/create 200',
    ]);
  });

  test('of a function is asked for again once, with the one that was refused', async () => {
    const { client: other } = connected();
    const { data } = await other.POST('/api/v1/authentication', {
      params: { header: { client_key: key.clientKey, client_secret: key.clientSecret } },
    });
    await other.POST('/api/v1/authentication/revoke', { headers: { authorization: `Bearer ${data.token}` } });
    door.services.nowMs += 2_000;
    const asked: (string | undefined)[] = [];
    const token = (refused: string | undefined) => {
      asked.push(refused);
      return data.token;
    };
    const { client, wire } = connected({ token });
    expect(await failed(client.GET('/api/v1/account'), ProblemError)).toMatchObject({
      code: 'TOKEN_REVOKED',
      status: 401,
    });
    expect(asked).toEqual([undefined, data.token]);
    expect(wire.sent.length).toBe(2);
  });

  test('that is unknown is replaced', async () => {
    const { client: other } = connected();
    const { data } = await other.POST('/api/v1/authentication', {
      params: { header: { client_key: key.clientKey, client_secret: key.clientSecret } },
    });
    const { client, wire } = connected({ token: (refused) => (refused === undefined ? 'unknown' : data.token) });
    await client.GET('/api/v1/account');
    expect(wire.sent).toEqual(['GET account 401', 'GET account 200']);
  });

  test('is not asked for again with wrong credentials', async () => {
    const { client, wire } = connected({ clientSecret: 'wrong' });
    expect(await failed(client.GET('/api/v1/account'), ProblemError)).toMatchObject({ code: 'BAD_CREDENTIALS' });
    expect(wire.sent).toEqual(['POST authentication 401']);
    expect(() => createClient({ baseUrl: 'http://127.0.0.1', clientKey: 'CK' })).toThrow(TypeError);
  });
});

describe('a repeat', () => {
  test('of a read whose answer was lost', async () => {
    const { client, wire } = connected();
    wire.after = (attempt) => attempt === 2 && lost();
    await client.GET('/api/v1/account');
    expect(wire.sent).toEqual(['POST authentication 200', 'GET account 200', 'GET account 200']);
  });

  test('of a command with a request_id gives the one answer', async () => {
    const { client, wire } = connected();
    wire.after = (attempt) => (attempt === 2 || attempt === 3) && lost();
    const { data, response } = await client.POST(BOOK, convert(nextId()));
    expect(wire.sent.slice(1)).toEqual(Array(3).fill('POST bookfx/currency/create 200'));
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    const { data: bookings } = await client.GET('/api/v1/bookfx', { params: { query: { limit: 1 } } });
    expect(bookings.data[0]!.confirmation_id).toBe(data.confirmation_id);
  });

  test('of a payment that was executed names it', async () => {
    const { client, wire } = connected();
    wire.after = (attempt) => attempt === 2 && lost();
    const request_id = nextId();
    const { problem } = await failed(
      client.POST('/api/v1/payments/create', { body: { ...payment, request_id, transaction_number: request_id } }),
      ProblemError,
    );
    expect(problem).toMatchObject({ code: 'DUPLICATE_TRANSACTION', original_request_id: request_id });
    const { data } = await client.GET('/api/v1/payments/id/{payment_id}', {
      params: { path: { payment_id: problem.payment_id! } },
    });
    expect(data.reference_number).toBe(request_id);
  });

  test('is not made of a command without a request_id', async () => {
    const number = await acme.account('EUR');
    const { client, wire } = connected();
    wire.after = (attempt) => attempt === 2 && lost();
    await failed(client.POST('/api/v1/fund/create', fundEntry(number)), NoAnswerError);
    expect(wire.sent.length).toBe(2);
    wire.after = (attempt) => attempt === 3 && lost();
    await client.POST('/api/v1/fund/create', fundEntry(number, nextId()));
    expect(wire.sent.length).toBe(4);
  });

  test('waits for a rate', async () => {
    door.withdraw('USD/JPY');
    const { client, wire } = connected();
    wire.after = (attempt) => attempt === 2 && door.freshPrices();
    const params = { query: { sell_currency: 'USD', buy_currency: 'JPY' } };
    const began = Date.now();
    await client.GET('/api/v1/bookfx/rate', { params });
    expect(wire.sent.slice(1)).toEqual(['GET bookfx/rate 503', 'GET bookfx/rate 200']);
    // Retry-After is a second.
    expect(Date.now() - began).toBeGreaterThan(950);
  });

  test('ends with the attempts, and with the time of the call', async () => {
    door.withdraw('USD/JPY');
    const params = { query: { sell_currency: 'USD', buy_currency: 'JPY' } } as const;
    const few = connected({ attempts: 2 });
    const problem = await failed(few.client.GET('/api/v1/bookfx/rate', { params }), ProblemError);
    expect(problem).toMatchObject({ code: 'RATE_UNAVAILABLE', status: 503, outcome: 'none', retryAfter: 2 });
    expect(few.wire.sent.length).toBe(3);
    const statuses: number[] = [];
    const short = connected({
      totalMs: 60_000,
      async fetch(url, init) {
        const { status, headers, body } = await fetch(url, init);
        statuses.push(status);
        return new Response(body, { status, headers: { ...Object.fromEntries(headers), 'retry-after': '120' } });
      },
    });
    await failed(short.client.GET('/api/v1/bookfx/rate', { params }), ProblemError);
    expect(statuses).toEqual([200, 503]);
  });

  test('is not made of what was refused', async () => {
    const { client, wire } = connected();
    await failed(client.POST(BOOK, convert(nextId(), 999_999_999)), ProblemError);
    expect(wire.sent.length).toBe(2);
  });
});

describe('while the store hangs', () => {
  let away: MoneyDoor;
  let client: RatewireClient;
  let number: number;
  let statuses: number[];
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(readStoreFile(away.opened.dataDir)!.server.pid, name);
  const answers = () => vi.waitUntil(() => away.opened.store.isUp(), SOON);

  beforeAll(async () => {
    away = await openMoneyDoor({}, IMPATIENT);
    const of = await away.client('acme');
    number = await of.account('EUR', 1_000_00n);
    await of.account('USD');
    const issued = (await away.opened.store.keys.issue('acme', ['read', 'rates', 'trade', 'pay']))!;
    client = createClient({
      baseUrl: `http://127.0.0.1:${away.port}`,
      ...issued,
      async fetch(url, init) {
        const answer = await fetch(url, init);
        statuses.push(answer.status);
        if (answer.status === 503) {
          signal('SIGCONT');
          await answers();
          away.freshPrices();
        }
        return answer;
      },
    });
  });
  beforeEach(async () => {
    away.freshPrices();
    statuses = [];
    // Token, client and currencies are cached for a moment; so it is the command itself that meets the store.
    await client.POST(BOOK, convert(nextId()));
    statuses = [];
    signal('SIGSTOP');
  });
  afterEach(async () => {
    signal('SIGCONT');
    await answers();
  });
  afterAll(() => away.stop());

  test('a command with a request_id whose outcome is unknown is repeated', async () => {
    await client.POST(BOOK, convert(nextId()));
    expect(statuses).toEqual([503, 200]);
  });

  test('a command without one is not', async () => {
    const problem = await failed(client.POST('/api/v1/fund/create', fundEntry(number)), ProblemError);
    expect(problem).toMatchObject({ code: 'STORE_UNAVAILABLE', outcome: 'unknown', retryAfter: 1 });
    expect(statuses).toEqual([503]);
  });
});

test('a limit is waited for where there is time, and named where there is none', async () => {
  const limited = await openMoneyDoor({ reads: 2 });
  try {
    const { id } = await limited.client('acme');
    const issued = (await limited.opened.store.keys.issue(id, ['read']))!;
    // Half a second before the end of the minute.
    limited.services.nowMs = MONDAY + 59_500;
    const options = { baseUrl: `http://127.0.0.1:${limited.port}`, ...issued, totalMs: 30_000 };
    let statuses: number[] = [];
    const client = createClient({
      ...options,
      async fetch(url, init) {
        const answer = await fetch(url, init);
        statuses.push(answer.status);
        if (answer.status === 429) limited.services.nowMs += 1_000;
        return answer;
      },
    });
    for (let call = 0; call < 3; call++) await client.GET('/api/v1/account');
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
    statuses = [];
    await client.GET('/api/v1/account');
    const problem = await failed(client.GET('/api/v1/account'), ProblemError);
    expect(problem.code).toBe('RATE_LIMITED');
    expect(problem.retryAfter).toBeGreaterThan(30);
    expect(statuses).toEqual([200, 429]);
  } finally {
    await limited.stop();
  }
});

test('all faults of a body are in the error', async () => {
  const { client } = connected();
  const body = { ...convert(nextId()).body, sell_currency: 'E', buy_currency: 'USD1' };
  const problem = await failed(client.POST(BOOK, { body }), ProblemError);
  expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, retryAfter: undefined });
  expect(problem.errors.map(({ field, code }) => [field, code])).toEqual([
    ['sell_currency', 'incorrect_format'],
    ['buy_currency', 'incorrect_format'],
  ]);
  expect(problem.requestId).toMatch(/^\S{8,}$/);
  expect(problem.message).toContain('VALIDATION_FAILED: ');
});

test('a list is read to its end, page by page as it is needed', async () => {
  const { client, wire } = connected();
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.unshift((await client.POST(BOOK, convert(nextId()))).data.confirmation_id);
  const pages = () => wire.sent.filter((one) => one.startsWith('GET bookfx ')).length;
  const found: string[] = [];
  for await (const booking of client.list('/api/v1/bookfx', { params: { query: { limit: 2 } } })) {
    found.push(booking.confirmation_id);
    if (found.length === 3) expect(pages()).toBe(2);
  }
  expect(found.slice(0, 5)).toEqual(made);
  const { data: all } = await client.GET('/api/v1/bookfx', { params: { query: { limit: 100 } } });
  expect(found).toEqual(all.data.map(({ confirmation_id }) => confirmation_id));
});

test('events are read to the newest, in their order', async () => {
  await door.opened.store.events.enable((await door.opened.store.clients.get('acme'))!);
  const { client, wire } = connected();
  for (let i = 0; i < 5; i++) await client.POST(BOOK, convert(nextId()));
  const found: number[] = [];
  for await (const { sequence, type } of client.list('/api/v1/events', { params: { query: { limit: 2 } } })) {
    found.push(sequence);
    expect(type).toMatch(/^conversion\./);
  }
  expect(found.length).toBeGreaterThanOrEqual(5);
  expect(found).toEqual(found.map((_, i) => i + 1));
  expect(wire.sent.filter((one) => one.startsWith('GET events ')).length).toBe(Math.ceil(found.length / 2));
});

test('decimals are strings where asked for, in answers and in requests, and other numbers stay numbers', async () => {
  const { client, wire } = connected({ decimals: 'string' });
  const usd = await acme.account('USD', 123_456_789_012_34n);
  const account = { params: { path: { account_number: usd } } };
  const { data: balances } = await client.GET('/api/v1/balance/account/{account_number}', account);
  expect(balances[0]).toMatchObject({ balance: '123456789012.34', account_number: usd, auto_bookfx_sequence: 0 });
  const { data: booked } = await client.POST(BOOK, {
    body: { ...convert(nextId()).body, sell_amount: '100.10' },
  });
  expect(booked).toMatchObject({ sell_amount: '100.1', instarem_fx_rate: expect.stringMatching(/^1\.08\d+$/) });
  expect(booked.from_account).toBeTypeOf('number');
  const refused = client.POST(BOOK, { body: { ...convert(nextId()).body, sell_amount: 'ten' } });
  expect((await failed(refused, ProblemError)).errors).toMatchObject([{ field: 'sell_amount' }]);
  const short = client.POST(BOOK, { body: { ...convert(nextId()).body, sell_amount: '999999999' } });
  expect((await failed(short, ProblemError)).problem).toHaveProperty('code');
  expect(wire.sent.length).toBe(5);
});

test('a sub-client is named in each call, with the same token', async () => {
  const { client, wire } = connected();
  const sub = client.onBehalfOf('acme-1');
  await sub.GET('/api/v1/account').catch(() => undefined);
  await client.GET('/api/v1/account');
  expect(wire.sent.filter((one) => one.includes('authentication')).length).toBe(1);
  expect(wire.headers.map((headers) => headers.get('x-on-behalf-of'))).toEqual([null, 'acme-1', null]);
});

test.each([[undefined], [''], [' '], [null], [7]])('a sub-client without an id is an error: %j', (id) => {
  const { client } = connected();
  expect(() => client.onBehalfOf(id as string)).toThrow(TypeError);
  const options = { baseUrl: 'http://127.0.0.1', token: () => 'x', onBehalfOf: id as string };
  expect(() => createClient(options)).toThrow(TypeError);
});

describe('without an answer', () => {
  test('a call ends after its time, and at once when it is aborted', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const options = { baseUrl: `http://127.0.0.1:${port}`, token: () => 'any' };
    try {
      const late = await failed(
        createClient({ ...options, timeoutMs: 50, attempts: 2 }).GET('/api/v1/account'),
        NoAnswerError,
      );
      expect(late.message).toBe('no answer within 50 ms');
      const total = await failed(createClient({ ...options, totalMs: 60 }).GET('/api/v1/account'), NoAnswerError);
      expect(total.message).toBe('no answer within 60 ms');
      const reason = new Error('the user left');
      const controller = new AbortController();
      const call = createClient(options).GET('/api/v1/account', { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      await expect(call).rejects.toBe(reason);
      await expect(createClient(options).GET('/api/v1/account', { signal: AbortSignal.abort(reason) })).rejects.toBe(
        reason,
      );
    } finally {
      silent.close();
    }
  });

  test('what is no answer of ratewire is said to be none', async () => {
    const proxy = createServer((socket) =>
      socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno'),
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => 'any', attempts: 2 });
    const error = await failed(client.GET('/api/v1/account'), NoAnswerError);
    expect(error).toMatchObject({
      status: 502,
      message: 'GET /api/v1/account was answered with 502, and not by ratewire',
    });
    proxy.close();
    const refused = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => 'any', attempts: 1 });
    expect(await failed(refused.GET('/api/v1/account'), NoAnswerError)).toMatchObject({ status: undefined });
  });
});
