/** A store that is almost full: operations that add records are rejected, all others are executed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Filling, filling } from '../../support/full-store.js';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  GET_FX_RATE,
  LOCK,
  type MoneyDoor,
  openMoneyDoor,
  RELEASE,
} from '../money-door.js';
import { OPERATIONS } from '../openapi/generated/operations.js';
import { exchange, type Sent } from '../openapi/generated/wire.js';
import { openWorld, type World } from '../openapi/generated/world.js';

let door: MoneyDoor;
let acme: Client;
let fill: Filling;
let accounts: { from_account: number; to_account: number };
let held: string;
let offer: string;
let credentials: { client_key: string; client_secret: string };
let taken: string;
/** Open, with a quote of each change. */
let open: string;
const quotes: Record<string, string> = {};

const PAIR = 'source_currency=EUR&destination_currency=USD';
const DEAL = { description: 'Rent, July', sell_amount: 100 };

const CHANGES = { cancel: {}, date: { settlement_date: '2028-07-05' }, split: { sell_amounts: [60, 40] } };
const change = (kind: string) =>
  acme.post(`/api/v1/bookfx/${open}/${kind}`, { quote_id: quotes[kind], request_id: `full-${kind}` });

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  accounts = { to_account: await acme.account('EUR', 100_000_00n), from_account: await acme.account('USD') };
  const key = (await door.opened.store.keys.issue('acme', ['read']))!;
  credentials = { client_key: key.clientKey, client_secret: key.clientSecret };
  door.freshPrices();
  held = await acme.hold(PAIR);
  const booked = await acme.post(BY_ACCOUNT, { ...DEAL, ...accounts, request_id: 'before' });
  taken = String(booked.body.confirmation_id);
  await door.opened.store.clients.setScheduledLimit('acme', '100000');
  const later = await acme.post(BY_ACCOUNT, { ...DEAL, ...accounts, request_id: 'open', book_fx_type: 'SCHEDULED1' });
  open = String(later.body.confirmation_id);
  for (const [kind, terms] of Object.entries(CHANGES)) {
    const { body } = await acme.post(`/api/v1/bookfx/${open}/${kind}/quote`, terms);
    quotes[kind] = String(body.quote_id);
  }
  fill = await filling(door.opened.redisUrl, door.opened.store);
  await fill.to(0.97);
});
afterAll(async () => {
  await fill?.restore();
  await door.stop();
});
beforeEach(async () => {
  door.freshPrices();
  offer = String((await acme.get(`${GET_FX_RATE}?${PAIR}`)).body.rate_signature);
});

const byCurrency = { ...DEAL, sell_currency: 'EUR', buy_currency: 'USD' };

test.each<[what: string, ask: () => ReturnType<Client['get']>]>([
  ['Book FX by account', () => acme.post(BY_ACCOUNT, { ...DEAL, ...accounts, request_id: 'one' })],
  ['Book FX by currency', () => acme.post(BY_CURRENCY, { ...byCurrency, request_id: 'two' })],
  ['a lock by GET', () => acme.get(`${LOCK}?rate_signature=${offer}`)],
  ['a lock by POST', () => acme.post(LOCK, { rate_signature: offer })],
  ...['date', 'split'].map((kind): [string, () => ReturnType<Client['get']>] => [
    `a change of a conversion, ${kind},`,
    () => change(kind),
  ]),
])('%s is refused, and moves nothing', async (_what, ask) => {
  const before = await door.kept('acme');
  const { status, headers, body } = await ask();
  expect([status, body.code, body.outcome]).toEqual([503, 'STORE_FULL', 'none']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(await door.kept('acme')).toEqual(before);
});

test('a fault of the body comes first', async () => {
  expect((await acme.post(BY_CURRENCY, {})).body.code).toBe('VALIDATION_FAILED');
});

test.each([
  ['a rate', () => acme.get('/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD')],
  ['a lockable rate', () => acme.get(`${GET_FX_RATE}?${PAIR}`)],
  ['balances', () => acme.get('/api/v1/balance/all')],
  ['accounts', () => acme.get('/api/v1/account')],
  ['a booking', () => acme.get(`/api/v1/bookfx/${taken}`)],
  ['a quote of a change', () => acme.post(`/api/v1/bookfx/${open}/cancel/quote`, {})],
  ['authentication', () => door.ask('POST', '/api/v1/authentication', credentials)],
  ['a release', () => acme.post(RELEASE, { fx_hold_id: held })],
])('executes %s', async (_what, ask) => {
  expect((await ask()).status).toBe(200);
});

test('executes the same request once there is room', async () => {
  await fill.restore();
  door.freshPrices();
  expect((await acme.post(BY_ACCOUNT, { ...DEAL, ...accounts, request_id: 'one' })).status).toBe(200);
  expect((await acme.get(`${LOCK}?rate_signature=${offer}`)).status).toBe(200);
  expect((await change('split')).status).toBe(200);
});

describe('every operation of the OpenAPI document', () => {
  /** They change or remove what there is, or compute: what lets a client act while there is no room. */
  const ADDS_NOTHING = [
    ...['authenticate', 'revokeTokens', 'releaseHold', 'cancelPayment', 'answerInformation', 'validatePayment'],
    ...['validatePayout', 'removeBatchItem', 'validateBatch', 'closeBatch', 'cancelBatch', 'haltTrading'],
    ...['changeSubClient', 'removeSubClientMargin', 'disableBeneficiary', 'enableBeneficiary', 'changeWebhook'],
    ...['removeWebhook', 'rotateWebhookSecret', 'sandboxPayment', 'sandboxFunding', 'sandboxConversion'],
    ...['advanceSandboxClock', 'cancelConversion'],
  ];
  let world: World;
  let requests: { readonly id: string; readonly adds: boolean; readonly sent: Sent }[];
  let filled: Filling;

  beforeAll(async () => {
    world = await openWorld();
    const party = await world.party('acme');
    expect(await party.haveEverything(20_261_120)).toEqual([]);
    requests = [];
    // A halt and a revocation would decide about all that follow.
    for (const { id, limit } of OPERATIONS.filter((one) => !/^(haltTrading|revokeTokens)$/.test(one.id)))
      requests.push({
        ...{ id, adds: limit !== 'reads' && !ADDS_NOTHING.includes(id) },
        sent: await party.prepare(party.worked.get(id)!),
      });
    filled = await filling(world.door.opened.redisUrl, world.door.opened.store);
    await filled.to(0.97);
    world.quote();
  });
  afterAll(async () => {
    await filled.restore();
    await world.stop();
  });

  test('is refused where it adds a record, and answered as ever where it does not', async () => {
    const codes: unknown[] = [];
    for (const { id, sent } of requests) {
      const { status, text } = await exchange(world.door.port, sent);
      const { code, outcome } = JSON.parse(text);
      codes.push([id, status === 503 ? [code, outcome] : 'as ever']);
    }
    expect(codes).toEqual(requests.map(({ id, adds }) => [id, adds ? ['STORE_FULL', 'none'] : 'as ever']));
  });
});
