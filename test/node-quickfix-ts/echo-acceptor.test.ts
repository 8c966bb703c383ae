import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { Peer, utc } from './session/session-peer.js';

const program = fileURLToPath(new URL('echo-acceptor.ts', import.meta.url));
let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

function start(...args: string[]): ChildProcess {
  child = spawn(process.execPath, ['--import', 'tsx', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  return child;
}

/** What it said on standard error by its end. */
function said({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stderr!.on('data', (chunk) => {
      text += chunk;
    });
    stderr!.on('end', () => resolve(text));
  });
}

test('a signal ends it with a session live, its port free again', async () => {
  const acceptor = start('--port', '0', '--sender', 'ME', '--target', 'YOU');
  const line = await new Promise<string>((resolve) => acceptor.stdout!.once('data', (chunk) => resolve(String(chunk))));
  const port = Number(/^listening 127\.0\.0\.1:(\d+)$/m.exec(line)?.[1]);
  const peer = await Peer.open(port);
  peer.send(`35=A|34=1|49=YOU|52=${utc()}|56=ME|98=0|108=7`);
  expect(await peer.next()).toContain('|49=ME|');
  const left = new Promise((resolve) => acceptor.once('exit', resolve));
  acceptor.kill('SIGTERM');
  expect(await peer.next()).toContain('|35=5|');
  peer.close();
  expect(await left).toBe(0);
  await expect(Peer.open(port)).rejects.toThrow('ECONNREFUSED');
});

test('a taken port and a wrong option are each refused in one line', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  expect(await said(start('--port', String(port)))).toMatch(new RegExp(`^port ${port} is taken: .*\n$`));
  other.close();
  expect(await said(start('--port', 'fix'))).toMatch(/^--port fix is no port: .*\n$/);
  expect(await said(start('--prot', '1'))).toMatch(/^Unknown option '--prot'.*\n$/);
});
