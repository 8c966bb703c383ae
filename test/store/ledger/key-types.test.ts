/**
 * A key of another type than a step writes ends the step before its first write. Each Lua file is run once; then again from the same state
 * for each key, which is replaced by a list: no step uses lists.
 */
import { readdirSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { storeAnswer } from '../../../engine/service/core/store-answer.js';
import { StoreKeyFault } from '../../../engine/store/connection/errors.js';
import { type Script, type Step, script } from '../../../engine/store/connection/scripts.js';
import { ServerLink } from '../../../engine/store/connection/server-link.js';
import { SET_FEE } from '../../../engine/store/ledger/fees.js';
import { SET_HALT } from '../../../engine/store/ledger/halts.js';
import { READ_ACCOUNT } from '../../../engine/store/ledger/journal.js';
import { REMOVE_MARGIN, SET_MARGIN } from '../../../engine/store/ledger/margins.js';
import { SEAL_CARDS } from '../../../engine/store/ledger/payments.js';
import { notOnCluster } from '../../support/store.js';
import { type LedgerSteps, NOW, startLedgerSteps } from './ledger-steps.js';
import { MONEY_STEPS, nextNumber, takenOn } from './money-steps.js';

const skipped = notOnCluster('key-types.test.ts', 'it reads and restores one keyspace as a whole');

type Args = readonly (string | Buffer)[];
type State = ReadonlyMap<string, { readonly dump: Buffer; readonly expiresAt: number }>;
interface Call {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: Args;
  readonly before: State;
  readonly after: State;
}

let on: LedgerSteps;
let empty: State;

beforeAll(async () => {
  if (skipped) return;
  on = await startLedgerSteps();
  takenOn(on);
  empty = await state();
});
afterAll(() => on?.stop());
afterEach(() => {
  vi.restoreAllMocks();
  on.now = NOW;
});

/** Every key with its value as text and its expiry, except the leases of engines, which are renewed. */
const STATE = `local found = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  if string.sub(key, 1, 13) ~= 'lease:engine-' then
    found[#found + 1] = key
    found[#found + 1] = redis.call('DUMP', key)
    found[#found + 1] = tostring(redis.call('PEXPIRETIME', key))
  end
end
return found`;

async function state(): Promise<State> {
  const found = (await on.keyspace.redis.callBuffer('EVAL', STATE, '0')) as Buffer[];
  const all = new Map<string, { dump: Buffer; expiresAt: number }>();
  for (let i = 0; i < found.length; i += 3) {
    all.set(found[i]!.toString(), { dump: found[i + 1]!, expiresAt: Number(found[i + 2]!.toString()) });
  }
  return all;
}

const isClock = (key: string): boolean => key.endsWith(':clock');
const tagOf = (key: string): string => /\{(.+?)\}/.exec(key)?.[1] ?? key;

/** Keys that differ in value or expiry. */
function changedKeys(before: State, after: State): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return !was || !is || !was.dump.equals(is.dump) || was.expiresAt !== is.expiresAt;
  });
}

async function restore(to: State, from: State): Promise<void> {
  const { redis } = on.keyspace;
  for (const key of changedKeys(to, from)) {
    const kept = to.get(key);
    if (!kept) await redis.del(key);
    else await redis.restore(key, Math.max(0, kept.expiresAt), kept.dump, 'REPLACE', 'ABSTTL');
  }
}

const evaluate = ({ script: { text }, keys, args }: Pick<Call, 'script' | 'keys' | 'args'>): Promise<unknown> =>
  on.keyspace.redis.eval(text, keys.length, ...keys, ...(args as string[]));

