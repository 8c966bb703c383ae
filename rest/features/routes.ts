/** The whole REST interface: the operation behind each path, and its field names there. */

import { ACCOUNT_ROUTES } from './accounts/accounts.js';
import { AUTHENTICATION_ROUTES } from './authentication/authentication.js';
import { BOOK_FX_ROUTES } from './book-fx/book-fx.js';
import { FUNDING_ROUTES } from './fundings/fundings.js';
import { LOCK_ROUTES } from './lock-fx/lock-fx.js';
import { PAYMENT_CHECK_ROUTES } from './payments/payment-check-routes.js';
import { PAYMENT_ROUTES } from './payments/payment-routes.js';
import type { Routes } from './route.js';

/** An operation that is forgotten here does not compile. Express looks from the top: the most asked for comes first. */
export const ROUTES: Routes = {
  ...BOOK_FX_ROUTES,
  ...AUTHENTICATION_ROUTES,
  ...LOCK_ROUTES,
  ...FUNDING_ROUTES,
  ...PAYMENT_ROUTES,
  ...PAYMENT_CHECK_ROUTES,
  ...ACCOUNT_ROUTES,
};
