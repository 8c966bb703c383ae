/**
 * Thousands of random commands, each on the ledger and on a model of it. RATEWIRE_SEED=<n> is another run, RATEWIRE_COMMANDS=<n> a longer
 * one. The default run is deterministic: whether the commands reach the intended cases must not be a matter of luck.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../engine/service/perform.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../engine/store/ledger/journal.js';
import { startServices, type TestServices } from '../service/core/services.js';
import { type KeyspaceReader, keyspaceReader } from '../support/keyspace.js';
import { cases } from '../support/sizes.js';
import { readStoredBooking } from '../support/stored.js';
import type { ModelClient } from './model.js';
import { NEAR_MS, Play, START } from './play.js';
import { same } from './same.js';

const SEED = Number(process.env.RATEWIRE_SEED ?? 20_261_120);
const COMMANDS = Number(process.env.RATEWIRE_COMMANDS ?? cases(2_000, 20_000));
const EACH_PLAY = 500;
/** Of changes by the client. */
const CHANGES = ['cancel', 'date', 'split', 'replayed', 'QUOTE_INVALID', 'QUOTE_EXPIRED', 'RATE_MOVED'].map(
  (one) => `change ${one}`,
);
const DAY_MS = 86_400_000;

let nowMs = START;
const clock = {
  get now() {
    return nowMs;
  },
  set now(ms: number) {
    nowMs = ms;
    void on.testStore.turn();
  },
};
let on: TestServices;
let keyspace: KeyspaceReader;

beforeAll(async () => {
  const now = () => clock.now;
  on = await startServices(now, { store: { now }, rates: { now: () => 0 } });
  await perform(on.services, 'setMargin', undefined, { clientId: '*', pair: '*', type: '*', margin: '0.25' });
  await on.loadMargins();
  keyspace = keyspaceReader(on.testStore.redisUrl);
});
afterAll(async () => {
  keyspace.close();
  await on.stop();
});

const keysOf = async (client: ModelClient) => ledgerKeys((await on.services.store.clients.get(client.id))!);

/** Each currency sums to zero, no account is negative, and all balances equal the model's. */
async function checkBalances(client: ModelClient): Promise<void> {
  const balances = await keyspace.redis.hgetall((await keysOf(client)).balances);
  const sums = new Map<string, bigint>();
  for (const [name, minor] of Object.entries(balances)) {
    const currency = name.slice(0, 3);
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(minor));
    if (/\d{12}$/.test(name) && !/^\d{1,15}$/.test(minor)) throw new Error(`${name} has ${minor}`);
  }
  same('sums', Object.fromEntries(sums), Object.fromEntries([...sums.keys()].map((currency) => [currency, 0n])));
  same('balances', balances, Object.fromEntries(client.balances));
}

/** A hash of positions, over all value dates, as the model names them. */
async function positionsOf(...keys: readonly string[]): Promise<Map<string, readonly bigint[]>> {
  const found = new Map<string, readonly bigint[]>();
  for (const key of keys)
    for (const [field, value] of Object.entries(await keyspace.redis.hgetall(key))) {
      const [pair = '', , what = ''] = field.split('|');
      // A mark, not an amount.
      if (field === 'last') continue;
      const currency = what[1] === 'b' ? pair.slice(0, 3) : pair.slice(4);
      const name = what === 'C' ? `${pair} closed out` : `${pair} ${what[0] === 'B' ? 'bought' : 'sold'} ${currency}`;
      const sum = value.split(' ').map((part, i) => BigInt(part) + (found.get(name)?.[i] ?? 0n));
      if (sum.some((part) => part !== 0n)) found.set(name, sum);
      else found.delete(name);
    }
  return found;
}

/** The position of each shard is the sum of those of its clients. */
async function checkShards(): Promise<void> {
  for (const shard of await keyspace.redis.keys('{s??}:position')) {
    const found = await keyspace.redis.keys(shard.replace(':position', ':client:*:position'));
    // That of all sub-clients of a platform is the sum of theirs: reconcile compares it.
    const clients = found.filter((key) => !key.includes('~*'));
    same(shard, await positionsOf(shard), await positionsOf(...clients));
  }
}