/** The last call of that step by the store while `take` runs. */
async function called(step: string, take: () => Promise<unknown>): Promise<Call> {
  let call: Call | undefined;
  for (const name of ['step', 'passingStep'] as const) {
    const original = ServerLink.prototype[name];
    vi.spyOn(ServerLink.prototype, name).mockImplementation(async function (this: ServerLink, asked, keys, args) {
      if (asked.name !== step) return original.call(this, asked, keys, args);
      const before = await state();
      const reply = await original.call(this, asked, keys, args);
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

const scriptOf = (step: string): Script => script(step);
/** The other steps, on keys of their own: initial state, keys, arguments. */
type Raw = readonly [
  step: string,
  before: readonly (readonly string[])[],
  keys: readonly string[],
  args: readonly string[],
];
/** The same, by name. */
interface Other {
  readonly step: string;
  readonly before: readonly (readonly string[])[];
  readonly call: Pick<Call, 'script' | 'keys' | 'args'>;
}
function other<Keys, Args>(
  step: Step<Keys, Args>,
  before: Other['before'],
  named: { readonly keys: NoInfer<Keys>; readonly args: NoInfer<Args> },
): Other {
  const [keys, args] = step.order(named.keys, named.args);
  return { step: step.name, before, call: { script: step, keys, args } };
}
const SESSION = ['HSET', '{t}', 'epoch', '7', 'engine', 'one', 'out', '5', 'in', '1', 'created', '1'];
const STREAM = ['XADD', '{t}', '5-1', 'step', 'deposit'];
const OTHERS: readonly Raw[] = [
  ['append-audit', [], ['{t}', '{t}2'], ['', '1-1', '1', 'mac', 'what', 'x']],
  [
    'append-message',
    [SESSION, ['XADD', '{t}3', '1-1', 'kind', 'report'], ['ZADD', '{t}2', '1', '1.1:x']],
    ['{t}', '{t}2', '{t}3'],
    ['7', '2', '900000', '1000', 'text', '1-1'],
  ],
  ['assign-comp-id', [], ['{t}'], ['acme']],
  ['change-ports', [], ['{t}', '{t}2'], ['payout', 'manual']],
  ['claim-session', [], ['{t}'], ['one', '1', '']],
  ['count-fault', [], ['{t}'], ['5', '1000', '1000', '5000']],
  ['create-record', [], ['{t}'], ['name', 'x']],
  ['end-comp-id', [['HSET', '{t}', 'client', 'acme']], ['{t}'], ['acme']],
  [
    'forget-workers',
    [
      ['XGROUP', 'CREATE', '{t}', 'workers', '0', 'MKSTREAM'],
      ['XGROUP', 'CREATECONSUMER', '{t}', 'workers', 'gone'],
    ],
    ['{t}'],
    ['0'],
  ],
  [
    'hand-back-work',
    [
      STREAM,
      ['XGROUP', 'CREATE', '{t}', 'workers', '0'],
      ['XREADGROUP', 'GROUP', 'workers', 'one', 'STREAMS', '{t}', '>'],
    ],
    ['{t}'],
    ['one', '60000', '10'],
  ],
  [
    'index-token',
    [
      ['HSET', '{t}:keys', 'CK_2', 'rates'],
      ['ZADD', '{t}:key:CK_2', '900000', 'b', '900001', 'c'],
      ['ZADD', 't', '900000', 'b', '900001', 'c'],
    ],
    ['t', '{t}:key:CK_1', '{t}:keys'],
    ['a', '900002', '5', '5', '2', 'CK_1', 'rates'],
  ],
  ['join-ports', [['ZADD', '{t}2', '1', 'gone']], ['{t}', '{t}2'], ['one', '60000', 'payout', 'manual', 'manual']],
  ['publish-rates', [['SET', '{t}', 'one']], ['{t}'], ['one', 'relay:none', 'x']],
  ['read-audit-head', [STREAM], ['{t}', '{t}2'], []],
  ['read-ledger', [['HSET', '{s00}:t1', 'EUR/1', '5']], Array.from({ length: 12 }, (_, i) => `{s00}:t${i + 1}`), []],
  ['release-lease', [['SET', '{t}', 'one 5']], ['{t}'], ['one']],
  ['remove-comp-id', [['HSET', '{t}', 'client', 'acme']], ['{t}'], ['acme']],
  ['reserve-numbers', [SESSION], ['{t}'], ['7', '500']],
  ['reset-session', [SESSION, ['ZADD', '{t}2', '1', '1.1:x']], ['{t}', '{t}2'], ['7', '900000']],
  ['rotate-secret', [['HSET', '{t}', 'secret', 'x']], ['{t}'], ['y']],
  ['server-time', [], ['{t}'], []],
  ['set-if-there', [['HSET', '{t}', 'a', '1']], ['{t}'], ['a', '2']],
  ['take-lease', [], ['{t}'], ['one', '60000']],
  ['take-permits', [], ['{t}'], ['5', '1', '0', '60000']],
  [
    'trim-journal',
    [STREAM, ['XADD', '{t}', '6-1', 'step', 'deposit']],
    ['{t}', '{t}2'],
    ['', '5-1', '5-1', '1', '6-1', 'entry', '5-1'],
  ],
  [
    'write-rates',
    [
      ['SET', '{t}', 'one'],
      ['HSET', '{t}2', 'EUR/USD', '1'],
    ],
    ['{t}', '{t}2'],
    ['one', 'EUR/USD', '2'],
  ],
  ['write-session', [SESSION], ['{t}'], ['7', 'in', '9']],
];

const TWO = { rules: '{t}', version: '{t}2' };
const NAMED: readonly Other[] = [
  other(READ_ACCOUNT, [['HSET', '{t}', 'EUR/1', '5']], {
    keys: { balances: '{t}', journal: '{t}2' },
    args: { account: 'EUR/1' },
  }),
  other(REMOVE_MARGIN, [['HSET', '{t}', 'rule', '5']], { keys: TWO, args: { rule: 'rule' } }),
  other(SEAL_CARDS, [['HSET', '{t}', 'facts', 'x', 'status', 'IN_PROCESS']], {
    keys: { payment: '{t}' },
    args: { facts: 'x', sealedFacts: 'y', cards: 'sealed' },
  }),
  other(SET_FEE, [], { keys: { rules: '{t}' }, args: { rule: 'rule', terms: '5', rulesMax: 10 } }),
  other(SET_HALT, [], { keys: { halts: '{t}', version: '{t}2' }, args: { pair: 'EUR/USD', halt: 'halted' } }),
  other(SET_HALT, [['HSET', '{t}', 'EUR/USD', 'halted']], {
    keys: { halts: '{t}', version: '{t}2' },
    args: { pair: 'EUR/USD' },
  }),
  other(SET_MARGIN, [], { keys: TWO, args: { rule: 'rule', marginPpm: 5, rulesMax: 10 } }),
];

/** Corrupts in turn each key passed to the step and each key that exists before or after it. */
async function corruptEach({ before, after, ...call }: Call): Promise<void> {
  let now = await state();
  const { redis } = on.keyspace;
  // A step writes in one slot; keys outside it, such as the test's clock, may change meanwhile.
  const tag = tagOf(call.keys[0]!);
  const written = changedKeys(before, after).filter((key) => tagOf(key) === tag && !isClock(key));
  const shared = changedKeys(empty, before);
  const own = new Set([...call.keys, ...shared, ...written].filter((key) => !isClock(key)));
  for (const key of own.add(`${call.keys[0]!.slice(0, 5)}:clock`)) {
    await restore(before, now);
    await redis.del(key);
    await redis.rpush(key, 'of another type');
    const corrupted = await state();
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
  expect(changedKeys(before, now).sort()).toEqual(written.sort());
  await restore(empty, now);
}

describe.skipIf(skipped)('a key of another type ends the step before it writes', () => {
  test.each(MONEY_STEPS)('%s: %s', async (step, _what, prepare) => {
    const client = await on.client(`client-${nextNumber()}`);
    const accounts = { eur: await client.open('EUR', 100_000n), usd: await client.open('USD', 100_000n) };
    const take = await prepare(client, accounts);
    const call = await called(step, take);
    expect(changedKeys(call.before, call.after)).not.toEqual([]);
    await corruptEach(call);
  });

  test.each(OTHERS)('%s', async (step, commands, keys, args) => {
    for (const [command, ...rest] of commands) await on.keyspace.redis.call(command!, ...rest);
    const before = await state();
    const call = { script: scriptOf(step), keys, args };
    await evaluate(call);
    await corruptEach({ ...call, before, after: await state() });
  });

  test.each(NAMED)('$step', async ({ before: commands, call }) => {
    for (const [command, ...rest] of commands) await on.keyspace.redis.call(command!, ...rest);
    const before = await state();
    await evaluate(call);
    await corruptEach({ ...call, before, after: await state() });
  });

  test('every Lua file has a row', () => {
    const files = readdirSync(new URL('../../../engine/store/lua/', import.meta.url)).map((file) => file.slice(0, -4));
    const steps = files.filter((file) => file !== 'prelude' && file !== 'payments');
    const rows = [
      ...MONEY_STEPS.map(([step]) => step),
      ...OTHERS.map(([step]) => step),
      ...NAMED.map(({ step }) => step),
    ];
    expect([...new Set(rows)].sort()).toEqual(steps.sort());
  });

  test("the store names the key's kind and the remedy, shows neither key nor value, and the operation is refused with STORE_UNAVAILABLE", async () => {
    const client = await on.client('told');
    await client.open('EUR', 100_000n);
    await client.open('USD');
    await on.keyspace.redis.set(client.keys.index('bookings'), 'a value');
    const step = client.step();
    const error = await on.store.bookings.book(client.of, step).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreKeyFault);
    expect((error as Error).message).toMatch(/^The key of index of bookings holds another type .* ratewire reconcile$/);
    expect((error as Error).message).not.toMatch(/told|a value|client:/);
    const answer = await storeAnswer({ log: pino({ level: 'silent' }) }, () => on.store.bookings.book(client.of, step));
    expect(answer).toMatchObject({ refusal: 'STORE_UNAVAILABLE', outcome: 'none' });
    expect(await on.store.bookings.read(client.of, step.confirmationId)).toBeUndefined();
    await on.keyspace.redis.del(client.keys.index('bookings'));
    expect(await on.store.bookings.book(client.of, step)).toMatchObject({ kind: 'booked' });
    expect(await on.store.bookings.book(client.of, step)).toMatchObject({ kind: 'replayed' });
  });
});
