/** A funding moves money once, when it is completed, and only from the statuses that allow it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Funding, FundingStatus } from '../../../engine/domain/fundings/funding.js';
import { StoreKeyFault } from '../../../engine/store/connection/errors.js';
import type { CreateFundingStep, FundingMove, FundingMoveOutcome } from '../../../engine/store/fundings/fundings.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { keysOf } from '../../support/redis-client.js';
import { about } from '../../support/store.js';

let on: LedgerSteps;
let clients = 0;
let ids = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

const LATER = NOW + 60_000;
const RETRY_MS = 3_600_000;
const MAX_MINOR = 999_999_999_999_999n;
const someone = () => on.client(`client-${++clients}`);
const newId = () => `GLR${String(++ids).padStart(13, '0')}`;

function stepOf(account: string, more: Partial<CreateFundingStep> = {}): CreateFundingStep {
  const id = newId();
  const facts = {
    id,
    account,
    currency: 'EUR',
    amount: '2500',
    depositAccount: 'DBS Bank-0012345678-EUR',
    reference: 'Invoice 417',
    requestId: more.requestId ?? '',
    createdAtMs: NOW,
  };
  return { id, account, fingerprint: 'print', requestId: undefined, actor: 'CK_X', facts, ...more };
}
async function create(client: ClientSteps, account: string, more?: Partial<CreateFundingStep>): Promise<Funding> {
  const created = await on.store.fundings.create(client.of, stepOf(account, more));
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.funding;
}
const move = (client: ClientSteps, funding: Funding, to: FundingMove['to'], store = on.store) =>
  store.fundings.move(client.of, funding, { to, actor: 'operator', reason: 'because' });
const statusOf = async (client: ClientSteps, { id }: Funding) => (await on.store.fundings.read(client.of, id))?.status;
const codeOf = (outcome: FundingMoveOutcome) =>
  outcome.kind === 'refused' ? `${outcome.code} ${outcome.more}`.trim() : outcome.kind;

test('creation moves nothing, completion credits money from outside, reversal sends it back', async () => {
  const client = await someone();
  const eur = await client.open('EUR', 100n);
  const before = await client.balances();
  const funding = await create(client, eur);
  expect(funding).toMatchObject({ status: 'PENDING', actor: 'CK_X', reason: '', updatedAtMs: NOW, createdAtMs: NOW });
  expect(await client.balances()).toEqual(before);
  expect(await on.store.fundings.read(client.of, funding.id)).toEqual(funding);
  expect(await on.store.fundings.holderOf(funding.id)).toBe(client.of.id);

  const completed = await move(client, funding, 'COMPLETED');
  expect(completed).toEqual({
    kind: 'moved',
    funding: { ...funding, status: 'COMPLETED', actor: 'operator', reason: 'because', updatedAtMs: about(NOW) },
  });
  expect(await client.balances()).toEqual({ [`EUR/${eur}`]: '2600', 'EUR/nostro': '-2600' });
  if (completed.kind === 'refused') throw new Error(completed.code);
  expect(await on.store.fundings.read(client.of, funding.id)).toEqual(completed.funding);

  expect(codeOf(await move(client, completed.funding, 'REVERSED'))).toBe('moved');
  expect(await client.balances()).toEqual({ [`EUR/${eur}`]: '100', 'EUR/nostro': '-100' });
  expect((await client.journal()).slice(1)).toEqual([
    ['fund', funding.id, ''],
    ['complete-funding', funding.id, `EUR nostro ${eur} 2500`],
    ['reverse-funding', funding.id, `EUR ${eur} nostro 2500`],
  ]);
  expect((await on.store.journal.latest(client.of, 3)).map(({ atMs, actor, reason }) => [atMs, actor, reason])).toEqual(
    [
      [about(NOW), 'operator', 'because'],
      [about(NOW), 'operator', 'because'],
      [about(NOW), 'CK_X', ''],
    ],
  );
});

/** The steps to each status from the beginning. */
const WAYS: Readonly<Record<FundingStatus, readonly FundingMove['to'][]>> = {
  PENDING: [],
  COMPLETED: ['COMPLETED'],
  REJECTED: ['REJECTED'],
  CANCELLED: ['CANCELLED'],
  REVERSED: ['COMPLETED', 'REVERSED'],
};

