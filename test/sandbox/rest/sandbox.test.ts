/** The outcomes that a client requests of the sandbox: each by the steps and moves of the real parties, and refused from where none leads to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONVERSION_OUTCOMES, FUNDING_OUTCOMES, PAYMENT_OUTCOMES } from '../../../engine/domain/sandbox/sandbox.js';
import { PORTS } from '../../../engine/domain/system/port-mode.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from '../../payments/rest/payment-door.js';
import { BY_CURRENCY, type Fields } from '../../rest/money-door.js';
import { ratewireOn } from '../../support/ratewire.js';
import { SOON } from '../../support/until.js';

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

test('ratewire trigger creates nothing where a port is not a sandbox', async () => {
  const { client } = await door.payer({ EUR: 1_000_00n });
  const { clientKey, clientSecret } = (await door.services.store.keys.issue(client.id, ['read', 'pay']))!;
  const file = join(door.opened.dataDir, 'trigger.json');
  const rest = `127.0.0.1:${door.port}`;
  const named = { sender_comp_id: 'X', target_comp_id: 'X', fix: '127.0.0.1:1', rest };
  writeFileSync(file, JSON.stringify({ client_key: clientKey, client_secret: clientSecret, ...named }));
  const trigger = ratewireOn(door.opened.dataDir).run('trigger', 'payment.created', '--credentials', file);
  expect(await trigger).toMatchObject({ code: 1, err: 'NOT_FOUND: Nothing here: this is no sandbox\n' });
  expect((await client.get('/api/v1/payments')).body.data).toEqual([]);
});

const joinSandbox = () =>
  door.services.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });

interface Paid extends Payer {
  readonly created: Fields;
}

/** 200.00 with a fee of 2.00. */
async function paid(name = 'MANUAL', funds = 1_000_00n): Promise<Paid> {
  const on = await door.payer({ EUR: funds }, { fixed: '1.5', percent: '0.25' });
  const created = await door.payOut(on.client, 'EUR', on.of.EUR!, {
    ...{ destination_amount: 200, fee_payer: 'OUR' },
    beneficiary: { name },
  });
  return { ...on, created };
}
const decide = ({ client, created }: Paid, outcome: string, body: Fields = {}) =>
  client.post(`/api/v1/sandbox/payments/${created.payment_id}/${outcome}`, body);
const historyOf = async ({ created }: Paid) =>
  (await door.operator('showPayment', { paymentId: created.payment_id })).history;
const statusesOf = async (on: Paid) => (await historyOf(on)).map(({ to }) => to);

test('no path is there where a port is not a sandbox, whatever is sent', async () => {
  const on = await paid();
  const known = await decide(on, 'paid');
  for (const path of [
    `/api/v1/sandbox/payments/${on.created.payment_id}/nothing-such`,
    '/api/v1/sandbox/payments/PAY01K4M2V7Q8Z3X5YAB/paid',
    '/api/v1/sandbox/fundings/GLR01K4M2V7Q8Z3X5YAB/completed',
    '/api/v1/sandbox/conversions/BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ/settled',
  ]) {
    const { status, body } = await on.client.post(path, { sub_status: 7 });
    expect([path, status, body.code, body.detail]).toEqual([path, 404, 'NOT_FOUND', known.body.detail]);
  }
  expect((await statusesOf(on)).length).toBe(1);
  await joinSandbox();
  expect((await decide(on, 'paid')).status).toBe(200);
});

