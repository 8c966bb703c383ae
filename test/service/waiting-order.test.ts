/** What a payment draws on may change while it waits: from then on nobody younger takes that either. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../engine/store/clients.js';
import { euros, type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

const standingOf = async (client: Client, ...payments: readonly { readonly id: string }[]) =>
  Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status));

test('one that was only behind somebody, and is short when its turn comes, keeps its agreement’s currencies', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  const agreement = { clientId: client.id, currency: 'USD', autoBookFxSequence: 1 };
  const usd = await on.ask('openAccount', agreement);
  if ('refusal' in usd) throw new Error(usd.text);
  await on.ask('creditAccount', { accountNumber: usd.number, amount: '10.00' });
  const [eur] = (await on.services.store.accounts.balances(client)).filter(({ currency }) => currency === 'EUR');

  const large = { amount: { kind: 'source', minor: 10_000n }, sourceAccount: eur!.number } as const;
  const first = await on.pay(client, 'Erika', large);
  const second = await on.pay(client, 'Erika', { amount: euros(5_000n) });
  expect(await standingOf(client, first, second)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('creditAccount', { accountNumber: eur!.number, amount: '45.00' });
  await on.work();
  expect(await standingOf(client, first, second)).toEqual(['PAID', 'AWAITING_FUNDS']);

  const dollars = { currency: 'USD', country: 'US', amount: euros(800n) };
  const third = await on.pay(client, 'Erika', dollars);
  expect(await standingOf(client, second, third)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('creditAccount', { accountNumber: eur!.number, amount: '45.00' });
  await on.work();
  expect(await standingOf(client, second, third)).toEqual(['PAID', 'PAID']);
});
