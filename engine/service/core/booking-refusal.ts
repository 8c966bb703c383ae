import { type Refusal, refuse } from '../../domain/core/refusal.js';
import { formatMinor } from '../../domain/money/money.js';
import { limitRefusal } from '../../domain/risk/limits.js';
import { PRICE_RETRY_AFTER_S } from '../../rates/pricing.js';
import type { StepRefusal } from '../../store/conversions/bookings.js';

/** The text of a refusal by the steps that book or pay; the same when it is first returned and when it is replayed from the receipt. */
export function bookingRefusal({ code, text, more }: StepRefusal): Refusal {
  // A payment that may not wait either has its own text.
  if (code === 'INSUFFICIENT_BALANCE' && more !== '') return insufficientBalance(more, 'fund the account or send less');
  if (code === 'CREDIT_LIMIT' && more !== '') return limitRefusal(more);
  if (code === 'HOLD_EXPIRED') {
    const [id = '', end = ''] = more.split(' ');
    return refuse(code, `Hold ${id} ${/^\d+$/.test(end) ? `expired at ${fixTime(Number(end))}` : `was ${end}`}`);
  }
  return refuse(code, text || undefined, code === 'RATE_UNAVAILABLE' ? { retryAfterS: PRICE_RETRY_AFTER_S } : {});
}

/** `lacking` is '<balance> <needed> <currency>' in minor units, as steps return it; `advice` is the cause or the remedy. */
export function insufficientBalance(lacking: string, advice: string): Refusal {
  const [balance = '', needs = '', currency = ''] = lacking.split(' ');
  const available = formatMinor(BigInt(balance), currency);
  const needed = formatMinor(BigInt(needs), currency);
  return refuse('INSUFFICIENT_BALANCE', `Balance ${available} ${currency}, needed ${needed}: ${advice}`, {
    details: { availableAmount: Number(available), neededAmount: Number(needed) },
  });
}

/** `20261120-08:01:30.000`, the format of times in texts by FIX and REST. */
function fixTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replaceAll('-', '').replace('T', '-');
}

/** Another engine has acquired the FIX session: the command is executed there or not at all. The refusal is not kept in a receipt. */
export const takenOver = (): Refusal => refuse('WRONG_STATE', 'Another engine has the session');
