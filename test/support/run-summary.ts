/** What the end of a run says besides its counts: when it was, how to have its order of files again, and where its time went. */
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const SLOWEST = 10;

export class RunSummary implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { root, sequence } = this.#vitest!.config;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const slowest = modules
      .map((module) => [module.diagnostic().duration, relative(root, module.moduleId)] as const)
      .sort(([a], [b]) => b - a)
      .slice(0, SLOWEST);
    const lines = [
      `${new Date().toISOString()}, order of files: --sequence.seed=${sequence.seed}`,
      'the slowest files:',
      ...slowest.map(([ms, file]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`),
      `tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
