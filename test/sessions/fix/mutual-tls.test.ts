/** Desks that show a certificate: it must be signed by the client CA, and name the CompID that logs on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';
import { createAuthority, type Identity, writeCertificate } from '../../support/certificate.js';
import { openTestTls, type TestTls } from '../../support/tls.js';

const dir = mkdtempSync(join(tmpdir(), 'ratewire-mutual-'));
const authority = await createAuthority('desks');
let tls: TestTls;
let rig: Rig;
let acme: ClientOf;
let other: ClientOf;

beforeAll(async () => {
  const { certificate, key } = await writeCertificate(dir);
  const clientCa = join(dir, 'desks.pem');
  writeFileSync(clientCa, authority.pem);
  const env = { FIX_TLS_CERTIFICATE: certificate, FIX_TLS_KEY: key, FIX_TLS_CLIENT_CA: clientCa };
  tls = await openTestTls('FIX', env);
  rig = await startRig({ settings: { tls: { ...tls, host: '127.0.0.1', port: 0 } } });
  acme = await rig.client('acme');
  other = await rig.client('other');
});
afterAll(async () => {
  await rig.stop();
  tls.stop();
  rmSync(dir, { recursive: true });
});

const desk = (client: ClientOf, { certificate: cert, key }: Identity) =>
  rig.desk(client, { port: rig.tlsPort!, tls: { cert, key, rejectUnauthorized: false } });

test.each([
  ['common name', () => authority.issue('ACME1')],
  ['DNS name', () => authority.issue('acme trading', ['desk.example.com', 'ACME1'])],
])('a certificate that names the CompID by its %s', async (_what, identity) => {
  const secure = desk(acme, await identity());
  await secure.logon();
  secure.send('5', []);
  await secure.untilClosed();
});

test.each([
  ['of another desk', () => authority.issue('OTHER1')],
  ['that names it in other letters', () => authority.issue('acme1')],
  ['that only has it as a part', () => authority.issue('x', ['ACME1.example.com', 'x, DNS:ACME1'])],
])('the right secret with a certificate %s: refused as a wrong one', async (_what, identity) => {
  const secure = desk(acme, await identity());
  await secure.connect();
  secure.sendLogon();
  expect((await secure.next('5')).get(58)).toBe('Authentication failed');
  expect(rig.log.at(-1)).toContain('NOT_ENTITLED');
});

test('the port without TLS asks for none', async () => {
  await rig.desk(other).logon();
});
