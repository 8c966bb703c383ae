/** Beneficiaries over REST: stored, changed, listed, disabled, and found by their account however it is written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BENEFICIARY_RESPONSE } from '../../../rest/features/beneficiaries/beneficiaries.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import type { Client, Fields } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

const PATH = '/api/v1/beneficiaries';

let door: PaymentDoor;
let acme: Client;
let other: Client;
let next = 0;

beforeAll(async () => {
  door = await openPaymentDoor();
  acme = await door.client('acme');
  other = await door.client('other');
});
afterAll(() => door.stop());

/** An account of its own for each. */
const iban = (account = ++next): string => {
  const bban = `37040044${String(account).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
};
const valid = (more: Fields = {}, beneficiary: Fields = {}): Fields => ({
  request_id: `ben-${++next}`,
  destination_currency: 'EUR',
  beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: iban(), ...beneficiary },
  ...more,
});
const inChina = (beneficiary: Fields): Fields => ({
  request_id: `ben-${++next}`,
  routing_code_type_1: 'SWIFT',
  routing_code_value_1: 'ICBKCNBJ',
  beneficiary: { name: 'Wang Fang', country_code: 'CN', address: '1 Nanjing Road', city: 'Shanghai', ...beneficiary },
});
const created = async (body: Fields = valid(), client = acme) => {
  const answer = await client.post(PATH, body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body as Fields & { readonly beneficiary_id: string; readonly version: number };
};
const faultsOf = ({ status, body }: Answer) => {
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  return (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
};
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('a stored beneficiary', () => {
  test('has what was sent, a version, and the version as its ETag', async () => {
    const account = iban();
    const { status, headers, body } = await acme.post(PATH, valid({}, { account_number: account, city: '' }));
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(body).toEqual({
      beneficiary_id: expect.stringMatching(/^BNF[0-9A-HJKMNP-TV-Z]{17}$/),
      version: 1,
      status: 'ACTIVE',
      destination_currency: 'EUR',
      payout_method: 'BANK',
      beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: account },
      created_at: expect.stringMatching(/\+00:00$/),
      updated_at: expect.stringMatching(/\+00:00$/),
    });
    BENEFICIARY_RESPONSE.parse(body);
    const read = await acme.get(`${PATH}/${body.beneficiary_id}`);
    expect([read.body, read.headers.etag]).toEqual([body, '"1"']);
  });

  test('is the same one for the same request id, as it was created, and 409 for another command', async () => {
    const body = valid();
    const first = await created(body);
    await acme.patch(`${PATH}/${first.beneficiary_id}`, { beneficiary: { city: 'Berlin' } });
    const again = await acme.post(PATH, body);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first]);
    expect(codeOf(await acme.post(PATH, { ...body, ...valid({ request_id: body.request_id }) }))).toEqual([
      409,
      'REQUEST_ID_REUSED',
    ]);
  });

  test('takes a currency, a method and routing codes as the corridor has them', async () => {
    const body = await created({
      request_id: `ben-${++next}`,
      routing_code_type_1: 'IFSC',
      routing_code_value_1: 'HDFC0000001',
      beneficiary: {
        ...{ name: 'Sharma Textiles', account_type: 'Company', country_code: 'IN', address: '12 Marine Drive' },
        ...{ city: 'Mumbai', bank_name: 'HDFC Bank', account_number: '50100012345678' },
      },
    });
    expect(body).toMatchObject({
      destination_currency: 'INR',
      payout_method: 'BANK',
      routing_code_type_1: 'IFSC',
      routing_code_value_1: 'HDFC0000001',
    });
  });

  test('shows the last four digits of a card, which the store has in no other form in clear', async () => {
    const card = '6212341111111111116';
    const body = await created(inChina({ account_number: card }));
    expect(body.beneficiary).toMatchObject({ account_number: '***************1116' });
    expect(JSON.stringify(await door.kept('acme'))).not.toContain(card.slice(0, 12));
    const answer = await acme.post(PATH, inChina({ account_number: card, name: 'Wei Li' }));
    expect([...codeOf(answer), answer.body.beneficiary_id]).toEqual([
      409,
      'DUPLICATE_BENEFICIARY',
      body.beneficiary_id,
    ]);
    // A change of another field leaves it.
    const changed = await acme.patch(`${PATH}/${body.beneficiary_id}`, { beneficiary: { city: 'Beijing' } });
    expect(changed.body.beneficiary).toMatchObject({ account_number: '***************1116', city: 'Beijing' });
  });
});

describe('what is refused', () => {
  test('all faults of the fields at once, by the rules of the corridor', async () => {
    const before = await door.kept('acme');
    const answer = await acme.post(PATH, {
      request_id: '-x',
      colour: 'green',
      destination_currency: 'EUR',
      payout_method: 'CASH_PAYOUT',
      beneficiary: { name: '', country_code: 'DE', account_number: 7, email: 7, dob: '2090-01-01' },
    });
    expect(faultsOf(answer).sort()).toEqual([
      'beneficiary.account_number incorrect_format',
      'beneficiary.contact_number field_missing',
      'beneficiary.dob incorrect_value',
      'beneficiary.email incorrect_format',
      'beneficiary.identification_type field_missing',
      'beneficiary.identification_value field_missing',
      'beneficiary.name field_missing',
      'colour unsupported_field',
      'payout_method incorrect_value',
      'request_id incorrect_format',
    ]);
    expect(faultsOf(await acme.post(PATH, {})).sort()).toEqual([
      'beneficiary.account_number field_missing',
      'beneficiary.country_code field_missing',
      'beneficiary.name field_missing',
      'request_id field_missing',
    ]);
    expect(await door.kept('acme')).toEqual(before);
  });

  test('the account of another one in any notation, by the id of the first, but not for another client', async () => {
    const account = iban();
    const { beneficiary_id } = await created(valid({}, { account_number: account }));
    const spaced = account
      .toLowerCase()
      .replace(/(.{4})/g, '$1 ')
      .trim();
    const answer = await acme.post(PATH, valid({}, { account_number: spaced, name: 'Otto' }));
    expect([...codeOf(answer), answer.body.beneficiary_id]).toEqual([409, 'DUPLICATE_BENEFICIARY', beneficiary_id]);
    await created(valid({}, { account_number: account }), other);
    expect(answer.body.detail).not.toContain(account);
  });

  test('an id that is unknown or of another client: 404 alike', async () => {
    const { beneficiary_id } = await created();
    const body = { beneficiary: { city: 'Berlin' } };
    for (const id of [beneficiary_id, 'BNF00000000000000000', 'x'])
      for (const answer of [
        await other.get(`${PATH}/${id}`),
        await other.patch(`${PATH}/${id}`, body),
        await other.post(`${PATH}/${id}/disable`, {}),
        await other.post(`${PATH}/${id}/enable`, {}),
      ])
        expect([...codeOf(answer), answer.body.detail]).toEqual([
          404,
          'NOT_FOUND',
          'No such beneficiary of yours: check the id',
        ]);
  });

  test('what is no field, or none of its type, comes before an id that is unknown', async () => {
    const answer = await acme.patch(`${PATH}/BNF00000000000000000`, { beneficiary: { city: 7, town: 'Berlin' } });
    expect([...codeOf(answer), faultsOf(answer)]).toEqual([
      400,
      'VALIDATION_FAILED',
      ['beneficiary.city incorrect_format', 'beneficiary.town unsupported_field'],
    ]);
  });

  test('a key without the right', async () => {
    const { store } = door.opened;
    const rights = ['read', 'rates', 'trade', 'pay'] as const;
    const { token } = await store.tokens.issue('acme', (await store.keys.issue('acme', rights))!.clientKey, rights);
    const answer = await door.ask('GET', PATH, { authorization: `Bearer ${token}` });
    expect([...codeOf(answer), answer.body.detail]).toEqual([
      403,
      'NOT_ENTITLED',
      'Not entitled: this key lacks the right manage',
    ]);
  });
});

describe('a change', () => {
  test('replaces what is sent, removes what is empty, and makes a version; earlier ones can be read', async () => {
    const { beneficiary_id } = await created(valid({}, { city: 'Berlin', state: 'Berlin' }));
    const at = `${PATH}/${beneficiary_id}`;
    const changed = await acme.patch(at, { beneficiary: { name: 'Anna Meier', state: '' } }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.etag, changed.body.version]).toEqual([200, '"2"', 2]);
    expect(changed.body.beneficiary).toMatchObject({ name: 'Anna Meier', city: 'Berlin' });
    expect(changed.body.beneficiary).not.toHaveProperty('state');
    expect((await acme.get(`${at}?version=1`)).body).toMatchObject({
      version: 1,
      beneficiary: { name: 'Anna Schmidt', state: 'Berlin' },
    });
    expect(codeOf(await acme.get(`${at}?version=3`))).toEqual([404, 'NOT_FOUND']);
    expect(faultsOf(await acme.get(`${at}?version=x`))).toEqual(['version incorrect_format']);
    const same = await acme.patch(at, { beneficiary: { name: 'Anna Meier' } });
    expect(same.body.version).toBe(2);
  });

  test('of another version than If-Match names is 409, and a tag that is none is a fault', async () => {
    const { beneficiary_id } = await created();
    const at = `${PATH}/${beneficiary_id}`;
    await acme.patch(at, { beneficiary: { city: 'Berlin' } });
    const body = { beneficiary: { city: 'Bonn' } };
    expect(codeOf(await acme.patch(at, body, { 'if-match': '"1"' }))).toEqual([409, 'VERSION_CONFLICT']);
    expect(faultsOf(await acme.patch(at, body, { 'if-match': 'W/"2"' }))).toEqual(['If-Match incorrect_format']);
    expect((await acme.patch(at, body, { 'if-match': '*' })).body.version).toBe(3);
  });

  test('is checked as a whole: all faults at once', async () => {
    const { beneficiary_id } = await created();
    const at = `${PATH}/${beneficiary_id}`;
    const answer = await acme.patch(at, { colour: 1, beneficiary: { name: '', account_number: 'DE00', email: 'x' } });
    expect(faultsOf(answer).sort()).toEqual([
      'beneficiary.account_number incorrect_format',
      'beneficiary.email incorrect_format',
      'beneficiary.name field_missing',
      'colour unsupported_field',
    ]);
  });

  test('to the account of another one is 409; the account that it leaves is free', async () => {
    const [one, two, three] = [iban(), iban(), iban()];
    const first = await created(valid({}, { account_number: one }));
    const second = await created(valid({}, { account_number: two }));
    const at = `${PATH}/${second.beneficiary_id}`;
    const answer = await acme.patch(at, { beneficiary: { account_number: one } });
    expect([...codeOf(answer), answer.body.beneficiary_id]).toEqual([
      409,
      'DUPLICATE_BENEFICIARY',
      first.beneficiary_id,
    ]);
    await acme.patch(at, { beneficiary: { account_number: three } });
    await created(valid({}, { account_number: two }));
  });

  test('of its status makes a version too, once', async () => {
    const { beneficiary_id } = await created();
    const at = `${PATH}/${beneficiary_id}`;
    for (let i = 0; i < 2; i++) {
      const { body, headers } = await acme.post(`${at}/disable`, {});
      expect([body.status, body.version, headers.etag]).toEqual(['DISABLED', 2, '"2"']);
    }
    for (const way of ['enable', 'disable'])
      expect(codeOf(await acme.post(`${at}/${way}`, {}, { 'if-match': '"1"' }))).toEqual([409, 'VERSION_CONFLICT']);
    const { body } = await acme.post(`${at}/enable`, {}, { 'if-match': '"2"' });
    expect([body.status, body.version]).toEqual(['ACTIVE', 3]);
    expect((await acme.get(`${at}?version=2`)).body).toMatchObject({ version: 2, beneficiary: body.beneficiary });
  });
});

test('of many requests for one account at once, one makes the beneficiary', async () => {
  const account = iban();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => acme.post(PATH, valid({}, { account_number: account }))),
  );
  const ids = new Set(answers.map(({ body }) => body.beneficiary_id));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([ids.size, answers.filter(({ status }) => status === 409).length]).toEqual([1, 7]);
});

test('of many changes of one version at once, one is made', async () => {
  const { beneficiary_id } = await created();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      acme.patch(`${PATH}/${beneficiary_id}`, { beneficiary: { city: `City ${at}` } }, { 'if-match': '"1"' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
});

test('the list is the newest first, by pages, filtered by status, currency, country and the beginning of the name', async () => {
  const client = await door.client('lister');
  const ids: string[] = [];
  for (const name of ['Anna', 'Bert', 'anne', 'Carl']) {
    ids.push((await created(valid({}, { name }), client)).beneficiary_id);
    door.services.nowMs++;
  }
  await client.post(`${PATH}/${ids[1]}/disable`, {});
  const list = async (query: string) => {
    const { body } = await client.get(`${PATH}?${query}`);
    return [(body.data as Fields[]).map(({ beneficiary_id }) => ids.indexOf(String(beneficiary_id))), body.next_cursor];
  };
  expect(await list('')).toEqual([[3, 2, 1, 0], '']);
  expect(await list('name=ann')).toEqual([[2, 0], '']);
  expect(await list('status=DISABLED')).toEqual([[1], '']);
  expect(await list('currency=USD&country=&name=')).toEqual([[], '']);
  expect(await list('country=DE&currency=EUR&status=ACTIVE,DISABLED')).toEqual([[3, 2, 1, 0], '']);
  const [first, cursor] = await list('limit=3');
  expect(first).toEqual([3, 2, 1]);
  expect(await list(`limit=3&cursor=${cursor}`)).toEqual([[0], '']);
  const foreign = await acme.get(`${PATH}?limit=3&cursor=${cursor}`);
  expect(faultsOf(foreign)).toEqual(['cursor incorrect_value']);
  expect(faultsOf(await client.get(`${PATH}?status=GONE&currency=eur&country=Germany&colour=red`)).sort()).toEqual([
    'colour unsupported_field',
    'country incorrect_format',
    'currency incorrect_format',
    'status incorrect_value',
  ]);
});
