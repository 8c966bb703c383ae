import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { RunSummary } from './test/support/run-summary.js';

/** Tests of programs that are started, killed or cut off, of clusters, full stores and browsers: a process for each file. */
const PROGRAMS = [
  'audit/cli/journal',
  'audit/service/archive-journal*',
  'benchmarks/*',
  'cli/{process,stdout}',
  'crash/**/*',
  'docs/*',
  'fix/store-full',
  'interop/*',
  'live/{busy,chromium,page}',
  'machines/*',
  'monitoring/*',
  'node-quickfix-ts/{examples,generated-code,package}',
  'rest/client/{browser,package}',
  'rest/http/store-{full,hangs}',
  'rest/openapi/postman',
  'sessions/store/message-log-chain',
  'store/connection/{cluster*,outage,replicas,sentinel,store-memory}',
  'store/managed-redis/*',
  'tidy/rigs',
  'tools/{certification/certification,desk/desk,trial/*}',
  'wiring/{examples,faults,listeners,secrets,sessions,setup,start}',
].map((file) => `test/${file}.test.ts`);

/** Rules of the domain, codec and rates: no store, no socket, no process. `npm run test:unit` runs them alone. */
const UNIT = [
  '{domain,*/domain}/**/*',
  'fix/decimals',
  'live/format',
  'node-quickfix-ts/{codec*,dictionary,fuzz,schedule}',
  'rates/{crosses,fix-prices,price-shifts,pricing,rate-book,replay,tick-frame}',
  'prices/fix/publication/{price-body,recent-buckets,tiers}',
  'tools/desk/{desk-session,options,screen}',
  'wiring/{config,uk-modulus}',
].map((file) => `test/${file}.test.ts`);

/**
 * The programs first, by how long they took in the run before, longest first; they have a process each. Then the rest, in each project in another
 * order in every run, the same for the same `--sequence.seed`: many files share a process and its modules, and no order may matter. A
 * negative seed has the reverse of the order: with VITEST_MAX_WORKERS=1 each two files of a project then run in both.
 */
class AnyOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const placeOf = ({ moduleId, project }: TestSpecification): string => {
      const place = createHash('sha256')
        .update(`${Math.abs(sequence.seed)} ${moduleId.slice(root.length)}`)
        .digest();
      if (sequence.seed < 0) for (const [i, byte] of place.entries()) place[i] = 255 - byte;
      return `${project.name} ${place.toString('hex')}`;
    };
    const isProgram = ({ project }: TestSpecification): boolean => project.name === 'programs';
    const rest = files.filter((file) => !isProgram(file));
    const places = new Map(rest.map((file) => [file, placeOf(file)]));
    rest.sort((a, b) => (places.get(a)! < places.get(b)! ? -1 : 1));
    return [...(await super.sort(files.filter(isProgram))), ...rest];
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
    sequence: { sequencer: AnyOrder, seed: Date.now() % 1_000_000 },
    reporters: ['default', new RunSummary()],
    globalSetup: source('test/support/whole-run.ts'),
    // For two CPUs: most files wait for a store or a program half of the time. `npm test` has six, which need less each.
    maxWorkers: 4,
    // What hangs is ended by them; a machine that has much else to do is slow, and not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'programs', include: PROGRAMS },
      },
      {
        extends: true,
        test: { name: 'unit', include: UNIT, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [...PROGRAMS, ...UNIT],
          // To load the engine anew for each of 200 files took as long as what they test; nothing of it is kept in a module.
          isolate: false,
        },
      },
    ],
  },
});
