/**
 * A key of another type than a step writes ends the step before its first write. Each Lua file is run once; then again from the same state
 * for each key, which is replaced by a list: no step uses lists.
 */
import { basename } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { storeAnswer } from '../../../engine/service/core/operation.js';
import { CREATE_RECORD, SET_IF_EXISTS } from '../../../engine/store/access/clients.js';
import { ASSIGN_COMP_ID, END_COMP_ID, REMOVE_COMP_ID } from '../../../engine/store/access/comp-ids.js';
import { INDEX_TOKEN } from '../../../engine/store/access/credentials.js';
import { COUNT_FAILED_ATTEMPT } from '../../../engine/store/access/failed-attempts.js';
import { RECHECK_TOKENS, REVOKE_KEY, ROTATE_SECRET } from '../../../engine/store/access/key-changes.js';
import { TAKE_PERMITS } from '../../../engine/store/access/permits.js';
import { APPEND_AUDIT, READ_AUDIT_HEAD } from '../../../engine/store/audit/audit-log.js';
import { TRIM_JOURNAL } from '../../../engine/store/audit/journal-archive.js';
import { READ_LEDGER } from '../../../engine/store/audit/ledger-snapshot.js';
import {
  CHANGE_BENEFICIARY,
  COMPLETE_VERIFICATION,
  CREATE_BENEFICIARY,
} from '../../../engine/store/beneficiaries/beneficiaries.js';
import { StoreKeyFault } from '../../../engine/store/connection/errors.js';
import { NodeConnection } from '../../../engine/store/connection/node-connection.js';
import type { Script, Step } from '../../../engine/store/connection/scripts.js';
import { RECORD_DONT_KNOW } from '../../../engine/store/conversions/dont-know-trades.js';
import { RELEASE_LEASE, TAKE_LEASE } from '../../../engine/store/coordination/lease.js';
import { CHANGE_PORTS, JOIN_PORTS } from '../../../engine/store/coordination/ports.js';
import { PUBLISH_RATES, SERVER_TIME, WRITE_RATES } from '../../../engine/store/coordination/relay.js';
import { FORGET_WORKERS, READ_WORK, RELEASE_WORK } from '../../../engine/store/coordination/work.js';
import {
  ADJUST_COVER,
  CLAIM_COVER,
  COVER_FX,
  DISPUTE_COVER,
  MOVE_COVER,
  PLAN_COVER,
} from '../../../engine/store/cover/cover.js';
import { APPEND_KEY_EVENT, ENABLE_EVENTS } from '../../../engine/store/events/events.js';
import { READ_DUE, READ_GROUP } from '../../../engine/store/ledger/due-queue.js';
import { READ_ACCOUNT } from '../../../engine/store/ledger/journal.js';
import { SET_RULE } from '../../../engine/store/ledger/rules.js';
import { SET_FEE } from '../../../engine/store/payments/fees.js';
import { REMOVE_MARGIN, SET_MARGIN } from '../../../engine/store/prices/margins.js';
import { SEED_EXPOSURE } from '../../../engine/store/risk/exposures.js';
import { FOLD_POSITION, READ_POSITIONS } from '../../../engine/store/risk/positions.js';
import { PUBLISH_FIGURES } from '../../../engine/store/risk/risk-figures.js';
import { SHARE_ROOM } from '../../../engine/store/risk/rooms.js';
import { SET_TRADING_STATE } from '../../../engine/store/risk/trading-states.js';
import {
  APPEND_MESSAGE,
  CLAIM_SESSION,
  RESERVE_NUMBERS,
  RESET_SESSION,
  WRITE_SESSION,
} from '../../../engine/store/sessions/fix-sessions.js';
import { PLATFORM_HOLD_STEPS, SHARE_STEPS } from '../../platforms/store/share-steps.js';
import { IS_EXHAUSTIVE } from '../../support/sizes.js';
import { notOnCluster } from '../../support/store.js';
import { filesEndingIn } from '../../tidy/tree.js';
import { webhookRows } from '../../webhooks/store/webhook-rows.js';
import { type LedgerSteps, NOW, startLedgerSteps } from './ledger-steps.js';
import { MONEY_STEPS, nextNumber, takenOn } from './money-steps.js';

