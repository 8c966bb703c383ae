import { existsSync, readFileSync } from 'node:fs';

/** The compiled program stands one folder deeper, in dist/; package.json is not copied there. */
const PLACES = ['../../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));

export function packageVersion(): string {
  const file = PLACES.find((place) => existsSync(place))!;
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
