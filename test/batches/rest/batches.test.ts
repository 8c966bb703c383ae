/** Batches over REST: from an empty one to the results of each item, as JSON and as CSV. */
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_ROUTES } from '../../../rest/features/batches/batch-routes.js';
import type { Fields } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';
import { type BatchDoor, codeOf, good, item, nextNumber, openBatchDoor, BATCHES as PATH } from './batch-door.js';

let on: BatchDoor;
beforeAll(async () => {
  on = await openBatchDoor();
});
afterAll(() => on.door.stop());

const faultsOf = ({ body }: Answer) =>
  (body.faults as { item_id: string; errors: { field: string; code: string }[] }[]).map(
    ({ item_id, errors }) => `${item_id}: ${errors.map(({ field, code }) => `${field} ${code}`).join(', ')}`,
  );
/** An answer in another form than JSON. */
const textOf = (path: string, accept: string, authorization = on.acme.authorization) =>
  new Promise<{ readonly type: string | undefined; readonly text: string }>((resolve, reject) => {
    const headers = { authorization, accept };
    request({ host: '127.0.0.1', port: on.door.port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ type: response.headers['content-type'], text }));
    })
      .on('error', reject)
      .end();
  });
const csv = (id: string, text: string) => on.acme.raw(`${PATH}/${id}/items`, text, 'text/csv');

