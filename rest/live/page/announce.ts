/** Announcements for a screen reader: rare, and never while the last one is still being read. */
import { byId } from './dom.js';

const APART_MS = 4_000;
/** The latest pending announcement. */
let waiting = '';
let timer = 0;
let saidAtMs = Number.NEGATIVE_INFINITY;

export function announce(text: string): void {
  waiting = text;
  if (timer !== 0) return;
  timer = window.setTimeout(say, Math.max(0, saidAtMs + APART_MS - performance.now()));
}

function say(): void {
  timer = 0;
  saidAtMs = performance.now();
  byId('announce').textContent = waiting;
}
