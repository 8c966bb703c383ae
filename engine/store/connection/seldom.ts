/** What may go wrong again and again is told once a minute. */
const SILENT_MS = 60_000;

/** `tell` is given the fault's name alone: a message may quote what was read. */
export function seldom(tell: (fault: string) => void): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - toldAt < SILENT_MS) return;
    toldAt = now;
    tell(error instanceof Error ? error.name : 'unknown');
  };
}
