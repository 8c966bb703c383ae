/** The package as npm makes it, installed into an empty folder without a network: ESM, CommonJS, their types, the command line. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = path.join(root, 'engine/node-quickfix-ts');
const folder = mkdtempSync(path.join(tmpdir(), 'package-'));
const installed = path.join(folder, 'node_modules/node-quickfix-ts');
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, npm_config_update_notifier: 'false', npm_config_cache: path.join(folder, '.npm') };
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
}

beforeAll(() => {
  const packed = run('npm', 'pack', source, '--silent');
  expect(packed.status, packed.stderr).toBe(0);
  writeFileSync(path.join(folder, 'package.json'), '{}');
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? 'no archive';
  const { status, stderr } = run(
    'npm',
    'install',
    `./${archive}`,
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  );
  expect(status, stderr).toBe(0);
});

const manifest = (): Record<string, unknown> => JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
const files = (): string[] =>
  readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)));

/** Node 20 runs the tests; others where they are installed, at usual places or named by NODE_22 and NODE_24. */
const NODES = ['20', '22', '24'].map((major) => {
  const versions = path.join(process.env.NVM_DIR ?? path.join(process.env.HOME ?? '', '.nvm'), 'versions/node');
  const ofNvm = existsSync(versions) ? readdirSync(versions).filter((name) => name.startsWith(`v${major}.`)) : [];
  const places = [
    process.env[`NODE_${major}`] ?? '',
    ...ofNvm.map((name) => path.join(versions, name, 'bin/node')),
    `/usr/local/node${major}/bin/node`,
    `/opt/node${major}/bin/node`,
    `/usr/bin/node${major}`,
  ];
  const running = process.versions.node.startsWith(`${major}.`) ? process.execPath : undefined;
  return [major, running ?? places.find((place) => place !== '' && existsSync(place))] as const;
});

const NAMES = ['Acceptor', 'Initiator', 'Dictionary', 'MessageView', 'memoryStoreFactory'];
const USE = `console.log(${JSON.stringify(NAMES)}.every((name) => typeof quickfix[name] === 'function'), typeof typed.requiredText);\n`;

describe.each(NODES)('with Node %s', (major, node) => {
  const absent = `Node ${major} is not installed at a usual place: name its binary in NODE_${major}`;

  test('it is imported as ESM', ({ skip }) => {
    if (node === undefined) skip(absent);
    const imports = "import * as quickfix from 'node-quickfix-ts';\nimport * as typed from 'node-quickfix-ts/typed';\n";
    writeFileSync(path.join(folder, 'esm.mjs'), imports + USE);
    expect(run(node!, 'esm.mjs')).toMatchObject({ status: 0, stdout: 'true function\n', stderr: '' });
  });

  test('it is required as CommonJS, also where ESM cannot be required', ({ skip }) => {
    if (node === undefined) skip(absent);
    const requires =
      "const quickfix = require('node-quickfix-ts');\nconst typed = require('node-quickfix-ts/typed');\n";
    writeFileSync(path.join(folder, 'commonjs.cjs'), requires + USE);
    const [flag] = major === '20' ? ['--no-experimental-require-module'] : [];
    const takesFlag = flag !== undefined && run(node!, flag, '--eval', '0').status === 0;
    const result = run(node!, ...(takesFlag ? [flag] : []), 'commonjs.cjs');
    expect(result).toMatchObject({ status: 0, stdout: 'true function\n', stderr: '' });
  });
});

