/** The programs that are run and killed. */
import { KIND } from '../support/store.js';

/** `server` is the Redis process itself, which its owner restarts; the owner has the role of `npm start`. `worker` is another sidecar. */
export type Part = 'server' | 'owner' | 'engine' | 'sidecar' | 'worker';
export type Program = Exclude<Part, 'server'>;

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
  owner: {
    file: new URL('store-owner.mjs', import.meta.url),
    execArgv: [],
    env: { STORE_KIND: JSON.stringify(KIND) },
  },
  engine: {
    file: new URL('../../dist/engine/main.js', import.meta.url),
    execArgv: [],
    env: { FIX_PORT: '0', METRICS_PORT: '0', FEED: 'simulated' },
  },
  sidecar: SIDECAR,
  worker: SIDECAR,
};
