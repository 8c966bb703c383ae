/** A stateless offer of a rate: only ratewire can create or change one. */
import type { AgreedRate, Hold, RateOfDirection } from '../../domain/conversions/booking.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import { openSealed, seal } from '../core/aead.js';
import { idText } from '../core/ids.js';

export interface RateOffer extends AgreedRate {
  readonly clientId: string;
  readonly amount?: Hold['amount'];
  /** Of the opposite direction; absent where there is no rate. */
  readonly otherSide?: RateOfDirection;
  /** Why there is no rate of the opposite direction. */
  readonly noOtherSide?: RefusalCode;
  /** It becomes a two-way hold. */
  readonly twoWay?: boolean;
  /** Without an amount: what the rate is for at most, minor units of base; absent: what a hold may be for. */
  readonly maximum?: string;
  readonly offeredAtMs: number;
  /** Duration of the hold from its lock; or its expiry. */
  readonly holdMs: number;
  readonly holdUntilMs?: number;
}

export interface OpenedOffer {
  readonly offer: RateOffer;
  /** The only hold that this offer can become. */
  readonly holdId: string;
}

/** Issued signatures have some 800 characters, and 1,200 at most. */
export const SIGNATURE_LENGTH_MAX = 2_048;

export function signOffer(key: Buffer, offer: RateOffer): string {
  return seal(key, JSON.stringify(offer));
}

/** Undefined: not created here, or changed since. */
export function openOffer(key: Buffer, signature: string): OpenedOffer | undefined {
  const opened = openSealed(key, signature, SIGNATURE_LENGTH_MAX);
  return opened && { offer: JSON.parse(opened.text) as RateOffer, holdId: `HLD${idText(opened.nonce)}` };
}
