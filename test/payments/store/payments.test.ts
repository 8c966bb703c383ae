/** A payment and its conversions are one step, executed whole or not at all; a payment without funds is queued. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hold } from '../../../engine/domain/conversions/booking.js';
import type { PaymentFacts } from '../../../engine/domain/payments/payment.js';
import { StoreKeyFault } from '../../../engine/store/connection/errors.js';
import type { CreatePaymentStep } from '../../../engine/store/payments/payment-step.js';
import { type ClientSteps, type LedgerSteps, NOW, OFFERED, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { about } from '../../support/store.js';
import { create, created, createStep, NEW_ACCOUNT, PLAN, plannedSell } from './payment-steps.js';

let on: LedgerSteps;
let clients = 0;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const MAX_MINOR = 999_999_999_999_999n;
const someone = () => on.client(`client-${++clients}`);
const outcomeOf = async (client: ClientSteps, step: CreatePaymentStep): Promise<string> => {
  const outcome = await create(on.store, client, step);
  if (outcome.kind === 'created') return outcome.status;
  return outcome.kind === 'refused' ? outcome.code : outcome.kind;
};
async function hold(client: ClientSteps, id: string, more: Partial<Hold> = {}): Promise<string> {
  await on.store.holds.lock(client.of, {
    hold: client.hold(id, { sellCurrency: 'USD', buyCurrency: 'EUR', ...more }),
    ...OFFERED,
    openMax: 10,
    usd: '100',
    limitUsd: 10n ** 12n,
  });
  return id;
}

test('a step refused because of a damaged key leaves no lookup key', async () => {
  const client = await someone();
  await client.open('EUR', 10_000n);
  await on.keyspace.redis.set(client.keys.index('payments'), 'a value');
  const step = createStep();
  await expect(create(on.store, client, step)).rejects.toBeInstanceOf(StoreKeyFault);
  expect(await on.store.payments.holderOf(step.facts.id)).toBeUndefined();
});

test("the account's money goes to transit, and the fee to the house", async () => {
  const client = await someone();
  const eur = await client.open('EUR', 10_000n);
  const step = createStep();
  expect(await create(on.store, client, step)).toMatchObject({ kind: 'created', status: 'IN_PROCESS', account: eur });
  expect(await client.balances()).toEqual({
    [`EUR/${eur}`]: '4900',
    'EUR/nostro': '-10000',
    'EUR/transit': '5000',
    'EUR/house:fees': '100',
  });
  const { id, requestId, transactionNumber } = step.facts;
  expect((await client.journal()).slice(1)).toEqual([
    ['payment', id, `EUR ${eur} transit 5000;EUR ${eur} house:fees 100`],
  ]);
  const payment = (await on.store.payments.read(client.of, id))!;
  expect(payment).toEqual({
    ...step.facts,
    status: 'IN_PROCESS',
    subStatus: '',
    description: '',
    bankReference: '',
    step: 1,
    attempts: 0,
    bookingIds: [],
    sealedCards: '',
    account: eur,
    amount: '5000',
    toTransit: '5000',
    toFees: '100',
    updatedAtMs: about(NOW),
  });
  expect(await on.store.payments.byTransaction(client.of, transactionNumber)).toEqual(payment);
  expect(await on.store.payments.holderOf(id)).toBe(client.of.id);
  expect(await on.keyspace.redis.get(client.keys.receipt(requestId))).toBe(`1|payment|${id}`);
  const [entry] = await on.store.payments.history(client.of, id);
  expect(entry).toMatchObject({ step: 'payment', id, actor: 'client', from: '', to: 'IN_PROCESS', atMs: about(NOW) });
  const work = await on.keyspace.redis.xrange(client.keys.work, '-', '+');
  expect(work.at(-1)?.[1]).toEqual(['client', client.of.id, 'payment', id, 'step', '1']);
});

test('with conversions: each is an ordinary booking into the payment’s account, reported to the desks', async () => {
  const client = await someone();
  const [usd, eur] = [await client.open('USD', 5_000n), await client.open('EUR', 3_300n)];
  await on.keyspace.redis.sadd(client.keys.dropCopies, 'DESK7');
  const sell = plannedSell(usd);
  const payment = await created(on.store, client, {}, { plan: { ...PLAN, sells: [sell] }, draws: ['EUR', 'USD'] });
  expect(await client.balances()).toEqual({
    [`USD/${usd}`]: '3000',
    'USD/nostro': '-5000',
    'USD/house:fx': '2000',
    [`EUR/${eur}`]: '0',
    'EUR/nostro': '-3300',
    'EUR/house:fx': '-1805',
    'EUR/house:margin': '5',
    'EUR/transit': '5000',
    'EUR/house:fees': '100',
  });
  expect((await client.journal()).slice(-2)).toEqual([
    ['book-fx', sell.id, `USD ${usd} house:fx 2000;EUR house:fx ${eur} 1800;EUR house:fx house:margin 5`],
    ['payment', payment.id, `EUR ${eur} transit 5000;EUR ${eur} house:fees 100`],
  ]);
  expect(payment.bookingIds).toEqual([sell.id]);
  const booking = await on.store.bookings.read(client.of, sell.id);
  expect(booking).toMatchObject({ status: 'SETTLED', sellAccount: usd, buyAccount: eur, settledAtMs: about(NOW) });
  const dropCopies = await on.keyspace.redis.xrange(
    `${client.keys.work.slice(0, 5)}:fix:FXENGINE:DESK7:outbox`,
    '-',
    '+',
  );
  expect(dropCopies.map(([, fields]) => fields)).toEqual([['kind', 'drop-copy', 'data', sell.id]]);
  const listed = await on.store.lists.page(client.of, 'bookings', {}, undefined, 10);
  expect(listed.map(({ id }) => id)).toEqual([sell.id]);
  const paid = await on.store.lists.page(client.of, 'payments', {}, undefined, 10);
  expect(paid.map(({ id }) => id)).toEqual([payment.id]);
});

test('a client without an account in the currency gets one', async () => {
  const client = await someone();
  const usd = await client.open('USD', 5_000n);
  const sell = plannedSell(usd, { sell: '5000', buy: '5100' });
  const facts = { sourceAccount: usd, sourceCurrency: 'USD' };
  const payment = await created(on.store, client, facts, { plan: { ...PLAN, sells: [sell] }, draws: ['EUR', 'USD'] });
  expect(payment.account).toBe(NEW_ACCOUNT);
  expect(await client.balances()).toMatchObject({ [`EUR/${NEW_ACCOUNT}`]: '0', 'EUR/transit': '5000' });
  const accounts = await on.store.accounts.balances(client.of);
  expect(accounts.find(({ currency }) => currency === 'EUR')).toMatchObject({ active: true, isDefault: true });
});

test('a hold is used once, by the payment that names it', async () => {
  const client = await someone();
  const usd = await client.open('USD', 5_000n);
  await client.open('EUR', 3_300n);
  const holdId = await hold(client, 'HLD0000000000001');
  const facts = { sourceAccount: usd, sourceCurrency: 'USD', holdId };
  const sell = plannedSell(usd, { hold: holdId });
  const plan = { ...PLAN, sells: [sell] };
  await created(on.store, client, facts, { plan });
  expect(await on.store.holds.read(client.of, holdId)).toMatchObject({ status: 'used' });
  expect(await on.keyspace.redis.hget(client.keys.hold(holdId), 'booking')).toBe(sell.id);
  expect(await on.keyspace.redis.zrange(client.keys.openHolds, '0', '-1')).toEqual([]);
  expect(await client.due(`hold:${client.of.id}:${holdId}`)).toBeNull();
  expect(await outcomeOf(client, createStep(facts, { plan }))).toBe('HOLD_USED');
});

describe('a refused payment changes nothing', () => {
  interface Prepared {
    readonly client: ClientSteps;
    readonly eur: string;
    readonly usd: string;
  }
  type Row = readonly [
    what: string,
    outcome: string,
    step: (on: Prepared) => CreatePaymentStep | Promise<CreatePaymentStep>,
  ];
  const named = (usd: string): Partial<PaymentFacts> => ({ sourceAccount: usd, sourceCurrency: 'USD' });
  const selling = (usd: string, more = {}) => ({ plan: { ...PLAN, sells: [plannedSell(usd, more)] } });
  test.each<Row>([
    ['a transaction number that is known', 'duplicate', () => createStep({ transactionNumber: 'known' })],
    ['a request id that is known', 'REQUEST_ID_REUSED', () => createStep({ requestId: 'known' })],
    [
      'both: the transaction comes first',
      'duplicate',
      () => createStep({ transactionNumber: 'known', requestId: 'known' }),
    ],
    ['an unknown account', 'UNKNOWN_ACCOUNT', () => createStep({ sourceAccount: '111111111111', sourceCurrency: '' })],
    [
      'an account in another currency than was read',
      'UNKNOWN_ACCOUNT',
      ({ usd }) => createStep({ sourceAccount: usd, sourceCurrency: 'EUR' }),
    ],
    [
      'a closed account',
      'ACCOUNT_INACTIVE',
      async ({ client, eur }) => {
        await on.store.accounts.change(client.of, eur, { active: false });
        return createStep({ sourceAccount: eur, sourceCurrency: 'EUR' });
      },
    ],
    [
      'a closed account that would be paid from',
      'ACCOUNT_INACTIVE',
      async ({ client, eur, usd }) => {
        await on.store.accounts.change(client.of, eur, { active: false });
        return createStep(named(usd), selling(usd));
      },
    ],
    [
      'an amount that was refused before',
      'BAD_AMOUNT',
      ({ usd }) =>
        createStep(
          { ...named(usd), holdId: 'HLD0000000000099' },
          { plan: undefined, refusal: { stage: 'amount', code: 'BAD_AMOUNT', text: 'x' } },
        ),
    ],
    [
      'a hold that there is not',
      'HOLD_NOT_FOUND',
      ({ usd }) => createStep({ ...named(usd), holdId: 'HLD0000000000099' }, selling(usd)),
    ],
    [
      'a hold that is used',
      'HOLD_USED',
      async ({ client, usd }) => {
        const holdId = await hold(client, 'HLD0000000000002');
        await on.keyspace.redis.hset(client.keys.hold(holdId), 'status', 'used');
        return createStep({ ...named(usd), holdId }, selling(usd, { hold: holdId }));
      },
    ],
    [
      'a hold whose time is over by a millisecond',
      'HOLD_EXPIRED',
      async ({ client, usd }) => {
        const holdId = await hold(client, 'HLD0000000000003');
        await on.keyspace.redis.hset(client.keys.hold(holdId), 'expiry', NOW - 1);
        return createStep({ ...named(usd), holdId }, selling(usd, { hold: holdId }));
      },
    ],
    [
      'a released hold',
      'HOLD_EXPIRED',
      async ({ client, usd }) => {
        const holdId = await hold(client, 'HLD0000000000004');
        await on.store.holds.release(client.of, holdId);
        return createStep({ ...named(usd), holdId }, selling(usd, { hold: holdId }));
      },
    ],
    [
      'a price that was refused before',
      'RATE_UNAVAILABLE',
      ({ usd }) =>
        createStep(named(usd), { plan: undefined, refusal: { stage: 'price', code: 'RATE_UNAVAILABLE', text: 'x' } }),
    ],
    ['an account that is short', 'stale', () => createStep({}, { plan: { ...PLAN, total: '6001' } })],
    [
      'an account that is short of its part of the sells',
      'stale',
      ({ usd }) => createStep({}, selling(usd, { sell: '5001' })),
    ],
    ['a sold account in another currency', 'stale', ({ usd }) => createStep({}, selling(usd, { currency: 'GBP' }))],
    [
      'a sold account that is closed',
      'stale',
      async ({ client, usd }) => {
        await on.store.accounts.change(client.of, usd, { active: false });
        return createStep({}, selling(usd));
      },
    ],
    [
      'more than an account can hold',
      'BALANCE_LIMIT',
      ({ usd }) => createStep({}, selling(usd, { buy: String(MAX_MINOR - 5_999n) })),
    ],
    [
      'two sells that are too much together',
      'BALANCE_LIMIT',
      ({ usd }) => {
        const half = { buy: String(MAX_MINOR / 2n + 1n) };
        return createStep({}, { plan: { ...PLAN, sells: [plannedSell(usd, half), plannedSell(usd, half)] } });
      },
    ],
    [
      'a house that is full',
      'BALANCE_LIMIT',
      async ({ client }) => {
        await on.keyspace.redis.hset(client.keys.balances, 'EUR/house:fees', '9'.repeat(19));
        return createStep();
      },
    ],
    [
      'a house that cannot take the sold money',
      'BALANCE_LIMIT',
      async ({ client, usd }) => {
        await on.keyspace.redis.hset(client.keys.balances, 'USD/house:fx', '9'.repeat(19));
        return createStep({}, selling(usd));
      },
    ],
    [
      'too many that wait',
      'INSUFFICIENT_BALANCE',
      async ({ client }) => {
        const many = Array.from({ length: 1_000 }, (_, i) => [i, `PAY${i}|`] as const);
        await on.keyspace.redis.zadd(client.keys.waiting, ...many.flat());
        return createStep({}, { plan: undefined });
      },
    ],
  ])('%s: %s', async (_what, outcome, step) => {
    const client = await someone();
    const [usd, eur] = [await client.open('USD', 5_000n), await client.open('EUR', 6_000n)];
    const first = await created(
      on.store,
      client,
      { transactionNumber: 'known', requestId: 'known' },
      {
        plan: { ...PLAN, amount: '1', total: '1', transit: '1', fees: '0' },
      },
    );
    await on.keyspace.redis.hincrby(client.keys.balances, `EUR/${eur}`, 1);
    const asked = await step({ client, eur, usd });
    const before = await on.keyspace.read();
    expect(await outcomeOf(client, asked)).toBe(outcome);
    expect(await on.keyspace.read()).toEqual(before);
    if (outcome === 'duplicate')
      expect(await create(on.store, client, asked)).toEqual({
        kind: 'duplicate',
        paymentId: first.id,
        status: 'IN_PROCESS',
        requestId: 'known',
      });
  });

  test('a request id of a conversion or of a funding is known too', async () => {
    const client = await someone();
    await client.open('EUR', 20_000n);
    await client.open('USD');
    await on.store.bookings.book(client.of, client.step({ requestId: 'booked' }));
    await on.keyspace.redis.set(client.keys.receipt('funded'), '1|funding|GLR0000000000000');
    for (const requestId of ['booked', 'funded'])
      expect(await outcomeOf(client, createStep({ requestId }))).toBe('REQUEST_ID_REUSED');
    await created(on.store, client, { requestId: 'paid' });
    const again = await on.store.bookings.book(client.of, client.step({ requestId: 'paid' }));
    expect(again).toMatchObject({ kind: 'refused', code: 'REQUEST_ID_REUSED' });
  });
});

test('fifty concurrent requests with one transaction number create one payment', async () => {
  const client = await someone();
  await client.open('EUR', 1_000_000n);
  const other = await on.testStore.another();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      create(i % 2 ? on.store : other, client, createStep({ transactionNumber: 'burst' })),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  expect(outcomes.filter(({ kind }) => kind === 'duplicate')).toHaveLength(49);
  expect(await client.balances()).toMatchObject({ 'EUR/transit': '5000', 'EUR/house:fees': '100' });
  const { id } = (await on.store.payments.byTransaction(client.of, 'burst'))!;
  expect(await on.store.payments.holderOf(id)).toBe(client.of.id);
});
