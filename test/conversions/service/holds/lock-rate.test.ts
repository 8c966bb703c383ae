import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { Pricing } from '../../../../engine/rates/pricing.js';
import { RateBook } from '../../../../engine/rates/rate-book.js';
import type { Services } from '../../../../engine/service/core/services.js';
import type { OutputOf } from '../../../../engine/service/operations.js';
import { perform } from '../../../../engine/service/perform.js';
import { paymentFacts, plannedSell } from '../../../payments/store/payment-steps.js';
import { FRIDAY, HOUR_MS, type MoneyRig, startMoney } from '../../../service/money-rig.js';

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
async function offerOf(id: string, input: object = EUR_USD): Promise<OutputOf<'getLockableRate'>> {
  const answer = await perform(on.services, 'getLockableRate', on.caller(id), input as never);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
  return answer;
}
const lock = (id: string, rateSignature: string, more: object = {}, services: Services = on.services) =>
  perform(services, 'lockRate', on.caller(id), { rateSignature, ...more });
const offeredBy = (answer: object) => ('details' in answer ? String(Object(answer.details).rateSignature) : '');
const refusalOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'held');
const at = async <T>(ms: number, ask: () => Promise<T>): Promise<T> => {
  on.clock.now = FRIDAY + ms;
  return ask().finally(() => {
    on.clock.now = FRIDAY;
  });
};

describe('an offer becomes one hold', () => {
  test('a hundred concurrent locks by two engines, FIX and REST make one hold', async () => {
    const id = await someone();
    const { rateSignature, rate, holdUntilMs } = await offerOf(id, { ...EUR_USD, sellAmount: 10 });
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
    [15_000, 'held'],
    [30_001, 'RATE_SIGNATURE_EXPIRED'],
    // A clock that was set back, or another machine's slow clock.
    [-30_000, 'held'],
    [-30_001, 'RATE_SIGNATURE_EXPIRED'],
  ])('locked %d ms after the offer: %s', async (after, outcome) => {
    const id = await someone();
    const { rateSignature } = await offerOf(id);
    const before = await on.keyspace.read();
    const answer = await at(after, () => lock(id, rateSignature));
    expect(refusalOf(answer)).toBe(outcome);
    if (outcome !== 'held') return expect(await on.keyspace.read()).toEqual(before);
    // The hold lasts from the lock, as the offer states, even for a late lock.
    expect(answer).toMatchObject({ hold: { expiryMs: FRIDAY + after + HOUR_MS / 4 } });
    expect(await at(HOUR_MS / 5, () => lock(id, rateSignature))).toEqual(answer);
    const over = await at(HOUR_MS, () => lock(id, rateSignature));
    expect(over).toMatchObject({ hold: { ...('hold' in answer && answer.hold), status: 'expired' } });
  });

  test.each([
    [1_000, 'held'],
    [20_001, 'RATE_SIGNATURE_EXPIRED'],
  ])('requested until twenty seconds on and locked after %d ms: %s', async (after, outcome) => {
    const id = await someone();
    const { rateSignature } = await offerOf(id, { ...EUR_USD, holdUntilMs: FRIDAY + 20_000 });
    expect(refusalOf(await at(after, () => lock(id, rateSignature)))).toBe(outcome);
  });
});

