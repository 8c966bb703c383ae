import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start programs, browsers or clusters: a process for each file, and no more than three at a time. */
const PROGRAMS = [
  'benchmarks/*',
  'crash/**/*',
  'desk/desk',
  'docs/*',
  'interop/*',
  'live/{busy,chromium,page}',
  'machines/*',
  'monitoring/*',
  'node-quickfix-ts/{examples,generated-code,package}',
  'rest/client/{browser,package}',
  'rest/openapi/postman',
  'store/connection/cluster-{failover,tls}',
  'wiring/{certification,examples,faults,listeners,secrets,sessions,setup,start,upgrade}',
].map((file) => `test/${file}.test.ts`);

/** Rules of the domain, codec and rates: no store, no socket, no process. `npm run test:unit` runs them alone. */
const UNIT = [
  'domain/**/*',
  'desk/{desk-session,options,screen}',
  'fix/decimals',
  'fix/publication/{price-body,recent-buckets,tiers}',
  'live/format',
  'node-quickfix-ts/{codec*,dictionary,fuzz,schedule}',
  'rates/{crosses,fix-prices,price-shifts,pricing,rate-book,replay,tick-frame}',
  'wiring/{config,uk-modulus}',
].map((file) => `test/${file}.test.ts`);

/** What takes half a minute or more by itself comes first, the longest before others, so that nothing waits for one of them in the end. */
const LONG = [
  ...[
    'docs/pages',
    'machines/machines',
    'live/page',
    'crash/crash',
    'crash/webhooks/webhook-run',
    'rest/client/package',
  ],
  ...['wiring/start', 'wiring/faults', 'wiring/certification', 'interop/quickfix', 'wiring/secrets'],
  ...['crash/batches/batch-run', 'store/connection/cluster-failover'],
  ...['rest/openapi/generated', 'rest/features/authentication/isolation', 'service/risk/house-limits'],
  ...['wiring/cover/cover', 'service/audit/archive-journal', 'wiring/cover/cover-reports'],
  ...['store/sessions/message-log-chain', 'store/managed-redis/embedded', 'live/stream', 'cli/help', 'cli/process'],
].map((file) => `/test/${file}.test.ts`);
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = LONG.flatMap((end) => sorted.filter(({ moduleId }) => moduleId.endsWith(end)));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: 'node-quickfix-ts/typed', replacement: source('engine/node-quickfix-ts/src/typed.ts') },
      { find: 'node-quickfix-ts/store-kit', replacement: source('engine/node-quickfix-ts/src/store/store-kit.ts') },
      { find: 'node-quickfix-ts', replacement: source('engine/node-quickfix-ts/src/index.ts') },
      { find: 'ratewire-live', replacement: source('rest/live/index.ts') },
    ],
  },
  test: {
    sequence: { sequencer: LongFirst },
    // What hangs is ended by them; a machine that has much else to do is slow, and not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'programs', include: PROGRAMS, maxWorkers: 3, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: 'unit', include: UNIT, isolate: false, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAMS, ...UNIT],
          // To load the engine anew for each of 200 files took as long as what they test; nothing of it is kept in a module.
          isolate: false,
          // They wait for a store half of the time.
          maxWorkers: 5,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
