/** A store that version 0.1.0 wrote, opened by the programs of today. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LpSimulator, startLpSimulator } from '../../engine/rates/lp-simulator/simulator.js';
import { ratewireOn } from '../support/ratewire.js';
import { KIND } from '../support/store.js';
import { callNamed, type StoreFacts, writeStore010 } from '../support/store-0-1-0.js';
import { type Launcher, launch, temporaryDirectory } from './launcher.js';

const directory = temporaryDirectory();
const ratewire = ratewireOn(directory.path);
let facts: StoreFacts;
let launcher: Launcher;
let provider: LpSimulator;
let rest: string;
let unconverted: Ran;
let converted: Ran;

type Answer = Readonly<Record<string, string>>;
type Ran = Awaited<ReturnType<typeof ratewire.run>>;

beforeAll(async () => {
  facts = writeStore010(directory.path, KIND.prefer === 'redis-server' ? 'redis' : 'embedded');
  unconverted = await ratewire.run('store', 'ports');
  converted = await ratewire.run('store', 'migrate');
  // Where operators decide about money, prices are a provider's.
  provider = await startLpSimulator({ ws: 0 });
  launcher = launch(directory.path, { FUNDING: 'manual', FEED: `ws://127.0.0.1:${provider.wsPort}` });
  rest = `http://${(await launcher.ready).rest}`;
});
afterAll(async () => {
  launcher.process.kill('SIGTERM');
  await launcher.ended;
  await provider.close();
  directory.remove();
});

async function ask(path: string, body?: object): Promise<{ status: number; replayed: boolean; answer: Answer }> {
  const answered = await fetch(rest + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${facts.acme.token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const replayed = answered.headers.get('idempotent-replayed') === 'true';
  return { status: answered.status, replayed, answer: (await answered.json()) as Answer };
}

async function statusOf(paymentId: string): Promise<string> {
  return (await ask(`/api/v1/payments/id/${paymentId}`)).answer.status!;
}

async function reaches(paymentId: string, status: string): Promise<void> {
  await expect.poll(() => statusOf(paymentId), { timeout: 120_000, interval: 100 }).toBe(status);
}

test('no program opens it until it is converted, and it agrees before and after', async () => {
  expect([unconverted.code, unconverted.err]).toEqual([
    1,
    expect.stringMatching(/earlier release: stop every engine and sidecar, .* `ratewire store migrate`/),
  ]);
  expect(converted.code, converted.err).toBe(0);
  expect(converted.out).toMatch(
    /^The store is converted, and all agree: 3 clients with their positions, [1-9]\d* conversions, [1-9]\d* receipts and \d+ payments converted, [1-9]\d* journal entries\.$/m,
  );
  expect((await ratewire.run('store', 'migrate')).out).toContain('nothing was done');
});

test('no file of the store has a card number in clear any more', async () => {
  const clear = () => {
    const files = readdirSync(directory.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    return files.filter((file) =>
      readFileSync(join(file.parentPath ?? file.path, file.name), 'latin1').includes(facts.cardNumber),
    );
  };
  await expect.poll(() => clear().map(({ name }) => name), { timeout: 60_000, interval: 200 }).toEqual([]);
});

test('the token of before is valid, and every balance but that of the pending payment is as it was', async () => {
  const { status, answer } = await ask('/api/v1/balance/all');
  expect(status).toBe(200);
  const inr = Number(facts.accounts.inr);
  const others = (rows: readonly { account_number: number; balance: number }[]) =>
    Object.fromEntries(
      rows.filter((row) => row.account_number !== inr).map((row) => [row.account_number, row.balance]),
    );
  expect(others(answer as unknown as StoreFacts['balances'])).toEqual(others(facts.balances));
});

test.each(['booked', 'scheduled', 'booked-on-hold', 'funding-pending'])('replays the receipt of %s', async (name) => {
  const { path, body, answer } = callNamed(facts, name);
  const again = await ask(path, body);
  expect([again.status, again.replayed]).toEqual([200, true]);
  const id = 'confirmation_id' in answer ? 'confirmation_id' : 'gl_reference_number';
  expect(again.answer[id]).toBe(answer[id]);
});

test.each([
  ['hold-open', { sell_amount: 100 }],
  ['hold-amount', { sell_amount: 300 }],
  ['hold-scheduled', { sell_amount: 120 }],
])('books on %s', async (name, amount) => {
  const { fx_hold_id } = callNamed(facts, name).answer;
  const { status, answer } = await ask('/api/v1/bookfx/currency/create', {
    ...{ request_id: `on-${name}`, description: 'Invoice', sell_currency: 'USD', buy_currency: 'EUR', fx_hold_id },
    ...amount,
  });
  expect([status, answer.code]).toEqual([200, undefined]);
});

test('a hold that was used stays used, and a transaction number stays taken', async () => {
  const { fx_hold_id } = callNamed(facts, 'hold-used').answer;
  const order = { request_id: 'again', description: 'Invoice', sell_currency: 'USD', buy_currency: 'EUR', fx_hold_id };
  expect((await ask('/api/v1/bookfx/currency/create', { ...order, sell_amount: 40 })).answer.code).toBe('HOLD_USED');
  const { path, body } = callNamed(facts, 'waiting-b');
  expect((await ask(path, body)).answer.code).toBe('DUPLICATE_TRANSACTION');
});

test('the work of before is done', async () => {
  await reaches(facts.lateWorkPaymentId, 'PAID');
});

test('waiting payments are paid when their money comes, and those that await an operator continue', async () => {
  const idOf = (name: string): string => callNamed(facts, name).answer.payment_id;
  await ratewire.json('accounts', 'credit', facts.accounts.eurA, '9000.00', '--reference', 'more-a');
  await reaches(idOf('waiting-a'), 'PAID');
  await ratewire.json('accounts', 'credit', facts.accounts.eurB, '300000.00', '--reference', 'more-b');
  await reaches(idOf('waiting-b'), 'PAID');
  await reaches(idOf('payout'), 'PAID');
  await ratewire.json('payments', 'approve', idOf('verification'));
  await reaches(idOf('verification'), 'PAID');
  await ratewire.json('payments', 'cancel', idOf('error'), '--reason', 'given up');
  expect(await statusOf(idOf('error'))).toBe('CANCELLED');
});

test('reconcile finds no difference', async () => {
  const { code, out } = await ratewire.run('reconcile');
  expect([code, out]).toEqual([0, expect.stringContaining('All agree')]);
});
