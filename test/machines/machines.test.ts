/**
 * Several machines, as real processes on a real Redis: whichever program is killed, drained or suspended under load, the stream continues
 * elsewhere, no acknowledged booking is lost or repeated, every report arrives once, and no price older than the limit is shown or booked.
 */
import { expect, test } from 'vitest';
import { NO_REDIS_SERVER, redisServer } from '../support/redis-process.js';
import { IS_EXHAUSTIVE } from '../support/sizes.js';
import { machinesRun, type Outcome, PLAN, SHORT_PLAN } from './machines-run.js';
import { oneRedis, type SharedRedis, threeMasters } from './redis.js';

const isMissing = redisServer() === undefined;
if (isMissing) console.log(`several machines ${NO_REDIS_SERVER}`);

const RUN = { timeout: 900_000 };

async function struck(start: () => Promise<SharedRedis>, plan: typeof PLAN): Promise<Outcome> {
  const seed = Math.floor(Math.random() * 1_000_000);
  const lines = [`seed ${seed}`];
  const redis = await start();
  try {
    const outcome = await machinesRun(redis, { rounds: plan.length, seed, tell: (line) => lines.push(line) }, plan);
    console.log([...lines, ...outcome.gaps.map((gap) => JSON.stringify(gap)), outcome.tally.summary()].join('\n'));
    expect(outcome.tally.violations.join('\n'), lines.join('\n')).toBe('');
    return outcome;
  } finally {
    await redis.stop();
  }
}

function expectMuch({ tally, prices, judged }: Outcome, rounds: number): void {
  expect(tally.rounds).toBe(rounds);
  // A run without prices or bookings would prove nothing.
  expect(tally.acknowledged).toBeGreaterThan(20 * rounds);
  expect(tally.payments.created).toBeGreaterThan(10 * rounds);
  expect(prices).toBeGreaterThan(500 * rounds);
  expect(judged.bookings).toBeGreaterThan(10 * rounds);
  expect(judged.crosses).toBeGreaterThan(rounds);
  expect(judged.holds).toBeGreaterThan(rounds);
}

/** In the short form each strike comes once, on one of the two: the programs are the same on both. */
test.skipIf(isMissing)('on one Redis', RUN, async () => {
  const plan = IS_EXHAUSTIVE ? PLAN : SHORT_PLAN.slice(1);
  expectMuch(await struck(oneRedis, plan), plan.length);
});

test.skipIf(isMissing)('on a Redis Cluster of three masters', RUN, async () => {
  const plan = IS_EXHAUSTIVE ? SHORT_PLAN : SHORT_PLAN.slice(0, 1);
  expectMuch(await struck(threeMasters, plan), plan.length);
});