const skipped = notOnCluster('key-types.test.ts', 'it reads and restores one keyspace as a whole');

type Args = readonly (string | Buffer)[];
interface Kept {
  readonly dump: Buffer;
  /** What two states are compared by: the dump, but of a hash or a set the sorted content, because Redis may dump it in any order. */
  readonly value: Buffer;
  readonly expiresAt: number;
}
type State = ReadonlyMap<string, Kept>;
interface Call {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: Args;
  readonly before: State;
  readonly after: State;
}

let on: LedgerSteps;
let empty: State;
/** What each key in turn is replaced by. */
let list: Kept;

beforeAll(async () => {
  if (skipped) return;
  on = await startLedgerSteps();
  takenOn(on);
  empty = await state();
  const { redis } = on.keyspace;
  await redis.rpush('of-another-type', 'x');
  list = (await state()).get('of-another-type')!;
  await redis.del('of-another-type');
});
afterAll(() => on?.stop());
afterEach(() => {
  vi.restoreAllMocks();
  on.now = NOW;
});

/** Every key with its dump, its value and its expiry, except the leases of engines, which are renewed. */
const STATE = `local found = {}
local function sorted(parts)
  table.sort(parts)
  return cjson.encode(parts)
end
local function value_of(key, dump)
  local kind = redis.call('TYPE', key).ok
  if kind == 'set' then return sorted(redis.call('SMEMBERS', key)) end
  if kind ~= 'hash' then return dump end
  local pairs = {}
  for i, part in ipairs(redis.call('HGETALL', key)) do
    if i % 2 == 1 then pairs[#pairs + 1] = part else pairs[#pairs] = pairs[#pairs] .. '=' .. part end
  end
  return sorted(pairs)
end
for _, key in ipairs(redis.call('KEYS', '*')) do
  if string.sub(key, 1, 13) ~= 'lease:engine-' then
    local dump = redis.call('DUMP', key)
    found[#found + 1] = key
    found[#found + 1] = dump
    found[#found + 1] = value_of(key, dump)
    found[#found + 1] = tostring(redis.call('PEXPIRETIME', key))
  end
end
return found`;

async function state(): Promise<State> {
  const found = (await on.keyspace.redis.callBuffer('EVAL', STATE, '0')) as Buffer[];
  const all = new Map<string, Kept>();
  for (let i = 0; i < found.length; i += 4) {
    const [key, dump, value, expiresAt] = found.slice(i, i + 4) as [Buffer, Buffer, Buffer, Buffer];
    all.set(key.toString(), { dump, value, expiresAt: Number(expiresAt.toString()) });
  }
  return all;
}

const isClock = (key: string): boolean => key.endsWith(':clock');
/** Nothing is stored under it, and the store's health check sets it where it exists. */
const isGuard = (key: string): boolean => key.endsWith(':migration-guard');
const tagOf = (key: string): string => /\{(.+?)\}/.exec(key)?.[1] ?? key;

/** Keys that differ in value or expiry. */
function changedKeys(before: State, after: State): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return !was || !is || !was.value.equals(is.value) || was.expiresAt !== is.expiresAt;
  });
}

async function restore(to: State, from: State): Promise<void> {
  const commands = on.keyspace.redis.pipeline();
  for (const key of changedKeys(to, from)) {
    const kept = to.get(key);
    if (!kept) commands.del(key);
    else commands.restore(key, Math.max(0, kept.expiresAt), kept.dump, 'REPLACE', 'ABSTTL');
  }
  for (const [error] of (await commands.exec()) ?? []) if (error) throw error;
}

const evaluate = ({ script: { text }, keys, args }: Pick<Call, 'script' | 'keys' | 'args'>): Promise<unknown> =>
  on.keyspace.redis.eval(text, keys.length, ...keys, ...(args as string[]));