describe('a payment', () => {
  beforeAll(joinSandbox);

  test.each<[outcome: string, status: string, subStatus: string, by: readonly string[]]>([
    ['compliance-verification', 'COMPLIANCE_VERIFICATION', '', ['COMPLIANCE_VERIFICATION']],
    ['info-requested', 'INFO_REQUESTED', '', ['COMPLIANCE_VERIFICATION', 'INFO_REQUESTED']],
    ['approved', 'COMPLIANCE_APPROVED', '', ['COMPLIANCE_APPROVED']],
    ['rejected', 'COMPLIANCE_REJECTED', '', ['COMPLIANCE_VERIFICATION', 'COMPLIANCE_REJECTED']],
    ['processing', 'PG_PROCESSING', '', ['COMPLIANCE_APPROVED', 'PG_PROCESSING']],
    ['paid', 'PAID', 'SENT_TO_BENEFICIARY_BANK_ACCOUNT', ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'PAID']],
    ['returned', 'RETURNED', '', ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'RETURNED']],
    ['error', 'ERROR', '', ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'ERROR']],
    ['cancelled', 'CANCELLED', '', ['CANCELLED']],
  ])('%s: in %s, by the steps on the way, and a worker adds none', async (outcome, status, subStatus, by) => {
    const on = await paid();
    const { body } = await decide(on, outcome, { reason: 'for the trial' });
    expect(body).toMatchObject({ payment_id: on.created.payment_id, status, sub_status: subStatus });
    await door.work();
    expect(await door.read(on.client, on.created)).toMatchObject({ status, sub_status: subStatus });
    const [, ...steps] = await historyOf(on);
    expect(steps.map(({ to, actor }) => [to, actor])).toEqual(by.map((one) => [one, 'sandbox']));
    expect(steps.at(-1)!.reason).toBe('for the trial');
    expect((await door.operator('reconcile', { clientId: on.client.id })).differences).toEqual([]);
  });

  test('moves the money that the real path moves', async () => {
    const account = (on: Paid) => `EUR/${on.of.EUR}`;
    const settled = await paid();
    expect(await door.moved(settled.client, () => decide(settled, 'paid'))).toEqual({
      'EUR/transit': -200_00n,
      'EUR/nostro': 200_00n,
    });
    // After PAID too: the delivered amount alone, the fee stays.
    expect(await door.moved(settled.client, () => decide(settled, 'returned'))).toEqual({
      [account(settled)]: 200_00n,
      'EUR/nostro': -200_00n,
    });
    const before = await paid();
    expect(await door.moved(before.client, () => decide(before, 'returned'))).toEqual({
      [account(before)]: 200_00n,
      'EUR/transit': -200_00n,
    });
    const rejected = await paid();
    expect(await door.moved(rejected.client, () => decide(rejected, 'rejected'))).toEqual({
      [account(rejected)]: 202_00n,
      'EUR/transit': -200_00n,
      'EUR/house:fees': -2_00n,
    });
  });

  test.each([
    'SENT_TO_BENEFICIARY_BANK_ACCOUNT',
    'SENT_TO_BENEFICIARY_BANK',
    'PROCESSED_BY_CLEARING',
    'DEEMED_PAID',
    'TIMED_OUT',
  ])('in processing and in paid with %s', async (sub_status) => {
    const on = await paid();
    expect((await decide(on, 'processing')).body).toMatchObject({ status: 'PG_PROCESSING', sub_status: '' });
    expect((await decide(on, 'processing', { sub_status })).body).toMatchObject({
      status: 'PG_PROCESSING',
      sub_status,
    });
    expect((await decide(on, 'processing', { sub_status })).body.code).toBe('WRONG_STATE');
    expect((await decide(on, 'paid', { sub_status })).body).toMatchObject({ status: 'PAID', sub_status });
  });

  test('sends one in ERROR again, and ends one that awaits funds as expired', async () => {
    const failed = await paid();
    await decide(failed, 'error', { reason: 'AC01' });
    expect(await door.read(failed.client, failed.created)).toMatchObject({
      status_description: expect.stringContaining('AC01'),
    });
    expect((await decide(failed, 'paid')).body).toMatchObject({ status: 'PAID' });

    const poor = await paid('MANUAL', 0n);
    expect((await decide(poor, 'paid')).body).toMatchObject({ code: 'WRONG_STATE', payment_status: 'AWAITING_FUNDS' });
    expect((await decide(poor, 'expired')).body).toMatchObject({ status: 'CANCELLED', sub_status: 'FUNDING_EXPIRED' });
  });

  test('overtakes the worker: the steps that it would have taken are not taken', async () => {
    const on = await paid('Anna Schmidt');
    await decide(on, 'info-requested');
    await door.work();
    expect((await door.read(on.client, on.created)).status).toBe('INFO_REQUESTED');
    // The client's answer hands it back to the sandbox.
    await on.client.post(`/api/v1/payments/id/${on.created.payment_id}/information`, { information: 'an invoice' });
    await door.work();
    expect((await door.read(on.client, on.created)).status).toBe('PAID');
  });

  test('takes each step once when two requests and a worker meet', async () => {
    const on = await paid('Anna Schmidt');
    const answers = await Promise.all([decide(on, 'paid'), decide(on, 'paid'), door.work(), decide(on, 'paid')]);
    expect((await statusesOf(on)).slice(1)).toEqual(['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'PAID']);
    for (const answer of answers)
      if (answer)
        expect([answer.status, answer.body.code]).toBeOneOf([
          [200, undefined],
          [400, 'WRONG_STATE'],
        ]);
  });

  test('continues from where a process ended on the way', async () => {
    const on = await paid('Anna Schmidt');
    const client = (await door.services.store.clients.get(on.client.id))!;
    const { move } = door.services.store.payments;
    let steps = 0;
    const torn = {
      ...door.services.store.payments,
      move: async (...call: Parameters<typeof move>) => {
        if (++steps > 1) throw new Error('the process ended here');
        return move(...call);
      },
    };
    const { forcePayment } = await import('../../../engine/service/payments/index.js');
    const services = { ...door.services, store: { ...door.services.store, payments: torn } };
    const forced = { outcome: 'returned', reason: 'torn' } as const;
    await expect(forcePayment(services, client, String(on.created.payment_id), forced)).rejects.toThrow('ended here');
    expect((await door.read(on.client, on.created)).status).toBe('COMPLIANCE_APPROVED');
    expect((await door.operator('reconcile', { clientId: client.id })).differences).toEqual([]);
    door.services.nowMs += 13_000;
    await door.services.store.clock.setOffset((await door.services.store.clock.readOffset()) + 13_000);
    await vi.waitFor(async () => {
      await door.work();
      expect((await door.read(on.client, on.created)).status).toBe('PAID');
    }, SOON);
  });

  test('refuses a status that does not allow it, naming those that do', async () => {
    const on = await paid();
    await decide(on, 'paid');
    for (const outcome of PAYMENT_OUTCOMES.filter((one) => one !== 'returned')) {
      const { status, body } = await decide(on, outcome);
      expect([outcome, status, body.code, body.payment_status]).toEqual([outcome, 400, 'WRONG_STATE', 'PAID']);
    }
    expect((await decide(on, 'cancelled')).body.detail).toBe(
      'The payment is PAID: only one in IN_PROCESS, AWAITING_FUNDS, COMPLIANCE_APPROVED, INFO_REQUESTED or ERROR can become CANCELLED by this outcome',
    );
    expect((await decide(on, 'returned')).status).toBe(200);
    expect((await decide(on, 'returned')).body.code).toBe('WRONG_STATE');
  });

  test('names all faults at once; a foreign payment is an unknown one; needs the right pay', async () => {
    const on = await paid();
    const { status, body } = await decide(on, 'nothing', { sub_status: 'PAID', reason: '' });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((body.errors as Fields[]).map(({ field }) => field).sort()).toEqual(['outcome', 'reason', 'sub_status']);
    expect((await decide(on, 'returned', { sub_status: 'DEEMED_PAID' })).body.errors).toMatchObject([
      { field: 'sub_status', code: 'invalid_combination' },
    ]);
    const other = await paid();
    const foreign = await other.client.post(`/api/v1/sandbox/payments/${on.created.payment_id}/paid`, {});
    const unknown = await other.client.post('/api/v1/sandbox/payments/PAY01K4M2V7Q8Z3X5YAB/paid', {});
    const told = ({ body: { code, detail, title }, status }: typeof foreign) => [status, code, detail, title];
    expect(told(foreign)).toEqual(told(unknown));
    expect(foreign.status).toBe(404);
    const { store } = door.services;
    const { clientKey } = (await store.keys.issue(on.client.id, ['read', 'trade']))!;
    const { token } = await store.tokens.issue(on.client.id, clientKey, ['read', 'trade']);
    const refused = await on.client.post(
      `/api/v1/sandbox/payments/${on.created.payment_id}/paid`,
      {},
      {
        authorization: `Bearer ${token}`,
      },
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'NOT_ENTITLED']);
    expect((await statusesOf(on)).length).toBe(1);
  });
});

