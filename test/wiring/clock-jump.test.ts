/** The clock of a running Redis server jumps: real programs refuse what would be booked by it, until an operator accepts the new time. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildClockLibrary } from '../dates/clock-library.js';
import { ratewireOn } from '../support/ratewire.js';
import { NO_REDIS_SERVER, type RedisProcess, redisServer, startRedis } from '../support/redis-process.js';
import { SOON } from '../support/until.js';
import { type Launcher, launch } from './launcher.js';

const HOURS_3 = String(3 * 3_600_000);
const directory = mkdtempSync(join(tmpdir(), 'ratewire-clock-jump-'));
const library = join(directory, 'clock.so');
const [storeClock, programClock] = [join(directory, 'store-clock'), join(directory, 'program-clock')];
const why = redisServer() === undefined ? NO_REDIS_SERVER : buildClockLibrary(library);
if (why) console.log(`test/wiring/clock-jump.test.ts is not run: ${why}`);

describe.skipIf(why !== undefined)('a clock that jumps', () => {
  let redis: RedisProcess;
  let programs: Launcher;
  let doors: Record<string, string>;
  let token: string;
  let orders = 0;
  const env = () => ({ REDIS_URL: redis.redisUrl });

  beforeAll(async () => {
    for (const file of [storeClock, programClock]) writeFileSync(file, '0');
    redis = await startRedis({ env: { LD_PRELOAD: library, BBX_CLOCK_FILE: storeClock } });
    programs = launch(directory, { ...env(), LD_PRELOAD: library, BBX_CLOCK_FILE: programClock, DEMO: 'no' });
    doors = await programs.ready;
    const ratewire = ratewireOn(directory, env());
    await ratewire.json('clients', 'create', 'acme', '--name', 'Acme');
    await ratewire.json('margins', 'set', 'acme', 'EUR/USD', '0.1');
    for (const currency of ['EUR', 'USD']) {
      const { number } = await ratewire.json<{ number: string }>('accounts', 'open', 'acme', currency);
      await ratewire.json('accounts', 'credit', number, '1000.00', '--reference', `first-${currency}`);
    }
    const { client_key, client_secret } = await ratewire.json<Record<string, string>>('keys', 'issue', 'acme');
    const headers = { 'client-key': client_key!, 'client-secret': client_secret! };
    const answer = await fetch(`http://${doors.rest}/api/v1/authentication`, { method: 'POST', headers });
    token = ((await answer.json()) as { token: string }).token;
  });
  afterAll(async () => {
    programs?.process.kill('SIGTERM');
    await programs?.ended;
    await redis?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function book() {
    const body = { request_id: `jump-${++orders}`, description: 'x', sell_currency: 'EUR', buy_currency: 'USD' };
    const answer = await fetch(`http://${doors.rest}/api/v1/bookfx/currency/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, sell_amount: 100 }),
    });
    return { ...((await answer.json()) as object), status: answer.status };
  }
  const ready = async (door: string) => {
    const answer = await fetch(`http://${doors[door]}/ready`);
    return [answer.status, await answer.text()];
  };
  const isReady = (status: number, text: RegExp) =>
    Promise.all(
      ['metrics', 'rest-metrics'].map((door) =>
        vi.waitFor(async () => expect(await ready(door)).toEqual([status, expect.stringMatching(text)]), SOON),
      ),
    );

  test('nothing is booked by it, and each program says so, until an operator accepts it', async () => {
    await isReady(200, /^ready/);
    await vi.waitFor(async () => expect(await book()).toMatchObject({ status: 200 }), SOON);

    writeFileSync(storeClock, HOURS_3);
    await isReady(503, /clock of the store's server was turned ahead by 10800 s.*`ratewire store clock --accept`/);
    expect(await book()).toMatchObject({
      status: 503,
      code: 'STORE_UNAVAILABLE',
      detail: expect.stringContaining('A clock of ours is wrong: nothing was done'),
    });

    await ratewireOn(directory, env()).json('store', 'clock', '--accept');
    await vi.waitFor(async () => expect(await book()).toMatchObject({ status: 200 }), SOON);
    // The new time is the right one: it is the programs' machine that is late, until its clock is corrected too.
    await isReady(503, /this machine's clock is \S+ s behind the store's/);
    writeFileSync(programClock, HOURS_3);
    await isReady(200, /^ready/);
    await vi.waitFor(async () => expect(await book()).toMatchObject({ status: 200 }), SOON);
  });

  test('back, it is found too, and corrected it is used again', async () => {
    writeFileSync(storeClock, '0');
    await isReady(503, /was turned back by 10800 s/);
    expect(await book()).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    writeFileSync(storeClock, HOURS_3);
    await isReady(200, /^ready/);
    expect(await book()).toMatchObject({ status: 200 });
  });
});
