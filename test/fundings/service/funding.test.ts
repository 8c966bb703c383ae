/** Fundings as an operator decides them, and as a sandbox completes them automatically. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Funding, FundingStatus } from '../../../engine/domain/fundings/funding.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { OperatorOperationName } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { HOUR_MS, type MoneyRig, startMoney } from '../../service/money-rig.js';
import { AUDIT } from '../../support/keyspace.js';

const SANDBOX_MS = 60_000;
const SLACK_MS = 30_000;
const LIMIT = 100;

let on: MoneyRig;
let clients = 0;

beforeAll(async () => {
  on = await startMoney();
});
afterAll(() => on.stop());

const asSandbox = (sandboxFundingMs: number | undefined = SANDBOX_MS): Services => ({
  ...on.services,
  settings: { ...on.services.settings, sandboxFundingMs },
});

interface Someone {
  readonly id: string;
  readonly account: string;
}
async function someone(funds?: string): Promise<Someone> {
  const id = `fund-${++clients}`;
  await perform(on.services, 'createClient', undefined, { id, name: id });
  const { number } = await on.open(id, 'EUR', funds);
  return { id, account: number };
}
async function announce({ id, account }: Someone, more: object = {}, services = on.services): Promise<Funding> {
  const answer = await perform(services, 'createFunding', on.caller(id), {
    accountNumber: Number(account),
    amount: 25,
    depositAccount: 'DBS Bank-0012345678-EUR',
    reference: 'Invoice 417',
    ...more,
  });
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
  return answer.funding;
}
type Decision = 'completeFunding' | 'rejectFunding' | 'cancelFunding' | 'reverseFunding';
const decide = (name: Decision, fundingId: string, more: object = { reason: 'seen by Ann' }) =>
  perform(on.services, name, undefined, { fundingId, ...more });
/** The resulting status, or the refusal code. */
async function outcomeOf(name: Decision, fundingId: string): Promise<string> {
  const answer = await decide(name, fundingId);
  return 'refusal' in answer ? answer.refusal : answer.funding.status;
}
const balanceOf = async ({ id, account }: Someone) => (await on.balances(id))[`EUR/${account}`];
const statusOf = async ({ id }: Someone, fundingId: string): Promise<FundingStatus | undefined> => {
  const answer = await perform(on.services, 'readFunding', on.caller(id), { fundingId });
  return 'refusal' in answer ? undefined : answer.funding.status;
};
const agrees = async ({ id }: Someone) => {
  const answer = await perform(on.services, 'reconcile', undefined, { clientId: id });
  expect(answer).toMatchObject({ count: 0, differences: [] });
};

const TO: Readonly<Record<Decision, FundingStatus>> = {
  completeFunding: 'COMPLETED',
  rejectFunding: 'REJECTED',
  cancelFunding: 'CANCELLED',
  reverseFunding: 'REVERSED',
};
const DECISIONS = Object.keys(TO) as Decision[];
const WAYS: Readonly<Record<FundingStatus, readonly Decision[]>> = {
  PENDING: [],
  COMPLETED: ['completeFunding'],
  REJECTED: ['rejectFunding'],
  CANCELLED: ['cancelFunding'],
  REVERSED: ['completeFunding', 'reverseFunding'],
};
const ALLOWED = [
  'PENDING completeFunding',
  'PENDING rejectFunding',
  'PENDING cancelFunding',
  'COMPLETED reverseFunding',
];

