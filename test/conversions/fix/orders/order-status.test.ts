/** OrderStatusRequest(H): what became of an order, whichever door it came by. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { startBesideHungStore, startTrader, type Trader, utc } from '../../../fix/trader.js';

const NOW = Date.parse('2026-11-20T08:00:00Z');
let rig: Rig;
let acme: Trader;
let other: Trader;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  acme = await startTrader(rig, 'acme');
  other = await startTrader(rig, 'other');
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

test('of an order that was filled: its report again, whatever the other fields of the request', async () => {
  acme.order({ 11: 'S1', 58: 'Invoice 8841' });
  const filled = await acme.report('S1');
  acme.status('S1', { 54: 2, 55: 'GBP/USD', 37: 'X' });
  const status = await acme.report('S1');
  expect(status.get(150)).toBe('I');
  const rest = (fields: typeof status.fields) => fields.filter(([tag]) => ![9, 10, 34, 150].includes(tag));
  expect(rest(status.fields)).toEqual(rest(filled.fields));
});

test('of an order that was refused: with the same ExecID, even if it could be booked by now', async () => {
  acme.order({ 11: 'S2', 64: '20261121' });
  const refused = await acme.report('S2');
  acme.status('S2');
  const status = await acme.report('S2');
  expect([37, 150, 39, 103, 20011, 55, 54].map((tag) => status.get(tag))).toEqual([
    'NONE',
    'I',
    '8',
    '99',
    'BAD_SETTLEMENT_DATE',
    'EUR/USD',
    '1',
  ]);
  expect([status.get(17), status.get(58)]).toEqual([refused.get(17), refused.get(58)]);
  expect(status.get(58)).toContain('20261121');
});

test('of a conversion that REST has booked', async () => {
  const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(['trade'] as const) };
  const command = { requestId: 'S3', description: 'by REST', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 10 };
  const booked = await perform(rig.services, 'bookFxByCurrency', caller, command);
  acme.status('S3');
  const status = await acme.report('S3');
  expect(booked).toMatchObject({ booking: { id: status.get(37) } });
  expect([150, 39, 38, 58].map((tag) => status.get(tag))).toEqual(['I', '2', '10', 'by REST']);
});

test.each<[what: string, id: string]>([
  ['that was never sent', 'NEVER'],
  ["of another client's", 'S1'],
  ['whose id cannot be one', 'a b'],
])('of an order %s', async (_what, id) => {
  other.status(id);
  const status = await other.report(id);
  expect([37, 150, 39, 103, 20011, 151, 14, 6].map((tag) => status.get(tag))).toEqual([
    'NONE',
    'I',
    '8',
    '5',
    'UNKNOWN_ORDER',
    '0',
    '0',
    '0',
  ]);
});

test.each<[what: string, token: () => string | undefined, code: string]>([
  ['no token', () => undefined, 'TOKEN_REQUIRED'],
  ['an unknown token', () => 'A'.repeat(43), 'TOKEN_INVALID'],
  ["another client's token", () => other.token, 'TOKEN_CLIENT_MISMATCH'],
])('%s: ExecutionReport(8), 103=99', async (_what, token, code) => {
  acme.status('S1', { 20001: token() });
  const report = await acme.report('S1');
  expect([37, 150, 39, 103, 20011].map((tag) => report.get(tag))).toEqual(['NONE', '8', '8', '99', code]);
});

test('a key without the right: BusinessMessageReject(j) 380=6', async () => {
  const reader = await startTrader(rig, 'reader', { rights: ['read', 'rates'] });
  reader.status('S1');
  const reject = await reader.desk.next('j');
  expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual(['H', '6', 'NOT_ENTITLED']);
});

test.each([11, 54, 55])('without %i: Reject(3)', async (tag) => {
  acme.status('S1', { [tag]: undefined });
  const reject = await acme.desk.next('3');
  expect([reject.get(371), reject.get(372), reject.get(373)]).toEqual([String(tag), 'H', '1']);
});

test('above the message rate the status is not reported: BusinessMessageReject(j) 380=0', async () => {
  const fast = await startTrader(rig, 'fast');
  for (let i = 0; i < 101; i++) fast.status(`F${i}`);
  const reject = await fast.desk.next('j');
  expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual(['H', '0', 'RATE_LIMITED']);
});

test('first sent in an earlier session it is answered all the same', async () => {
  const again = { more: [[43, 'Y'] as const, [122, utc(NOW - 60_000)] as const] };
  acme.status('S1', {}, again);
  expect((await acme.report('S1')).get(150)).toBe('I');
});

test('during a store outage the status is not reported: BusinessMessageReject(j) 380=4', async () => {
  const hung = await startBesideHungStore();
  hung.status('S1');
  const reject = await hung.desk.next('j');
  expect([372, 380, 20011].map((tag) => reject.get(tag))).toEqual(['H', '4', 'STORE_UNAVAILABLE']);
});
