/** An offer of a rate that needs no memory: encrypted and authenticated, so that only we can make or change one. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AgreedRate, Hold } from '../domain/booking.js';
import { idText } from './id.js';

export interface RateOffer extends AgreedRate {
  readonly clientId: string;
  readonly amount?: Hold['amount'];
  readonly offeredAtMs: number;
  /** How long the hold lasts from when it is taken; or until when. */
  readonly holdMs: number;
  readonly holdUntilMs?: number;
}

export interface OpenedOffer {
  readonly offer: RateOffer;
  /** The one hold that this offer can become. */
  readonly holdId: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_MAX = 2_048;

export function signOffer(key: Buffer, offer: RateOffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(offer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined: not one that we made, or changed since. */
export function openOffer(key: Buffer, signature: string): OpenedOffer | undefined {
  if (signature.length > LENGTH_MAX || !/^[A-Za-z0-9_-]+$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64url');
  // One text for one offer: bits that the last digit has to spare are 0.
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== signature) return undefined;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return { offer: JSON.parse(opened.toString('utf8')) as RateOffer, holdId: `HLD${idText(nonce)}` };
  } catch {
    return undefined;
  }
}
