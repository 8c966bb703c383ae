import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { echoAcceptor } from './echo-acceptor.js';
import { play } from './session-script.js';

const folder = new URL('scripts/', import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith('.fix'));

test('the rules of the FIX 4.4 session level are all here', () => {
  expect(scripts.length).toBeGreaterThanOrEqual(59);
});

test.concurrent.each(scripts)('%s', async (name) => {
  const acceptor = echoAcceptor({ port: 0, sender: 'ISLD', target: 'TW44' });
  const { port } = await acceptor.listen();
  try {
    await play(readFileSync(new URL(name, folder), 'utf8'), port);
  } finally {
    await acceptor.stop();
  }
});

test('a script that expects something else fails', async () => {
  const acceptor = echoAcceptor({ port: 0, sender: 'ISLD', target: 'TW44' });
  const { port } = await acceptor.listen();
  const wrong = 'connect\n> 35=A|34=1|98=0|108=30\n< 35=A|34=1|108=30|98=0\n';
  await expect(play(wrong, port)).rejects.toThrow('line 3');
  await acceptor.stop();
});