/** The last call of that step by the store while `take` runs. */
async function called(step: string, take: () => Promise<unknown>): Promise<Call> {
  let call: Call | undefined;
  for (const name of ['step', 'runUnreplicated'] as const) {
    const original = NodeConnection.prototype[name];
    vi.spyOn(NodeConnection.prototype, name).mockImplementation(async function (
      this: NodeConnection,
      asked: Script,
      keys: readonly string[],
      args: (string | Buffer)[],
    ) {
      if (asked.name !== step) return original.call(this, asked, keys, args);
      const before = await state();
      const reply = await original.call(this, asked, keys, args);
      // Sent again later, at whatever time.
      if (asked.isTimed) args[0] = '';
      call = { script: asked, keys, args, before, after: await state() };
      return reply;
    });
  }
  await on.testStore.turn();
  await take();
  vi.restoreAllMocks();
  if (!call) throw new Error('the row does not take its step');
  return call;
}

/** A step on keys of its own, and the commands that make its initial state. */
interface Other {
  readonly step: string;
  readonly before: readonly (readonly string[])[];
  readonly call: Pick<Call, 'script' | 'keys' | 'args'>;
}
function other<Keys, Args>(
  step: Step<Keys, Args>,
  before: Other['before'],
  keys: NoInfer<Keys>,
  named: NoInfer<Args>,
): Other {
  const [ordered, args] = step.order(keys, named);
  return { step: step.name, before, call: { script: step, keys: ordered, args } };
}
const SESSION = ['HSET', '{t}', 'epoch', '7', 'engine', 'one', 'out', '5', 'in', '1', 'created', '1'];
const STREAM = ['XADD', '{t}', '5-1', 'step', 'deposit'];
const STATES = { restrictions: '{t}', version: '{t}2' };
const MARGINS = { rules: '{t}', version: '{t}2' };
const T = '{t}';
const COVER_KEYS = { cover: T, covers: '{t}2', openCovers: '{t}3', fence: '{t}4' };
const COVERED = ['HSET', '{s00}:t1', 'status', 'sent', 'facts', '{}', 'filled', '0', 'quote', '0'];
const OTHERS: readonly Other[] = [
  other(
    APPEND_AUDIT,
    [],
    { log: T, head: '{t}2' },
    { headMac: '', entry: '1-1', number: 1, mac: 'mac', fields: ['what', 'x'] },
  ),
  other(
    APPEND_MESSAGE,
    [SESSION, ['XADD', '{t}3', '1-1', 'kind', 'report'], ['ZADD', '{t}2', '1', '1.1:x']],
    { session: T, messages: '{t}2', outbox: '{t}3' },
    { epoch: '7', number: 2, nowMs: 900_000, keptMs: 1_000, message: 'text', outboxEntry: '1-1' },
  ),
  other(
    ADJUST_COVER,
    [],
    { adjustment: '{s00}:t1', balances: '{s00}:t2', journal: '{s00}:t3' },
    {
      ...{ kind: 'credit', account: 'house:cover:LP', currency: 'EUR', amount: 5, id: 'one', actor: 'anna' },
      ...{ reason: 'statement', reference: 'x' },
    },
  ),
  other(CLAIM_COVER, [['SET', T, 'one 5']], { fence: T }, { holding: 'two 6' }),
  other(PLAN_COVER, [['SET', '{t}4', 'one 5']], COVER_KEYS, {
    ...{ id: 'CVR1', pair: 'EUR/USD', status: 'planned', facts: '{}', holding: 'one 5' },
  }),
  other(
    MOVE_COVER,
    [COVERED, ['HSET', '{s00}:t3', 'EUR/USD', 'CVR1']],
    { cover: '{s00}:t1', openCovers: '{s00}:t3', fence: '{s00}:t4' },
    { id: 'CVR1', pair: 'EUR/USD', to: 'ended', amount: 9, reason: '' },
  ),
  other(
    COVER_FX,
    [COVERED, ['HSET', '{s00}:t3', 'EUR/USD', 'CVR1']],
    {
      cover: '{s00}:t1',
      openCovers: '{s00}:t3',
      balances: '{s00}:t5',
      journal: '{s00}:t6',
      bookings: '{s00}:t7:bookings',
    },
    {
      ...{ id: 'CVR1', pair: 'EUR/USD', side: 'buy', amount: 9, execId: 'x', base: 9, quote: 10, price: '1.1' },
      ...{ filledBefore: 0, baseCurrency: 'EUR', quoteCurrency: 'USD', account: 'house:cover:LP', actor: 'engine' },
      position: 'EUR/USD|20261125|Bq',
    },
  ),
  other(
    DISPUTE_COVER,
    [COVERED],
    { cover: '{s00}:t1', openCovers: '{s00}:t3' },
    { id: 'CVR1', pair: 'EUR/USD', execId: 'x', reason: 'cancelled' },
  ),
  other(ASSIGN_COMP_ID, [], { compId: T }, { client: 'acme', options: [] }),
  other(CHANGE_PORTS, [], { modes: T, programs: '{t}2' }, { changes: ['payout', 'manual'] }),
  other(CLAIM_SESSION, [], { session: T }, { engine: 'one', nowMs: 1 }),
  other(COUNT_FAILED_ATTEMPT, [], { record: T }, { most: 5, windowMs: 1_000, closedMs: 1_000, nowMs: 5_000 }),
  other(CREATE_RECORD, [], { record: T }, { fields: ['name', 'x'] }),
  other(
    APPEND_KEY_EVENT,
    [['XADD', '{s00}:client:t:events', '1-1', 'e', 'x']],
    { events: '{s00}:client:t:events', keyEvents: '{s00}:client:t:key-events' },
    { clientKey: 'CK_1', mark: 'key.rotated|5|1|1', type: 'key.rotated', atMs: '5', liveSecrets: '1', number: '1' },
  ),
  other(ENABLE_EVENTS, [], { events: T }, {}),
  other(END_COMP_ID, [['HSET', T, 'client', 'acme']], { compId: T }, { client: 'acme' }),
  other(
    FOLD_POSITION,
    [['HSET', '{s00}:t', 'EUR/USD|20261120|Bb', '1 2 0', 'EUR/USD|20261130|Bb', '5 6 0']],
    { position: '{s00}:t' },
    { day: '20261123', most: 10 },
  ),
  other(
    FORGET_WORKERS,
    [
      ['XGROUP', 'CREATE', T, 'workers', '0', 'MKSTREAM'],
      ['XGROUP', 'CREATECONSUMER', T, 'workers', 'gone'],
    ],
    { work: T },
    { idleMs: 0 },
  ),
  other(
    RELEASE_WORK,
    [STREAM, ['XGROUP', 'CREATE', T, 'workers', '0'], ['XREADGROUP', 'GROUP', 'workers', 'one', 'STREAMS', T, '>']],
    { work: T },
    { worker: 'one', idleMs: 60_000, most: 10 },
  ),
  other(
    INDEX_TOKEN,
    [
      ['HSET', '{t}:keys', 'CK_2', 'rates'],
      ['ZADD', '{t}:key:CK_2', '900000', 'b', '900001', 'c'],
      ['ZADD', 't', '900000', 'b', '900001', 'c'],
    ],
    { ofClient: 't', ofKey: '{t}:key:CK_1', rightsOfKeys: '{t}:keys' },
    { hash: 'a', expiresAtMs: 900_002, nowMs: 5, mostOfKey: 5, mostOfClient: 2, key: 'CK_1', rights: 'rates' },
  ),
  other(
    JOIN_PORTS,
    [['ZADD', '{t}2', '1', 'gone']],
    { modes: T, programs: '{t}2' },
    { program: 'one', registeredMs: 60_000, feed: '', ports: ['payout', 'manual', 'manual'] },
  ),
  other(PUBLISH_RATES, [['SET', T, 'one']], { lease: T }, { holding: 'one', channel: 'relay:none', message: 'x' }),
  other(
    PUBLISH_FIGURES,
    [
      ['SET', T, 'one'],
      ['SET', '{t}2', 'x'],
      ['SET', '{t}3', 'x'],
    ],
    { lease: T, figures: '{t}2', dayStart: '{t}3' },
    { holding: 'one', channel: 'risk:none', message: 'y', keep: '1', day: 'z' },
  ),
  other(READ_DUE, [['ZADD', T, '5', 'settle:one']], { due: T }, { nowMs: 6, most: 10, others: [] }),
  other(
    READ_GROUP,
    [['HSET', '{s00}:t1', 'changes', '1']],
    { scheduled: '{s00}:t1', owing: '{s00}:t2', open: '{s00}:t3' },
    {},
  ),
  other(READ_WORK, [STREAM], { work: T }, { others: [] }),
  other(READ_ACCOUNT, [['HSET', T, 'EUR/1', '5']], { balances: T, journal: '{t}2' }, { account: 'EUR/1' }),
  other(READ_AUDIT_HEAD, [STREAM], { log: T, head: '{t}2' }, {}),
  other(
    READ_LEDGER,
    [['HSET', '{s00}:t1', 'EUR/1', '5']],
    {
      balances: '{s00}:t1',
      accounts: '{s00}:t2',
      journal: '{s00}:t3',
      scheduled: '{s00}:t4',
      overdue: '{s00}:t5',
      openHolds: '{s00}:t6',
      waiting: '{s00}:t7',
      archived: '{s00}:t8',
      bookings: '{s00}:t9',
      payments: '{s00}:t10',
      fundings: '{s00}:t11',
      overdueInto: '{s00}:t12',
      position: '{s00}:t13',
      changes: '{s00}:t14',
      receivables: '{s00}:t15',
      gains: '{s00}:t16',
      due: '{s00}:t17',
      groupOpen: '{s00}:t18',
      groupOwing: '{s00}:t19',
    },
    { client: 'x' },
  ),
  other(
    READ_POSITIONS,
    [['HSET', '{s00}:t1', 'EUR/USD|20261120|Bb', '1 2 0']],
    { position: '{s00}:t1' },
    { clients: [] },
  ),
  other(
    RECORD_DONT_KNOW,
    [],
    { record: '{s00}:t1' },
    { execution: 'BFX1/0', details: 'D|ACME1|', most: 5, keptMs: 60_000 },
  ),
  other(RELEASE_LEASE, [['SET', T, 'one 5']], { lease: T }, { engine: 'one' }),
  other(REMOVE_COMP_ID, [['HSET', T, 'client', 'acme']], { compId: T }, { client: 'acme' }),
  other(REMOVE_MARGIN, [['HSET', T, 'rule', '5']], MARGINS, { rule: 'rule' }),
  other(RESERVE_NUMBERS, [SESSION], { session: T }, { epoch: '7', bound: 500 }),
  other(
    RESET_SESSION,
    [SESSION, ['ZADD', '{t}2', '1', '1.1:x']],
    { session: T, messages: '{t}2' },
    { epoch: '7', nowMs: 900_000 },
  ),
  other(REVOKE_KEY, [['HSET', T, 'secret', 'x']], { record: T }, { mark: 'key.revoked|5|1|1', after: '' }),
  other(ROTATE_SECRET, [['HSET', T, 'secret', 'x']], { record: T }, { secret: 'y' }),
  other(SERVER_TIME, [], { key: T }, {}),
  other(
    CREATE_BENEFICIARY,
    [],
    {
      ...{ receipt: '{s00}:client:t:receipt:r', beneficiary: '{s00}:client:t:beneficiary:b' },
      ...{ index: '{s00}:client:t:index:beneficiaries', payees: '{s00}:client:t:payees' },
    },
    {
      ...{ beneficiaryId: 'b', createdAtMs: 1_000_000_000_000, account: 'one', fingerprint: 'f', keptMs: 60_000 },
      ...{ most: 10, facts: 'facts', cards: 'cards' },
    },
  ),
  other(
    CHANGE_BENEFICIARY,
    [
      ['HSET', '{s00}:client:t:beneficiary:b', 's', '1|ACTIVE|1000000000000|1000000000000|one|1', 'f', 'facts'],
      ['HSET', '{s00}:client:t:payees', 'one', 'b'],
    ],
    { beneficiary: '{s00}:client:t:beneficiary:b', payees: '{s00}:client:t:payees' },
    { beneficiaryId: 'b', most: 10, status: 'DISABLED', account: 'two', facts: 'others' },
  ),
  other(
    COMPLETE_VERIFICATION,
    [['XADD', '{s00}:client:t:events', '1-1', 'e', 'test||1|']],
    { payees: '{s00}:client:t:payees' },
    { verificationId: 'v', what: 'MATCH|MTCH|SEPA_VOP' },
  ),
  other(SET_FEE, [], { rules: T }, { rule: 'rule', terms: '5', rulesMax: 10 }),
  other(RECHECK_TOKENS, [['SET', T, '1']], { revocations: T }, {}),
  other(SET_IF_EXISTS, [['HSET', T, 'a', '1']], { record: T }, { fields: ['a', '2'] }),
  other(
    SEED_EXPOSURE,
    [],
    { position: T, subPosition: '{t}3', exposure: '{t}2' },
    { read: '[[],[]]', keptMs: 60_000, values: ['base', 'USD'] },
  ),
  other(
    SHARE_ROOM,
    [
      ['HSET', T, 'term', 'one', 'base', 'USD', '+EUR', '5', 'want:+EUR', '7'],
      ['HSET', '{t}2', 'EUR/USD|20261124|Bq', '1 1 0'],
    ],
    { room: T, position: '{t}2' },
    { term: 'one', base: 'USD', begins: false, known: '', deltas: ['+EUR', '3'] },
  ),
  other(SET_MARGIN, [], MARGINS, { rule: 'rule', marginPpm: 5, rulesMax: 10 }),
  other(SET_RULE, [], { rules: T, version: '{t}2' }, { name: '*', before: '', rule: '{}' }),
  other(SET_RULE, [['HSET', T, '*', '{}']], { rules: T, version: '{t}2' }, { name: '*', before: '{}' }),
  other(SET_TRADING_STATE, [], STATES, { subject: 'EUR/USD', restriction: 'halted' }),
  other(SET_TRADING_STATE, [['HSET', T, 'EUR/USD', 'halted']], STATES, { subject: 'EUR/USD' }),
  other(TAKE_LEASE, [], { lease: T }, { engine: 'one', leaseMs: 60_000 }),
  other(TAKE_PERMITS, [], { minute: T }, { limit: 5, wanted: 1, borrowed: 0, keptMs: 60_000 }),
  other(
    TRIM_JOURNAL,
    [STREAM, ['XADD', T, '6-1', 'step', 'deposit']],
    { journal: T, archived: '{t}2' },
    { first: '5-1', last: '5-1', count: 1, keptFrom: '6-1', fields: ['entry', '5-1'] },
  ),
  other(
    WRITE_RATES,
    [
      ['SET', T, 'one'],
      ['HSET', '{t}2', 'EUR/USD', '1'],
    ],
    { lease: T, rates: '{t}2' },
    { holding: 'one', byPair: ['EUR/USD', '2'] },
  ),
  ...webhookRows(other),
  other(WRITE_SESSION, [SESSION], { session: T }, { epoch: '7', fields: ['in', '9'] }),
];

