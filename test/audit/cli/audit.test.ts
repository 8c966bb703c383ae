/** `ratewire audit`: who changed what, as people and programs read it. */
import { hostname, userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ratewireOn } from '../../support/ratewire.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const HERE = `${userInfo().username}@${hostname()}`;

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
});
afterAll(() => opened.stop());

const ratewire = (args: string[], env: Record<string, string> = {}) => ratewireOn(opened.dataDir, env).run(...args);
const json = (args: string[], env: Record<string, string> = {}) =>
  ratewireOn(opened.dataDir, env).json<ReturnType<typeof JSON.parse>>(...args);

describe('who it was', () => {
  test.each([
    ['the account of the operating system', [], {}, HERE],
    ['a name in the settings', [], { RATEWIRE_OPERATOR: 'Anna Ng' }, `Anna Ng (${HERE})`],
    ['a name that is given with the command', ['--as', 'bob'], { RATEWIRE_OPERATOR: 'Anna Ng' }, `bob (${HERE})`],
  ])('%s', async (_what, as, env, who) => {
    const id = `client${(who.length * 7) % 1000}`;
    await json([...as, 'clients', 'create', id, '--name', 'Some'], env);
    expect(await json(['audit', '--limit', '1'])).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        operator: who,
        operation: 'createClient',
        subject: `client ${id}`,
        outcome: 'done',
        before: null,
        after: expect.objectContaining({ id, name: 'Some' }),
        made: null,
        input: expect.objectContaining({ id }),
        entry: expect.stringMatching(/^\d+-\d+$/),
      },
    ]);
  });

  test.each([
    ['a line break', 'bob\nclients'],
    ['brackets, which are for the account', 'anna (root@host)'],
    ['nothing', ''],
    ['too much', 'x'.repeat(65)],
  ])('no name: %s', async (_what, name) => {
    const { code, err } = await ratewire(['--as', name, 'clients', 'create', 'never', '--name', 'x']);
    expect([code, err]).toEqual([2, expect.stringMatching(/--as/)]);
    expect(await opened.store.clients.get('never')).toBeUndefined();
  });
});

describe('for people', () => {
  test('a row shows the changed fields only', async () => {
    await json(['clients', 'create', 'acme', '--name', 'Acme']);
    await json(['--as', 'carol', 'clients', 'change', 'acme', '--name', 'Acme Treasury']);
    const { code, out } = await ratewire(['audit', '--subject', 'client acme', '--operator', 'CAROL']);
    expect(code).toBe(0);
    expect(out).toMatch(/changeClient +│ client acme +│ name: Acme -> Acme Treasury +│ done/);
    expect(out).not.toContain('createClient');
    expect(out).not.toContain('defaultType');
  });

  test('shows a rejected change by its code', async () => {
    expect((await ratewire(['clients', 'disable', 'unknown'])).code).toBe(1);
    expect((await ratewire(['audit', '--limit', '1'])).out).toMatch(/client unknown +│ +│ UNKNOWN_CLIENT/);
  });

  test('since a time', async () => {
    expect(await json(['audit', '--since', '2026-01-01', '--limit', '1'])).toHaveLength(1);
    expect(await json(['audit', '--since', '2126-01-01T10:00:00Z'])).toEqual([]);
    expect((await ratewire(['audit', '--since', '2126-01-01'])).out).toBe('none\n');
  });

  test.each([
    [['--since', 'yesterday'], 2, /--since/],
    [['--limit', '0'], 1, /^VALIDATION_FAILED: limit: a whole number from 1 to 1000/],
    [['--limit', 'all'], 1, /^VALIDATION_FAILED: limit: a whole number from 1 to 1000/],
  ])('audit %j', async (args, code, line) => {
    const { code: got, err } = await ratewire(['audit', ...args]);
    expect([got, err]).toEqual([code, expect.stringMatching(line)]);
  });
});

describe('for programs', () => {
  const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

  test('names and times are those of the other commands, amounts are decimals', async () => {
    await json(['clients', 'create', 'units', '--name', 'Units']);
    const [{ after }] = await json(['audit', '--subject', 'client units', '--limit', '1']);
    expect(after).toMatchObject({ id: 'units', default_type: 'PREFUNDING', created_at: expect.stringMatching(MINUTE) });
    const { number } = await json(['accounts', 'open', 'units', 'EUR']);
    await json(['accounts', 'credit', number, '1234.5', '--reference', 'bank-1']);
    await json(['accounts', 'label', number, 'Main']);
    const [labelled, credited] = await json(['audit', '--subject', `account ${number}`]);
    expect(credited).toMatchObject({
      input: { account_number: number, amount: '1234.5', reference: 'bank-1' },
      before: { client: 'units', number, currency: 'EUR', balance: '0.00' },
      after: { balance: '1234.50' },
    });
    // What others do meanwhile with the money in it is no work of who gives it a name.
    expect(labelled.after).toMatchObject({ label: 'Main', auto_book_fx_sequence: 0 });
    expect(labelled.after).not.toHaveProperty('balance');
  });

  test('a margin is shown as it was set', async () => {
    await json(['margins', 'set', 'units', 'EUR/USD', '0.15']);
    expect((await ratewire(['audit', '--subject', 'margin EUR/USD'])).out).toMatch(/│ margin_percent: +-> 0\.15 +│/);
  });

  test('a halt says since when', async () => {
    await json(['pairs', 'halt', 'EUR/CHF', '--reason', 'peg']);
    await json(['pairs', 'resume', 'EUR/CHF']);
    const [{ before }] = await json(['audit', '--subject', 'pair EUR/CHF', '--limit', '1']);
    expect(before).toEqual({ state: 'HALTED', by: HERE, reason: 'peg', since: expect.stringMatching(MINUTE) });
  });
});
