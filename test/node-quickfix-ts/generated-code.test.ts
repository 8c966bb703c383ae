/** Generated modules under the strictest options of the compiler, and in a bundle. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
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

/** What the compiler says of `files` and of all that they import. */
function compile(files: readonly string[]): string {
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

function unpacked(name: string): string {
  const file = path.join(folder, `${name}.xml`);
  if (!existsSync(file)) writeFileSync(file, gunzipSync(readFileSync(path.join(DICTIONARIES, `${name}.xml.gz`))));
  return file;
}

test('those of each version compile', () => {
  const versions = ['FIX40', 'FIX41', 'FIX42', 'FIX43', 'FIX44', 'FIX50', 'FIX50SP1', 'FIXT11'];
  for (const name of versions) generate({ dictionaries: [unpacked(name)], out: path.join(folder, name) });
  // The latest version has 17 MB of source; its most used messages have nearly all of its components.
  const messages = EXHAUSTIVE ? undefined : ['A', 'D', '8', 'V', 'W', 'X', 'R', 'S', 'AE', 'J', 'y'];
  const dictionaries = [unpacked('FIXT11'), unpacked('FIX50SP2')];
  generate({ dictionaries, out: path.join(folder, 'FIX50SP2'), messages });
  const own = path.join(root, 'fix-config/FIX44-ratewire.xml');
  generate({ dictionaries: [own], out: path.join(folder, 'own') });
  expect(compile([...versions, 'FIX50SP2', 'own'].map((name) => `${name}/index.ts`))).toBe('');
});

const USE = `
import { buildNewOrderSingle, type NewOrderSingle } from './FIX44/messages/NewOrderSingle.js';
import { OrdType, Side } from './FIX44/values.js';
const order: NewOrderSingle = {
  ClOrdID: 'o1', Symbol: 'EUR/USD', Side: Side.BUY, OrdType: OrdType.LIMIT, TransactTime: '20261120-08:01:10', OrderQty: '1000',
  NoPartyIDs: [{ PartyID: 'DESK' }],
};
`;

test.each([
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
])('the compiler takes or refuses %s', (_, use, error) => {
  if (!existsSync(path.join(folder, 'FIX44')))
    generate({ dictionaries: [unpacked('FIX44')], out: path.join(folder, 'FIX44') });
  writeFileSync(path.join(folder, 'use.ts'), `${USE}\nbuildNewOrderSingle(order);\n${use}\n`);
  const said = compile(['use.ts']);
  if (error === '') expect(said).toBe('');
  else expect(said).toContain(error);
});

test('a bundle has the message that it uses, and nothing of the others', () => {
  const out = path.join(folder, 'bundled');
  generate({ dictionaries: [unpacked('FIX44')], out });
  const entry = path.join(folder, 'entry.ts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    entry,
    `import * as Tag from './bundled/tags.js';
    import { buildHeartbeat, Side } from './bundled/index.js';
    console.log(buildHeartbeat({ TestReqID: 'x' }), Tag.Symbol, Side.BUY);`,
  );
  const esbuild = path.join(root, 'node_modules/esbuild/bin/esbuild');
  const { stdout, stderr } = spawnSync(esbuild, [entry, '--bundle', '--format=esm', '--platform=node'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const declared = [...stdout.matchAll(/^(?:var|function|class) (\w+)/gm)].map(([, name]) => name);
  expect(declared.sort()).toEqual(['Side', 'Symbol', 'addHeartbeat', 'buildHeartbeat']);
  expect(readdirSync(path.join(out, 'messages')).length).toBeGreaterThan(90);
});
