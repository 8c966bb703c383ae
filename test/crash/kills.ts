/** Which programs are killed in a round, and when. */
import { anyOf, type Random, wholeFrom } from './commands.js';
import type { Part } from './programs.js';

/** At the same moment, or one after the other; the most frequent cases first. */
const VICTIMS: readonly (readonly Part[])[] = [
  ['server'],
  ['engine'],
  ['sidecar'],
  ['worker'],
  ['sidecar', 'worker'],
  ['owner', 'server'],
  ['owner'],
  ['server', 'engine'],
  ['server', 'worker'],
  ['engine', 'sidecar'],
  ['server', 'sidecar', 'worker'],
  ['owner', 'server', 'engine', 'sidecar', 'worker'],
];

export interface Kill {
  readonly victims: readonly string[];
  /** After the beginning of the load. */
  readonly killAtMs: number;
  readonly betweenMs: number;
  /** Before anything is restarted. */
  readonly outageMs: number;
}

export function anyKill(random: Random): Kill {
  const victims = anyOf(random, VICTIMS);
  return {
    victims,
    killAtMs: wholeFrom(random, 100, 900),
    // A program that has just restarted is still recovering.
    betweenMs: random() < 0.5 ? 0 : wholeFrom(random, 50, Math.floor(2_000 / victims.length)),
    outageMs: wholeFrom(random, 0, 300),
  };
}
