/** A payment that is refused leaves nothing behind: neither the number of an account that it would have opened, nor its own id. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
let acme: Client;
let euros: number;

beforeAll(async () => {
  door = await openPaymentDoor();
  acme = await door.client('acme');
  euros = await acme.account('EUR', 100_000_00n, { sequence: 1 });
  door.freshPrices();
  door.withdraw('USD/IDR');
});
afterAll(() => door.stop());

test('refused at each stage, in a currency that the client has no account in', async () => {
  const made = payment('EUR');
  expect((await acme.post(CREATE_PAYMENT, made)).status).toBe(200);
  const before = await door.keyspace.read();
  const { request_id, transaction_number } = made;
  for (const [path, body, code] of [
    [CREATE_PAYMENT, payment('USD', { transaction_number }), 'DUPLICATE_TRANSACTION'],
    [CREATE_PAYMENT, payment('USD', { request_id }), 'REQUEST_ID_REUSED'],
    [CREATE_PAYOUT, payout('USD', 123456789018), 'UNKNOWN_ACCOUNT'],
    [CREATE_PAYOUT, payout('USD', euros, { payout_options: { fx_hold_id: 'HLDNONE0000000000' } }), 'HOLD_NOT_FOUND'],
    [CREATE_PAYOUT, payout('IDR', euros, { destination_amount: 20_000 }), 'RATE_UNAVAILABLE'],
  ] as const) {
    expect([code, (await acme.post(path, body)).body]).toMatchObject([code, { code }]);
    expect(await door.keyspace.read()).toEqual(before);
  }
});
