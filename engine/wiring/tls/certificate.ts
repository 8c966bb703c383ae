/**
 * An X.509 certificate (RFC 5280), as much of one as a TLS listener needs: the encoding is these lines, the cryptography is
 * Node's. For a try, and for tests, without a tool that has to be installed.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { ipv6Groups } from '../../service/core/address-list.js';

export interface CertificateParts {
  /** The subject's common name; its issuer's too where `issuer` is absent. */
  readonly commonName: string;
  /** DNS names and IP addresses that it is for. */
  readonly names?: readonly string[];
  readonly key: KeyObject;
  /** Epoch ms. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Who signs; absent: the key itself. */
  readonly issuer?: { readonly commonName: string; readonly key: KeyObject };
  /** It may sign others. */
  readonly authority?: boolean;
}

/** A private key on the curve P-256. */
export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** The certificate as PEM, signed with ECDSA and SHA-256. Its serial number is random. */
export function encodeCertificate({ commonName, key, issuer, ...parts }: CertificateParts): string {
  const signer = issuer ?? { commonName, key };
  const body = sequence(
    tagged(0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serial()),
    ECDSA_WITH_SHA256,
    name(signer.commonName),
    sequence(time(parts.notBefore), time(parts.notAfter)),
    name(commonName),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(basicConstraints(parts.authority ?? false), ...alternativeNames(parts.names ?? []))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, signer.key));
  return new X509Certificate(sequence(body, ECDSA_WITH_SHA256, signature)).toString();
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function tagged(number: number, content: Buffer): Buffer {
  return der(0xa0 + number, content);
}

function name(commonName: string): Buffer {
  const text = der(0x0c, Buffer.from(commonName));
  return sequence(der(0x31, sequence(COMMON_NAME, text)));
}

/** Positive, and without a leading zero byte: the first byte is 64 to 127. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 | (bytes[0]! & 0x3f);
  return bytes;
}

/** UTCTime until 2049, GeneralizedTime after: RFC 5280, 4.1.2.5. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return digits < '2050' ? der(0x17, Buffer.from(`${digits.slice(2)}Z`)) : der(0x18, Buffer.from(`${digits}Z`));
}

function basicConstraints(authority: boolean): Buffer {
  return sequence(BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, sequence(...(authority ? [TRUE] : []))));
}

function alternativeNames(names: readonly string[]): Buffer[] {
  if (names.length === 0) return [];
  const each = names.map((one) => (isIP(one) ? der(0x87, addressBytes(one)) : der(0x82, Buffer.from(one))));
  return [sequence(SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, sequence(...each)))];
}

/** 4 bytes, or 16. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const groups = ipv6Groups(address).map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
}
