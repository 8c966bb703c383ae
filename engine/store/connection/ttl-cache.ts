/** A cache for records that every command needs and that rarely change: entries live for a second, and their number is limited. */

const BELIEVED_MS = 1_000;
const BELIEVED_MAX = 10_000;

export class TtlCache<Value extends object> {
  readonly #known = new Map<string, { readonly value: Value; readonly readAt: number }>();

  /** By its name, cached or read now. A missing record is not cached. */
  async get<Found extends Value | undefined>(name: string, read: () => Promise<Found>): Promise<Found | Value> {
    const before = this.#known.get(name);
    const readAt = performance.now();
    if (before && readAt - before.readAt < BELIEVED_MS) return before.value;
    const value = await read();
    if (value === undefined) return value;
    // Moved to the end: the entry read longest ago is evicted first.
    this.#known.delete(name);
    this.#known.set(name, { value, readAt });
    if (this.#known.size > BELIEVED_MAX) this.#known.delete(this.#known.keys().next().value!);
    return value;
  }

  /** For a record that this process has changed. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}
