/** The whole REST interface: the operation behind each path, and its field names there. */

import { bearer } from '../handler.js';
import { ACCOUNT_ROUTES } from './accounts/accounts.js';
import { AUTHENTICATE_REFERENCE, REVOKE_REFERENCE } from './authentication/authentication-reference.js';
import { BOOK_FX_ROUTES } from './book-fx/book-fx.js';
import { FUNDING_ROUTES } from './fundings/fundings.js';
import { LOCK_ROUTES } from './lock-fx/lock-fx.js';
import { PAYMENT_CHECK_ROUTES } from './payments/payment-check-routes.js';
import { PAYMENT_ROUTES } from './payments/payment-routes.js';
import type { Routes } from './route.js';
import { REVOKED_RESPONSE, TOKEN_RESPONSE, tokenBody } from './shapes.js';

/** An operation that is forgotten here does not compile. Express looks from the top: the most asked for comes first. */
export const ROUTES: Routes = {
  ...BOOK_FX_ROUTES,
  authenticate: {
    method: 'post',
    path: '/api/v1/authentication',
    limit: 'authentication',
    input: (request) => ({
      clientKey: request.headers.client_key,
      clientSecret: request.headers.client_secret,
    }),
    response: TOKEN_RESPONSE,
    reference: AUTHENTICATE_REFERENCE,
    body: tokenBody,
    names: { clientKey: 'client_key', clientSecret: 'client_secret' },
  },
  revokeTokens: {
    method: 'post',
    path: '/api/v1/authentication/revoke',
    limit: 'authentication',
    input: (request) => ({
      token: bearer(request),
      clientKey: request.headers.client_key,
      clientSecret: request.headers.client_secret,
    }),
    response: REVOKED_RESPONSE,
    reference: REVOKE_REFERENCE,
    body: ({ tokensRevoked }) => ({ status: 'revoked', tokens_revoked: tokensRevoked }),
    names: { token: 'authorization', clientKey: 'client_key', clientSecret: 'client_secret' },
  },
  ...LOCK_ROUTES,
  ...FUNDING_ROUTES,
  ...PAYMENT_ROUTES,
  ...PAYMENT_CHECK_ROUTES,
  ...ACCOUNT_ROUTES,
};