/** Corrupts in turn each key passed to the step and each key that exists before or after it. */
async function corruptEach({ before, after, ...call }: Call, derived: readonly string[] = []): Promise<void> {
  let now = await state();
  const { redis } = on.keyspace;
  // A step writes in one slot; keys outside it, such as the test's clock, may change meanwhile.
  const tag = tagOf(call.keys[0]!);
  const written = changedKeys(before, after).filter((key) => tagOf(key) === tag && !isClock(key));
  const shared = changedKeys(empty, before);
  const own = new Set(
    [...call.keys, ...derived, ...shared, ...written].filter((key) => !isClock(key) && !isGuard(key)),
  );
  for (const key of own.add(`${call.keys[0]!.slice(0, 5)}:clock`)) {
    await restore(before, now);
    await redis.del(key);
    await redis.restore(key, 0, list.dump);
    const corrupted = new Map(before).set(key, list);
    const error = await evaluate(call).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    now = await state();
    const changed = changedKeys(corrupted, now);
    if (error === undefined) {
      expect(changed, `${key} is written, whatever it holds`).not.toContain(key);
      expect(written.includes(key) ? changed : [], `${key} is left out, the rest is written`).toEqual([]);
    } else {
      expect(error, key).toMatch(/KEY_TYPE|WRONGTYPE/);
      expect(changed, `${key}: ${error}`).toEqual([]);
    }
  }
  // Repeated on the uncorrupted state the step runs: it was the type that ended it.
  await restore(before, now);
  await evaluate(call);
  now = await state();
  expect(
    changedKeys(before, now)
      .filter((key) => !isClock(key))
      .sort(),
  ).toEqual(written.sort());
  await restore(empty, now);
}

