/** What reconcile finds of beneficiaries, how many there may be, and how long a card number is kept. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BENEFICIARY_CHANGES_MAX } from '../../../engine/domain/beneficiaries/beneficiary.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { AnyOperationName } from '../../../engine/service/operations.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let acme: Client;
let beneficiaryId: string;

beforeAll(async () => {
  on = await startPayments();
  acme = await on.client('acme', {});
  beneficiaryId = await created('DE89370400440532013000', 'one');
});
afterAll(() => on.stop());

async function created(accountNumber: string, requestId: string): Promise<string> {
  const beneficiary = { name: 'Erika', countryCode: 'DE', accountNumber };
  const answer = await on.as(acme, 'createBeneficiary', { requestId, beneficiary });
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer.beneficiary.id;
}

/** Its answer, which is no refusal. */
async function accepted(client: Client, name: AnyOperationName, input: object): Promise<never> {
  const answer = await on.as(client, name, input);
  if (isRefusal(answer)) throw new Error(`${answer.text} ${JSON.stringify(answer.fields)}`);
  return answer as never;
}

describe('reconcile', () => {
  const found = async () => (await on.differences()).map((one) => (one as { readonly what: string }).what);

  test('finds nothing where nothing was altered', async () => {
    expect(await found()).toEqual([]);
  });

  test('finds altered fields, an altered index, and an account that leads to no beneficiary', async () => {
    const { redis } = on.keyspace;
    const keys = ledgerKeys(acme);
    const key = keys.beneficiary(beneficiaryId);
    const facts = (await redis.hget(key, 'f'))!;
    await redis.hset(key, 'f', facts.replace('Erika', 'Otto'));
    expect(await found()).toEqual([`list of beneficiaries: record of ${beneficiaryId}`]);
    await redis.hset(key, 'f', facts);

    const [account] = (await redis.hkeys(keys.payees)) as [string];
    await redis.hset(keys.payees, account, 'BNF00000000000000000');
    expect(await found()).toEqual([`beneficiary ${beneficiaryId}: account`]);
    await redis.hset(keys.payees, account, beneficiaryId, 'another', 'BNF00000000000000000');
    expect(await found()).toEqual(['index of accounts of beneficiaries']);
    await redis.hdel(keys.payees, 'another');
    expect(await found()).toEqual([]);
  });
});

test('reconcile compares a payment with the version that it used', async () => {
  const payer = await on.client('payer', { EUR: '100.00' });
  const must = (name: AnyOperationName, input: object) => accepted(payer, name, input);
  const beneficiary = { name: 'Erika', countryCode: 'DE', accountNumber: 'DE75512108001245126199' };
  const stored: { beneficiary: { id: string } } = await must('createBeneficiary', { requestId: 'b', beneficiary });
  const { id } = stored.beneficiary;
  const [account] = await on.services.store.accounts.balances(payer);
  const paid: { payment: { id: string } } = await must('createPayout', {
    ...{ requestId: 'p', transactionNumber: 'p', sourceAccount: Number(account!.number), destinationAmount: 10 },
    ...{ feePayer: 'OUR', statementNarrative: 'x', remitter: { accountType: 'Company', purposeCode: 'IR01802' } },
    beneficiaryId: id,
  });
  await must('changeBeneficiary', { beneficiaryId: id, beneficiary: { name: 'Otto' } });
  expect(await on.differences()).toEqual([]);
  const key = ledgerKeys(payer).beneficiary(id);
  const facts = (await on.keyspace.redis.hget(key, 'f1'))!;
  const what = `payment ${paid.payment.id}: beneficiary ${id} version 1`;
  await on.keyspace.redis.hset(key, 'f1', facts.replace('Erika', 'Anton'));
  const shown = ', DE, 22 characters, 6199';
  expect(await on.differences()).toMatchObject([{ what, expected: `Anton${shown}`, found: `Erika${shown}` }]);
  await on.keyspace.redis.hdel(key, 'f1');
  expect(await on.differences()).toMatchObject([{ what, found: 'none' }]);
  await on.keyspace.redis.hset(key, 'f1', facts);
});

test('takes 100 changes of the fields, and then its status still changes', async () => {
  const id = await created('DE75512108001245126199', 'two');
  const change = (city: string) => on.as(acme, 'changeBeneficiary', { beneficiaryId: id, beneficiary: { city } });
  for (let i = 0; i < BENEFICIARY_CHANGES_MAX; i++) expect(isRefusal(await change(`City ${i}`))).toBe(false);
  expect(await change('One more')).toMatchObject({ refusal: 'BENEFICIARY_LIMIT' });
  expect(await on.as(acme, 'disableBeneficiary', { beneficiaryId: id })).toMatchObject({
    beneficiary: { status: 'DISABLED', version: BENEFICIARY_CHANGES_MAX + 2 },
  });
  expect(await on.as(acme, 'readBeneficiary', { beneficiaryId: id, version: 51 })).toMatchObject({
    beneficiary: { version: 51, details: { beneficiary: { city: 'City 49' } } },
  });
});

test('a change of the status answers with the fields of that moment', async () => {
  const { store } = on.services;
  const id = await created('DE02120300000000202051', 'three');
  const before = (await store.beneficiaries.read(acme, id))!;
  await on.as(acme, 'changeBeneficiary', { beneficiaryId: id, beneficiary: { city: 'Ulm' } });
  const answer = await store.beneficiaries.change(acme, before, { status: 'DISABLED' });
  expect(answer).toEqual({ kind: 'changed', beneficiary: await store.beneficiaries.read(acme, id) });
  expect(answer).toMatchObject({ beneficiary: { version: 3, details: { beneficiary: { city: 'Ulm' } } } });
});

test('the sealed card stays while other fields change, and is erased with the account that it was', async () => {
  const chinese = { name: 'Wang Fang', countryCode: 'CN', address: '1 Nanjing Road', city: 'Shanghai' };
  const made: { beneficiary: { id: string } } = await accepted(acme, 'createBeneficiary', {
    ...{ requestId: 'card', routingCodeType1: 'SWIFT', routingCodeValue1: 'ICBKCNBJ' },
    beneficiary: { ...chinese, accountType: 'Individual', accountNumber: '6222021234567894' },
  });
  const { id } = made.beneficiary;
  const sealed = () => on.keyspace.redis.hget(ledgerKeys(acme).beneficiary(id), 'c');
  expect(await sealed()).toBeTruthy();
  await accepted(acme, 'changeBeneficiary', { beneficiaryId: id, beneficiary: { city: 'Beijing' } });
  expect(await sealed()).toBeTruthy();
  await accepted(acme, 'changeBeneficiary', { beneficiaryId: id, beneficiary: { accountNumber: '0200001234567' } });
  expect(await sealed()).toBeNull();
});
