/**
 * Each difference that a reconciliation must detect, staged directly in the store: the command names it and the metric
 * counts it.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import type { PaymentPorts } from '../../../engine/service/payments/payment-ports.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { factsHash } from '../../../engine/store/connection/fields.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, SANDBOX, startPayments } from '../../payments/service/payment-rig.js';
import {
  alterBooking,
  alterPayment,
  readStoredBooking,
  readStoredPayment,
  removeBooking,
  rewriteJournal,
} from '../../support/stored.js';

const AT_ONCE = { page: 3, pause: async () => {} };
const MANUAL: PaymentPorts = { ...SANDBOX, compliance: { screen: async () => ({ kind: 'verify' }) } };

let on: PaymentRig;
let acme: Client;
let keys: LedgerKeys;
let clients = 0;

beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());
beforeEach(async () => {
  acme = await on.client(`acme-${++clients}`, { EUR: '1000.00', USD: '1000.00' });
  keys = ledgerKeys(acme);
  await on.services.store.clients.setScheduledLimit(acme.id, '1000000');
});

const redis = () => on.keyspace.redis;

/** As the command reports them; a restarted engine counts as many, except those of unknown clients. */
async function differences(): Promise<string[]> {
  const found = await on.ask('reconcile', { clientId: acme.id });
  if ('refusal' in found) throw new Error(found.text);
  return found.differences.map(({ what, expected, found: there }) => `${what}: ${expected} | ${there}`).sort();
}

const booked = (input: object = {}): Promise<Booking> =>
  on.book(acme.id, {
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    sellAmount: 100,
    description: 'staged',
    requestId: `r-${Math.random()}`,
    ...input,
  });
const without = async (key: string, entry: string): Promise<void> => void (await redis().xdel(key, entry));

/** Alters facts and their hash in the journal: only the facts themselves show it. */
async function alter(id: string, change: Partial<Booking>): Promise<void> {
  const { entry } = (await readStoredBooking(redis(), keys, id))!;
  const hash = factsHash(await alterBooking(redis(), keys, id, change));
  await rewriteJournal(redis(), keys.journal, (one) => (one.entry === entry ? { ...one, hash } : one));
}

test('a payment under way without its work, whose age PaymentWorkOld reports', async () => {
  const payment = await on.pay(acme, 'Erika');
  expect(await differences()).toEqual([]);
  const [entry] = await redis().xrange(keys.work, '-', '+');
  expect(entry![1]).toContain(payment.id);
  await without(keys.work, entry![0]);
  expect(await differences()).toEqual([`payment ${payment.id}: next step: work, or a time for it | none`]);
  on.clock.now += 90_000;
  const watch = new LedgerWatch(on.services);
  await watch.round(AT_ONCE);
  expect(watch.seen).toMatchObject({ differences: 1, lostSinceMs: payment.createdAtMs });
});

test('a rescheduled payment without its due entry', async () => {
  const payment = await on.pay(acme, 'SLOW');
  await on.work();
  expect(await differences()).toEqual([]);
  const put = (await redis().zrange(keys.due, '0', '-1')).find((one) =>
    one.startsWith(`work:${acme.id}:${payment.id}.`),
  )!;
  await redis().zrem(keys.due, put);
  expect(await differences()).toEqual([`payment ${payment.id}: next step: work, or a time for it | none`]);
});

test('reports no difference for a payment that waits for an operator without work', async () => {
  await on.pay(acme, 'Erika');
  await on.work(MANUAL);
  expect(await differences()).toEqual([]);
});

test('a payment awaiting funds without its expiry or its place in the queue', async () => {
  const payment = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 900_000n } });
  expect(payment.status).toBe('AWAITING_FUNDS');
  expect(await differences()).toEqual([]);
  await redis().zrem(keys.due, `expire:${acme.id}:${payment.id}`);
  await redis().del(keys.waiting);
  expect((await differences())[0]).toBe(`payment ${payment.id}: next step: a time at which it is given up | none`);
  expect((await differences())[1]).toContain(payment.id);
});

async function paidWithFee(): Promise<Payment> {
  await on.ask('setFee', { clientId: acme.id, corridor: 'DE', method: 'BANK', fixed: '1.00', percent: '0' });
  return on.pay(acme, 'Erika');
}

