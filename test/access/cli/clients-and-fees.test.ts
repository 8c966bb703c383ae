/** What an operator sets for a client from the command line: how it is treated, and what its payments cost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ratewireOn } from '../../support/ratewire.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let opened: TestStore;
beforeAll(async () => {
  opened = await startTestStore();
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
});
afterAll(() => opened.stop());

const ratewire = (...args: string[]) => ratewireOn(opened.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(opened.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

describe('how a client is treated', () => {
  test('what is not named stays as it is', async () => {
    const before = await json('clients', 'show', 'acme');
    expect(before).toMatchObject({
      id: 'acme',
      on_behalf: false,
      allow_truncation: false,
      authentications_per_minute: 'default',
      hold_limit_usd: 'default',
      hold_maximum_usd: 'default',
      reads_per_minute: 'default',
      writes_per_minute: 'default',
    });
    const held = { hold_limit_usd: 25_000_000, hold_maximum_usd: 0 };
    const changed = { ...before, on_behalf: true, reads_per_minute: 6000, writes_per_minute: 0, ...held };
    const limits = ['--reads-per-minute', '6000', '--writes-per-minute', '0'];
    limits.push('--hold-limit-usd', '25000000', '--hold-maximum-usd', '0');
    expect(await json('clients', 'change', 'acme', '--on-behalf', 'yes', ...limits)).toEqual(changed);
    expect((await opened.store.clients.get('acme'))?.limits).toEqual({ reads: 6000, writes: 0 });

    const again = ['--name', 'Acme Treasury', '--default-type', 'SCHEDULED1', '--reads-per-minute', 'default'];
    again.push('--hold-limit-usd', 'default');
    const renamed = {
      ...changed,
      name: 'Acme Treasury',
      default_type: 'SCHEDULED1',
      reads_per_minute: 'default',
      hold_limit_usd: 'default',
    };
    expect(await json('clients', 'change', 'acme', ...again)).toEqual(renamed);
    expect(await json('clients', 'list')).toEqual([renamed]);
  });

  test('for people', async () => {
    const { out } = await ratewire('clients', 'show', 'acme');
    expect(out).toMatch(/│ writes_per_minute +│ 0 +│/);
    expect((await ratewire('clients', 'list')).out).toMatch(/│ on_behalf/);
  });

  test.each([
    [['change', 'acme'], 2, /nothing to change/],
    [['change', 'acme', '--on-behalf', 'maybe'], 2, /Say yes or no/],
    [['change', 'unknown', '--on-behalf', 'yes'], 1, /^UNKNOWN_CLIENT: /],
    [['show', 'unknown'], 1, /^UNKNOWN_CLIENT: /],
    [
      ['change', 'acme', '--reads-per-minute', '-1'],
      1,
      /^VALIDATION_FAILED: limits.reads: a whole number from 0 \(no limit\) to 1000000, or default/,
    ],
    [['change', 'acme', '--hold-limit-usd', '1.5'], 1, /^VALIDATION_FAILED: holdLimitUsd: whole US dollars/],
    [['change', 'acme', '--writes-per-minute', 'many'], 1, /^VALIDATION_FAILED: limits.writes: a whole number/],
  ])('clients %j', async (args, code, line) => {
    const before = await opened.store.clients.get('acme');
    const { code: got, out, err } = await ratewire('clients', ...args);
    expect([got, out, err]).toEqual([code, '', expect.stringMatching(line)]);
    expect(await opened.store.clients.get('acme')).toEqual(before);
  });
});

describe('what payments cost', () => {
  test('a fee from its setting to its removal', async () => {
    const wide = { client: 'acme', corridor: '*', method: '*', fixed: '0', percent: '0.5' };
    const near = { client: 'acme', corridor: 'US-USD', method: 'BANK', fixed: '5.25', percent: '0.1' };
    expect(await json('fees', 'set', 'acme', '*', '*', '--percent', '0.5')).toEqual(wide);
    expect(await json('fees', 'set', 'acme', 'US-USD', 'BANK', '--fixed', '5.25', '--percent', '0.1000')).toEqual(near);
    expect(await json('fees', 'list', 'acme')).toEqual([wide, near]);
    expect((await ratewire('fees', 'list', 'acme')).out).toMatch(/│ acme +│ US-USD +│ BANK +│ 5\.25 +│ 0\.1 +│/);
    const scope = { client: 'acme', corridor: 'US-USD', method: 'BANK' };
    expect(await json('fees', 'remove', 'acme', 'US-USD', 'BANK')).toEqual(scope);
    expect(await json('fees', 'list', 'acme')).toEqual([wide]);
  });

  test('the help teaches which rule holds', async () => {
    const { code, out } = await ratewire('fees', 'set', '--help');
    expect([code, out]).toEqual([0, expect.stringMatching(/US-USD before US, US before \*-USD/)]);
  });

  test.each([
    [['list', 'unknown'], /^UNKNOWN_CLIENT: /],
    [['set', 'unknown', '*', '*', '--fixed', '1'], /^UNKNOWN_CLIENT: /],
    [['remove', 'unknown', '*', '*'], /^UNKNOWN_CLIENT: /],
    [['remove', 'acme', 'GB', '*'], /^UNKNOWN_FEE: /],
    [['set', 'acme', '*', '*'], /^VALIDATION_FAILED: fixed: a fixed part, a percent, or both/],
    [['set', 'acme', 'usa', '*', '--fixed', '1'], /^VALIDATION_FAILED: corridor: a country such as US/],
    [['set', 'acme', 'UK', '*', '--fixed', '1'], /^VALIDATION_FAILED: corridor: UK is no country: GB, not UK/],
    [['set', 'acme', 'EU-EUR', '*', '--fixed', '1'], /^VALIDATION_FAILED: corridor: EU is no country/],
    [['set', 'acme', 'US-CLP', '*', '--fixed', '1'], /^VALIDATION_FAILED: corridor: CLP is not offered/],
    [['set', 'acme', 'US', 'PIGEON', '--fixed', '1'], /^VALIDATION_FAILED: method: one of \*, BANK/],
    [['set', 'acme', 'US', '*', '--fixed', '1.2345'], /^VALIDATION_FAILED: fixed: units of the currency/],
    [['set', 'acme', 'US', '*', '--percent', '100.1'], /^VALIDATION_FAILED: percent: 0 to 100/],
  ])('fees %j', async (args, line) => {
    const before = await opened.store.fees.list((await opened.store.clients.get('acme'))!);
    const { code, out, err } = await ratewire('fees', ...args);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(line)]);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(await opened.store.fees.list((await opened.store.clients.get('acme'))!)).toEqual(before);
  });
});
