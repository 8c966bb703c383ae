/** A self-signed certificate for a test, made here so that no key lies in the repository and no tool need be installed. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ECDSA_WITH_SHA256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** Writes cert.pem and key.pem for `localhost`, valid from yesterday to tomorrow. */
export function writeCertificate(dir: string): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from('localhost')))));
  const day = (offset: number) => der(0x17, Buffer.from(utcTime(Date.now() + offset * 86_400_000)));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, day(-1), day(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const paths = { certificate: join(dir, 'cert.pem'), key: join(dir, 'key.pem') };
  const base64 = der(0x30, body, ECDSA_WITH_SHA256, signature).toString('base64');
  writeFileSync(paths.certificate, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
  writeFileSync(paths.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return paths;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** `YYMMDDHHMMSSZ`. */
function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`;
}
