/** Webhook endpoints over REST: shapes, versions, every fault of a body at once, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';
import { confirmWebhook } from '../../support/confirm-webhook.js';
import { filling } from '../../support/full-store.js';

const PATH = '/api/v1/webhooks';
const NEW = { url: 'http://127.0.0.1:9999/hook', types: ['payment.*', 'test'] };
const UNKNOWN = 'WHK01KAGQ3V8S7M2Y5T9D4N6W1RZ';

let door: MoneyDoor;
let clients = 0;
/** Sends as a client of its own for each test. */
let ask: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
beforeAll(async () => {
  door = await openMoneyDoor();
});
afterAll(() => door.stop());
beforeEach(async () => {
  ask = (await client()).ask;
});

async function client(rights: readonly (typeof RIGHTS)[number][] = RIGHTS) {
  const id = `hooks${++clients}`;
  const { store } = door.opened;
  await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' });
  const { clientKey: client_key, clientSecret: client_secret } = (await store.keys.issue(id, rights))!;
  const { body } = await door.ask('POST', '/api/v1/authentication', { client_key, client_secret });
  const authorization = `Bearer ${body.token}`;
  const sends: typeof ask = (method, path, fields, headers = {}) =>
    door.ask(
      method,
      path,
      { authorization, ...(fields && { 'content-type': 'application/json' }), ...headers },
      fields && JSON.stringify(fields),
    );
  return { id, ask: sends, authorization };
}
const created = async (more: object = {}): Promise<Record<string, unknown>> => {
  const { status, body } = await ask('POST', PATH, { ...NEW, ...more });
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
};
const faultsOf = ({ body }: Answer): unknown[] =>
  (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`).sort();

test('an endpoint is created, read, listed, changed and removed; its secret is shown once', async () => {
  const endpoint = await created({ name: 'Ledger' });
  const { secret, ...shown } = endpoint;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toMatchObject({ ...NEW, name: 'Ledger', active: false, signature: 'symmetric', version: 1 });
  expect(shown).toMatchObject({ inactive_reason: 'PENDING', challenge_attempts: [] });
  expect(shown.challenge_until).toMatch(/^2\d{3}-.*Z$/);
  const one = `${PATH}/${shown.webhook_id}`;
  const read = await ask('GET', one);
  expect([read.body, read.headers.etag]).toEqual([shown, '"1"']);
  expect((await ask('GET', PATH)).body).toEqual({ data: [shown], next_cursor: '' });
  const changed = await ask('PATCH', one, { active: false, types: ['*'] }, { 'if-match': '"1"' });
  expect(changed.body).toMatchObject({
    active: false,
    inactive_reason: 'PAUSED',
    types: ['*'],
    version: 2,
    name: 'Ledger',
  });
  expect(changed.headers.etag).toBe('"2"');
  expect((await ask('PATCH', one, {})).body).toEqual(changed.body);
  expect((await ask('PATCH', one, {}, { 'if-match': '"1"' })).body.code).toBe('VERSION_CONFLICT');
  const late = await ask('PATCH', one, { name: 'x' }, { 'if-match': '"1"' });
  expect([late.status, late.body.code]).toEqual([409, 'VERSION_CONFLICT']);
  expect((await ask('POST', `${one}/rotate-secret`, {}, { 'if-match': '"1"' })).body.code).toBe('VERSION_CONFLICT');
  expect((await ask('DELETE', one, undefined, { 'if-match': '"1"' })).body.code).toBe('VERSION_CONFLICT');
  expect((await ask('DELETE', one, undefined, { 'if-match': '"2"' })).body).toEqual({ webhook_id: shown.webhook_id });
  expect((await ask('GET', one)).body.code).toBe('NOT_FOUND');
  expect((await ask('GET', PATH)).body).toEqual({ data: [], next_cursor: '' });
});

test('a rotation shows the new secret, and until when the old one signs too', async () => {
  const { webhook_id, secret } = await created();
  const { body } = await ask('POST', `${PATH}/${webhook_id}/rotate-secret`);
  expect(body.secret).toMatch(/^whsec_/);
  expect(body.secret).not.toBe(secret);
  const untilMs = Date.parse(String(body.previous_secret_until));
  expect(untilMs - door.services.now()).toBe(24 * 60 * 60 * 1_000);
});

test('an endpoint of ed25519 has a public key and no secret', async () => {
  const { public_key, secret } = await created({ signature: 'ed25519' });
  expect(public_key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  expect(secret).toBe('');
});

test('a form has the types with commas between them', async () => {
  const { authorization } = await client();
  const form = Object.entries({ url: NEW.url, types: 'payment.paid,hold.*' })
    .map(([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('');
  const headers = { authorization, 'content-type': 'multipart/form-data; boundary=cut' };
  const { body } = await door.ask('POST', PATH, headers, `${form}--cut--\r\n`);
  expect(body.types).toEqual(['payment.paid', 'hold.*']);
});

test('no secret is stored as it is', async () => {
  const { webhook_id, secret } = await created();
  const of = (await door.opened.store.clients.get(`hooks${clients}`))!;
  const stored = JSON.stringify(await door.opened.store.webhooks.read(of, String(webhook_id)));
  expect(stored).toContain(String(webhook_id));
  expect(stored).not.toContain(String(secret).slice(6));
});

test('all faults of a body are named at once', async () => {
  const body = { url: 'ftp://x', types: ['payment.paid', 'nothing'], name: 'x'.repeat(141), signature: 'rsa' };
  const answer = await ask('POST', PATH, body);
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  const faults = [
    'name incorrect_value',
    'signature incorrect_value',
    'types.1 incorrect_value',
    'url incorrect_value',
  ];
  expect(faultsOf(answer)).toEqual(faults);
  expect(faultsOf(await ask('POST', PATH, {}))).toEqual(['types field_missing', 'url field_missing']);
  const { webhook_id } = await created();
  const changed = await ask('PATCH', `${PATH}/${webhook_id}`, { ...body, active: 'no' }, { 'if-match': 'W/"1"' });
  const more = ['If-Match incorrect_format', 'active incorrect_format'];
  const ofChange = faults.map((fault) => (fault.startsWith('signature') ? 'signature unsupported_field' : fault));
  expect(faultsOf(changed)).toEqual([...more, ...ofChange].sort());
});

test.each([
  ['https://user:secret@example.com/hook'],
  ['https://example.com:22/hook'],
  ['https://example.com/hook#part'],
  ['http://192.0.3.1/hook'],
  ['https://10.0.0.1/hook'],
  ['https://169.254.169.254/latest/meta-data'],
  ['https://[fe80::1]/hook'],
  ['https://[::ffff:10.0.0.1]/hook'],
  ['https://[64:ff9b::a00:1]/hook'],
  ['https://0x0a000001/hook'],
  ['not a url'],
  [`https://192.0.3.1/${'x'.repeat(2_048)}`],
])('the address %s is refused', async (url) => {
  const answer = await ask('POST', PATH, { ...NEW, url });
  expect([answer.status, faultsOf(answer)]).toEqual([400, ['url incorrect_value']]);
});