describe('from each status to each other', () => {
  test.each<[FundingStatus, FundingMove['to'], string]>([
    ['PENDING', 'COMPLETED', 'moved'],
    ['PENDING', 'REJECTED', 'moved'],
    ['PENDING', 'CANCELLED', 'moved'],
    ['PENDING', 'REVERSED', 'WRONG_STATE PENDING'],
    ['COMPLETED', 'COMPLETED', 'again'],
    ['COMPLETED', 'REJECTED', 'WRONG_STATE COMPLETED'],
    ['COMPLETED', 'CANCELLED', 'WRONG_STATE COMPLETED'],
    ['COMPLETED', 'REVERSED', 'moved'],
    ['REJECTED', 'COMPLETED', 'WRONG_STATE REJECTED'],
    ['REJECTED', 'REJECTED', 'again'],
    ['REJECTED', 'CANCELLED', 'WRONG_STATE REJECTED'],
    ['REJECTED', 'REVERSED', 'WRONG_STATE REJECTED'],
    ['CANCELLED', 'COMPLETED', 'WRONG_STATE CANCELLED'],
    ['CANCELLED', 'REJECTED', 'WRONG_STATE CANCELLED'],
    ['CANCELLED', 'CANCELLED', 'again'],
    ['CANCELLED', 'REVERSED', 'WRONG_STATE CANCELLED'],
    ['REVERSED', 'COMPLETED', 'WRONG_STATE REVERSED'],
    ['REVERSED', 'REJECTED', 'WRONG_STATE REVERSED'],
    ['REVERSED', 'CANCELLED', 'WRONG_STATE REVERSED'],
    ['REVERSED', 'REVERSED', 'again'],
  ])('%s to %s: %s', async (from, to, outcome) => {
    const client = await someone();
    const funding = await create(client, await client.open('EUR', 100n));
    for (const step of WAYS[from]) expect(codeOf(await move(client, funding, step))).toBe('moved');
    const before = await on.keyspace.read();
    const money = await client.balances();
    expect(codeOf(await move(client, funding, to))).toBe(outcome);
    if (outcome !== 'moved') expect(await on.keyspace.read()).toEqual(before);
    else if (to === 'REJECTED' || to === 'CANCELLED') expect(await client.balances()).toEqual(money);
    expect(await statusOf(client, funding)).toBe(outcome === 'moved' ? to : from);
  });
});

