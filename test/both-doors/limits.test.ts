/** The whole program: an operator's limits refuse the same deals with the same words by FIX and by REST, within a second of their change. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Ratewire, ratewireOn } from '../support/ratewire.js';
import { openTwoDoors, type TwoDoors } from './two-doors.js';

const PAIR = { sell_currency: 'EUR', buy_currency: 'USD' };
const LOCK = 'lockFx/getFxRate?source_currency=EUR&destination_currency=USD';

let doors: TwoDoors;
let ratewire: Ratewire;
let ids = 0;
beforeAll(async () => {
  doors = await openTwoDoors();
  ratewire = ratewireOn(doors.dataDir);
});
afterAll(() => doors.stop());

const byRest = (amount: number) => doors.bookByRest(`limit-${++ids}`, { ...PAIR, sell_amount: amount });
const byFix = (amount: number) => doors.order(`LIMIT-${++ids}`, { side: 2, quantity: String(amount), currency: 'EUR' });

/** Of a deal that is refused at both doors once the change has reached them. */
async function refused(amount: number, text: RegExp): Promise<void> {
  const before = await doors.balances();
  // Each of the two programs may know the change later, and on a busy machine not know the position at a moment.
  const [rest, fix] = await vi.waitUntil(async () => {
    const [answer, report] = [await byRest(amount), await byFix(amount)];
    const isRefused = answer.status !== 200 && report.get(39) === '8' && report.get(58) === answer.body.detail;
    return isRefused && text.test(String(answer.body.detail)) ? ([answer, report] as const) : undefined;
  }, 120_000);
  expect([rest.status, rest.body.code]).toEqual([400, 'CREDIT_LIMIT']);
  expect([103, 20011].map((tag) => fix.get(tag))).toEqual(['3', 'CREDIT_LIMIT']);
  expect(String(rest.body.detail)).not.toMatch(/\d/);
  if (amount > 1_000_000) expect(await doors.balances()).toEqual(before);
}

test('a single deal, locked or booked; before the balance is looked at; and none when it is removed', async () => {
  const shown = await ratewire.json('limits', 'set', 'demo', '--deal', '1081.61', '--warn', '90');
  expect(shown).toMatchObject({ client: 'demo', currency: 'USD', deal: '1081.61', nop: null, warn: '90' });
  await refused(1000.01, /the largest single deal/);
  // More than the account has.
  await refused(2_000_000, /the largest single deal/);
  const { body: offer } = await doors.ask('GET', `${LOCK}&sell_amount=1000.01`);
  const locked = await doors.ask('POST', 'lockFx/lockFxRate', { rate_signature: offer.rate_signature });
  expect([locked.status, locked.body.code]).toEqual([400, 'CREDIT_LIMIT']);
  doors.desk.send('R', [
    [131, 'L1'],
    [146, 1],
    [55, 'EUR/USD'],
    [54, 2],
    [38, '1000.01'],
    [15, 'EUR'],
    [20001, doors.token],
  ]);
  const reject = await doors.desk.next('AG', (message) => message.get(131) === 'L1');
  expect([658, 20011, 58].map((tag) => reject.get(tag))).toEqual(['3', 'CREDIT_LIMIT', locked.body.detail]);
  expect((await byRest(1000)).status).toBe(200);
  expect((await byFix(1000)).get(39)).toBe('2');
  expect(await ratewire.json('limits', 'remove', 'demo')).toEqual({ client: 'demo' });
  await vi.waitFor(async () => expect((await byRest(1000.01)).status).toBe(200), 120_000);
});

test('the open position counts the deals of both doors', async () => {
  await ratewire.json('limits', 'set', '*', '--nop-currency', 'EUR=20000', '--nop', '30000');
  await refused(100_000, /the net open position in EUR/);
  await ratewire.json('limits', 'set', 'demo', '--nop-currency', 'EUR=none');
  await refused(200_000, /the net open position:/);
  const back = () => doors.bookByRest(`limit-${++ids}`, { sell_currency: 'USD', buy_currency: 'EUR', buy_amount: 500 });
  expect((await back()).status).toBe(200);
  const [all, own] = await ratewire.json<Record<string, unknown>[]>('limits', 'list');
  expect([all, own]).toMatchObject([
    { client: '*', nop_currency: ['EUR=20000.00'], nop: '30000.00' },
    { client: 'demo', nop_currency: ['EUR=none'], nop: null },
  ]);
  expect((await ratewire.run('audit')).out).toContain('limits of client demo');
});

test('the house is limited over all clients by the risk role, and a daily loss by its figures', async () => {
  for (const scope of ['*', 'demo']) await ratewire.json('limits', 'remove', scope);
  await ratewire.json('limits', 'set', 'house', '--nop-currency', 'EUR=600000', '--nop', '700000', '--warn', '50');
  // What the tests before have sold is within. More than the account has: a program that does not know the limit yet does not deal.
  await refused(2_000_000, /^The deal would exceed a limit of ours: /);
  const reduces = { sell_currency: 'USD', buy_currency: 'EUR', buy_amount: 100 };
  expect((await doors.bookByRest(`limit-${++ids}`, reduces)).status).toBe(200);
  await vi.waitFor(async () => expect((await byFix(1)).get(39)).toBe('2'), 120_000);
  const [house] = await ratewire.json<{ used: Record<string, unknown>[]; age_ms: number }[]>('limits', 'list', 'house');
  expect(house?.used.map(({ limit, of }) => [limit, of])).toEqual([
    ['nop', 'EUR'],
    ['nop', undefined],
  ]);
  expect(house?.age_ms).toBeLessThan(60_000);
  await ratewire.json('limits', 'remove', 'house');
  await vi.waitFor(async () => expect((await byRest(1)).status).toBe(200), 120_000);
  await ratewire.json('limits', 'set', 'demo', '--daily-loss', '1');
  expect((await byRest(1)).status).toBe(200);
  // The house is long: it loses with the price.
  doors.tick('EUR/USD', '1.06158', '1.06164');
  await refused(1, /your limit of the daily loss/);
});

test('the command line refuses what cannot be read', async () => {
  for (const [given, text] of [
    [['acme', '--deal', '5'], /^UNKNOWN_CLIENT/],
    [['demo'], /^VALIDATION_FAILED: limits: /],
    [['demo', '--deal', '1.001'], /^VALIDATION_FAILED: deal: /],
    [['house', '--deal', '1'], /^VALIDATION_FAILED: deal: /],
    [['demo', '--nop-currency', 'EUR'], /^VALIDATION_FAILED: nopCurrency: /],
  ] as const)
    expect((await ratewire.run('limits', 'set', ...given)).err, given.join(' ')).toMatch(text);
});
