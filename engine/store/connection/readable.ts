/** What a record says; undefined also where it cannot be read any more, because somebody has altered it. */
export function readable<Kept>(read: () => Kept | undefined): Kept | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
