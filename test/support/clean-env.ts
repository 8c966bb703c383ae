/** The environment of programs that tests start: no setting of the shell that the tests were started from. */

const only = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** What every program needs; with the clock that `npm run test:dates` has turned, the same clock. */
export const CLEAN_ENV = only('PATH', 'TMPDIR', 'LD_PRELOAD', 'BBX_CLOCK_MS');
