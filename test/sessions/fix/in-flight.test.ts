/** Numbers of messages that were taken and not carried out: the store must not know them as received, or a crash would lose them. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InFlightMessages } from '../../../engine/store/sessions/in-flight.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../fix/trader.js';

let rig: Rig;
let redis: Redis;
beforeAll(async () => {
  rig = await startRig();
  redis = new Redis(rig.redisUrl);
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(async () => {
  redis.disconnect();
  await rig.stop();
});

/** At one moment: the number at which the engine would continue after a crash, and how often money has moved. */
async function looker(of: Trader): Promise<() => Promise<{ next: number; moved: number }>> {
  const { shard } = (await rig.services.store.clients.get(of.id))!;
  const tag = `{s${String(shard).padStart(2, '0')}}`;
  const keys = [`${tag}:fix:FXENGINE:${of.compId}`, `${tag}:client:${of.id}:journal`];
  return async () => {
    const script = "return { redis.call('HGET', KEYS[1], 'in'), redis.call('XLEN', KEYS[2]) }";
    const [next, moved] = (await redis.eval(script, 2, ...keys)) as [string, number];
    return { next: Number(next), moved };
  };
}

test('an order that waits for its turn is not known as received before it is booked', async () => {
  const crash = await startTrader(rig, 'crash');
  const look = await looker(crash);
  // Numbers are saved once a second: the orders are sent just before it happens next.
  crash.desk.send('0', []);
  await expect.poll(async () => (await look()).next, { timeout: 120_000, interval: 5 }).toBe(crash.desk.nextOut);
  const first = crash.desk.nextOut;
  const { moved: before } = await look();
  await new Promise((resolve) => setTimeout(resolve, 940));
  for (let i = 0; i < 90; i++) crash.order({ 11: `U${i}` });

  let ahead = 0;
  for (let moved = before; moved < before + 90; ) {
    const now = await look();
    moved = now.moved;
    ahead = Math.max(ahead, now.next - first - (moved - before));
  }
  expect(ahead).toBe(0);
  await expect.poll(async () => (await look()).next, { timeout: 120_000 }).toBe(first + 90);
});

test('a desk that hangs up after its order is not asked for it again', async () => {
  const gone = await startTrader(rig, 'gone');
  gone.order({ 11: 'H1' });
  gone.desk.close();
  const back = await logonAgain(rig, gone);
  expect((await back.report('H1')).get(150)).toBe('F');
  expect(back.desk.count('2')).toBe(0);
});

test('the lowest number under way counts; finished twice is finished once', async () => {
  const inFlight = new InFlightMessages();
  const savable: number[] = [];
  inFlight.onFinished = () => savable.push(inFlight.upTo(9));
  const [five, three, again] = [5, 3, 5].map((number) => inFlight.begin(number));
  expect(inFlight.upTo(9)).toBe(3);
  expect(inFlight.upTo(2)).toBe(2);
  three!();
  five!();
  five!();
  again!();
  expect(savable).toEqual([5, 5, 9]);
  await inFlight.whenEmpty();
});
