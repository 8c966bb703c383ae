/** A store that gets full: ballast, and a maxmemory relative to it. */

import { vi } from 'vitest';
import type { Store } from '../../engine/store/store.js';
import { redisAt } from './redis-client.js';
import { SOON } from './until.js';

const BALLAST_BYTES = 20_000_000;

export interface Filling {
  /** This part of its memory is used, and its users have detected it. */
  to(share: number): Promise<void>;
  /** The limit is what it was before, which its users have detected: other tests use the server next. A second call does nothing. */
  restore(): Promise<void>;
  /** Removes the limit: for a server of the test's own. The embedded one has 3 GiB by itself. */
  end(): Promise<void>;
}

export async function filling(redisUrl: string, ...users: readonly Store[]): Promise<Filling> {
  const redis = redisAt(redisUrl);
  const [, before] = (await redis.config('GET', 'maxmemory')) as [string, string];
  let isOver = false;
  // The data of a few commands is small beside it.
  await redis.setrange('ballast', BALLAST_BYTES, 'x');
  const used = async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
  const known = (is: (ratio: number | undefined) => boolean) =>
    vi.waitUntil(() => users.every((store) => is(store.servers()[0]!.memoryRatio)), SOON);
  return {
    async to(share) {
      await redis.config('SET', 'maxmemory', String(Math.round((await used()) / share)));
      await known((ratio) => ratio !== undefined && Math.abs(ratio - share) < 0.01);
    },
    async restore() {
      if (isOver) return;
      isOver = true;
      await redis.config('SET', 'maxmemory', before);
      const share = before === '0' ? undefined : (await used()) / Number(before);
      await known((ratio) => (share === undefined ? ratio === share : Math.abs((ratio ?? 2) - share) < 0.01));
      redis.disconnect();
    },
    async end() {
      isOver = true;
      await redis.config('SET', 'maxmemory', '0');
      await known((ratio) => ratio === undefined);
      redis.disconnect();
    },
  };
}
