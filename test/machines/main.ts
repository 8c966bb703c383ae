/** `npm run machines -- --rounds 20 --seed 1 --redis cluster`: several machines under load, one or more of them struck in each round. */
import { parseArgs } from 'node:util';
import { NO_REDIS_SERVER, redisServer } from '../support/redis-process.js';
import { machinesRun, STREAM_MS } from './machines-run.js';
import { oneRedis, threeMasters } from './redis.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    redis: { type: 'string', default: 'one' },
  },
});
if (redisServer() === undefined) {
  process.stderr.write(`${NO_REDIS_SERVER}\n`);
  process.exit(1);
}
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

// The current round is the last: its programs are stopped, and its directory is removed.
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

tell(`seed ${seed}`);
const redis = await (values.redis === 'cluster' ? threeMasters() : oneRedis());
const { tally, gaps, drains, prices, judged, oldestMs } = await machinesRun(redis, {
  rounds,
  seed,
  tell,
  signal: stopping.signal,
}).finally(() => redis.stop());
for (const { strike, longestMs, silentMs } of gaps)
  tell(`${strike}: a price made after it everywhere in ${longestMs} ms, ${silentMs} ms without one at most`);
for (const [machine, ms] of drains) tell(`${machine.replace(/ \d+$/, '')} drained in ${ms} ms`);
const { bookings, crosses, holds } = judged;
tell(`${prices} prices, the oldest ${oldestMs} ms`);
tell(
  `${bookings} bookings, ${crosses} at a price that is made of two, and ${holds} holds: at prices whose age is known`,
);
tell(tally.summary());
const late = gaps.filter(({ longestMs }) => longestMs > STREAM_MS);
if (late.length > 0) tell(`${late.length} strikes left a machine without a fresh price for more than ${STREAM_MS} ms`);
process.exit(tally.violations.length === 0 && late.length === 0 && tally.rounds === rounds ? 0 : 1);
