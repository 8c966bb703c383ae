/** The steps add balances of up to 18 digits and changes of less than 8e15 without rounding: compared with BigInt. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemble } from '../../../engine/store/connection/scripts.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const SUMS = assemble(
  'sums',
  `local sums = { record }
for i = 1, #amounts, 2 do sums[#sums + 1] = sum_of(amounts[i], tonumber(amounts[i + 1])) end
return sums`,
  { keys: ['record'], rest: 'amounts' },
);

const CHANGE_MAX = 8_000_000_000_000_000n;

let on: TestStore;
let redis: Awaited<ReturnType<typeof redisAt>>;
beforeAll(async () => {
  on = await startTestStore();
  redis = await redisAt(on.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await on.stop();
});

async function sums(amounts: readonly (readonly [bigint, bigint])[]): Promise<unknown> {
  const [keys, args] = SUMS.order({ record: '{s00}:x' }, { amounts: amounts.flat().map(String) });
  const found = (await redis.eval(SUMS.text, keys.length, ...keys, ...args)) as string[];
  return found.slice(1);
}

const exact = (amounts: readonly (readonly [bigint, bigint])[]): string[] => amounts.map(([a, b]) => String(a + b));

test('adds each pair of extreme values exactly', async () => {
  const edges = [0n, 1n, 5n];
  for (let digits = 1n; digits <= 18n; digits++) edges.push(10n ** digits - 1n, 10n ** digits, 10n ** digits + 1n);
  edges.push(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 500_000_000n, 1_500_000_000n, 999_999_999_000_000_000n);
  const all = edges.flatMap((edge) => [edge, -edge]);
  const changes = all.filter((edge) => edge < CHANGE_MAX && edge > -CHANGE_MAX);
  for (const balance of all) {
    const pairs = changes.map((change) => [balance, change] as const);
    expect(await sums(pairs)).toEqual(exact(pairs));
  }
});

test('adds random values of any length exactly', async () => {
  const random = (most: number): bigint => {
    const digits = 1 + Math.floor(Math.random() * most);
    const text = Array.from({ length: digits }, () => Math.floor(Math.random() * 10)).join('');
    return Math.random() < 0.5 ? BigInt(text) : -BigInt(text);
  };
  for (let round = 0; round < 20; round++) {
    const pairs = Array.from({ length: 500 }, () => [random(18), random(15)] as const);
    expect(await sums(pairs)).toEqual(exact(pairs));
  }
});

test.each(['1.5', '1e3', '0x10', '', ' 1', '5-', 'abc', '1234567890123456.5'])('rejects %j', async (text) => {
  const [keys, args] = SUMS.order({ record: '{s00}:x' }, { amounts: [text, '1'] });
  await expect(redis.eval(SUMS.text, keys.length, ...keys, ...args)).rejects.toThrow();
});
