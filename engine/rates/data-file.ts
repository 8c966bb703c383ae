import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file in engine/rates/data. The compiled program stands in dist/, the recorded prices only in the source tree. */
export function dataFile(name: string): string {
  const beside = fileURLToPath(new URL(`data/${name}`, import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../../engine/rates/data/${name}`, import.meta.url));
}
