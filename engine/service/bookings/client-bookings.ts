import { z } from 'zod';
import { BOOKING_STATUSES } from '../../domain/booking.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { bookingRefusal } from '../core/booking-refusal.js';
import { clientOf } from '../core/caller.js';
import { CURRENCY, ID } from '../core/inputs.js';
import { listInput, listPage, someOf } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';

/** The current state of a conversion of the caller. Refuses with NOT_FOUND, also for another client's conversion. */
export const readBooking = defineOperation({
  input: z.object({ confirmationId: ID }),
  right: 'read',
  async execute(services, caller, { confirmationId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const booking = await services.store.bookings.read(client, confirmationId);
    return booking ? { booking } : refuse('NOT_FOUND', 'No such conversion of yours: check the confirmation id');
  },
});

/** The caller's conversions, newest first. Refuses with VALIDATION_FAILED for a cursor that is not of this list. */
export const listBookings = defineOperation({
  input: listInput({
    status: someOf(BOOKING_STATUSES, 'Only conversions that stand so; several with commas between them'),
    currency: CURRENCY.optional().describe('Only conversions that buy or sell this currency'),
  }),
  right: 'read',
  async execute(services, caller, { status, currency, ...asked }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return listPage(services, client, asked, {
      list: 'bookings',
      filters: { status, currency },
      read: (id) => services.store.bookings.read(client, id),
      matches: (booking) =>
        (status === undefined || status.includes(booking.status)) &&
        (currency === undefined || currency === booking.sellCurrency || currency === booking.buyCurrency),
    });
  },
});

/** The outcome of a booking request, by its request id or ClOrdID(11), from FIX or REST. Refuses with UNKNOWN_ORDER. */
export const readOrder = defineOperation({
  input: z.object({ requestId: ID }),
  right: 'trade',
  async execute(services, caller, { requestId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const receipt = await services.store.bookings.receipt(client, requestId);
    if (receipt?.kind !== 'refused') return receipt ?? refuse('UNKNOWN_ORDER');
    const { refusal: code, text } = bookingRefusal(receipt);
    return { kind: 'refused' as const, code, text };
  },
});
