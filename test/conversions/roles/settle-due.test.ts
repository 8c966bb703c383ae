/** Scheduled conversions settle at their time, once, in any number of engines and rounds; held rates expire. */

import { afterEach, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, startLedgerRig } from '../../service/ledger-rig.js';
import { PROOF } from '../../support/proof.js';
import { about, KIND, ON_CLUSTER, startTestStore } from '../../support/store.js';
import { alterBooking } from '../../support/stored.js';

const at = (text: string): number => Date.parse(`${text}:00.000Z`);
const MONDAY = '2028-06-26T10:00';
const HOUR_MS = 3_600_000;
const LIMIT = 100;
const NOTHING = { due: 0, settled: 0, overdue: 0, expired: 0, isFull: false };

let rig: LedgerRig;
afterEach(() => rig.stop());

test.each([
  // 4 July 2028, a Tuesday, is a holiday in New York.
  ['SCHEDULED1', MONDAY, '2028-06-27T10:00'],
  ['SCHEDULED2', MONDAY, '2028-06-28T10:00'],
  ['SCHEDULED1', '2028-06-30T17:30', '2028-07-03T17:30'],
  ['SCHEDULED2', '2028-06-30T23:59', '2028-07-03T23:59'],
  ['SCHEDULED1', '2028-07-03T09:00', '2028-07-05T09:00'],
  ['SCHEDULED2', '2028-07-02T00:00', '2028-07-05T00:00'],
])('%s of %s settles at %s, not before', async (type, booked, settles) => {
  rig = await startLedgerRig(at(booked));
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  const { id, status, buy } = await acme.book('EUR/USD', 1_000, { type });
  expect(status).toBe('OPEN');
  expect([await acme.balance('EUR'), await acme.balance('USD')]).toEqual([500_000n, 0n]);

  rig.now = at(settles) - 15_000;
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
  expect(await acme.read(id)).toMatchObject({ status: 'OPEN', settledAtMs: undefined });

  rig.now = at(settles);
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
  expect(await acme.read(id)).toMatchObject({ status: 'SETTLED', settledAtMs: about(at(settles)) });
  expect([await acme.balance('EUR'), await acme.balance('USD')]).toEqual([400_000n, BigInt(buy)]);

  rig.now += 30 * 24 * HOUR_MS;
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
});

test('a request repeated after the settlement gets its first answer', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  const command = { type: 'SCHEDULED1', requestId: 'again' };
  const first = await acme.book('EUR/USD', 10, command);
  rig.now += 48 * HOUR_MS;
  await settleDue(rig.services, LIMIT);
  expect((await acme.read(first.id))?.status).toBe('SETTLED');
  expect(await acme.book('EUR/USD', 10, command)).toEqual(first);
});

test('an engine that starts later settles what fell due while none ran', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  const booked = [];
  for (const amount of [10, 20, 30]) booked.push(await acme.book('EUR/USD', amount, { type: 'SCHEDULED1' }));
  rig.now += 5 * 24 * HOUR_MS;
  const later = await rig.another();
  expect(await settleDue(later, LIMIT)).toMatchObject({ due: 3, settled: 3 });
  for (const { id } of booked) expect((await acme.read(id))?.status).toBe('SETTLED');
  expect(await acme.balance('EUR')).toBe(494_000n);
});

test('what was booked before a restart of the store settles after it', async () => {
  rig = await startLedgerRig(at(MONDAY), KIND);
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  const { id, expiryMs } = await acme.book('EUR/USD', 10, { type: 'SCHEDULED2' });
  rig.redis.disconnect();
  await rig.opened.store.close();

  rig.now = expiryMs;
  const { dataDir, redisUrl } = rig.opened;
  const started = await startTestStore({ dataDir, now: () => rig.now, ...(ON_CLUSTER && { redisUrl }) });
  const services = { ...rig.services, store: started.store };
  expect(await settleDue(services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
  const client = (await started.store.clients.get('acme'))!;
  expect(await started.store.bookings.read(client, id)).toMatchObject({
    status: 'SETTLED',
    settledAtMs: about(expiryMs),
  });
  await started.stop();
});

test('without the money a conversion is overdue: retried each hour, and settled right after a credit', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '99.99', USD: '0' }, '1000000');
  const { id, expiryMs } = await acme.book('EUR/USD', 100, { type: 'SCHEDULED1' });

  rig.now = expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 0, overdue: 1 });
  expect((await acme.read(id))?.status).toBe('OVERDUE');
  expect(rig.log.filter((line) => line.includes(id))).toHaveLength(1);

  rig.now = expiryMs + HOUR_MS - 15_000;
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
  rig.now = expiryMs + HOUR_MS;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, overdue: 1 });

  // Money in another account triggers nothing.
  await acme.credit('USD', '5.00');
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
  rig.now += 1;
  await acme.credit('EUR', '0.01');
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
  expect(await acme.read(id)).toMatchObject({ status: 'SETTLED', settledAtMs: about(rig.now) });
  expect(await acme.balance('EUR')).toBe(0n);
});

