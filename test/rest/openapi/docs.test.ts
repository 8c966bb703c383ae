/** The OpenAPI document and the page that shows it: readable without a token, offline, and nothing beside them. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const PATHS = [
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/page.css', 'text/css; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const;

let opened: TestStore;
let door: RestDoor;
beforeAll(async () => {
  opened = await startTestStore();
  door = await openRestDoor(opened.store);
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});

interface Read {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** The path as it is: no client normalises it. */
function read(path: string, method = 'GET'): Promise<Read> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: door.port, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test.each(PATHS)('%s is readable without a token', async (path, type) => {
  const { status, headers, text } = await read(path);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-request-id']).toMatch(/./);
  expect(headers['set-cookie']).toBeUndefined();

  const head = await read(path, 'HEAD');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', headers['content-length']]);
});

test.each(PATHS)('%s is for reading alone', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers, text } = await read(path, method);
    expect([status, headers.allow, JSON.parse(text).code]).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED']);
  }
});

test('the page asks for nothing that is not here, and has no script or style of its own', async () => {
  const { headers, text } = await read('/docs');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const asked = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
  expect(asked).toHaveLength(6);
  for (const address of asked) expect([...PATHS.map(([path]) => path as string), 'data:,']).toContain(address);
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=/);
  expect(text).not.toMatch(/https?:/);
});

test('only the page may show and run anything', async () => {
  for (const [path] of PATHS.filter(([path]) => path !== '/docs')) {
    expect((await read(path)).headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
  }
});

test('the files are those that are installed', async () => {
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const installed = readFileSync(new URL(`../../../node_modules/swagger-ui-dist/${file}`, import.meta.url), 'utf8');
    expect((await read(`/docs/${file}`)).text === installed).toBe(true);
  }
});

test.each([
  '/docs/',
  '/docs/index.html',
  '/docs/package.json',
  '/docs/swagger-ui-bundle.js.map',
  '/docs/../package.json',
  '/docs/../../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/..\\..\\package.json',
  '/docs/swagger-ui.css/../package.json',
  '//docs/swagger-ui.css',
  '/docs//swagger-ui.css',
  '/docs/swagger-ui.css%00',
  '/Docs',
  '/openapi.json/',
  '/openapi.yaml',
])('%s is no path of this server', async (path) => {
  const { status, headers, text } = await read(path);
  expect([status, JSON.parse(text).code]).toEqual([404, 'NOT_FOUND']);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
});

test('a token that authentication answers is used for the calls after it', async () => {
  const { text } = await read('/docs/start.js');
  const authorized: string[][] = [];
  type Asked = { url: string; responseInterceptor(response: object): object };
  let asked: Asked | undefined;
  const SwaggerUIBundle = (options: Asked) => {
    asked = options;
    return { preauthorizeApiKey: (...given: string[]) => authorized.push(given) };
  };
  runInNewContext(text, { SwaggerUIBundle, URL, JSON });
  expect(asked!.url).toBe('/openapi.json');

  const answer = { ok: true, url: 'http://here:8080/api/v1/authentication', text: '{"token":"a-token"}' };
  expect(asked!.responseInterceptor(answer)).toBe(answer);
  asked!.responseInterceptor({ ...answer, ok: false, text: 'nothing' });
  asked!.responseInterceptor({ ...answer, url: 'http://here:8080/api/v1/account', text: '[]' });
  expect(authorized).toEqual([['token', 'a-token']]);
});
