/** Accounts, conversions, the journal and the reconciliation, as an operator has them on a running store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { ratewireOn } from '../../support/ratewire.js';
import { alterBooking } from '../../support/stored.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');

let rig: LedgerRig;
let acme: RigClient;
beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '5000.00', USD: '100.00' }, '1000');
});
afterAll(() => rig.stop());

const ratewire = (...args: string[]) => ratewireOn(rig.opened.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(rig.opened.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

describe('accounts', () => {
  test('from the opening to the last change', async () => {
    await json('clients', 'create', 'beta', '--name', 'Beta');
    const first = await json('accounts', 'open', 'beta', 'JPY', '--label', 'Tokyo', '--sequence', '2');
    expect(first).toEqual({
      number: expect.stringMatching(/^\d{12}$/),
      currency: 'JPY',
      active: true,
      default: true,
      sequence: 2,
      label: 'Tokyo',
    });
    const second = await json('accounts', 'open', 'beta', 'JPY', '--default');
    const kuwait = await json('accounts', 'open', 'beta', 'EUR');
    expect(await json('accounts', 'credit', first.number, '250000', '--reference', 'bank-1')).toEqual({
      client: 'beta',
      number: first.number,
      currency: 'JPY',
      credited: '250000',
      balance: '250000',
      replayed: false,
    });
    await json('accounts', 'credit', kuwait.number, '999999999999.99', '--reference', 'bank-3');
    expect(await json('accounts', 'list', 'beta')).toEqual([
      { ...kuwait, balance: '999999999999.99', default: true },
      ...[
        { ...first, balance: '250000', default: false },
        { ...second, balance: '0', default: true },
      ].sort((a, b) => (a.number < b.number ? -1 : 1)),
    ]);

    const change = (what: string, ...value: string[]) => json('accounts', what, first.number, ...value);
    expect(await change('label', 'Osaka')).toEqual({ ...first, default: false, label: 'Osaka' });
    expect(await change('default')).toEqual({ ...first, label: 'Osaka' });
    expect(await change('deactivate')).toEqual({ ...first, active: false, label: 'Osaka' });
    expect(await change('activate')).toEqual({ ...first, label: 'Osaka' });
    expect(await change('sequence', '0')).toEqual({ ...first, label: 'Osaka', sequence: 0 });
  });

  test('a reference is credited once, and is not taken for another amount', async () => {
    const number = await acme.account('USD');
    const credit = (amount: string) =>
      ratewire('accounts', 'credit', number, amount, '--reference', 'bank-2', '--json');
    expect(JSON.parse((await credit('1.50')).out)).toMatchObject({ balance: '101.50', replayed: false });
    expect(JSON.parse((await credit('1.5')).out)).toMatchObject({ balance: '101.50', replayed: true });
    const other = await credit('1.51');
    expect([other.code, other.err]).toEqual([1, expect.stringMatching(/^REQUEST_ID_REUSED: This reference /)]);
  });

  test('for people a table, with money as decimals', async () => {
    const { out } = await ratewire('accounts', 'list', 'acme');
    expect(out).toMatch(/│ number .*│ currency │ balance .*│ active │ default │ sequence │ label/);
    expect(out).toMatch(/│ EUR .*│ 5000\.00 /);
  });
});

describe('conversions', () => {
  test('a scheduled one is shown and cancelled, within the limit of its client', async () => {
    expect(await json('clients', 'limit', 'acme', '150')).toEqual({ client: 'acme', scheduled_limit: '150' });
    const { id, buy } = await acme.book('EUR/USD', 150, { type: 'SCHEDULED1' });
    const shown = await json('bookings', 'show', 'acme', id);
    expect(shown).toMatchObject({
      confirmation_id: id,
      client: 'acme',
      status: 'OPEN',
      type: 'SCHEDULED1',
      sell_amount: '150.00',
      sell_account: await acme.account('EUR'),
      buy_amount: `${buy.slice(0, -2)}.${buy.slice(-2)}`,
      price: '1.0815992',
      provider_price: '1.0843100',
      margin_percent: '0.25',
      margin_amount: '0.41',
      margin_currency: 'USD',
      settlement_date: '2028-06-27',
      settles_at: '2028-06-27T10:00:00.000Z',
      settled_at: '',
    });
    expect(await json('bookings', 'cancel', 'acme', id)).toMatchObject({ status: 'CANCELLED', settles_at: '' });
    const again = await ratewire('bookings', 'cancel', 'acme', id);
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^NOT_CANCELLABLE: .*CANCELLED/)]);
    const { out } = await ratewire('bookings', 'show', 'acme', id);
    expect(out).toMatch(/│ confirmation_id +│ BFX/);
    expect(out).toMatch(/│ sell_amount +│ 150\.00 +│/);
  });

  test('those that desks do not know are listed', async () => {
    const { id } = await acme.book('EUR/USD', 100);
    const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
    const trade = { confirmationId: id, amendment: 0, reason: 'E', text: 'too high', compId: 'ACME1' };
    await perform(rig.services, 'recordDontKnowTrade', caller, trade);
    expect(await json('bookings', 'dont-know')).toEqual([
      {
        at: expect.stringMatching(/^2028-/),
        client: 'acme',
        comp_id: 'ACME1',
        confirmation_id: id,
        amendment: 0,
        reason: 'price exceeds limit',
        text: 'too high',
      },
    ]);
    await json('bookings', 'bust', id, '--reason', 'too high');
  });

  test('one is corrected and busted, with its client or without', async () => {
    const { id } = await acme.book('EUR/USD', 100);
    const why = ['--reason', 'off-market'];
    const corrected = await json('bookings', 'correct', 'acme', id, '--rate', '1.08', '--amount', '50', ...why);
    expect(corrected).toMatchObject({
      client: 'acme',
      status: 'SETTLED',
      sell_amount: '50.00',
      buy_amount: '54.00',
      price: '1.0800000',
      amendment: 'CORRECTION',
      amendments: 1,
      amendment_id: expect.stringMatching(/^AMD/),
    });
    const busted = { client: 'acme', status: 'CANCELLED', amendment: 'BUST', amendment_id: 'ticket-1' };
    for (let i = 0; i < 2; i++)
      expect(await json('bookings', 'bust', id, ...why, '--request', 'ticket-1')).toMatchObject(busted);
    expect(await json('bookings', 'show', 'acme', id)).toMatchObject(busted);
    const again = await ratewire('bookings', 'bust', id, ...why);
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^WRONG_STATE: .*busted already/)]);
  });

  test("a client's own words do not steer the terminal", async () => {
    const { id } = await acme.book('EUR/USD', 1, { description: 'a word' });
    const keys = ledgerKeys((await rig.services.store.clients.get('acme'))!);
    // As it may have been stored before such characters were refused.
    const description = 'red \u001b[31malert\u009b2J \u202e \u{f0000} \u2028';
    await alterBooking(rig.redis, keys, id, { description });
    const { out } = await ratewire('bookings', 'show', 'acme', id);
    expect(out).toContain('red \\u{1b}[31malert\\u{9b}2J \\u{202e} \\u{f0000} \\u{2028}');
    const shown = (await ratewire('--json', 'bookings', 'show', 'acme', id)).out;
    expect(shown).toContain('red \\u001b[31malert\\u009b2J \\u202e \\udb80\\udc00 \\u2028');
    expect(JSON.parse(shown).description).toBe(description);
    await alterBooking(rig.redis, keys, id, { description: 'a word' });
  });
});

describe('the journal', () => {
  test('its last entries, newest first, with every move', async () => {
    const { id, buy, margin } = await acme.book('EUR/USD', 1_000);
    const account = { EUR: await acme.account('EUR'), USD: await acme.account('USD') };
    const [last, ...more] = await json('journal', 'acme', '--limit', '2');
    expect(more).toHaveLength(1);
    const decimals = (minor: string) => `${minor.slice(0, -2)}.${minor.slice(-2)}`;
    expect(last).toEqual({
      entry: expect.stringMatching(/^\d+-\d+$/),
      at: expect.stringMatching(/^2028-06-26T10:00:/),
      step: 'book-fx',
      id,
      by: '',
      reason: '',
      reference: '',
      from: '',
      to: '',
      sub_status: '',
      moves: [
        { currency: 'EUR', from: account.EUR, to: 'house:fx', amount: '1000.00' },
        { currency: 'USD', from: 'house:fx', to: account.USD, amount: decimals(buy) },
        { currency: 'USD', from: 'house:fx', to: 'house:margin', amount: decimals(margin) },
      ],
    });
    const { out } = await ratewire('journal', 'acme', '--limit', '1');
    expect(out).toContain(`${account.EUR} -> house:fx 1000.00 EUR`);
  });
});

describe('the reconciliation', () => {
  test('no difference: exit code 0, one line', async () => {
    const { code, out } = await ratewire('reconcile');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^All agree: 2 clients, \d+ journal entries, \d+ receipts\.\n$/),
    ]);
    expect(await json('reconcile', '--client', 'acme')).toMatchObject({ clients: 1, count: 0, differences: [] });
  });

  test('an altered balance: exit code 1, and a row that names it', async () => {
    const field = `EUR/${await acme.account('EUR')}`;
    const before = await rig.redis.hget(acme.key('balances'), field);
    await rig.redis.hincrby(acme.key('balances'), field, 1);
    const { code, out, err } = await ratewire('reconcile', '--json');
    expect([code, err]).toEqual([1, '']);
    expect(JSON.parse(out).differences).toEqual([
      { client: 'acme', what: `balance ${field}`, expected: '3999.00', found: '3999.01' },
      { client: 'acme', what: 'sum of EUR', expected: '0.00', found: '0.01' },
    ]);
    const table = await ratewire('reconcile');
    expect(table.code).toBe(1);
    expect(table.out).toMatch(/│ acme +│ balance EUR\/\d{12} +│ 3999\.00 +│ 3999\.01 +│/);
    expect(table.out).toMatch(/^2 places differ: 2 clients, \d+ journal entries, \d+ receipts\.$/m);
    expect((await ratewire('reconcile', '--client', 'beta')).code).toBe(0);
    await rig.redis.hset(acme.key('balances'), field, before!);
    expect((await ratewire('reconcile')).code).toBe(0);
  });
});

test('the calendar of a currency', async () => {
  const july = await json('calendar', 'USD', '--from', '2028-07-01', '--to', '2028-07-31');
  expect(july).toMatchObject({ currency: 'USD', holidays: [{ date: '2028-07-04', name: 'Independence Day' }] });
  const { out } = await ratewire('calendar', 'USD', '--from', '2028-07-01');
  expect(out).toMatch(/^USD is known from 2025-01-01 until \d{4}-\d\d-\d\d.*\.\nSource: \S/);
  expect(out).toMatch(/│ 2028-07-04 │ Independence Day/);
});

test.each([
  [['accounts', 'open', 'unknown', 'EUR'], /^UNKNOWN_CLIENT: /],
  [['accounts', 'open', 'acme', 'RUB'], /^VALIDATION_FAILED: currency: RUB is not offered/],
  [['accounts', 'credit', '100000000000', '1', '--reference', 'bank-1'], /^UNKNOWN_ACCOUNT: No account 100000000000: /],
  [['accounts', 'default', '100000000000'], /^UNKNOWN_ACCOUNT: /],
  [['accounts', 'list', 'unknown'], /^UNKNOWN_CLIENT: /],
  [['clients', 'limit', 'acme', '1.5'], /^VALIDATION_FAILED: limit: whole units/],
  [['clients', 'limit', 'unknown', '1'], /^UNKNOWN_CLIENT: /],
  [['bookings', 'show', 'acme', 'BFX0'], /^NOT_FOUND: /],
  [['bookings', 'cancel', 'unknown', 'BFX0'], /^UNKNOWN_CLIENT: /],
  [['bookings', 'bust', 'unknown', 'BFX0', '--reason', 'x'], /^UNKNOWN_CLIENT: /],
  [['bookings', 'bust', 'BFX0', '--reason', 'x'], /^NOT_FOUND: /],
  [['bookings', 'dont-know', 'unknown'], /^UNKNOWN_CLIENT: /],
  [['bookings', 'dont-know', '--days', '31'], /^VALIDATION_FAILED: days: a whole number from 1 to 30/],
  [['bookings', 'correct', 'acme', 'BFX0', '--reason', 'x'], /^VALIDATION_FAILED: rate: a correction needs/],
  [['journal', 'unknown'], /^UNKNOWN_CLIENT: /],
  [['journal', 'acme', '--limit', '1001'], /^VALIDATION_FAILED: limit: a whole number from 1 to 1000/],
  [['reconcile', '--client', 'unknown'], /^UNKNOWN_CLIENT: /],
  [['calendar', 'RUB'], /^VALIDATION_FAILED: currency: RUB is not offered/],
  [['calendar', 'EUR', '--from', 'today'], /^VALIDATION_FAILED: from: a date/],
])('%j says why it cannot be done, in one line', async (args, line) => {
  const { code, out, err } = await ratewire(...args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(line);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});

test.each([
  [['accounts']],
  [['accounts', 'open', 'acme']],
  [['accounts', 'open', 'acme', 'EUR', '--sequence', 'many']],
  [['bookings', 'show', 'acme']],
  [['bookings', 'bust', 'acme', 'BFX0']],
  [['calendar']],
  // A repeated command must not move money twice.
  [['accounts', 'credit', '100000000000', '1']],
  [['accounts', 'adjust', '100000000000', 'debit', '1', '--reference', 'a', '--reason', 'x']],
  [['accounts', 'repay', '100000000000', '1', '--reference', 'a', '--reason', 'x']],
  [['cover', 'adjust', 'LP1', 'EUR', 'credit', '1', '--reference', 'a', '--reason', 'x']],
])('wrong usage: %j', async (args) => {
  expect((await ratewire(...args)).code).toBe(2);
});

test.each([[['accounts', 'credit', '--help']], [['reconcile', '--help']]])('examples: %j', async (args) => {
  expect((await ratewire(...args)).out).toContain('Examples:');
});

test('who has to be called for an overdue conversion: the export names it, as the operations page says', async () => {
  const late = await rig.client('late', { EUR: '10.00', USD: '0' }, '1000000');
  const { id, expiryMs } = await late.book('EUR/USD', 50_000, { type: 'SCHEDULED1' });
  rig.now = expiryMs;
  await settleDue(rig.services, 10);
  const { out } = await ratewire('journal', 'export', '--from', '7d');
  const overdue = out.split('\n').filter((line) => line.includes('overdue-fx'));
  expect(overdue.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ client: 'late', id })]);
  expect(await json('bookings', 'show', 'late', id)).toMatchObject({ status: 'OVERDUE', sell_amount: '50000.00' });
});
