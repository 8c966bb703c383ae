/** Generated modules under the strictest options of the compiler, and in a bundle. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from '../../engine/node-quickfix-ts/src/generate/generate.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const DICTIONARIES = path.join(root, 'test/data/fix');
const EXHAUSTIVE = process.env.RATEWIRE_TESTS === 'exhaustive';

// Where `node-quickfix-ts` resolves as in an installation.
const folder = mkdtempSync(path.join(root, 'node_modules', '.generated-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  declaration: true,
  noEmit: true,
  types: ['node'],
};

function generated(names: readonly string[], out: string, messages?: readonly string[]): void {
  const dictionaries = names.map((name) => {
    const file = path.join(folder, `${name}.xml`);
    writeFileSync(file, gunzipSync(readFileSync(path.join(DICTIONARIES, `${name}.xml.gz`))));
    return file;
  });
  generate({ dictionaries, out: path.join(folder, out), messages });
}

const VERSIONS = ['FIX40', 'FIX41', 'FIX42', 'FIX43', 'FIX44', 'FIX50', 'FIX50SP1', 'FIXT11'];

const USE = `
import { buildNewOrderSingle, type NewOrderSingle } from './FIX44/messages/NewOrderSingle.js';
import { OrdType, Side } from './FIX44/values.js';
const order: NewOrderSingle = {
  ClOrdID: 'o1', Symbol: 'EUR/USD', Side: Side.BUY, OrdType: OrdType.LIMIT, TransactTime: '20261120-08:01:10', OrderQty: '1000',
  NoPartyIDs: [{ PartyID: 'DESK' }],
};
`;

const USES: readonly (readonly [what: string, use: string, error: string])[] = [
  ['all required fields', '', ''],
  [
    'a required field missing',
    "buildNewOrderSingle({ ClOrdID: 'o1' });",
    "missing the following properties from type 'NewOrderSingle'",
  ],
  [
    'a value that is not of the enumeration',
    "buildNewOrderSingle({ ...order, Side: 'buy' });",
    `Type '"buy"' is not assignable to type 'Side'`,
  ],
  [
    'a price as a number',
    'buildNewOrderSingle({ ...order, Price: 1.1 });',
    "Type 'number' is not assignable to type 'string'",
  ],
  [
    'an entry without its first field',
    'buildNewOrderSingle({ ...order, NoPartyIDs: [{}] });',
    "Property 'PartyID' is missing",
  ],
  ['a field of another message', "buildNewOrderSingle({ ...order, MDReqID: 'm' });", "'MDReqID' does not exist"],
];

/** What the compiler says of all files: it starts once, because it reads its own library for a second. */
let errors: readonly string[];
beforeAll(() => {
  for (const name of VERSIONS) generated([name], name);
  // The latest version has 17 MB of source; its most used messages have nearly all of its components.
  const messages = EXHAUSTIVE ? undefined : ['A', 'D', '8', 'V', 'W', 'X', 'R', 'S', 'AE', 'J', 'y'];
  generated(['FIXT11', 'FIX50SP2'], 'FIX50SP2', messages);
  const own = path.join(root, 'fix-config/FIX44-ratewire.xml');
  generate({ dictionaries: [own], out: path.join(folder, 'own') });
  for (const [i, [, use]] of USES.entries())
    writeFileSync(path.join(folder, `use${i}.ts`), `${USE}\nbuildNewOrderSingle(order);\n${use}\n`);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const files = [...VERSIONS, 'FIX50SP2', 'own'].map((name) => `${name}/index.ts`);
  const uses = USES.map((_, i) => `use${i}.ts`);
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: OPTIONS, files: [...files, ...uses] }),
  );
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  errors = `${stderr}${stdout}`.split(/^(?=\S)/m).filter((error) => error !== '');
});

const isOf = (i: number) => (error: string) => error.includes(`/use${i}.ts(`);

test('those of each version compile', () => {
  expect(errors.filter((error) => !USES.some((_, i) => isOf(i)(error)))).toEqual([]);
});

test.each(USES.map(([what, , error], i) => [what, i, error] as const))(
  'the compiler takes or refuses %s',
  (_, i, error) => {
    expect(errors.filter(isOf(i))).toEqual(error === '' ? [] : [expect.stringContaining(error)]);
  },
);

test('a bundle has the message that it uses, and nothing of the others', () => {
  const entry = path.join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import * as Tag from './FIX44/tags.js';
    import { buildHeartbeat, Side } from './FIX44/index.js';
    console.log(buildHeartbeat({ TestReqID: 'x' }), Tag.Symbol, Side.BUY);`,
  );
  const esbuild = path.join(root, 'node_modules/esbuild/bin/esbuild');
  const { stdout, stderr } = spawnSync(esbuild, [entry, '--bundle', '--format=esm', '--platform=node'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const declared = [...stdout.matchAll(/^(?:var|function|class) (\w+)/gm)].map(([, name]) => name);
  expect(declared.sort()).toEqual(['Side', 'Symbol', 'addHeartbeat', 'buildHeartbeat']);
  expect(readdirSync(path.join(folder, 'FIX44/messages')).length).toBeGreaterThan(90);
});
