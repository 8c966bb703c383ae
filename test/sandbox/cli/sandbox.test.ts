/** The outcomes of a sandbox, as an operator requests them on a running store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { ratewireOn } from '../../support/ratewire.js';

let on: PaymentRig;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());
const ratewire = (...args: string[]) => ratewireOn(on.testStore.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(on.testStore.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('are refused where a port is manual, then done, each with its audit entry', async () => {
  const acme = await on.client('acme', { EUR: '1000.00', USD: '1.00' });
  await on.services.store.clients.setScheduledLimit('acme', '1000000');
  const payment = (await on.pay(acme, 'Erika MANUAL')).id;
  const manual = { funding: 'sandbox', compliance: 'sandbox', payout: 'manual' } as const;
  await on.services.store.ports.change(manual);
  const refused = await ratewire('sandbox', 'payment', payment, 'paid');
  expect([refused.code, refused.err]).toEqual([1, 'WRONG_STATE: Not a sandbox: payout\n']);
  await on.services.store.ports.change({ payout: 'sandbox' });

  expect(await json('sandbox', 'payment', payment, 'paid', '--sub-status', 'DEEMED_PAID')).toEqual({
    payment_id: payment,
    client: 'acme',
    status: 'PAID',
    sub_status: 'DEEMED_PAID',
    bank_reference: expect.stringMatching(/^SBX/),
  });
  const again = await ratewire('sandbox', 'payment', payment, 'cancelled');
  expect(again.err).toMatch(/^WRONG_STATE: The payment is PAID: only one in /);
  const wrong = await ratewire('sandbox', 'payment', payment, 'nothing');
  expect(wrong.err).toMatch(/^VALIDATION_FAILED: outcome: one of compliance-verification, /);
  const unknown = await ratewire('sandbox', 'conversion', 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ', 'settled');
  expect(unknown.err).toMatch(/^NOT_FOUND/);

  const booked = await on.book('acme', {
    ...{ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10, type: 'SCHEDULED1' },
    ...{ description: 'a trial', requestId: 'trial' },
  });
  expect(await json('sandbox', 'conversion', booked.id, 'overdue')).toMatchObject({ status: 'OVERDUE' });
  expect(await json('sandbox', 'conversion', booked.id, 'settled', '--reason', 'enough')).toMatchObject({
    ...{ confirmation_id: booked.id, client: 'acme', status: 'SETTLED' },
  });
  const audit: { operation: string; outcome: string }[] = await json('audit');
  const entries = audit.filter(({ operation }) => operation.startsWith('decide'));
  expect(entries.map(({ operation, outcome }) => [operation, outcome])).toContainEqual(['decideConversion', 'done']);
  expect(entries.map(({ operation, outcome }) => [operation, outcome])).toContainEqual([
    'decidePayment',
    'WRONG_STATE',
  ]);
});
