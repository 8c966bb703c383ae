/** How every command runs: one operation on a running store, its answer on stdout, and the exit code. */
import { readConfig } from '../config.js';
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

/** Opens the store, asks, shows, and closes whatever comes. */
export function runner(wantsJson: () => boolean): Run {
  return async (command) => {
    const { ask, close } = await operator(readConfig());
    try {
      const answer = await command(ask);
      const isShown = answer instanceof Shown;
      const text = isShown && !wantsJson() ? answer.text : show(isShown ? answer.json : answer, wantsJson());
      process.stdout.write(text);
      if (isShown) process.exitCode = answer.exitCode;
    } finally {
      await close();
    }
  };
}