describe('a rejected step changes nothing', () => {
  test.each<[string, bigint, FundingMove['to'], string]>([
    ['an account that is full', MAX_MINOR - 2_499n, 'COMPLETED', 'BALANCE_LIMIT'],
    ['an account with just enough room', MAX_MINOR - 2_500n, 'COMPLETED', 'moved'],
  ])('%s', async (_what, held, to, outcome) => {
    const client = await someone();
    const funding = await create(client, await client.open('EUR', held));
    const before = await on.keyspace.read();
    expect(codeOf(await move(client, funding, to))).toBe(outcome);
    if (outcome !== 'moved') expect(await on.keyspace.read()).toEqual(before);
  });

  test('a funding neither credits nor debits an inactive account', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    const [first, second] = [await create(client, eur), await create(client, eur)];
    expect(codeOf(await move(client, first, 'COMPLETED'))).toBe('moved');
    await on.store.accounts.change(client.of, eur, { active: false });
    const before = await on.keyspace.read();
    expect(codeOf(await move(client, second, 'COMPLETED'))).toBe('ACCOUNT_INACTIVE');
    expect(codeOf(await move(client, first, 'REVERSED'))).toBe('ACCOUNT_INACTIVE');
    expect(await on.keyspace.read()).toEqual(before);
    expect(codeOf(await move(client, second, 'REJECTED'))).toBe('moved');
    await on.store.accounts.change(client.of, eur, { active: true });
    expect(codeOf(await move(client, first, 'REVERSED'))).toBe('moved');
  });

  test('rejects a reversal of money that was spent', async () => {
    const client = await someone();
    const eur = await client.open('EUR', 7_600n);
    await client.open('USD');
    const funding = await create(client, eur);
    expect(codeOf(await move(client, funding, 'COMPLETED'))).toBe('moved');
    expect((await on.store.bookings.book(client.of, client.step())).kind).toBe('booked');
    const before = await on.keyspace.read();
    expect(codeOf(await move(client, funding, 'REVERSED'))).toBe('INSUFFICIENT_BALANCE 100 2500 EUR');
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('an unknown funding', async () => {
    const client = await someone();
    const funding = { ...(await create(client, await client.open('EUR'))), id: 'GLR9999999999999' };
    const before = await on.keyspace.read();
    expect(codeOf(await move(client, funding, 'COMPLETED'))).toBe('WRONG_STATE');
    expect(await on.keyspace.read()).toEqual(before);
    for (const id of [funding.id, 'GLR', '', 'BFX0000000000000', 'GLR0000000000000:x']) {
      expect(await on.store.fundings.read(client.of, id)).toBeUndefined();
      expect(await on.store.fundings.holderOf(id)).toBeUndefined();
    }
  });

  test.each<[string, (account: string) => Partial<CreateFundingStep>, string]>([
    ['an unknown account', () => ({ account: '123456789018' }), 'UNKNOWN_ACCOUNT'],
    [
      'an amount that was refused',
      () => ({ facts: undefined, refusal: { code: 'BAD_AMOUNT', text: 'x' } }),
      'BAD_AMOUNT',
    ],
  ])('%s', async (_what, more, code) => {
    const client = await someone();
    const eur = await client.open('EUR');
    const before = await on.keyspace.read();
    const refused = await on.store.fundings.create(client.of, stepOf(eur, { requestId: 'r', ...more(eur) }));
    expect(refused).toMatchObject({ kind: 'refused', code });
    expect(await on.keyspace.read()).toEqual(before);
  });
});

describe('with a request id', () => {
  test('a repeated command gets its first answer, whatever its funding became', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    const first = await create(client, eur, { requestId: 'once' });
    await move(client, first, 'COMPLETED');
    const before = await on.keyspace.read();
    const again = await on.store.fundings.create(client.of, stepOf(eur, { requestId: 'once', actor: 'CK_Y' }));
    expect(again).toEqual({ kind: 'replayed', funding: first });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('rejects another command, also one of another kind', async () => {
    const client = await someone();
    const eur = await client.open('EUR', 50_000n);
    await client.open('USD');
    await create(client, eur, { requestId: 'mine' });
    expect((await on.store.bookings.book(client.of, client.step({ requestId: 'booked' }))).kind).toBe('booked');
    await on.keyspace.redis.set(client.keys.receipt('paid'), '1|payment|PAY0000000000000');
    const before = await on.keyspace.read();
    for (const [requestId, fingerprint] of [
      ['mine', 'other'],
      ['booked', 'print'],
      ['paid', 'print'],
    ] as const) {
      const refused = await on.store.fundings.create(client.of, stepOf(eur, { requestId, fingerprint }));
      expect(refused).toMatchObject({ kind: 'refused', code: 'REQUEST_ID_REUSED' });
    }
    const step = client.step({ requestId: 'mine', fingerprint: 'a conversion' });
    expect(await on.store.bookings.book(client.of, step)).toMatchObject({ code: 'REQUEST_ID_REUSED' });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('fifty concurrent repetitions create one funding', async () => {
    const client = await someone();
    const eur = await client.open('EUR');
    const other = await on.testStore.another();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? on.store : other).fundings.create(client.of, stepOf(eur, { requestId: 'burst' })),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.funding.id)));
    expect(ids.size).toBe(1);
    expect(await on.store.lists.page(client.of, 'fundings', {}, undefined, 100)).toHaveLength(1);
    expect((await client.journal()).map(([step]) => step)).toEqual(['fund']);
    expect(await keysOf(on.keyspace.redis, 'funding:*')).toContain(`funding:${[...ids][0]}`);
  });
});