test('a fee split that its facts contradict', async () => {
  const payment = await paidWithFee();
  const key = keys.payment(payment.id);
  const [entry] = (await readStoredPayment(redis(), key)).entries!.split(' ');
  // Moves, balances and record agree with one another: one euro less is delivered.
  await rewriteJournal(redis(), keys.journal, (one) =>
    one.entry === entry
      ? {
          ...one,
          moves: one.moves.replace('transit 5000;', 'transit 4900;').replace('house:fees 100', 'house:fees 200'),
        }
      : one,
  );
  await alterPayment(redis(), key, { toTransit: '4900', toFees: '200' });
  await redis().hincrby(keys.balances, 'EUR/transit', -100);
  await redis().hincrby(keys.balances, 'EUR/house:fees', 100);
  expect(await differences()).toEqual([
    `payment ${payment.id}: amount, delivered, fees, minor units: 5000 5000 100 | 5000 4900 200`,
  ]);
});

test('a payment that delivers another amount than its conversion bought', async () => {
  await on.ask('changeAccount', { accountNumber: await account('USD'), autoBookFxSequence: 1 });
  const payment = await on.pay(acme, 'Erika', {
    amount: { kind: 'source', minor: 10_000n },
    sourceAccount: await account('USD'),
  });
  const [id = ''] = payment.bookingIds;
  const { buy } = (await on.services.store.bookings.read(acme, id))!;
  expect(await differences()).toEqual([]);
  await alter(id, { buy: String(BigInt(buy) + 100n) });
  const found = await differences();
  expect(
    found.some((line) =>
      line.startsWith(`payment ${payment.id}: amount, delivered, fees, minor units: ${BigInt(buy) + 100n}`),
    ),
  ).toBe(true);
});
const account = async (currency: string) =>
  (await on.services.store.accounts.list(acme)).find((one) => one.currency === currency)!.number;

test.each([
  ['the price', { price: 1_080_000 }],
  ["the provider's price", { providerPrice: 1_100_000 }],
  ['a price that no client gets', { price: -1 }],
  // The position has it as well.
  ['the margin', { margin: '1' }],
])('%s of a booking, whose amounts are computed again', async (_what, change) => {
  const booking = await booked({ type: 'SCHEDULED1' });
  expect(await differences()).toEqual([]);
  await alter(booking.id, change);
  const found = await differences();
  expect(found.slice(1)).toEqual('margin' in change ? [expect.stringMatching(/^position EUR\/USD /)] : []);
  expect(found[0]).toContain(`booking ${booking.id}: sell, buy, margin, minor units: `);
});

test('two bookings on one hold', async () => {
  const hold = await on.hold(acme.id, { sellCurrency: 'EUR', buyCurrency: 'USD' });
  const first = await booked({ holdId: hold.id });
  expect(await differences()).toEqual([]);
  await redis().hset(keys.hold(hold.id), 'status', 'open');
  const second = await booked({ holdId: hold.id });
  expect(await differences()).toEqual([`hold ${hold.id}: conversion: ${first.id} | ${second.id}`]);
});

test('a booking at another price than its hold had in its direction', async () => {
  const hold = await on.hold(acme.id, { sellCurrency: 'USD', buyCurrency: 'EUR', twoWay: true });
  await booked({ holdId: hold.id });
  expect(await differences()).toEqual([]);
  const { price } = hold.opposite!;
  const facts = (await redis().hget(keys.hold(hold.id), 'facts'))!;
  await redis().hset(keys.hold(hold.id), 'facts', facts.replace(`"price":${price}`, `"price":${price + 1}`));
  expect(await differences()).toEqual([`hold ${hold.id}: price: ${price} | ${price + 1}`]);
  await redis().hset(keys.hold(hold.id), 'facts', facts.replace(/"opposite":\{[^}]*\},?/, ''));
  expect(await differences()).toEqual([`hold ${hold.id}: price: ${price} | 0`]);
});

