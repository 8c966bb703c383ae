/** What ends the command line from outside: Ctrl-C, a closed terminal, `kill`. */

const SIGNALS = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const;

let handle: (code: number) => void = endAtOnce;

/** With what listens for the exit: the bar and a file that is not whole are taken away. */
function endAtOnce(code: number): void {
  process.exit(code);
}

/** A command that has more to remove ends by itself; `code` is 128 and the number of the signal. */
export function onSignal(ends: (code: number) => void): void {
  handle = ends;
}

/** Under npm Ctrl-C comes twice: the second does not interrupt what the first has begun. */
export function listenForSignals(): void {
  handle = endAtOnce;
  for (const [signal, number] of SIGNALS) process.on(signal, () => handle(128 + number));
}
