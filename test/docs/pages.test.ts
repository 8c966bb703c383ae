/**
 * The commands of the getting-started pages run as printed, in order, and print what the pages show. One reader reads README.md, whose
 * commands change nothing, and then docs/desk.md.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, Reader, unlike } from './page.js';

const missing = (...programs: string[]) => programs.filter((program) => spawnSync(program, ['--version']).error);

describe.each([
  [['README.md', 'docs/desk.md'], missing('bash')],
  [['docs/first-payment.md'], missing('bash', 'curl')],
  [['docs/integrator.md'], missing('bash', 'curl')],
  [['docs/operator.md'], missing('bash', 'curl', 'openssl', 'redis-server', 'redis-cli')],
])('the reader of %s', (pages, lacking) => {
  if (lacking.length > 0)
    process.stdout.write(`not run: the blocks of ${pages}, because this machine has no ${lacking}\n`);

  describe.skipIf(lacking.length > 0)('as printed', () => {
    let reader: Reader;
    beforeAll(async () => {
      reader = await Reader.begin();
    });
    afterAll(() => reader.end());

    describe.each(pages)('%s', (page) => {
      const blocks = blocksOf(page).map(
        (block) => [`line ${block.line}: ${block.commands.split('\n')[0]}`, block] as const,
      );
      test('has commands', () => expect(blocks.length).toBeGreaterThan(1));
      test.each(blocks)('%s', { timeout: 300_000 }, async (_, block) => {
        const printed = await reader.run(block);
        if (block.shown !== undefined) expect(unlike(block.shown, printed), printed).toEqual([]);
      });
    });
  });
});

test('detects output of another shape', () => {
  const table = '┌──┬─────┐\n│ a │ b │\n├──┼───┤\n│ 17 │ x │\n';
  expect(unlike(table, '┌────┬──┐\n│ a │ b │\n├─┼─┤\n│ 9911 │ x │\n')).toEqual([]);
  expect(unlike(table, '┌────┬──┐\n│ a │ c │\n├─┼─┤\n│ 9911 │ x │\n')).toEqual(['│ a │ b │', '│ # │ x │']);
  expect(unlike('{\n  "a": 1.5\n}\n', '{\n  "a": 2,\n  "b": 3\n}\n')).toEqual(['"a": #', '}']);
  expect(unlike('...\nPAID\n', 'PAY0123\nIN_PROCESS\nPAID\n')).toEqual([]);
  expect(unlike('PAID\n', 'PAID\nmore\n')).toEqual(['nothing more, but: more']);
});
