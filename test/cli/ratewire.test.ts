import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ratewireOn } from '../support/ratewire.js';
import { startTestStore, type TestStore } from '../support/store.js';

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
});
afterAll(() => opened.stop());

const ratewire = (args: string[], env: Record<string, string> = {}) => ratewireOn(opened.dataDir, env).run(...args);
const json = (...args: string[]) => ratewireOn(opened.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('creates a client and sets its margins', async () => {
  expect(await json('clients', 'create', 'acme', '--name', 'Acme Treasury')).toMatchObject({
    id: 'acme',
    name: 'Acme Treasury',
    default_type: 'PREFUNDING',
    rights: ['read', 'rates', 'trade', 'pay', 'manage'],
    disabled: false,
  });

  const key = await json('keys', 'issue', 'acme', '--rights', 'read', 'rates');
  expect(Object.keys(key)).toEqual(['client', 'client_key', 'client_secret']);
  const verified = await opened.store.keys.verify(key.client_key, key.client_secret);
  expect(verified).toMatchObject({ clientId: 'acme', rights: ['read', 'rates'] });

  await json('compids', 'assign', 'ACME1', 'acme', '--source-time');
  expect(await opened.store.compIds.read('ACME1')).toMatchObject({ clientId: 'acme', sourceTime: true });

  const narrow = ['--disclose-margin', '--disclose-provider-rate', '--drop-copy', '--from', '10.0.0.1', '::1'];
  await json('compids', 'assign', 'ACME2', 'acme', ...narrow);
  expect(await opened.store.compIds.read('ACME2')).toMatchObject({
    sourceTime: false,
    discloseMargin: true,
    discloseProviderRate: true,
    dropCopy: true,
    addresses: ['10.0.0.1', '::1'],
  });
  const again = await json('compids', 'assign', 'ACME2', 'acme', '--source-time');
  expect(again).toMatchObject({ source_time: true, from: ['10.0.0.1', '::1'] });
  expect(await opened.store.compIds.read('ACME2')).toMatchObject({
    sourceTime: true,
    discloseMargin: false,
    dropCopy: false,
    addresses: ['10.0.0.1', '::1'],
  });

  await json('margins', 'set', 'acme', '*', '0.25');
  const rule = { client: 'acme', pair: 'EUR/USD', type: 'SCHEDULED1', margin_percent: '0.15' };
  expect(await json('margins', 'set', 'acme', 'EUR/USD', '0.15', '--type', 'SCHEDULED1')).toEqual(rule);
  const large = { client: 'acme', pair: 'USD/JPY', type: '*', above: 1_000_000, margin_percent: '0.1' };
  expect(await json('margins', 'set', 'acme', 'USD/JPY', '0.1', '--above', '1000000')).toEqual(large);
  expect(await json('margins', 'list', '--client', 'acme')).toContainEqual(large);
  expect(await json('margins', 'list', '--client', 'acme')).toContainEqual({ ...rule, above: null });
  await json('margins', 'remove', 'acme', 'USD/JPY', '--above', '1000000');
  expect(await json('margins', 'list', '--client', 'acme')).toEqual([
    { client: 'acme', pair: '*', type: '*', margin_percent: '0.25' },
    rule,
  ]);
  const scope = { client: 'acme', pair: 'EUR/USD', type: 'SCHEDULED1' };
  expect(await json('margins', 'remove', 'acme', 'EUR/USD', '--type', 'SCHEDULED1')).toEqual(scope);
  expect(await json('margins', 'list', '--client', 'acme')).toHaveLength(1);
});

test('sets, lists and removes rules of pricing', async () => {
  const none = {
    ...{ skew: null, skew_max: null, widen_after_ms: null, widen_by: null, spread_min: null, spread_max: null },
    volatility: null,
  };
  expect(await json('pricing', 'set', 'EUR/USD', '--skew', '0.5', '--skew-max', '3')).toEqual({
    ...none,
    ...{ pair: 'EUR/USD', skew: '0.5', skew_max: '3' },
  });
  await json(
    'pricing',
    'set',
    '*',
    '--widen-after',
    '1500',
    '--widen-by',
    '0.25',
    '--spread-min',
    '1',
    '--spread-max',
    '12',
  );
  expect(await json('pricing', 'list')).toEqual([
    { pair: '*', ...none, widen_after_ms: 1500, widen_by: '0.25', spread_min: '1', spread_max: '12' },
    { ...none, pair: 'EUR/USD', skew: '0.5', skew_max: '3' },
  ]);
  expect(await json('pricing', 'set', 'EUR/USD', '--volatility', '18.50')).toMatchObject({ volatility: '18.5' });
  expect(await json('pricing', 'remove', '*')).toEqual({ pair: '*' });
  expect(await json('pricing', 'remove', 'EUR/USD')).toEqual({ pair: 'EUR/USD' });
  expect(await json('pricing', 'list')).toEqual([]);
});

test('revokes all tokens of a client, which can then get new ones', async () => {
  await json('clients', 'create', 'leaky', '--name', 'Leaky');
  const { token } = await opened.store.tokens.issue('leaky', 'CK_X', ['rates']);
  expect(await json('tokens', 'revoke', 'leaky')).toEqual({ client: 'leaky', tokens_ended: 1 });
  expect((await opened.store.tokens.read(token))?.state).toBe('revoked');
  expect((await opened.store.clients.get('leaky'))?.disabled).toBe(false);
});

test('disabling a client revokes its tokens; it can be enabled again', async () => {
  await json('clients', 'create', 'gone', '--name', 'Gone');
  const { token } = await opened.store.tokens.issue('gone', 'CK_X', ['rates']);
  expect(await json('clients', 'disable', 'gone')).toEqual({
    id: 'gone',
    disabled: true,
    tokens_ended: 1,
    sessions_ended: [],
  });
  expect((await opened.store.tokens.read(token))?.state).toBe('revoked');
  expect(await json('clients', 'list')).toContainEqual(expect.objectContaining({ id: 'gone', disabled: true }));
  expect(await json('clients', 'enable', 'gone')).toMatchObject({ disabled: false });
});

test('benchmark clients, each with a margin of its own or in tiers', async () => {
  expect(await json('bench', 'provision', '--clients', '6', '--tiers', '2')).toEqual({ clients: 6 });
  const margins = (await opened.store.margins.list()).filter(({ clientId }) => clientId.startsWith('bench'));
  expect(margins).toHaveLength(6);
  expect(new Set(margins.map(({ marginPpm }) => marginPpm)).size).toBe(2);
  const elsewhere = await ratewire(['bench', 'provision', '--clients', '1'], { HOST: '0.0.0.0' });
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringMatching(/^NOT_ENTITLED: .*127\.0\.0\.1/)]);
});

