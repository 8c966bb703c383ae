/**
 * From a token to a payment that is PAID, with fetch only. Start `npm start` in another terminal first; then: `npm run example`. The
 * payment goes to the sandbox: no bank is involved.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface Demo {
  readonly client_key: string;
  readonly client_secret: string;
  readonly rest: string;
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

const demo: Demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo-client.json'), 'utf8'));
const baseUrl = process.env.BASE_URL ?? `http://${demo.rest}`;

async function ask<Answer>(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(10_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Answer;
  const { code, message, errors } = answer as Problem;
  const faults = errors.map((fault) => `\n  ${fault.field}: ${fault.message} (${fault.code})`).join('');
  throw new Error(`${method} ${path}: ${response.status} ${code}: ${message}${faults}`);
}

// 1. A token for the client key and its secret.
const { client_key, client_secret } = demo;
const { token } = await ask<{ token: string }>('POST', '/api/v1/authentication', { client_key, client_secret });
const authorization = { authorization: `Bearer ${token}` };
const get = <Answer>(path: string) => ask<Answer>('GET', path, authorization);
const post = <Answer>(path: string, body: object) => ask<Answer>('POST', path, authorization, body);

// 2. The current rate.
console.log(await get('/api/v1/bookfx/rate?sell_currency=USD&buy_currency=INR'));

// Unique for ever: a repeated request gets its first answer, or names the existing payment.
const run = `${Date.now()}-${process.pid}`;

// 3. Convert dollars into the rupees to be paid.
console.log(
  await post('/api/v1/bookfx/currency/create', {
    request_id: `fx-${run}`,
    description: 'Invoice 418',
    buy_currency: 'INR',
    buy_amount: 50_000,
    sell_currency: 'USD',
  }),
);

// 4. Pay, by version 2: nested fields, and the fee on top.
const accounts = await get<{ account_number: number; currency: string; default: boolean }[]>('/api/v1/account');
const rupees = accounts.find((account) => account.currency === 'INR' && account.default);
if (rupees === undefined) throw new Error('the client has no account in INR');
const { payment_id } = await post<{ payment_id: string }>('/api/v2/payouts', {
  request_id: `pay-${run}`,
  transaction_number: `INV-418-${run}`,
  source_account: rupees.account_number,
  destination_currency: 'INR',
  destination_amount: 50_000,
  fee_payer: 'OUR',
  statement_narrative: 'Invoice 418',
  routing_code_type_1: 'IFSC',
  routing_code_value_1: 'HDFC0000001',
  remitter: {
    name: 'Acme Trading Pte Ltd',
    account_type: 'Company',
    identification_type: 'Company Registration No',
    identification_number: '201812345K',
    country_code: 'SG',
    address: '1 Raffles Place',
    purpose_code: 'IR01811',
  },
  beneficiary: {
    name: 'Sharma Textiles Pvt Ltd',
    account_type: 'Company',
    country_code: 'IN',
    address: '12 Marine Drive',
    city: 'Mumbai',
    bank_name: 'HDFC Bank',
    account_number: '50100012345678',
  },
});
console.log(payment_id);

// 5. Read until it is PAID.
const ENDED = ['PAID', 'COMPLIANCE_REJECTED', 'RETURNED', 'CANCELLED', 'USER_REJECTED'];
for (let status = ''; !ENDED.includes(status); await pause(500)) {
  ({ status } = await get<{ status: string }>(`/api/v1/payments/id/${payment_id}`));
  console.log(status);
  if (ENDED.includes(status) && status !== 'PAID') process.exitCode = 1;
}
