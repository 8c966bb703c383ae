/** Batches, beneficiaries and the policy of payee verification, as an operator sees and decides them on a running store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { ratewireOn } from '../../support/ratewire.js';
import { type BatchRig, item, startBatches } from '../service/batch-rig.js';

let on: BatchRig;
let acme: Client;
let account: string;
beforeAll(async () => {
  on = await startBatches();
  acme = await on.client('acme', { EUR: '1000.00' });
  account = (await on.services.store.accounts.balances(acme))[0]!.number;
});
afterAll(() => on.stop());

const ratewire = (...args: string[]) => ratewireOn(on.testStore.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(on.testStore.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('lists, shows and cancels a batch, and returns what it reserves', async () => {
  const { id } = await on.funded(acme, account, [item('a', 10), item('b', 20.5)]);
  const shown = { batch_id: id, client: 'acme', status: 'PROCESSING', items: 2, total: '30.50', reserved: '30.50' };
  expect(await json('batches', 'list', '--status', 'PROCESSING')).toMatchObject([shown]);
  expect(await json('batches', 'show', 'acme', id)).toMatchObject({ ...shown, account, payments: [] });
  const cancelled = await json('batches', 'cancel', 'acme', id, '--reason', 'as asked');
  expect(cancelled).toMatchObject({ status: 'CANCELLED', created: 0, reserved: '0.00' });
  expect(await on.money(acme)).toEqual({ EUR: '100000' });
  const [entry] = await json('audit', '--limit', '1');
  expect(entry).toMatchObject({ operation: 'cancelBatchByOperator', subject: `batch ${id} of client acme` });
  const none = await ratewire('batches', 'show', 'acme', 'BAT01K4M2V7Q8Z3X5YAB');
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/^NOT_FOUND: No such batch/)]);
});

test('lists and shows beneficiaries with the last characters of their accounts, also as they were', async () => {
  const stored = async (beneficiary: object, more = {}) => {
    const input = { requestId: `ben-${JSON.stringify(beneficiary).length}`, beneficiary, ...more };
    return (await on.must(acme, 'createBeneficiary', input)).beneficiary.id;
  };
  const anna = await stored({ name: 'Anna Schmidt', countryCode: 'DE', accountNumber: 'DE89370400440532013000' });
  const ann = await stored(
    { name: 'Ann Carter', countryCode: 'GB', accountNumber: '66374958' },
    { routingCodeType1: 'SORT CODE', routingCodeValue1: '089999' },
  );
  await on.must(acme, 'changeBeneficiary', { beneficiaryId: anna, beneficiary: { name: 'Anna Meier' } });
  await on.must(acme, 'disableBeneficiary', { beneficiaryId: ann });
  const shown = {
    beneficiary_id: anna,
    client: 'acme',
    status: 'ACTIVE',
    version: 2,
    name: 'Anna Meier',
    country: 'DE',
  };
  expect(await json('beneficiaries', 'list', '--client', 'acme', '--status', 'ACTIVE')).toMatchObject([
    { ...shown, currency: 'EUR', method: 'BANK', account: '******************3000' },
  ]);
  expect(await json('beneficiaries', 'show', 'acme', ann)).toMatchObject({
    ...{ status: 'DISABLED', account: '****4958', routing: ['SORT CODE 089999'] },
  });
  const before = await json('beneficiaries', 'show', 'acme', anna, '--at-version', '1');
  expect(before).toMatchObject({ version: 1, name: 'Anna Schmidt' });
  for (const args of [
    ['acme', anna, '--at-version', '3'],
    ['acme', 'BNF01K4M2V7Q8Z3X5YAB'],
  ]) {
    const { code, err } = await ratewire('beneficiaries', 'show', ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(/^NOT_FOUND: No such beneficiary/)]);
  }
  const all = (await ratewire('beneficiaries', 'list')).out;
  expect(all).not.toContain('DE89370400440532013000');
});

test('sets the policy of payee verification, and says which words there are', async () => {
  const change = (answers: string) => json('clients', 'change', 'acme', '--payee-verification', answers);
  expect(await change('close-match,match,required')).toMatchObject({
    payee_verification: 'match,close-match,required',
  });
  expect((await on.services.store.clients.get('acme'))?.verification).toEqual({
    accepted: ['MATCH', 'CLOSE_MATCH'],
    required: true,
  });
  expect(await change('off')).toMatchObject({ payee_verification: 'off' });
  for (const answers of ['required', 'matching', 'match,off', '']) {
    const { code, err } = await ratewire('clients', 'change', 'acme', '--payee-verification', answers);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/Say off, or some of match, close-match, no-match, not-possible/),
    ]);
  }
});
