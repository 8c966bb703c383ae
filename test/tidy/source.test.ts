/** Patterns that the source must not contain, written so that they do not match themselves. */
import { expect, test } from 'vitest';
import projects from '../../vitest.config.js';
import { filesEndingIn, linesMatching, read, textFiles } from './tree.js';

const SOURCES = filesEndingIn('.ts', '.mjs', '.js', '.lua', '.cpp');
/** Made from the OpenAPI document, which is made from the rest. */
const GENERATED = /^rest\/client\/src\/openapi\//;
const PRODUCT = SOURCES.filter((file) => /^(engine|rest)\//.test(file) && !GENERATED.test(file));
const FIX = PRODUCT.filter((file) =>
  /^engine\/(fix|rates\/feeds\/fix-|cli\/sessions\/message|tools\/(certification|desk|lp-simulator\/fix-)|(service\/audit|store\/sessions)\/message-log)/.test(
    file,
  ),
);
const REST = PRODUCT.filter((file) => /^rest\/(?!live\/)/.test(file));
const GATEWAY = PRODUCT.filter((file) => file.startsWith('engine/fix/'));
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
    'a console in the product, but for the program of the LP simulator and examples',
    /\bconsole\.\w+\(/,
    PRODUCT.filter((file) => file !== 'engine/tools/lp-simulator/main.ts' && !file.includes('/examples/')),
  ],
  [
    'the store of the services in the REST door: engine/service has what it needs',
    /\bservices\.store\b|\{[^}]*\bstore\b[^}]*\}\s*(:\s*\w+|=\s*(\w+\.)*services)\b/,
    REST,
  ],
  [
    'a bare tag: engine/domain/fix/tags.ts has its name, which `npm run docs` writes',
    /\.(string|int|flag|time|find|groups)\(\d+[,)]|\[\d{2,5}, (?!\d+[,\]])|[{ ]\d{1,5}: ['{]/,
    FIX,
  ],
  ['a bare tag in the text of a message', /^(?!\s*(\/\*\*|\*|\/\/)).*([`'}]|x01)\d{2,5}=/, GATEWAY],
])('nowhere: %s', (_, pattern, among) => {
  expect(among.length).toBeGreaterThan([REST, FIX, GATEWAY].includes(among) ? 30 : 200);
  expect(linesMatching(pattern, among)).toEqual([]);
});

test('no source file exceeds its maximum length', () => {
  const long = PRODUCT.filter((file) => read(file).split('\n').length > LONGEST);
  expect(long).toEqual([]);
});

test('every pattern of vitest.config.ts matches a test', () => {
  const patterns = (projects.test?.projects ?? []).flatMap((project) => {
    if (typeof project !== 'object' || !('test' in project)) throw new Error('a project without patterns');
    return [...(project.test?.include ?? []), ...(project.test?.exclude ?? [])];
  });
  const single = patterns.flatMap(withoutBraces);
  expect(single.length).toBeGreaterThan(40);
  const tests = filesEndingIn('.test.ts');
  expect(single.filter((pattern) => !tests.some((file) => matches(pattern, file)))).toEqual([]);
});

function withoutBraces(pattern: string): string[] {
  const [, before, among, behind] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return among === undefined ? [pattern] : among.split(',').flatMap((one) => withoutBraces(`${before}${one}${behind}`));
}

function matches(pattern: string, file: string): boolean {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '([\\w-]+/)*';
    return part === '*' ? '[^/]*' : part.replaceAll('.', '\\.');
  });
  return new RegExp(`^${parts.join('')}$`).test(file);
}

test('no output of the compiler or of a run is committed', () => {
  expect(filesEndingIn('.js.map', '.tsbuildinfo', 'demo-client.json', '.key', '.rdb', '.aof')).toEqual([]);
});
