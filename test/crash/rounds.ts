/** What each run of the crash tests has around its rounds: the programs on a directory of their own, and the operator's reconciliation. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CrashClient, provision } from './clients.js';
import type { Kill } from './kills.js';
import { OneMachine } from './one-machine.js';
import type { Site } from './site.js';

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
  /** Aborted: no further round. */
  readonly signal?: AbortSignal;
}

export interface Rounds {
  begin(): Promise<void>;
  /** One round, from 1: what was killed, for its line. */
  round(round: number): Promise<string>;
  /** Once all programs run again. */
  judge?(): Promise<void>;
  close(): void | Promise<void>;
}

/** Ends after the first round with a violation. `given`: stopped at the end; by default the programs of one machine. */
export async function playRounds(
  { rounds, tell, signal }: CrashOptions,
  tally: { rounds: number; readonly violations: string[] },
  open: (site: Site, clients: readonly CrashClient[]) => Rounds,
  given?: Site,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-crash-'));
  let site = given;
  let run: Rounds | undefined;
  try {
    site ??= await OneMachine.start(dataDir);
    run = open(site, await provision(site.storeOptions() ?? { dataDir }));
    await run.begin();
    while (tally.rounds < rounds && tally.violations.length === 0 && !signal?.aborted) {
      const began = performance.now();
      const what = await run.round(tally.rounds + 1);
      tally.rounds++;
      tell(`round ${tally.rounds}: ${what}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    }
    await run.judge?.();
    const differences = await site.reconcile();
    if (differences) tally.violations.push(`reconciliation: ${differences}`);
    if (tally.violations.length > 0) for (const line of [...tally.violations, site.words()]) tell(line);
  } finally {
    try {
      await run?.close();
    } finally {
      await site?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}

/** Kills each part at its time, and waits as long as nothing is restarted. */
export async function killAll(site: Site, kill: Kill, killed: (part: string) => void): Promise<void> {
  await pause(kill.killAtMs);
  for (const [i, part] of kill.victims.entries()) {
    if (i > 0) await pause(kill.betweenMs);
    if (await site.kill(part)) killed(part);
  }
  await pause(kill.outageMs);
}
