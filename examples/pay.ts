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
console.log(await get('/api/v1/bookfx/rate?sell_currency=USD&buy_currency=GBP'));

// Unique for ever: a repeated request gets its first answer, or names the existing payment.
const run = `${Date.now()}-${process.pid}`;

// 3. Convert dollars into the pounds to be paid.
console.log(
  await post('/api/v1/bookfx/currency/create', {
    request_id: `fx-${run}`,
    description: 'Invoice 418',
    buy_currency: 'GBP',
    buy_amount: 500,
    sell_currency: 'USD',
  }),
);

// 4. Pay, by version 2: nested fields, and the fee on top.
const accounts = await get<{ account_number: number; currency: string; default: boolean }[]>('/api/v1/account');
const pounds = accounts.find((account) => account.currency === 'GBP' && account.default);
if (pounds === undefined) throw new Error('the client has no account in GBP');
const { payment_id } = await post<{ payment_id: string }>('/api/v2/payouts', {
  request_id: `pay-${run}`,
  transaction_number: `INV-418-${run}`,
  source_account: pounds.account_number,
  destination_currency: 'GBP',
  destination_amount: 500,
  fee_payer: 'OUR',
  statement_narrative: 'Invoice 418',
  routing_code_type_1: 'SORT CODE',
  routing_code_value_1: '089999',
  remitter: {
    name: 'Acme Trading Pte Ltd',
    account_type: 'Company',
    identification_type: 'Company Registration No',
    identification_number: '201812345K',
    country_code: 'SG',
    address: '1 Raffles Place',
    city: 'Singapore',
  },
  beneficiary: {
    name: 'Sharma Textiles Ltd',
    account_type: 'Company',
    country_code: 'GB',
    account_number: '66374958',
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
