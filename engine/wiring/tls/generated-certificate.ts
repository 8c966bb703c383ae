/** A self-signed certificate for a trial: made once in the data directory, for this machine and for HOST, valid for a year. */
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownDirectory } from '../../store/managed-redis/directory.js';
import { createCertificate, newKey, pemOf } from './certificate.js';

const DAY_MS = 86_400_000;
const VALID_MS = 365 * DAY_MS;
/** Clocks of clients may be behind. */
const EARLIER_MS = DAY_MS;
const HERE = ['localhost', '127.0.0.1', '::1'];

/**
 * Paths of certificate and key, mode 0600. Made where there is none; remade with the same key when it has expired or is not for
 * `host`. Engine and sidecar may ask at once: the first key stays, and every certificate is of that key.
 */
export async function generatedCertificate(
  dataDir: string,
  host: string,
  nowMs = Date.now(),
): Promise<{ certificate: string; key: string }> {
  ownDirectory(dataDir);
  const key = join(dataDir, 'generated-tls.key');
  const certificate = join(dataDir, 'generated-tls.pem');
  if (!existsSync(key)) {
    const draft = drafted(key, pemOf(newKey()));
    try {
      linkSync(draft, key);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const privateKey = createPrivateKey(readFileSync(key));
  const times = { notBefore: nowMs - EARLIER_MS, notAfter: nowMs + VALID_MS };
  const names = [...new Set([...HERE, host])];
  const pem = await createCertificate({ commonName: 'ratewire', names, key: privateKey, ...times });
  if (!serves(certificate, new X509Certificate(pem), nowMs)) renameSync(drafted(certificate, pem), certificate);
  return { certificate, key };
}

/** Whether the file's certificate is as good as this one: of the same key, for the same names, and not expired. */
function serves(file: string, wanted: X509Certificate, nowMs: number): boolean {
  if (!existsSync(file)) return false;
  const kept = new X509Certificate(readFileSync(file));
  const same = kept.subjectAltName === wanted.subjectAltName && kept.publicKey.equals(wanted.publicKey);
  return same && Date.parse(kept.validTo) > nowMs;
}

/** Written whole beside it, so that no process reads half a file. */
function drafted(file: string, text: string): string {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}
