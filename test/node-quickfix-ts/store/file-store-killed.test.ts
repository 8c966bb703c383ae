/** The file store of a process that is killed while it writes: what was confirmed is there, and its lock is free. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fileStoreFactory } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { DESK, newDirectory } from './file-harness.js';

const CHILD = fileURLToPath(new URL('writing-child.mjs', import.meta.url));
const ROUNDS = process.env.RATEWIRE_TESTS === 'exhaustive' ? 200 : 8;

/** Runs the child until it has reported `lines` lines, kills it, and returns every line that it has reported. */
function killedAfter(lines: number, directory: string, sync: string): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, directory, sync], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let seen = 0;
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      for (const byte of chunk) if (byte === 10) seen++;
      if (seen >= lines) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(text.split('\n').slice(0, -1)));
  });
}

interface Confirmed {
  out: number;
  in: number;
  kept: Set<number>;
  resetting: boolean;
}

function after(lines: readonly string[], before: Confirmed): Confirmed {
  const state = { ...before, resetting: false };
  for (const line of lines) {
    const [word, first, second] = line.split(' ');
    if (word === 'reserved') state.out = Number(first);
    else if (word === 'kept') state.kept.add(Number(first));
    else if (word === 'in') state.in = Number(first);
    else if (word === 'resetting') state.resetting = true;
    else if (word === 'reset') Object.assign(state, { out: 1, in: 1, kept: new Set(), resetting: false });
    else if (word === 'open') {
      expect(Number(first)).toBeGreaterThanOrEqual(before.out);
      expect(Number(second)).toBeGreaterThanOrEqual(1);
    }
  }
  return state;
}

test.each(['never', 'always'] as const)('killed in rounds, sync %s', async (sync) => {
  const directory = newDirectory();
  let state: Confirmed = { out: 1, in: 1, kept: new Set(), resetting: false };
  let kept = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const lines = await killedAfter(50 + ((round * 733) % 4_000), directory, sync);
    expect(lines[0]).toMatch(/^open /);
    state = after(lines, state);
    const store = fileStoreFactory({ directory, segmentBytes: 65_536 })(DESK, undefined);
    const numbers = await store.open(() => {});
    const messages = await store.read(1, Number.MAX_SAFE_INTEGER, 1_000_000);
    await store.close();
    if (state.resetting && numbers?.nextOut === 1) state = { out: 1, in: 1, kept: new Set(), resetting: false };
    expect(numbers!.nextOut).toBeGreaterThanOrEqual(state.out);
    expect(numbers!.nextIn).toBeLessThanOrEqual(state.in + 1);
    const found = new Set(messages.map(({ number }) => number));
    expect([...state.kept].filter((number) => !found.has(number))).toEqual([]);
    for (const { number, message } of messages)
      expect(Buffer.from(message).toString()).toBe(`${number} `.repeat(1 + ((number * 7) % 60)));
    kept += state.kept.size;
    state.out = numbers!.nextOut;
    state.kept = found;
  }
  expect(kept).toBeGreaterThan(ROUNDS * 20);
});

test('a second process does not open the session of a living one', async () => {
  const directory = newDirectory();
  const store = fileStoreFactory({ directory })(DESK, undefined);
  expect(await store.open(() => {})).toBeDefined();
  expect(await killedAfter(1, directory, 'never')).toEqual(['live in another process']);
  await store.close();
  expect((await killedAfter(1, directory, 'never'))[0]).toMatch(/^open /);
});
