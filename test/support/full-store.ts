/** A store that gets full: ballast, and a maxmemory relative to it. */

import { vi } from 'vitest';
import type { Store } from '../../engine/store/store.js';
import { redisAt } from './redis-client.js';
import { SOON } from './until.js';

const BALLAST_BYTES = 20_000_000;

export interface Filling {
  /** This part of its memory is used, and its users have detected it. */
  to(share: number): Promise<void>;
  /** Removes the limit. */
  end(): Promise<void>;
}

export async function filling(redisUrl: string, ...users: readonly Store[]): Promise<Filling> {
  const redis = redisAt(redisUrl);
  // The data of a few commands is small beside it.
  await redis.setrange('ballast', BALLAST_BYTES, 'x');
  const known = (is: (ratio: number | undefined) => boolean) =>
    vi.waitUntil(() => users.every((store) => is(store.servers()[0]!.memoryRatio)), SOON);
  return {
    async to(share) {
      const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
      await redis.config('SET', 'maxmemory', String(Math.round(used / share)));
      await known((ratio) => ratio !== undefined && Math.abs(ratio - share) < 0.01);
    },
    async end() {
      await redis.config('SET', 'maxmemory', '0');
      await known((ratio) => ratio === undefined);
      redis.disconnect();
    },
  };
}
