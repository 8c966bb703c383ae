/**
 * A key of another type than ratewire writes is a fault of the store: commands and reads are refused, and the log names the key for the
 * operator.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeAnswer } from '../../../engine/service/core/operation.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());

const redis = () => on.keyspace.redis;
const UNAVAILABLE = { refusal: 'STORE_UNAVAILABLE', outcome: 'none', retryAfterS: 30 };

test.each(['balances', 'accounts', 'fees'] as const)('rejects a payment when %s has another type', async (name) => {
  const acme = await on.client(`pays-${name}`, { EUR: '100.00' });
  const key = ledgerKeys(acme)[name];
  await redis().del(key);
  await redis().set(key, 'a value');
  const answer = await storeAnswer(on.services, () => on.tryToPay(acme, 'Erika'));
  expect(answer).toMatchObject(UNAVAILABLE);
  expect(JSON.stringify(answer)).not.toContain(key);
});

test.each(['balances', 'accounts'] as const)('rejects reads and adjustments when %s has another type', async (name) => {
  const acme = await on.client(`reads-${name}`, { EUR: '100.00' });
  const [account] = await on.services.store.accounts.list(acme);
  const key = ledgerKeys(acme)[name];
  await redis().del(key);
  await redis().set(key, 'a value');
  expect(await on.as(acme, 'listBalances', {})).toMatchObject(UNAVAILABLE);
  const input = {
    accountNumber: account!.number,
    amount: '1.00',
    reason: 'wrong',
    reference: 'r',
    direction: 'credit',
  };
  const answer = await perform({ ...on.services, operator: 'ann' }, 'adjustAccount', undefined, input);
  expect(answer).toMatchObject({ ...UNAVAILABLE, text: expect.stringContaining(`The key ${key} holds another type`) });
});
