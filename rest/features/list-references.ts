import type { Reference } from '../openapi/reference.js';

const PAGES =
  'The newest first. What was there when the first page was read comes once each, whatever is created meanwhile. A request looks at a thousand records at most: with filters that few of them pass, a page may be short or empty and still have a `next_cursor`.';

export const BOOKINGS_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'List conversions',
  description: `The client’s conversions, also those that were made for a payment. ${PAGES}`,
  example: { from: '2026-11-20', status: 'OPEN,SETTLED', currency: 'EUR', limit: 50 },
};

export const FUNDINGS_REFERENCE: Reference = {
  tag: 'Funding',
  summary: 'List funding entries',
  description: `The client’s funding entries. ${PAGES}`,
  example: { from: '2026-11-20', status: 'PENDING', currency: 'USD', limit: 50 },
};

export const PAYMENTS_REFERENCE: Reference = {
  tag: 'Payments',
  summary: 'List payments',
  description: `The client’s payments of both versions. ${PAGES}`,
  example: { from: '2026-11-20', status: 'PAID,RETURNED', currency: 'INR', limit: 50 },
};

export const ENTRIES_REFERENCE: Reference = {
  tag: 'Balances',
  summary: 'Statement of one account',
  description: `What came into the account and what went out, with the balance after each. ${PAGES}`,
  example: { account_number: '400100000019', from: '2026-11-20', type: 'book-fx,payment', limit: 50 },
  fields: { account_number: 'Number of the account, 12 digits' },
};