describe('from an empty batch to its results', () => {
  test('each answer has the batch, its counts and amounts, and its version as ETag', async () => {
    const sent = { request_id: 'b-first', source_account: on.euros, description: 'Salaries November' };
    const created = await on.acme.post(PATH, sent);
    const shown = {
      ...{ batch_id: expect.stringMatching(/^BAT[0-9A-HJKMNP-TV-Z]{17}$/), status: 'OPEN', version: 1, ...sent },
      ...{ currency: 'EUR', items: 0, pending: 0, created: 0, refused: 0, cancelled: 0, total_amount: '0.00' },
      ...{ created_amount: '0.00', refused_amount: '0.00', reserved_amount: '0.00' },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    };
    expect(good(created)).toEqual(shown);
    const again = await on.acme.post(PATH, sent);
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', created.body]);
    const id = String(created.body.batch_id);
    const items = [item('a'), item('b', { destination_amount: 30.5 })];
    expect(good(await on.add(id, items))).toMatchObject({ version: 2, items: 2, added: 2, replaced: 0, unchanged: 0 });
    expect(good(await on.add(id, items))).toMatchObject({ version: 2, items: 2, added: 0, replaced: 0, unchanged: 2 });
    expect(good(await on.step(id, 'validate'))).toMatchObject({
      status: 'VALIDATED',
      valid: true,
      faults: [],
      version: 3,
    });
    expect(good(await on.step(id, 'close'))).toMatchObject({ status: 'CLOSED', version: 4 });
    const moved = await on.door.moved(on.acme, async () => good(await on.step(id, 'fund')));
    expect(moved).toEqual({ [`EUR/${on.euros}`]: -5_550n, [`EUR/batch:${id}`]: 5_550n });
    expect(good(await on.acme.get(`${PATH}/${id}`))).toEqual({
      ...{ ...shown, batch_id: id, status: 'PROCESSING', version: 5, items: 2, pending: 2 },
      ...{ total_amount: '55.50', reserved_amount: '55.50', payments: [] },
    });
    await on.door.work();
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({
      ...{ status: 'DONE', version: 6, pending: 0, created: 2, created_amount: '55.50', reserved_amount: '0.00' },
      payments: [{ status: 'PAID', count: 2 }],
    });
    const listed = await on.acme.get(`${PATH}?status=DONE&currency=EUR`);
    expect(listed.body).toMatchObject({ data: [{ batch_id: id, status: 'DONE' }], next_cursor: '' });
    const first = await on.acme.get(`${PATH}/${id}/items?limit=1`);
    expect(first.body.data).toMatchObject([
      { item_id: 'a', status: 'CREATED', payment_status: 'PAID', amount: '25.00' },
    ]);
    const rest = await on.acme.get(`${PATH}/${id}/items?limit=1&cursor=${first.body.next_cursor}`);
    expect(rest.body).toMatchObject({ data: [{ item_id: 'b', amount: '30.50' }], next_cursor: '' });
    const [{ payment_id, transaction_number } = {}] = await on.results(id);
    const payment = await on.acme.get(`/api/v1/payments/id/${payment_id}`);
    expect(payment.body).toMatchObject({ reference_number: transaction_number, fee_amount: '0.00' });
  });

  test('results as CSV by format or by Accept', async () => {
    const id = await on.funded([item('a', { transaction_number: 'quiet' }), item('b')]);
    await on.door.work();
    const lines = [
      'item_id,status,transaction_number,payment_id,payment_status,payment_sub_status,amount,currency,payee,account_ending,code,message',
      expect.stringMatching(/^a,CREATED,quiet,PAY\w+,PAID,\w*,25\.00,EUR,Anna Schmidt,3000,,$/),
      expect.stringMatching(/^b,CREATED,T-b-\d+,PAY\w+,PAID,\w*,25\.00,EUR,Anna Schmidt,3000,,$/),
      '',
    ];
    for (const [query, accept] of [
      ['?format=csv', '*/*'],
      ['', 'text/csv'],
    ] as const) {
      const { type, text } = await textOf(`${PATH}/${id}/results${query}`, accept);
      expect([type, text.split('\r\n')]).toEqual(['text/csv; charset=utf-8', lines]);
    }
    expect((await textOf(`${PATH}/${id}/results?format=json`, 'text/csv')).type).toMatch('application/json');
  });

  test('an item that cannot be paid is refused with the code of a payment and with names of the interface', async () => {
    const stored = async (more: Fields) => {
      const beneficiary = { name: 'Anna Schmidt', country_code: 'DE', account_number: 'DE89370400440532013000' };
      const body = { request_id: `ben-${nextNumber()}`, destination_currency: 'EUR', beneficiary, ...more };
      return String((await on.acme.post('/api/v1/beneficiaries', body)).body.beneficiary_id);
    };
    const named = { beneficiary: undefined, destination_currency: undefined };
    const [anna, ben] = [
      await stored({}),
      await stored({ beneficiary: { name: 'Ben', country_code: 'FR', account_number: 'FR1420041010050500013M02606' } }),
    ];
    const id = await on.funded([
      item('anna', { ...named, beneficiary_id: anna }),
      item('ben', { ...named, beneficiary_id: ben }),
      item('used', { transaction_number: 'used-soon' }),
    ]);
    await on.acme.post(`/api/v1/beneficiaries/${ben}/disable`, {});
    const other = { ...item('x', { transaction_number: 'used-soon', source_account: on.euros }), item_id: undefined };
    expect((await on.acme.post('/api/v2/payouts', { ...other, request_id: 'used-soon' })).status).toBe(200);
    await on.door.work();
    expect(await on.results(id)).toMatchObject([
      { item_id: 'anna', status: 'CREATED', payment_status: 'PAID' },
      { item_id: 'ben', status: 'REFUSED', code: 'BENEFICIARY_DISABLED', payment_id: '', amount: '' },
      { item_id: 'used', status: 'REFUSED', code: 'DUPLICATE_TRANSACTION' },
    ]);
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({
      ...{ status: 'DONE', created: 1, refused: 2, created_amount: '25.00', refused_amount: '50.00' },
    });
  });

  test('an item whose beneficiary is disabled before the funding reserves nothing, and is refused', async () => {
    const beneficiary = { name: 'Cem', country_code: 'DE', account_number: 'DE02120300000000202051' };
    const body = { request_id: `ben-${nextNumber()}`, destination_currency: 'EUR', beneficiary };
    const path = `/api/v1/beneficiaries/${(await on.acme.post('/api/v1/beneficiaries', body)).body.beneficiary_id}`;
    const named = { beneficiary: undefined, destination_currency: undefined, beneficiary_id: path.split('/').at(-1) };
    const id = await on.batch();
    good(await on.add(id, [item('off', named), item('on')]));
    expect(good(await on.step(id, 'validate')).faults).toEqual([]);
    good(await on.step(id, 'close'));
    await on.acme.post(`${path}/disable`, {});
    expect(good(await on.step(id, 'fund'))).toMatchObject({ total_amount: '25.00' });
    await on.door.work();
    expect(await on.results(id)).toMatchObject([
      { status: 'REFUSED', code: 'BENEFICIARY_DISABLED' },
      { status: 'CREATED', payment_status: 'PAID' },
    ]);
  });

  const named = { beneficiary: undefined, destination_currency: undefined };
  /** Another German account at each call. */
  const iban = (): string => {
    const account = `3704004405320${String(13_000 + nextNumber()).padStart(5, '0')}`;
    return `DE${String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0')}${account}`;
  };
  const closedBatch = async (items: Fields[]) => {
    const id = await on.batch();
    good(await on.add(id, items));
    expect(good(await on.step(id, 'validate')).faults).toEqual([]);
    return { id, closed: good(await on.step(id, 'close')) };
  };
  /** A stored beneficiary with an account of its own. */
  const payee = async (name = 'Anna Schmidt') => {
    const beneficiary = { name, country_code: 'DE', account_number: iban() };
    const body = { request_id: `ben-${nextNumber()}`, destination_currency: 'EUR', beneficiary };
    const { beneficiary_id } = (await on.acme.post('/api/v1/beneficiaries', body)).body;
    const path = `/api/v1/beneficiaries/${beneficiary_id}`;
    const swap = async () =>
      expect((await on.acme.patch(path, { beneficiary: { account_number: iban() } })).status).toBe(200);
    return { path, swap, ending: beneficiary.account_number.slice(-4), item: { ...named, beneficiary_id } };
  };

  test('who funds a closed batch has seen its total, and of each item amount, payee and the end of the account', async () => {
    const one = await payee('Cem');
    const items = [
      item('inline'),
      item('stored', { ...one.item, destination_amount: 30.5 }),
      item('source', { destination_amount: undefined, source_amount: 7 }),
    ];
    const { id, closed } = await closedBatch(items);
    expect(closed).toMatchObject({ status: 'CLOSED', total_amount: '62.50', reserved_amount: '0.00', currency: 'EUR' });
    const shown = [
      ['inline', '25.00', 'EUR', 'Anna Schmidt', '3000'],
      ['stored', '30.50', 'EUR', 'Cem', one.ending],
      ['source', '7.00', 'EUR', 'Anna Schmidt', '3000'],
    ];
    const { keys, tokens } = on.door.opened.store;
    const { token } = await tokens.issue('acme', (await keys.issue('acme', ['read']))!.clientKey, ['read']);
    const reads = { authorization: `Bearer ${token}` };
    const seen = async (path: string, headers: Record<string, string> = {}) =>
      ((await on.acme.get(`${PATH}/${id}/${path}`, headers)).body[path === 'results' ? path : 'data'] as Fields[]).map(
        ({ item_id, amount, currency, payee, account_ending }) => [item_id, amount, currency, payee, account_ending],
      );
    for (const path of ['items', 'results']) expect(await seen(path)).toEqual(shown);
    expect(await seen('items', reads)).toEqual(shown.map((one) => [...one.slice(0, 3), '', '']));
    const sheet = async (authorization?: string) => {
      const { text } = await textOf(`${PATH}/${id}/results`, 'text/csv', authorization);
      return text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => [line.split(',')[0], ...line.split(',').slice(6, 10)]);
    };
    expect(await sheet()).toEqual(shown);
    expect(await sheet(reads.authorization)).toEqual(shown.map((one) => [...one.slice(0, 3), '', '']));
    good(await on.step(id, 'fund', { 'if-match': `"${closed.version}"` }));
    for (const path of ['items', 'results']) expect(await seen(path)).toEqual(shown);
    await on.door.work();
    for (const path of ['items', 'results']) expect(await seen(path)).toEqual(shown);
  });

  test('funding is refused where a beneficiary has changed since the closing, and names the items', async () => {
    const [one, two] = [await payee(), await payee()];
    const { id, closed } = await closedBatch([item('a', one.item), item('b', two.item), item('c')]);
    await one.swap();
    const refused = await on.step(id, 'fund', { 'if-match': `"${closed.version}"` });
    expect(codeOf(refused)).toEqual([400, 'BENEFICIARY_CHANGED']);
    expect(refused.body.message).toMatch(/items a have changed/);
    expect(refused.body.errors).toMatchObject([{ field: 'items.a.beneficiary_id', code: 'not_allowed' }]);
    // What was closed is what is shown.
    expect((await on.results(id)).map(({ account_ending }) => account_ending)).toEqual([
      one.ending,
      two.ending,
      '3000',
    ]);
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({ status: 'CLOSED', version: closed.version });
    good(await on.step(id, 'cancel'));
  });

  test('after the funding the item alone is refused, and its reserve returns', async () => {
    const one = await payee();
    const { id } = await closedBatch([item('swapped', one.item), item('other')]);
    good(await on.step(id, 'fund'));
    const moved = await on.door.moved(on.acme, async () => {
      await one.swap();
      await on.door.work();
    });
    expect(await on.results(id)).toMatchObject([
      { status: 'REFUSED', code: 'BENEFICIARY_CHANGED', payment_id: '' },
      { status: 'CREATED', payment_status: 'PAID' },
    ]);
    expect(moved[`EUR/${on.euros}`]).toBe(2_500n);
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({ status: 'DONE', refused_amount: '25.00' });
  });

  test('a beneficiary that was disabled and enabled again is the same', async () => {
    const one = await payee();
    const { id } = await closedBatch([item('a', one.item)]);
    for (const what of ['disable', 'enable']) await on.acme.post(`${one.path}/${what}`, {});
    good(await on.step(id, 'fund'));
    await on.door.work();
    expect(await on.results(id)).toMatchObject([{ status: 'CREATED', payment_status: 'PAID' }]);
  });

  test('a total that has grown by other fees is not taken', async () => {
    const { id } = await closedBatch([item('a')]);
    const set = (fixed: string) =>
      on.door.operator('setFee', { clientId: 'acme', corridor: '*', method: '*', currency: 'EUR', fixed });
    await set('1');
    const refused = await on.step(id, 'fund');
    expect(codeOf(refused)).toEqual([400, 'WRONG_STATE']);
    expect(refused.body.message).toMatch(/total of 25\.00 EUR, and needs 26\.00 EUR/);
    await set('0');
    expect(good(await on.step(id, 'fund'))).toMatchObject({ total_amount: '25.00' });
    await on.door.work();
  });

  test('an item that a change of rules makes faulty names its fields as the interface does', async () => {
    const id = await on.funded([item('a')]);
    await on.door.opened.store.clients.change('acme', { onBehalf: true });
    await on.door.work().finally(() => on.door.opened.store.clients.change('acme', { onBehalf: false }));
    expect(await on.results(id)).toMatchObject([
      { status: 'REFUSED', code: 'VALIDATION_FAILED', message: expect.stringMatching(/remitter\.country_code: /) },
    ]);
  });

  test('an item in another currency is reserved by its source amount and converted when it is drawn', async () => {
    const inDollars = { destination_amount: undefined, source_amount: 50 };
    const id = await on.funded([item('fx', inDollars)], on.dollars);
    const { reserved_amount, currency } = good(await on.acme.get(`${PATH}/${id}`));
    expect([reserved_amount, currency]).toEqual(['50.00', 'USD']);
    on.door.freshPrices();
    await on.door.work();
    // 50 / 1.08433 less 0.25 %.
    expect(await on.results(id)).toMatchObject([
      { status: 'CREATED', currency: 'EUR', amount: expect.stringMatching(/^4[56]\.\d\d$/) },
    ]);
  });

  test('a cancellation returns the rest, and payments that exist stay', async () => {
    const id = await on.funded([item('a'), item('b')]);
    const moved = await on.door.moved(on.acme, async () =>
      expect(good(await on.step(id, 'cancel'))).toMatchObject({ status: 'CANCELLED', cancelled: 2, pending: 0 }),
    );
    expect(moved).toMatchObject({ [`EUR/${on.euros}`]: 5_000n, [`EUR/batch:${id}`]: -5_000n });
    await on.door.work();
    expect((await on.results(id)).map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
    const entries = (await on.acme.get(`/api/v1/balance/account/${on.euros}/entries?type=batch`)).body.data as Fields[];
    const ofBatch = entries.filter(({ reference }) => reference === id);
    expect(ofBatch.map(({ type, amount }) => [type, amount])).toEqual([
      ['batch', 50],
      ['batch', -50],
    ]);
  });
});