test('a booking erased together with its journal entry', async () => {
  const booking = await booked({ type: 'SCHEDULED1' });
  await removeBooking(redis(), keys, booking.id);
  await redis().del(keys.receipt(booking.requestId));
  await redis().zrem(keys.due, `settle:${acme.id}:${booking.id}`);
  await redis().hincrby(keys.scheduled, 'EUR', -Number(booking.sell));
  await without(keys.journal, (await redis().xrevrange(keys.journal, '+', '-', 'COUNT', 1))[0]![0]);
  expect(await differences()).toEqual([
    'journal: entries ever added: 3 | 2 here and in the archive',
    `open conversions of its group: ${booking.id}: none | there`,
    expect.stringMatching(/^position EUR\/USD \d{8}, bought: received 0\.00 EUR, .* \| received 100\.00 EUR, /),
    'scheduled sells of the group in EUR: 0.00 | 100.00',
  ]);
});

test('a payment erased but still listed', async () => {
  const payment = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 900_000n } });
  await redis().del(keys.payment(payment.id), keys.receipt(payment.requestId), keys.waiting);
  await without(keys.journal, (await redis().xrevrange(keys.journal, '+', '-', 'COUNT', 1))[0]![0]);
  expect(await differences()).toEqual([
    'journal: entries ever added: 3 | 2 here and in the archive',
    'list of payments: entries: 0 | 1',
    `list of payments: record of ${payment.id}: a payment | none`,
  ]);
});

test('a missing open hold, due entry and receipt expiry', async () => {
  const booking = await booked();
  const scheduled = await booked({ type: 'SCHEDULED1' });
  const hold = await on.hold(acme.id, { sellCurrency: 'EUR', buyCurrency: 'USD' }, 'DESK1');
  expect(await differences()).toEqual([]);
  await redis().zrem(keys.due, `settle:${acme.id}:${scheduled.id}`, `hold:${acme.id}:${hold.id}`);
  await redis().del(keys.openHolds);
  await redis().persist(keys.receipt(booking.requestId));
  expect(await differences()).toEqual(
    [
      `due list: booking ${scheduled.id}: a time to settle | none`,
      `due list: hold ${hold.id}: there | none`,
      `open holds: ${hold.id}: there | none`,
      `receipt ${booking.requestId}: end: within 7 days | never`,
    ].sort(),
  );
});

test('an erased open hold, and the erased client of an account number', async () => {
  const hold = await on.hold(acme.id, { sellCurrency: 'EUR', buyCurrency: 'USD' });
  const [account] = await on.services.store.accounts.list(acme);
  for (const key of [keys.hold(hold.id), `account:${account!.number}`]) await redis().del(key);
  expect(await differences()).toEqual(
    [`account ${account!.number}: client: ${acme.id} | none`, `open holds: record of ${hold.id}: a hold | none`].sort(),
  );
  await redis().set(`account:${account!.number}`, acme.id);
});

test('counts lookup keys without a record, and reports no difference', async () => {
  const payment = await on.pay(acme, 'Erika');
  const whole = async () => {
    const answer = await on.ask('reconcile', {});
    if ('refusal' in answer) throw new Error(answer.text);
    return [answer.lookupsWithoutRecord, answer.count];
  };
  const [lookups, count] = await whole();
  // One command for each: on a cluster they are in different slots.
  for (const key of ['payment:PAY0000000000001', 'funding:GLR0000000000001', 'account:990000000001'])
    await redis().set(key, acme.id);
  await redis().set('payment:PAY0000000000002', 'unknown');
  expect(await whole()).toEqual([lookups! + 4, count]);
  await redis().del(keys.payment(payment.id));
  expect((await whole())[0]).toBe(lookups! + 5);
});

test.each([
  ['description', []],
  ['valueDate', [/^position EUR\/USD (?!2099)/, /^position EUR\/USD 20991231, bought: received 100\.00 EUR, /]],
  ['holdId', []],
] as const)('altered facts of a booking: %s', async (field, positions) => {
  const booking = await booked();
  await alterBooking(redis(), keys, booking.id, { [field]: '20991231' });
  expect(await differences()).toEqual([
    expect.stringMatching(`^booking ${booking.id}: hash of its facts: [0-9a-f]{16} `),
    ...positions.map((position) => expect.stringMatching(position)),
  ]);
});