describe('an operator', () => {
  const rows = (Object.keys(WAYS) as FundingStatus[]).flatMap((from) =>
    DECISIONS.map((name) => {
      const outcome = ALLOWED.includes(`${from} ${name}`)
        ? 'moves'
        : TO[name] === from
          ? 'is answered again'
          : 'is refused';
      return [from, name, outcome] as const;
    }),
  );
  test.each(rows)('%s, %s: %s', async (from, name, outcome) => {
    const client = await someone('100.00');
    const { id } = await announce(client);
    for (const step of WAYS[from]) await decide(step, id);
    const before = await on.keyspace.read(AUDIT);
    const shown = await perform(on.services, 'showFunding', undefined, { fundingId: id });
    const answer = await decide(name, id, { reason: 'another' });
    if (outcome === 'is refused') {
      expect(answer).toMatchObject({ refusal: 'WRONG_STATE', text: expect.stringContaining(`The funding is ${from}`) });
    } else if (outcome === 'is answered again') {
      expect(answer).toEqual(shown);
    } else {
      expect(answer).toMatchObject({ clientId: client.id, funding: { status: TO[name], reason: 'another' } });
    }
    if (outcome !== 'moves') expect(await on.keyspace.read(AUDIT)).toEqual(before);
    const holds = await statusOf(client, id);
    expect(holds).toBe(outcome === 'moves' ? TO[name] : from);
    expect(await balanceOf(client)).toBe(holds === 'COMPLETED' ? '12500' : '10000');
    await agrees(client);
  });

  test('a rejected reversal names the missing amount', async () => {
    const client = await someone();
    await on.open(client.id, 'USD');
    const { id } = await announce(client);
    await decide('completeFunding', id);
    const request = { requestId: 'spend', description: 'x', sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 };
    await on.book(client.id, request);
    expect(await decide('reverseFunding', id)).toMatchObject({
      refusal: 'INSUFFICIENT_BALANCE',
      text: 'Balance 15.00 EUR, needed 25.00: the money has been used since; --allow-receivable takes the rest as what the client owes',
      details: { availableAmount: 15, neededAmount: 25 },
    });
    expect(await statusOf(client, id)).toBe('COMPLETED');
  });

  test('the journal names the operator and the reason', async () => {
    const client = await someone();
    const { id } = await announce(client);
    await decide('rejectFunding', id, { reason: 'no such transfer' });
    const journal = await perform(on.services, 'readJournal', undefined, { clientId: client.id });
    if ('refusal' in journal) throw new Error(journal.text);
    expect(journal.entries.map(({ step, actor, reason }) => [step, actor, reason])).toEqual([
      ['reject-funding', 'operator', 'no such transfer'],
      ['fund', 'test', ''],
    ]);
  });

  test.each<[OperatorOperationName, object, string]>([
    ['completeFunding', { fundingId: 'GLR0000000000000' }, 'NOT_FOUND'],
    ['rejectFunding', { fundingId: 'x', reason: 'x' }, 'NOT_FOUND'],
    ['showFunding', { fundingId: '../../accounts' }, 'NOT_FOUND'],
    ['rejectFunding', { fundingId: 'GLR0000000000000' }, 'VALIDATION_FAILED'],
    ['rejectFunding', { fundingId: 'GLR0000000000000', reason: '' }, 'VALIDATION_FAILED'],
    ['cancelFunding', { fundingId: 'GLR0000000000000', reason: 'x'.repeat(141) }, 'VALIDATION_FAILED'],
    ['reverseFunding', { fundingId: 'GLR0000000000000', reason: 'a\nb' }, 'VALIDATION_FAILED'],
    ['findFundings', { clientId: 'unknown' }, 'UNKNOWN_CLIENT'],
    ['findFundings', { status: 'DONE' }, 'VALIDATION_FAILED'],
    ['findFundings', { limit: 1_001 }, 'VALIDATION_FAILED'],
  ])('%s %j: %s', async (name, input, code) => {
    const before = await on.keyspace.read(AUDIT);
    expect(await perform(on.services, name, undefined, input)).toMatchObject({ refusal: code });
    expect(await on.keyspace.read(AUDIT)).toEqual(before);
  });

  test('rejects every decision by a client', async () => {
    const client = await someone();
    const { id } = await announce(client);
    for (const name of DECISIONS)
      expect(await perform(on.services, name, on.caller(client.id), { fundingId: id, reason: 'x' })).toMatchObject({
        refusal: 'NOT_ENTITLED',
      });
  });

  test('of two concurrent opposite decisions one applies', async () => {
    const client = await someone();
    for (let i = 0; i < 10; i++) {
      const { id } = await announce(client);
      const [yes, no] = await Promise.all([outcomeOf('completeFunding', id), outcomeOf('rejectFunding', id)]);
      expect([`${yes} ${no}`]).toEqual([yes === 'COMPLETED' ? 'COMPLETED WRONG_STATE' : 'WRONG_STATE REJECTED']);
    }
    await agrees(client);
  });

  test('lists all clients’ fundings, newest first, with filters', async () => {
    const [one, two] = [await someone(), await someone()];
    const made: Funding[] = [];
    for (const client of [one, two, one]) {
      on.clock.now += 1;
      made.unshift(await announce(client));
    }
    await decide('cancelFunding', made[1]!.id);
    const find = async (input: object) => {
      const answer = await perform(on.services, 'findFundings', undefined, input);
      if ('refusal' in answer) throw new Error(answer.text);
      return answer.fundings.map(({ clientId, funding }) => [clientId, funding.id]);
    };
    const all = [
      [one.id, made[0]!.id],
      [two.id, made[1]!.id],
      [one.id, made[2]!.id],
    ];
    expect(await find({ limit: 3 })).toEqual(all);
    expect(await find({ limit: 1 })).toEqual([all[0]]);
    expect(await find({ clientId: one.id })).toEqual([all[0], all[2]]);
    expect(await find({ limit: 1, status: 'CANCELLED' })).toEqual([all[1]]);
    expect(await find({ clientId: one.id, status: 'CANCELLED' })).toEqual([]);
  });

  test('finds an old one among very many', async () => {
    const client = await someone();
    const { id } = await announce(client);
    await decide('rejectFunding', id);
    for (let i = 0; i < 420; i++) {
      on.clock.now += 1;
      await announce(client);
    }
    const find = async (input: object) => {
      const answer = await perform(on.services, 'findFundings', undefined, { clientId: client.id, ...input });
      return 'refusal' in answer ? [] : answer.fundings.map(({ funding }) => funding.id);
    };
    expect(await find({ status: 'REJECTED' })).toEqual([id]);
    const all = await find({ limit: 1_000 });
    expect([all.length, all.at(-1)]).toEqual([421, id]);
    expect(all).toEqual(all.toSorted().toReversed());
    expect(await find({ limit: 5 })).toEqual(all.slice(0, 5));
  });
});

