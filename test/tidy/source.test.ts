/** What a reader of the source should not stumble over. Patterns are written so that they do not match themselves. */
import { expect, test } from 'vitest';
import { filesEndingIn, linesMatching, read, textFiles } from './tree.js';

const SOURCES = filesEndingIn('.ts', '.mjs', '.js', '.lua', '.cpp');
const PRODUCT = SOURCES.filter((file) => /^(engine|rest)\//.test(file));
const LONGEST = 400;

test.each([
  ['a path of one machine', /(^|[^\w.])\/([w]ork|[f]arm|[r]oot|[h]ome\/\w+)\//, textFiles()],
  ['a registry host', /[r]egistry\.(npmjs|yarnpkg)|deb\.[d]ebian/, textFiles()],
  ['an unfinished mark', /\b(TO[D]O|FIX[M]E|HA[C]K)\b|\bXX[X]\b/, SOURCES],
  [
    'a silenced checker',
    /@ts-[i]gnore|@ts-[n]ocheck|@ts-expect-[e]rror|\bas [a]ny\b|biome-[i]gnore|eslint-[d]isable/,
    SOURCES,
  ],
  ['a test singled out or left out', /\b(it|test|describe)\.(only|[s]kip|todo)\b/, filesEndingIn('.test.ts')],
  [
    'a console in the product, but for the program of the LP simulator',
    /\bconsole\.\w+\(/,
    PRODUCT.filter((file) => file !== 'engine/rates/lp-simulator/main.ts'),
  ],
])('nowhere: %s', (_, pattern, among) => {
  expect(among.length).toBeGreaterThan(5);
  expect(linesMatching(pattern, among)).toEqual([]);
});

test('no source file is longer than one idea', () => {
  const long = PRODUCT.filter((file) => read(file).split('\n').length > LONGEST);
  expect(long).toEqual([]);
});

test('nothing of the compiler or of a run is committed', () => {
  expect(filesEndingIn('.js.map', '.tsbuildinfo', 'demo-client.json', '.key', '.rdb', '.aof')).toEqual([]);
});
