/** What a platform sees of its sub-clients, each by the header: all of its own, nothing of another's; and how many of what it may have. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_CURRENCY, type Fields, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';
import { type Ask, asking, SUB_CLIENTS } from './asking.js';

let door: MoneyDoor;
let redis: Redis;
/** By client: with a key of its own. */
const ask: Record<string, Ask> = {};

async function done(answer: Promise<Answer>): Promise<Fields> {
  const { status, body } = await answer;
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

/** It has 1,000 EUR, and has booked, moved and cancelled. */
async function busy(platform: string, name: string): Promise<string> {
  const by = ask[platform]!;
  const { sub_client_id } = await done(
    by('POST', SUB_CLIENTS, undefined, { name, title: name, currencies: ['EUR', 'USD'] }),
  );
  const id = String(sub_client_id);
  const { accounts, clients } = door.opened.store;
  const client = (await clients.get(id))!;
  await accounts.credit(client, 'first', (await accounts.list(client))[0]!.number, 1_000_00n);
  for (const one of [platform, id]) await clients.setScheduledLimit(one, '100000000');
  await done(by('POST', '/api/v1/webhooks', id, { name, url: `https://${name}.example.com/hook`, types: ['*'] }));
  const booking = { description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };
  await done(by('POST', BY_CURRENCY, id, { ...booking, request_id: 'now' }));
  const later = { ...booking, request_id: 'later', book_fx_type: 'SCHEDULED1' };
  const { confirmation_id } = await done(by('POST', BY_CURRENCY, id, later));
  const path = `/api/v1/bookfx/${confirmation_id}/cancel`;
  const { quote_id } = await done(by('POST', `${path}/quote`, id));
  await done(by('POST', path, id, { quote_id, request_id: 'cancel' }));
  return id;
}

beforeAll(async () => {
  door = await openMoneyDoor();
  redis = new Redis(door.opened.redisUrl);
  door.freshPrices();
  for (const id of ['acme', 'other']) {
    await door.client(id);
    await door.opened.store.clients.change(id, { isPlatform: true });
    ask[id] = await asking(door, id);
  }
  for (const [platform, name] of [
    ['acme', 'one'],
    ['acme', 'two'],
    ['other', 'one'],
  ] as const) {
    const id = await busy(platform, name);
    ask[id] = await asking(door, id);
  }
});
afterAll(async () => {
  redis.disconnect();
  await door.stop();
});

const LISTS = [
  '/api/v1/balance/all',
  '/api/v1/bookfx',
  '/api/v1/conversion-changes',
  '/api/v1/webhooks',
  '/api/v1/events',
] as const;
const rows = (body: unknown): readonly Fields[] =>
  (Array.isArray(body) ? body : ((body as Fields).data as readonly unknown[])) as readonly Fields[];

test.each(LISTS)(
  '%s: of each sub-client by the header its own, which it sees with a key of its own too',
  async (path) => {
    const seen = new Map<string, string>();
    for (const [platform, id] of [
      ['acme', 'acme~one'],
      ['acme', 'acme~two'],
      ['other', 'other~one'],
    ] as const) {
      const body = await done(ask[platform]!('GET', path, id));
      expect(rows(body).length).toBeGreaterThan(0);
      expect(await done(ask[id]!('GET', path))).toEqual(body);
      seen.set(id, JSON.stringify(rows(body)));
    }
    expect(new Set(seen.values()).size).toBe(3);
    // Without the header the platform sees its own records alone, and by the id of another's nothing.
    const own = await ask.acme!('GET', path);
    expect(own.status === 200 ? rows(own.body) : own.body.code).toEqual(path.endsWith('events') ? 'WRONG_STATE' : []);
    expect((await ask.acme!('GET', path, 'other~one')).body.code).toBe('NOT_ENTITLED');
  },
);

test('balances and statements of all: the list, then each by the header', async () => {
  const found: unknown[] = [];
  for (const { sub_client_id } of rows(await done(ask.acme!('GET', SUB_CLIENTS)))) {
    const id = String(sub_client_id);
    for (const { account_number, currency, balance } of rows(await done(ask.acme!('GET', '/api/v1/balance/all', id)))) {
      const path = `/api/v1/balance/account/${account_number}/entries`;
      const entries = rows(await done(ask.acme!('GET', path, id)));
      found.push([id, currency, entries.map(({ type }) => type)]);
      expect(entries[0]!.balance).toBe(balance);
      // Of no other: not of the platform itself, nor by another sub-client of it.
      for (const [by, onBehalfOf] of [
        ['acme', undefined],
        ['acme', id === 'acme~one' ? 'acme~two' : 'acme~one'],
        ['other', undefined],
      ] as const)
        expect((await ask[by]!('GET', path, onBehalfOf)).status).toBe(404);
    }
  }
  const euros = ['cancellation', 'book-fx', 'deposit'];
  expect(found).toEqual([
    ['acme~one', 'EUR', euros],
    ['acme~one', 'USD', ['book-fx']],
    ['acme~two', 'EUR', euros],
    ['acme~two', 'USD', ['book-fx']],
  ]);
});

test('a platform has 10,000 sub-clients at most', async () => {
  const names = Array.from({ length: 9_998 }, (_, i) => `acme~x${i}`);
  await redis.zadd('clients', ...names.flatMap((name) => [0, name] as const));
  try {
    await redis.zrem('clients', names[0]!);
    await done(ask.acme!('POST', SUB_CLIENTS, undefined, { name: 'last', title: 'x' }));
    const { status, body } = await ask.acme!('POST', SUB_CLIENTS, undefined, { name: 'more', title: 'x' });
    expect([status, body.code]).toEqual([400, 'SUB_CLIENT_LIMIT']);
    // Another platform has its own.
    await done(ask.other!('POST', SUB_CLIENTS, undefined, { name: 'more', title: 'x' }));
  } finally {
    await redis.zrem('clients', ...names);
  }
});

test('a platform has 1,000 margins for its sub-clients at most, and changes those that there are', async () => {
  const { margins } = door.opened.store;
  const pairs = ['EUR/USD', 'GBP/USD', 'USD/JPY', 'EUR/GBP', '*'];
  const rules = Array.from({ length: 999 }, (_, i) => [`acme~m${Math.floor(i / 5)}`, pairs[i % 5]!] as const);
  await Promise.all(rules.map(([clientId, pair]) => margins.set({ clientId, pair, type: '*', marginPpm: 10 })));
  const set = (pair: string) => ask.acme!('POST', `${SUB_CLIENTS}/acme~one/margins`, undefined, { pair, margin: 0.1 });
  await done(set('EUR/USD'));
  const { status, body } = await set('GBP/USD');
  expect([status, body.code]).toEqual([400, 'MARGIN_LIMIT']);
  await done(set('EUR/USD'));
  await done(ask.other!('POST', `${SUB_CLIENTS}/*/margins`, undefined, { pair: '*', margin: 0.1 }));
});
