import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Folders whose tests start programs, browsers or many connections: one process for each file, and no more than two at a time. */
const PROGRAMS = ['crash', 'desk', 'docs', 'interop', 'live', 'machines', 'monitoring', 'start'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

export default defineConfig({
  resolve: {
    alias: { 'node-quickfix-ts': fileURLToPath(new URL('engine/node-quickfix-ts/src/index.ts', import.meta.url)) },
  },
  test: {
    // What hangs is ended by them; a machine that has much else to do is slow, and not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'programs', include: PROGRAMS, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: PROGRAMS,
          // To load the engine anew for each of 200 files took as long as what they test; nothing of it is kept in a module.
          isolate: false,
          // They wait for a store half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
