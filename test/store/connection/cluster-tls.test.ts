/** A Redis Cluster with TLS only and the operator's own certificate authority: engine and sidecar connect and book. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PROGRAMS } from '../../crash/programs.js';
import { type Running, startProgram, Words } from '../../crash/running.js';
import { writeCertificate } from '../../support/certificate.js';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { ratewireProcessOn } from '../../support/ratewire.js';
import { type RedisCluster, startRedisCluster } from '../../support/redis-cluster.js';
import { NO_REDIS_SERVER, redisServer, speaksTls, type TlsFiles } from '../../support/redis-process.js';

const binary = redisServer();
const isThere = binary !== undefined && speaksTls(binary);
if (!isThere)
  console.log(
    `test/store/connection/cluster-tls.test.ts ${binary ? 'skipped: this redis-server was built without TLS' : NO_REDIS_SERVER}`,
  );

describe.skipIf(!isThere)('REDIS_URL=rediss:// of a cluster', () => {
  const dir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  const words = new Words();
  const running: Running[] = [];
  let files: TlsFiles;
  let cluster: RedisCluster;
  let env: Record<string, string>;
  beforeAll(async () => {
    files = await writeCertificate(dir);
    cluster = await startRedisCluster({ tls: files });
    env = {
      ...CLEAN_ENV,
      REDIS_URL: cluster.redisUrl,
      MASTER_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: dir,
      LOG_LEVEL: 'warn',
      ...{ FUNDING: 'sandbox', COMPLIANCE: 'sandbox', PAYOUT: 'sandbox' },
    };
  });
  afterAll(async () => {
    for (const { child, gone } of running) {
      child.kill('SIGTERM');
      await gone;
    }
    await cluster?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  async function start(name: 'engine' | 'sidecar', more: Record<string, string>): Promise<Running> {
    const program = PROGRAMS[name];
    const one = await startProgram({ name, ...program, env: { ...env, ...program.env, ...more } }, words);
    running.push(one);
    return one;
  }

  test('rejects an unknown certificate authority, and names the setting', async () => {
    await expect(start('sidecar', {})).rejects.toThrow(
      /^sidecar did not start: Redis at 127\.0\.0\.1:\d+ .*NODE_EXTRA_CA_CERTS/,
    );
  });

  test('with it, the engine and the sidecar use every master, and a conversion is booked', async () => {
    const trusted = { NODE_EXTRA_CA_CERTS: files.certificate };
    const [, sidecar] = await Promise.all([start('engine', trusted), start('sidecar', trusted)]);
    const ratewire = ratewireProcessOn(dir, { ...env, ...trusted, RATEWIRE_OPERATOR: 'test' });
    await ratewire.json('clients', 'create', 'acme', '--name', 'Acme');
    const [eur, key] = await Promise.all([
      ratewire.json<{ number: string }>('accounts', 'open', 'acme', 'EUR'),
      ratewire.json<{ client_key: string; client_secret: string }>('keys', 'issue', 'acme'),
      ratewire.json('accounts', 'open', 'acme', 'USD'),
      ratewire.json('margins', 'set', 'acme', '*', '0.25'),
    ]);
    await ratewire.json('accounts', 'credit', eur.number, '100.00', '--reference', 'a-test');

    const rest = `http://${sidecar.addresses.rest}/api/v1`;
    const headers = { client_key: key.client_key, client_secret: key.client_secret };
    const authenticated = await fetch(`${rest}/authentication`, { method: 'POST', headers });
    const { token } = (await authenticated.json()) as { token: string };
    const booking = {
      request_id: 'over-tls',
      description: 'a test',
      sell_amount: 10,
      sell_currency: 'EUR',
      buy_currency: 'USD',
    };
    const book = async (): Promise<void> => {
      const answer = await fetch(`${rest}/bookfx/currency/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(booking),
      });
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    };
    await vi.waitFor(book, { timeout: 120_000, interval: 100 });
  });
});
