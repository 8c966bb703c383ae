/** ratewire-client in a page of another origin, in a real Chromium, with the real programs behind it. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executable, launchChromium } from '../../live/browser.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

const CLIENT = fileURLToPath(new URL('../../../rest/client/dist/index.js', import.meta.url));

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [CLIENT],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'ratewire',
    platform: 'browser',
  });
  return outputFiles[0]!.text;
}

async function serving(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(
      isScript ? script : '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(executable === undefined)('a page of another origin', { timeout: 300_000 }, () => {
  const directory = temporaryDirectory();
  let pages: Server;
  let launcher: Launcher;
  let demo: DemoClient;
  let browser: Browser;
  let page: Page;
  let token: string;
  const faults: string[] = [];

  beforeAll(async () => {
    pages = await serving(await bundled());
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    launcher = launch(directory.path, { CORS_ORIGINS: origin });
    await launcher.ready;
    demo = demoClient(directory.path);
    const { client_key, client_secret } = demo;
    const issued = await fetch(`http://${demo.rest}/api/v1/authentication`, {
      method: 'POST',
      headers: { client_key, client_secret },
    });
    token = ((await issued.json()) as { token: string }).token;
    browser = await launchChromium(executable!);
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(origin);
  });
  afterAll(async () => {
    await browser?.close();
    launcher?.process.kill('SIGINT');
    await launcher?.ended;
    pages?.close();
    directory.remove();
  });

  /** Runs the body of a function in the page, with `client` and what it is given. */
  const inPage = (body: string, given: object = {}): Promise<unknown> =>
    page.evaluate(
      `(async ({ base, token, ...given }) => {
        const { createClient, verifyWebhook, ProblemError } = ratewire;
        const client = createClient({ baseUrl: base, token: () => token, decimals: 'string' });
        ${body}
      })(${JSON.stringify({ base: `http://${demo.rest}`, token, ...given })})`,
    );

  test('reads balances and books', async () => {
    const got = await inPage(`
      const { data, response } = await client.POST('/api/v1/bookfx/currency/create', { body: { request_id: 'page-1',
        description: 'Rent', sell_amount: '10.10', sell_currency: 'EUR', buy_currency: 'USD' } });
      const { data: balances } = await client.GET('/api/v1/balance/all');
      return [data.sell_amount, balances.length, response.headers.get('x-request-id') !== null];`);
    expect(got).toEqual(['10.1', 8, true]);
  });

  test('reads a list to its end', async () => {
    const got = await inPage(`
      const found = [];
      for await (const { status } of client.list('/api/v1/bookfx', { params: { query: { limit: 1 } } })) found.push(status);
      return found;`);
    expect(got).toEqual(['SETTLED']);
  });

  test('gets a refusal with all its fields', async () => {
    const got = await inPage(`
      try {
        await client.POST('/api/v1/bookfx/currency/create', { body: { request_id: 'page-2' } });
      } catch (error) {
        return [error instanceof ProblemError, error.code, error.errors.length > 2];
      }`);
    expect(got).toEqual([true, 'VALIDATION_FAILED', true]);
  });

  test('verifies webhooks of both kinds', async () => {
    const body = '{"type":"test","timestamp":"2026-11-20T08:01:00.000Z","sequence":1,"data":{"object":{}}}';
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signed = `msg_1.${timestamp}.${body}`;
    const secret = randomBytes(32);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const signature = [
      `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
      `v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`,
    ].join(' ');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const keys = [`whsec_${secret.toString('base64')}`, `whpk_${raw.toString('base64')}`];
    const got = await inPage(
      `const { body, headers, keys } = given;
      const found = [];
      for (const key of keys) found.push((await verifyWebhook(body, headers, key)).type);
      for (const key of keys) found.push(await verifyWebhook(body + ' ', headers, key).catch(({ name }) => name));
      return found;`,
      { body, headers, keys },
    );
    expect(got).toEqual(['test', 'test', 'WebhookError', 'WebhookError']);
    expect(faults).toEqual([]);
  });

  test('of an origin that is not allowed gets nothing', async () => {
    const other = await serving(await bundled());
    try {
      await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
      const got = await inPage(`return client.GET('/api/v1/account', {}).catch(({ name }) => name);`);
      expect(got).toBe('NoAnswerError');
    } finally {
      other.close();
    }
  });
});
