import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../engine/service/operations.js';
import { perform } from '../../engine/service/perform.js';
import type { Services } from '../../engine/service/services.js';
import { FRIDAY, HOUR_MS, type MoneyRig, startMoney } from './money-rig.js';

let on: MoneyRig;
let clients = 0;

beforeAll(async () => {
  on = await startMoney();
});
afterAll(() => on.stop());

const EUR_USD = { sellCurrency: 'EUR', buyCurrency: 'USD' };

async function someone(): Promise<string> {
  const id = `client-${++clients}`;
  await perform(on.services, 'createClient', undefined, { id, name: id });
  return id;
}
async function offer(id: string, input: object = EUR_USD): Promise<OutputOf<'getLockableRate'>> {
  const answer = await perform(on.services, 'getLockableRate', on.caller(id), input as never);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
  return answer;
}
const lock = (id: string, rateSignature: string, more: object = {}, services: Services = on.services) =>
  perform(services, 'lockRate', on.caller(id), { rateSignature, ...more });
const refusalOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'held');
const at = async <T>(ms: number, ask: () => Promise<T>): Promise<T> => {
  on.clock.now = FRIDAY + ms;
  return ask().finally(() => {
    on.clock.now = FRIDAY;
  });
};

describe('an offer becomes one hold', () => {
  test('taken a hundred times at once by two engines and both doors', async () => {
    const id = await someone();
    const { rateSignature, rate, holdUntilMs } = await offer(id, { ...EUR_USD, sellAmount: 10 });
    const another: Services = { ...on.services, store: await on.testStore.another() };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        lock(id, rateSignature, i % 3 === 0 ? { session: 'DESK1' } : {}, i % 2 === 0 ? on.services : another),
      ),
    );
    const holds = answers.flatMap((answer) => ('hold' in answer ? [answer.hold] : []));
    expect(holds).toHaveLength(100);
    expect(new Set(holds.map((hold) => JSON.stringify(hold))).size).toBe(1);
    expect(holds[0]).toMatchObject({
      ...rate,
      amount: { side: 'sell', minor: '1000' },
      status: 'open',
      expiryMs: holdUntilMs,
    });
  });

  test.each([
    [30_000, 'held'],
    [30_001, 'RATE_SIGNATURE_EXPIRED'],
    // The clock was set back, or another machine's is slow.
    [-30_000, 'held'],
    [-30_001, 'RATE_SIGNATURE_EXPIRED'],
  ])('taken %d ms after it was made: %s', async (after, outcome) => {
    const id = await someone();
    const { rateSignature } = await offer(id);
    const before = await on.keyspace.read();
    const answer = await at(after, () => lock(id, rateSignature));
    expect(refusalOf(answer)).toBe(outcome);
    if (outcome !== 'held') return expect(await on.keyspace.read()).toEqual(before);
    // The hold lasts from when it is taken, and late the offer still gives it.
    expect(answer).toMatchObject({ hold: { expiryMs: FRIDAY + after + HOUR_MS / 4 } });
    expect(await at(HOUR_MS / 5, () => lock(id, rateSignature))).toEqual(answer);
    const over = await at(HOUR_MS, () => lock(id, rateSignature));
    expect(over).toMatchObject({ hold: { ...('hold' in answer && answer.hold), status: 'expired' } });
  });

  test.each([
    [5_000, 'held'],
    [5_001, 'RATE_SIGNATURE_EXPIRED'],
  ])('asked for until five seconds on and taken after %d ms: %s', async (after, outcome) => {
    const id = await someone();
    const { rateSignature } = await offer(id, { ...EUR_USD, holdUntilMs: FRIDAY + 5_000 });
    expect(refusalOf(await at(after, () => lock(id, rateSignature)))).toBe(outcome);
  });
});