test('the seventeenth endpoint is refused with WEBHOOK_LIMIT', async () => {
  for (let i = 0; i < 16; i++) await created();
  const answer = await ask('POST', PATH, NEW);
  expect([answer.status, answer.body.code]).toEqual([400, 'WEBHOOK_LIMIT']);
});

describe.each<[string, string, string, object | undefined]>([
  ['read', 'GET', '', undefined],
  ['changed', 'PATCH', '', { name: 'mine' }],
  ['removed', 'DELETE', '', undefined],
  ['rotated', 'POST', '/rotate-secret', undefined],
  ['listed', 'GET', '/deliveries', undefined],
  ['replayed', 'POST', '/replay', { from_sequence: 1 }],
  ['tested', 'POST', '/test', undefined],
])('an endpoint that is %s', (_what, method, below, body) => {
  test('of another client is answered as one that there is not', async () => {
    const { webhook_id } = await created();
    const other = await client();
    const without = ({ status, body }: Answer) => [status, { ...body, instance: '', request_id: '' }];
    const foreign = await other.ask(method, `${PATH}/${webhook_id}${below}`, body);
    const unknown = await other.ask(method, `${PATH}/${UNKNOWN}${below}`, body);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(without(foreign)).toEqual(without(unknown));
    expect((await other.ask(method, `${PATH}/..${below}`.replace('..', '%2e%2e'), body)).body.code).toBe('NOT_FOUND');
  });

  test('needs the right manage', async () => {
    const reader = await client(['read', 'rates', 'trade', 'pay']);
    const answer = await reader.ask(method, `${PATH}/${UNKNOWN}${below}`, body);
    expect([answer.status, answer.body.code]).toEqual([403, 'NOT_ENTITLED']);
  });
});

