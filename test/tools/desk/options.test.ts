import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCredentials } from '../../../engine/tools/desk/credentials.js';
import { readOptions } from '../../../engine/tools/desk/options.js';

const dir = mkdtempSync(path.join(tmpdir(), 'ratewire-desk-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('without options: three pairs, the demo credentials of the data directory', () => {
  expect(readOptions([], { DATA_DIR: dir })).toEqual({
    pairs: ['EUR/USD', 'GBP/USD', 'USD/JPY'],
    credentials: path.join(dir, 'demo-client.json'),
    log: false,
    sourceTime: false,
  });
});

test('pairs are taken as a desk types them, each once', () => {
  const args = [
    '--pairs',
    'eur/usd, USD/JPY,EUR/USD',
    '--host',
    '10.0.0.7',
    '--port',
    '5201',
    '--seconds',
    '5',
    '--log',
  ];
  expect(readOptions(args, {})).toMatchObject({
    pairs: ['EUR/USD', 'USD/JPY'],
    host: '10.0.0.7',
    port: 5201,
    seconds: 5,
    log: true,
  });
});

test.each([
  [['--pairs', ','], '--pairs takes 1 to 100 pairs'],
  [['--port', '0'], '--port takes a number'],
  [['--port', '70000'], '--port takes a number'],
  [['--seconds', '-1'], '--seconds'],
  [['--seconds', 'x'], '--seconds takes a number'],
  [['--colour'], "Unknown option '--colour'"],
  [['EUR/USD'], "Unexpected argument 'EUR/USD'"],
])('%j is refused in one line', (args, text) => {
  const refused = readOptions(args, {});
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).toContain(text);
  expect((refused as Error).message).not.toContain('\n');
});

test('--help wins', () => {
  expect(readOptions(['--help'], {})).toBe('help');
});

const DEMO = {
  client_key: 'CK_1',
  client_secret: 'very-secret',
  sender_comp_id: 'DEMO1',
  target_comp_id: 'FXENGINE',
  fix: '127.0.0.1:5300',
};

function file(name: string, content: string): string {
  const at = path.join(dir, name);
  writeFileSync(at, content);
  return at;
}

test.each([
  ['127.0.0.1:5300', '127.0.0.1', 5300],
  ['tcp://fix.example.com:5200', 'fix.example.com', 5200],
  ['localhost', 'localhost', 5200],
  [undefined, '127.0.0.1', 5200],
])('credentials with fix %s', (fix, host, port) => {
  expect(readCredentials(file('good.json', JSON.stringify({ ...DEMO, fix })))).toEqual({
    rest: '127.0.0.1:8080',
    clientKey: 'CK_1',
    clientSecret: 'very-secret',
    senderCompId: 'DEMO1',
    targetCompId: 'FXENGINE',
    host,
    port,
  });
});

test.each([
  ['no file', () => path.join(dir, 'absent.json'), 'run npm start first'],
  ['not JSON', () => file('torn.json', '{"client_key":"CK_1","client_secret":"very-sec'), 'lacks client_key'],
  [
    'a key missing',
    () => file('half.json', JSON.stringify({ ...DEMO, client_secret: undefined })),
    'lacks client_secret:',
  ],
])('%s: one line that says what to do, and no secret in it', (_, at, text) => {
  const refused = readCredentials(at());
  expect(refused).toBeInstanceOf(Error);
  expect((refused as Error).message).toContain(text);
  expect((refused as Error).message).not.toMatch(/very-sec|\n/);
});
