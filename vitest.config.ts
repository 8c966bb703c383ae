import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { 'node-quickfix-ts': fileURLToPath(new URL('engine/node-quickfix-ts/src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests start real stores and servers; two at a time is what a small machine carries.
    maxWorkers: 2,
  },
});