test('each change of its status is an event, which shows the batch as its GET does', async () => {
  const listener = await on.door.client('listener');
  await on.door.opened.store.events.enable((await on.door.opened.store.clients.get('listener'))!);
  const account = await listener.account('EUR', 100_00n);
  const created = good(await listener.post(PATH, { request_id: 'b-events', source_account: account }));
  const path = `${PATH}/${created.batch_id}`;
  good(await listener.post(`${path}/items`, { items: [item('a')] }));
  const seen = [created];
  for (const what of ['validate', 'close', 'fund']) seen.push(good(await listener.post(`${path}/${what}`, {})));
  await on.door.work();
  seen.push(good(await listener.get(path)));
  const events = (await listener.get('/api/v1/events')).body.data as { type: string; data: { object: Fields } }[];
  const ofBatch = events.filter(({ type }) => type.startsWith('batch.'));
  expect(ofBatch.map(({ type }) => type)).toEqual(
    ['created', 'validated', 'closed', 'processing', 'done'].map((what) => `batch.${what}`),
  );
  for (const [at, { data }] of ofBatch.entries()) {
    const { valid: _v, faults: _f, faults_left_out: _l, payments: _p, ...shown } = seen[at]!;
    expect(data.object).toEqual(shown);
  }
});

test('a platform sends the batch of a sub-client, which neither its own key nor another sub-client finds', async () => {
  const { clients, accounts } = on.door.opened.store;
  const platform = await on.door.client('plat');
  await clients.change('plat', { isPlatform: true });
  const made = async (name: string) => {
    const body = { name, title: name, currencies: ['EUR'] };
    return String((await platform.post('/api/v1/sub-clients', body)).body.sub_client_id);
  };
  const [one, two] = [await made('one'), await made('two')];
  const of = (await clients.get(one))!;
  const [{ number } = { number: '' }] = await accounts.list(of);
  await accounts.credit(of, 'first', number, 100_00n);
  const as = (id: string) => ({ 'x-on-behalf-of': id });
  const created = await platform.post(PATH, { request_id: 'b-1', source_account: Number(number) }, as(one));
  const path = `${PATH}/${good(created).batch_id}`;
  const payee = { name: 'Anna Schmidt', country: 'DE', currency: 'EUR', account_number: 'DE89370400440532013000' };
  const verify = async (headers: Record<string, string>) => {
    const { body } = await platform.post('/api/v1/payee-verifications', payee, headers);
    return { verification_token: body.verification_token };
  };
  const foreign = [item('own', await verify({})), item('other', await verify(as(two)))];
  const items = [item('a', await verify(as(one))), ...foreign];
  good(await platform.post(`${path}/items`, { items }, as(one)));
  const found = good(await platform.post(`${path}/validate`, {}, as(one)));
  expect((found.faults as Fields[]).map(({ item_id }) => item_id)).toEqual(['own', 'other']);
  for (const { item_id, verification_token: _, ...rest } of foreign)
    good(await platform.post(`${path}/items?replace=true`, { items: [{ item_id, ...rest }] }, as(one)));
  for (const what of ['validate', 'close', 'fund']) good(await platform.post(`${path}/${what}`, {}, as(one)));
  await on.door.work();
  expect(good(await platform.get(path, as(one)))).toMatchObject({ status: 'DONE', created: 3 });
  for (const headers of [{}, as(two)]) expect((await platform.get(path, headers)).status).toBe(404);
});