describe.skipIf(skipped)('a key of another type ends the step before it writes', () => {
  // A step of a client without events writes less, by the same checks.
  const rows = (IS_EXHAUSTIVE ? [false, true] : [true]).flatMap((hasEvents) =>
    MONEY_STEPS.map((row) => [...row, hasEvents] as const),
  );
  test.each(rows)('%s: %s (%#)', async (step, _what, prepare, hasEvents) => {
    // The clock of the row before.
    await on.testStore.turn();
    const client = await on.client(`client-${nextNumber()}`);
    if (hasEvents) await on.store.events.enable(client.of);
    const accounts = { eur: await client.open('EUR', 100_000n), usd: await client.open('USD', 100_000n) };
    const take = await prepare(client, accounts);
    const call = await called(step, take);
    expect(changedKeys(call.before, call.after)).not.toEqual([]);
    // Also those whose names the step derives. The exposure is a cache: a step without values deletes it, whatever it holds.
    const all = Object.values(client.keys).filter((key) => typeof key === 'string' && !key.endsWith(':'));
    await corruptEach(call, all.filter((key) => key !== client.keys.exposure) as string[]);
  });

  test.each(SHARE_STEPS)('%s: %s', async (step, _what, prepare) => {
    const call = await called(step, await prepare(on));
    expect(
      changedKeys(call.before, call.after).filter((key) => /:platform-\d+:(journal|balances)$/.test(key)),
    ).toHaveLength(2);
    await corruptEach(call);
  });

  test.each(PLATFORM_HOLD_STEPS)('%s: %s', async (step, _what, prepare) => {
    const call = await called(step, await prepare(on));
    expect(changedKeys(call.before, call.after).filter((key) => key.endsWith(':all-holds'))).toHaveLength(1);
    await corruptEach(call);
  });

  test.each(OTHERS)('$step', async ({ before: commands, call }) => {
    for (const [command, ...rest] of commands) await on.keyspace.redis.call(command!, ...rest);
    const before = await state();
    await evaluate(call);
    await corruptEach({ ...call, before, after: await state() });
  });

  test('every Lua file has a row', () => {
    const files = filesEndingIn('.lua').map((path) => basename(path, '.lua'));
    const shared = [
      'clock',
      'prelude',
      'events',
      'holds',
      'groups',
      'limits',
      'payments',
      'positions',
      'receivables',
      'platforms',
      'batches',
    ];
    const steps = files.filter((file) => !shared.includes(file));
    const rows = [...MONEY_STEPS.map(([step]) => step), ...OTHERS.map(({ step }) => step)];
    expect([...new Set(rows)].sort()).toEqual(steps.sort());
  });

  test("the store names the key's kind and the remedy, shows neither key nor value, and the operation is refused with STORE_UNAVAILABLE", async () => {
    const client = await on.client('named');
    await client.open('EUR', 100_000n);
    await client.open('USD');
    await on.keyspace.redis.set(client.keys.due, 'a value');
    const step = client.step({ settlesAtMs: NOW + 86_400_000, scheduledRoom: 10n ** 15n }, { type: 'SCHEDULED1' });
    const error = await on.store.bookings.book(client.of, step).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreKeyFault);
    expect((error as Error).message).toMatch(/^The key of due list holds another type .* ratewire reconcile$/);
    expect((error as Error).message).not.toMatch(/named|a value|client:/);
    const answer = await storeAnswer({ log: pino({ level: 'silent' }) }, () => on.store.bookings.book(client.of, step));
    expect(answer).toMatchObject({ refusal: 'STORE_UNAVAILABLE', outcome: 'none' });
    await on.keyspace.redis.del(client.keys.due);
    expect(await on.store.bookings.read(client.of, step.confirmationId)).toBeUndefined();
    expect(await on.store.bookings.book(client.of, step)).toMatchObject({ kind: 'booked' });
    expect(await on.store.bookings.book(client.of, step)).toMatchObject({ kind: 'replayed' });
  });
});
