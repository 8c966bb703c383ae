/** A platform creates clients of its own, and acts for them with x-on-behalf-of. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { BY_CURRENCY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import { type Filling, filling } from '../../support/full-store.js';
import { keyspaceReader } from '../../support/keyspace.js';
import { type Ask, asking, SUB_CLIENTS } from './asking.js';

const BALANCES = '/api/v1/balance/all';
const STATE = '/api/v1/trading/state';

let door: MoneyDoor;
beforeAll(async () => {
  door = await openMoneyDoor();
  door.freshPrices();
  for (const id of ['acme', 'other', 'plain']) await door.client(id);
  for (const id of ['acme', 'other']) await door.opened.store.clients.change(id, { isPlatform: true });
});
afterAll(() => door.stop());

async function made(name: string, platform = 'acme') {
  const ask = await asking(door, platform);
  const answer = await ask('POST', SUB_CLIENTS, undefined, { name, title: `The ${name}`, currencies: ['EUR', 'USD'] });
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  return String(answer.body.sub_client_id);
}

test('creates a sub-client in its own shard, with accounts, and reads, lists and changes it', async () => {
  const ask = await asking(door, 'acme');
  const body = { name: 'shop-1', title: 'Shop One', currencies: ['EUR', 'USD', 'EUR'] };
  const created = await ask('POST', SUB_CLIENTS, undefined, body);
  const shown = { sub_client_id: 'acme~shop-1', title: 'Shop One', default_type: 'PREFUNDING', disabled: false };
  expect(created.body).toEqual({ ...shown, currencies: ['EUR', 'USD'], created_at: expect.any(String) });
  const { clients } = door.opened.store;
  const shardOf = async (id: string) => (await clients.get(id))!.shard;
  expect(await shardOf('acme~shop-1')).toBe(await shardOf('acme'));
  expect(await clients.get('acme~shop-1')).toMatchObject({ platform: 'acme', isPlatform: false });

  const again = await ask('POST', SUB_CLIENTS, undefined, body);
  expect([again.status, again.body.code]).toEqual([409, 'CLIENT_EXISTS']);
  await made('shop-0');
  expect((await ask('GET', `${SUB_CLIENTS}/acme~shop-1`)).body).toEqual(created.body);
  const first = (await ask('GET', `${SUB_CLIENTS}?limit=1`)).body;
  expect(first.data).toMatchObject([{ sub_client_id: 'acme~shop-0' }]);
  const second = (await ask('GET', `${SUB_CLIENTS}?limit=1&cursor=${first.next_cursor}`)).body;
  expect(second).toMatchObject({ data: [{ sub_client_id: 'acme~shop-1' }], next_cursor: '' });

  const wanted = { title: 'One', currencies: ['USD', 'EUR', 'GBP'] };
  const changed = await ask('PATCH', `${SUB_CLIENTS}/acme~shop-1`, undefined, wanted);
  expect(changed.body).toMatchObject({ title: 'One', default_type: 'PREFUNDING', currencies: ['EUR', 'GBP', 'USD'] });
  const log = (await door.opened.store.auditLog.page(undefined, 0, 100)).flatMap((entry) =>
    entry.kind === 'asked' && entry.subject === 'client acme~shop-1' ? [[entry.who, entry.operation]] : [],
  );
  expect(log).toEqual([
    [expect.stringMatching(/^client acme, key \w+$/), 'changeSubClient'],
    [expect.stringMatching(/^client acme, key \w+$/), 'createSubClient'],
  ]);
});

test('books for a sub-client from its own accounts, under its own request ids', async () => {
  const [one, two] = [await made('one'), await made('two')];
  const ask = await asking(door, 'acme');
  const { accounts, clients } = door.opened.store;
  for (const id of [one, two]) {
    const client = (await clients.get(id))!;
    const [eur] = await accounts.list(client);
    await accounts.credit(client, 'first', eur!.number, 1_000_00n);
  }
  const booking = { request_id: 'same', description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };
  const booked = [await ask('POST', BY_CURRENCY, one, booking), await ask('POST', BY_CURRENCY, two, booking)];
  expect(booked.map(({ status }) => status)).toEqual([200, 200]);
  expect(booked[0]!.body.confirmation_id).not.toBe(booked[1]!.body.confirmation_id);
  const balances = (await ask('GET', BALANCES, one)).body as unknown as { currency: string; balance: number }[];
  // 1.08431 less 0.25 %.
  expect(balances.map(({ currency, balance }) => [currency, balance])).toEqual([
    ['EUR', 900],
    ['USD', 108.15],
  ]);
  expect((await ask('GET', BALANCES)).body).toEqual([]);
  const path = `/api/v1/bookfx/${booked[0]!.body.confirmation_id}`;
  expect((await ask('GET', path, one)).status).toBe(200);
  for (const other of [two, undefined]) expect((await ask('GET', path, other)).status).toBe(404);
});

test('answers every id that is not a live sub-client of the key with the same 403', async () => {
  const live = await made('live');
  const off = await made('off');
  const foreign = await made('foreign', 'other');
  const ask = await asking(door, 'acme');
  await ask('PATCH', `${SUB_CLIENTS}/${off}`, undefined, { disabled: true });
  const plain = await asking(door, 'plain');
  const ofSub = await asking(door, live);
  expect((await ask('GET', STATE, live)).status).toBe(200);
  const refused = [
    await ask('GET', STATE, off),
    await ask('GET', STATE, foreign),
    await ask('GET', STATE, 'acme~nothing'),
    await ask('GET', STATE, 'acme'),
    await ask('GET', STATE, ''),
    await ask('GET', STATE, `${live}, ${live}`),
    await ask('GET', STATE, `acme~${'x'.repeat(300)}`),
    await plain('GET', STATE, live),
    await plain('GET', STATE, 'plain~one'),
    await ofSub('GET', STATE, live),
  ];
  const shown = refused.map(({ status, body: { request_id: _, ...body } }) => [status, body]);
  for (const one of shown) expect(one).toEqual(shown[0]);
  expect(shown[0]).toMatchObject([403, { code: 'NOT_ENTITLED', detail: 'Not entitled' }]);
  // Its own key needs no header.
  expect((await ofSub('GET', STATE)).status).toBe(200);
  expect((await ask('PATCH', `${SUB_CLIENTS}/${off}`, undefined, { disabled: false })).body.disabled).toBe(false);
});

test('checks the header behind the token and before the right', async () => {
  const live = await made('ordered');
  const body = { request_id: 'o1', description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1 };
  const noToken = await door.ask('GET', STATE, { 'x-on-behalf-of': live });
  expect([noToken.status, noToken.body.code]).toEqual([401, 'TOKEN_REQUIRED']);
  const reader = await asking(door, 'acme', ['read']);
  expect((await reader('POST', BY_CURRENCY, 'acme~none', body)).body.detail).toBe('Not entitled');
  expect((await reader('POST', BY_CURRENCY, live, body)).body.detail).toMatch('right trade');
});

test('refuses a client that is no platform, a sub-client, and a key without the right manage', async () => {
  const live = await made('alone');
  const body = { name: 'x', title: 'X' };
  const codes = async (ask: Ask, onBehalfOf?: string) => [
    (await ask('POST', SUB_CLIENTS, onBehalfOf, body)).body.code,
    (await ask('GET', SUB_CLIENTS, onBehalfOf)).body.code,
    (await ask('GET', `${SUB_CLIENTS}/${live}`, onBehalfOf)).body.code,
    (await ask('PATCH', `${SUB_CLIENTS}/${live}`, onBehalfOf, { title: 'X' })).body.code,
  ];
  const none = Array(4).fill('NOT_ENTITLED');
  expect(await codes(await asking(door, 'plain'))).toEqual(none);
  expect(await codes(await asking(door, live))).toEqual(none);
  expect(await codes(await asking(door, 'acme'), live)).toEqual(none);
  const reader = await asking(door, 'acme', ['read']);
  expect(await codes(reader)).toEqual(['NOT_ENTITLED', undefined, undefined, 'NOT_ENTITLED']);
  // One of another platform is an unknown one.
  const other = await asking(door, 'other');
  for (const id of [live, 'other~none', 'other', 'x'])
    expect((await other('GET', `${SUB_CLIENTS}/${id}`)).body.code).toBe('NOT_FOUND');
  const wrong = { name: 'a~b', default_type: 'NOW', currencies: ['ZZZ'] };
  const faults = await (await asking(door, 'acme'))('POST', SUB_CLIENTS, undefined, wrong);
  const fields = (faults.body.errors as { field: string }[]).map(({ field }) => field);
  expect([faults.status, fields.sort()]).toEqual([400, ['currencies.0', 'default_type', 'name', 'title']]);
});

test('sets, lists and removes what it adds to its margin', async () => {
  const id = await made('margins');
  const ask = await asking(door, 'acme');
  const path = `${SUB_CLIENTS}/${id}/margins`;
  const set = await ask('POST', path, undefined, { pair: 'EUR/USD', margin: 0.1234 });
  expect(set.body).toEqual({ sub_client_id: id, pair: 'EUR/USD', margin: 0.1234 });
  expect((await ask('POST', path, undefined, { pair: '*', margin: 0 })).status).toBe(200);
  expect((await ask('GET', path)).body).toEqual([
    { sub_client_id: id, pair: '*', margin: 0 },
    { sub_client_id: id, pair: 'EUR/USD', margin: 0.1234 },
  ]);
  const ofAll = await ask('POST', `${SUB_CLIENTS}/*/margins`, undefined, { pair: '*', margin: 10 });
  expect(ofAll.body).toEqual({ sub_client_id: '*', pair: '*', margin: 10 });
  expect((await ask('DELETE', `${path}?pair=EUR/USD`)).body).toMatchObject({ margin: 0.1234 });
  expect((await ask('DELETE', `${path}?pair=EUR/USD`)).body.code).toBe('NOT_FOUND');
  for (const margin of [-1, 10.0001, 0.00001, '0.1', undefined]) {
    const refused = await ask('POST', path, undefined, { pair: 'EURUSD', margin });
    const fields = (refused.body.errors as { field: string }[]).map(({ field }) => field);
    expect([refused.status, fields.sort()]).toEqual([400, ['margin', 'pair']]);
  }
  const other = await asking(door, 'other');
  const codes = [];
  for (const [method, body] of [['GET'], ['POST', { pair: '*', margin: 1 }]] as const)
    codes.push((await other(method, path, undefined, body)).body.code);
  codes.push((await other('DELETE', `${path}?pair=*`)).body.code);
  expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  expect((await other('GET', `${SUB_CLIENTS}/*/margins`)).body).toEqual([]);
});

test('counts the requests for sub-clients against the limit of the platform', async () => {
  const limited = await openMoneyDoor({ reads: 2 });
  try {
    await limited.client('acme');
    const { clients } = limited.opened.store;
    await clients.change('acme', { isPlatform: true });
    for (const name of ['one', 'two', 'three'])
      await clients.create({ id: `acme~${name}`, name, defaultType: 'PREFUNDING' });
    const ask = await asking(limited, 'acme');
    const statuses = [];
    for (const name of ['one', 'two', 'three']) statuses.push((await ask('GET', STATE, `acme~${name}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  } finally {
    await limited.stop();
  }
});

test('ends with the platform: its own keys and those of its sub-clients are refused', async () => {
  const id = await made('ends', 'other');
  const { keys, tokens } = door.opened.store;
  const own = await asking(door, id);
  const { clientKey, clientSecret } = (await keys.issue(id, RIGHTS))!;
  const credentials = { clientKey, clientSecret, address: '127.0.0.1' };
  expect(await perform(door.services, 'disableClient', undefined, { id: 'other', disabled: true })).toMatchObject({
    disabled: true,
  });
  expect((await own('GET', STATE)).body.code).toBe('TOKEN_REVOKED');
  expect(await perform(door.services, 'authenticate', undefined, credentials)).toMatchObject({
    refusal: 'NOT_ENTITLED',
  });
  expect(await door.opened.store.clients.get(id)).toMatchObject({ disabled: true });
  await perform(door.services, 'disableClient', undefined, { id: 'other', disabled: false });
  expect(await perform(door.services, 'authenticate', undefined, credentials)).toMatchObject({ clientId: id });
  expect(await tokens.list(id)).toHaveLength(1);
});

test('is made a platform by the operator alone; a sub-client never is', async () => {
  const create = (id: string) => perform(door.services, 'createClient', undefined, { id, name: id });
  expect(await create('nothing~one')).toMatchObject({ refusal: 'UNKNOWN_CLIENT' });
  expect(await create('plain~one')).toMatchObject({ refusal: 'WRONG_STATE' });
  const change = (id: string, isPlatform: boolean) =>
    perform(door.services, 'changeClient', undefined, { id, isPlatform });
  expect(await change('plain', true)).toMatchObject({ isPlatform: true });
  expect(await create('plain~one')).toMatchObject({ id: 'plain~one', platform: 'plain' });
  expect(await change('plain~one', true)).toMatchObject({ refusal: 'WRONG_STATE' });
  expect(await create('plain~one')).toMatchObject({ refusal: 'CLIENT_EXISTS' });
  expect(await create('plain~a~b')).toMatchObject({ refusal: 'VALIDATION_FAILED' });
  const listed = await perform(door.services, 'listClients', undefined, { platform: 'plain' });
  expect(listed).toMatchObject({ clients: [{ id: 'plain~one' }] });
  // It may no longer act for those that there are.
  const ask = await asking(door, 'plain');
  expect((await ask('GET', STATE, 'plain~one')).status).toBe(200);
  await change('plain', false);
  await expect.poll(async () => (await ask('GET', STATE, 'plain~one')).status).toBe(403);
});

test('is refused while the store is almost full, but for changes of what there is', async () => {
  const own = await openMoneyDoor();
  let fill: Filling | undefined;
  try {
    await own.client('acme');
    const { clients } = own.opened.store;
    await clients.change('acme', { isPlatform: true });
    const ask = await asking(own, 'acme');
    const create = (name: string) => ask('POST', SUB_CLIENTS, undefined, { name, title: 'X', currencies: ['EUR'] });
    expect((await create('first')).status).toBe(200);
    fill = await filling(own.opened.redisUrl, own.opened.store);
    await fill.to(0.97);
    const full = await create('second');
    expect([full.status, full.body.code]).toEqual([503, 'STORE_FULL']);
    const margin = await ask('POST', `${SUB_CLIENTS}/acme~first/margins`, undefined, { pair: '*', margin: 1 });
    expect(margin.body.code).toBe('STORE_FULL');
    // A change of what there is adds no record.
    const change = await ask('PATCH', `${SUB_CLIENTS}/acme~first`, undefined, { title: 'Y' });
    expect([change.status, change.body.title]).toEqual([200, 'Y']);
    expect(await clients.get('acme~second')).toBeUndefined();
  } finally {
    await fill?.restore();
    await own.stop();
  }
});

test('a platform enables what it has disabled itself, and never what the operator has', async () => {
  const id = await made('closed');
  const path = `${SUB_CLIENTS}/${id}`;
  const ask = await asking(door, 'acme');
  await ask('PATCH', path, undefined, { disabled: true });
  await perform(door.services, 'disableClient', undefined, { id, disabled: true });
  // Its own word again does not make it the platform's.
  expect((await ask('PATCH', path, undefined, { disabled: true })).body.disabled).toBe(true);
  const refused = await ask('PATCH', path, undefined, { disabled: false, title: 'Open' });
  expect([refused.status, refused.body.code]).toEqual([400, 'WRONG_STATE']);
  expect((await ask('GET', path)).body).toMatchObject({ disabled: true, title: 'The closed' });
  await perform(door.services, 'disableClient', undefined, { id, disabled: false });
  expect((await ask('GET', path)).body.disabled).toBe(false);
});

test('a sub-client has the policies of its platform, unless the operator has set its own', async () => {
  const id = await made('ruled');
  const change = (of: string, more: object) => perform(door.services, 'changeClient', undefined, { id: of, ...more });
  const shown = () => perform(door.services, 'showClient', undefined, { id });
  const verification = { accepted: ['MATCH'], required: true };
  await change('acme', { verification, cancel: 'worse' });
  expect(await shown()).toMatchObject({ verification, cancel: 'worse' });
  await change(id, { verification: 'off', cancel: 'market' });
  const own = await shown();
  expect(own).not.toHaveProperty('verification');
  expect(own).not.toHaveProperty('cancel');
  await change('acme', { verification: 'off', cancel: 'market' });
});

test('each answer names the client that it was for', async () => {
  const ask = await asking(door, 'acme');
  const id = await made('named');
  const headers = async (path: string, of?: string) => (await ask('GET', path, of)).headers['x-acting-for'];
  expect(await headers('/api/v1/account')).toBe('acme');
  expect(await headers('/api/v1/account', id)).toBe(id);
  expect(await headers('/api/v1/bookfx/BFX0', id)).toBe(id);
  expect((await door.ask('GET', '/api/v1/account')).headers['x-acting-for']).toBeUndefined();
});

test('a change of a sub-client that changes nothing writes nothing', async () => {
  const id = await made('same');
  const ask = await asking(door, 'acme');
  const one = `${SUB_CLIENTS}/${id}`;
  const { auditLog } = door.opened.store;
  const entries = async () => (await auditLog.standing()).entries;
  const shown = (await ask('GET', one)).body;
  const before = await entries();
  for (const nothing of [
    {},
    { title: 'The same' },
    { default_type: 'PREFUNDING', disabled: false, currencies: ['USD', 'EUR'] },
  ]) {
    const { status, body } = await ask('PATCH', one, undefined, nothing);
    expect([status, body]).toEqual([200, shown]);
  }
  expect(await entries()).toBe(before);
  for (const disabled of [true, true, false, false]) await ask('PATCH', one, undefined, { disabled });
  expect(await entries()).toBe(before + 4);
  await ask('PATCH', one, undefined, { title: 'Another' });
  expect(await entries()).toBe(before + 6);
});

test('names are compared without case: of several that are created at once one is', async () => {
  const ask = await asking(door, 'acme');
  await made('Cased');
  const again = await ask('POST', SUB_CLIENTS, undefined, { name: 'cASED', title: 'Another' });
  expect([again.status, again.body.code]).toEqual([409, 'CLIENT_EXISTS']);
  expect((await ask('GET', `${SUB_CLIENTS}/acme~cASED`)).status).toBe(404);
  const byOperator = { id: 'acme~CASED', name: 'Another', defaultType: 'PREFUNDING' };
  expect(await perform(door.services, 'createClient', undefined, byOperator)).toMatchObject({
    refusal: 'CLIENT_EXISTS',
  });
  const names = ['race', 'Race', 'rAce', 'raCe', 'RACE'];
  const raced = await Promise.all(
    names.map((name) => ask('POST', SUB_CLIENTS, undefined, { name, title: 'x', currencies: ['EUR'] })),
  );
  expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  // The same name is free with another platform.
  expect(await made('cased', 'other')).toBe('other~cased');

  const { clients } = door.opened.store;
  const id = String(raced.find(({ status }) => status === 200)!.body.sub_client_id);
  expect(await clients.isListed(id)).toBe(true);
  const reconciled = async () => {
    const answer = await perform(door.services, 'reconcile', undefined, {});
    return 'differences' in answer ? answer.differences.map((one) => one.what) : answer;
  };
  expect(await reconciled()).toEqual([]);
  const keyspace = keyspaceReader(door.opened.redisUrl);
  const { subClients } = ledgerKeys((await clients.get('acme'))!);
  await keyspace.redis.hdel(subClients, id.toLowerCase());
  expect(await reconciled()).toEqual(['list of clients']);
  await keyspace.redis.hset(subClients, id.toLowerCase(), id);
  keyspace.close();
});
