import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoClient, isAlive, type Launcher, launch, programsOf, temporaryDirectory } from './launcher.js';

const directory = temporaryDirectory();
afterAll(() => directory.remove());

let launcher: Launcher;
let addresses: Record<string, string>;

async function start() {
  launcher = launch(directory.path);
  addresses = await launcher.ready;
}

async function stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') {
  launcher.process.kill(signal);
  return launcher.ended;
}

const get = async (door: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://${addresses[door]}${path}`, { headers });
  return { status: response.status, text: await response.text() };
};

async function newToken(): Promise<string> {
  const { client_key, client_secret } = demoClient(directory.path);
  const response = await fetch(`http://${addresses.rest}/api/v1/authentication`, {
    method: 'POST',
    headers: { client_key, client_secret },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { token: string }).token;
}

async function rate(token: string): Promise<Record<string, unknown>> {
  const { status, text } = await get('rest', '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD', {
    authorization: `Bearer ${token}`,
  });
  return { ...(JSON.parse(text) as Record<string, unknown>), status };
}

/** True as soon as the condition holds; bounded. */
async function soon(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

describe('the first start, and the next one', () => {
  beforeAll(start);
  afterAll(() => void launcher.process.kill('SIGKILL'));

  test('says once where everything listens, and what to try', () => {
    const lines = launcher.stdout().split('\n');
    const at = '127\\.0\\.0\\.1:\\d+';
    expect(lines[0]).toMatch(new RegExp(`^ready fix=${at} rest=${at} metrics=${at} rest-metrics=${at}$`));
    expect(lines.filter((line) => line.startsWith('ready'))).toHaveLength(1);
    expect(lines.slice(1)).toEqual([
      `The live page, for the keys in ${directory.path}/demo-client.json: http://${addresses.rest}/live`,
      'Try in another terminal:',
      `  DATA_DIR=${directory.path} npm run desk -- --pairs EUR/USD,USD/JPY`,
      `  DATA_DIR=${directory.path} npm run rate -- EUR USD`,
      `  DATA_DIR=${directory.path} npx ratewire accounts list demo`,
      `  DATA_DIR=${directory.path} npx ratewire margins list`,
      '',
    ]);
    expect(launcher.stderr()).toBe('');
  });

  test('leaves the demo client’s credentials for their owner alone', () => {
    const demo = demoClient(directory.path);
    expect(statSync(join(directory.path, 'demo-client.json')).mode & 0o777).toBe(0o600);
    expect(demo).toMatchObject({ sender_comp_id: 'DEMO1', target_comp_id: 'FXENGINE' });
    expect([demo.fix, demo.rest]).toEqual([addresses.fix, addresses.rest]);
    expect(launcher.stdout()).not.toContain(demo.client_secret);
  });

  test('gives the demo client a token and a rate with its margin', async () => {
    const answer = await rate(await newToken());
    expect(answer).toMatchObject({ status: 200, sell_currency: 'EUR', buy_currency: 'USD', margin: 0.1 });
    expect(Number(answer.fx_rate)).toBeGreaterThan(Number(answer.instarem_fx_rate));
  });

  test('is ready by its own account, with the metrics of both processes', async () => {
    for (const door of ['metrics', 'rest-metrics']) {
      expect(await get(door, '/health')).toEqual({ status: 200, text: 'alive\n' });
      expect(await soon(async () => (await get(door, '/ready')).status === 200)).toBe(true);
      expect((await get(door, '/metrics')).text).toMatch(/^ratewire_redis_up\{[^}]*\} 1$/m);
      expect((await get('rest', '/metrics')).status).toBe(404);
    }
    const reconciled = /^ratewire_ledger_reconciled_timestamp_seconds\{[^}]*\} [1-9]/m;
    expect(await soon(async () => reconciled.test((await get('metrics', '/metrics')).text))).toBe(true);
    expect((await get('metrics', '/metrics')).text).toMatch(/^ratewire_ledger_differences\{[^}]*\} 0$/m);
    expect((await get('metrics', '/metrics')).text).toMatch(/^ratewire_tick_to_wire_last_seconds_bucket\{le="\+Inf"/m);
  });

  test('refuses a second start on its data directory in one line', async () => {
    const second = launch(directory.path);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stdout()).toBe('');
    expect(second.stderr()).toMatch(/^[^\n]*in use by process \d+[^\n]*DATA_DIR[^\n]*\n$/);
  });

  test('stops everything on Ctrl-C, and finds it again at the next start', async () => {
    const before = demoClient(directory.path);
    const token = await newToken();
    const programs = programsOf(launcher);
    expect(programs.size).toBeGreaterThanOrEqual(2);

    expect(await stop('SIGINT')).toEqual({ code: 0, signal: null });
    for (const pid of programs.values()) expect(isAlive(pid)).toBe(false);

    await start();
    const { fix: _fix, rest: _rest, ...credentials } = demoClient(directory.path);
    expect(before).toMatchObject(credentials);
    const another = await newToken();
    expect(another).not.toBe(token);
    for (const live of [token, another]) expect((await rate(live)).status).toBe(200);
  });

  test('while the store does not answer, commands are rejected at once, both processes report it, and resume by themselves', async () => {
    const token = await newToken();
    const store = programsOf(launcher).get('embedded/main');
    // A redis-server of this machine is not ours to stop: then only the metrics are looked at.
    if (store === undefined) return;
    process.kill(store, 'SIGSTOP');
    try {
      expect(await soon(async () => (await rate(token)).code === 'STORE_UNAVAILABLE')).toBe(true);
      const refused = await fetch(`http://${addresses.rest}/api/v1/bookfx/rate`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
      for (const door of ['metrics', 'rest-metrics']) {
        expect(await soon(async () => (await get(door, '/ready')).text.includes('the store does not answer'))).toBe(
          true,
        );
        expect((await get(door, '/health')).status).toBe(200);
        expect((await get(door, '/metrics')).text).toMatch(/^ratewire_redis_up\{[^}]*\} 0$/m);
      }
      // The engine continues with the prices in memory.
      expect((await get('metrics', '/metrics')).text).toMatch(/^ratewire_pairs_priced\{[^}]*\} [1-9]/m);
    } finally {
      process.kill(store, 'SIGCONT');
    }
    expect(await soon(async () => (await rate(token)).status === 200)).toBe(true);
    for (const door of ['metrics', 'rest-metrics']) {
      expect(await soon(async () => (await get(door, '/ready')).status === 200)).toBe(true);
    }
  });

  test('stops everything on SIGTERM', async () => {
    expect(await stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

test('Ctrl-C during a start leaves no process behind', async () => {
  const early = launch(directory.path);
  // As soon as the data directory is taken, long before anything is ready.
  expect(await soon(() => programsOf(early).size > 0)).toBe(true);
  const programs = programsOf(early);
  early.process.kill('SIGINT');
  expect(await early.ended).toEqual({ code: 0, signal: null });
  expect(early.stdout()).toBe('');
  for (const pid of programs.values()) expect(isAlive(pid)).toBe(false);
});

describe('when a process is killed', () => {
  afterAll(() => void launcher.process.kill('SIGKILL'));

  async function ended(program: string) {
    const programs = programsOf(launcher);
    process.kill(programs.get(program)!, 'SIGKILL');
    expect((await launcher.ended).code).toBe(1);
    expect(launcher.stderr()).toMatch(/^The (engine|sidecar) ended unexpectedly \(SIGKILL\)[^\n]*\n$/);
    for (const pid of programs.values()) expect(isAlive(pid)).toBe(false);
  }

  test('the launcher: its programs end by themselves, and the next start uses the same store', async () => {
    await start();
    const programs = programsOf(launcher);
    launcher.process.kill('SIGKILL');
    expect(await soon(() => ![...programs.values()].some(isAlive))).toBe(true);
    await start();
    expect((await rate(await newToken())).status).toBe(200);
  });

  test('the engine: everything is stopped, with one line that says so', () => ended('engine/main'));

  test('the launcher during a start: programs that wait for the store end by themselves', async () => {
    const early = launch(directory.path);
    expect(await soon(() => programsOf(early).size >= 2)).toBe(true);
    const programs = programsOf(early);
    early.process.kill('SIGKILL');
    expect(await soon(() => ![...programs.values()].some(isAlive))).toBe(true);
    expect(early.stdout()).toBe('');
  });

  test('the sidecar: everything is stopped, with one line that says so', async () => {
    await start();
    await ended('rest/main');
  });
});
