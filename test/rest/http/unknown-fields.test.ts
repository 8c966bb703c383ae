/** A field that an operation does not have is refused on every path, in the query and in the body, and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES, type Route } from '../../../rest/features/routes.js';
import { routesOf } from '../../../rest/openapi/document.js';
import { BY_CURRENCY, type Client, type Fields, GET_FX_RATE, type MoneyDoor, openMoneyDoor } from '../money-door.js';
import type { Answer } from '../rest-door.js';

let door: MoneyDoor;
let acme: Client;
let platform: Client;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  platform = await door.client('plat');
  await door.opened.store.clients.change('plat', { isPlatform: true });
  await acme.account('EUR', 1_000_000n);
  await acme.account('USD', 0n);
});
afterAll(() => door.stop());

const faultsOf = ({ status, body }: Answer): string[] => {
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return (body.errors as { field: string; code: string; message: string }[])
    .filter(({ code }) => code === 'unsupported_field')
    .map(({ field, message }) => `${field}: ${message}`);
};

const pathOf = ({ path }: Route): string => path.replace(/:(\w+)/g, '400100000019');
const send = (route: Route, query: string, body?: Fields): Promise<Answer> => {
  const text = body && JSON.stringify(body);
  const ofBody = text && { 'content-type': 'application/json', 'content-length': String(text.length) };
  const headers = { authorization: acme.authorization, ...ofBody };
  return door.ask(route.method.toUpperCase(), pathOf(route) + query, headers, text);
};

describe('a field that the operation does not have', () => {
  // Without sandbox ports there are no such paths.
  const isSandbox = ({ path }: Route) => path.startsWith('/api/v1/sandbox/');
  const all = routesOf(ROUTES)
    .filter(([, route]) => !isSandbox(route))
    .map(([, route]) => [`${route.method} ${route.path}`, route] as const);

  test.each(all)('is refused in the query: %s', async (_, route) => {
    expect(faultsOf(await send(route, '?colour=red'))).toEqual([expect.stringMatching(/^colour: no such field here/)]);
    expect(faultsOf(await send(route, '?__proto__=1'))).toEqual([expect.stringMatching(/^__proto__: no such field/)]);
  });

  test.each(all)('is refused in the body: %s', async (_, route) => {
    const refused = await send(route, '', { colour: 'red' });
    expect(faultsOf(refused)).toEqual([expect.stringMatching(/^colour: no such field here/)]);
    expect(faultsOf(await send(route, '', { constructor: {} }))).toEqual([expect.stringMatching(/^constructor: /)]);
  });
});

const book = (more: Fields): Fields => ({
  request_id: 'unknown-1',
  description: 'x',
  sell_amount: 100,
  sell_currency: 'EUR',
  buy_currency: 'USD',
  ...more,
});

describe('the name that was probably meant', () => {
  test.each([
    [{ hold_id: 'HLD1' }, 'hold_id: no such field here: did you mean fx_hold_id?'],
    [{ sellAmount: 100 }, 'sellAmount: no such field here: did you mean sell_amount?'],
    [{ sell_amuont: 100 }, 'sell_amuont: no such field here: did you mean sell_amount?'],
    [{ settlementdate: '' }, 'settlementdate: no such field here: did you mean settlement_date?'],
  ])('is named in a conversion: %j', async (more, expected) => {
    const before = await door.kept('acme');
    expect(faultsOf(await acme.post(BY_CURRENCY, book(more)))).toEqual([expected]);
    expect(await door.kept('acme')).toEqual(before);
  });

  test('is named in a query, else all that there are', async () => {
    const rate = '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';
    expect(faultsOf(await acme.get(`${rate}&sell_amuont=100`))).toEqual([
      'sell_amuont: no such field here: did you mean sell_amount?',
    ]);
    const offer = `${GET_FX_RATE}?source_currency=EUR&destination_currency=USD`;
    expect(faultsOf(await acme.get(`${offer}&type=SCHEDULED2`))).toEqual([
      expect.stringMatching(/^type: no such field here: there are .*\bschedule\b/),
    ]);
  });

  test('is named by its path where it is in an object', async () => {
    const payout = { beneficiary_name: 'Ann', purpose_code: 'IR011', beneficiary: { nmae: 'Ann' } };
    expect(faultsOf(await acme.post('/api/v2/payouts', payout))).toEqual([
      'beneficiary_name: no such field here: did you mean beneficiary.name?',
      'purpose_code: no such field here: did you mean remitter.purpose_code?',
      'beneficiary.nmae: no such field here: did you mean beneficiary.name?',
    ]);
    expect(faultsOf(await acme.post('/api/v1/payments/create', { beneficiary: { name: 'Ann' } }))).toEqual([
      'beneficiary: no such field here: did you mean beneficiary_id?',
    ]);
  });
});

describe('beside the other faults', () => {
  test('it is reported with them, and a form is judged as JSON is', async () => {
    const { body } = await acme.form(BY_CURRENCY, book({ colour: 'red', buy_currency: 'usd' }));
    expect((body.errors as { field: string }[]).map(({ field }) => field)).toEqual(['buy_currency', 'colour']);
  });

  test('a hundred are named, and no more', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]));
    expect(faultsOf(await acme.post(BY_CURRENCY, book(many)))).toHaveLength(100);
  });

  test('it is refused in each item of a batch', async () => {
    const item = { item_id: 'a', beneficiary: { name: 'A', nmae: 'B' }, colour: 'red' };
    expect(faultsOf(await acme.post('/api/v1/batches/BAT1/items', { items: [{ item_id: 'b' }, item] }))).toEqual([
      'items.1.beneficiary.nmae: no such field here: did you mean items.1.beneficiary.name?',
      'items.1.colour: no such field here',
    ]);
  });

  test('it is refused where credentials are sent, once the address may try', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ client_key: 'CK', client_secret: 'x' });
    const answer = await door.ask('POST', '/api/v1/authentication', headers, body);
    expect(faultsOf(answer).map((fault) => fault.split(':')[0])).toEqual(['client_key', 'client_secret']);
  });
});

describe('a value of another kind', () => {
  test('a text is no list, and an object is none', async () => {
    const webhook = { url: 'https://example.com/x', types: '*' };
    const { status, body } = await acme.post('/api/v1/webhooks', webhook);
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'types', code: 'incorrect_format' })],
    ]);
    const split = await acme.post('/api/v1/bookfx/BFX1/split/quote', { sell_amounts: { 0: 600, 1: 400 } });
    expect(split.body.errors).toEqual([expect.objectContaining({ field: 'sell_amounts', code: 'incorrect_format' })]);
  });

  test('a sub-client keeps its accounts: a list of fewer currencies is refused', async () => {
    const created = await platform.post('/api/v1/sub-clients', { name: 's', title: 'S', currencies: ['EUR', 'USD'] });
    const path = `/api/v1/sub-clients/${created.body.sub_client_id}`;
    for (const currencies of [['EUR'], [], ['GBP']]) {
      const { status, body } = await platform.patch(path, { title: 'T', currencies });
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ field: 'currencies', code: 'not_allowed' })],
      ]);
    }
    expect((await platform.get(path)).body.title).toBe('S');
    const more = await platform.patch(path, { currencies: ['USD', 'EUR', 'GBP'] });
    expect(more.body.currencies).toEqual(['EUR', 'GBP', 'USD']);
  });
});
