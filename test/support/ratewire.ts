/** The operator's command line, as people run it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const RATEWIRE = fileURLToPath(new URL('../../engine/cli/ratewire.mjs', import.meta.url));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Ratewire {
  run(...args: string[]): Promise<Ran>;
  /** What it prints for programs; the command is done. */
  json<Answer = Record<string, unknown>>(...args: string[]): Promise<Answer>;
}

/** On the store of a data directory. */
export function ratewireOn(dataDir: string, env: Record<string, string> = {}): Ratewire {
  const run = (...args: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const all = { PATH: process.env.PATH, DATA_DIR: dataDir, ...env };
      execFile(process.execPath, [RATEWIRE, ...args], { env: all, timeout: 20_000 }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  return {
    run,
    async json(...args) {
      const { code, out, err } = await run(...args, '--json');
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out);
    },
  };
}
