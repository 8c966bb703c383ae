/** What a platform earns from a conversion of its sub-client: a part of the margin, computed from the facts of the conversion alone. */
import type { Booking } from '../conversions/booking.js';

/** The part of a proof (prices/price-proof.ts) that has the rule of the margin: scope, parts per million, those of a platform, `above`. */
export const PROOF_RULE = /^([0-7-])([0-9a-z]*)(?:\+([0-9a-z]+))?(?:>([0-9a-z]+))?$/;
const RULE_AT = 6;

/** Of a proof what a platform has set, parts per million; 0 for a text that is no proof too. */
export function platformPpmOf(proof: string): number {
  const [, , , ppm] = PROOF_RULE.exec(proof.split(' ', RULE_AT + 1)[RULE_AT] ?? '') ?? [];
  return ppm === undefined ? 0 : Number.parseInt(ppm, 36);
}

/** What the share is computed from; of a corrected conversion the corrected margin. */
export type Shared = Pick<Booking, 'proof' | 'margin' | 'marginPpm'>;

/**
 * Minor units of the margin's currency, as text: of the margin the part that the platform's own margin has in the effective one, rounded down, and
 * never more than the whole. '0' where the client is no sub-client, or its platform adds nothing. What the rules of pricing and a hold change is
 * the house's, as long as its part lasts.
 */
export function platformShare({ proof, margin, marginPpm }: Shared): string {
  const platformPpm = platformPpmOf(proof);
  if (platformPpm === 0 || marginPpm === 0 || margin === '0') return '0';
  return String((BigInt(margin) * BigInt(Math.min(platformPpm, marginPpm))) / BigInt(marginPpm));
}

/** What is left of the margin for the house. */
export const houseMargin = (shared: Shared): string => String(BigInt(shared.margin) - BigInt(platformShare(shared)));
