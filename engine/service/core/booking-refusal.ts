import { formatMinor } from '../../domain/money.js';
import { type Refusal, refuse } from '../../domain/refusal.js';
import { PRICE_RETRY_AFTER_S } from '../../rates/pricing.js';
import type { StepRefusal } from '../../store/ledger/bookings.js';

/** A refusal of the steps that book and that pay, in words, the same when it is given and when it is remembered. */
export function bookingRefusal({ code, text, more }: StepRefusal): Refusal {
  // A payment that may not wait either is refused in words of its own.
  if (code === 'INSUFFICIENT_BALANCE' && more !== '') return insufficientBalance(more, 'fund the account or send less');
  if (code === 'HOLD_EXPIRED') {
    const [id = '', end = ''] = more.split(' ');
    return refuse(code, `Hold ${id} ${/^\d+$/.test(end) ? `expired at ${fixTime(Number(end))}` : `was ${end}`}`);
  }
  return refuse(code, text || undefined, code === 'RATE_UNAVAILABLE' ? { retryAfterS: PRICE_RETRY_AFTER_S } : {});
}

/** `lacking` is '<balance> <needed> <currency>' in minor units, as steps tell it; `advice` says why, or what to do. */
export function insufficientBalance(lacking: string, advice: string): Refusal {
  const [balance = '', needs = '', currency = ''] = lacking.split(' ');
  const available = formatMinor(BigInt(balance), currency);
  const needed = formatMinor(BigInt(needs), currency);
  return refuse('INSUFFICIENT_BALANCE', `Balance ${available} ${currency}, needed ${needed}: ${advice}`, {
    details: { availableAmount: Number(available), neededAmount: Number(needed) },
  });
}

/** `20261120-08:01:30.000`, as both doors write it in texts. */
function fixTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replaceAll('-', '').replace('T', '-');
}

/** Another engine has the FIX session since: what it asked here is done there, or not at all. Not remembered. */
export const takenOver = (): Refusal => refuse('WRONG_STATE', 'Another engine has the session');