test('a delivery of an endpoint that is not active has no time of an attempt', async () => {
  const { webhook_id } = await created();
  const one = `${PATH}/${webhook_id}`;
  await ask('POST', `${one}/test`);
  const { clients: known } = door.opened.store;
  const of = (await known.get(`hooks${clients}`))!;
  await confirmWebhook(door.opened.store, of, String(webhook_id));
  const shown = async () => (await ask('GET', `${one}/deliveries`)).body.data;
  const pending = { sequence: 2, status: 'PENDING', attempts: [] };
  expect(await shown()).toMatchObject([{ ...pending, next_attempt_at: expect.stringMatching(/^2\d{3}-/) }]);
  await ask('PATCH', one, { active: false });
  expect(await shown()).toMatchObject([{ ...pending, next_attempt_at: '' }]);
  await ask('PATCH', one, { active: true });
  expect(await shown()).toMatchObject([{ ...pending, next_attempt_at: expect.stringMatching(/^2\d{3}-/) }]);
});

test('what is replayed is one event, or one range, of those that there are', async () => {
  const { webhook_id } = await created();
  const replay = (body: object) => ask('POST', `${PATH}/${webhook_id}/replay`, body);
  for (const body of [{}, { event_id: 'EVT1', from_sequence: 1 }, { from_sequence: 1, to: '2026-11-20' }])
    expect(faultsOf(await replay(body))).toEqual(['event_id invalid_combination']);
  expect(faultsOf(await replay({ from_sequence: 3, to_sequence: 2 }))).toEqual(['to_sequence invalid_combination']);
  expect(faultsOf(await replay({ from: '2026-11-21', to: '2026-11-20' }))).toEqual(['to invalid_combination']);
  expect(faultsOf(await replay({ event_id: 'EVT1' }))).toEqual(['event_id incorrect_value']);
  expect(faultsOf(await replay({ from_sequence: 0 }))).toEqual(['from_sequence incorrect_value']);
  const { body } = await ask('POST', `${PATH}/${webhook_id}/test`);
  expect(body).toMatchObject({ webhook_id, sequence: 2 });
  expect((await replay({ event_id: body.event_id })).body).toEqual({
    webhook_id,
    // It is delivered for the first time.
    replayed: 0,
    last_sequence: 2,
    complete: true,
  });
  expect((await ask('GET', `${PATH}/${webhook_id}/deliveries?status=SUCCEEDED,FAILED`)).body.data).toEqual([]);
  expect(faultsOf(await ask('GET', `${PATH}/${webhook_id}/deliveries?status=LOST&limit=0&from=x`))).toEqual([
    'from unsupported_field',
    'limit incorrect_value',
    'status incorrect_value',
  ]);
});

test('an endpoint that is not active is not tested', async () => {
  const { webhook_id } = await created();
  await ask('PATCH', `${PATH}/${webhook_id}`, { active: false });
  const answer = await ask('POST', `${PATH}/${webhook_id}/test`);
  expect([answer.status, answer.body.code]).toEqual([400, 'WRONG_STATE']);
});

test('while the store is almost full an endpoint is paused and removed, and none is created or tested', async () => {
  const { webhook_id } = await created();
  const fill = await filling(door.opened.redisUrl, door.opened.store);
  await fill.to(0.97);
  try {
    for (const [path, body] of [
      [PATH, NEW],
      [`${PATH}/${webhook_id}/test`, {}],
      [`${PATH}/${webhook_id}/replay`, { from_sequence: 1 }],
    ] as const)
      expect((await ask('POST', path, body)).body.code).toBe('STORE_FULL');
    expect((await ask('PATCH', `${PATH}/${webhook_id}`, { active: false })).status).toBe(200);
    expect((await ask('DELETE', `${PATH}/${webhook_id}`)).status).toBe(200);
  } finally {
    await fill.restore();
  }
});
