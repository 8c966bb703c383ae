import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressOn } from '../../engine/cli/progress.js';

function on({ isTTY, isQuiet = false }: { readonly isTTY: boolean; readonly isQuiet?: boolean }) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 60 });
  const clock = { ms: 0 };
  const progress = progressOn(stream as unknown as NodeJS.WriteStream, isQuiet, () => clock.ms);
  const tellAt = (ms: number, done: string, part: number) => {
    clock.ms = ms;
    progress.report(done, part);
  };
  return { progress, tellAt, written: () => String(stream.read() ?? '') };
}

test('a bar on a terminal: from half a second on, ten times a second, one line that is taken away at the end', () => {
  const { progress, tellAt, written } = on({ isTTY: true });
  tellAt(499, 'acme', 0.1);
  expect(written()).toBe('');
  tellAt(500, 'acme', 0.5);
  expect(written()).toBe(`\r${'█'.repeat(15)}${'░'.repeat(15)} 50% acme\x1b[K`);
  tellAt(599, 'acme', 0.6);
  expect(written()).toBe('');
  tellAt(600, 'x'.repeat(100), 1);
  const line = written();
  expect(line).toContain('100% xxx');
  expect([...line.replace('\r', '').replace('\x1b[K', '')]).toHaveLength(59);
  progress.end();
  progress.end();
  expect(written()).toBe('\r\x1b[K');
});

test('elsewhere a plain line each five seconds, and nothing when it is short', () => {
  const { progress, tellAt, written } = on({ isTTY: false });
  for (const ms of [0, 4_999]) tellAt(ms, 'acme', 0.2);
  expect(written()).toBe('');
  tellAt(5_000, 'acme', 0.25);
  tellAt(9_999, 'acme', 0.3);
  tellAt(10_000, 'beta', 0.999);
  progress.end();
  expect(written()).toBe('25% acme\n99% beta\n');
});

test('shows a part of the whole, limited to 0 to 100', () => {
  const { progress, tellAt, written } = on({ isTTY: false });
  progress.between(0.5, 1);
  tellAt(5_000, 'a', 0.5);
  tellAt(10_000, 'b', 7);
  tellAt(15_000, 'c', -1);
  // Of nothing, which part is done?
  tellAt(20_000, 'd', Number.NaN);
  expect(written()).toBe('75% a\n100% b\n50% c\n50% d\n');
});

test.each([true, false])('nothing at all for a program; a terminal: %j', (isTTY) => {
  const { progress, tellAt, written } = on({ isTTY, isQuiet: true });
  tellAt(60_000, 'acme', 0.5);
  progress.end();
  expect(written()).toBe('');
});

test('progress of another task is one line, and no terminal obeys it', () => {
  const { tellAt, written } = on({ isTTY: false });
  tellAt(5_000, 'acme\u001b[2J\u202e\n100% done', 0.25);
  expect(written()).toBe('25% acme\\u{1b}[2J\\u{202e}\\u{a}100% done\n');
});