describe('in a sandbox', () => {
  const round = async (services = asSandbox()) => {
    await settleDue(services, LIMIT);
  };

  test.each<[string, string, FundingStatus]>([
    ['Invoice 417', 'is completed', 'COMPLETED'],
    ['please REJECTED this', 'is rejected', 'REJECTED'],
    ['a MANUAL one', 'waits for the operator', 'PENDING'],
    ['REJECTED or MANUAL', 'waits for the operator', 'PENDING'],
    ['rejected manually', 'is completed', 'COMPLETED'],
  ])('%s: %s at its time, not before', async (reference, _what, status) => {
    const client = await someone();
    const { id } = await announce(client, { reference }, asSandbox());
    on.clock.now += SANDBOX_MS - SLACK_MS;
    await round();
    expect(await statusOf(client, id)).toBe('PENDING');
    on.clock.now += SLACK_MS;
    await round();
    expect(await statusOf(client, id)).toBe(status);
    expect((await on.balances(client.id))[`EUR/${client.account}`] ?? '0').toBe(status === 'COMPLETED' ? '2500' : '0');
    on.clock.now += HOUR_MS;
    await round();
    expect(await statusOf(client, id)).toBe(status);
    await agrees(client);
  });

  test("an operator's earlier decision applies", async () => {
    const client = await someone();
    const [first, second] = [await announce(client, {}, asSandbox()), await announce(client, {}, asSandbox())];
    await decide('cancelFunding', first.id);
    await decide('completeFunding', second.id);
    await decide('reverseFunding', second.id);
    on.clock.now += SANDBOX_MS;
    await round();
    expect([await statusOf(client, first.id), await statusOf(client, second.id)]).toEqual(['CANCELLED', 'REVERSED']);
    expect(await balanceOf(client)).toBe('0');
  });

  test('two concurrent engines complete it once', async () => {
    const client = await someone();
    const all = [];
    for (let i = 0; i < 20; i++) all.push(await announce(client, {}, asSandbox()));
    on.clock.now += SANDBOX_MS;
    const other = { ...asSandbox(), store: await on.testStore.another() };
    await Promise.all([round(), round(other), round()]);
    for (const { id } of all) expect(await statusOf(client, id)).toBe('COMPLETED');
    expect(await balanceOf(client)).toBe('50000');
    expect((await on.journal(client.id)).filter(([step]) => step === 'complete-funding')).toHaveLength(20);
  });

  test('retries in an hour what the account cannot accept now', async () => {
    const client = await someone();
    const { id } = await announce(client, {}, asSandbox());
    await perform(on.services, 'changeAccount', undefined, { accountNumber: client.account, active: false });
    on.clock.now += SANDBOX_MS;
    await round();
    await perform(on.services, 'changeAccount', undefined, { accountNumber: client.account, active: true });
    on.clock.now += HOUR_MS - SLACK_MS;
    await round();
    expect(await statusOf(client, id)).toBe('PENDING');
    on.clock.now += SLACK_MS;
    await round();
    expect(await statusOf(client, id)).toBe('COMPLETED');
  });

  test('after the sandbox setting is removed, received fundings wait for the operator', async () => {
    const client = await someone();
    const { id } = await announce(client, {}, asSandbox());
    on.clock.now += SANDBOX_MS;
    await round(on.services);
    on.clock.now += HOUR_MS;
    await round();
    expect(await statusOf(client, id)).toBe('PENDING');
  });

  test('without a sandbox nothing completes automatically', async () => {
    const client = await someone();
    const { id } = await announce(client);
    on.clock.now += 24 * HOUR_MS;
    await round();
    expect(await statusOf(client, id)).toBe('PENDING');
  });
});

test('a conversion that waits for the money settles when the funding is completed', async () => {
  const client = await someone();
  await on.open(client.id, 'USD');
  await perform(on.services, 'setScheduledLimit', undefined, { clientId: client.id, limit: '1000' });
  const request = { requestId: 'wait', description: 'x', sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 20 };
  const { expiryMs, id } = await on.book(client.id, { ...request, type: 'SCHEDULED1' });
  on.clock.now = expiryMs;
  expect(await settleDue(on.services, LIMIT)).toMatchObject({ overdue: 1 });
  const funding = await announce(client);
  await decide('completeFunding', funding.id);
  expect(await settleDue(on.services, LIMIT)).toMatchObject({ settled: 1 });
  const booking = await perform(on.services, 'readBooking', on.caller(client.id), { confirmationId: id });
  expect(booking).toMatchObject({ booking: { status: 'SETTLED' } });
});
