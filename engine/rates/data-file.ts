import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a file in engine/rates/data. */
export function dataFile(name: string): string {
  return projectFile(`engine/rates/data/${name}`);
}

/** The path of a file of the project. The compiled program stands one folder deeper, in dist/; what is no program is not copied there. */
export function projectFile(path: string): string {
  const fromSource = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  return existsSync(fromSource) ? fromSource : fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
