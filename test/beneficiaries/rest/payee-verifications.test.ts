/** Verification of a payee over REST, its token, and what a payment does with it by the client's policy. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SANDBOX_PAYEES } from '../../../engine/service/beneficiaries/sandbox-payees.js';
import { VERIFICATION_RESPONSE } from '../../../rest/features/beneficiaries/payee-verifications.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from '../../payments/rest/payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import type { Client, Fields } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

const PATH = '/api/v1/payee-verifications';
const IBAN = 'DE89370400440532013000';
const TEN_MINUTES_MS = 600_000;

let door: PaymentDoor;
let acme: Client;
let other: Client;
let eur: number;
let next = 0;

beforeAll(async () => {
  door = await openPaymentDoor();
  Object.assign(door.services, { payees: SANDBOX_PAYEES });
  acme = await door.client('acme');
  other = await door.client('other');
  eur = await acme.account('EUR', 10_000_000n);
});
beforeEach(() => door.freshPrices());
afterAll(() => door.stop());

const inSepa = (name = 'Anna Schmidt', more: Fields = {}): Fields => ({
  ...{ name, country: 'DE', currency: 'EUR', account_number: IBAN },
  ...more,
});
const inBritain = (name: string, more: Fields = {}): Fields => ({
  ...{ name, country: 'GB', currency: 'GBP', account_number: '66374958' },
  ...{ routing_code_type_1: 'SORT CODE', routing_code_value_1: '089999' },
  ...more,
});
async function verified(body: Fields, client = acme): Promise<Fields & { readonly verification_token: string }> {
  const answer = await client.post(PATH, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  VERIFICATION_RESPONSE.parse(answer.body);
  return answer.body as Fields & { readonly verification_token: string };
}
const tokenOf = async (name?: string, client = acme): Promise<string> =>
  (await verified(inSepa(name), client)).verification_token;
const codeOf = ({ status, body }: Answer) => [status, body.code];
const faultsOf = ({ status, body }: Answer) => {
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`).sort();
};

describe('the answers of the sandbox', () => {
  test.each<[Fields, string, string, string, string]>([
    [inSepa(), 'MATCH', 'SEPA_VOP', 'MTCH', 'Anna Schmidt'],
    [inSepa('Anna close-match Schmidt'), 'CLOSE_MATCH', 'SEPA_VOP', 'CMTC', 'Anna Schmidt'],
    [inSepa('NO MATCH'), 'NO_MATCH', 'SEPA_VOP', 'NMTC', ''],
    [inSepa('NOT POSSIBLE'), 'NOT_POSSIBLE', 'SEPA_VOP', 'NOAP', ''],
    [inBritain('Ann Carter'), 'MATCH', 'UK_COP', '', 'Ann Carter'],
    [inBritain('CLOSE MATCH'), 'CLOSE_MATCH', 'UK_COP', 'MBAM', 'Sandbox Payee'],
    [inBritain('OTHER KIND'), 'CLOSE_MATCH', 'UK_COP', 'BANM', 'OTHER KIND'],
    [inBritain('OTHER KIND', { account_type: 'Company' }), 'CLOSE_MATCH', 'UK_COP', 'PANM', 'OTHER KIND'],
    [inBritain('NO MATCH'), 'NO_MATCH', 'UK_COP', 'ANNM', ''],
    [inBritain('NOT POSSIBLE'), 'NOT_POSSIBLE', 'UK_COP', 'ACNS', ''],
    [inBritain('SWITCHED'), 'NOT_POSSIBLE', 'UK_COP', 'CASS', ''],
  ])('%j: %s', async (body, answer, scheme, code, name) => {
    const { verification_id, verification_token, expires_at, ...said } = await verified(body);
    expect(said).toEqual({ answer, scheme, code, name });
    expect(verification_id).toMatch(/^VRF[0-9A-HJKMNP-TV-Z]{17}$/);
    expect(Date.parse(String(expires_at))).toBe(door.services.nowMs + TEN_MINUTES_MS);
    expect(Buffer.from(verification_token, 'base64url').toString('latin1')).not.toContain('Anna');
  });

  test('an account that no scheme covers: NOT_POSSIBLE', async () => {
    const body = { ...inSepa('Ann Carter'), country: 'US', currency: 'USD', account_number: '000123456789' };
    const routing = { routing_code_type_1: 'ACH CODE', routing_code_value_1: '011000015' };
    expect(await verified({ ...body, ...routing })).toMatchObject({ answer: 'NOT_POSSIBLE', scheme: '', code: '' });
  });

  test('a bank without an answer in time, a port that fails or answers nonsense, and no port: NOT_POSSIBLE', async () => {
    const nothing = { answer: 'NOT_POSSIBLE', scheme: 'SEPA_VOP', code: '', name: '' };
    const counted = () => door.services.store.beneficiaries.verifications.get('SEPA_VOP NOT_POSSIBLE')!;
    const before = counted();
    expect(await verified(inSepa('NO ANSWER'))).toMatchObject(nothing);
    for (const verify of [
      () => Promise.reject(new Error('Anna Schmidt of DE89')),
      () => Promise.resolve({ code: '\nx', name: 'Otto' }),
    ]) {
      Object.assign(door.services, { payees: { verify } });
      expect(await verified(inSepa())).toMatchObject(nothing);
    }
    Object.assign(door.services, { payees: undefined });
    expect(await verified(inSepa())).toMatchObject(nothing);
    Object.assign(door.services, { payees: SANDBOX_PAYEES });
    expect(counted()).toBe(before + 4);
    expect(door.services.logged.join('\n')).not.toMatch(/Anna|DE89/);
  });
});

describe('what is refused', () => {
  test('all faults at once', async () => {
    const body = { name: '', country: 'DE', currency: 'EUR', account_number: 'DE00', account_type: 'x', colour: 'red' };
    expect(faultsOf(await acme.post(PATH, body))).toEqual([
      'account_number incorrect_format',
      'account_type incorrect_value',
      'colour unsupported_field',
      'name field_missing',
    ]);
    expect(faultsOf(await acme.post(PATH, {}))).toEqual([
      'account_number field_missing',
      'country field_missing',
      'name field_missing',
    ]);
  });

  test('a stored beneficiary beside its fields, an unknown and a foreign one, a disabled one', async () => {
    const { body } = await other.post('/api/v1/beneficiaries', {
      request_id: 'ben-1',
      beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: IBAN },
    });
    const id = body.beneficiary_id;
    expect(await verified({ beneficiary_id: id }, other)).toMatchObject({ answer: 'MATCH', name: 'Anna Schmidt' });
    expect(faultsOf(await other.post(PATH, { beneficiary_id: id, name: 'Otto' }))).toEqual([
      'name invalid_combination',
    ]);
    for (const unknown of [id, 'BNF00000000000000000'])
      expect(codeOf(await acme.post(PATH, { beneficiary_id: unknown }))).toEqual([400, 'UNKNOWN_BENEFICIARY']);
    await other.post(`/api/v1/beneficiaries/${id}/disable`, {});
    expect(codeOf(await other.post(PATH, { beneficiary_id: id }))).toEqual([400, 'BENEFICIARY_DISABLED']);
  });
});

/** Both versions, to the same name and account. */
const BODIES = [
  [CREATE_PAYMENT, '/api/v1/payments/validate', (more: Fields) => payment('EUR', more)],
  [CREATE_PAYOUT, '/api/v2/payouts/validate', (more: Fields) => payout('EUR', eur, more)],
] as const;

