/** REDUCING: of a pair and of the house by the room that the risk role hands out, of a client by its exposure. Only what lowers a position is booked. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { RiskFigures } from '../../../engine/domain/risk/figures.js';
import { limitSlices } from '../../../engine/roles/risk/limit-slices.js';
import { type RiskRole, startRiskRole } from '../../../engine/roles/risk/risk-role.js';
import { perform } from '../../../engine/service/perform.js';
import { positionKey } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { SOON } from '../../support/until.js';

const NOON = Date.parse('2026-03-03T17:00:00Z');

let on: LedgerRig;
let acme: RigClient;
let role: RiskRole;
beforeAll(async () => {
  on = await startLedgerRig(NOON);
  await on.services.store.riskFigures.follow('USD');
  acme = await on.client('acme', { EUR: '100000.00', USD: '100000.00', GBP: '100000.00' });
  role = startRiskRole(on.services, [limitSlices(on.services)]);
});
afterAll(async () => {
  await role.stop();
  await on.stop();
});
afterEach(async () => {
  const { tradingStates } = on.services.store;
  for (const one of await tradingStates.list()) await tradingStates.resume(one);
  for (let shard = 0; shard < 64; shard++) await on.redis.del(positionKey(shard));
});

const figures = (expected: (figures: RiskFigures) => void) =>
  vi.waitFor(() => {
    const found = on.services.risk.figures(1_500);
    expect(found).toBeDefined();
    expected(found!);
  }, SOON);
/** Until the figures have this net base of the pair, in units. */
const untilNet = (pair: string, net: number) =>
  figures(({ pairs }) => expect(Number(pairs.find((one) => one.pair === pair)?.netBase ?? 0) / 100).toBe(net));

/** The client sells (or with `buyAmount` buys) so many units of the first currency. */
async function deal(pair: string, amount: number, side: 'sell' | 'buy', of = acme): Promise<string> {
  const [base, quote] = pair.split('/') as [string, string];
  const pairOf = side === 'sell' ? pair : `${quote}/${base}`;
  const more = side === 'sell' ? {} : { sellAmount: undefined, buyAmount: amount };
  const answer = await of.tryToBook(pairOf, amount, more);
  if (!isRefusal(answer)) return 'booked';
  expect(answer.text).not.toMatch(/\d/);
  return answer.refusal;
}
const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };

async function lock(sellCurrency: string, buyCurrency: string, amounts: object): Promise<string> {
  const offer = await perform(on.services, 'getLockableRate', caller, { sellCurrency, buyCurrency, ...amounts });
  if (isRefusal(offer)) return offer.refusal;
  const locked = await perform(on.services, 'lockRate', caller, { rateSignature: offer.rateSignature });
  return isRefusal(locked) ? locked.refusal : 'held';
}

test('a pair: only the direction that lowers the position, and no more than it, also by deals in a row', async () => {
  await acme.book('EUR/USD', 3_000);
  await untilNet('EUR/USD', 3_000);
  await on.ask('reducePair', { pair: 'EUR/USD', reason: 'limit' });
  expect(await deal('EUR/USD', 1, 'sell')).toBe('CREDIT_LIMIT');
  expect(await deal('EUR/USD', 3_000.01, 'buy')).toBe('CREDIT_LIMIT');
  expect([await deal('EUR/USD', 1_000, 'buy'), await deal('EUR/USD', 2_500, 'buy')]).toEqual([
    'booked',
    'CREDIT_LIMIT',
  ]);
  expect(await lock('EUR', 'USD', { sellAmount: 10 })).toBe('CREDIT_LIMIT');
  expect(await lock('USD', 'EUR', { buyAmount: 10 })).toBe('held');
  expect(await deal('GBP/USD', 10, 'sell')).toBe('booked');
  await untilNet('EUR/USD', 2_000);
  await vi.waitFor(async () => expect(await deal('EUR/USD', 2_000, 'buy')).toBe('booked'), SOON);
  await untilNet('EUR/USD', 0);
  await on.ask('resumePair', { pair: 'EUR/USD' });
  expect(await deal('EUR/USD', 1, 'sell')).toBe('booked');
});

test('64 callers that race for the position of a pair do not turn it', async () => {
  await acme.book('EUR/USD', 1_000);
  await untilNet('EUR/USD', 1_000);
  await on.ask('reducePair', { pair: '*', reason: 'limit' });
  const answers = await Promise.all(Array.from({ length: 64 }, () => deal('EUR/USD', 300, 'buy')));
  expect(answers.filter((answer) => answer === 'booked')).toHaveLength(3);
  await untilNet('EUR/USD', 100);
});

test('the house: only what lowers its total net open position', async () => {
  await acme.book('EUR/USD', 3_000);
  await untilNet('EUR/USD', 3_000);
  await on.ask('reduceHouse', { reason: 'limit' });
  const answers = {
    more: await deal('EUR/USD', 1, 'sell'),
    another: await deal('GBP/USD', 1, 'buy'),
    exchange: await deal('EUR/GBP', 1, 'buy'),
    lower: await deal('EUR/USD', 1_000, 'buy'),
  };
  expect(answers).toEqual({ more: 'CREDIT_LIMIT', another: 'CREDIT_LIMIT', exchange: 'CREDIT_LIMIT', lower: 'booked' });
  await untilNet('EUR/USD', 2_000);
  await vi.waitFor(async () => expect(await deal('EUR/USD', 2_000, 'buy')).toBe('booked'), SOON);
  await untilNet('EUR/USD', 0);
  expect(await deal('EUR/USD', 1, 'buy')).toBe('CREDIT_LIMIT');
});

test('a client: only what lowers its exposure; other clients are not concerned', async () => {
  const one = await on.client('one', { EUR: '1000.00', USD: '1000.00' });
  await one.book('EUR/USD', 500);
  await on.ask('reduceClient', { clientId: 'one', reason: 'limit' });
  expect(await deal('EUR/USD', 1, 'sell', one)).toBe('CREDIT_LIMIT');
  expect(await deal('EUR/USD', 100, 'buy', one)).toBe('booked');
  expect(await deal('EUR/USD', 1, 'sell')).toBe('booked');
});

test('without a role the room that shards have is used up, then every deal of the pair is refused', async () => {
  await acme.book('EUR/USD', 100);
  await untilNet('EUR/USD', 100);
  await on.ask('reducePair', { pair: 'EUR/USD', reason: 'limit' });
  await role.stop();
  await vi.waitFor(() => expect(on.services.risk.figures(1_500)).toBeUndefined(), SOON);
  expect(await deal('EUR/USD', 1, 'buy')).toBe('CREDIT_LIMIT');
  expect(await deal('GBP/USD', 1, 'buy')).toBe('booked');
});
