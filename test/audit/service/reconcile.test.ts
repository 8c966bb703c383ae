/** Balances, journal, bookings and receipts compared: no report while all agree, and every alteration is named. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { bookingFactsText } from '../../../engine/store/ledger/records.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { alterBooking, entryFields, memberText, removeBooking, rewriteJournal } from '../../support/stored.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const AT_ONCE = { page: 7, pause: async () => {} };

let rig: LedgerRig;
beforeEach(async () => {
  rig = await startLedgerRig(MONDAY);
});
afterEach(() => rig.stop());

const differences = async (clientId?: string) => (await rig.ask('reconcile', { clientId })).differences;

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PAIRS = ['EUR/USD', 'USD/EUR', 'USD/JPY', 'JPY/USD', 'GBP/USD', 'EUR/JPY', 'GBP/EUR'];
const TYPES = ['PREFUNDING', 'PREFUNDING', 'SCHEDULED1', 'SCHEDULED2'];

/** Books (some orders are rejected), cancels, and lets days pass. */
async function trade(clients: readonly RigClient[], commands: number, seed: number): Promise<number> {
  const next = numbers(seed);
  let booked = 0;
  const open: [string, string][] = [];
  for (let i = 0; i < commands; i++) {
    const client = clients[next(clients.length)]!;
    const pair = PAIRS[next(PAIRS.length)]!;
    const amount = pair.startsWith('JPY') ? 100 + next(50_000) : (100 + next(90_000)) / 100;
    const type = TYPES[next(TYPES.length)]!;
    const answer = await client.tryToBook(pair, amount, { type });
    if (!('refusal' in answer)) {
      booked++;
      if (answer.status === 'OPEN') open.push([client.id, answer.id]);
    }
    if (next(20) === 0 && open.length > 0) {
      const [clientId, confirmationId] = open.splice(next(open.length), 1)[0]!;
      await rig.ask('cancelBooking', { clientId, confirmationId }).catch(() => {});
    }
    if (next(15) === 0) {
      rig.now += 12 * 3_600_000;
      await settleDue(rig.services, 100);
    }
    if (next(40) === 0) await client.credit('EUR', '250.00');
  }
  return booked;
}

const POOR = { EUR: '9000.00', USD: '4000.00', JPY: '300000', GBP: '900.00' };

test('after 200 random bookings everything agrees, played at once and in two parts', async () => {
  const clients = [await rig.client('acme', POOR, '900000'), await rig.client('beta', POOR, '900000')];
  const watch = new LedgerWatch(rig.services);
  let booked = await trade(clients, 150, 1);
  await watch.round(AT_ONCE);
  expect(watch.seen).toMatchObject({ differences: 0 });
  const before = watch.seen!.journalEntries;

  for (let seed = 2; booked < 200; seed++) booked += await trade(clients, 50, seed);
  expect(await rig.ask('reconcile', {})).toMatchObject({ clients: 2, count: 0, differences: [], receipts: booked });
  await watch.round(AT_ONCE);
  expect(watch.seen).toMatchObject({ differences: 0 });
  expect(watch.seen!.journalEntries).toBeGreaterThan(before);

  // The random run covers every way in which a conversion ends.
  const steps = new Set<string>();
  for (const { id } of clients)
    for (const { step } of (await rig.ask('readJournal', { clientId: id, limit: 1_000 })).entries) steps.add(step);
  expect([...steps].sort()).toEqual(['book-fx', 'cancel-fx', 'deposit', 'overdue-fx', 'settle-fx']);
});

test('reports nothing while conversions are booked, settled and cancelled', async () => {
  const clients = [await rig.client('acme', POOR, '900000'), await rig.client('beta', POOR, '900000')];
  const watch = new LedgerWatch(rig.services);
  let trading = true;
  let rounds = 0;
  const traded = (async () => {
    for (let seed = 11; rounds < 3; seed += 3)
      await Promise.all([0, 1, 2].map((trader) => trade(clients, 25, seed + trader)));
  })().finally(() => {
    trading = false;
  });
  try {
    while (trading) {
      expect(await differences()).toEqual([]);
      await watch.round({ page: 10, pause: () => new Promise((resolve) => setImmediate(resolve)) });
      expect(watch.seen?.differences).toBe(0);
      rounds++;
    }
  } finally {
    // Also after a round that found a difference.
    rounds = 3;
    await traded;
  }
  expect(await differences()).toEqual([]);
});

