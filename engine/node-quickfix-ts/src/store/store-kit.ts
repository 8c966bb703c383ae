/**
 * The contract of a session store as cases that any test runner can run:
 *
 *     for (const { name, run } of storeCases(harness)) test(name, run);
 *
 * Each case starts and stops processes of its own by the harness, uses CompIDs of its own, and throws an AssertionError that names what the
 * store did. A case whose capability the harness does not have is left out.
 */
import { Bench, type Capability, type StoreHarness } from './store-bench.js';
import { CASES } from './store-cases.js';

export type { Capability, StoreHarness, StoreProcess } from './store-bench.js';

/** One case of the contract; `run` rejects when the store does not keep to it. */
export interface StoreCase {
  readonly name: string;
  /** Undefined: every store must pass it. */
  readonly needs: Capability | undefined;
  run(): Promise<void>;
}

/** The cases for a store with the capabilities of `harness`, in a fixed order. */
export function storeCases(harness: StoreHarness): readonly StoreCase[] {
  return CASES.filter(([, needs]) => needs === undefined || harness.capabilities.includes(needs)).map(
    ([name, needs, run]) => ({ name, needs, run: () => ran(harness, name, run) }),
  );
}

async function ran(harness: StoreHarness, name: string, run: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = new Bench(harness);
  try {
    await run(bench);
  } finally {
    await bench.end(name);
  }
}
