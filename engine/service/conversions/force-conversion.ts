/** A sandbox decides about a conversion what the client, or the operator, has requested of it: by the steps of the schedule and of the operator. */
import { asAmended } from '../../domain/conversions/amendment.js';
import type { Booking } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { CONVERSION_FROM, type ConversionOutcome } from '../../domain/sandbox/sandbox.js';
import type { Client } from '../../store/access/clients.js';
import type { Services } from '../core/services.js';
import { bustConversion, correctForWorse } from './amend-booking.js';
import { NO_CONVERSION } from './client-bookings.js';
import { cancelConversion } from './operator-bookings.js';

/** A conversion that cannot settle is retried after this time, at each credit of its sell account, and when an account is activated. */
export const RETRY_MS = 60 * 60 * 1_000;

/** It may be amended, or settle, between being read and the step. */
const READS_MAX = 5;

/**
 * Refuses with NOT_FOUND, WRONG_STATE; `settled` also with ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT, and then nothing has
 * changed; the others as the operator's commands do.
 */
export async function forceConversion(
  services: Services,
  client: Client,
  confirmationId: string,
  { outcome, reason }: { readonly outcome: ConversionOutcome; readonly reason: string },
): Promise<{ readonly booking: Booking } | Refusal> {
  const { bookings, dueQueue } = services.store;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const booking = await bookings.read(client, confirmationId);
    if (booking === undefined) return NO_CONVERSION;
    const { status } = booking;
    if (!CONVERSION_FROM[outcome].includes(status)) {
      const allowed = CONVERSION_FROM[outcome].join(', ');
      return refuse('WRONG_STATE', `The conversion is ${status}: only one in ${allowed} becomes ${outcome}`);
    }
    if (outcome === 'cancelled' || outcome === 'closed-out')
      return cancelConversion(services, client, booking, {
        actor: 'sandbox',
        reason,
        isClosedOut: outcome === 'closed-out',
      });
    if (outcome === 'busted' || outcome === 'corrected') {
      const named = { clientId: client.id, confirmationId, reason };
      const amended = await (outcome === 'busted' ? bustConversion : correctForWorse)(services, named, 'sandbox');
      return isRefusal(amended) ? amended : { booking: amended.booking };
    }
    const settled = await dueQueue.forceSettle(client, booking, RETRY_MS, { to: outcome, reason });
    if (settled === 'ACCOUNT_INACTIVE' || settled === 'INSUFFICIENT_BALANCE' || settled === 'BALANCE_LIMIT')
      return refuse(settled);
    if (settled === outcome) {
      const after = await bookings.read(client, confirmationId);
      return { booking: asAmended(after ?? booking) };
    }
  }
  return refuse('WRONG_STATE', 'The conversion changes all the time: try again');
}
