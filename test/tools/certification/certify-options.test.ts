/** What `ratewire certify` does not begin with: it says so before anything is started. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { certify } from '../../../engine/tools/certification/certify.js';
import { ratewireProcessOn } from '../../support/ratewire.js';
import { temporaryDirectory } from '../../wiring/launcher.js';

const out = temporaryDirectory();
afterAll(() => out.remove());

const RUN = {
  compId: 'ACME1',
  host: '127.0.0.1',
  port: 0,
  waitSeconds: 1,
  firstSeconds: 1,
  operator: 't',
  version: '0',
  env: {},
  print: () => {},
};

test.each([
  [
    'a store with clients',
    { env: { REDIS_URL: 'redis://127.0.0.1:1' } },
    /REDIS_URL is set: .*has not connected to it/,
  ],
  ['an address for other machines without TLS', { host: '0.0.0.0' }, /add --tls generated/],
  ['no CompID', { compId: 'A B' }, /is no CompID/],
  ["the engine's own CompID", { compId: 'FXENGINE' }, /is the engine's own/],
  ['a key without a certificate', { tlsKey: 'x.pem' }, /--tls-key needs --tls/],
  [
    'a folder that cannot be made',
    { out: '/dev/null/reports' },
    /--out \/dev\/null\/reports is no folder that can be made and written/,
  ],
])('does not begin with %s', (_, change, message) => {
  expect(() => certify({ ...RUN, out: out.path, ...change })).toThrow(message);
});

test('makes the folder of the report, and none when it does not begin', async () => {
  const folder = join(out.path, 'reports', 'acme');
  expect(() => certify({ ...RUN, out: folder, compId: 'A B' })).toThrow(/is no CompID/);
  expect(existsSync(folder)).toBe(false);
  const { done } = certify({ ...RUN, out: folder, credentials: join(out.path, 'none.json') });
  await expect(done).rejects.toThrow(/^--credentials/);
  expect(existsSync(folder)).toBe(true);
});

test('does not begin with credentials that cannot be used, and does not show them', async () => {
  const file = join(out.path, 'wrong.json');
  writeFileSync(file, JSON.stringify({ client_key: 'CK', client_secret: 'geheim' }));
  const { done } = certify({ ...RUN, out: out.path, credentials: file });
  await expect(done).rejects.toThrow(/^--credentials .* has no credentials: JSON with client_key/);
  await expect(done).rejects.not.toThrow(/geheim/);
});

test('the command refuses REDIS_URL without a connection, and leaves the store of DATA_DIR alone', async () => {
  const data = join(out.path, 'data');
  const {
    code,
    err,
    out: printed,
  } = await ratewireProcessOn(data, { REDIS_URL: 'redis://127.0.0.1:1' }).run('certify', 'ACME1');
  expect([code, printed]).toEqual([1, '']);
  expect(err).toMatch(/^REDIS_URL is set: a certification runs on a store of its own/);
  const { code: late } = await ratewireProcessOn(data).run(
    'certify',
    'ACME1',
    '--port',
    '0',
    '--first',
    '1',
    '--out',
    out.path,
  );
  expect(late).toBe(1);
  expect(existsSync(data)).toBe(false);
});
