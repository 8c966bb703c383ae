/**
 * The package as npm makes it, installed into an empty folder without a network: what it contains, its size, its types in a strict
 * program, and the examples of its README against a real sidecar.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../rest/client/src/index.js';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { ROOT, read } from '../../tidy/tree.js';
import { type DemoClient, demoClient, type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';

const COMPRESSED_MAX = 10_000;
const folder = mkdtempSync(path.join(tmpdir(), 'client-package-'));
const installed = path.join(folder, 'node_modules/ratewire-client');
afterAll(() => rmSync(folder, { recursive: true }));

const env = { ...process.env, npm_config_update_notifier: 'false', npm_config_cache: path.join(folder, '.npm') };
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8', env });
const at = (...parts: string[]) => path.join(ROOT, ...parts);

/** Typescript blocks of the README, by the name in their first line. */
const examples = new Map(
  [...read('rest/client/README.md').matchAll(/^```ts\n\/\/ ([\w-]+)\.ts\n(.*?)^```$/gms)].map(([, name, code]) => [
    name!,
    code!,
  ]),
);

beforeAll(() => {
  const own = [at('rest/client'), at('node_modules/openapi-fetch'), at('node_modules/openapi-typescript-helpers')];
  for (const source of own) {
    // Others are packed as they were published.
    const scripts = source === own[0] ? [] : ['--ignore-scripts'];
    const packed = run('npm', 'pack', source, '--silent', ...scripts);
    expect(packed.status, packed.stderr).toBe(0);
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const archives = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  expect(archives.length).toBe(own.length);
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = run('npm', 'install', ...archives.map((file) => `./${file}`), ...options);
  expect(status, stderr).toBe(0);
});

test('has code, types, README and licence, and one dependency', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ license: 'Apache-2.0', type: 'module', sideEffects: false });
  expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
  expect(readFileSync(path.join(installed, 'LICENSE'), 'utf8')).toBe(read('LICENSE'));
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
  expect(
    files.filter((file) => !/^dist\/(openapi\/)?[\w-]+(\.d\.ts|\.js)$|^README\.md$|^package\.json$/.test(file)),
  ).toEqual([]);
});

