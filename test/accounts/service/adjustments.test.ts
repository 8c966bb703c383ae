/** Corrections by an operator, and receivables: what a client owes beyond its balance. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import type { Caller } from '../../../engine/service/core/caller.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');

let rig: LedgerRig;
let acme: RigClient;
let eur: string;
let clients = 0;
let caller: Caller;

beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
});
afterAll(() => rig.stop());
beforeEach(async () => {
  acme = await rig.client(`acme-${++clients}`, { EUR: '100.00', USD: '0' });
  eur = await acme.account('EUR');
  caller = { clientId: acme.id, keyId: 'CK_X', rights: new Set(RIGHTS) };
});

const CORRECTS = { reason: 'credited to the wrong client', reference: 'bank-4711' };
const adjust = (direction: string, amount: string, more: object = {}) =>
  perform(rig.services, 'adjustAccount', undefined, { accountNumber: eur, direction, amount, ...CORRECTS, ...more });
const repay = (amount: string, more: object = {}) =>
  perform(rig.services, 'repayReceivable', undefined, { accountNumber: eur, amount, ...CORRECTS, ...more });

async function funded(amount: number): Promise<string> {
  const announced = await perform(rig.services, 'createFunding', caller, {
    accountNumber: Number(eur),
    amount,
    depositAccount: 'DBS Bank-0012345678-EUR',
    reference: 'Invoice 417',
  });
  if ('refusal' in announced) throw new Error(announced.text);
  await rig.ask('completeFunding', { fundingId: announced.funding.id });
  return announced.funding.id;
}

const balances = async () => {
  const all = await rig.redis.hgetall(acme.key('balances'));
  return Object.fromEntries(Object.entries(all).map(([name, minor]) => [name.replace(eur, 'account'), minor]));
};

async function differences(): Promise<string[]> {
  const found = await rig.ask('reconcile', { clientId: acme.id });
  return found.differences.map(({ what, expected, found: there }) => `${what}: ${expected} | ${there}`);
}

async function statement(): Promise<string[]> {
  const answer = await perform(rig.services, 'listAccountEntries', caller, { accountNumber: eur });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.items.map(
    ({ type, reference, amount, balance, receivable }) => `${type} ${reference} ${amount} ${balance} ${receivable}`,
  );
}

test('an adjustment moves money between nostro and account, in either direction, with reason and reference', async () => {
  expect(await adjust('debit', '30.00', { id: 'fix-1' })).toMatchObject({ balance: 7_000n, owed: 0n, replayed: false });
  expect(await adjust('credit', '5.00')).toMatchObject({ balance: 7_500n });
  expect(await balances()).toMatchObject({ 'EUR/account': '7500', 'EUR/nostro': '-7500' });
  const { entries } = await rig.ask('readJournal', { clientId: acme.id, limit: 2 });
  expect(entries).toMatchObject([
    { step: 'adjust', moves: [{ from: 'nostro', to: eur, amount: 500n }], actor: 'operator', ...CORRECTS },
    { step: 'adjust', id: 'fix-1', moves: [{ from: eur, to: 'nostro', amount: 3_000n }], ...CORRECTS },
  ]);
  expect((await statement()).slice(0, 2)).toEqual([
    'adjustment bank-4711 500 7500 0',
    'adjustment bank-4711 -3000 7000 0',
  ]);
  expect(await differences()).toEqual([]);
  const { changes } = await rig.ask('readAudit', { limit: 2 });
  expect(changes).toMatchObject([
    { operation: 'adjustAccount', before: { balance: '70.00' }, after: { balance: '75.00' } },
    { operation: 'adjustAccount', made: 'fix-1', input: { direction: 'debit', ...CORRECTS } },
  ]);
});

test('a repeated id changes nothing, and is rejected with another command', async () => {
  await adjust('debit', '30.00', { id: 'fix-1' });
  expect(await adjust('debit', '30.00', { id: 'fix-1' })).toMatchObject({ balance: 7_000n, replayed: true });
  for (const other of [
    adjust('credit', '30.00', { id: 'fix-1' }),
    adjust('debit', '31.00', { id: 'fix-1' }),
    repay('30.00', { id: 'fix-1' }),
  ])
    expect(await other).toMatchObject({ refusal: 'REQUEST_ID_REUSED' });
  expect(await acme.balance('EUR')).toBe(7_000n);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['a debit beyond the balance', () => adjust('debit', '100.01'), 'INSUFFICIENT_BALANCE'],
  ['an amount of 0', () => adjust('debit', '0'), 'BAD_AMOUNT'],
  ['an unknown account', () => adjust('debit', '1', { accountNumber: '100000000000' }), 'UNKNOWN_ACCOUNT'],
  ['no reason', () => adjust('debit', '1', { reason: undefined }), 'VALIDATION_FAILED'],
  ['no reference', () => adjust('debit', '1', { reference: undefined }), 'VALIDATION_FAILED'],
  ['no direction', () => adjust('sideways', '1'), 'VALIDATION_FAILED'],
  ['a balance of 16 digits', () => adjust('credit', '9999999999999.99'), 'BALANCE_LIMIT'],
  ['a repayment where nothing is owed', () => repay('0.01'), 'BAD_AMOUNT'],
])('rejects %s and moves nothing', async (_what, command, code) => {
  const before = await balances();
  expect(await command()).toMatchObject({ refusal: code });
  expect(await balances()).toEqual(before);
  expect(await differences()).toEqual([]);
});

test('a deactivated account accepts a credit by adjustment, and no debit or repayment', async () => {
  await rig.ask('changeAccount', { accountNumber: eur, active: false });
  expect(await adjust('debit', '1.00')).toMatchObject({ refusal: 'ACCOUNT_INACTIVE' });
  expect(await repay('1.00')).toMatchObject({ refusal: 'ACCOUNT_INACTIVE' });
  expect(await adjust('credit', '1.00')).toMatchObject({ balance: 10_100n });
});

test('a funding reversed after the money was spent becomes a receivable: a credit repays it, or the operator from another account', async () => {
  const id = await funded(50);
  const other = await rig.ask('openAccount', { clientId: acme.id, currency: 'EUR' });
  await rig.ask('creditAccount', { accountNumber: other.number, amount: '15.00', reference: 'other-1' });
  await adjust('debit', '120.00');
  const reverse = (more: object) =>
    perform(rig.services, 'reverseFunding', undefined, { fundingId: id, reason: 'recalled', ...more });
  expect(await reverse({})).toMatchObject({ refusal: 'INSUFFICIENT_BALANCE' });
  expect(await reverse({ allowReceivable: true })).toMatchObject({
    funding: { status: 'REVERSED', receivable: '2000' },
  });
  expect(await balances()).toMatchObject({ 'EUR/account': '0', 'EUR/receivable': '-2000', 'EUR/nostro': '500' });
  expect((await statement())[0]).toBe(`funding-reversal ${id} -3000 0 2000`);
  expect(await rig.ask('listReceivables', { clientId: acme.id })).toEqual({
    receivables: [{ clientId: acme.id, currency: 'EUR', owed: 2_000n }],
  });
  expect(await differences()).toEqual([]);

  await rig.ask('creditAccount', { accountNumber: eur, amount: '3.00', reference: 'in-1' });
  expect(await balances()).toMatchObject({ 'EUR/account': '0', 'EUR/receivable': '-1700' });
  expect((await statement()).slice(0, 2)).toEqual(['repayment in-1 -300 0 -300', 'deposit in-1 300 300 0']);
  const from = { accountNumber: other.number };
  expect(await repay('17.01', from)).toMatchObject({
    refusal: 'BAD_AMOUNT',
    text: expect.stringContaining('17.00 EUR'),
  });
  expect(await repay('15.01', from)).toMatchObject({ refusal: 'INSUFFICIENT_BALANCE' });
  expect(await repay('13.00', from)).toMatchObject({ balance: 200n, owed: 400n });
  const watch = new LedgerWatch(rig.services);
  await watch.round({ page: 3, pause: async () => {} });
  expect(watch.seen).toMatchObject({ differences: 0, receivables: 1 });
});

test('a reversal without any balance is still an entry of the statement', async () => {
  const id = await funded(50);
  await adjust('debit', '150.00');
  await rig.ask('reverseFunding', { fundingId: id, allowReceivable: true });
  expect((await statement())[0]).toBe(`funding-reversal ${id} 0 0 5000`);
  expect((await rig.ask('listStatement', { accountNumber: eur })).items[0]).toMatchObject({ receivable: 5_000n });
  expect(await differences()).toEqual([]);
});

test('reconciliation names an altered record, amount or receivable', async () => {
  const id = await funded(50);
  await adjust('debit', '120.00', { id: 'fix-1' });
  await rig.ask('reverseFunding', { fundingId: id, allowReceivable: true });
  await rig.redis.set(acme.key('adjustment:fix-1'), `debit ${eur} 11000 bank-4712`);
  await rig.redis.hset(acme.key(`funding:${id}`), 'receivable', '1000');
  await rig.redis.hincrby(acme.key('balances'), 'EUR/receivable', 2_500);
  const found = (await differences()).map((line) => line.replace(/journal \S+/, 'journal N'));
  expect(found).toEqual([
    `journal N (adjust fix-1): moves: EUR ${eur} nostro 11000 | EUR ${eur} nostro 12000`,
    'journal N (adjust fix-1): reference: bank-4712 | bank-4711',
    `journal N (reverse-funding ${id}): moves: EUR ${eur} nostro 4000;EUR receivable nostro 1000 | EUR ${eur} nostro 3000;EUR receivable nostro 2000`,
    'balance EUR/receivable: -20.00 | 5.00',
    'balance EUR/receivable: 0 or less | 5.00',
    'sum of EUR: 0.00 | 25.00',
    'receivables in EUR, minor units: -500 | 2000',
  ]);
  await rig.redis.del(acme.key('adjustment:fix-1'));
  expect(await differences()).toContain(`adjustment fix-1: EUR ${eur} nostro 12000 | none`);
});
