/** Fundings, as an operator decides them on a running store. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { ratewireOn } from '../../support/ratewire.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');

let rig: LedgerRig;
let acme: RigClient;
let eur: string;
let fundingId: string;
beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '100.00' });
  await rig.client('beta', { EUR: '0' });
  eur = await acme.account('EUR');
});
afterAll(() => rig.stop());
beforeEach(async () => {
  rig.now += 1_000;
  fundingId = await announce();
});

async function announce(more: object = {}): Promise<string> {
  const answer = await perform(
    rig.services,
    'createFunding',
    { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) },
    {
      accountNumber: Number(eur),
      amount: 25,
      depositAccount: 'DBS Bank-0012345678-EUR',
      reference: 'Invoice 417',
      ...more,
    },
  );
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.funding.id;
}
const ratewire = (...args: string[]) => ratewireOn(rig.opened.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(rig.opened.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('from the announcement to the reversal, each with all there is to know', async () => {
  const announced = {
    gl_reference_number: fundingId,
    client: 'acme',
    account_number: eur,
    amount: '25.00',
    currency: 'EUR',
    status: 'PENDING',
    payment_reference: 'Invoice 417',
    created_at: new Date(rig.now).toISOString(),
    updated_at: new Date(rig.now).toISOString(),
    updated_by: 'CK_X',
    reason: '',
    receivable: '0.00',
    instarem_deposit_account: 'DBS Bank-0012345678-EUR',
    request_id: '',
  };
  expect(await json('fundings', 'show', fundingId)).toEqual(announced);
  const time = { updated_at: expect.stringMatching(/Z$/), updated_by: 'operator' };
  const completed = await json('fundings', 'complete', fundingId);
  expect(completed).toEqual({ ...announced, ...time, status: 'COMPLETED' });
  expect(await acme.balance('EUR')).toBe(12_500n);
  expect(await json('fundings', 'complete', fundingId)).toEqual(completed);
  expect(await acme.balance('EUR')).toBe(12_500n);
  const reversed = await json('fundings', 'reverse', fundingId, '--reason', 'recalled by the bank');
  expect(reversed).toEqual({ ...announced, ...time, status: 'REVERSED', reason: 'recalled by the bank' });
  expect(await acme.balance('EUR')).toBe(10_000n);
});

test('rejected, or given up', async () => {
  expect(await json('fundings', 'reject', fundingId, '--reason', 'no such transfer')).toMatchObject({
    status: 'REJECTED',
    reason: 'no such transfer',
  });
  expect(await json('fundings', 'cancel', await announce())).toMatchObject({ status: 'CANCELLED', reason: '' });
  const [cancelled] = await json('journal', 'acme', '--limit', '1');
  expect(cancelled).toMatchObject({ step: 'cancel-funding', by: 'operator', reason: '', moves: [] });
  const { out } = await ratewire('journal', 'acme', '--limit', '10');
  expect(out).toMatch(/│ reject-funding +│ GLR\w+ +│ operator +│ no such transfer +│/);
});

test('lists: newest first, of a client or a status', async () => {
  rig.now += 1_000;
  const second = await announce({ amount: 7 });
  await json('fundings', 'cancel', second);
  const [newest, before] = await json('fundings', 'list');
  expect([newest.gl_reference_number, before.gl_reference_number]).toEqual([second, fundingId]);
  expect(newest).toEqual(await json('fundings', 'show', second));
  expect(await json('fundings', 'list', '--client', 'beta')).toEqual([]);
  expect(await json('fundings', 'list', '--limit', '1')).toEqual([newest]);
  const pending = await json('fundings', 'list', '--status', 'PENDING', '--client', 'acme');
  expect(pending[0]).toEqual(before);
  expect(new Set(pending.map(({ status }: { status: string }) => status))).toEqual(new Set(['PENDING']));
  const { out } = await ratewire('fundings', 'list', '--limit', '1');
  expect(out).toMatch(/│ gl_reference_number +│ client │ account_number │ amount │ currency │ status +│/);
  expect((await ratewire('fundings', 'list', '--client', 'beta')).out).toBe('none\n');
});

test('for people a table', async () => {
  const { out } = await ratewire('fundings', 'show', fundingId);
  expect(out).toMatch(/│ status +│ PENDING +│/);
  expect(out).toMatch(/│ amount +│ 25\.00 +│/);
});

describe('in one line why it cannot be done', () => {
  test('in this state, or without the money', async () => {
    const reverse = await ratewire('fundings', 'reverse', fundingId);
    expect([reverse.code, reverse.out, reverse.err]).toEqual([
      1,
      '',
      'WRONG_STATE: The funding is PENDING: only a COMPLETED one becomes REVERSED\n',
    ]);
    const large = await announce({ amount: 50 });
    await json('fundings', 'complete', large);
    await rig.ask('openAccount', { clientId: 'acme', currency: 'USD' });
    await acme.book('EUR/USD', 120);
    const { code, err } = await ratewire('fundings', 'reverse', large);
    expect([code, err]).toEqual([
      1,
      'INSUFFICIENT_BALANCE: Balance 30.00 EUR, needed 50.00: the money has been used since; --allow-receivable takes the rest as what the client owes\n',
    ]);
  });

  test.each([
    [['show', 'GLR0000000000000'], /^NOT_FOUND: No funding GLR0000000000000: `ratewire fundings list` shows/],
    [['complete', 'x'], /^NOT_FOUND: /],
    [['list', '--client', 'unknown'], /^UNKNOWN_CLIENT: /],
    [['list', '--limit', '0'], /^VALIDATION_FAILED: limit: a whole number from 1 to 1000/],
    [['reject', 'GLR0000000000000', '--reason', ''], /^VALIDATION_FAILED: reason: a reason of 1 to 140 characters/],
  ])('funding %j', async (args, line) => {
    const { code, out, err } = await ratewire('fundings', ...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(line);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

test.each([[['complete']], [['reject', 'GLR0000000000000']], [['list', '--status', 'DONE']], [['finish', 'x']]])(
  'wrong usage: funding %j',
  async (args) => {
    expect((await ratewire('fundings', ...args)).code).toBe(2);
  },
);

test('its help has examples, and explains each status', async () => {
  const { code, out } = await ratewire('fundings', '--help');
  expect(code).toBe(0);
  for (const word of ['Examples:', 'PENDING', 'WRONG_STATE', 'SANDBOX_FUNDING_SECONDS']) expect(out).toContain(word);
});