test('a step refused because of a damaged key leaves no lookup key', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  const step = stepOf(eur);
  await on.keyspace.redis.set(client.keys.index('fundings'), 'a value');
  await expect(on.store.fundings.create(client.of, step)).rejects.toBeInstanceOf(StoreKeyFault);
  expect(await on.store.fundings.holderOf(step.id)).toBeUndefined();
});

test('of concurrent completion and rejection one applies', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  const other = await on.testStore.another();
  const expected = { COMPLETED: 0, REJECTED: 0 };
  for (let i = 0; i < 20; i++) {
    const funding = await create(client, eur);
    const outcomes = await Promise.all(
      [0, 1, 2, 3].flatMap((n) => [
        move(client, funding, 'COMPLETED', n % 2 ? other : on.store),
        move(client, funding, 'REJECTED', n % 2 ? on.store : other),
      ]),
    );
    const kinds = outcomes.map(codeOf);
    expect(kinds.filter((kind) => kind === 'moved')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'again')).toHaveLength(3);
    expect(kinds.filter((kind) => kind.startsWith('WRONG_STATE'))).toHaveLength(4);
    expected[(await statusOf(client, funding)) as 'COMPLETED' | 'REJECTED']++;
  }
  expect((await client.balances())[`EUR/${eur}`] ?? '0').toBe(String(expected.COMPLETED * 2_500));
  expect(expected.COMPLETED + expected.REJECTED).toBe(20);
});

test('credited money triggers the conversions that wait for it', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  await client.open('USD');
  const step = client.step({ settlesAtMs: NOW, scheduledRoom: 10n ** 15n }, { type: 'SCHEDULED1' });
  const booked = await on.store.bookings.book(client.of, step);
  if (booked.kind !== 'booked') throw new Error(booked.kind);
  await on.store.dueQueue.settle(client.of, booked.booking, RETRY_MS);
  const entry = `settle:${client.of.id}:${booked.booking.id}`;
  const dueAt = async () => Number(await client.due(entry));
  expect(await dueAt()).toEqual(about(NOW + RETRY_MS));
  const [first, second] = [await create(client, eur), await create(client, eur)];
  await move(client, first, 'REJECTED');
  expect(await dueAt()).toEqual(about(NOW + RETRY_MS));
  await move(client, second, 'COMPLETED');
  expect(await dueAt()).toEqual(about(NOW));
});

test('a sandbox funding is due until it is decided', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  const funding = await create(client, eur, { completesAtMs: LATER });
  const entry = `fund:${client.of.id}:${funding.id}`;
  expect(await client.due(entry)).toBe(String(LATER));
  on.now = LATER;
  expect((await on.store.dueQueue.due(100)).map(({ names }) => names)).toContainEqual({
    kind: 'fund',
    clientId: client.of.id,
    id: funding.id,
  });
  await move(client, funding, 'CANCELLED');
  expect(await client.due(entry)).toBeNull();
  const other = await create(client, eur);
  expect(await client.due(`fund:${client.of.id}:${other.id}`)).toBeNull();
});

test('counts the steps that this process has executed', async () => {
  const steps = () => Object.fromEntries(on.store.fundings.steps);
  const before = steps();
  const client = await someone();
  const eur = await client.open('EUR');
  const funding = await create(client, eur, { requestId: 'counted' });
  await on.store.fundings.create(client.of, stepOf(eur, { requestId: 'counted' }));
  await move(client, funding, 'COMPLETED');
  await move(client, funding, 'COMPLETED');
  await move(client, funding, 'REJECTED');
  expect(steps()).toEqual({ ...before, PENDING: before.PENDING! + 1, COMPLETED: before.COMPLETED! + 1 });
});