test.each([
  ['EUR', 'USD'],
  ['USD', 'EUR'],
] as const)(
  'a conversion with both accounts inactive is overdue, and settles at once after %s then %s is activated',
  async (first, last) => {
    rig = await startLedgerRig(at(MONDAY));
    const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
    const { id, buy, expiryMs } = await acme.book('EUR/USD', 1_000, { type: 'SCHEDULED1' });
    const change = async (currency: string, active: boolean) =>
      rig.ask('changeAccount', { accountNumber: await acme.account(currency), active });
    for (const currency of [first, last]) await change(currency, false);

    rig.now = expiryMs;
    expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 0, overdue: 1 });
    expect((await acme.read(id))?.status).toBe('OVERDUE');
    expect([await acme.balance('EUR'), await acme.balance('USD')]).toEqual([500_000n, 0n]);
    const { entries } = await rig.ask('readJournal', { clientId: 'acme', limit: 1 });
    expect(entries).toMatchObject([{ step: 'overdue-fx', id, reason: 'ACCOUNT_INACTIVE' }]);

    rig.now += 1_000;
    await change(first, true);
    expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 0, overdue: 1 });
    await change(last, true);
    expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
    expect(await acme.read(id)).toMatchObject({ status: 'SETTLED', settledAtMs: about(rig.now) });
    expect([await acme.balance('EUR'), await acme.balance('USD')]).toEqual([400_000n, BigInt(buy)]);
    expect((await rig.ask('reconcile', {})).differences).toEqual([]);
    expect(await rig.redis.exists(acme.key('overdue'), acme.key('overdue-into'))).toBe(0);
  },
);

test('a conversion that brings the money also settles what waits for it', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  const { id, expiryMs } = await acme.book('USD/EUR', 100, { type: 'SCHEDULED1' });
  rig.now = expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ overdue: 1 });
  await acme.book('EUR/USD', 200);
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ settled: 1 });
  expect((await acme.read(id))?.status).toBe('SETTLED');
});

test('a conversion that settles triggers what waits for its money', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  const waits = await acme.book('USD/EUR', 100, { type: 'SCHEDULED1' });
  rig.now += HOUR_MS / 2;
  const brings = await acme.book('EUR/USD', 200, { type: 'SCHEDULED1' });
  rig.now = waits.expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ overdue: 1 });
  rig.now = brings.expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 1, settled: 1 });
  expect((await acme.read(waits.id))?.status).toBe('SETTLED');
});

test('of two conversions that wait for one account the older settles first', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '0', USD: '0' }, '1000000');
  const older = await acme.book('EUR/USD', 100, { type: 'SCHEDULED1' });
  rig.now += 1_000;
  const younger = await acme.book('EUR/USD', 60, { type: 'SCHEDULED1' });
  rig.now = younger.expiryMs;
  await acme.credit('EUR', '100.00');
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ settled: 1, overdue: 1 });
  expect((await acme.read(older.id))?.status).toBe('SETTLED');
  expect((await acme.read(younger.id))?.status).toBe('OVERDUE');
});

test('an operator cancels what is open or overdue, and nothing else', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '50.00', USD: '0' }, '1000000');
  const open = await acme.book('EUR/USD', 10, { type: 'SCHEDULED2' });
  const overdue = await acme.book('EUR/USD', 60, { type: 'SCHEDULED1' });
  const settled = await acme.book('EUR/USD', 20);
  rig.now = overdue.expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ overdue: 1 });

  for (const { id } of [open, overdue]) {
    const { booking } = await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: id });
    expect(booking.status).toBe('CANCELLED');
    expect((await rig.ask('showBooking', { clientId: 'acme', confirmationId: id })).booking.status).toBe('CANCELLED');
    await expect(rig.ask('cancelBooking', { clientId: 'acme', confirmationId: id })).rejects.toThrow(
      /^NOT_CANCELLABLE: .*CANCELLED/,
    );
  }
  await expect(rig.ask('cancelBooking', { clientId: 'acme', confirmationId: settled.id })).rejects.toThrow(/SETTLED/);

  rig.now += 30 * 24 * HOUR_MS;
  await acme.credit('EUR', '1000.00');
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
  expect(await acme.balance('EUR')).toBe(103_000n);
});

test('open scheduled sells count against the limit of their currency until they settle or are cancelled', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '100.00', USD: '500.00' }, '100');
  const type = 'SCHEDULED1';
  const first = await acme.book('EUR/USD', 60, { type });
  const second = await acme.book('EUR/USD', 40, { type });
  expect(await acme.tryToBook('EUR/USD', 1, { type })).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
  await acme.book('USD/EUR', 100, { type });

  await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: second.id });
  await acme.book('EUR/USD', 40, { type });
  expect(await acme.tryToBook('EUR/USD', 1, { type })).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });

  // Overdue ones still count, until the money arrives and they settle.
  const accountNumber = await acme.account('EUR');
  await rig.ask('changeAccount', { accountNumber, active: false });
  rig.now = first.expiryMs;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ overdue: 3 });
  await rig.ask('changeAccount', { accountNumber, active: true });
  expect(await acme.tryToBook('EUR/USD', 1, { type })).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ settled: 3 });
  await acme.book('EUR/USD', 100, { type });
  expect(await acme.tryToBook('EUR/USD', 1, { type })).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
});

