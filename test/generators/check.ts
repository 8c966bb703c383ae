/**
 * Generates clients from the OpenAPI document with generators that users have, and compiles what they write: TypeScript of
 * openapi-typescript and of orval, Python of quicktype (with python3, else it is said that it was not compiled). The generators are
 * installed beside this file, with a TypeScript of their own.
 *
 *   npm run check:generators
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../rest/openapi/document.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const STRICT = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
const MODULES = ['--module', 'esnext', '--moduleResolution', 'bundler'];

const run = (command: string, ...args: string[]): void => {
  execFileSync(command, args, { cwd: HERE, stdio: 'inherit' });
};
const installed = (name: string, ...args: string[]): void => run(join(HERE, 'node_modules', '.bin', name), ...args);

run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
const out = mkdtempSync(join(tmpdir(), 'ratewire-generators-'));
const at = (name: string): string => join(out, name);
try {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  writeFileSync(at('openapi.json'), JSON.stringify(document));
  installed('openapi-typescript', at('openapi.json'), '-o', at('types.ts'));
  installed('orval', '--input', at('openapi.json'), '--output', at('client.ts'), '--client', 'fetch');
  installed('tsc', ...STRICT, ...MODULES, at('types.ts'), at('client.ts'));

  // It reads JSON Schema: the document's components.
  const named = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/definitions/');
  const definitions = JSON.parse(named) as object;
  const names = Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]);
  writeFileSync(
    at('schemas.json'),
    JSON.stringify({ definitions, type: 'object', properties: Object.fromEntries(names) }),
  );
  const python = ['--lang', 'python', '--python-version', '3.7', '--src-lang', 'schema', '--top-level', 'Ratewire'];
  installed('quicktype', ...python, '-o', at('ratewire.py'), at('schemas.json'));
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  if (hasPython) run('python3', '-m', 'py_compile', at('ratewire.py'));
  process.stdout.write(
    `Compiled: openapi-typescript, orval${hasPython ? ', quicktype (Python)' : '. Not compiled, no python3 here: quicktype'}\n`,
  );
} finally {
  rmSync(out, { recursive: true, force: true });
}
