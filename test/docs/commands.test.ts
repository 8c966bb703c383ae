/** Every command of the operator that a page or an alert names exists. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { filesEndingIn, ROOT, read } from '../tidy/tree.js';

const COMMAND = /(?:npx |`)ratewire (?:--json )?([a-z]+)(?: ([a-z][a-z-]+))?/g;
const PAGES = [...filesEndingIn('.md'), 'monitoring/alerts.yml'];
/** What stands behind each group of commands, with where. */
const named = new Map<string, Map<string, string>>();
for (const page of PAGES)
  for (const [, group, command = ''] of read(page).replace(/\n\s*/g, ' ').matchAll(COMMAND))
    named.set(group!, (named.get(group!) ?? new Map()).set(command, page));

test('there are some', () => expect(named.size).toBeGreaterThan(10));

test.each([...named].sort())('ratewire %s', { timeout: 30_000 }, (group, commands) => {
  const asked = spawnSync(process.execPath, ['engine/cli/ratewire.mjs', group, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(asked.stdout).toMatch(new RegExp(`^Usage: ratewire ${group} `));
  const [, listed] = asked.stdout.split('\nCommands:\n');
  // Without commands of its own it takes what it is about: a client, a currency.
  if (listed === undefined) return;
  const known = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, command]) => command!);
  const takes = /^Usage:.*<client>/.test(asked.stdout);
  expect([...commands].filter(([command]) => command !== '' && !known.includes(command) && !takes)).toEqual([]);
});
