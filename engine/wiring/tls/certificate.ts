/** X.509 certificates for a trial and for tests, by `selfsigned`, which is loaded only when one is made. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';

export interface CertificateParts {
  /** The common name of the subject. */
  readonly commonName: string;
  /** DNS names and IP addresses of the subject. */
  readonly names?: readonly string[];
  readonly key: KeyObject;
  /** Epoch ms. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** The signer, with a key of the same type; absent: the certificate is self-signed. */
  readonly issuer?: { readonly pem: string; readonly key: KeyObject };
  /** It may sign others. */
  readonly authority?: boolean;
}

/** A private key on the curve P-256. */
export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The certificate as PEM, signed with SHA-256. Its serial number is random. */
export async function createCertificate(parts: CertificateParts): Promise<string> {
  const { commonName, names = [], key, notBefore, notAfter, issuer, authority = false } = parts;
  const { generate } = await import('selfsigned');
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  const altNames = names.map((name) =>
    isIP(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const),
  );
  const { cert } = await generate([{ name: 'commonName', value: commonName }], {
    keyType: key.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec',
    algorithm: 'sha256',
    keyPair: { privateKey: pemOf(key), publicKey },
    notBeforeDate: new Date(notBefore),
    notAfterDate: new Date(notAfter),
    extensions: [
      { name: 'basicConstraints', cA: authority, critical: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames } as const] : []),
    ],
    ...(issuer && { ca: { key: pemOf(issuer.key), cert: issuer.pem } }),
  });
  return cert;
}
