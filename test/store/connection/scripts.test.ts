/** A step's declaration and its Lua script must have the same names, or the program does not start. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Connection } from '../../../engine/store/connection/connection.js';
import { assemble } from '../../../engine/store/connection/scripts.js';
import { redisAt } from '../../support/redis-client.js';
import { notOnCluster, startTestStore } from '../../support/store.js';

const skipped = notOnCluster('scripts.test.ts', 'one case asks a server past the store');

describe('names', () => {
  const DECLARED = { keys: ['record', 'otherRecord?'], args: ['kind', 'holdId?'], rest: 'rates' } as const;
  const SOUND = `
local function amount_of(rate) return rate.amount end
local total = 0
for _, rate in ipairs(rates) do total = total + amount_of({ amount = rate }) end
redis.call('SET', record, kind .. hold_id) -- of some_comment
return { redis.call("GET", other_record), step_now(), total }
`;
  const load = (body: string) => assemble('planted', body, { ...DECLARED });

  test('loads a script that uses declared names, its own locals and the functions of prelude.lua', () => {
    expect(load(SOUND).text).toContain('local kind, hold_id = ARGV[2], ARGV[3]');
  });

  test.each([
    ['uses a misspelled argument', 'hold_id)', 'hold_di)', 'uses names that are not declared: hold_di'],
    ['uses an argument by position', 'kind ..', 'ARGV[1] ..', 'uses names that are not declared: ARGV'],
    ['uses a key by position', '"GET", other_record', '"GET", KEYS[2]', 'uses names that are not declared: KEYS'],
    ['writes a global', 'local total', 'total_of_all', 'uses names that are not declared: total_of_all, total'],
    ['calls an unknown function', 'step_now()', 'step_time()', 'uses names that are not declared: step_time'],
    ['calls a function of payments.lua unasked', 'step_now()', 'leave_queue()', 'not declared: leave_queue'],
    ['never uses a key', '"GET", other_record', '"GET", record', 'does not use names that are declared: other_record'],
    ['never uses an argument', ' .. hold_id', '', 'does not use names that are declared: hold_id'],
    [
      'uses an argument in a comment alone',
      ' .. hold_id)',
      ') -- hold_id',
      'does not use names that are declared: hold_id',
    ],
    ['uses an argument in a string alone', ' .. hold_id)', " .. 'hold_id')", 'are declared: hold_id'],
    ['uses an argument as a field alone', ' .. hold_id)', ' .. total.hold_id)', 'are declared: hold_id'],
    ['uses an argument as a key of a table alone', ' .. hold_id)', ' .. #{ hold_id = 1 })', 'are declared: hold_id'],
    ['never uses the list', 'ipairs(rates)', 'ipairs({})', 'does not use names that are declared: rates'],
    ['hides an argument behind a local', 'local total', 'local kind, total', 'declares a name a second time: kind'],
    ['hides a key behind a parameter', 'amount_of(rate)', 'amount_of(rate, record)', 'a second time: record'],
    ['hides an argument behind the variable of a loop', 'for _,', 'for kind,', 'a second time: kind'],
  ])('rejects a script that %s', (_what, from, to, error) => {
    expect(SOUND).toContain(from);
    const planted = SOUND.replace(from, to);
    expect(() => load(planted)).toThrow('planted.lua');
    expect(() => load(planted)).toThrow(error);
  });

  test.each([
    ['a function of prelude.lua', { keys: ['record'], args: ['move'] }, 'a second time: move'],
    ['a word of Lua', { keys: ['record'], args: ['end'] }, 'does not use names that are declared: end'],
    ['a key and an argument', { keys: ['record'], args: ['record'] }, 'two of the same name: record, record'],
  ])('rejects a declaration whose name is that of %s', (_what, declaration, error) => {
    const body = `return { ${[...declaration.keys, ...declaration.args].join(', ')} }`;
    expect(() => assemble('planted', body, declaration)).toThrow(error);
  });

  test('rejects a declaration whose first key is optional', () => {
    expect(() => assemble('planted', 'return record', { keys: ['record?'] })).toThrow('the first key');
  });
});

const ECHO = assemble('echo', 'return { first, second_key, third_key, amount, hold_id, is_new, unpack(more) }', {
  keys: ['first', 'secondKey?', 'thirdKey'],
  args: ['amount', 'holdId?', 'isNew'],
  rest: 'more',
});

test.skipIf(skipped)('a function that is rarely used is there when it is first called', async () => {
  const { redisUrl, stop } = await startTestStore();
  const redis = await redisAt(redisUrl);
  const body = (call: string) => `local out = 0\nif rates[1] then ${call} end\nreturn { kind, out }`;
  const load = (call: string) => assemble('planted', body(call), { keys: ['record'], args: ['kind'], rest: 'rates' });
  // Both rare, and one uses the other.
  const step = load("wake_payments(record, kind) out = #outbox_of(record, 'X')");
  expect(step.text).toMatch(/rarely\.wake_payments = function\(overdue, client\)$/m);
  expect(step.text).toMatch(/rarely\.enqueue_work\(work/);
  expect(step.text).not.toContain('copied_sessions');
  expect(load('out = #outbox_of(record, kind)').text).not.toContain('rarely.');
  const called = async (rates: string[]) => {
    const [keys, args] = step.order({ record: '{s00}:client:x:overdue' }, { kind: 'x', rates });
    return redis.eval(step.text, keys.length, ...keys, ...args);
  };
  try {
    expect(await called([])).toEqual(['x', 0]);
    await redis.zadd('{s00}:client:x:waiting', 0, 'PAY1|EUR');
    expect(await called(['1'])).toEqual(['x', '{s00}:client:x:overdueX:outbox'.length]);
    expect(await redis.xlen('{s00}:work')).toBe(1);
  } finally {
    redis.disconnect();
    await stop();
  }
});

describe('arguments', () => {
  test.skipIf(skipped)('reach their names in any order given by the caller', async () => {
    const { redisUrl, stop } = await startTestStore();
    const on = await redisAt(redisUrl);
    const [keys, args] = ECHO.order(
      { thirdKey: '{s07}:c', first: '{s07}:a' },
      { isNew: true, more: ['x', Buffer.from('y')], amount: 12n },
    );
    expect(keys).toEqual(['{s07}:a', '{s07}:migration-guard', '{s07}:c']);
    expect(await on.eval(ECHO.text, keys.length, ...keys, ...args)).toEqual([...keys, '12', '', '1', 'x', 'y']);
    on.disconnect();
    await stop();
  });

  test('a false flag is empty, and bytes stay bytes', () => {
    const bytes = Buffer.from([0, 255]);
    const [, args] = ECHO.order({ first: 'a', thirdKey: 'b' }, { isNew: false, holdId: bytes, amount: 5, more: [] });
    expect(args).toEqual(['5', bytes, '']);
  });
});

test('the types of a caller have the names of the declaration, and no other', () => {
  type Value = string | Buffer | number | bigint | boolean;
  type Keys = { readonly first: string; readonly secondKey?: string | undefined; readonly thirdKey: string };
  type Args = {
    readonly amount: Value;
    readonly holdId?: Exclude<Value, boolean> | undefined;
    readonly isNew: Value;
    readonly more: readonly (string | Buffer)[];
  };
  type Given = Parameters<typeof ECHO.order>;
  expectTypeOf<Pick<Given[0], keyof Given[0]>>().toEqualTypeOf<Keys>();
  expectTypeOf<Pick<Given[1], keyof Given[1]>>().toEqualTypeOf<Args>();
  // The names are those of a step's own type, so that an additional name does not compile.
  const take = (connection: Connection, keys: Keys, args: Args) => connection.step(ECHO, keys, args);
  expectTypeOf(take).toBeFunction();
});
