/** Every command of the operator that a page or an alert names exists, and help loads none of what commands need. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesEndingIn, ROOT, read } from '../tidy/tree.js';
import { temporaryDirectory } from '../wiring/launcher.js';

const COMMAND = /(?:npx |`)ratewire (?:--json )?([a-z]+)(?: ([a-z][a-z-]+))?/g;
const PAGES = [...filesEndingIn('.md'), 'monitoring/alerts.yml'];
/** The word that follows each group of commands, with its place. */
const named = new Map<string, Map<string, string>>();
for (const page of PAGES)
  for (const [, group, command = ''] of read(page).replace(/\n\s*/g, ' ').matchAll(COMMAND))
    named.set(group!, (named.get(group!) ?? new Map()).set(command, page));

test('there are some', () => expect(named.size).toBeGreaterThan(10));

const coverage = temporaryDirectory();
afterAll(() => coverage.remove());

/** What the help prints, and the files that it has loaded: a coverage report names every one. */
function helpOf(...group: string[]): { stdout: string; loaded: string[] } {
  const dir = join(coverage.path, group.join('-') || 'all');
  const { stdout } = spawnSync(process.execPath, ['engine/cli/ratewire.mjs', ...group, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: dir },
  });
  const [report = ''] = readdirSync(dir);
  const { result } = JSON.parse(readFileSync(join(dir, report), 'utf8')) as { result: { url: string }[] };
  return { stdout, loaded: result.map(({ url }) => url).filter((url) => url.startsWith('file://')) };
}

/** Parsing the command line and printing a table is all that help needs: no store, no operation, no setting. */
function expectFewModules(loaded: readonly string[]): void {
  const packages = loaded.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  expect(
    [...new Set(packages)].filter(
      (name) =>
        !/^(commander|cli-table3|@colors|string-width|strip-ansi|ansi-regex|emoji-regex|is-fullwidth-code-point)$/.test(
          name,
        ),
    ),
  ).toEqual([]);
  expect(
    loaded.filter((url) =>
      /\/engine\/(store|rates|fix)\/|\/engine\/wiring\/(config|services)\.js$|\/service\/operations\.js$/.test(url),
    ),
  ).toEqual([]);
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.length).toBeLessThan(100);
}

test('ratewire --help loads none of what commands need', () => {
  const { stdout, loaded } = helpOf();
  expect(stdout).toMatch(/^Usage: ratewire /);
  expectFewModules(loaded);
});

test.each([...named].sort())('ratewire %s', { timeout: 300_000 }, (group, commands) => {
  const { stdout, loaded } = helpOf(group);
  expect(stdout).toMatch(new RegExp(`^Usage: ratewire ${group} `));
  expectFewModules(loaded);
  const [, listed] = stdout.split('\nCommands:\n');
  // Without commands of its own it takes what it is about: a client, a currency.
  if (listed === undefined) return;
  const known = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, command]) => command!);
  const takes = /^Usage:.*<client>/.test(stdout);
  expect([...commands].filter(([command]) => command !== '' && !known.includes(command) && !takes)).toEqual([]);
});
