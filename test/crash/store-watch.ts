/** Whether the store was away, as its clients see it: on a busy machine it may be silent for a while although nothing has killed it. */
import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_PROFILE } from 'node-quickfix-ts';
import type { Site } from './site.js';

/** Well before a session sends a message that the store has not taken. */
const AWAY_MS = 0.75 * DEFAULT_PROFILE.storeWaitMs;
const EVERY_MS = 10;

/** Asks the store again and again, until the returned function is called: true when it did not answer for so long. */
export function watchStore(site: Site): () => Promise<boolean> {
  let isOver = false;
  let longestMs = 0;
  const watch = async (): Promise<void> => {
    let answeredMs = performance.now();
    while (!isOver) {
      const ask = site.look(async (redis) => {
        while (!isOver) {
          await redis.ping();
          const nowMs = performance.now();
          longestMs = Math.max(longestMs, nowMs - answeredMs);
          answeredMs = nowMs;
          await pause(EVERY_MS);
        }
      });
      // It is dead: as long as it takes to come back.
      await ask.catch(() => pause(EVERY_MS));
    }
    longestMs = Math.max(longestMs, performance.now() - answeredMs);
  };
  const watched = watch();
  return async () => {
    isOver = true;
    await watched;
    return longestMs >= AWAY_MS;
  };
}
