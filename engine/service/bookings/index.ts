export { AUDITED_CONVERSION, bustBooking, correctBooking, findConversion } from './amend-booking.js';
export { bookFxByAccount, bookFxByCurrency } from './book-fx.js';
export { type BookingChange, CHANGE_OPERATIONS } from './change-booking.js';
export { listBookings, readBooking, readOrder } from './client-bookings.js';
export { listDontKnowTrades, recordDontKnowTrade } from './dont-know-trades.js';
export { forceConversion, RETRY_MS } from './force-conversion.js';
export { cancelBooking, pageBookings, showBooking } from './operator-bookings.js';
export { findOrders, findTrades, ORDERS_MAX, readTrades, TRADES_PAGE, type Trade, type TradeRange } from './trades.js';