test('two concurrent engines settle each conversion once', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  const beta = await rig.client('beta', { EUR: '1000.00', USD: '0' }, '1000000');
  let bought = 0n;
  for (let i = 0; i < 25; i++) {
    bought += BigInt((await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' })).buy);
    await beta.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  }
  rig.now += 24 * HOUR_MS;
  const other = await rig.another();
  const rounds = await Promise.all([settleDue(rig.services, LIMIT), settleDue(other, LIMIT), settleDue(other, LIMIT)]);
  expect(rounds.reduce((sum, { settled }) => sum + settled, 0)).toBe(50);
  expect([await acme.balance('EUR'), await acme.balance('USD')]).toEqual([75_000n, bought]);
  const journal = await rig.ask('readJournal', { clientId: 'acme', limit: 1_000 });
  expect(journal.entries.filter(({ step }) => step === 'settle-fx')).toHaveLength(25);
});

test('a round processes a limited number per shard, and reports that more wait', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  for (let i = 0; i < 5; i++) await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  rig.now += 24 * HOUR_MS;
  expect(await settleDue(rig.services, 3)).toMatchObject({ settled: 3, isFull: true });
  expect(await settleDue(rig.services, 3)).toMatchObject({ settled: 2, isFull: false });
});

test('a conversion settled at once is never settled again', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  const { id, status } = await acme.book('EUR/USD', 100);
  expect(status).toBe('SETTLED');
  rig.now += 7 * 24 * HOUR_MS;
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
  expect(await acme.read(id)).toMatchObject({ status: 'SETTLED', settledAtMs: at(MONDAY) });
});

test('drops entries that name nothing, and an unreadable one blocks no other', async () => {
  rig = await startLedgerRig(at(MONDAY));
  const acme = await rig.client('acme', { EUR: '1000.00', USD: '0' }, '1000000');
  const broken = await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  rig.now += 1_000;
  const sound = await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  const keys = ledgerKeys((await rig.services.store.clients.get('acme'))!);
  await alterBooking(rig.redis, keys, broken.id, { factsText: '1[' });

  const { shard } = (await rig.services.store.clients.get('acme'))!;
  const due = (of: number) => `{s${String(of).padStart(2, '0')}}:due`;
  const elsewhere = due((shard + 1) % 64);
  const nothing = [
    'settle:unknown:BFX0000000000000',
    'hold:acme:HLD0000000000',
    'pay:acme:x',
    'settle:a*:b',
    'x:y:z:w',
  ];
  for (const entry of nothing) await rig.redis.zadd(due(shard), 1, entry);
  // The right client in another's shard.
  await rig.redis.zadd(elsewhere, 1, `settle:acme:${sound.id}`);

  rig.now = sound.expiryMs;
  expect(await settleDue(rig.services, 3)).toMatchObject({ isFull: true });
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ settled: 1 });
  expect((await acme.read(sound.id))?.status).toBe('SETTLED');
  const [entry, dueAt] = await rig.redis.zrange(due(shard), '0', '-1', 'WITHSCORES');
  expect([entry, Number(dueAt)]).toEqual([`settle:acme:${broken.id}`, about(rig.now + HOUR_MS)]);
  expect(await rig.redis.exists(elsewhere)).toBe(0);
});

test('a rate held by a desk expires at its time, and its session is notified once', async () => {
  rig = await startLedgerRig(Date.now());
  await rig.client('acme', {});
  const { holds, fixSessions, clients } = rig.services.store;
  const record = (await clients.get('acme'))!;
  const hold = {
    id: 'HLD0123456789',
    owner: 'ACME1',
    pair: 'EUR/USD',
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    price: 10_800_000,
    providerPrice: 10_843_100,
    marginPpm: 4_000,
    proof: PROOF,
    type: 'PREFUNDING' as const,
    valueDate: '20280628',
    createdAtMs: rig.now,
    expiryMs: rig.now + 60_000,
  };
  await holds.lock(record, {
    hold,
    untilMs: rig.now + 30_000,
    isClosed: false,
    openMax: 5,
    usd: '100',
    limitUsd: 10n ** 12n,
  });
  const outbox = () => fixSessions.readOutbox('FXENGINE', 'ACME1', record.shard, undefined, 10);

  rig.now += 45_000;
  expect(await settleDue(rig.services, LIMIT)).toMatchObject({ due: 0, expired: 0 });
  rig.now += 15_001;
  const other = await rig.another();
  const rounds = await Promise.all([settleDue(rig.services, LIMIT), settleDue(other, LIMIT)]);
  expect(rounds.reduce((sum, { expired }) => sum + expired, 0)).toBe(1);
  expect((await holds.read(record, hold.id))?.status).toBe('expired');
  expect(await outbox()).toEqual([expect.objectContaining({ kind: 'hold-expired', data: hold.id })]);
  expect(await settleDue(rig.services, LIMIT)).toEqual(NOTHING);
});