describe('a market that moves between offer and lock', () => {
  const quoted = async (bid: string, offer: string, ask: () => Promise<void>) => {
    on.tick('EUR/USD', bid, offer);
    await ask().finally(() => on.tick('EUR/USD', '1.08158', '1.08164'));
  };

  // The tolerance is 200 parts per million of the offered price: 0.0002157 of a bid of 1.0788761.
  test.each([
    ['as it was', '1.08158', 'held'],
    ['up within the tolerance', '1.08179', 'held'],
    ['down within the tolerance', '1.08137', 'held'],
    ['up beyond it, for the client', '1.08181', 'RATE_MOVED'],
    ['down beyond it, against the client', '1.08135', 'RATE_MOVED'],
    ['far', '1.07', 'RATE_MOVED'],
  ])('a bid that is %s, %s: %s', async (_what, bid, outcome) => {
    const id = await someone();
    const { rateSignature, rate } = await offerOf(id);
    await quoted(bid, '1.0825', async () => {
      const before = await on.keyspace.read();
      const answer = await lock(id, rateSignature);
      expect(refusalOf(answer)).toBe(outcome);
      if ('hold' in answer) return expect(answer.hold.price).toBe(rate.price);
      expect(await on.keyspace.read()).toEqual(before);
      const { details = {} } = answer;
      const now = await offerOf(id);
      expect(details).toEqual({
        rateSignature: expect.any(String),
        fxRate: now.rate.price / 1e7,
        lockExpiryAt: new Date(FRIDAY + 30_000).toISOString(),
      });
      expect(await lock(id, String(details.rateSignature))).toMatchObject({ hold: { price: now.rate.price } });
      // The first offer is not the better one of two.
      expect(refusalOf(await lock(id, rateSignature))).toBe('RATE_MOVED');
    });
  });

  test('a lock that was done is repeated, whatever the market', async () => {
    const id = await someone();
    const { rateSignature } = await offerOf(id, { ...EUR_USD, sellAmount: 10 });
    const first = await lock(id, rateSignature);
    expect(refusalOf(first)).toBe('held');
    await quoted('1.02', '1.0201', async () => expect(await lock(id, rateSignature)).toEqual(first));
  });

  test('of a two-way rate either side counts, of another rate the side that was asked for', async () => {
    const id = await someone();
    const [one, two, later] = [
      await offerOf(id, { ...EUR_USD, sellAmount: 10 }),
      await offerOf(id, { ...EUR_USD, sellAmount: 10, twoWay: true }),
      await offerOf(id, { ...EUR_USD, sellAmount: 10 }),
    ];
    await quoted('1.08158', '1.083', async () => {
      expect(refusalOf(await lock(id, one.rateSignature))).toBe('held');
      const moved = await lock(id, two.rateSignature);
      expect(refusalOf(moved)).toBe('RATE_MOVED');
      expect(refusalOf(await lock(id, later.rateSignature, { twoWay: true }))).toBe('RATE_MOVED');
      expect(await lock(id, offeredBy(moved))).toMatchObject({ hold: { opposite: expect.anything() } });
    });
  });

  test('a hold by its end, and the tolerance of the setting', async () => {
    const id = await someone();
    const { rateSignature } = await offerOf(id, { ...EUR_USD, sellAmount: 10, holdUntilMs: FRIDAY + 40_000 });
    const settings = { ...on.services.settings, offerTolerancePpm: 5_000 };
    await quoted('1.0843', '1.0844', async () => {
      const moved = await at(5_000, () => lock(id, rateSignature));
      expect(refusalOf(moved)).toBe('RATE_MOVED');
      expect(await at(6_000, () => lock(id, offeredBy(moved)))).toMatchObject({
        hold: { expiryMs: FRIDAY + 40_000 },
      });
      expect(refusalOf(await lock(id, rateSignature, {}, { ...on.services, settings }))).toBe('held');
    });
  });

  test('no price at the lock is no hold', async () => {
    const id = await someone();
    const { rateSignature } = await offerOf(id);
    const pricing = new Pricing(new RateBook(), on.services.margins, on.services.states);
    expect(refusalOf(await lock(id, rateSignature, {}, { ...on.services, pricing }))).toBe('RATE_UNAVAILABLE');
  });
});

