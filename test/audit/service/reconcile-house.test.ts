/** Each difference of the house's own ledger that a reconciliation must detect, staged directly in the store. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CoverFill, CoverOrder } from '../../../engine/domain/cover/cover.js';
import { coverKeys, HOUSE, ledgerKeys, positionKey } from '../../../engine/store/keys/redis-keys.js';
import { type LedgerRig, startLedgerRig } from '../../service/ledger-rig.js';

let on: LedgerRig;
const keys = ledgerKeys(HOUSE);
beforeAll(async () => {
  on = await startLedgerRig(Date.UTC(2026, 10, 23, 9));
});
afterAll(() => on.stop());

const ORDER: CoverOrder = {
  ...{ id: 'CVR0000000000000001', pair: 'EUR/USD', side: 'sell', amount: 100_000n, order: 'limit', timeInForce: 'IOC' },
  ...{ worst: '1.0840', provider: 'LP1', valueDate: '20261125', net: 120_000n, netAtMs: 1, createdAtMs: 2 },
} as CoverOrder;
const record = coverKeys.record(ORDER.id);

beforeEach(async () => {
  const { cover } = on.services.store;
  const own = [...Object.values(keys).filter((key) => typeof key === 'string' && key.includes(HOUSE.id)), record];
  await on.redis.del(...(own as string[]), coverKeys.covers, coverKeys.openCovers, coverKeys.fence);
  await on.redis.del(keys.adjustment('statement-1'), keys.archived, positionKey(0));
  await cover.claim('engine 1');
  await cover.plan(ORDER, 'planned', 'engine 1');
  await cover.move(ORDER, 'sent', '', 'engine 1');
  const fill = { execId: 'X1', base: 60_000n, quote: 65_058n, price: '1.0843' };
  await cover.book((await cover.read(ORDER.id))!, fill, 'engine');
  await cover.move(ORDER, 'ended');
  await cover.adjust({
    ...{ id: 'statement-1', kind: 'debit', provider: 'LP1', currency: 'USD', amount: 65_000n, reference: 'MT940' },
    ...{ actor: 'anna', reason: 'settled' },
  } as Parameters<typeof cover.adjust>[0]);
});

async function differences(): Promise<string[]> {
  const { differences } = await on.ask('reconcile', {});
  return differences.map(({ client, what, expected, found }) => `${client} ${what}: ${expected} | ${found}`).sort();
}

test('agrees', async () => {
  expect(await differences()).toEqual([]);
  expect((await on.ask('reconcile', {})).journalEntries).toBe(2);
});

test('a balance that the journal does not give', async () => {
  await on.redis.hset(keys.balances, 'EUR/house:fx', '7');
  expect(await differences()).toEqual(['_house balance EUR/house:fx: -60000 | 7']);
});

test('a fill that is in the record alone, or in the journal alone', async () => {
  await on.redis.hset(record, 'fill:X2', '1 1 1.0843 1-1', 'filled', '60001', 'quote', '65059');
  expect(await differences()).toEqual([`_house cover order ${ORDER.id}: fills in the journal: 1 | 2`]);
  await on.redis.hdel(record, 'fill:X1', 'fill:X2');
  await on.redis.hset(record, 'filled', '0', 'quote', '0', 'status', 'rejected');
  expect(await differences()).toEqual([
    expect.stringContaining(`cover order ${ORDER.id}: fill X1: as in journal`),
    `_house cover order ${ORDER.id}: fills in the journal: 1 | 0`,
  ]);
});

test('a position that the orders do not give', async () => {
  const position = await on.services.store.positions.ofClient(HOUSE);
  expect(position.lines).toMatchObject([
    { pair: 'EUR/USD', valueDate: '20261125', baseSold: 60_000n, quoteReceived: 65_058n },
  ]);
  expect((await on.services.store.positions.ofShard(0)).lines).toEqual(position.lines);
  await on.redis.hset(keys.position, 'EUR/USD|0|Bq', '5 6 0');
  expect(await differences()).toEqual([
    '_house position EUR/USD baseBought: 0 | 5',
    '_house position EUR/USD quotePaid: 0 | 6',
    expect.stringMatching(/^shard 0 position EUR.USD .*bought: received 0.05 EUR/),
  ]);
});

test('altered facts, sums and status', async () => {
  const facts = (await on.redis.hget(record, 'facts'))!;
  await on.redis.hset(record, 'facts', facts.replace('1.0840', '1.0830'), 'quote', '65059', 'status', 'filled');
  expect(await differences()).toEqual([
    `_house cover order ${ORDER.id}: quote amount: 65058 | 65059`,
    `_house cover order ${ORDER.id}: status: partly-filled | filled`,
    expect.stringContaining('hash of the order'),
  ]);
});

test('a record or an adjustment that is missing, and an erased entry', async () => {
  await on.redis.del(record, coverKeys.covers, keys.adjustment('statement-1'));
  expect(await differences()).toEqual([
    expect.stringContaining('adjustment statement-1: USD house:cover:LP1 nostro 65000 | none'),
    expect.stringContaining(`cover order ${ORDER.id}: as in journal`),
  ]);
  const [last] = await on.redis.xrevrange(keys.journal, '+', '-', 'COUNT', 1);
  await on.redis.xdel(keys.journal, last![0]);
  expect(await differences()).toContain('_house journal: entries ever added: 2 | 1 here and 0 archived');
});

describe('the archived part', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'house-archive-'));
    return () => rmSync(directory, { recursive: true, force: true });
  });
  const archive = () =>
    on.ask('archiveJournal', { clientId: HOUSE.id, beforeMs: Date.now() + 1_000_000_000_000, directory, insist: true });
  const ofArchive = async () =>
    (await on.ask('reconcile', { directory })).differences.map(({ what, found }) => `${what} | ${found}`);
  const book = async (fill: CoverFill) => {
    const { cover } = on.services.store;
    expect(await cover.book((await cover.read(ORDER.id))!, fill, 'engine')).toBe('booked');
  };

  test('balances, deals and fills continue behind it, and the files prove it', async () => {
    expect(await archive()).toMatchObject({ clientId: '_house', entries: 2, files: 1 });
    expect(await on.ask('readJournal', { clientId: HOUSE.id })).toMatchObject({
      entries: [],
      archivedUntil: expect.stringContaining('-'),
    });
    expect(await differences()).toEqual([]);
    await book({ execId: 'X2', base: 10_000n, quote: 10_843n, price: '1.0843' });
    const { entries } = await on.ask('readJournal', { clientId: HOUSE.id });
    expect(entries).toMatchObject([{ step: 'cover-fx', id: ORDER.id, reference: 'X2' }]);
    expect(await differences()).toEqual([]);
    expect(await ofArchive()).toEqual([]);
    expect(await archive()).toMatchObject({ entries: 1, files: 1 });
    expect(await differences()).toEqual([]);
    expect(await ofArchive()).toEqual([]);
    expect(await on.ask('reconcile', { directory })).toMatchObject({ archivedEntries: 3, journalEntries: 0 });
    expect((await on.ask('listArchiveHeads', {})).heads).toMatchObject([{ clientId: '_house', file: 2 }]);
  });

  test('what disagrees behind it is found, and what disagrees is not archived', async () => {
    await archive();
    await on.redis.hset(keys.balances, 'EUR/house:fx', '7');
    await on.redis.hset(record, 'fill:X2', '1 1 1.0843 9999999999999-0', 'filled', '60001', 'quote', '65059');
    expect(await differences()).toEqual(['_house balance EUR/house:fx: -60000 | 7']);
    await on.redis.hset(keys.position, 'EUR/USD|0|Bq', '5 6 0');
    expect(await differences()).toContain('_house position EUR/USD baseBought: 0 | 5');
    await on.redis.hdel(record, 'fill:X2');
    await on.redis.hset(record, 'filled', '60000', 'quote', '65058');
    await book({ execId: 'X3', base: 1n, quote: 1n, price: '1.0843' });
    await on.redis.hdel(record, 'fill:X3');
    await expect(archive()).rejects.toThrow('WRONG_STATE: The journal of _house');
  });

  test('a changed file is found', async () => {
    await archive();
    const file = join(directory, '_house', '000001.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('1.0843', '1.0844'));
    expect((await ofArchive()).join()).toMatch(/archive _house/);
  });
});
