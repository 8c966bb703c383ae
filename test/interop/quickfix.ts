/** What both interoperability tests need of QuickFIX C++: whether it is installed, the stock dictionary, and a desk's settings. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const CONFIG = fileURLToPath(new URL('../../fix-config/', import.meta.url));
const HEADER = 'quickfix/SocketInitiator.h';
const STOCK = ['/usr/share/quickfix/FIX44.xml', '/usr/local/share/quickfix/FIX44.xml'];

/** Compiles one source; a warning of it is a failure too. */
export function compile(source: string, program: string): void {
  const args = ['-std=c++11', '-Wno-deprecated', source, '-o', program, '-lquickfix', '-lpthread'];
  const { error, stdout, stderr } = spawnSync('g++', args, { encoding: 'utf8' });
  expect(`${error ?? ''}${stdout}${stderr}`).toBe('');
}

export function passOver(missing: string, skip: (reason: string) => void): void {
  process.stderr.write(`interop passed over: ${missing}\n`);
  skip(missing);
}

/** The configuration that we hand to desks, with the address of this run. */
export function settingsFor(directory: string, fix: string, changes: Readonly<Record<string, string>>): string {
  const [host, port] = fix.split(':') as [string, string];
  const settings: Record<string, string> = {
    SocketConnectHost: host,
    SocketConnectPort: port,
    DataDictionary: stockDictionary(directory),
    FileStorePath: path.join(directory, 'quickfix-store'),
    FileLogPath: path.join(directory, 'quickfix-log'),
    ...changes,
  };
  const text = Object.entries(settings).reduce(
    (config, [name, value]) => config.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
    readFileSync(`${CONFIG}quickfix-initiator.cfg`, 'utf8'),
  );
  const file = path.join(directory, 'initiator.cfg');
  writeFileSync(file, text);
  return file;
}

/** The stock dictionary of the machine, else ours without the block of our own fields. */
export function stockDictionary(directory: string): string {
  const installed = [process.env.RATEWIRE_FIX44 ?? '', ...STOCK].find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  const ours = readFileSync(`${CONFIG}FIX44-ratewire.xml`, 'utf8');
  const names = [...ours.matchAll(/<field number='2\d{4}' name='(\w+)'/g)].map(([, name]) => name);
  expect(names).toContain('AuthToken');
  const isOurs = (line: string) => names.some((name) => line.includes(`name='${name}'`));
  const file = path.join(directory, 'FIX44.xml');
  writeFileSync(
    file,
    ours
      .split('\n')
      .filter((line) => !isOurs(line))
      .join('\n'),
  );
  return file;
}

export function whatIsMissing(): string | undefined {
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
