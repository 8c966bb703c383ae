/** The programs that are run and killed. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** `server` is the Redis process itself, which its owner restarts; the owner has the role of `npm start`. `worker` is another sidecar. */
export type Part = 'server' | 'owner' | 'engine' | 'sidecar' | 'worker';
export type Program = Exclude<Part, 'server'>;

const LOADER = ['--no-warnings', '--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];

/** Any free ports, no limits, and fundings that complete soon. */
export const SIDECAR_ENV = {
  REST_PORT: '0',
  REST_METRICS_PORT: '0',
  RATE_LIMIT_AUTHENTICATION: '0',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  SANDBOX_FUNDING_SECONDS: '1',
};

/** Both serve callers, and both process payments. */
const SIDECAR = {
  file: new URL('../../dist/rest/main.js', import.meta.url),
  execArgv: [],
  env: SIDECAR_ENV,
};
export const SIDECARS = ['sidecar', 'worker'] as const;

export const PROGRAMS: Readonly<Record<Program, { file: URL; execArgv: string[]; env: Record<string, string> }>> = {
  owner: { file: new URL('store-owner.ts', import.meta.url), execArgv: LOADER, env: {} },
  engine: {
    file: new URL('../../dist/engine/main.js', import.meta.url),
    execArgv: [],
    env: { FIX_PORT: '0', METRICS_PORT: '0', FEED: 'simulated' },
  },
  sidecar: SIDECAR,
  worker: SIDECAR,
};