describe('names each alteration in the command and counts it in the metric', () => {
  let acme: RigClient;
  let first: Awaited<ReturnType<RigClient['book']>>;
  let scheduled: typeof first;
  let overdue: typeof first;
  let watch: LedgerWatch;
  beforeEach(async () => {
    acme = await rig.client('acme', { EUR: '100.00', USD: '0', JPY: '0' }, '1000');
    await rig.client('beta', { EUR: '100.00' });
    overdue = await acme.book('JPY/EUR', 1_000, { type: 'SCHEDULED1' });
    rig.now += 3 * DAY_MS;
    await settleDue(rig.services, 100);
    first = await acme.book('EUR/USD', 10);
    scheduled = await acme.book('EUR/USD', 20, { type: 'SCHEDULED2' });
    await acme.book('EUR/USD', 30);
    watch = new LedgerWatch(rig.services);
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(0);
  });

  /** A new engine sees it at once; one that has already played the journal within a day. */
  async function reported(): Promise<string[]> {
    const found = await differences();
    for (const { client } of found) expect(client).toBe('acme');
    const fresh = new LedgerWatch(rig.services);
    await fresh.round(AT_ONCE);
    expect(fresh.seen?.differences).toBe(found.length);
    rig.now += DAY_MS;
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(found.length);
    expect(rig.log.join('\n')).toContain('do not agree');
    expect(rig.log.join('\n')).not.toContain(await acme.account('EUR'));
    expect(await differences('beta')).toEqual([]);
    return found.map(({ what, expected, found }) => `${what}: ${expected} | ${found}`).sort();
  }
  const eur = () => acme.account('EUR');
  const keysOf = async () => ledgerKeys((await rig.services.store.clients.get('acme'))!);
  const journalOf = async (id: string, step = 'book-fx') =>
    (await rig.ask('readJournal', { clientId: 'acme' })).entries.find(
      (entry) => entry.id === id && entry.step === step,
    )!.entry;
  /** The journal with one entry's moves changed; entry ids stay. */
  async function rewrite(place: string, change: (moves: string) => string): Promise<void> {
    await rewriteJournal(rig.redis, acme.key('journal'), (entry) =>
      entry.entry === place ? { ...entry, moves: change(entry.moves) } : entry,
    );
  }

  test('a balance', async () => {
    await rig.redis.hincrby(acme.key('balances'), `EUR/${await eur()}`, -500);
    expect(await reported()).toEqual([`balance EUR/${await eur()}: 60.00 | 55.00`, 'sum of EUR: 0.00 | -5.00']);
  });

  test('a balance of the house, and one without an owner', async () => {
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', -1);
    await rig.redis.hset(acme.key('balances'), 'EUR/123456789012', '1');
    expect(await reported()).toEqual([
      'account 123456789012: EUR | none',
      'balance EUR/123456789012: 0.00 | 0.01',
      'balance EUR/house:fx: 40.00 | 39.99',
    ]);
  });

  test('a balance that is no number, and a removed account', async () => {
    const [usd, own] = [await acme.account('USD'), await eur()];
    await rig.redis.hset(acme.key('balances'), `EUR/${own}`, 'much');
    await rig.redis.hdel(acme.key('accounts'), usd);
    const named = (await differences()).map(({ what, expected, found }) => `${what}: ${expected} | ${found}`);
    expect(named).toContain(`balance EUR/${own}: 60.00 | much`);
    expect(named).toContain(`account ${usd}: USD | none`);
  });

  test('the moves of a journal entry', async () => {
    const place = await journalOf(first.id);
    await rewrite(place, (moves) => moves.replace(/ 1000;/, ' 1001;'));
    expect(await reported()).toEqual([
      `balance EUR/${await eur()}: 59.99 | 60.00`,
      'balance EUR/house:fx: 40.01 | 40.00',
      expect.stringMatching(
        new RegExp(`^journal ${place} \\(book-fx ${first.id}\\): moves: EUR .* 1000;.* \\| EUR .* 1001;`),
      ),
    ]);
  });

  test('a journal entry with malformed moves', async () => {
    const place = await journalOf(first.id);
    await rewrite(place, () => 'all of it\u001b[2J');
    expect((await reported()).filter((line) => line.includes('CUR from to amount'))).toEqual([
      `journal ${place} (book-fx ${first.id}): moves: CUR from to amount | all of it?[2J`,
    ]);
  });

  test('a removed journal entry', async () => {
    const place = await journalOf(first.id);
    await rig.redis.xdel(acme.key('journal'), place);
    const found = await reported();
    expect(found).toContain(`booking ${first.id}: journal entry: ${place} | none`);
    expect(found).toContain(`balance EUR/${await eur()}: 70.00 | 60.00`);
  });

  test('a journal entry with an unknown step', async () => {
    await rig.redis.xadd(acme.key('journal'), '*', ...entryFields({ step: 'gift', id: 'x' }));
    expect(await reported()).toEqual([expect.stringMatching(/^journal .* \(gift x\): step: book-fx .* \| gift$/)]);
  });

  test('a receipt that names another conversion', async () => {
    await rig.redis.set(acme.key(`receipt:${first.requestId}`), `1|booking|${scheduled.id}|x`, 'KEEPTTL');
    expect(await reported()).toEqual(
      [
        `receipt ${first.requestId}: ${first.id} | ${scheduled.id}`,
        `receipt ${first.requestId}: ${scheduled.id} under ${scheduled.requestId} | ${scheduled.id}`,
      ].sort(),
    );
  });

  test('a removed receipt', async () => {
    await rig.redis.del(acme.key(`receipt:${first.requestId}`));
    expect(await reported()).toEqual([`receipt ${first.requestId}: ${first.id} | none`]);
  });

  test('a receipt for an unknown conversion', async () => {
    await rig.redis.set(acme.key('receipt:forged'), '1|booking|BFX0000000000000|x');
    expect(await reported()).toEqual(['receipt forged: a conversion | BFX0000000000000, which there is not']);
  });

  test('a conversion without a journal entry', async () => {
    const forged = { ...first, id: 'BFX0000000000000', requestId: 'forged' };
    await rig.redis.zadd(acme.key('bookings'), 0, memberText(forged, { entry: '', facts: bookingFactsText(forged) }));
    await rig.redis.set(acme.key('receipt:forged'), '1|booking|BFX0000000000000|x');
    expect(await reported()).toContain('booking BFX0000000000000: journal entry: one | none');
  });

  test('the amount of a conversion, and a removed conversion', async () => {
    await alterBooking(rig.redis, await keysOf(), first.id, { sell: '999' });
    await removeBooking(rig.redis, await keysOf(), scheduled.id);
    const found = await reported();
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`\\(book-fx ${first.id}\\): moves: EUR .* 999;`)));
    expect(found).toContainEqual(
      expect.stringMatching(new RegExp(`^booking ${scheduled.id}: as in journal .* \\| none$`)),
    );
    expect(found).toContain('scheduled sells in EUR: 0.00 | 20.00');
    expect(found).toContain(`receipt ${scheduled.requestId}: a conversion | ${scheduled.id}, which there is not`);
  });

  test('the status of a conversion', async () => {
    await alterBooking(rig.redis, await keysOf(), first.id, { status: 'CANCELLED' });
    await alterBooking(rig.redis, await keysOf(), scheduled.id, { status: 'SETTLED' });
    expect(await reported()).toEqual([
      ...[`booking ${first.id}: status: SETTLED | CANCELLED`, `booking ${scheduled.id}: status: OPEN | SETTLED`].sort(),
    ]);
  });

  test('the open, overdue and due indexes', async () => {
    await rig.redis.hincrby(acme.key('scheduled'), 'EUR', 1);
    await rig.redis.del(acme.key('overdue'));
    await rig.redis.zrem(acme.key('').replace(/:client:.*/, ':due'), `settle:acme:${scheduled.id}`);
    expect(await reported()).toEqual([
      `due list: booking ${scheduled.id}: a time to settle | none`,
      expect.stringMatching(`^overdue ${overdue.id}: account: \\d{12} \\| none$`),
      'scheduled sells in EUR: 20.00 | 20.01',
      'scheduled sells of the group in EUR: 20.01 | 20.00',
    ]);
  });

  test('the index of overdue conversions by the account bought into, in both directions', async () => {
    const index = acme.key('overdue-into');
    const [eurAccount, usdAccount] = [await eur(), await acme.account('USD')];
    expect(await rig.redis.zrange(index, '0', '-1')).toEqual([`${eurAccount}|${overdue.id}`]);
    await rig.redis.del(index);
    expect(await reported()).toEqual([`overdue ${overdue.id}: account bought into: ${eurAccount} | none`]);
    await rig.redis.zadd(index, 0, `${eurAccount}|${overdue.id}`, 0, `${usdAccount}|${first.id}`);
    expect(await reported()).toEqual([`overdue ${first.id}: account bought into: none | ${usdAccount}`]);
    await rig.redis.zrem(index, `${usdAccount}|${first.id}`);
    await rig.redis.zadd(index, 0, `${usdAccount}|${overdue.id}`);
    expect(await reported()).toEqual([
      `overdue ${overdue.id}: account bought into: ${eurAccount} | ${[eurAccount, usdAccount].sort().join(' ')}`,
    ]);
  });

  test('an overdue conversion without its index entry by the account bought into, and with another', async () => {
    const what = expect.stringMatching(`^overdue ${overdue.id}: account bought into: `);
    await rig.redis.del(acme.key('overdue-into'));
    expect(await reported()).toEqual([what]);
    await rig.redis.zadd(acme.key('overdue-into'), 0, `110000000099|${overdue.id}`);
    expect(await reported()).toEqual([what]);
  });

  test('the record of a deposit', async () => {
    const { entries } = await rig.ask('readJournal', { clientId: 'acme' });
    const { id } = entries.find(({ step }) => step === 'deposit')!;
    await rig.redis.set(acme.key(`deposit:${id}`), `${await eur()} 99`);
    expect(await reported()).toEqual([
      expect.stringMatching(/\(deposit .*\): moves: EUR nostro \d+ 99 \| EUR nostro \d+ 10000$/),
    ]);
    await rig.redis.del(acme.key(`deposit:${id}`));
    expect(await differences()).toEqual([expect.objectContaining({ what: `deposit ${id}`, found: 'none' })]);
  });

  test('a repaired difference is no longer reported', async () => {
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', 1);
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(2);
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', -1);
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(0);
  });
});

test('an incremental round plays new entries only, and restarts when the journal is shorter', async () => {
  const acme = await rig.client('acme', { EUR: '100.00', USD: '0' });
  await acme.book('EUR/USD', 10);
  const watch = new LedgerWatch(rig.services);
  await watch.round(AT_ONCE);
  let pauses = 0;
  const counting = {
    page: 1,
    pause: async () => {
      pauses++;
    },
  };
  await watch.round(counting);
  // One pause for the client.
  expect(pauses).toBe(1);
  await acme.book('EUR/USD', 10);
  await watch.round(counting);
  expect(pauses).toBe(3);
  expect(watch.seen).toMatchObject({ differences: 0, journalEntries: 3 });

  await rig.redis.del(acme.key('journal'));
  await watch.round(AT_ONCE);
  expect(watch.seen!.differences).toBeGreaterThan(0);
});

test('counts thousands of differences and names the first thousand', async () => {
  const acme = await rig.client('acme', { EUR: '1.00' });
  for (let i = 0; i < 1_200; i++) await rig.redis.hset(acme.key('balances'), `EUR/x${i}`, '1');
  const { count, differences: named } = await rig.ask('reconcile', {});
  expect([count, named.length]).toEqual([1_201, 1_000]);
});
