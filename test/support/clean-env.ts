/** The environments of programs that tests start: no setting of the shell that the tests were started from. */

const only = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** What every program needs; with the clock that `npm run test:dates` has turned, the same clock. */
export const CLEAN_ENV = only('PATH', 'TMPDIR', 'LD_PRELOAD', 'BBX_CLOCK_MS');

/** For programs of the tests' own, which choose their store as the tests do. */
export const CLEAN_ENV_AND_STORE = { ...CLEAN_ENV, ...only('RATEWIRE_TEST_STORE', 'REDIS_SERVER_BIN') };
