/** The daily loss with a client: valued by the risk role, and asked by each deal of a client that has a limit of it. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { limitSlices } from '../../../engine/roles/risk/limit-slices.js';
import { type RiskRole, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let role: RiskRole;
let ids = 0;
beforeAll(async () => {
  on = await startPayments();
  for (const id of ['acme', 'other']) await on.client(id, { EUR: '1000000.00', USD: '1000000.00' });
  await on.services.store.riskFigures.follow('USD');
});
afterAll(async () => {
  await role?.stop();
  await on.stop();
});

const buy = (client: string, buyAmount: number) =>
  perform(on.services, 'bookFxByCurrency', on.caller(client), {
    ...{ sellCurrency: 'USD', buyCurrency: 'EUR', requestId: `r-${++ids}`, description: 'x', buyAmount },
  } as never);
const outcome = (answer: object): string => ('refusal' in answer ? String(answer.refusal) : 'done');
const until = (client: string, what: string) =>
  vi.waitFor(async () => expect(outcome(await buy(client, 1))).toBe(what), 120_000);
const set = async (scope: string, given: object) => {
  await on.ask('setLimits', { scope, ...given });
  await on.loadLimits();
};

test('without risk figures a client with the limit is refused, and no other', async () => {
  await set('acme', { dailyLoss: '1000' });
  expect(await buy('acme', 1)).toMatchObject({
    refusal: 'CREDIT_LIMIT',
    text: expect.stringMatching(/your limit of the daily loss/),
  });
  expect(outcome(await buy('other', 1))).toBe('done');
});

test('a loss beyond the limit refuses every deal, lock and payment of the client until it is smaller', async () => {
  role = startRiskRole(on.services, [limitSlices(on.services)]);
  await until('acme', 'done');
  // At 1.0843509: the house is short 100,000 EUR.
  expect(outcome(await buy('acme', 100_000))).toBe('done');
  // It loses 1,573 and 0.8 of the small ones, at a mid of 1.10003.
  on.tick('EUR/USD', '1.1', '1.10006');
  await until('acme', 'CREDIT_LIMIT');
  expect(outcome(await buy('other', 1))).toBe('done');
  const offer = (await perform(on.services, 'getLockableRate', on.caller('acme'), {
    ...{ sellCurrency: 'EUR', buyCurrency: 'USD' },
  } as never)) as OutputOf<'getLockableRate'>;
  const locked = await perform(on.services, 'lockRate', on.caller('acme'), { rateSignature: offer.rateSignature });
  expect(locked).toMatchObject({ refusal: 'CREDIT_LIMIT', text: expect.stringMatching(/the daily loss/) });
  await vi.waitFor(
    () =>
      expect(on.services.risk.figures(5_000)?.limits).toMatchObject([
        { subject: 'acme', limit: 'daily-loss', most: 100_000, mark: 'over' },
      ]),
    120_000,
  );
  const listed = await vi.waitFor(async () => {
    const answer = (await on.ask('listLimits', { scope: 'acme' })) as OutputOf<'listLimits'>;
    expect(answer.ageMs).toBeLessThan(5_000);
    return answer;
  }, 120_000);
  expect(listed.limits[0]!.used).toMatchObject([{ limit: 'daily-loss', most: '1000.00', mark: 'over' }]);
  expect(Number(listed.limits[0]!.used[0]!.used)).toBeGreaterThan(1_500);
  await set('acme', { dailyLoss: '5000' });
  await until('acme', 'done');
  await set('acme', { dailyLoss: '1000' });
  await until('acme', 'CREDIT_LIMIT');
  on.tick('EUR/USD', '1.09', '1.09006');
  await until('acme', 'done');
});

test('no deal waits for the role to come to its client: the loss is that of its position, against the start of its day', async () => {
  await role.stop();
  // It values no client.
  role = startRiskRole(on.services);
  await vi.waitFor(() => expect(role.counts.done).toBeGreaterThan(1), 120_000);
  await until('acme', 'done');
  on.tick('EUR/USD', '1.1', '1.10006');
  await until('acme', 'CREDIT_LIMIT');
  await role.stop();
  await vi.waitFor(() => expect(on.services.risk.figures(1_500)).toBeUndefined(), 120_000);
  on.tick('EUR/USD', '1.08158', '1.08164');
  expect(outcome(await buy('acme', 1))).toBe('CREDIT_LIMIT');
  role = startRiskRole(on.services, [limitSlices(on.services)]);
  await until('acme', 'done');
});

test('a client near its limits is in the figures, most used first, and one without a use or without limits is not', async () => {
  await set('*', { nop: '100000000', warnPercent: '90' });
  // Of some 100,000 EUR that it bought at 1.0843509, and of their 108,161 USD at the mid.
  await set('acme', { dailyLoss: 'none', nop: '130000', nopCurrency: ['EUR=100000', 'GBP=0'], warnPercent: '80' });
  const rows = () =>
    on.services.risk.figures(5_000)?.limits.map(({ subject, limit, of, mark }) => [subject, limit, of, mark]);
  await vi.waitFor(
    () =>
      expect(rows()).toEqual([
        ['acme', 'nop', 'EUR', 'over'],
        ['acme', 'nop', undefined, 'warned'],
        ['other', 'nop', undefined, 'within'],
        ['acme', 'nop', 'GBP', 'within'],
      ]),
    120_000,
  );
  const listed = (await on.ask('listLimits', { scope: 'acme' })) as OutputOf<'listLimits'>;
  expect(listed.limits[0]!.used.map(({ of, mark }) => [of, mark])).toEqual([
    ['EUR', 'over'],
    ['GBP', 'within'],
    [undefined, 'warned'],
  ]);
  await on.ask('removeLimits', { scope: '*' });
  await set('acme', { nop: 'none' });
  await vi.waitFor(() => expect(rows()?.map(([, , of]) => of)).toEqual(['EUR', 'GBP']), 120_000);
  await on.ask('removeLimits', { scope: 'acme' });
  await on.loadLimits();
  await vi.waitFor(() => expect(rows()).toEqual([]), 120_000);
});

test('the limit of every client holds for those without a rule, and its use is listed by limit', async () => {
  await set('*', { dailyLoss: '0.5' });
  on.tick('EUR/USD', '1.08158', '1.08164');
  expect(outcome(await buy('other', 1_000))).toBe('done');
  on.tick('EUR/USD', '1.1', '1.10006');
  await until('other', 'CREDIT_LIMIT');
  const ofEvery = (await on.ask('listLimits', { scope: 'other' })) as OutputOf<'listLimits'>;
  expect(ofEvery.limits).toMatchObject([
    { scope: 'other', used: [{ limit: 'daily-loss', most: '0.50', mark: 'over' }] },
  ]);
  expect(ofEvery.limits[0]!.dailyLoss).toBeUndefined();
  await on.ask('removeLimits', { scope: '*' });
  await set('other', { nop: '2000', nopCurrency: ['EUR=1000'], settlement: '5000' });
  const { limits } = (await on.ask('listLimits', { scope: 'other' })) as OutputOf<'listLimits'>;
  expect(limits[0]!.used.map(({ limit, of, mark }) => [limit, of, mark])).toEqual([
    ['nop', 'EUR', 'over'],
    ['nop', undefined, 'within'],
    ['settlement', '2026-11-24', 'within'],
  ]);
});

test('of a platform: what is lost with its sub-clients together refuses deals and cancellations of each', async () => {
  on.tick('EUR/USD', '1.08158', '1.08164');
  const { clients } = on.services.store;
  await on.client('shops', {});
  await clients.change('shops', { isPlatform: true });
  for (const id of ['shops~one', 'shops~two']) await on.client(id, { EUR: '1000000.00', USD: '1000000.00' });
  for (const id of ['shops', 'shops~one']) await clients.setScheduledLimit(id, '1000000');
  await set('shops', { dailyLoss: '1000' });
  await until('shops~one', 'done');
  const later = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 100, type: 'SCHEDULED1' };
  const { id: confirmationId } = await on.book('shops~one', { ...later, requestId: 'later', description: 'x' });
  const quote = () => perform(on.services, 'quoteCancellation', on.caller('shops~one'), { confirmationId });
  expect(outcome(await quote())).toBe('done');
  expect(outcome(await buy('shops~two', 100_000))).toBe('done');
  on.tick('EUR/USD', '1.1', '1.10006');
  await until('shops~one', 'CREDIT_LIMIT');
  const ofPlatform = { refusal: 'CREDIT_LIMIT', text: expect.stringMatching(/a limit of your platform/) };
  expect(await quote()).toMatchObject(ofPlatform);
  expect(await buy('shops~two', 1)).toMatchObject(ofPlatform);
  expect(outcome(await buy('acme', 1))).toBe('done');
  on.tick('EUR/USD', '1.08158', '1.08164');
  await until('shops~one', 'done');
  expect(outcome(await quote())).toBe('done');
});
