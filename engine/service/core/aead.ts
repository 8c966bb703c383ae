/** Sealed texts: encrypted and authenticated, so that a client can return one but not read, create or change one. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Opened {
  readonly text: string;
  /** Of this text alone. */
  readonly nonce: Buffer;
}

/** `about` is not in the result; opening requires the same value. */
export function seal(key: Buffer, text: string, about = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined: not sealed here, changed since, or sealed with another `about`. */
export function openSealed(key: Buffer, sealed: string, lengthMax: number, about = ''): Opened | undefined {
  if (sealed.length > lengthMax || !/^[A-Za-z0-9_-]+$/.test(sealed)) return undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  // Each sealed text has one encoding: the spare bits of the last digit must be 0.
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return { text: opened.toString('utf8'), nonce };
  } catch {
    return undefined;
  }
}
