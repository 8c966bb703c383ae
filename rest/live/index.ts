/** The live page: prices, engines, bookings and payments in a browser, as they change. See README.md. */
export { type LiveFile, liveFiles } from './files.js';
export { isStream, Live } from './live.js';
export type { Risk, Row } from './page/messages.js';
export type { LiveSource, PageCaller } from './source.js';