test('runs in browsers: no module of Node, and 10 KB compressed at most', async () => {
  writeFileSync(path.join(folder, 'entry.js'), "export * from 'ratewire-client';\n");
  // A module of Node would be an import that cannot be resolved.
  const { outputFiles, warnings } = await build({
    entryPoints: [path.join(folder, 'entry.js')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  expect(warnings).toEqual([]);
  const [{ contents, text }] = outputFiles as [(typeof outputFiles)[0]];
  expect(text).toContain('webhook-');
  expect(text).not.toMatch(/\brequire\(|\bBuffer\b|\bimport\b/);
  expect(gzipSync(contents).length).toBeLessThan(COMPRESSED_MAX);
});

test('is imported by Node', () => {
  const use = "import * as client from 'ratewire-client'; console.log(Object.keys(client).sort().join(' '));";
  writeFileSync(path.join(folder, 'use.mjs'), use);
  expect(run(process.execPath, 'use.mjs')).toMatchObject({
    status: 0,
    stdout: 'NoAnswerError ProblemError WebhookError createClient verifyWebhook webhookAnswer\n',
    stderr: '',
  });
});

/** A program that uses what there is; where the types were wider than they are, a line marked with `wrong` would compile. */
const CONSUMER = `
import { createClient, ProblemError, type ProblemCode, verifyWebhook } from 'ratewire-client';
const options = { baseUrl: '', clientKey: '', clientSecret: '' };
const numbers = createClient(options);
const strings = createClient({ ...options, decimals: 'string' });
const { data } = await numbers.GET('/api/v1/bookfx/{confirmation_id}', { params: { path: { confirmation_id: 'x' } } });
export const sold: number = data.sell_amount;
const { data: exact } = await strings.GET('/api/v1/bookfx/{confirmation_id}', { params: { path: { confirmation_id: 'x' } } });
export const soldExactly: string = exact.sell_amount;
export const account: number = exact.from_account;
export const wrong1: string = data.sell_amount;
export const wrong2: number = exact.sell_amount;
for await (const { amount } of strings.list('/api/v1/fund', { params: { query: { limit: 5 } } })) amount.slice(1);
for await (const { confirmation_id } of numbers.list('/api/v1/bookfx')) confirmation_id.slice(1);
await numbers.list('/api/v1/account'); // wrong3
await numbers.GET('/api/v1/unknown'); // wrong4
await numbers.GET('/api/v1/bookfx/rate'); // wrong5
await numbers.GET('/api/v1/bookfx/rate', { params: { query: { sell_currency: 'EUR', buy_currency: 'USD' } } });
const body = { request_id: '1', description: '2', sell_currency: 'EUR', buy_currency: 'USD' };
await numbers.POST('/api/v1/bookfx/currency/create', { body: { ...body, sell_amount: 1 } });
await strings.POST('/api/v1/bookfx/currency/create', { body: { ...body, sell_amount: '1.10' } });
await numbers.POST('/api/v1/bookfx/currency/create', { body: { ...body, sell_amount: undefined } }); // wrong6
await numbers.POST('/api/v1/bookfx/currency/create', { body: { ...body, sell_amount: '1' } }); // wrong7
await numbers.POST('/api/v1/trading/halt', { params: { query: { force: true } } }); // wrong9
await numbers.GET('/api/v1/bookfx', { body }); // wrong10
await numbers.DELETE('/api/v1/bookfx'); // wrong11
await numbers.GET('/api/v1/bookfx', { params: { path: { confirmation_id: 'x' } } }); // wrong12
const { data: needed } = await numbers.GET('/api/v1/reference/required-details', {
  params: { query: { country: 'IN', currency: 'INR', method: 'BANK' }, header: { 'If-None-Match': '"1"' } },
});
needed.required.slice(1); // wrong13
needed?.required.slice(1);
const event = await verifyWebhook('', {}, '');
if (event.type === 'payment.paid') event.data.object.payment_id.slice(1);
if (event.type === 'payment.paid') event.data.object.confirmation_id; // wrong14
if (event.type === 'conversion.cancelled') event.data.object.sell_amount + 1;
if (event.type === 'webhook.disabled') event.data.object.inactive_reason.slice(1);
if (event.type === 'payment.status') event.data; // wrong15
const exactly = await verifyWebhook('', {}, '', { decimals: 'string' });
if (exactly.type === 'conversion.settled') exactly.data.object.sell_amount.slice(1);
if (exactly.type === 'hold.used') exactly.data.previous.status?.slice(1);
export function ofCode(error: unknown): ProblemCode | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.code === 'NO_SUCH_CODE') return undefined; // wrong8
  return error.code;
}
`;

const strict = {
  target: 'es2022',
  lib: ['es2022'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  typeRoots: [at('node_modules/@types')],
  types: ['node'],
};

/** Errors of a compiler in these files: `file line`. */
function errorsOf(typescript: string, options: object, files: readonly string[]): string[] {
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  const { stdout } = run(process.execPath, at(typescript, 'bin/tsc'), '-p', '.', '--pretty', 'false');
  return [...stdout.matchAll(/^([^\s(]+)\((\d+),\d+\): error/gm)].map(([, file, line]) => `${file} ${line}`);
}

describe.each([
  ['TypeScript of this repository', 'node_modules/typescript'],
  ['TypeScript 5', 'rest/client/node_modules/typescript'],
])('%s, strict and with exactOptionalPropertyTypes', (_, typescript) => {
  test.each([
    ['Node, with the examples of the README', strict],
    [
      'a bundler, for browsers',
      { ...strict, module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    ],
  ])('a program for %s has errors where it is wrong, and nowhere else', (_name, options) => {
    writeFileSync(path.join(folder, 'consumer.ts'), CONSUMER);
    for (const [name, code] of examples) writeFileSync(path.join(folder, `${name}.ts`), code);
    const wrong = CONSUMER.split('\n').flatMap((line, i) => (/\bwrong\d/.test(line) ? [`consumer.ts ${i + 1}`] : []));
    expect(wrong.length).toBe(15);
    const files = ['consumer', ...(options === strict ? examples.keys() : [])].map((name) => `${name}.ts`);
    expect([...new Set(errorsOf(typescript, options, files))]).toEqual(wrong);
  });
});

describe('the examples of the README, against a sidecar', () => {
  const directory = temporaryDirectory();
  let launcher: Launcher;
  let demo: DemoClient;

  beforeAll(async () => {
    launcher = launch(directory.path, { WEBHOOK_LOOPBACK: 'on' });
    await launcher.ready;
    demo = demoClient(directory.path);
    for (const [name, code] of examples)
      writeFileSync(path.join(folder, `${name}.js`), transformSync(code, { loader: 'ts', target: 'es2022' }).code);
  });
  afterAll(async () => {
    launcher.process.kill('SIGINT');
    await launcher.ended;
    directory.remove();
  });

  let secret = '';

  async function printed(file: string): Promise<string> {
    const child = spawn(process.execPath, ['--no-warnings', file], {
      cwd: folder,
      env: {
        ...CLEAN_ENV,
        RATEWIRE_URL: `http://${demo.rest}`,
        RATEWIRE_KEY: demo.client_key,
        RATEWIRE_SECRET: demo.client_secret,
        WEBHOOK_SECRET: secret,
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, text]).toEqual([0, text]);
    return text;
  }

  const BALANCES = /^([A-Z]{3} \d+(\.\d+)?\n){8}/;
  test.each([
    ['client', BALANCES],
    ['convert', /\nBFX\w+ \d+(\.\d+)? 200\n$/],
    ['pay', /\nrouting_code_value_1: not an IFSC.*\ncreated PAY\w+\nthere is PAY\w+\n$/],
    ['statement', /\n\d{4}-\d\d-\d\dT\S+Z book-fx -\d+(\.\d+)? \d+(\.\d+)?\n/],
    ['exact', /^100\.1 \d\.\d+ number\n$/],
  ])('%s', async (name, expected) => {
    expect(await printed(`${name}.js`)).toMatch(expected);
  });

  interface Delivered {
    readonly headers: Record<string, string>;
    readonly body: string;
  }

  /** What the sidecar delivers to an endpoint that is created for it: a test event, and the secret of the endpoint. */
  async function delivered(signature: 'symmetric' | 'ed25519'): Promise<Delivered & { readonly key: string }> {
    let got: (delivery: Delivered) => void = () => {};
    const delivery = new Promise<Delivered>((resolve) => {
      got = resolve;
    });
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const own = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'));
        const { challenge } = JSON.parse(body) as { readonly challenge?: string };
        if (challenge === undefined) got({ headers: Object.fromEntries(own) as Record<string, string>, body });
        response.end(challenge);
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const { client_key: clientKey, client_secret: clientSecret } = demo;
      const client = createClient({ baseUrl: `http://${demo.rest}`, clientKey, clientSecret });
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
      const { data } = await client.POST('/api/v1/webhooks', { body: { url, types: ['*'], signature } });
      const { webhook_id } = data;
      await client.POST('/api/v1/webhooks/{webhook_id}/test', { params: { path: { webhook_id } } });
      const { headers, body } = await delivery;
      await client.DELETE('/api/v1/webhooks/{webhook_id}', { params: { path: { webhook_id } } });
      return { headers, body, key: data.secret || data.public_key };
    } finally {
      receiver.close();
    }
  }

  test.each(['symmetric', 'ed25519'] as const)('webhook, of the sidecar with a %s signature', async (signature) => {
    const { headers, body, key } = await delivered(signature);
    secret = key;
    const use = `import { receive } from './webhook.js';
      for (const body of ${JSON.stringify([body, `${body} `])}) {
        const request = new Request('http://127.0.0.1/', { method: 'POST', headers: ${JSON.stringify(headers)}, body });
        console.log((await receive(request)).status);
      }`;
    writeFileSync(path.join(folder, 'use-webhook.mjs'), use);
    expect(await printed('use-webhook.mjs')).toMatch(/^\d+ test\n200\n400\n$/);
  });

  test('there are six, and a page of a browser', () => {
    expect([...examples.keys()]).toEqual(['client', 'convert', 'pay', 'statement', 'exact', 'webhook', 'browser']);
  });
});
