import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCertificate, newKey } from '../../engine/wiring/tls/certificate.js';

const FROM = Date.UTC(2026, 10, 20, 8);
const TO = Date.UTC(2027, 10, 20, 8);
const parts = { commonName: 'ratewire', key: newKey(), notBefore: FROM, notAfter: TO };
const read = async (more = {}) => new X509Certificate(await createCertificate({ ...parts, ...more }));

test('has the subject, the times and the names that were given', async () => {
  const names = ['localhost', '127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:10.0.0.1', 'fix.example.com'];
  const certificate = await read({ names });
  expect(certificate.subject).toBe('CN=ratewire');
  expect([certificate.validFrom, certificate.validTo].map((text) => Date.parse(text))).toEqual([FROM, TO]);
  for (const name of ['localhost', 'fix.example.com']) expect(certificate.checkHost(name)).toBe(name);
  for (const address of ['127.0.0.1', '::1', '2001:db8::ff00:42:8329'])
    expect(certificate.checkIP(address)).toBe(address);
  expect(certificate.checkHost('ratewire')).toBeUndefined();
  expect(certificate.subjectAltName?.split(', ')).toHaveLength(names.length);
  expect(certificate.ca).toBe(false);
});

test('is signed by its own key, or by its issuer', async () => {
  const own = await read();
  expect([own.verify(own.publicKey), own.checkIssued(own)]).toEqual([true, true]);
  const key = newKey();
  const root = await read({ commonName: 'root', key, authority: true });
  const issued = await read({ issuer: { pem: root.toString(), key } });
  expect([issued.verify(root.publicKey), issued.checkIssued(root), root.ca]).toEqual([true, true, true]);
  expect(issued.verify(own.publicKey)).toBe(false);
});

test('has a serial number of its own each time, and years after 2049', async () => {
  const serials = await Promise.all(Array.from({ length: 50 }, async () => (await read()).serialNumber));
  expect(new Set(serials).size).toBe(50);
  expect(serials.every((serial) => /^[0-9A-F]{14,18}$/.test(serial))).toBe(true);
  expect(Date.parse((await read({ notAfter: Date.UTC(2051, 0, 1) })).validTo)).toBe(Date.UTC(2051, 0, 1));
});
