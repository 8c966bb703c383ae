/** Certificates for a test, made here so that the repository contains no key and no tool need be installed. */
import type { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeCertificate, newKey } from '../../engine/wiring/tls/certificate.js';

const DAY_MS = 86_400_000;

export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** Writes cert.pem and key.pem for `localhost`, valid from yesterday to tomorrow. */
export function writeCertificate(dir: string, names: readonly string[] = ['localhost', '127.0.0.1']): Identity {
  return write(dir, 'cert', new Authority('localhost', names));
}

/** Signs others, and is a certificate itself. */
export class Authority {
  readonly pem: string;
  readonly key: KeyObject = newKey();

  constructor(
    readonly commonName: string,
    names: readonly string[] = [],
  ) {
    this.pem = encodeCertificate({ commonName, names, key: this.key, ...around(Date.now()), authority: true });
  }

  /** PEM texts of a certificate that this one has signed. */
  issue(commonName: string, names: readonly string[] = [], nowMs = Date.now(), key = newKey()): Identity {
    const issuer = { commonName: this.commonName, key: this.key };
    const certificate = encodeCertificate({ commonName, names, key, issuer, ...around(nowMs) });
    return { certificate, key: pemOf(key) };
  }
}

/** Writes them to `<name>.pem` and `key.pem`; returns the paths. */
function write(dir: string, name: string, { pem, key }: Authority): Identity {
  const paths = { certificate: join(dir, `${name}.pem`), key: join(dir, 'key.pem') };
  writeFileSync(paths.certificate, pem);
  writeFileSync(paths.key, pemOf(key), { mode: 0o600 });
  return paths;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const around = (nowMs: number) => ({ notBefore: nowMs - DAY_MS, notAfter: nowMs + DAY_MS });
