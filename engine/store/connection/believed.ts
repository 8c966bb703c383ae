/** What every command asks and what seldom changes: believed for a second after it was read, of so many at most. */

const BELIEVED_MS = 1_000;
const BELIEVED_MAX = 10_000;

export class Believed<Value extends object> {
  readonly #known = new Map<string, { readonly value: Value; readonly readAt: number }>();

  /** By its name, from memory or read now. What is not there is looked for each time. */
  async get<Found extends Value | undefined>(name: string, read: () => Promise<Found>): Promise<Found | Value> {
    const before = this.#known.get(name);
    const readAt = performance.now();
    if (before && readAt - before.readAt < BELIEVED_MS) return before.value;
    const value = await read();
    if (value === undefined) return value;
    // Behind all others again: the one that was read longest ago is the first to go.
    this.#known.delete(name);
    this.#known.set(name, { value, readAt });
    if (this.#known.size > BELIEVED_MAX) this.#known.delete(this.#known.keys().next().value!);
    return value;
  }

  /** For what has been changed here. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}
