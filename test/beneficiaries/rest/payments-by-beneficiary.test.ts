/** Payments, payouts and their dry runs that name a stored beneficiary: as with its fields, and as it was then for ever. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from '../../payments/rest/payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import type { Client, Fields } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

const PATH = '/api/v1/beneficiaries';
const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE75512108001245126199';

let door: PaymentDoor;
let acme: Client;
let other: Client;
let eur: number;
let anna: string;
let next = 0;

beforeAll(async () => {
  door = await openPaymentDoor();
  acme = await door.client('acme');
  other = await door.client('other');
  eur = await acme.account('EUR', 1_000_000n);
  anna = await stored(acme, { account_number: IBAN });
});
beforeEach(() => door.freshPrices());
afterAll(() => door.stop());

async function stored(client: Client, beneficiary: Fields, more: Fields = {}): Promise<string> {
  const body = {
    request_id: `ben-${++next}`,
    destination_currency: 'EUR',
    beneficiary: { name: 'Anna Schmidt', country_code: 'DE', ...beneficiary },
    ...more,
  };
  const answer = await client.post(PATH, body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return String(answer.body.beneficiary_id);
}

/** Without the fields of the beneficiary. */
const v1 = (id: unknown, more: Fields = {}): Fields => ({
  ...Object.fromEntries(
    Object.entries(payment('EUR')).filter(([name]) => !/^beneficiary_|^destination_currency/.test(name)),
  ),
  beneficiary_id: id,
  ...more,
});
const v2 = (id: unknown, more: Fields = {}): Fields => {
  const { beneficiary: _, destination_currency: __, ...body } = payout('EUR', eur);
  return { ...body, beneficiary_id: id, ...more };
};
const faultsOf = ({ status, body }: Answer) => {
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`).sort();
};
const codeOf = ({ status, body }: Answer) => [status, body.code];

const VERSIONS = [
  ['the first version', CREATE_PAYMENT, '/api/v1/payments/validate', v1],
  ['the second version', CREATE_PAYOUT, '/api/v2/payouts/validate', v2],
] as const;

describe.each(VERSIONS)('by %s', (_version, create, validate, body) => {
  test('a payment has the fields of the beneficiary, shows id and version, and keeps both when it changes', async () => {
    const id = await stored(other, { account_number: IBAN });
    const account = await other.account('EUR', 100_000n);
    const sent = body(id, create === CREATE_PAYOUT ? { source_account: account } : {});
    const created = await other.post(create, sent);
    expect([created.status, created.body.currency]).toEqual([200, 'EUR']);
    await other.patch(`${PATH}/${id}`, { beneficiary: { name: 'RETURNED Meier' } });
    const read = await door.read(other, created.body);
    expect([read.beneficiary_id, read.beneficiary_version]).toEqual([id, 1]);
    // The sandbox follows the name: that of version 1.
    await door.work();
    expect((await door.read(other, created.body)).status).toBe('PAID');
    const second = await other.post(create, body(id, create === CREATE_PAYOUT ? { source_account: account } : {}));
    await door.work();
    expect(await door.read(other, second.body)).toMatchObject({ status: 'RETURNED', beneficiary_version: 2 });
    await other.patch(`${PATH}/${id}`, { beneficiary: { account_number: OTHER_IBAN } });
    await other.patch(`${PATH}/${id}`, { beneficiary: { account_number: IBAN } });
    await other.post(`${PATH}/${id}/disable`, {});
    // Free for the other version of this table.
    await other.patch(`${PATH}/${id}`, { beneficiary: { account_number: iban(++next) } });
  });

  test('the dry run passes it, and creates nothing', async () => {
    expect((await acme.post(validate, body(anna))).body).toEqual({ valid: true, warnings: [] });
    expect((await acme.post(validate, body(anna, { destination_currency: 'EUR' }))).status).toBe(200);
  });

  test.each([[create], [validate]])('%s: an id that is no text is the one fault', async (path) => {
    expect(faultsOf(await acme.post(path, body(5)))).toEqual(['beneficiary_id incorrect_format']);
  });

  test.each([[create], [validate]])(
    '%s: both the id and fields are faults, each named, beside the others',
    async (path) => {
      const isFirst = create === CREATE_PAYMENT;
      const fields = isFirst
        ? { beneficiary_name: 'Otto', beneficiary_city: 'Bonn' }
        : { beneficiary: { name: 'Otto', city: 'Bonn' } };
      const more = { routing_code_type_1: 'SWIFT', deposit_method: 'BANK', destination_currency: 'USD' };
      const answer = await acme.post(path, body(anna, { ...fields, ...more, statement_narrative: '' }));
      const inner = isFirst ? 'beneficiary_' : 'beneficiary.';
      expect(faultsOf(answer)).toEqual(
        [
          `${inner}city invalid_combination`,
          `${inner}name invalid_combination`,
          'deposit_method invalid_combination',
          'destination_currency invalid_combination',
          'routing_code_type_1 invalid_combination',
          'statement_narrative field_missing',
        ].sort(),
      );
    },
  );

  test.each([[create], [validate]])('%s: an id that is unknown, of another client, or no text', async (path) => {
    const foreign = await stored(other, { account_number: iban(++next) });
    const known = await door.kept('acme');
    for (const id of ['BNF00000000000000000', foreign, 'x'])
      expect(codeOf(await acme.post(path, body(id)))).toEqual([400, 'UNKNOWN_BENEFICIARY']);
    // What is wrong besides comes first, without the fields that the beneficiary would have.
    expect(faultsOf(await acme.post(path, body(foreign, { statement_narrative: '' })))).toEqual([
      'statement_narrative field_missing',
    ]);
    expect(faultsOf(await acme.post(path, body(7)))).toContain('beneficiary_id incorrect_format');
    expect(await door.kept('acme')).toEqual(known);
  });

  test.each([[create], [validate]])('%s: one that is stored without the town of its address is named', async (path) => {
    const beneficiary = { name: 'Anna Schmidt', country_code: 'DE', account_number: iban(++next), address: 'Weg 1' };
    const bad = await acme.post(PATH, { request_id: `town-${++next}`, destination_currency: 'EUR', beneficiary });
    expect(faultsOf(bad)).toEqual(['beneficiary.city field_missing']);
    // As no door stores it: the store checks no town.
    const { store } = door.opened;
    const { account_number: accountNumber, name, address } = beneficiary;
    const details = { beneficiary: { name, address, accountNumber, countryCode: 'DE' } };
    const facts = { country: 'DE', currency: 'EUR', method: 'BANK', details, by: 'CK' } as const;
    const [id, account] = [`BNF${String(++next).padStart(17, '0')}`, `account-${next}`];
    const more = { requestId: `no-town-${next}`, fingerprint: 'x', sealedCards: '', createdAtMs: 1 };
    await store.beneficiaries.create((await store.clients.get('acme'))!, { id, facts, account, ...more });
    const refused = await acme.post(path, body(id));
    expect(refused.body.errors).toMatchObject([
      {
        field: expect.stringMatching(/city$/),
        code: 'field_missing',
        message: expect.stringMatching(new RegExp(`change the beneficiary ${id}$`)),
      },
    ]);
    expect((await acme.patch(`${PATH}/${id}`, { beneficiary: { city: 'Bonn' } })).status).toBe(200);
    expect((await acme.post(path, body(id))).status).toBe(200);
  });

  test.each([[create], [validate]])('%s: a disabled one is refused until it is enabled', async (path) => {
    const id = await stored(acme, { account_number: iban(++next) });
    await acme.post(`${PATH}/${id}/disable`, {});
    expect(codeOf(await acme.post(path, body(id)))).toEqual([400, 'BENEFICIARY_DISABLED']);
    await acme.post(`${PATH}/${id}/enable`, {});
    expect((await acme.post(path, body(id))).status).toBe(200);
  });

  test('a repeated payment finds the first one, also when the beneficiary is disabled since', async () => {
    const id = await stored(acme, { account_number: iban(++next) });
    const sent = body(id);
    const first = await acme.post(create, sent);
    await acme.post(`${PATH}/${id}/disable`, {});
    const again = await acme.post(create, sent);
    expect([...codeOf(again), again.body.payment_id]).toEqual([409, 'DUPLICATE_TRANSACTION', first.body.payment_id]);
  });

  test('the rules are applied again: what an amount makes mandatory is missing then', async () => {
    const answer = await acme.post(create, body(anna, { destination_amount: 0 }));
    expect(answer.status).toBe(400);
  });

  test('its relationship is the payment’s own, and the version binds', async () => {
    const id = await stored(acme, { account_number: iban(++next), relationship: 'Friend' });
    const own =
      create === CREATE_PAYMENT
        ? { remitter_beneficiary_relationship: 'Landlord' }
        : { beneficiary: { relationship: 'Landlord' } };
    const paid = await acme.post(create, body(id, { ...own, beneficiary_version: 1 }));
    expect([paid.status, paid.body.errors]).toEqual([200, undefined]);
    const { payment } = await door.operator('showPayment', { paymentId: String(paid.body.payment_id) });
    expect(payment.details.beneficiary.relationship).toBe('Landlord');

    await acme.patch(`${PATH}/${id}`, { beneficiary: { name: 'Anna Weber' } });
    for (const path of [create, validate]) {
      const late = await acme.post(path, body(id, { beneficiary_version: 1 }));
      expect([...codeOf(late), late.body.message]).toEqual([
        409,
        'VERSION_CONFLICT',
        'The beneficiary has version 2, and beneficiary_version is 1: read it again, then send the payment',
      ]);
    }
    expect((await acme.post(create, body(id, { beneficiary_version: 2 }))).status).toBe(200);
    const { beneficiary_id: _, ...alone } = body(id, { beneficiary_version: 2 });
    expect(faultsOf(await acme.post(create, alone))).toContain('beneficiary_version invalid_combination');
  });

  test('an input that brings the resolution itself is not believed', async () => {
    const answer = await acme.post(create, body(anna, { resolved: { id: 'x', version: 1, conflicts: [] } }));
    expect(faultsOf(answer)).toEqual(['resolved unsupported_field']);
  });
});

test('a payment without a stored beneficiary shows none', async () => {
  const read = await door.read(acme, await door.pay(acme, 'EUR'));
  expect(read).not.toHaveProperty('beneficiary_id');
});

function iban(account: number): string {
  const bban = `37040044${String(account).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}
