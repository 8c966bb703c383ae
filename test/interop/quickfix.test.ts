/**
 * Interoperability: a real QuickFIX C++ initiator with a stock FIX44.xml runs the whole conversation against `npm start`, and
 * neither side rejects a message of the other. Needs g++ and the QuickFIX headers; says so and passes over otherwise.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoClient, type Launcher, launch, temporaryDirectory } from '../start/launcher.js';

const SOURCE = fileURLToPath(new URL('initiator.cpp', import.meta.url));
const CONFIG = fileURLToPath(new URL('../../fix-config/', import.meta.url));
const HEADER = 'quickfix/SocketInitiator.h';
const STOCK = ['/usr/share/quickfix/FIX44.xml', '/usr/local/share/quickfix/FIX44.xml'];

const missing = whatIsMissing();
const dir = temporaryDirectory();
let launcher: Launcher | undefined;

beforeAll(async () => {
  if (missing !== undefined) return;
  launcher = launch(dir.path);
  await launcher.ready;
});
afterAll(async () => {
  launcher?.process.kill('SIGTERM');
  await launcher?.ended;
  dir.remove();
});

test('QuickFIX logs on, lists, streams, renews its token and logs out, and nobody rejects anything', ({ skip }) => {
  if (missing !== undefined) {
    process.stderr.write(`interop passed over: ${missing}\n`);
    return skip(missing);
  }
  const demo = demoClient(dir.path);
  const initiator = path.join(dir.path, 'initiator');
  const built = run('g++', ['-std=c++11', '-Wno-deprecated', SOURCE, '-o', initiator, '-lquickfix', '-lpthread']);
  expect(built.output).toBe('');

  const { status, output } = run(initiator, [
    settingsFor(demo.fix),
    demo.client_key,
    demo.client_secret,
    'EUR/USD',
    'USD/JPY',
    'GBP/USD',
  ]);
  expect(output).toMatch(/^summary complaints=0 /m);
  expect(output).not.toMatch(/MISSING|COMPLAINT|(in|out):[3j]=/);
  expect(output.match(/^ok .*$/gm)).toEqual([
    'ok logon with a token',
    'ok security list',
    'ok market status',
    'ok snapshots',
    'ok stream',
    'ok token renewed',
    'ok stream on the new token',
    'ok the other stream goes on',
    'ok logout',
  ]);
  expect(status).toBe(0);
});

/** The configuration that we hand to desks, with the address of this run. */
function settingsFor(fix: string): string {
  const [host, port] = fix.split(':') as [string, string];
  const settings: Record<string, string> = {
    SocketConnectHost: host,
    SocketConnectPort: port,
    DataDictionary: stockDictionary(),
    FileStorePath: path.join(dir.path, 'quickfix-store'),
    FileLogPath: path.join(dir.path, 'quickfix-log'),
  };
  const text = Object.entries(settings).reduce(
    (config, [name, value]) => config.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
    readFileSync(`${CONFIG}quickfix-initiator.cfg`, 'utf8'),
  );
  const file = path.join(dir.path, 'initiator.cfg');
  writeFileSync(file, text);
  return file;
}

/** The stock dictionary of the machine, else ours without the block of our own fields. */
function stockDictionary(): string {
  const installed = [process.env.RATEWIRE_FIX44 ?? '', ...STOCK].find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  const ours = readFileSync(`${CONFIG}FIX44-ratewire.xml`, 'utf8');
  const names = [...ours.matchAll(/<field number='2\d{4}' name='(\w+)'/g)].map(([, name]) => name);
  expect(names).toContain('AuthToken');
  const isOurs = (line: string) => names.some((name) => line.includes(`name='${name}'`));
  const file = path.join(dir.path, 'FIX44.xml');
  writeFileSync(
    file,
    ours
      .split('\n')
      .filter((line) => !isOurs(line))
      .join('\n'),
  );
  return file;
}

function whatIsMissing(): string | undefined {
  const preprocessed = spawnSync('g++', [
    '-std=c++11',
    '-E',
    '-x',
    'c++',
    '-include',
    HEADER,
    '/dev/null',
    '-o',
    '/dev/null',
  ]);
  if (preprocessed.error) return 'no g++ on the PATH: install g++ and libquickfix-dev to run this';
  return preprocessed.status === 0 ? undefined : 'no QuickFIX headers: install libquickfix-dev to run this';
}

function run(command: string, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 60_000 });
  return { status, output: `${error ?? ''}${stdout}${stderr}` };
}
