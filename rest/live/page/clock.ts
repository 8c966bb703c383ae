/** The server's clock: what it said last, and how long ago by a clock of the page that never jumps. */
let heard = { nowMs: Date.now(), atMs: performance.now() };

export function setServerNow(nowMs: number): void {
  heard = { nowMs, atMs: performance.now() };
}

/** Epoch ms. */
export function serverNow(): number {
  return heard.nowMs + performance.now() - heard.atMs;
}
