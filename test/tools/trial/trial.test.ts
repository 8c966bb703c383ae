/** `ratewire listen` and `ratewire trigger` on a running `npm start`: what is triggered is shown, and comes signed to a program of this machine. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { type Hook, startHook, verify } from '../../support/hook.js';
import { type Ratewire, ratewireOn } from '../../support/ratewire.js';
import { until } from '../../support/until.js';
import { type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

const RATEWIRE = fileURLToPath(new URL('../../../engine/cli/ratewire.mjs', import.meta.url));
const directory = temporaryDirectory();
let launcher: Launcher;
let hook: Hook;
let ratewire: Ratewire;
let listening: ChildProcessWithoutNullStreams;
let [out, err] = ['', ''];

beforeAll(async () => {
  launcher = launch(directory.path);
  await launcher.ready;
  hook = await startHook();
  ratewire = ratewireOn(directory.path);
  listening = spawn(process.execPath, [RATEWIRE, 'listen', '--forward-to', hook.url], {
    env: { ...CLEAN_ENV, DATA_DIR: directory.path },
  });
  listening.stdout.on('data', (chunk) => {
    out += chunk;
  });
  listening.stderr.on('data', (chunk) => {
    err += chunk;
  });
  await until(() => err.includes('Listening'));
});
afterAll(async () => {
  listening.kill('SIGINT');
  launcher.process.kill('SIGINT');
  await launcher.ended;
  await hook.stop();
  directory.remove();
});

test.each([
  ['payment.awaiting_funds', 'AWAITING_FUNDS'],
  // No payment waits behind the one before.
  ['payment.paid', 'PAID'],
  ['payment.expired', 'CANCELLED'],
  ['payment.returned', 'RETURNED'],
  ['funding.reversed', 'REVERSED'],
  ['conversion.overdue', 'OVERDUE'],
  ['conversion.booked', 'SETTLED'],
  ['conversion.changed', 'OPEN'],
  ['conversion.split', 'SPLIT'],
  ['hold.locked', 'OPEN'],
  ['hold.used', 'USED'],
  ['hold.revoked', 'RELEASED'],
  ['beneficiary.changed', 'ACTIVE'],
  ['verification.completed', 'MATCH'],
  ['batch.done', 'PROCESSING'],
  ['batch.cancelled', 'CANCELLED'],
  ['hold.expired', 'EXPIRED'],
])('%s is triggered, shown, and comes signed', async (type, status) => {
  const made = await ratewire.json<{ id: string; status: string }>('trigger', type);
  expect(made.status).toBe(status);
  await until(() => hook.got.some(({ body, text }) => body.type === type && text.includes(made.id)));
  const secret = /whsec_\S+/.exec(err)![0];
  verify(secret, hook.got.at(-1)!);
  await until(() =>
    out.split('\n').some((line) => line.includes(type) && line.includes(made.id) && line.includes('-> 200')),
  );
});

test('the program is challenged as an endpoint is, and its answer is shown', () => {
  expect(hook.challenges).toHaveLength(1);
  verify(/whsec_\S+/.exec(err)![0], hook.challenges[0]!);
  expect(err).toContain('The program has answered the challenge');
});

test('a program elsewhere is not forwarded to', async () => {
  const { code, err: text } = await ratewire.run('listen', '--forward-to', 'https://example.com/hook');
  expect([code, text]).toEqual([2, expect.stringContaining('loopback')]);
});

test.each(['payment.lost', 'constructor'])(
  'a type that cannot be triggered is named with those that can: %s',
  async (type) => {
    const { code, err: text } = await ratewire.run('trigger', type);
    expect([code, text]).toEqual([1, expect.stringContaining('payment.paid')]);
  },
);

test.each([
  ['account.opened', 'ratewire accounts open'],
  ['account.changed', 'ratewire accounts label'],
  ['receivable.repaid', 'credit the account'],
  ['key.rotated', 'ratewire keys rotate'],
  ['key.revoked', 'ratewire keys revoke'],
  ['limit.warning', 'ratewire limits set'],
  ['webhook.created', 'register an endpoint'],
  ['webhook.disabled', '410'],
  ['test', 'ratewire webhooks test'],
])('of a type that it does not bring about it says what does: %s', async (type, instead) => {
  const { code, err: text } = await ratewire.run('trigger', type);
  expect([code, text]).toEqual([1, expect.stringContaining(instead)]);
});
