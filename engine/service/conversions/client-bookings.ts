import { z } from 'zod';
import { asAmended } from '../../domain/conversions/amendment.js';
import { BOOKING_STATUSES, type Booking } from '../../domain/conversions/booking.js';
import { refuse } from '../../domain/core/refusal.js';
import { storedBooking } from '../../store/ledger/records.js';
import { bookingRefusal } from '../core/booking-refusal.js';
import { CURRENCY, ID } from '../core/inputs.js';
import { defineFind, defineList } from '../core/lists.js';

export const NO_CONVERSION = refuse('NOT_FOUND', 'No such conversion of yours: check the confirmation id');

/** The current state of a conversion of the caller. Refuses with NOT_FOUND. */
export const readBooking = defineFind({
  input: z.object({ confirmationId: ID }),
  missing: NO_CONVERSION,
  async find({ store }, client, { confirmationId }) {
    const booking = await store.bookings.read(client, confirmationId);
    return booking && { booking: asAmended(booking) };
  },
});

export const listBookings = defineList<Booking>({
  list: 'bookings',
  noun: 'conversion',
  statuses: BOOKING_STATUSES,
  currency: CURRENCY.optional().describe('Only conversions that buy or sell this currency'),
  currenciesOf: ({ sellCurrency, buyCurrency }) => [sellCurrency, buyCurrency],
  async read({ store }, client, id) {
    const booking = await store.bookings.read(client, id);
    return booking && asAmended(booking);
  },
  decode: (member) => asAmended(storedBooking(member).booking),
});

/** The outcome of a booking request, by its request id or ClOrdID(11), from FIX or REST, with the terms of its booking. Refuses with UNKNOWN_ORDER. */
export const readOrder = defineFind({
  input: z.object({ requestId: ID }),
  right: 'trade',
  missing: refuse('UNKNOWN_ORDER'),
  async find({ store }, client, { requestId }) {
    const receipt = await store.bookings.receipt(client, requestId);
    if (receipt?.kind !== 'refused') return receipt;
    const { refusal: code, text } = bookingRefusal(receipt);
    return { kind: 'refused' as const, code, text };
  },
});
