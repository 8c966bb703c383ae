/** A whole run at log level trace, from the first start to the stop: a secret appears in no file but its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fundAndPay, PERSONAL } from '../payments/roles/paying.js';
import { type Fields, TestDesk, timestamp } from '../support/desk.js';
import { ratewireProcessOn } from '../support/ratewire.js';
import { until } from '../support/until.js';
import {
  type DemoClient,
  demoClient,
  everyProcess,
  type Launcher,
  launch,
  programsOf,
  temporaryDirectory,
} from './launcher.js';

const directory = temporaryDirectory();
const dataDir = join(directory.path, 'data');
const temporary = join(directory.path, 'tmp');
const TLS = {
  FIX_TLS_PORT: '0',
  REST_TLS_PORT: '0',
  FIX_TLS_CERTIFICATE: 'generated',
  REST_TLS_CERTIFICATE: 'generated',
};

let launcher: Launcher;
/** What must not be seen, and what was seen, by name. */
const secrets = new Map<string, string>();
const seen = new Map<string, string>();
/** Of the two accounts that money is moved between. Answers and the store hold them: they are the client's own. */
const accounts: string[] = [];
const problems: { readonly asked: string; readonly text: string }[] = [];

beforeAll(async () => {
  mkdirSync(temporary);
  const umask = process.umask(0);
  launcher = launch(dataDir, { LOG_LEVEL: 'debug', SANDBOX_FUNDING_SECONDS: '0', TMPDIR: temporary, ...TLS });
  process.umask(umask);
  const addresses = await launcher.ready;
  const demo = demoClient(dataDir);
  secrets.set('client secret', demo.client_secret);
  secrets.set('master key', readFileSync(join(dataDir, 'master.key'), 'utf8').trim());
  secrets.set('store password', JSON.parse(readFileSync(join(dataDir, 'store.json'), 'utf8')).password);

  // Two lines of the private key.
  const [, first, second] = readFileSync(join(dataDir, 'generated-tls.key'), 'utf8').split('\n');
  secrets.set('TLS key', first!);
  secrets.set('rest of the TLS key', second!);

  await overFix(demo);
  await overRest(demo);
  await overLive(demo);
  const before = process.umask(0);
  await byOperator(demo);
  process.umask(before);

  for (const door of ['metrics', 'rest-metrics']) {
    seen.set(door, await (await fetch(`http://${addresses[door]}/metrics`)).text());
  }
  seen.set(
    'processes',
    everyProcess()
      .map(({ args }) => args)
      .join('\n'),
  );
  if (existsSync('/proc/self/environ')) {
    const ours = [launcher.process.pid!, ...programsOf(launcher).values()];
    seen.set('environments', ours.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')).join('\n'));
  }
  launcher.process.kill('SIGINT');
  await launcher.ended;
  seen.set('stdout', launcher.stdout());
  seen.set('stderr', launcher.stderr());
});
afterAll(() => {
  launcher.process.kill('SIGKILL');
  directory.remove();
});

/** A right logon, a new token, prices; a wrong one and every kind of message that is refused with a secret in it. */
async function overFix(demo: DemoClient): Promise<void> {
  const port = Number(demo.fix.split(':')[1]);
  const options = { port, compId: demo.sender_comp_id, clientKey: demo.client_key };
  const wrong = new TestDesk({ ...options, clientSecret: `${demo.client_secret}x` });
  await wrong.connect();
  wrong.sendLogon();
  await wrong.next('5');
  wrong.close();

  const desk = new TestDesk({ ...options, clientSecret: demo.client_secret });
  const token = (await desk.logon()).get(20001)!;
  secrets.set('token of the Logon', token);
  const credentials: Fields = [
    [553, demo.client_key],
    [554, demo.client_secret],
  ];
  desk.send('BE', [[923, 'U1'], [924, 1], ...credentials]);
  const renewed = (await desk.next('BF')).get(20001)!;
  secrets.set('renewed token', renewed);
  desk.stream('good', ['EUR/USD'], renewed);
  await desk.next('W');
  desk.stream('bad', ['QQQ/YYY'], renewed);
  desk.stream('wrong', ['EUR/USD'], `${renewed}x`);
  desk.send('D', [[11, 'O1'], [20001, token], ...credentials]);
  const order: Fields = [
    [55, 'EUR/USD'],
    [54, 1],
    [38, 1_000],
    [15, 'EUR'],
    [60, timestamp(Date.now())],
    [40, 1],
    [20001, token],
  ];
  desk.send('D', [[11, 'O2'], ...order]);
  const report = await desk.next('8', (message) => message.get(39) === '2');
  const [bought, sold] = [report.get(20007)!, report.get(20008)!];
  accounts.push(bought, sold);
  desk.send('D', [[11, 'O3'], ...order, [20007, bought], [20008, sold]]);
  desk.send('D', [[11, 'O4'], ...order, [20007, sold], [20008, bought]]);
  desk.send('D', [[11, 'O5'], [58, 'x'.repeat(200)], ...order, [20007, bought], [1, sold]]);
  desk.send('D', [[11, sold], [58, bought], ...order]);
  desk.send('V', [
    [262, ''],
    [20001, token],
  ]);
  desk.send('BE', [[923, 'U2'], [924, 9], ...credentials]);
  await desk.settle();
  const isOurs = (type: string | undefined) => type === 'A' || type === 'BF';
  seen.set('answers over FIX', desk.received.flatMap((m) => (isOurs(m.get(35)) ? [] : [m.text])).join('\n'));
  desk.send('5', []);
  await desk.untilClosed();
}

async function overRest({ rest, client_key, client_secret }: DemoClient): Promise<void> {
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    fetch(`http://${rest}${path}`, { method, headers });
  const right = await ask('POST', '/api/v1/authentication', { client_key, client_secret });
  const { token } = (await right.json()) as { token: string };
  secrets.set('token over REST', token);
  const bearer = { authorization: `Bearer ${token}` };
  const answers = [
    await ask('GET', '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD', bearer),
    await ask('GET', `/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=ZZZ&token=${token}`, bearer),
    await ask('GET', `/api/v1/nothing?client_secret=${client_secret}`, { client_secret }),
    await ask('DELETE', '/api/v1/authentication', { client_key, client_secret, ...bearer }),
    await ask('POST', '/api/v1/authentication', { client_key, client_secret: `${client_secret}x` }),
    await ask('GET', '/api/v1/bookfx/rate', { authorization: `Bearer ${token}x` }),
    ...(await bookings(rest, token)),
  ];
  for (const { asked, answered } of await fundAndPay(rest, token)) {
    const text = await answered.clone().text();
    // The address that was asked for is said again.
    if (answered.status !== 200) problems.push({ asked, text: text.replace(/"instance":"[^"]*"/, '') });
    answers.push(answered);
  }
  answers.push(...(await endpointAndPayee(rest, token)));
  const texts = answers.map(async (answer) => `${JSON.stringify([...answer.headers])} ${await answer.text()}`);
  seen.set('answers over REST', (await Promise.all(texts)).join('\n'));
}

/** An endpoint that takes nothing, a verified payee, and a batch with that payee. Its secrets are in the answers that show them alone. */
async function endpointAndPayee(rest: string, token: string): Promise<Response[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = (path: string, body: object) =>
    fetch(`http://${rest}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const shown = async (path: string, body: object) => (await (await ask(path, body)).json()) as Record<string, string>;
  const url = `http://127.0.0.1:64999/${PERSONAL['address of the endpoint']}`;
  const { webhook_id: id, secret } = await shown('webhooks', { url, types: ['*'] });
  secrets.set('webhook secret', secret!);
  secrets.set('rotated webhook secret', (await shown(`webhooks/${id}/rotate-secret`, {})).secret!);
  const beneficiary = {
    ...{ name: `Zerlina ${PERSONAL['beneficiary name']} CLOSE MATCH`, country_code: 'DE', account_type: 'Individual' },
    account_number: 'DE89370400440532013000',
  };
  const payee = { destination_currency: 'EUR', beneficiary };
  const stored = await ask('beneficiaries', { request_id: 'BEN-1', ...payee });
  const { beneficiary_id } = (await stored.clone().json()) as { beneficiary_id: string };
  secrets.set('token of a verification', (await shown('payee-verifications', { beneficiary_id })).verification_token!);
  const batch = await ask('batches', { request_id: 'BAT-1', source_account: Number(accounts[0]) });
  const { batch_id } = (await batch.clone().json()) as { batch_id: string };
  const item = { item_id: 'one', transaction_number: 'BAT-1-one', ...payee };
  const answers = [
    ...[stored, batch, await ask(`batches/${batch_id}/items`, { items: [item] })],
    await ask(`webhooks/${id}/test`, {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // With what an attacker would like to see said again.
  return [
    ...answers,
    await ask(`webhooks/${id}/replay`, { event_id: secret }),
    await ask('webhooks', { url: `https://user:${secret}@example.com/`, types: [secret] }),
    await ask('payments/create', { verification_token: secrets.get('token of a verification') }),
  ];
}

/** A login, the messages to the page, and rejected logins that contain a secret. */
async function overLive({ rest, client_key, client_secret }: DemoClient): Promise<void> {
  const own = { origin: `http://${rest}`, 'content-type': 'application/json' };
  const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(`http://${rest}/live${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const right = await ask('POST', '/login', own, { client_key, client_secret });
  const [cookie = ''] = right.headers.getSetCookie();
  secrets.set('token of the live page', /=([^;]+)/.exec(cookie)![1]!);
  const wrong = { client_key, client_secret: `${client_secret}x` };
  const answers = [
    right,
    await ask('POST', '/login', own, wrong),
    await ask('POST', '/login', { ...own, origin: 'http://elsewhere.example.com' }, { client_key, client_secret }),
    await ask('GET', '/session', { cookie: cookie.split(';')[0]! }),
    await ask('GET', `/nothing?client_secret=${client_secret}`, { cookie: cookie.split(';')[0]! }),
  ];
  const socket = new WebSocket(`ws://${rest}/live/stream`, {
    origin: own.origin,
    headers: { cookie: cookie.split(';')[0] },
  });
  const received: string[] = [];
  socket.on('message', (data) => void received.push(String(data)));
  await until(() => received.length > 3);
  socket.terminate();
  seen.set('the live page', [...received, ...(await Promise.all(answers.map((answer) => answer.text())))].join('\n'));
}

/** What is printed where a key is issued or its secret changed is the only place of a secret. */
async function byOperator({ client_key }: DemoClient): Promise<void> {
  const { run, json } = ratewireProcessOn(dataDir, { TMPDIR: temporary, LOG_LEVEL: 'debug' });
  const of = async (...args: string[]) => (await json<{ client_secret: string }>(...args)).client_secret;
  secrets.set('issued secret', await of('keys', 'issue', 'demo'));
  secrets.set('rotated secret', await of('keys', 'rotate', client_key));
  const [endpoint] = await json<{ webhook: string }[]>('webhooks', 'list', 'demo');
  const { webhook } = endpoint!;
  const { secret } = await json<{ secret: string }>('webhooks', 'rotate-secret', 'demo', webhook);
  secrets.set('webhook secret rotated by the operator', secret);
  for (const args of [
    ['keys', 'list', 'demo'],
    ['keys', 'list', 'demo', '--json'],
    ['keys', 'retire-secret', client_key],
    ['keys', 'rotate', 'CK_UNKNOWN'],
    ['clients', 'show', 'demo', '--json'],
    ['sessions', 'list', '--json'],
    ['audit', '--limit', '1000'],
    ['audit', '--limit', '1000', '--json'],
    ['payments', 'list', '--json'],
    ['webhooks', 'show', 'demo', webhook, '--json'],
    ['journal', 'export', '--out', join(dataDir, 'journal.jsonl')],
    ['journal', 'export', '--format', 'csv'],
  ]) {
    const { out, err } = await run(...args);
    seen.set(`ratewire ${args.join(' ')}`, out + err);
  }
  expect(seen.get('ratewire audit --limit 1000 --json')).toContain('rotateKey');
}

/** By their accounts: one that is booked, and refusals of every stage. */
async function bookings(rest: string, token: string): Promise<Response[]> {
  const [buy, sell] = accounts.map(Number);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const good = {
    request_id: 'R1',
    description: `from ${sell} to ${buy}`,
    from_account: buy,
    to_account: sell,
    sell_amount: 10,
  };
  const bodies = [good, { ...good, sell_amount: 11 }].map((body) => JSON.stringify(body));
  for (const bad of [
    { sell_amount: 1e14 },
    { sell_amount: 1e9 },
    { buy_account: sell },
    { to_account: buy },
    { fx_hold_id: buy },
  ])
    bodies.push(JSON.stringify({ ...good, request_id: 'R2', ...bad }));
  bodies.push(`{"to_account":${sell},`, JSON.stringify({ ...good, request_id: `R ${sell}` }));
  const asked = bodies.map((body) => ['POST', '/api/v1/bookfx/account/create', body] as const);
  const answers: Response[] = [];
  for (const [method, path, body] of [
    ...asked,
    ['GET', `/api/v1/balance/account/${sell}`, undefined] as const,
    ['GET', `/api/v1/balance/account/${sell}/none`, undefined] as const,
    ['POST', `/api/v1/balance/account/${sell}`, undefined] as const,
  ])
    answers.push(await fetch(`http://${rest}${path}`, { method, headers, ...(body && { body }) }));
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 400, 400, 400, 400, 400, 400, 400, 200, 404, 405]);
  return answers;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

const OWN_FILES = /(demo-client|store)\.json$|(master|generated-tls)\.key$/;

test('no log, metric, answer, process list or file shows a secret', () => {
  const files = [...filesOf(dataDir), ...filesOf(temporary)];
  seen.set('names of files', files.join('\n'));
  for (const file of files) {
    if (statSync(file).isFile() && !OWN_FILES.test(file)) seen.set(file, readFileSync(file, 'latin1'));
  }
  expect([...secrets.values()].filter((secret) => secret?.length >= 43)).toHaveLength(15);
  expect([...seen.keys()].filter((name) => name.endsWith('.aof'))).toHaveLength(1);
  expect(seen.get('stderr')).toContain('logged on');
  const found: string[] = [];
  for (const [what, secret] of secrets) {
    for (const [where, text] of seen) if (text.includes(secret)) found.push(`${what} in ${where}`);
  }
  expect(found).toEqual([]);
});

test('no log, metric, process list or name of a file shows an account number', () => {
  expect(accounts).toEqual([expect.stringMatching(/^\d{12}$/), expect.stringMatching(/^\d{12}$/)]);
  const where = ['stdout', 'stderr', 'metrics', 'rest-metrics', 'processes', 'names of files'];
  const found = where.filter((name) => accounts.some((account) => seen.get(name)!.includes(account)));
  expect(found).toEqual([]);
});

test('no log, metric, process list or name of a file shows who is paid, or who pays', () => {
  const where = ['stdout', 'stderr', 'metrics', 'rest-metrics', 'processes', 'names of files'];
  const found = Object.entries(PERSONAL).flatMap(([what, value]) =>
    where.filter((name) => seen.get(name)!.includes(value)).map((name) => `${what} in ${name}`),
  );
  expect(found).toEqual([]);
  // The payments were made: the store has it all, but for cards that nothing was paid to.
  const store = [...seen].find(([name]) => name.endsWith('.aof'))![1];
  expect(Object.values(PERSONAL).filter((value) => !store.includes(value))).toEqual([
    PERSONAL['card number'],
    PERSONAL['wrong card number'],
  ]);
});

test('no error shows the number of a card, an account or a document', () => {
  expect(problems.length).toBeGreaterThan(30);
  const numbers = Object.entries(PERSONAL).filter(([what]) => /number|account|document/.test(what));
  const found = problems.flatMap(({ asked, text }) =>
    numbers.filter(([, value]) => text.includes(value)).map(([what]) => [what, asked, text]),
  );
  expect(found).toEqual([]);
});

test('what is kept is for its owner alone, also when the umask hides nothing', () => {
  const open = [dataDir, ...filesOf(dataDir)].filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});