test('an altered account of a beneficiary', async () => {
  const payment = await on.pay(acme, 'Erika');
  const facts = JSON.parse((await readStoredPayment(redis(), keys.payment(payment.id))).facts!);
  const details = { ...facts.details, beneficiary: { name: 'Mallory' } };
  await alterPayment(redis(), keys.payment(payment.id), { facts: JSON.stringify({ ...facts, details }) });
  expect(await differences()).toEqual([expect.stringContaining(`payment ${payment.id}: hash of its facts: `)]);
});

test('an entry of another program, of whatever form', async () => {
  await booked();
  for (const fields of [
    ['2', 'book-fx|BFX1|1|'],
    ['step', 'book-fx'],
    ['', ''],
  ])
    await redis().xadd(keys.journal, '*', ...fields);
  expect((await differences()).filter((text) => text.includes('step')).length).toBeGreaterThan(0);
});

test('an entry whose hash of its facts was removed', async () => {
  const booking = await booked();
  await rewriteJournal(redis(), keys.journal, (entry) => ({ ...entry, hash: '' }));
  expect(await differences()).toEqual([expect.stringContaining(`booking ${booking.id}: hash of its facts:  | `)]);
});

test("a ledger without its client's record", async () => {
  const watch = new LedgerWatch(on.services);
  await watch.round(AT_ONCE);
  const before = watch.seen!.differences;
  await redis().xadd('{s07}:client:ghost:journal', '*', 'step', 'deposit');
  await redis().hset('{s07}:client:spirit:balances', 'EUR/nostro', '-1');
  const found = await on.ask('reconcile', {});
  if ('refusal' in found) throw new Error(found.text);
  const ghosts = found.differences.filter(({ what }) => what === 'record of the client');
  expect(ghosts.map(({ client, expected, found: there }) => `${client}: ${expected} | ${there}`).sort()).toEqual([
    'ghost: in shard 7 | none',
    'spirit: in shard 7 | none',
  ]);
  const again = new LedgerWatch(on.services);
  await again.round(AT_ONCE);
  expect(again.seen!.differences).toBe(before + 2);
});

test('a client missing from the list of clients', async () => {
  const watch = new LedgerWatch(on.services);
  await watch.round(AT_ONCE);
  const before = watch.seen!.differences;
  await redis().zrem('clients', acme.id);
  try {
    const found = await on.ask('reconcile', {});
    if ('refusal' in found) throw new Error(found.text);
    expect(found.differences).toContainEqual({
      client: acme.id,
      what: 'list of clients',
      expected: acme.id,
      found: 'none',
    });
    // An incremental round does not see the client.
    await watch.round(AT_ONCE);
    expect(watch.seen!.differences).toBe(before + 1);
  } finally {
    await redis().zadd('clients', 0, acme.id);
  }
  await watch.round(AT_ONCE);
  expect(watch.seen!.differences).toBe(before);
});

test('list entries without clients hide no client after them', async () => {
  const names = Array.from({ length: 250 }, (_, i) => `aaa-${i}`);
  await redis().zadd('clients', ...names.flatMap((name) => [0, name]));
  try {
    const found = await on.ask('reconcile', {});
    if ('refusal' in found) throw new Error(found.text);
    expect(found.clients).toBeGreaterThanOrEqual(clients);
  } finally {
    await redis().zrem('clients', ...names);
  }
});

test('reports no difference while payments, bookings, holds and expiries run concurrently', async () => {
  const own = { clientId: acme.id };
  let isOver = false;
  const differing: unknown[] = [];
  const looks = (async () => {
    while (!isOver) {
      const found = await on.ask('reconcile', own);
      if ('refusal' in found) throw new Error(found.text);
      differing.push(...found.differences);
    }
  })();
  for (let i = 0; i < 15; i++) {
    await Promise.all([
      on.pay(acme, i % 2 ? 'SLOW' : 'Erika', { amount: { kind: 'destination', minor: 100n } }),
      booked({ sellAmount: 1 }),
      booked({ sellAmount: 1, type: 'SCHEDULED1' }),
      on.hold(acme.id, { sellCurrency: 'EUR', buyCurrency: 'USD' }),
      on.work(),
    ]);
    await on.later(5_000);
  }
  isOver = true;
  await looks;
  expect(differing).toEqual([]);
});
