/** The log of all layers: one line per event, with fields for programs and a message for people; never a secret, a token or an account number. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Interval between log lines of the same repeated fault. */
const SILENT_MS = 60_000;

/** `write` gets the fault's name only: a message may quote what was read. */
export function throttledLog(write: (fault: string) => void): (error: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - loggedAtMs < SILENT_MS) return;
    loggedAtMs = now;
    write(error instanceof Error ? error.name : 'unknown');
  };
}
