/** From `npm start` through REST: T+2 and 30 days pass by the client's own clock, and nothing waits for them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAYMENT_EXAMPLE } from '../../../rest/features/payments/payment-references.js';
import { SOON } from '../../support/until.js';
import { demoClient, type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

type Fields = Record<string, unknown>;

const directory = temporaryDirectory();
let launcher: Launcher;
let ask: (method: string, path: string, body?: object) => Promise<Fields>;

beforeAll(async () => {
  launcher = launch(directory.path);
  const { rest } = await launcher.ready;
  const { client_key, client_secret } = demoClient(directory.path);
  const signedIn = await fetch(`http://${rest}/api/v1/authentication`, {
    method: 'POST',
    headers: { client_key, client_secret },
  });
  const { token } = (await signedIn.json()) as { token: string };
  ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://${rest}/api/v1/${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Fields;
  };
}, 120_000);
afterAll(async () => {
  launcher.process.kill('SIGTERM');
  await launcher.ended;
  directory.remove();
});

const becomes = (path: string, status: string): Promise<void> =>
  expect.poll(async () => (await ask('GET', path)).status, SOON).toBe(status);

test('settles a conversion of T+2, and expires a payment of 30 days', async () => {
  const booked = await ask('POST', 'bookfx/currency/create', {
    ...{ sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100, book_fx_type: 'SCHEDULED2' },
    ...{ request_id: 'clock-1', description: 'T+2' },
  });
  expect(booked.status).toBe('OPEN');
  expect(await ask('GET', 'sandbox/clock')).toMatchObject({ ahead_seconds: 0 });
  await ask('POST', 'sandbox/clock', { until: booked.expiry_at });
  await becomes(`bookfx/${booked.confirmation_id}`, 'SETTLED');
  expect((await ask('GET', `bookfx/${booked.confirmation_id}`)).settlement_date).toBe(booked.settlement_date);

  // More than the demo client has.
  const much = {
    ...PAYMENT_EXAMPLE,
    request_id: 'clock-2',
    transaction_number: 'CLOCK-2',
    destination_amount: 1_400_000,
  };
  const accounts = (await ask('GET', 'account')) as unknown as { currency: string; account_number: number }[];
  const { account_number } = accounts.find(({ currency }) => currency === 'INR')!;
  const waiting = await ask('POST', 'payments/create', { ...much, account_number });
  expect(waiting).toMatchObject({ status: 'AWAITING_FUNDS' });
  expect(await ask('POST', 'sandbox/clock', { advance: '30d' })).toMatchObject({ left_seconds: expect.any(Number) });
  await becomes(`payments/id/${waiting.payment_id}`, 'CANCELLED');
  expect(await ask('GET', `payments/id/${waiting.payment_id}`)).toMatchObject({ sub_status: 'FUNDING_EXPIRED' });
}, 120_000);
