/** How every command runs: one operation on a running store, its answer on stdout, and the exit code. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { OPERATOR_NAME } from '../domain/core/rights.js';
import type { Ask } from './ask.js';
import type { Opening } from './operator.js';
import { type Progress, progressOn } from './progress.js';
import { Shown, showJson, showRows } from './show.js';

/** 0: done. */
export const REFUSED = 1;
export const USAGE = 2;

/** Rows to be shown; or what a person and what a program is shown, and an exit code. */
export type Answer = object | readonly object[] | Shown;

/** What a command may need besides. */
export interface More {
  readonly progress: Progress;
  /** Takes the prices of the engine that runs the feed: `ask` has none before. */
  followRates(): Promise<void>;
}

/** Undefined: the command has written its answer itself. */
export type Run = (command: (ask: Ask, more: More) => Promise<Answer | undefined>) => Promise<void>;

/** For a command that needs no store. */
export type RunAlone = (command: (progress: Progress) => Promise<Answer>) => Promise<void>;

export function asOption(): Option {
  return new Option('--as <name>', 'who you are, for the audit log (default: RATEWIRE_OPERATOR)').argParser((name) => {
    if (!OPERATOR_NAME.test(name)) throw new InvalidArgumentError('1 to 64 letters, digits, spaces and . _ @ -');
    return name;
  });
}

interface Options {
  readonly json?: boolean;
  readonly as?: string;
}

/**
 * Loads what a command needs and its help does not, opens the store, runs the command, prints its answer, and always closes the store.
 */
export function runner(options: () => Options, opening: Opening = { own: 'never' }): Run {
  return async (command) => {
    const { json = false, as } = options();
    await withProgress(json, async (progress) => {
      const { operator } = await import('./operator.js');
      const { ask, followRates, close } = await operator(as, progress.report, opening);
      try {
        const answer = await command(ask, { progress, followRates });
        progress.end();
        if (answer !== undefined) print(answer, json);
      } finally {
        await close();
      }
    });
  };
}

export function runnerAlone(options: () => Options): RunAlone {
  return async (command) => {
    const { json = false } = options();
    await withProgress(json, async (progress) => {
      const answer = await command(progress);
      progress.end();
      print(answer, json);
    });
  };
}

/** The bar is removed at the end, also after an error. */
async function withProgress(json: boolean, work: (progress: Progress) => Promise<void>): Promise<void> {
  const progress = progressOn(process.stderr, json);
  process.once('exit', progress.end);
  try {
    await work(progress);
  } finally {
    process.off('exit', progress.end);
    progress.end();
  }
}

function print(answer: Answer, json: boolean): void {
  if (!(answer instanceof Shown)) {
    process.stdout.write(json ? showJson(answer) : showRows(Array.isArray(answer) ? answer : [answer]));
    return;
  }
  process.stdout.write(json ? showJson(answer.json) : answer.text());
  process.exitCode = answer.exitCode;
}

/** `list`, with the options of every list over all clients. */
export function listCommand(parent: Command, what: string, statuses: readonly string[]): Command {
  return parent
    .command('list')
    .description(`${what} of all clients, newest first`)
    .option('--client <id>', 'of this client alone')
    .addOption(new Option('--status <status>', 'in this status alone').choices(statuses))
    .option('--limit <n>', 'how many, 1 to 1000', Number, 50);
}
