/** The rate watcher against the whole of it: `npm start` on free ports, the desk as a process of its own. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

const built = (name: string) => fileURLToPath(new URL(`../../../dist/engine/tools/desk/${name}.js`, import.meta.url));

const dir = temporaryDirectory();
let launcher: Launcher;
let demo: DemoClient;

beforeAll(async () => {
  launcher = launch(dir.path);
  await launcher.ready;
  demo = demoClient(dir.path);
});
afterAll(async () => {
  launcher.process.kill('SIGTERM');
  await launcher.ended;
  dir.remove();
});

interface Watched {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the desk until it ends by itself, or until what it printed is enough: then it is stopped, as by Ctrl-C. */
function desk(
  args: readonly string[],
  isEnough: (out: string) => boolean = () => false,
  name = 'main',
): Promise<Watched> {
  const child = spawn(process.execPath, [built(name), ...args], {
    env: { ...CLEAN_ENV, DATA_DIR: dir.path },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
    if (isEnough(out)) child.kill('SIGINT');
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 120_000);
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, out, err });
    }),
  );
}

test('a pipe gets a line per price of each pair asked for, and Ctrl-C ends it cleanly', async () => {
  const both = (out: string) => /EUR\/USD bid \d.*\n[\s\S]*USD\/JPY bid \d/.test(out);
  const { code, out, err } = await desk(['--pairs', 'eur/usd,USD/JPY'], (text) => both(text));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z EUR\/USD bid \d+\.\d{7} offer \d+\.\d{7} spread \d+\.\d$/m);
  expect(out).toMatch(/^\S+ USD\/JPY bid \d+\.\d{5} offer \d+\.\d{5} spread \d+\.\d$/m);
});

test('--log prints what is on the wire, decoded, without a secret', async () => {
  const { code, out } = await desk(['--pairs', 'EUR/USD', '--log'], (text) => text.includes('< MarketDataSnapshot'));
  expect(code).toBe(0);
  expect(out).toMatch(/^> Logon MsgType\(35\)=A MsgSeqNum\(34\)=1 .*Password\(554\)=\*\*\*/m);
  expect(out).toMatch(/^< Logon .*AuthToken\(20001\)=\*{43} /m);
  expect(out).toMatch(
    /^> MarketDataRequest MsgType\(35\)=V .*MDEntryType\(269\)=0:BID .*Symbol\(55\)=EUR\/USD AuthToken\(20001\)=\*{43}$/m,
  );
  expect(out).toMatch(/^< MarketDataSnapshotFullRefresh .*MDEntryPx\(270\)=\d/m);
  expect(out).toMatch(/^> Logout /m);
  expect(out).not.toContain(demo.client_secret);
});

test('--seconds ends it by itself', async () => {
  expect(await desk(['--seconds', '1'])).toMatchObject({ code: 0, err: '' });
});

test('latency from the source is not shown where no price has its time, and that is said once', async () => {
  const { code, err } = await desk(['--seconds', '3', '--source-time']);
  expect(code).toBe(0);
  expect(err).toMatch(/^No latency: the prices carry no SourceTime\(20017\).*--source-time\n$/);
});

test('a pair that is not offered is named in the words of the engine', async () => {
  const unknown = await desk(['--pairs', 'EUR/USD,EUR/ABC']);
  expect(unknown).toMatchObject({ code: 1, out: '' });
  expect(unknown.err).toMatch(/^Unknown symbol EUR\/ABC.*UNKNOWN_SYMBOL\)\n$/);
  expect((await desk(['--pairs', 'USD/EUR'])).err).toMatch(/use EUR\/USD.*INVERSE_SYMBOL/);
});

test('what is wrong with the connection is said in one line', async () => {
  const wrong = path.join(dir.path, 'wrong-secret.json');
  writeFileSync(wrong, JSON.stringify({ ...demo, client_secret: 'not-it' }));
  const refused = await desk(['--credentials', wrong]);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^Logon refused: Authentication failed.*\n$/);

  const stranger = path.join(dir.path, 'stranger.json');
  writeFileSync(stranger, JSON.stringify({ ...demo, target_comp_id: 'SOMEBODY' }));
  expect((await desk(['--credentials', stranger])).err).toMatch(
    /^Logon not answered: trying again\nLogon not answered.*target_comp_id\n$/,
  );

  expect(await desk(['--port', '1'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing listens on .*npm start.*\n$/),
  });
  expect(await desk(['--credentials', path.join(dir.path, 'none.json')])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^No credentials at .*\n$/),
  });
  expect(await desk(['--colour'])).toMatchObject({ code: 2, out: '' });
});

test('npm run rate shows the two requests and the rate, or the refusal as it came', async () => {
  const rate = (...args: string[]) => desk(args, undefined, 'rate');
  const { code, out, err } = await rate('usd', 'SGD');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ sell_currency: 'USD', buy_currency: 'SGD', margin: 0.25 });
  expect(err).toBe(
    `POST http://${demo.rest}/api/v1/authentication\nGET http://${demo.rest}/api/v1/bookfx/rate?sell_currency=USD&buy_currency=SGD\n`,
  );
  expect(await rate('USD', 'QQQ')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('"status": 400') });
  expect(await rate('USD', 'SGD', 'EUR')).toMatchObject({ code: 2, out: '' });
});
