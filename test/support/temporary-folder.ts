/**
 * What tests write to the temporary folder is below one folder of the run, which is removed at its end: Vitest ends its workers without
 * their exit handlers, so that none of them can remove what it has shared among files.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'ratewire-tests-';

/** Called by Vitest before the first test, for each project. */
export default function begin(): (() => void) | undefined {
  if (process.env.TMPDIR?.includes(PREFIX)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  // A store that ends with its worker may still write.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
