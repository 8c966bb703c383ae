/** What the table of operations and other features use of this one. */
export { bookFxByAccount } from './book-fx-by-account.js';
export { bookFxByCurrency } from './book-fx-by-currency.js';
export { cancelBooking } from './cancel-booking.js';
export { listBookings } from './list-bookings.js';
export { readBooking } from './read-booking.js';
export { readOrder } from './read-order.js';
export { showBooking } from './show-booking.js';
