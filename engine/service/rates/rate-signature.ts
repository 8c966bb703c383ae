/** An offer of a rate that needs no memory: only we can make or change one. */
import type { AgreedRate, Hold } from '../../domain/booking.js';
import { idText } from '../core/ids.js';
import { openSealed, seal } from '../core/sealed.js';

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

/** Ours have some 500 characters. */
export const SIGNATURE_LENGTH_MAX = 2_048;

export function signOffer(key: Buffer, offer: RateOffer): string {
  return seal(key, JSON.stringify(offer));
}

/** Undefined: not one that we made, or changed since. */
export function openOffer(key: Buffer, signature: string): OpenedOffer | undefined {
  const opened = openSealed(key, signature, SIGNATURE_LENGTH_MAX);
  return opened && { offer: JSON.parse(opened.text) as RateOffer, holdId: `HLD${idText(opened.nonce)}` };
}
