/**
 * A test waits for a condition, never for a time: nothing sleeps for a second or more, and no wait for a condition ends so soon that a busy
 * machine fails it.
 */
import { expect, test } from 'vitest';
import { filesEndingIn, read } from './tree.js';

const SLEEP_MS = 1_000;
/** A condition has at least so long. Vitest gives one second to what has no bound of its own. */
const BOUND_MS = 10_000;

/** What does so all the same, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test/risk/store/risk-figures.test.ts: waits for 200 ms': 'one of the attempts of a wait of two minutes',
  'test/webhooks/roles/webhooks.test.ts: sleeps for 2100 ms': 'an endpoint that answers so late is what is tested',
};

/** `setTimeout(resolve, ms)` in a promise that it fulfils; beside others, in a race, it is their bound. */
const SLEEP =
  /(?<!race\(.*)new Promise(?:<\w+>)?\(\(?(\w+)\)? =>\s*(?:\{\s*)?(?:void )?setTimeout\((?:\1|\(\) => \1\(\)),\s*([^;]*?)\)/g;
const PROMISED = /import \{[^}]*\bsetTimeout as (\w+)[^}]*\} from '(?:node:)?timers\/promises'/g;
/** A function whose parameter is how long it sleeps. */
const HELPER = /\b(\w+) = (?:async )?\((\w+)(?:: number)?\) =>\s*new Promise[^;]*?setTimeout\([^;]*?, \2\)/g;
const WAIT = /\b(?:vi\s*\.wait(?:For|Until)|expect\s*\.poll)\(/g;

/** The product of numbers and of constants of that text; undefined: it does not say. */
function numberIn(text: string, expression: string): number | undefined {
  let product = 1;
  for (const factor of expression.split('*')) {
    const name = factor.trim();
    const constant = /^[A-Z_a-z]\w*$/.test(name) && new RegExp(`\\bconst ${name} = ([^;]+);`).exec(text)?.[1];
    const value = constant ? numberIn(text, constant) : Number(name.replaceAll('_', '') || Number.NaN);
    if (value === undefined || Number.isNaN(value)) return undefined;
    product *= value;
  }
  return product;
}

/** The arguments of the call whose bracket is before that place. */
function argumentsAt(text: string, from: number): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of text.slice(from)) {
    if (')]}'.includes(letter) && depth-- === 0) break;
    if ('([{'.includes(letter)) depth++;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((argument) => argument.trim()).filter((argument) => argument !== '');
}

/** `file: what` of each call that waits for a time, or not long enough for a condition. */
function badWaits(file: string, text: string): string[] {
  const sleepers = [...text.matchAll(PROMISED), ...text.matchAll(HELPER)].map(([, name]) => name);
  const called = sleepers.flatMap((name) =>
    [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\(`, 'g'))].map(
      ({ 0: call, index }) => argumentsAt(text, index + call.length)[0] ?? '',
    ),
  );
  const slept = [...[...text.matchAll(SLEEP)].map(([, , ms]) => ms!), ...called];
  const waited = [...text.matchAll(WAIT)].map(({ 0: call, index }) => {
    const [, bound = call.startsWith('vi') ? '1_000' : ''] = argumentsAt(text, index + call.length);
    return /^\{.*\btimeout: ([\w *]+)/s.exec(bound)?.[1] ?? bound;
  });
  const numbers = (expressions: readonly string[]) =>
    expressions.map((expression) => numberIn(text, expression)).filter((value) => value !== undefined);
  return [
    ...numbers(slept).flatMap((ms) => (ms >= SLEEP_MS ? [`${file}: sleeps for ${ms} ms`] : [])),
    ...numbers(waited).flatMap((ms) => (ms < BOUND_MS ? [`${file}: waits for ${ms} ms`] : [])),
  ];
}

test('nothing sleeps for a second or more, and no wait for a condition is short, but for those listed', () => {
  const own = 'test/tidy/waits.test.ts';
  const files = filesEndingIn('.ts', '.mjs').filter((file) => /(^|\/)test\//.test(file) && file !== own);
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) => badWaits(file, read(file)));
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted());
});

test.each([
  ['sleeps for 1500 ms', 'await new Promise((resolve) => setTimeout(resolve, 1_500));'],
  ['sleeps for 1000 ms', 'await new Promise<void>((done) => {\n  setTimeout(() => done(), 1000);\n});'],
  ['sleeps for 2000 ms', "import { setTimeout as pause } from 'node:timers/promises';\nawait pause(2 * 1_000);"],
  ['sleeps for 3000 ms', 'const A_MS = 3_000;\nconst wait = () => new Promise((turn) => setTimeout(turn, A_MS));'],
  ['sleeps for 4000 ms', 'const later = (ms) => new Promise((turn) => setTimeout(turn, ms));\nawait later(4_000);'],
  ['waits for 1000 ms', 'await vi.waitFor(() => {\n  expect([1, 2]).toEqual([1, 2]);\n});'],
  ['waits for 500 ms', 'await vi.waitUntil(() => is(1, 2), { interval: 5, timeout: 500 });'],
  ['waits for 2000 ms', 'await expect.poll(() => true, { timeout: 2_000 }).toBe(true);'],
])('it is found that a test %s', (found, text) => {
  expect(badWaits('x', text)).toEqual([`x: ${found}`]);
});

test.each([
  'await new Promise((resolve) => setTimeout(resolve, 900));',
  'const late = setTimeout(() => child.kill(), 120_000);',
  'await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 12_000))]);',
  'await vi.waitFor(() => expect(1).toBe(1), SOON);',
  'await expect.poll(() => true).toBe(true);',
])('%s is allowed', (text) => {
  expect(badWaits('x', text)).toEqual([]);
});
