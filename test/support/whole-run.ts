/**
 * Before the first test what has changed is compiled: programs under test are started from dist, and none is older than its source.
 * What tests write to the temporary folder is below one folder of the run, which is removed at its end: Vitest ends its workers without
 * their exit handlers, so that none of them can remove what it has shared among files.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const PREFIX = 'ratewire-tests-';
const SETUP = fileURLToPath(new URL('../../engine/setup.mjs', import.meta.url));

/** Called by Vitest before the first test, for each project. */
export default function begin(project: TestProject): (() => void) | undefined {
  if (process.env.TMPDIR?.includes(PREFIX)) return undefined;
  compile();
  project.onTestsRerun(compile);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  // A store that ends with its worker may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function compile(): void {
  const { status } = spawnSync(process.execPath, [SETUP], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the programs under test do not compile: see above');
}