describe('a funding', () => {
  beforeAll(joinSandbox);

  async function announced(payment_reference = 'MANUAL'): Promise<Payer & { readonly id: string }> {
    const on = await door.payer({ EUR: 0n });
    const { body } = await on.client.post('/api/v1/fund/create', {
      ...{ account_number: on.of.EUR, amount: 25, payment_reference },
      instarem_deposit_account: 'DBS Bank-0012345678-EUR',
    });
    return { ...on, id: String(body.gl_reference_number) };
  }
  const decideOn = ({ client, id }: { client: Payer['client']; id: string }, outcome: string, body: Fields = {}) =>
    client.post(`/api/v1/sandbox/fundings/${id}/${outcome}`, body);

  test.each(FUNDING_OUTCOMES.filter((one) => one !== 'reversed'))('%s, once, and said by whom', async (outcome) => {
    const on = await announced();
    const first = await decideOn(on, outcome);
    expect([first.status, first.body.status]).toEqual([200, outcome.toUpperCase()]);
    expect((await decideOn(on, outcome)).body).toEqual(first.body);
    const { funding } = await door.operator('showFunding', { fundingId: on.id });
    expect([funding.actor, funding.reason]).toEqual(['sandbox', 'Sandbox: requested by the client']);
    const others = FUNDING_OUTCOMES.filter((one) => one !== outcome && one !== 'reversed');
    for (const other of others) expect((await decideOn(on, other)).body.code).toBe('WRONG_STATE');
  });

  test('reversed: from COMPLETED, while the money is there', async () => {
    const on = await announced();
    expect((await decideOn(on, 'reversed')).body).toMatchObject({
      code: 'WRONG_STATE',
      detail: 'The funding is PENDING: only a COMPLETED one becomes REVERSED',
    });
    expect(await door.moved(on.client, () => decideOn(on, 'completed'))).toEqual({
      [`EUR/${on.of.EUR}`]: 25_00n,
      'EUR/nostro': -25_00n,
    });
    await door.payOut(on.client, 'EUR', on.of.EUR!, { destination_amount: 10, beneficiary: { name: 'MANUAL' } });
    const short = await decideOn(on, 'reversed');
    expect(short.body.code).toBe('INSUFFICIENT_BALANCE');
    expect(String(short.body.detail)).not.toContain('--');
  });

  test('refuses an unknown outcome; a foreign funding is an unknown one', async () => {
    const on = await announced();
    expect((await decideOn(on, 'paid')).body.errors).toMatchObject([{ field: 'outcome', code: 'incorrect_value' }]);
    const other = await announced();
    expect((await decideOn({ client: other.client, id: on.id }, 'completed')).status).toBe(404);
    expect((await decideOn({ client: on.client, id: 'GLR01K4M2V7Q8Z3X5YAB' }, 'completed')).status).toBe(404);
  });
});