/** All other stored data of a client, and the journal replayed from its beginning. */
async function checkAll(client: ModelClient): Promise<void> {
  const keys = await keysOf(client);
  const { redis } = keyspace;
  const entries = await redis.xrange(keys.journal, '-', '+');
  const journal = entries.map(asEntry).map(({ step, id, moves }) => [step, id, moves]);
  same('journal', journal, client.journal);
  const replayed = new Map<string, bigint>(
    [...client.accounts].map(([number, { currency }]) => [`${currency}/${number}`, 0n]),
  );
  for (const [, , moves = ''] of journal)
    for (const move of moves === '' ? [] : moves.split(';')) {
      const [currency, from, to, amount = ''] = move.split(' ');
      if (!/^(0|[1-9]\d{0,14})$/.test(amount)) throw new Error(`not an amount: ${move}`);
      for (const [name, change] of [
        [from, -BigInt(amount)],
        [to, BigInt(amount)],
      ] as const)
        replayed.set(`${currency}/${name}`, (replayed.get(`${currency}/${name}`) ?? 0n) + change);
    }
  same('balances by the journal', await redis.hgetall(keys.balances), Object.fromEntries(replayed));

  same('positions', await positionsOf(keys.position), client.positions());
  const scheduled = Object.entries(await redis.hgetall(keys.scheduled)).filter(([, sell]) => sell !== '0');
  same(
    'scheduled sells',
    Object.fromEntries(scheduled),
    Object.fromEntries([...client.scheduled].filter(([, sell]) => sell !== 0n)),
  );
  const bookings = await Promise.all(
    [...client.bookings.keys()].map(async (id) => (await readStoredBooking(redis, keys, id))?.booking.status),
  );
  same(
    'statuses',
    bookings,
    [...client.bookings.values()].map(({ status }) => status),
  );
  const holds = await Promise.all([...client.holds.keys()].map((id) => redis.hget(keys.hold(id), 'status')));
  same(
    'holds',
    holds,
    [...client.holds.values()].map(({ status }) => status),
  );
  const due = await redis.zrange(keys.due, '0', '-1', 'WITHSCORES');
  const own = due.flatMap((entry, i) =>
    i % 2 === 0 && entry.split(':')[1] === client.id ? [[entry, Number(due[i + 1])]] : [],
  );
  same('due', own.map(([entry]) => entry).sort(), [...client.due.keys()].sort());
  for (const [entry, at] of own as [string, number][]) {
    const laterMs = at - client.due.get(entry)!;
    // A gain that is held back is computed again whenever its group changes.
    if ((laterMs < 0 || laterMs > NEAR_MS) && !entry.startsWith('gain:'))
      throw new Error(`${entry} is due ${laterMs} ms later than by the model`);
    // Its own time from here on: a later round of the model must find it when the ledger does.
    client.due.set(entry, at);
  }
  const overdue = [...client.bookings.values()].filter(({ status }) => status === 'OVERDUE');
  const waiting = overdue.map(({ sellAccount, id }) => `${sellAccount}|${id}`);
  same('overdue', await redis.zrange(keys.overdue, '0', '-1'), waiting.sort());
  const into = overdue.map(({ buyAccount, id }) => `${buyAccount}|${id}`);
  same('overdue by the account bought into', await redis.zrange(keys.overdueInto, '0', '-1'), into.sort());
}

/** What the sub-clients' ledgers have for the platform, it has earned; its own ledger is in balance. */
async function checkPlatform(id: string, clients: readonly ModelClient[]): Promise<void> {
  const platform = (await on.services.store.clients.get(id))!;
  const balances = await keyspace.redis.hgetall(ledgerKeys(platform).balances);
  for (const currency of ['EUR', 'USD', 'JPY']) {
    const of = (name: string) => BigInt(balances[`${currency}/${name}`] ?? 0);
    const shares = clients.reduce(
      (sum, client) => sum + (client.balances.get(`${currency}/platform:margin`) ?? 0n),
      0n,
    );
    const own = Object.entries(balances).filter(([name]) => name.startsWith(currency));
    same(`shares in ${currency}`, of('sub-clients:margin'), -shares);
    same(
      `sum of ${currency}`,
      own.reduce((sum, [, minor]) => sum + BigInt(minor), 0n),
      0n,
    );
  }
  const reconciled = await perform(on.services, 'reconcile', undefined, { clientId: id });
  same('reconcile', 'count' in reconciled && [reconciled.count, reconciled.differences], [0, []]);
}

async function playOnce(
  [name, isOfPlatform]: readonly [string, boolean],
  seed: number,
  commands: number,
  outcomes: Map<string, number>,
): Promise<void> {
  const play = new Play(on, clock, name, seed, isOfPlatform);
  let at = 0;
  try {
    await play.begin();
    for (at = 1; at <= commands; at++) {
      await play.step();
      for (const client of play.clients) await checkBalances(client);
      if (at % 50 === 0) for (const client of play.clients) await checkAll(client);
    }
    for (let day = 0; day < 5; day++) {
      clock.now += DAY_MS;
      await play.round();
    }
    for (const client of play.clients) await checkAll(client);
    await checkShards();
    if (isOfPlatform) await checkPlatform(name, play.clients);
  } catch (error) {
    throw new Error(`RATEWIRE_SEED=${seed}, command ${at}: ${String(error)}\n${play.told.join('\n')}`, {
      cause: error,
    });
  }
  for (const [outcome, count] of play.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  for (const { status } of play.clients.flatMap(({ bookings }) => [...bookings.values()]))
    outcomes.set(`in the end ${status}`, (outcomes.get(`in the end ${status}`) ?? 0) + 1);
  for (const client of play.clients) await keyspace.redis.del((await keysOf(client)).due);
}

test(
  'the ledger equals its model after any sequence of commands',
  async () => {
    const outcomes = new Map<string, number>();
    for (let play = 0, left = COMMANDS; left > 0; play++, left -= EACH_PLAY)
      await playOnce([`play${play}`, play % 2 === 1], SEED + play, Math.min(left, EACH_PLAY), outcomes);
    // The commands reach the intended cases.
    const often = [
      'SETTLED',
      'OPEN',
      'replayed',
      'INSUFFICIENT_BALANCE',
      'HOLD_USED',
      'HOLD_EXPIRED',
      'REQUEST_ID_REUSED',
    ];
    for (const outcome of ['bust done', 'correct done', ...CHANGES])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    for (const outcome of often) expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(COMMANDS / 500);
    if (process.env.RATEWIRE_COMMANDS !== undefined) console.log(Object.fromEntries([...outcomes].sort()));
  },
  Math.max(300_000, COMMANDS * 20),
);
