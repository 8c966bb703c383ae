/** The comparison of what the ledger says with what its model says. */

/** Throws where they differ, whatever the order of their members; bigints are compared as numbers. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (text(found) !== text(expected)) throw new Error(`${what}: ${text(found)}\nby the model: ${text(expected)}`);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return String(part);
    if (part instanceof Map) return Object.fromEntries([...part].sort());
    return part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort())
      : part;
  });
}
