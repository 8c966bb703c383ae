/**
 * The example desk on an unmodified QuickFIX C++ passes the certification unattended, with the settings that fix-config has for it. Needs
 * g++ and the QuickFIX headers; says so and passes over otherwise.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { certify } from '../../engine/tools/certification/certify.js';
import { freePort } from '../support/free-port.js';
import { temporaryDirectory } from '../wiring/launcher.js';
import { compile, passOver, settingsFor, whatIsMissing } from './quickfix.js';

const SOURCE = fileURLToPath(new URL('../../examples/certification-desk.cpp', import.meta.url));
const dir = temporaryDirectory();
afterAll(() => dir.remove());

test('QuickFIX passes every step of the certification', async ({ skip }) => {
  const missing = whatIsMissing();
  if (missing !== undefined) return passOver(missing, skip);
  const program = path.join(dir.path, 'certification-desk');
  compile(SOURCE, program);
  const credentials = path.join(dir.path, 'credentials.json');
  writeFileSync(credentials, JSON.stringify({ client_key: 'CK_QUICKFIX', client_secret: 'quick secret' }));
  const port = await freePort();
  let desk: Promise<unknown[]> | undefined;
  const { done } = certify({
    compId: 'ACME1',
    host: '127.0.0.1',
    port,
    credentials,
    waitSeconds: 120,
    firstSeconds: 120,
    out: dir.path,
    operator: 'test',
    version: '0.0.0',
    env: {},
    print(text) {
      if (!text.startsWith('Certification of ')) return;
      const changes = { SenderCompID: 'ACME1', ResetOnLogon: 'N', HeartBtInt: '1', ReconnectInterval: '1' };
      const settings = settingsFor(dir.path, `127.0.0.1:${port}`, changes);
      desk = once(spawn(program, [settings, 'CK_QUICKFIX', 'quick secret'], { timeout: 240_000 }), 'close');
    },
  });
  const { result, json } = await done;
  const { steps } = JSON.parse(json) as { steps: { checks: { result: string }[] }[] };
  expect(steps.flatMap(({ checks }) => checks).filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(result).toBe('passed');
  expect((await desk!)[0]).toBe(0);
});
