/** The value of a record; undefined also where it is unreadable, because it was altered. */
export function decodeOrUndefined<Kept>(read: () => Kept | undefined): Kept | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
