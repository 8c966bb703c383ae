import { formatMinor } from '../domain/money.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import { PRICE_RETRY_AFTER_S } from '../rates/pricing.js';
import type { StepRefusal } from '../store/bookings.js';

/** A refusal of the booking step in words, the same when it is given and when it is remembered. */
export function bookingRefusal({ code, text, more }: StepRefusal): Refusal {
  if (code === 'INSUFFICIENT_BALANCE') {
    const [balance = '', needs = '', currency = ''] = more.split(' ');
    const available = formatMinor(BigInt(balance), currency);
    const needed = formatMinor(BigInt(needs), currency);
    return refuse(code, `Balance ${available} ${currency}, needed ${needed}: fund the account or send less`, {
      details: { availableAmount: Number(available), neededAmount: Number(needed) },
    });
  }
  if (code === 'HOLD_EXPIRED') {
    const [id = '', end = ''] = more.split(' ');
    return refuse(code, `Hold ${id} ${/^\d+$/.test(end) ? `expired at ${fixTime(Number(end))}` : `was ${end}`}`);
  }
  return refuse(code, text || undefined, code === 'RATE_UNAVAILABLE' ? { retryAfterS: PRICE_RETRY_AFTER_S } : {});
}

/** `20261120-08:01:30.000`, as both doors write it in texts. */
function fixTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replaceAll('-', '').replace('T', '-');
}
