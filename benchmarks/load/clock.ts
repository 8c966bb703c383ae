/** Times as FIX writes them, from the wall clock with microseconds. */

/** Microseconds since the epoch; one process's readings are consistent with each other. */
export function wallMicros(): number {
  return (performance.timeOrigin + performance.now()) * 1000;
}

let second = -1;
let upToPoint = '';

/** `YYYYMMDD-HH:MM:SS.ffffff` of whole microseconds. */
export function utcMicros(micros: number): string {
  const now = Math.floor(micros / 1e6);
  if (now !== second) {
    second = now;
    const iso = new Date(now * 1000).toISOString();
    upToPoint = `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19)}.`;
  }
  return upToPoint + String(micros - now * 1e6).padStart(6, '0');
}