describe('refusals', () => {
  test("rejects another client's, an altered and an invented signature", async () => {
    const [id, other] = [await someone(), await someone()];
    const { rateSignature } = await offerOf(id);
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

  test('in their order: a request that already has a hold, an expired offer, too many open holds', async () => {
    const id = await someone();
    const session = 'DESK1';
    const offer = (of: string) => offerOf(of, { ...EUR_USD, sellAmount: 10 });
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
    const expired = await late({ quoteRequestId: 'Q2' });
    expect(refusalOf(expired)).toBe('RATE_SIGNATURE_EXPIRED');
    // A QuoteRequest(R) has no rate_signature.
    expect(JSON.stringify(expired)).not.toContain('rate_signature');
    expect(refusalOf(await lock(id, rateSignature, { session, quoteRequestId: 'Q2' }))).toBe('HOLD_LIMIT');
    expect(await on.keyspace.read()).toEqual(before);
    // Each session has its own ids and its own limit, and so has REST.
    expect(refusalOf(await lock(id, rateSignature, { session: 'DESK2', quoteRequestId: 'Q1' }))).toBe('held');
    expect(refusalOf(await lock(id, (await offer(id)).rateSignature))).toBe('held');
  });

  test('lockRate refuses in the documented order', async () => {
    const id = await someone();
    const shut: Services = {
      ...on.services,
      settings: { ...on.services.settings, marketHours: { isOpen: () => false } },
    };
    // Each row's request also meets the conditions of the later rows, where they can apply at once.
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

describe('total value of open holds', () => {
  const USD = 100n;
  const CAP = 10_000_000n * USD;
  /** 500,000 USD at a mid of 1.08161, in cents of euro. */
  const MAXIMUM = (500_000n * USD * 100_000n) / 108_161n;

  async function take(id: string, input: object = EUR_USD, more: object = {}, services: Services = on.services) {
    const { rateSignature } = await offerOf(id, input);
    return lock(id, rateSignature, more, services);
  }
  async function held(id: string, input: object = EUR_USD, more: object = {}): Promise<string> {
    const taken = await take(id, input, more);
    if (!('hold' in taken)) throw new Error(`${taken.refusal} ${taken.text}`);
    return taken.hold.id;
  }
  const open = async (id: string) => {
    const { holds } = (await perform(on.services, 'listHolds', undefined, { clientId: id })) as OutputOf<'listHolds'>;
    return holds;
  };
  const client = async (id: string) => (await on.services.store.clients.get(id))!;
  const order = (requestId: string, more: object) => ({ requestId, description: 'a test', ...EUR_USD, ...more });

  test('sixty holds without an amount, in both directions: twenty of 500,000 USD each', async () => {
    const id = await someone();
    const answers = [];
    for (let i = 0; i < 60; i++) {
      const input = i % 2 === 0 ? EUR_USD : { sellCurrency: 'USD', buyCurrency: 'EUR' };
      answers.push(await take(id, input, i % 3 === 0 ? { session: 'DESK1' } : {}));
    }
    expect(answers.map(refusalOf)).toEqual([...Array(20).fill('held'), ...Array(40).fill('HOLD_LIMIT')]);
    expect(answers[59]).toMatchObject({
      text: 'This hold counts 500000.00 USD, open holds 10000000.00, and the limit is 10000000.00: book or release one first, or ask us',
    });
    const holds = await open(id);
    expect(holds.reduce((sum, { usd = '' }) => sum + BigInt(usd), 0n)).toBe(CAP);
    const sold = holds.filter(({ sellCurrency }) => sellCurrency === 'EUR');
    expect(new Set(sold.map(({ maximum }) => maximum))).toEqual(new Set([String(MAXIMUM)]));
  });

  test('concurrent locks by two engines stay within the limit', async () => {
    const id = await someone();
    const another: Services = { ...on.services, store: await on.testStore.another() };
    const signatures = await Promise.all(Array.from({ length: 40 }, () => offerOf(id)));
    const answers = await Promise.all(
      signatures.map(({ rateSignature }, i) => lock(id, rateSignature, {}, i % 2 === 0 ? on.services : another)),
    );
    expect(answers.filter((answer) => 'hold' in answer)).toHaveLength(20);
  });

  test.each<[how: string, end: (id: string, holdId: string) => Promise<unknown>]>([
    ['booked', async (id, quoteId) => on.book(id, order('use', { sellAmount: 10, quoteId }))],
    ['released', async (id, holdId) => perform(on.services, 'releaseHold', on.caller(id), { holdId })],
    ['revoked', async (id, holdId) => perform(on.services, 'revokeHold', undefined, { clientId: id, holdId })],
    [
      'used by a payment',
      async (id, holdId) => {
        const account = {
          number: (await on.services.store.accounts.list(await client(id))).find(({ currency }) => currency === 'EUR')!
            .number,
        };
        const sell = plannedSell(account.number, { currency: 'EUR', sell: '1000', buy: '1081', hold: holdId });
        const facts = paymentFacts({ currency: 'USD', sourceAccount: account.number, sourceCurrency: 'EUR', holdId });
        const plan = { amount: '1081', total: '1081', transit: '1081', fees: '0', sells: [sell] };
        const step = { now: FRIDAY, facts, newAccount: '123456789018', plan, draws: ['EUR', 'USD'] };
        expect((await on.services.store.payments.create(await client(id), step)).kind).toBe('created');
      },
    ],
  ])('a hold that is %s no longer counts', async (_how, end) => {
    const id = await someone();
    await on.open(id, 'EUR', '1000');
    await on.open(id, 'USD');
    const holds = [];
    for (let i = 0; i < 20; i++) holds.push(await held(id));
    expect(refusalOf(await take(id))).toBe('HOLD_LIMIT');
    await end(id, holds[7]!);
    expect(refusalOf(await take(id))).toBe('held');
    expect(refusalOf(await take(id))).toBe('HOLD_LIMIT');
  });

  test('an expired hold no longer counts, by FIX or by REST', async () => {
    const id = await someone();
    for (let i = 0; i < 20; i++) await held(id, EUR_USD, i % 2 === 0 ? { session: 'DESK1' } : {});
    expect(refusalOf(await take(id))).toBe('HOLD_LIMIT');
    await at(HOUR_MS, async () => {
      for (let i = 0; i < 20; i++) await held(id);
      expect(refusalOf(await take(id))).toBe('HOLD_LIMIT');
    });
  });

  test('a hold with an amount counts that amount, in dollars at the current rate', async () => {
    const id = await someone();
    await perform(on.services, 'changeClient', undefined, { id, holdLimitUsd: 2_163 });
    await held(id, { ...EUR_USD, sellAmount: 1_000 });
    await held(id, { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 999 });
    expect((await open(id)).map(({ usd }) => usd).sort()).toEqual(['108053', '108161']);
    expect(refusalOf(await take(id, { ...EUR_USD, sellAmount: 1.47 }))).toBe('HOLD_LIMIT');
    expect(refusalOf(await take(id, { ...EUR_USD, sellAmount: 1 }))).toBe('HOLD_LIMIT');
    await perform(on.services, 'changeClient', undefined, { id, holdLimitUsd: 'default' });
    expect(refusalOf(await take(id, { ...EUR_USD, sellAmount: 1.47 }))).toBe('held');
  });

  test('a hold with an amount in dollars counts exactly that amount, sold or bought', async () => {
    const id = await someone();
    await held(id, { ...EUR_USD, buyAmount: 1_000 });
    await held(id, { sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 1_000 });
    await held(id, { sellCurrency: 'USD', buyCurrency: 'JPY', sellAmount: 1_000 });
    expect((await open(id)).map(({ usd }) => usd)).toEqual(['100000', '100000', '100000']);
  });

  test('a hold without an amount never sells more dollars than its maximum is worth', async () => {
    const id = await someone();
    await on.open(id, 'USD', '9000000');
    await on.open(id, 'EUR');
    const quoteId = await held(id, { sellCurrency: 'USD', buyCurrency: 'EUR' });
    const legs = { sellCurrency: 'USD', buyCurrency: 'EUR', quoteId };
    // At the client's own rate this buys for more than 501,000.00.
    const above = order('above', { ...legs, buyAmount: Number(MAXIMUM) / 100 });
    expect(await perform(on.services, 'bookFxByCurrency', on.caller(id), above)).toMatchObject({
      refusal: 'AMOUNT_ABOVE_LIMIT',
    });
    const { sell } = await on.book(id, order('at', { ...legs, sellAmount: 500_000 }));
    expect(sell).toBe('50000000');
  });

  test('a hold without an amount is booked up to its maximum, by either amount, and a payment may not exceed it', async () => {
    const id = await someone();
    await on.open(id, 'EUR', '9000000');
    await on.open(id, 'USD');
    const quoteId = await held(id);
    const most = Number(MAXIMUM) / 100;
    for (const more of [{ sellAmount: most + 0.01 }, { buyAmount: 500_000 }])
      expect(
        await perform(on.services, 'bookFxByCurrency', on.caller(id), order('above', { ...more, quoteId })),
      ).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT', text: expect.stringContaining(`${most} EUR`) });
    expect(await on.book(id, order('at', { sellAmount: most, quoteId }))).toMatchObject({ sell: String(MAXIMUM) });
  });

  test('the maximum is the client’s, the settings’ or the pair’s; below the pair’s minimum an amount is required', async () => {
    const id = await someone();
    const maximum = async (services: Services = on.services) => {
      const taken = await take(id, EUR_USD, {}, services);
      return 'hold' in taken ? taken.hold.maximum : `${taken.refusal} ${taken.text}`;
    };
    const settings = { ...on.services.settings, holdMaximumUsd: 108_161, holdLimitUsd: 1_000_000 };
    expect(await maximum({ ...on.services, settings })).toBe('10000000');
    await perform(on.services, 'changeClient', undefined, { id, holdMaximumUsd: 10_000_000 });
    expect(await maximum()).toBe('500000000');
    expect((await open(id)).map(({ usd }) => usd).sort()).toEqual(['10816100', '540805000']);
    await perform(on.services, 'changeClient', undefined, { id, holdMaximumUsd: 0 });
    expect(await maximum()).toMatch(/^HOLD_LIMIT .*name the amount/);
    expect(refusalOf(await take(id, { ...EUR_USD, sellAmount: 10 }))).toBe('held');
  });

  test.each([
    [60_000, 'held'],
    [60_001, 'RATE_UNAVAILABLE'],
  ])('of a cross, by dollar rates that are %d ms old: %s', async (ageMs, outcome) => {
    const id = await someone();
    const clock = { ms: 1_000 };
    const book = new RateBook({ maxJumpPercent: 90, now: () => clock.ms });
    const provider = book.registerProvider('test');
    const { index } = pairBySymbol('EUR/USD')!;
    book.tick(provider, index, 10_815_800, 10_816_400, 0, 0, 0, 0);
    clock.ms += ageMs;
    const before = await on.keyspace.read();
    const aged = { ...on.services, book };
    const answer = await take(id, { sellCurrency: 'EUR', buyCurrency: 'JPY', sellAmount: 100 }, {}, aged);
    expect(refusalOf(answer)).toBe(outcome);
    if (outcome === 'held') return expect((await open(id))[0]).toMatchObject({ usd: '10817' });
    expect(answer).toMatchObject({ retryAfterS: 2 });
    expect(await on.keyspace.read()).toEqual(before);
  });
});
