/** The files of the page: all that there are and no others, with a policy that leaves nothing to a script from elsewhere. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiveRig, startLive } from './live-rig.js';
import { type Answer, ask, connectPage, originOf } from './page-client.js';

const FOLDER = fileURLToPath(new URL('../../rest/live/page/', import.meta.url));

let rig: LiveRig;
beforeAll(async () => {
  rig = await startLive();
});
afterAll(() => rig.stop());

const get = (path: string, port = rig.port): Promise<Answer> => ask(port, 'GET', path);

test('the page loads nothing but its own files, and has no script or style within it', async () => {
  const { status, headers, text } = await get('/live');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
  expect(policy).not.toMatch(/unsafe|data:|\*/);
  expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  const loaded = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!);
  expect(loaded.length).toBeGreaterThan(4);
  for (const path of loaded) expect([path, (await get(path)).status]).toEqual([path, 200]);
});

test('every module and style of the page is served, as what it is', async () => {
  const files = readdirSync(FOLDER);
  // The messages are types alone.
  const scripts = files.filter((file) => file.endsWith('.ts') && file !== 'messages.ts');
  expect(scripts.length).toBeGreaterThan(10);
  for (const file of scripts) {
    const { status, headers } = await get(`/live/${file.replace(/ts$/, 'js')}`);
    expect([file, status, headers['content-type']]).toEqual([file, 200, 'text/javascript; charset=utf-8']);
  }
  expect((await get('/live/uplot.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
  for (const file of ['uplot.css', ...files.filter((name) => name.endsWith('.css'))])
    expect((await get(`/live/${file}`)).headers['content-type']).toBe('text/css; charset=utf-8');
});

test.each([
  '/live/index.html',
  '/live/main.ts',
  '/live/tsconfig.json',
  '/live/../server.js',
  '/live/%2e%2e/package.json',
])('not %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('with LIVE=off nothing of the page is served', async () => {
  const { port } = rig.money;
  for (const path of ['/live', '/live/main.js', '/live/session']) expect((await get(path, port)).status).toBe(404);
  const cookie = await rig.cookie('acme');
  expect((await connectPage(port, { cookie, origin: originOf(port) }).closed).code).toBe(404);
});