test.each([
  ['nodenext', ['esm.mts', 'commonjs.cts']],
  ['node16', ['esm.mts', 'commonjs.cts']],
  ['bundler', ['esm.mts']],
])('its types are found with moduleResolution %s by %j', (moduleResolution, files) => {
  const use = `const id: SessionId = { beginString: 'FIX.4.4', senderCompId: 'A', targetCompId: 'B' };
    const field: Field = [55, id.senderCompId];
    export const parse: (xml: string) => Dictionary = (xml) => Dictionary.parse(xml);
    // An error, unless Field is more than any.
    export const text: string = field[0];`;
  const names = "import { Dictionary, type Field, type SessionId } from 'node-quickfix-ts';";
  for (const file of files)
    writeFileSync(
      path.join(folder, file),
      `${names}\nexport { requiredText } from 'node-quickfix-ts/typed';\n${use}\n`,
    );
  const options = {
    target: 'es2022',
    module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  const { stdout } = run(process.execPath, path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.');
  expect(stdout.trim().split('\n').sort()).toEqual(
    files
      .toSorted()
      .map((file) => expect.stringMatching(`^${file}\\(.*Type 'number' is not assignable to type 'string'`)),
  );
});

test('names no source map: it has none', () => {
  const named = files().filter((file) =>
    readFileSync(path.join(installed, file), 'utf8').includes('sourceMappingURL='),
  );
  expect([named, files().filter((file) => file.endsWith('.map'))]).toEqual([[], []]);
});

describe('its command line', () => {
  const quickfix = (...args: string[]) => run(path.join(folder, 'node_modules/.bin/node-quickfix-ts'), ...args);

  test('generates from a dictionary', () => {
    const dictionary = path.join(root, 'fix-config/FIX44-ratewire.xml');
    expect(quickfix('generate', dictionary, '--out', 'src/fix44', '--messages', '0')).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readdirSync(path.join(folder, 'src/fix44/messages'))).toEqual(['Heartbeat.ts']);
  });

  test('lists its commands', () => {
    expect(quickfix('--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('generate <dictionary.xml>'),
    });
  });

  test.each([
    [['prepare'], 'unknown command prepare; node-quickfix-ts --help lists them'],
    [['generate', '--out', 'x'], 'generate: name at least one dictionary'],
    [['generate', 'FIX44.xml'], 'generate: name the folder of the output with --out'],
    [['generate', 'absent.xml', '--out', 'x'], "ENOENT: no such file or directory, open 'absent.xml'"],
    [
      ['generate', 'package.json', '--out', 'x'],
      'package.json: Data dictionary: one root element expected at line 1; give a QuickFIX-style or Orchestra XML file',
    ],
    [['generate', '--fast'], "Unknown option '--fast'"],
  ])('refuses %j with one line and exit code 1', (args, line) => {
    const { status, stdout, stderr } = quickfix(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.startsWith(`node-quickfix-ts: ${line}`), stderr).toBe(true);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});

describe('its content', () => {
  test('depends on nothing, has its licence, and no dictionary of others', () => {
    expect(manifest()).not.toHaveProperty('dependencies');
    expect(manifest()).toMatchObject({ license: 'Apache-2.0', sideEffects: false, engines: { node: '>=20.10' } });
    expect(readFileSync(path.join(installed, 'LICENSE'), 'utf8')).toBe(
      readFileSync(path.join(root, 'LICENSE'), 'utf8'),
    );
    expect(
      files().filter((file) => !/\.(js|mjs|d\.ts|md)$|^LICENSE$|package\.json$|^examples\/[\w-]+\.ts$/.test(file)),
    ).toEqual([]);
  });

  test('has no word of the product that it was made for', () => {
    const words = /\b(outbox\w*|200[0-3]\d|ratewire|fxengine|AuthToken|HoldID|holdId|bookFx|book-fx|desks?|desk\d)\b/gi;
    const texts = files().map((file) => [file, readFileSync(path.join(installed, file), 'utf8')] as const);
    expect(texts.length).toBeGreaterThan(100);
    const found = texts.flatMap(([file, text]) => [...text.matchAll(words)].map(([word]) => `${file}: ${word}`));
    expect(found).toEqual([]);
  });

  test('each export has code and types for both kinds of module', () => {
    const paths = Object.values(manifest().exports as object).flatMap((of) =>
      typeof of === 'string' ? [of] : [of.import.types, of.import.default, of.require.types, of.require.default],
    );
    expect(paths.length).toBeGreaterThan(8);
    expect(
      paths.filter((file: unknown) => typeof file !== 'string' || !existsSync(path.join(installed, file))),
    ).toEqual([]);
  });
});
