import { BOOKING_STATUSES } from '../../domain/booking.js';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { CURRENCY } from '../core/inputs.js';
import { listInput, someOf } from '../core/list-input.js';
import { listPage } from '../core/list-page.js';
import { defineOperation } from '../core/operation.js';

/** The caller's conversions, newest first. Refuses with VALIDATION_FAILED a cursor that is none of this list. */
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
