/** Certificates for a test, made here so that the repository contains no key and no tool need be installed. */
import type { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificate, newKey, pemOf } from '../../engine/wiring/tls/certificate.js';

const DAY_MS = 86_400_000;

export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Writes cert.pem and key.pem for `localhost`, valid from yesterday to tomorrow; returns the paths. */
export async function writeCertificate(
  dir: string,
  names: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<Identity> {
  const { pem, key } = await createAuthority('localhost', names);
  const paths = { certificate: join(dir, 'cert.pem'), key: join(dir, 'key.pem') };
  writeFileSync(paths.certificate, pem);
  writeFileSync(paths.key, pemOf(key), { mode: 0o600 });
  return paths;
}

/** Signs others, and is a certificate itself. */
export interface Authority {
  readonly pem: string;
  readonly key: KeyObject;
  /** PEM texts of a certificate that this one has signed. */
  issue(commonName: string, names?: readonly string[], nowMs?: number): Promise<Identity>;
}

export async function createAuthority(
  commonName: string,
  names: readonly string[] = [],
  key = newKey(),
): Promise<Authority> {
  const pem = await createCertificate({ commonName, names, key, ...around(Date.now()), authority: true });
  return {
    pem,
    key,
    async issue(commonName, names = [], nowMs = Date.now()) {
      const own = newKey();
      const issuer = { pem, key };
      const certificate = await createCertificate({ commonName, names, key: own, issuer, ...around(nowMs) });
      return { certificate, key: pemOf(own) };
    },
  };
}

const around = (nowMs: number) => ({ notBefore: nowMs - DAY_MS, notAfter: nowMs + DAY_MS });
