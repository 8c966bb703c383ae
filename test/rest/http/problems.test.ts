import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Refusal, refuse } from '../../../engine/domain/core/refusal.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { renamedMembers } from '../../../rest/features/shapes.js';
import { refuseRequest } from '../../../rest/http/responses.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const RATE = '/api/v1/bookfx/rate?sell_currency=GBP&buy_currency=USD';
const asked = { instance: '/x', requestId: 'r-1' };

let opened: TestStore;
let door: RestDoor;
let authorization: string;

/** The store as it is when the answers of these calls are lost on the way. */
beforeAll(async () => {
  opened = await startTestStore();
  const { store } = opened;
  await store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  await store.margins.set({ clientId: 'acme', pair: '*', type: '*', marginPpm: 2_500 });
  authorization = `Bearer ${(await store.tokens.issue('acme', 'CK_X', ['rates'])).token}`;
  const lost = () => Promise.reject(new StoreUnavailable('unknown'));
  const read = (token: string) => (token === 'unlucky' ? lost() : store.tokens.read(token));
  door = await openRestDoor({ ...store, keys: { ...store.keys, verify: lost }, tokens: { ...store.tokens, read } });
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});

test.each<[string, () => ReturnType<RestDoor['ask']>, string, string]>([
  ['no price', () => door.ask('GET', RATE, { authorization }), 'RATE_UNAVAILABLE', 'none'],
  [
    'the answer to a command lost',
    () => door.ask('POST', '/api/v1/authentication', { client_key: 'CK_X', client_secret: 'x'.repeat(43) }),
    'STORE_UNAVAILABLE',
    'unknown',
  ],
  [
    'the token not found out, so no command',
    () => door.ask('GET', RATE, { authorization: 'Bearer unlucky' }),
    'STORE_UNAVAILABLE',
    'none',
  ],
])('a 503 says what became of the command: %s', async (_what, ask, code, outcome) => {
  const { status, body, headers } = await ask();
  expect([status, body.code, body.outcome]).toEqual([503, code, outcome]);
  expect(headers['retry-after']).toMatch(/^[12]$/);
});

test('a problem carries the details of its refusal behind its own members, and says when it was given before', async () => {
  const details = { available_amount: 12.5, needed_amount: 13 };
  const first = refuse('INSUFFICIENT_BALANCE', undefined, { details });
  for (const refusal of [first, { ...first, replayed: true }]) {
    const answer = await answered(refusal);
    expect(Object.entries((await answer.json()) as object).slice(-3)).toEqual([
      ['errors', []],
      ...Object.entries(details),
    ]);
    expect(answer.headers.get('idempotent-replayed')).toBe('replayed' in refusal ? 'true' : null);
  }
});

async function answered(refusal: Refusal): Promise<Response> {
  const server = createServer((_request, response) => refuseRequest(response, asked, refusal));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return answer;
}

test('details are renamed like fields', () => {
  expect(renamedMembers({ available: 1, payment_id: 'P' }, { available: 'available_amount' })).toEqual({
    available_amount: 1,
    payment_id: 'P',
  });
});