describe('a conversion', () => {
  beforeAll(joinSandbox);
  let requests = 0;

  async function booked(book_fx_type = 'SCHEDULED2', eur = 1_000_00n) {
    const on = await door.payer({ EUR: eur, USD: 0n });
    await door.operator('setScheduledLimit', { clientId: on.client.id, limit: '1000000' });
    await door.services.store.clients.get(on.client.id);
    const { body } = await on.client.post(BY_CURRENCY, {
      ...{ sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100, book_fx_type },
      ...{ request_id: `sandbox-${++requests}`, description: 'for the trial' },
    });
    expect(body.code).toBeUndefined();
    return { ...on, id: String(body.confirmation_id), booked: body };
  }
  type OnBooked = Awaited<ReturnType<typeof booked>>;
  const decideOn = ({ client, id }: Pick<OnBooked, 'client' | 'id'>, outcome: string, body: Fields = {}) =>
    client.post(`/api/v1/sandbox/conversions/${id}/${outcome}`, body);
  const journalOf = async ({ client }: OnBooked) =>
    (await door.operator('readJournal', { clientId: client.id, limit: 1 })).entries[0]!;

  test('settled before its time, at the agreed terms and date', async () => {
    const on = await booked();
    const moved = await door.moved(on.client, () => decideOn(on, 'settled'));
    expect(moved[`EUR/${on.of.EUR}`]).toBe(-100_00n);
    expect(moved[`USD/${on.of.USD}`]).toBe(BigInt(Math.round(Number(on.booked.buy_amount) * 100)));
    const { body } = await on.client.get(`/api/v1/bookfx/${on.id}`);
    expect(body).toMatchObject({ status: 'SETTLED', settlement_date: on.booked.settlement_date });
    expect(await journalOf(on)).toMatchObject({ step: 'settle-fx', actor: 'sandbox' });
    expect((await decideOn(on, 'settled')).body).toMatchObject({
      code: 'WRONG_STATE',
      detail: 'The conversion is SETTLED: only one in OPEN, OVERDUE becomes settled',
    });
  });

  test('stays as it is where it cannot settle', async () => {
    const on = await booked('SCHEDULED2', 0n);
    expect((await decideOn(on, 'settled')).body.code).toBe('INSUFFICIENT_BALANCE');
    expect((await on.client.get(`/api/v1/bookfx/${on.id}`)).body.status).toBe('OPEN');
  });

  test('overdue with its money there; then it settles at the next credit, or is closed out', async () => {
    const on = await booked();
    expect((await decideOn(on, 'closed-out')).body.code).toBe('WRONG_STATE');
    expect((await decideOn(on, 'overdue')).body).toMatchObject({ confirmation_id: on.id, status: 'OVERDUE' });
    expect(await journalOf(on)).toMatchObject({ step: 'overdue-fx', actor: 'sandbox', reason: 'SANDBOX' });
    expect((await decideOn(on, 'overdue')).body.code).toBe('WRONG_STATE');
    await door.work();
    expect((await on.client.get(`/api/v1/bookfx/${on.id}`)).body.status).toBe('OVERDUE');
    const client = (await door.services.store.clients.get(on.client.id))!;
    await door.services.store.accounts.credit(client, 'wakes', String(on.of.EUR), 1n);
    await door.work();
    expect((await on.client.get(`/api/v1/bookfx/${on.id}`)).body.status).toBe('SETTLED');

    const other = await booked();
    await decideOn(other, 'overdue');
    expect((await decideOn(other, 'closed-out')).body).toMatchObject({ status: 'CANCELLED' });
    expect(await journalOf(other)).toMatchObject({ step: 'close-out-fx', actor: 'sandbox' });
  });

  test('cancelled, busted and corrected, as by the operator', async () => {
    const cancelled = await booked();
    expect((await decideOn(cancelled, 'cancelled')).body).toMatchObject({ status: 'CANCELLED' });
    const settled = await booked('PREFUNDING');
    const corrected = await decideOn(settled, 'corrected', { reason: 'off market' });
    const [before, after] = [Number(settled.booked.buy_amount), Number(corrected.body.buy_amount)];
    expect(after / before).toBeCloseTo(0.99, 3);
    expect(await journalOf(settled)).toMatchObject({ step: 'correct-fx', actor: 'sandbox', reason: 'off market' });
    const moved = await door.moved(settled.client, () => decideOn(settled, 'busted'));
    expect(moved[`EUR/${settled.of.EUR}`]).toBe(100_00n);
    expect((await decideOn(settled, 'busted')).body.code).toBe('WRONG_STATE');
  });

  test('refuses an unknown outcome; a foreign conversion is an unknown one; needs the right trade', async () => {
    const on = await booked();
    expect((await decideOn(on, 'paid')).body.errors).toMatchObject([{ field: 'outcome', code: 'incorrect_value' }]);
    const other = await booked();
    for (const outcome of CONVERSION_OUTCOMES) {
      const foreign = await decideOn({ client: other.client, id: on.id }, outcome);
      const unknown = await decideOn({ client: other.client, id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ' }, outcome);
      expect([foreign.status, foreign.body.detail]).toEqual([404, unknown.body.detail]);
    }
  });
});
