/** The fees of a payment, as they apply when the payment is made. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FEE } from '../../../engine/domain/payments/fee.js';
import type { AnyOperationName } from '../../../engine/service/operations.js';
import { feeOf } from '../../../engine/service/payments/fees.js';
import { perform } from '../../../engine/service/perform.js';
import { startServices, type TestServices } from '../../service/core/services.js';

let on: TestServices;
beforeAll(async () => {
  on = await startServices();
  for (const id of ['acme', 'other']) await ask('createClient', { id, name: id });
});
afterAll(() => on.stop());

const ask = (name: AnyOperationName, input: object) => perform(on.services, name, undefined, input);
const cost = async (id: string, country: string, currency: string, method: 'BANK' | 'CASH') =>
  feeOf(on.services, (await on.services.store.clients.get(id))!, { country, currency, method });

test('a payment is free until the operator sets a fee, which applies at once and to this client only', async () => {
  expect(await cost('acme', 'US', 'USD', 'BANK')).toEqual(NO_FEE);
  await ask('setFee', { clientId: 'acme', corridor: '*', method: '*', percent: '0.5' });
  await ask('setFee', { clientId: 'acme', corridor: 'US', method: 'BANK', fixed: '5' });
  await ask('setFee', { clientId: 'acme', corridor: '*-JPY', method: '*', fixed: '99.5', percent: '100' });
  expect(await cost('acme', 'US', 'USD', 'BANK')).toEqual({ fixedMinor: 500n, ppm: 0 });
  expect(await cost('acme', 'US', 'USD', 'CASH')).toEqual({ fixedMinor: 0n, ppm: 5_000 });
  expect(await cost('acme', 'JP', 'JPY', 'BANK')).toEqual({ fixedMinor: 100n, ppm: 1_000_000 });
  expect(await cost('other', 'US', 'USD', 'BANK')).toEqual(NO_FEE);
  await ask('removeFee', { clientId: 'acme', corridor: 'US', method: 'BANK' });
  expect(await cost('acme', 'US', 'USD', 'BANK')).toEqual({ fixedMinor: 0n, ppm: 5_000 });
});

test("rejects a rule beyond a client's maximum number of rules", async () => {
  const { services } = on;
  const fees = { ...services.store.fees, set: async () => false };
  const crowded = { ...services, store: { ...services.store, fees } };
  const rule = { clientId: 'acme', corridor: '*', method: 'CARD', fixed: '1' };
  expect(await perform(crowded, 'setFee', undefined, rule)).toMatchObject({ refusal: 'FEE_LIMIT' });
});

test('rejects a fee set by a client or a desk', async () => {
  const caller = { clientId: 'acme', keyId: 'k', rights: new Set(['pay'] as const) };
  for (const name of ['setFee', 'listFees', 'removeFee', 'changeClient', 'showClient'] as const)
    expect(await perform(on.services, name, caller, {})).toMatchObject({ refusal: 'NOT_ENTITLED' });
});

test('a changed client is in effect at once in the process that changed it', async () => {
  const { clients } = on.services.store;
  expect((await clients.cached('other'))?.onBehalf).toBe(false);
  await ask('changeClient', { id: 'other', onBehalf: true, limits: { writes: 7 } });
  expect(await clients.cached('other')).toMatchObject({ onBehalf: true, limits: { writes: 7 } });
  await ask('changeClient', { id: 'other', limits: { writes: 'default' } });
  const changed = (await clients.cached('other'))!;
  expect([changed.onBehalf, changed.limits]).toEqual([true, undefined]);
  expect(await clients.change('unknown', { onBehalf: true })).toBe(false);
  expect(await clients.change('unknown', {})).toBe(false);
  expect(await clients.get('unknown')).toBeUndefined();
});