describe('items', () => {
  test('as CSV: quotes, a byte order mark, CRLF or LF, empty fields, a last line without an end', async () => {
    const id = await on.batch();
    const names =
      'item_id,transaction_number,destination_currency,destination_amount,fee_payer,statement_narrative,remitter.account_type,remitter.purpose_code,beneficiary.name,beneficiary.country_code,beneficiary.account_number';
    const line = (itemId: string, name: string, amount = '25') =>
      `${itemId},T-${nextNumber()},EUR,${amount},OUR,"Salary, ""November""",Company,IR01802,${name},DE,DE89370400440532013000`;
    const text = `\uFEFF${names}\r\n${line('c1', 'Anna Schmidt')}\n\r\n${line('c2', '"Schmidt, Anna"', '1e2')}\r\n${line('c3', '')}`;
    expect(good(await csv(id, text))).toMatchObject({ items: 3, added: 3 });
    expect(faultsOf(await on.step(id, 'validate'))).toEqual([
      expect.stringMatching(/^c2: .*destination_amount incorrect_format/),
      expect.stringMatching(/^c3: .*beneficiary\.name field_missing/),
    ]);
  });

  test.each([
    ['no record', '\r\n', /no record with the names/],
    ['one name twice', 'item_id,item_id\r\na,b', /./],
    ['a record that is too short', 'item_id,transaction_number\r\na', /record 1 has 1 fields, and there are 2 names/],
    ['a quote that is not closed', 'item_id\r\n"a', /line 2: a quote is not closed/],
    ['text behind a quote', 'item_id\r\n"a"b', /line 2: text behind a closing quote/],
    ['names alone', 'item_id,transaction_number\r\n', /./],
    ['more than 1,000 records', `item_id\r\n${'a\r\n'.repeat(1_001)}`, /more than 1001 records/],
  ])('a CSV with %s is refused with its place', async (_what, text, detail) => {
    const answer = await csv(await on.batch(), text);
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.detail).toMatch(detail);
  });

  test('all faults of a body at once, items by their place', async () => {
    const id = await on.batch();
    const twice = item('twice');
    const { status, body } = await on.add(
      id,
      [twice, twice, { ...item('ok'), item_id: '-bad' }, { transaction_number: 'x' }, 7 as never],
      '?replace=perhaps',
      { 'if-match': 'W/"1"' },
    );
    const faults = (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
    expect([status, ...faults.sort()]).toEqual([
      400,
      'If-Match incorrect_format',
      'items.1.item_id invalid_combination',
      'items.2.item_id incorrect_format',
      'items.3.item_id field_missing',
      'items.4 incorrect_format',
      'replace incorrect_format',
    ]);
    for (const items of [[], 'x', undefined])
      expect(codeOf(await on.acme.post(`${PATH}/${id}/items`, { items }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(codeOf(await on.add(id, [item('big', { statement_narrative: 'x'.repeat(9_000) })]))).toEqual([
      400,
      'VALIDATION_FAILED',
    ]);
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({ version: 1, items: 0 });
  });

  test('are added all or none, replaced where it is asked, and removed', async () => {
    const id = await on.batch();
    const a = item('a');
    good(await on.add(id, [a]));
    const other = { ...a, destination_amount: 26 };
    const conflict = await on.add(id, [item('b'), other]);
    expect([...codeOf(conflict), conflict.body.detail]).toEqual([
      409,
      'REQUEST_ID_REUSED',
      expect.stringMatching(/item a with other/),
    ]);
    expect(good(await on.acme.get(`${PATH}/${id}`))).toMatchObject({ items: 1 });
    expect(good(await on.add(id, [item('b'), other], '?replace=true'))).toMatchObject({
      items: 2,
      added: 1,
      replaced: 1,
    });
    good(await on.step(id, 'validate'));
    const remove = (itemId: string) =>
      on.door.ask('DELETE', `${PATH}/${id}/items/${itemId}`, { authorization: on.acme.authorization });
    expect(good(await remove('a'))).toMatchObject({ status: 'OPEN', items: 1 });
    expect(codeOf(await remove('a'))).toEqual([404, 'NOT_FOUND']);
    expect((await on.acme.get(`${PATH}/${id}/items`)).body.data).toMatchObject([{ item_id: 'b', status: 'PENDING' }]);
  });

  test('are a thousand at most, in bodies of more than 64 KiB', async () => {
    const id = await on.batch();
    const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => item(`m${from + at}`));
    expect(Buffer.byteLength(JSON.stringify(many(0, 1_000)))).toBeGreaterThan(300_000);
    expect(good(await on.add(id, many(0, 1_000)))).toMatchObject({ items: 1_000 });
    expect(codeOf(await on.add(id, many(1_000, 1)))).toEqual([400, 'BATCH_LIMIT']);
    expect(codeOf(await on.add(await on.batch(), many(0, 1_001)))).toEqual([400, 'VALIDATION_FAILED']);
    const large = await on.acme.post(`${PATH}/${id}/items`, { items: [item('x', { note: 'x'.repeat(524_288) })] });
    expect(codeOf(large)).toEqual([400, 'BODY_TOO_LARGE']);
  });

  test('have all their faults in the validation, by the names of the interface', async () => {
    const id = await on.batch();
    const payee = { name: 'Anna NO MATCH', country: 'DE', currency: 'EUR', account_number: 'DE89370400440532013000' };
    const verified = await on.acme.post('/api/v1/payee-verifications', payee);
    const token = { verification_token: verified.body.verification_token };
    good(
      await on.add(id, [
        item('fields', { fee_payer: 'ALL', remitter: undefined }),
        item('account', { source_account: on.dollars }),
        item('currency', {
          destination_currency: 'GBP',
          beneficiary: { name: 'Ann Carter', country_code: 'GB', account_number: '66374958' },
          routing_code_type_1: 'SORT CODE',
          routing_code_value_1: '089999',
        }),
        item('twice', { transaction_number: 'one-number' }),
        item('too', { transaction_number: 'one-number', request_id: 'same' }),
        item('three', { request_id: 'same' }),
        item('unknown', { beneficiary: undefined, beneficiary_id: 'BNF01K4M2V7Q8Z3X5YAB' }),
        item('mismatch', token),
        item('forged', { verification_token: 'nothing' }),
        item('tiny', { destination_amount: 0.001 }),
      ]),
    );
    const answer = await on.step(id, 'validate');
    expect(good(answer)).toMatchObject({ valid: false, status: 'OPEN', faults_left_out: 0 });
    expect(faultsOf(answer)).toEqual([
      expect.stringMatching(/^fields: (?=.*fee_payer incorrect_value)(?=.*remitter\.account_type field_missing)/),
      'account: source_account invalid_combination',
      'currency: destination_amount invalid_combination',
      'too: transaction_number invalid_combination',
      'three: request_id invalid_combination',
      'unknown: beneficiary_id incorrect_value',
      'mismatch: verification_token incorrect_value',
      'forged: verification_token incorrect_value',
      expect.stringMatching(/^tiny: .*destination_amount/),
    ]);
  });
});

test.each([
  ['the guide', async () => /```\n(item_id,.*\n.*\n)```/.exec(await readFile('docs/batches.md', 'utf8'))![1]!],
  ['the reference', async () => BATCH_ROUTES.addBatchItems.csvExample],
])('the CSV of %s is an item without a fault', async (_of, example) => {
  const id = await on.batch();
  good(await csv(id, await example()));
  expect(faultsOf(await on.step(id, 'validate'))).toEqual([]);
});
