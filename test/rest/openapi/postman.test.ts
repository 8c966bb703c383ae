/** The Postman collection, run from the top against a real sidecar as Postman runs it: every request is answered with 2xx. */

import { randomInt, randomUUID } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ratewireOn } from '../../support/ratewire.js';
import { read } from '../../tidy/tree.js';
import { demoClient, type Launcher, launch, temporaryDirectory } from '../../wiring/launcher.js';
import { DOCUMENT } from './described.js';

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly event?: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly Pair[];
    readonly url: { readonly raw: string; readonly path: readonly string[] };
    readonly body?: { readonly raw: string };
  };
}
interface Collection extends Pick<Item, 'event'> {
  readonly variable: readonly Pair[];
  readonly item: readonly Item[];
}

const COLLECTION = JSON.parse(read('docs/ratewire.postman_collection.json')) as Collection;
const requestsIn = (items: readonly Item[]): Item[] =>
  items.flatMap((one) => (one.item ? requestsIn(one.item) : [one]));
const REQUESTS = requestsIn(COLLECTION.item);
const REQUESTS_MAX = 1_000;

test('has every operation of the document', () => {
  const path = (name: string) => name.replace(/\{+\w+\}+/g, '{}');
  const sent = REQUESTS.map(({ request }) => `${request.method} /${request.url.path.map(path).join('/')}`);
  const isSent = (operation: string) => {
    const pattern = new RegExp(`^${path(operation).replaceAll('{}', '[^/]+')}$`);
    return sent.some((one) => pattern.test(one));
  };
  const operations = Object.entries(DOCUMENT.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
  );
  expect(operations.length).toBeGreaterThan(30);
  expect(operations.filter((operation) => !isSent(operation))).toEqual([]);
});

const directory = temporaryDirectory();
let launcher: Launcher;
beforeAll(async () => {
  launcher = launch(directory.path);
  await launcher.ready;
  // What is said of the demo client in docs/client-library.md.
  await ratewireOn(directory.path).json('clients', 'change', 'demo', '--platform', 'yes');
});
afterAll(async () => {
  launcher.process.kill('SIGINT');
  await launcher.ended;
  directory.remove();
});

/** What Postman has in a script, as far as the scripts of the collection use it. */
function runScripts(item: Item, variables: Map<string, string>, response: Response, text: string): string | undefined {
  let next: string | undefined;
  const within = (value: number, isSo: boolean) => {
    if (!isSo) throw new Error(`${value} in ${item.name}: ${text}`);
  };
  const pm = {
    info: { requestName: item.name },
    response: { code: response.status, headers: response.headers, json: () => JSON.parse(text) },
    collectionVariables: {
      get: (name: string) => variables.get(name),
      set: (name: string, value: unknown) => variables.set(name, String(value)),
    },
    execution: {
      setNextRequest: (name: string) => {
        next = name;
      },
    },
    test: (_name: string, check: () => void) => check(),
    expect: (value: number) => ({
      to: {
        be: {
          within: (low: number, high: number) => within(value, value >= low && value <= high),
          below: (limit: number) => within(value, value < limit),
        },
      },
    }),
  };
  for (const { event = [] } of [COLLECTION, item])
    for (const { listen, script } of event) {
      expect(listen).toBe('test');
      runInContext(`{${script.exec.join('\n')}}`, createContext({ pm, setTimeout: () => 0 }));
    }
  return next;
}

const DYNAMIC: Readonly<Record<string, () => string>> = {
  $guid: randomUUID,
  $randomInt: () => String(randomInt(1_001)),
  $timestamp: () => String(Math.floor(Date.now() / 1_000)),
};

/** What a run could change of the client whose credentials it has, but for conversions and their amounts. */
async function clientAsItIs(): Promise<object> {
  const { rest, client_key, client_secret } = demoClient(directory.path);
  const at = (path: string) => `http://${rest}/api/v1/${path}`;
  const login = await fetch(at('authentication'), { method: 'POST', headers: { client_key, client_secret } });
  const { token } = (await login.json()) as { token: string };
  const found: Record<string, unknown> = {};
  for (const path of ['account', 'trading/state', 'webhooks', 'payments', 'fund', 'beneficiaries', 'batches'])
    found[path] = await (await fetch(at(path), { headers: { authorization: `Bearer ${token}` } })).json();
  const clock = await fetch(at('sandbox/clock'), { headers: { authorization: `Bearer ${token}` } });
  return { ...found, ahead: ((await clock.json()) as { ahead_seconds: number }).ahead_seconds };
}

test('two runs are answered with 2xx, and change of the client its scheduled conversions alone', {
  timeout: 600_000,
}, async () => {
  const before = await clientAsItIs();
  await runCollection();
  await runCollection();
  expect(await clientAsItIs()).toEqual(before);
});

async function runCollection(): Promise<void> {
  const { rest, client_key, client_secret } = demoClient(directory.path);
  const variables = new Map(COLLECTION.variable.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries({ base_url: `http://${rest}`, client_key, client_secret }))
    variables.set(key, value);
  const resolved = (text: string, of: string) =>
    text.replace(/\{\{([\w$]+)\}\}/g, (_, name: string) => {
      const value = DYNAMIC[name]?.() ?? variables.get(name);
      if (!value) throw new Error(`${of} needs the variable ${name}, which no answer before it has given`);
      return value;
    });

  let sent = 0;
  for (let at = 0; at < REQUESTS.length; ) {
    if (++sent > REQUESTS_MAX) throw new Error(`${REQUESTS[at]!.name} is repeated without end`);
    const item = REQUESTS[at]!;
    const { method, auth, header, url, body } = item.request;
    const headers = new Headers();
    for (const { key, value, disabled } of header) if (!disabled) headers.set(key, resolved(value, item.name));
    if (auth?.type !== 'noauth') headers.set('authorization', resolved('Bearer {{token}}', item.name));
    const response = await fetch(resolved(url.raw, item.name), {
      method,
      headers,
      ...(body && { body: resolved(body.raw, item.name) }),
    });
    const next = runScripts(item, variables, response, await response.text());
    if (next !== undefined) await new Promise((resolve) => setTimeout(resolve, 200));
    at = next === undefined ? at + 1 : REQUESTS.findIndex(({ name }) => name === next);
  }
  expect(sent).toBeGreaterThanOrEqual(REQUESTS.length);
}
