/** A store that gets full: ballast, and a maxmemory that is so much more. */

import { vi } from 'vitest';
import type { Store } from '../../engine/store/store.js';
import { redisAt } from './redis-client.js';
import { SOON } from './until.js';

const BALLAST_BYTES = 20_000_000;

export interface Filling {
  /** So much of its memory is used, and its users know it. */
  to(share: number): Promise<void>;
  /** Without a limit again. */
  end(): Promise<void>;
}

export async function filling(redisUrl: string, ...users: readonly Store[]): Promise<Filling> {
  const redis = redisAt(redisUrl);
  // What a few commands leave behind is little beside it.
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
