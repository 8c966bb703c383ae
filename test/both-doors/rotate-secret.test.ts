/** A secret rotation of a key that is in use by FIX and REST: from `keys rotate` to `keys retire-secret`, without interruption. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDesk } from '../support/desk.js';
import { ratewireOn } from '../support/ratewire.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../wiring/launcher.js';

const directory = temporaryDirectory();
let launcher: Launcher;
let addresses: Record<string, string>;
let demo: DemoClient;

beforeAll(async () => {
  launcher = launch(directory.path);
  addresses = await launcher.ready;
  demo = demoClient(directory.path);
});
afterAll(async () => {
  launcher.process.kill('SIGTERM');
  await launcher.ended;
  directory.remove();
});

const deskWith = (clientSecret: string, compId = demo.sender_comp_id): TestDesk =>
  new TestDesk({ port: Number(addresses.fix!.split(':').at(-1)), compId, clientKey: demo.client_key, clientSecret });

/** The status of a logon by REST, and its token. */
async function byRest(client_secret: string): Promise<[status: number, token: string | undefined]> {
  const headers = { client_key: demo.client_key, client_secret };
  const answer = await fetch(`http://${addresses.rest}/api/v1/authentication`, { method: 'POST', headers });
  return [answer.status, ((await answer.json()) as { token?: string }).token];
}

async function byFix(clientSecret: string, compId: string): Promise<string | undefined> {
  const desk = deskWith(clientSecret, compId);
  await desk.connect();
  desk.sendLogon();
  const answer = await Promise.race([desk.next('A'), desk.next('5')]).finally(() => desk.close());
  return answer.get(35) === 'A' ? 'in' : answer.get(58);
}

test('a desk and a REST caller stay connected through a rotation', async () => {
  const { json } = ratewireOn(directory.path);
  await json('compids', 'assign', 'SECOND1', 'demo');
  const old = demo.client_secret;
  const desk = deskWith(old);
  const logon = await desk.logon();
  desk.stream('rates', ['EUR/USD'], logon.get(20001));
  await desk.next('W');
  const [, token] = await byRest(old);
  // Requests run continuously, with the earlier token.
  let done = false;
  const statuses = new Set<number>();
  const asking = (async () => {
    const headers = { authorization: `Bearer ${token}` };
    while (!done) {
      const path = 'api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';
      statuses.add((await fetch(`http://${addresses.rest}/${path}`, { headers })).status);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  })();

  const { client_secret: fresh } = await json<{ client_secret: string }>('keys', 'rotate', demo.client_key);
  expect(fresh).not.toBe(old);
  for (const secret of [old, fresh]) {
    expect((await byRest(secret))[0]).toBe(200);
    expect(await byFix(secret, 'SECOND1')).toBe('in');
  }

  await json('keys', 'retire-secret', demo.client_key);
  expect([(await byRest(old))[0], (await byRest(fresh))[0]]).toEqual([401, 200]);
  expect([await byFix(old, 'SECOND1'), await byFix(fresh, 'SECOND1')]).toEqual(['Authentication failed', 'in']);

  // No session was logged out: the stream continues, the new secret gets a new token, and the old token is valid.
  await desk.next('W');
  desk.send('BE', [
    [923, 'U1'],
    [924, 1],
    [553, demo.client_key],
    [554, fresh],
  ]);
  expect((await desk.next('BF')).get(926)).toBe('1');
  expect([desk.count('5'), desk.count('A'), desk.closed]).toEqual([0, 1, false]);
  done = true;
  await asking;
  // On a busy machine the store may answer late: that refuses no token.
  statuses.delete(503);
  expect([...statuses]).toEqual([200]);
  desk.close();
});
