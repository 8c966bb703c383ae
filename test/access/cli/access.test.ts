/** Who may do what, from the command line: keys, CompIDs, tokens, holds and accounts. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tokenHash } from '../../../engine/store/access/credentials.js';
import { PROOF } from '../../support/proof.js';
import { ratewireOn } from '../../support/ratewire.js';
import { startTestStore, type TestStore } from '../../support/store.js';

// Each command is a program of its own, which a busy machine starts slowly.
vi.setConfig({ testTimeout: 120_000 });

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
});
afterAll(() => opened.stop());

const ratewire = (...args: string[]) => ratewireOn(opened.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(opened.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('shows a key at each step, from its issue to its revocation', async () => {
  const { keys } = opened.store;
  const issued = await json('keys', 'issue', 'acme', '--rights', 'read', 'rates', '--from', '192.0.2.0/24', '::1');
  expect(Object.keys(issued)).toEqual(['client', 'client_key', 'client_secret']);
  const key = issued.client_key;
  const row = {
    client: 'acme',
    client_key: key,
    rights: ['read', 'rates'],
    live_secrets: 1,
    revoked: false,
    from: ['192.0.2.0/24', '::1'],
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(await json('keys', 'list', 'acme')).toEqual([row]);

  const fresh = await json('keys', 'rotate', key);
  expect(fresh).toEqual({ client: 'acme', client_key: key, client_secret: expect.stringMatching(/^[\w-]{43}$/) });
  expect(await keys.verify(key, issued.client_secret)).toBeDefined();
  expect(await keys.verify(key, fresh.client_secret)).toBeDefined();
  expect(await json('keys', 'list', 'acme')).toEqual([{ ...row, live_secrets: 2 }]);
  expect(await ratewire('keys', 'rotate', key)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^KEY_LIMIT: .*`ratewire keys retire-secret`/),
  });
  expect(await json('keys', 'retire-secret', key)).toEqual(row);
  expect((await ratewire('keys', 'retire-secret', 'CK_UNKNOWN')).err).toMatch(/^UNKNOWN_KEY: /);
  expect(await keys.verify(key, issued.client_secret)).toBeUndefined();

  expect(await json('keys', 'rights', key, 'read', 'operate')).toEqual({
    ...row,
    rights: ['read', 'operate'],
    tokens_ended: 0,
  });
  expect(await json('keys', 'allow-addresses', key)).toMatchObject({ from: [], sessions_ended: [] });
  const { out } = await ratewire('keys', 'list', 'acme');
  expect(out).toMatch(/│ live_secrets │ revoked │ from /);
  for (const secret of [issued.client_secret, fresh.client_secret]) expect(out).not.toContain(secret);
  await opened.store.tokens.issue('acme', key, ['read']);
  expect(await json('keys', 'revoke', key)).toEqual({
    client_key: key,
    client: 'acme',
    tokens_ended: 1,
    sessions_ended: [],
  });
  expect(await json('keys', 'list', 'acme')).toMatchObject([{ revoked: true, live_secrets: 0 }]);
});

test('shows a CompID at each step, from its assignment to its removal', async () => {
  await json('compids', 'assign', 'ACME1', 'acme', '--source-time');
  const row = {
    comp_id: 'ACME1',
    client: 'acme',
    from: [],
    source_time: true,
    disclose_margin: false,
    disclose_price: false,
    disclose_provider_rate: false,
    drop_copy: false,
    depth: 'first',
  };
  expect(await json('compids', 'list', 'acme')).toEqual([row]);
  expect(await json('compids', 'allow', 'ACME1', '192.0.2.0/24')).toMatchObject({ from: ['192.0.2.0/24'] });
  expect(await json('compids', 'list', 'acme')).toEqual([{ ...row, from: ['192.0.2.0/24'] }]);
  expect(await json('compids', 'remove', 'ACME1', 'acme')).toEqual({
    comp_id: 'ACME1',
    client: 'acme',
    session_ended: false,
    holds_ended: 0,
  });
  expect(await json('compids', 'list', 'acme')).toEqual([]);
  expect((await ratewire('compids', 'remove', 'ACME1', 'acme')).err).toMatch(/^NOT_FOUND: /);
});

test('lists and revokes a token by its hash', async () => {
  const { token } = await opened.store.tokens.issue('acme', 'CK_X', ['read', 'rates']);
  const other = await opened.store.tokens.issue('acme', 'CK_Y', ['read']);
  const listed = await ratewire('tokens', 'list', 'acme', '--json');
  const hash = tokenHash(token).slice(0, 12);
  const times = { issued_at: expect.stringMatching(/Z$/), expires_at: expect.stringMatching(/Z$/) };
  expect(JSON.parse(listed.out)).toContainEqual({
    token: hash,
    client_key: 'CK_X',
    rights: ['read', 'rates'],
    ...times,
  });
  expect(listed.out).not.toContain(tokenHash(token));
  expect(await json('tokens', 'revoke', 'acme', '--token', hash)).toEqual({ client: 'acme', tokens_ended: 1 });
  expect((await opened.store.tokens.read(other.token))?.state).toBe('live');
  expect(await json('tokens', 'revoke', 'acme')).toEqual({ client: 'acme', tokens_ended: 1 });
  expect(await json('tokens', 'list', 'acme')).toEqual([]);
});

test('lists a hold with its rate and amount, and revokes it', async () => {
  const { clients, holds } = opened.store;
  const acme = (await clients.get('acme'))!;
  const agreed = {
    pair: 'EUR/USD',
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    price: 10_788_800,
    providerPrice: 10_815_800,
    proof: PROOF,
  };
  const hold = {
    ...agreed,
    id: 'HLD01K4M2V7Q8Z3X5YAB',
    owner: '/rest',
    marginPpm: 2_500,
    type: 'PREFUNDING' as const,
    valueDate: '20261124',
    amount: { side: 'sell' as const, minor: '250000' },
    createdAtMs: Date.now(),
    expiryMs: Date.now() + 60_000,
  };
  await holds.lock(acme, {
    hold,
    untilMs: Date.now() + 30_000,
    isClosed: false,
    openMax: 10,
    usd: '100',
    limitUsd: 10n ** 12n,
  });
  expect(await json('holds', 'list', 'acme')).toEqual([
    {
      hold: hold.id,
      owner: '/rest',
      pair: 'EUR/USD',
      side: null,
      sells: 'EUR',
      buys: 'USD',
      rate: '1.0788800',
      amount: '2500.00 EUR',
      maximum: null,
      usd: '1.00',
      type: 'PREFUNDING',
      status: 'open',
      expires_at: new Date(hold.expiryMs).toISOString(),
    },
  ]);
  const opposite = { price: 10_843_500, providerPrice: 10_816_400, marginPpm: 2_500, proof: PROOF };
  const twoWay = { ...hold, id: 'HLD01K4M2V7Q8Z3X5YAC', opposite };
  await holds.lock(acme, {
    hold: twoWay,
    untilMs: Date.now() + 30_000,
    isClosed: false,
    openMax: 10,
    usd: '100',
    limitUsd: 10n ** 12n,
  });
  expect(await json('holds', 'list', 'acme')).toMatchObject([
    { hold: hold.id },
    { hold: twoWay.id, side: 'both', sells: null, buys: null, rate: '1.0788800/1.0843500', amount: '2500.00 EUR' },
  ]);
  expect(await json('holds', 'revoke', 'acme', twoWay.id)).toMatchObject({ status: 'withdrawn' });
  expect(await json('holds', 'revoke', 'acme', hold.id)).toMatchObject({ hold_id: hold.id, status: 'withdrawn' });
  expect(await json('holds', 'list', 'acme')).toEqual([]);
  expect((await ratewire('holds', 'revoke', 'acme', hold.id)).err).toMatch(/^WRONG_STATE: The hold is withdrawn/);
});

test('changes the name, the default and the state of an account', async () => {
  const { number } = await json('accounts', 'open', 'acme', 'EUR', '--label', 'First', '--sequence', '2');
  const second = await json('accounts', 'open', 'acme', 'EUR');
  const row = { number, currency: 'EUR', active: true, default: true, sequence: 2, label: 'First' };
  expect(await json('accounts', 'label', number, 'Payroll')).toEqual({ ...row, label: 'Payroll' });
  expect(await json('accounts', 'label', number, '')).toEqual({ ...row, label: '' });
  expect(await json('accounts', 'sequence', number, '0')).toMatchObject({ sequence: 0 });
  expect(await json('accounts', 'default', second.number)).toMatchObject({ default: true });
  expect(await json('accounts', 'deactivate', number)).toMatchObject({ active: false, default: false });
  expect((await ratewire('accounts', 'credit', number, '1.00', '--reference', 'bank-0')).err).toMatch(
    /^ACCOUNT_INACTIVE: .*`ratewire accounts activate`/,
  );
  expect(await json('accounts', 'activate', number)).toMatchObject({ active: true });
  const credited = await json('accounts', 'credit', number, '12.50', '--reference', 'bank-1');
  expect(credited).toMatchObject({ credited: '12.50', balance: '12.50', replayed: false });
  expect(await json('accounts', 'list', 'acme')).toContainEqual({
    number,
    currency: 'EUR',
    balance: '12.50',
    active: true,
    default: false,
    sequence: 0,
    label: '',
  });
});

describe('rejects an impossible command in one line', () => {
  test.each<[string[], number, RegExp]>([
    [['keys', 'list', 'unknown'], 1, /^UNKNOWN_CLIENT: /],
    [['keys', 'rotate', 'CK_UNKNOWN'], 1, /^UNKNOWN_KEY: /],
    [['keys', 'retire-secret', 'CK_UNKNOWN'], 1, /^UNKNOWN_KEY: /],
    [['keys', 'revoke', 'CK_UNKNOWN'], 1, /^UNKNOWN_KEY: /],
    [['keys', 'rights', 'CK_UNKNOWN', 'read'], 1, /^UNKNOWN_KEY: /],
    [['keys', 'rights', 'CK_UNKNOWN', 'all'], 1, /^VALIDATION_FAILED: rights.0: .*operate/],
    [
      ['keys', 'allow-addresses', 'CK_UNKNOWN', '10.0.0.0/33'],
      1,
      /^VALIDATION_FAILED: addresses.0: an IPv4 or IPv6 address/,
    ],
    [['compids', 'list', 'unknown'], 1, /^UNKNOWN_CLIENT: /],
    [['compids', 'allow', 'UNKNOWN', '10.0.0.1'], 1, /^NOT_FOUND: /],
    [['compids', 'remove', 'UNKNOWN', 'acme'], 1, /^NOT_FOUND: UNKNOWN is no CompID of acme/],
    [['tokens', 'list', 'unknown'], 1, /^UNKNOWN_CLIENT: /],
    [['tokens', 'revoke', 'acme', '--token', 'ffffffffffff'], 1, /^NOT_FOUND: No live token of acme/],
    [['tokens', 'revoke', 'acme', '--token', 'x'], 1, /^VALIDATION_FAILED: token: the beginning of its hash/],
    [['holds', 'list', 'unknown'], 1, /^UNKNOWN_CLIENT: /],
    [['holds', 'revoke', 'acme', 'HLD1'], 1, /^HOLD_NOT_FOUND: /],
    [
      ['accounts', 'label', '110000000012', 'x'],
      1,
      /^UNKNOWN_ACCOUNT: No account 110000000012: `ratewire accounts list`/,
    ],
    [['accounts', 'sequence', '110000000012', 'first'], 2, /whole number from 0 to 9999/],
    [['accounts', 'open', 'acme', 'EUR', '--sequence', '-1'], 2, /whole number from 0 to 9999/],
  ])('%j', async (args, code, line) => {
    const { code: got, out, err } = await ratewire(...args);
    expect([got, out, err]).toEqual([code, '', expect.stringMatching(line)]);
    if (code === 1) expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});
