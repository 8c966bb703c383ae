/** Interval between log lines of the same repeated fault. */
const SILENT_MS = 60_000;

/** `tell` gets the fault's name only: a message may quote what was read. */
export function throttledLog(tell: (fault: string) => void): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - toldAt < SILENT_MS) return;
    toldAt = now;
    tell(error instanceof Error ? error.name : 'unknown');
  };
}
