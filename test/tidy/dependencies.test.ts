/** The installed packages, by package-lock.json: all locked, under reviewed licences, and without install scripts that run. */
import { expect, test } from 'vitest';
import { read } from './tree.js';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages;
const packages = Object.entries(lock).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const named = (among: typeof packages) => among.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));

/** Binaries of the formatter and of the parser of knip for other machines: by exact version, dev only, never needed. */
const OTHER_PLATFORMS = /^@(biomejs\/cli|oxc-parser\/binding)-/;
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
  'MIT OR Apache-2.0',
  'MIT or MPL-2.0',
  'Python-2.0',
  'Unlicense',
  '(MIT OR CC0-1.0)',
];
/** Their install scripts do not run: `npm ci --ignore-scripts`. The first reports its installation, the second only checks its binary. */
const WITH_SCRIPTS = ['@scarf/scarf', 'esbuild'];

test('every package is locked by version and hash', () => {
  expect(packages.length).toBeGreaterThan(100);
  const unlocked = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(named(unlocked).filter((name) => !OTHER_PLATFORMS.test(name))).toEqual([]);
  expect(unlocked.filter(([, { dev, optional, version }]) => !dev || !optional || !version)).toEqual([]);
});

test('every package is from the registry', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('every licence was reviewed', () => {
  const others = packages.filter(([, { license }]) => !LICENCES.includes(license ?? '')).map(([path]) => path);
  // These two declare none; their LICENSE files contain MIT.
  expect(others).toEqual(['node_modules/busboy', 'node_modules/streamsearch']);
  for (const path of others) expect(read(`${path}/LICENSE`)).toContain('Permission is hereby granted, free of charge');
});

test('packages with install scripts are known, and the scripts do not run', () => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect([...new Set(named(scripts))].sort()).toEqual(WITH_SCRIPTS);
  const setup = read('engine/setup.mjs');
  expect(setup).toContain("'--ignore-scripts'");
});

test('the versions of direct dependencies are exact', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, wanted]) => !/^\d+\.\d+\.\d+$/.test(String(wanted)),
  );
  expect(loose).toEqual([]);
});
