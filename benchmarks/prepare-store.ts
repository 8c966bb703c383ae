/**
 * Holds a store with benchmark clients until it is terminated, so that an engine can be started and killed on it as often as a benchmark
 * needs:
 *
 *   npx tsx benchmarks/prepare-store.ts --clients 1000 [--tiers 8]
 *
 * DATA_DIR is its directory (default: ratewire-benchmark in the directory for temporary files).
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { holdStore, provision } from './load/engine.js';

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { clients: { type: 'string', default: '1000' }, tiers: { type: 'string' } },
  });
  const dataDir = process.env.DATA_DIR ?? path.join(tmpdir(), 'ratewire-benchmark');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = await holdStore(dataDir);
  await provision(dataDir, Number(values.clients), values.tiers === undefined ? undefined : Number(values.tiers));
  process.stdout.write(`prepared ${values.clients} clients in ${dataDir}; Ctrl-C ends the store\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => store.close().then(() => process.exit(0)));
}
