/** That an answer which the OpenAPI document does not have is found: each row plants one fault in a right answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type MoneyDoor, openMoneyDoor } from '../money-door.js';
import type { Answer } from '../rest-door.js';
import { checkDescribed } from './described.js';

const RATE = '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';
const UNKNOWN = '/api/v1/bookfx/BFX-UNKNOWN';

let door: MoneyDoor;
let acme: Client;
beforeAll(async () => {
  door = await openMoneyDoor({ reads: 1_000 });
  acme = await door.client('acme');
  door.freshPrices();
});
afterAll(() => door.stop());

type Planted = (answer: Answer) => object;
const inBody =
  (more: object): Planted =>
  ({ body }) => ({ body: { ...body, ...more } });
const inHeaders =
  (more: object): Planted =>
  ({ headers }) => ({ headers: { ...headers, ...more } });

test.each<[what: string, path: string, planted: Planted, said: RegExp]>([
  ['an undescribed field', RATE, inBody({ colour: 'green' }), /additional properties.*colour/],
  ['a field that is missing', RATE, inBody({ fx_rate: undefined }), /required property 'fx_rate'/],
  ['a number as a text', RATE, inBody({ margin: '0.25' }), /\/margin must be number/],
  ['a time with an offset', RATE, inBody({ expiry_at: '2028-07-03T10:00:00.000+00:00' }), /\/expiry_at/],
  ['another status', RATE, () => ({ status: 204 }), /status 204 is not described/],
  ['another content-type', RATE, inHeaders({ 'content-type': 'text/html' }), /content-type is text\/html/],
  ['no id of the answer', RATE, inHeaders({ 'x-request-id': undefined }), /x-request-id is missing/],
  ['a header of other answers', RATE, inHeaders({ 'idempotent-replayed': 'true' }), /replayed is not described/],
  ['a code that is none', UNKNOWN, inBody({ code: 'OOPS' }), /\/code must be equal to one of/],
  ['a code of another status', UNKNOWN, inBody({ code: 'TOKEN_REQUIRED' }), /\/code must be equal to one of/],
  ['a status that is not its own', UNKNOWN, inBody({ status: 400 }), /\/status must be equal to constant/],
  ['a fault of no field', UNKNOWN, inBody({ errors: [{ code: 'field_missing', message: 'x' }] }), /property 'field'/],
  ['an internal detail', UNKNOWN, inBody({ stack: 'at serve' }), /additional properties.*stack/],
  ['a problem that calls itself JSON', UNKNOWN, inHeaders({ 'content-type': 'application/json' }), /content-type/],
  ['a status of other operations', UNKNOWN, () => ({ status: 409 }), /status 409 is not described/],
])('%s', async (_what, path, planted, said) => {
  const right = await acme.get(path);
  // As a client reads it: what is undefined does not come.
  const wrong = JSON.parse(JSON.stringify({ ...right, ...planted(right) })) as Answer;
  expect(() => checkDescribed('GET', path, wrong)).toThrow(said);
});
