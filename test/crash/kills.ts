/** Who is killed in a round, and when. */
import { anyOf, type Random, wholeFrom } from './commands.js';
import type { Part } from './programs.js';

/** At the same moment, or one after the other; the first ones are what happens most. */
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
  /** Behind the beginning of the load. */
  readonly killAtMs: number;
  readonly betweenMs: number;
  /** Before anything is started again. */
  readonly outageMs: number;
}

export function anyKill(random: Random): Kill {
  const victims = anyOf(random, VICTIMS);
  return {
    victims,
    killAtMs: wholeFrom(random, 100, 900),
    // What has just come back is in the midst of making good what it missed.
    betweenMs: random() < 0.5 ? 0 : wholeFrom(random, 50, Math.floor(2_000 / victims.length)),
    outageMs: wholeFrom(random, 0, 300),
  };
}