test('for people a table', async () => {
  const { code, out } = await ratewire(['clients', 'list']);
  expect(code).toBe(0);
  expect(out).toMatch(/│ id .*│ name .*│ default_type/);
});

describe('rejects an impossible command in one line', () => {
  test.each<[string[], Record<string, string>, number, RegExp]>([
    [['clients', 'create', 'acme', '--name', 'Again'], {}, 1, /^CLIENT_EXISTS: /],
    [['clients', 'create', 'no/slash', '--name', 'x'], {}, 1, /^VALIDATION_FAILED: id: 1 to 32 letters/],
    [['clients', 'disable', 'unknown'], {}, 1, /^UNKNOWN_CLIENT: /],
    [['keys', 'issue', 'unknown'], {}, 1, /^UNKNOWN_CLIENT: /],
    [['compids', 'assign', 'ACME1', 'gone'], {}, 1, /^COMPID_TAKEN: /],
    [['compids', 'assign', 'X', 'acme', '--from', 'here'], {}, 1, /^VALIDATION_FAILED: addresses.0: an IPv4 or IPv6/],
    [['tokens', 'revoke', 'unknown'], {}, 1, /^UNKNOWN_CLIENT: /],
    [['compids', 'assign', '...', 'acme'], {}, 1, /^VALIDATION_FAILED: compId: .*not points alone/],
    [['clients', 'create', 'x', '--name', ''], {}, 1, /^VALIDATION_FAILED: name: 1 to 140 characters/],
    [['bench', 'provision', '--clients', 'many'], {}, 1, /^VALIDATION_FAILED: clients: a whole number from 1 to 5000/],
    [['margins', 'list', '--client', 'unknown'], {}, 1, /^UNKNOWN_CLIENT: /],
    [['margins', 'set', 'acme', 'EUR/USD', 'much'], {}, 1, /^BAD_MARGIN: /],
    [['margins', 'set', 'acme', 'USD/EUR', '1'], {}, 1, /^VALIDATION_FAILED: pair: /],
    [['pricing', 'set', 'EUR/USD', '--skew', '1'], {}, 1, /^VALIDATION_FAILED: A skew goes with its bound/],
    [['pricing', 'remove', 'EUR/USD'], {}, 1, /^WRONG_STATE: /],
    [['margins', 'remove', 'acme', 'GBP/USD'], {}, 1, /^UNKNOWN_MARGIN: /],
    [
      ['clients', 'list'],
      { DATA_DIR: '/nowhere/at/all' },
      1,
      /^no store runs on data directory \/nowhere\/at\/all: run `npm start`/,
    ],
    [['clients', 'list'], { REDIS_URL: 'redis://127.0.0.1:1' }, 1, /^Redis at 127\.0\.0\.1:1 .*REDIS_URL/],
    [['clients', 'list'], { LOG_LEVEL: 'loud' }, 1, /^LOG_LEVEL loud is not accepted/],
  ])('%j %j', async (args, env, code, line) => {
    const { code: got, out, err } = await ratewire(args, env);
    expect([got, out]).toEqual([code, '']);
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    [['nonsense'], 'ratewire'],
    [['clients', 'nonsense'], 'ratewire clients'],
    [['clients', 'creat', 'x'], 'ratewire clients'],
    [['clients', 'change', 'x', '--read-per-minute', '5'], 'ratewire clients change'],
    [['clients', 'create', 'x'], 'ratewire clients create'],
    [['journal', 'export', '--from', 'soon'], 'ratewire journal export'],
    [['keys', 'issue', 'acme', '--rights', 'all'], 'ratewire keys issue'],
  ])('wrong usage: %j', async (args, command) => {
    const { code, out, err } = await ratewire(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err.endsWith(`(see \`${command} --help\`)\n`), err).toBe(true);
  });

  test('a group without a command prints its commands and examples', async () => {
    expect(await ratewire(['clients'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Examples:') });
  });
});

test('help has examples and the exit codes', async () => {
  const { code, out } = await ratewire(['help']);
  expect(code).toBe(0);
  expect(out).toContain('Examples:');
  expect(out).toContain('Exit codes:');
});

test('does not start a store that is not running', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-cli-'));
  const earlier = await startTestStore({ dataDir });
  await earlier.store.close();
  const { code, err } = await ratewire(['clients', 'list'], { DATA_DIR: dataDir });
  expect([code, err]).toEqual([1, expect.stringMatching(/^no store runs on data directory/)]);
  rmSync(dataDir, { recursive: true, force: true });
});

test('in a fresh clone, npx finds the command and it says what to do first', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'ratewire-clone-'));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  cpSync(join(root, 'package.json'), join(clone, 'package.json'));
  cpSync(join(root, 'engine/cli'), join(clone, 'engine/cli'), { recursive: true });
  const { status, stderr } = spawnSync('npx', ['--offline', 'ratewire', 'clients', 'list'], {
    cwd: clone,
    encoding: 'utf8',
    timeout: 300_000,
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('run `npm start` once first')]);
  rmSync(clone, { recursive: true, force: true });
});