describe.each(BODIES)('%s', (create, validate, body) => {
  test('carries a token, and shows its answer for ever', async () => {
    const token = await tokenOf('anna  SCHMIDT');
    const created = await acme.post(create, body({ verification_token: token }));
    expect(created.status).toBe(200);
    await door.work();
    const read = await door.read(acme, created.body);
    expect(read.status).toBe('PAID');
    expect(read.verification).toEqual({
      answer: 'MATCH',
      code: 'MTCH',
      verified_at: expect.stringMatching(/\+00:00$/),
    });
    const shown = await door.operator('showPayment', { paymentId: created.body.payment_id });
    expect(shown.history[0]).toMatchObject({ to: 'IN_PROCESS', reason: 'payee verification MATCH MTCH' });
  });

  test.each([[create], [validate]])(
    '%s refuses a token that is changed, foreign, old or of another payee',
    async (path) => {
      const token = await tokenOf();
      const ask = (sent: unknown, more: Fields = {}) => acme.post(path, body({ verification_token: sent, ...more }));
      const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`;
      expect(codeOf(await ask(changed))).toEqual([400, 'VERIFICATION_INVALID']);
      expect(codeOf(await ask('x'))).toEqual([400, 'VERIFICATION_INVALID']);
      expect(codeOf(await ask(await tokenOf('Anna Schmidt', other)))).toEqual([400, 'VERIFICATION_INVALID']);
      const isFirst = create === CREATE_PAYMENT;
      const otherName = isFirst ? { beneficiary_name: 'Otto Meier' } : { beneficiary: { name: 'Otto Meier' } };
      const account = 'DE75512108001245126199';
      const otherAccount = isFirst
        ? { beneficiary_account_number: account }
        : { beneficiary: { account_number: account } };
      expect(codeOf(await ask(token, otherName))).toEqual([400, 'VERIFICATION_MISMATCH']);
      expect(codeOf(await ask(token, otherAccount))).toEqual([400, 'VERIFICATION_MISMATCH']);
      const company = isFirst ? { beneficiary_account_type: 'Company' } : { beneficiary: { account_type: 'Company' } };
      expect(codeOf(await ask(token, company))).toEqual([400, 'VERIFICATION_MISMATCH']);
      expect(faultsOf(await ask(7))).toEqual(['verification_token incorrect_format']);
      door.services.nowMs += TEN_MINUTES_MS - 1;
      door.freshPrices();
      expect((await ask(token)).status).toBe(200);
      door.services.nowMs += 1;
      door.freshPrices();
      expect(codeOf(await ask(token))).toEqual([400, 'VERIFICATION_EXPIRED']);
    },
  );

  test('a repeated payment finds the first one, also when its token is too old', async () => {
    const sent = body({ verification_token: await tokenOf() });
    const first = await acme.post(create, sent);
    door.services.nowMs += TEN_MINUTES_MS;
    door.freshPrices();
    const again = await acme.post(create, sent);
    expect([...codeOf(again), again.body.payment_id]).toEqual([409, 'DUPLICATE_TRANSACTION', first.body.payment_id]);
  });

  test('by policy: what is paid, what waits for the operator, and what is refused', async () => {
    const client = await door.client(`policy-${++next}`);
    const account = await client.account('EUR', 1_000_000n);
    const change = (policy: object | 'off') => door.operator('changeClient', { id: client.id, verification: policy });
    const send = (name: string, more: Fields = {}) => {
      const isFirst = create === CREATE_PAYMENT;
      const named = isFirst ? { beneficiary_name: name } : { beneficiary: { name }, source_account: account };
      return body({ ...named, ...more });
    };
    const statusOf = async (sent: Fields) => {
      const created = await client.post(create, sent);
      expect([created.status, created.body.detail]).toEqual([200, undefined]);
      await door.work();
      return door.read(client, created.body);
    };
    expect((await statusOf(send('Anna'))).status).toBe('PAID');

    await change({ accepted: ['MATCH', 'CLOSE_MATCH'], required: false });
    const close = 'Anna CLOSE MATCH';
    const withToken = async (name: string) => send(name, { verification_token: await tokenOf(name, client) });
    expect((await statusOf(await withToken(close))).status).toBe('PAID');
    const waiting = await statusOf(await withToken('Anna NO MATCH'));
    expect(waiting).toMatchObject({
      status: 'COMPLIANCE_VERIFICATION',
      status_description: expect.stringMatching(/: payee verification NO_MATCH NMTC$/),
      verification: { answer: 'NO_MATCH', code: 'NMTC' },
    });
    const without = await statusOf(send('Anna'));
    expect(without).toMatchObject({
      status: 'COMPLIANCE_VERIFICATION',
      status_description: expect.stringMatching(/: payee not verified$/),
    });
    expect(without).not.toHaveProperty('verification');
    const dry = await client.post(validate, send('Anna'));
    expect(dry.body).toMatchObject({ valid: true, warnings: [{ field: 'verification_token', code: 'not_allowed' }] });
    await door.operator('approvePayment', { paymentId: waiting.payment_id });
    await door.work();
    expect((await door.read(client, waiting)).status).toBe('PAID');

    await change({ accepted: ['MATCH'], required: true });
    expect(codeOf(await client.post(create, send('Anna')))).toEqual([400, 'VERIFICATION_REQUIRED']);
    expect(codeOf(await client.post(validate, send('Anna')))).toEqual([400, 'VERIFICATION_REQUIRED']);
    await change('off');
    expect((await statusOf(send('Anna'))).status).toBe('PAID');
  });
});

test('where no scheme covers the account, no verification counts as NOT_POSSIBLE', async () => {
  const client = await door.client('abroad');
  await client.account('JPY', 1_000_000n);
  const pay = async () => {
    const created = await client.post(CREATE_PAYMENT, payment('JPY', { destination_amount: 1_000 }));
    expect([created.status, created.body.detail]).toEqual([200, undefined]);
    await door.work();
    return (await door.read(client, created.body)).status;
  };
  await door.operator('changeClient', { id: 'abroad', verification: { accepted: ['MATCH'], required: true } });
  expect(await pay()).toBe('COMPLIANCE_VERIFICATION');
  const verification = { accepted: ['MATCH', 'NOT_POSSIBLE'], required: true };
  await door.operator('changeClient', { id: 'abroad', verification });
  expect(await pay()).toBe('PAID');
});

test('a verification is an event of the client, with neither name nor account', async () => {
  const client = await door.client('listener');
  const of = (await door.opened.store.clients.get('listener'))!;
  await door.opened.store.events.enable(of);
  const { verification_id } = await verified(inSepa(), client);
  const { body } = await client.get('/api/v1/events');
  expect(body.data).toEqual([
    expect.objectContaining({
      type: 'verification.completed',
      data: { object: { verification_id, answer: 'MATCH', scheme: 'SEPA_VOP', code: 'MTCH' }, previous: {} },
    }),
  ]);
});
