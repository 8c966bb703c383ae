/** What the source is held to: `npm run lines` prints it, and test/tidy/ratchets.test.ts compares it with what was won. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesEndingIn, read } from './tree.js';

/** Packages that know nothing of ratewire, what is no part of a running product, and what is generated. */
const NOT_COUNTED =
  /^(engine\/(node-quickfix-ts|tools)|rest\/client\/(src\/openapi|tools))\/|^engine\/domain\/fix\/tags\.ts$/;
const PRODUCT = filesEndingIn('.ts', '.mjs', '.lua').filter(
  (file) => /^(engine|rest)\//.test(file) && !NOT_COUNTED.test(file),
);

/** Lines of the product by its first two folders, in order of names. */
export function linesByFolder(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const file of PRODUCT) {
    const folder = file.split('/').slice(0, -1).slice(0, 2).join('/');
    lines.set(folder, (lines.get(folder) ?? 0) + read(file).split('\n').length - 1);
  }
  return new Map([...lines].sort());
}

/** By folder, how many files are in it. */
export function filesByFolder(): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const file of PRODUCT) {
    const folder = path.posix.dirname(file);
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  return files;
}

const IMPORT = /\bfrom '(\.{1,2}\/[^']+)\.js'/g;

/** Groups of files that import each other, those that import a type alone too; the largest first, each sorted. */
export function circles(sources: ReadonlyMap<string, string> = sourcesOfProduct()): readonly (readonly string[])[] {
  const imports = new Map(
    [...sources].map(([file, text]) => [
      file,
      [...text.matchAll(IMPORT)]
        .map(([, to]) => `${path.posix.join(path.posix.dirname(file), to!)}.ts`)
        .filter((to) => sources.has(to)),
    ]),
  );
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const seen = new Set<string>();
  const found: string[][] = [];
  for (const [file, from] of reached) {
    if (seen.has(file) || !from.has(file)) continue;
    const group = [...from].filter((other) => reached.get(other)!.has(file)).sort();
    for (const one of group) seen.add(one);
    found.push(group);
  }
  return found.sort((a, b) => b.length - a.length);
}

const sourcesOfProduct = (): ReadonlyMap<string, string> =>
  new Map(PRODUCT.filter((file) => file.endsWith('.ts')).map((file) => [file, read(file)]));

/** What a file imports, and what that imports: itself only where it is in a circle. */
function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [...imports.get(file)!];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    next.push(...imports.get(one)!);
  }
  return reached;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = linesByFolder();
  for (const [folder, count] of lines) process.stdout.write(`${String(count).padStart(7)}  ${folder}\n`);
  process.stdout.write(`${String([...lines.values()].reduce((sum, count) => sum + count, 0)).padStart(7)}\n`);
}
