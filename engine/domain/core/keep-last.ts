/** Bounds a map of what a process remembers. */

/**
 * Sets an entry as the newest of `map`; beyond `most` entries the oldest one is evicted. What is evicted must be known elsewhere, or may be
 * forgotten.
 */
export function keepLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