describe('refusals', () => {
  test("another client's, a changed or an invented signature is none", async () => {
    const [id, other] = [await someone(), await someone()];
    const { rateSignature } = await offer(id);
    const before = await on.keyspace.read();
    const middle = rateSignature.length / 2;
    const changed = rateSignature[middle] === 'A' ? 'B' : 'A';
    for (const signature of [
      '',
      'HLD0000000000000001',
      rateSignature.slice(0, -1),
      `${rateSignature}A`,
      rateSignature.slice(0, middle) + changed + rateSignature.slice(middle + 1),
      `${rateSignature}=`,
    ])
      expect(refusalOf(await lock(id, signature)), signature).toBe('RATE_SIGNATURE_INVALID');
    expect(refusalOf(await at(60_000, () => lock(other, rateSignature)))).toBe('RATE_SIGNATURE_INVALID');
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('in their order: a request that has a hold, a late offer, too many open', async () => {
    const id = await someone();
    const session = 'DESK1';
    const first = await lock(id, (await offer(id)).rateSignature, { session, quoteRequestId: 'Q1' });
    if (!('hold' in first)) throw new Error(first.refusal);
    for (let i = 1; i < 50; i++)
      await lock(id, (await offer(id)).rateSignature, { session, quoteRequestId: `Q1-${i}` });
    const { rateSignature } = await offer(id);
    const before = await on.keyspace.read();
    const late = (more: object) => at(30_001, () => lock(id, rateSignature, { session, ...more }));
    expect(await late({ quoteRequestId: 'Q1' })).toMatchObject({
      refusal: 'DUPLICATE_QUOTEREQID',
      details: { holdId: first.hold.id },
    });
    expect(refusalOf(await late({ quoteRequestId: 'Q2' }))).toBe('RATE_SIGNATURE_EXPIRED');
    expect(refusalOf(await lock(id, rateSignature, { session, quoteRequestId: 'Q2' }))).toBe('HOLD_LIMIT');
    expect(await on.keyspace.read()).toEqual(before);
    // Another session has its own ids and its own limit, and so has REST.
    expect(refusalOf(await lock(id, rateSignature, { session: 'DESK2', quoteRequestId: 'Q1' }))).toBe('held');
    expect(refusalOf(await lock(id, (await offer(id)).rateSignature))).toBe('held');
  });

  test('a rate to be locked is refused in the documented order', async () => {
    const id = await someone();
    const shut: Services = {
      ...on.services,
      settings: { ...on.services.settings, marketHours: { isOpen: () => false } },
    };
    // Each row's request also meets the conditions of the rows after it, where they can hold at once.
    const rows: [code: string, input: object, services: Services][] = [
      ['SAME_CURRENCY', { sellCurrency: 'EUR', buyCurrency: 'EUR', sellAmount: 0.001, holdUntilMs: 1 }, shut],
      ['BAD_AMOUNT', { ...EUR_USD, sellAmount: 0.001, settlementDate: '2026-11-22', holdUntilMs: 1 }, shut],
      ['BAD_SETTLEMENT_DATE', { ...EUR_USD, sellAmount: 0.01, settlementDate: '2026-11-22', holdUntilMs: 1 }, shut],
      ['BAD_VALID_UNTIL', { ...EUR_USD, sellAmount: 0.01, holdUntilMs: FRIDAY }, shut],
      ['MARKET_CLOSED', { sellCurrency: 'EUR', buyCurrency: 'GBP', sellAmount: 0.01 }, shut],
      ['NOT_ENTITLED', { sellCurrency: 'EUR', buyCurrency: 'GBP', sellAmount: 0.01 }, on.services],
      ['RATE_UNAVAILABLE', { sellCurrency: 'EUR', buyCurrency: 'CHF', sellAmount: 0.01 }, on.services],
      ['AMOUNT_BELOW_MIN', { ...EUR_USD, sellAmount: 0.99 }, on.services],
      ['AMOUNT_ABOVE_LIMIT', { ...EUR_USD, sellAmount: 5_000_000.01 }, on.services],
    ];
    const before = await on.keyspace.read();
    for (const [code, input, services] of rows)
      expect(refusalOf(await perform(services, 'getLockableRate', on.caller(id), input as never))).toBe(code);
    expect(await on.keyspace.read()).toEqual(before);
  });
});
