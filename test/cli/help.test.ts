/** The help teaches: every command says what it does, every group shows how, and what it shows is what the command line takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { RefusedError } from '../../engine/cli/ask.js';
import { ALL_RIGHTS } from '../../engine/domain/core/rights.js';
import { ratewire } from '../../engine/tools/commands.js';
import { startTestStore, type TestStore } from '../support/store.js';

function helpOf(command: Command): string {
  let text = '';
  const writeOut = (part: string) => {
    text += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return text;
}
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];

const ALL = withAllBelow(ratewire());
const GROUPS = ALL.filter(({ parent }) => parent?.parent === null);
const EXAMPLES = [...new Set(ALL.flatMap((command) => helpOf(command).match(/^ {2}ratewire .+$/gm) ?? []))];

describe('every command', () => {
  test.each(ALL.map((command) => [nameOf(command), command] as const))('%s', (_name, command) => {
    expect(command.description()).toMatch(/^.{8,}/);
    for (const option of command.options) expect(option.description, option.flags).toMatch(/^.{3,}/);
    expect(helpOf(command)).toMatch(/^Usage: ratewire/);
  });

  test.each(GROUPS.map((group) => [nameOf(group), group] as const))(
    '%s has a paragraph and examples',
    (name, group) => {
      const text = helpOf(group);
      const [, taught = ''] = text.split(/display help for command\n(?:[^\n]+\n)*\n/);
      expect(text).toMatch(/\nExamples:\n {2}ratewire /);
      expect(taught.split('\nExamples:')[0]!.trim().length, taught).toBeGreaterThan(80);
      expect(text).toContain(`  ${name} `);
    },
  );

  const LEAVES = ALL.filter(({ commands, parent }) => commands.length === 0 && parent !== null);
  test.each(LEAVES.map((leaf) => [nameOf(leaf), leaf] as const))(
    '%s is shown in its help or that of its group',
    (name, leaf) => {
      const taught = `${helpOf(leaf)}${helpOf(leaf.parent!)}`;
      // The one that is meant without its name is shown without it.
      expect(taught).toMatch(
        new RegExp(`^ {2}${name.replace(/^ratewire (journal|audit) show$/, 'ratewire $1')}( |$)`, 'm'),
      );
    },
  );

  test('the exit codes are those that there are', () => {
    expect(helpOf(ratewire())).toMatch(/Exit codes: 0 done, 1 refused, .*2 wrong usage/);
  });

  test('of keys names every right', () => {
    const [taught = ''] = /^Rights are [^.]*/m.exec(helpOf(GROUPS.find((group) => group.name() === 'keys')!)) ?? [];
    for (const right of ALL_RIGHTS) expect(taught).toMatch(new RegExp(`\\b${right}\\b`));
  });

  test('no line is too wide for a terminal of 160 columns', () => {
    const wide = ALL.flatMap((command) => helpOf(command).split('\n')).filter((line) => line.length > 160);
    expect(wide).toEqual([]);
  });
});

describe('every example is taken', () => {
  let opened: TestStore;
  let outside: string;
  beforeAll(async () => {
    opened = await startTestStore();
    outside = mkdtempSync(join(tmpdir(), 'ratewire-examples-'));
    vi.stubEnv('DATA_DIR', opened.dataDir);
    vi.stubEnv('RECORD', outside);
    vi.spyOn(process.stdout, 'write').mockImplementation((...written: unknown[]) => {
      const done = written.at(-1);
      if (typeof done === 'function') done();
      return true;
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
    rmSync(outside, { recursive: true });
    await opened.stop();
  });

  /** Replaces names in the example that exist nowhere with those of the test: its key, its account, its directory. */
  async function words(example: string): Promise<string[]> {
    const { clients, keys, accounts } = opened.store;
    const acme =
      (await clients.get('acme')) ?? (await clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' }))!;
    const account = async () =>
      (await accounts.open(acme, { currency: 'EUR', label: '', autoBookFxSequence: 0, makeDefault: true }))!.number;
    const places: Record<string, () => Promise<string>> = {
      CK_ABCDEFGHJKLMNPQRSTUVWXYZ: async () => (await keys.issue('acme', ['read', 'rates']))!.clientKey,
      '110000000012': account,
      '110000000020': account,
    };
    const split = [
      ...example
        .replace(/ > .*/, '')
        .trim()
        .matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ].map(([, ...word]) => word.join(''));
    const given = split.slice(1).map(async (word, i, all) => {
      if (word.startsWith('/')) return outside;
      if (all[i - 1] === '--out') return join(outside, word);
      return places[word]?.() ?? word;
    });
    return Promise.all(given);
  }

  test.each(EXAMPLES.filter((example) => !example.includes('|')))('%s', async (example) => {
    const args = await words(example);
    // It would wait for a desk; it rejects this setting once its options are read.
    if (args[0] === 'certify') {
      vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1');
      onTestFinished(() => void vi.stubEnv('REDIS_URL', undefined));
    }
    const outcome = await ratewire()
      .configureOutput({ writeErr: () => {}, writeOut: () => {} })
      .parseAsync(args, { from: 'user' })
      .then(
        () => 'done',
        (error) => {
          if (error instanceof CommanderError) return `usage: ${error.message}`;
          if (error instanceof RefusedError || error.name === 'SettingError') return error.message as string;
          throw error;
        },
      );
    if (args[0] === 'certify') expect(outcome).toMatch(/^REDIS_URL is set/);
    // These payments do not exist, this desk is not logged on, and this client owes nothing; but no example is of the wrong shape.
    expect(outcome).not.toMatch(
      /^(usage|VALIDATION_FAILED|BAD_(?!AMOUNT: The client owes)|UNKNOWN_(CLIENT|KEY|ACCOUNT)|INTERNAL_ERROR)/,
    );
  });

  test('and there are many', () => {
    expect(EXAMPLES.length).toBeGreaterThan(60);
  });
});
