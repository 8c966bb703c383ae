/** How every command runs: one operation on a running store, its answer on stdout, and the exit code. */
import { InvalidArgumentError, Option } from 'commander';
import { OPERATOR_NAME, readConfig } from '../config.js';
import { type Ask, operator } from './operator.js';
import { show } from './show.js';

/** 0: done. */
export const REFUSED = 1;
export const USAGE = 2;

/** Rows to be shown; or what a person and what a program is shown, and an exit code. */
export type Answer = object | readonly object[] | Shown;

export class Shown {
  constructor(
    readonly json: object,
    readonly text: string,
    readonly exitCode: number = 0,
  ) {}
}

export type Run = (command: (ask: Ask) => Promise<Answer>) => Promise<void>;

export function asOption(): Option {
  return new Option('--as <name>', 'who you are, for the audit log (default: RATEWIRE_OPERATOR)').argParser((name) => {
    if (!OPERATOR_NAME.test(name)) throw new InvalidArgumentError('1 to 64 letters, digits, spaces and . _ @ -');
    return name;
  });
}

/** Opens the store, asks, shows, and closes whatever comes. */
export function runner(options: () => { readonly json?: boolean; readonly as?: string }): Run {
  return async (command) => {
    const { json = false, as } = options();
    const { ask, close } = await operator(readConfig(), as);
    try {
      const answer = await command(ask);
      const isShown = answer instanceof Shown;
      const text = isShown && !json ? answer.text : show(isShown ? answer.json : answer, json);
      process.stdout.write(text);
      if (isShown) process.exitCode = answer.exitCode;
    } finally {
      await close();
    }
  };
}
