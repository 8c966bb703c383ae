import type { MessageView } from 'node-quickfix-ts';
import { refuse } from '../domain/refusal.js';
import type { OperationName } from '../service/core/operations.js';
import type { FixContext } from './context.js';
import type { Desk } from './desk.js';
import { limitMarketDataRequest, takeMarketDataRequest } from './market-data/market-data-request.js';
import { takeTradingSessionStatusRequest } from './market-data/market-state.js';
import { takeSecurityStatusRequest } from './market-data/pair-state.js';
import { takeSecurityListRequest } from './market-data/security-list.js';
import { takeOrderStatusRequest } from './orders/order-status.js';
import { limitNewOrder, takeNewOrder } from './orders/orders.js';
import { limitQuoteRequest, takeQuoteRequest } from './quotes/quote-request.js';
import { limitQuoteQuestion, takeQuoteResponse, takeQuoteStatusRequest } from './quotes/quote-status.js';
import { BUSINESS_REASON } from './refusals.js';
import { businessReject } from './rejects.js';
import { limitUserRequest, takeUserRequest } from './session/user-request.js';

type Take = (context: FixContext, desk: Desk, message: MessageView) => void;

interface DeskMessage {
  readonly take: Take;
  /** The answer when the desk exceeds its message rate. */
  readonly limit: Take;
  /** The request ends with its session: resent over a gap in a later session, it is ignored. */
  readonly endsWithSession: boolean;
}

/** What a desk may send. Every other MsgType(35) of FIX 4.4 is answered with BusinessMessageReject(j). */
export const MESSAGES: Readonly<Record<string, DeskMessage>> = {
  BE: { take: takeUserRequest, limit: limitUserRequest, endsWithSession: true },
  x: { take: whileLoggedIn(takeSecurityListRequest), limit, endsWithSession: true },
  g: { take: whileLoggedIn(takeTradingSessionStatusRequest), limit, endsWithSession: true },
  e: { take: whileLoggedIn(takeSecurityStatusRequest), limit, endsWithSession: true },
  V: { take: takeMarketDataRequest, limit: limitMarketDataRequest, endsWithSession: true },
  // A hold outlives the session: a resent request is answered with it, and a resent release releases it.
  R: { take: takeQuoteRequest, limit: limitQuoteRequest, endsWithSession: false },
  AJ: { take: takeQuoteResponse, limit: limitQuoteQuestion, endsWithSession: false },
  // The outcome of an order is kept for days: a resent order gets it again.
  D: { take: takeNewOrder, limit: limitNewOrder, endsWithSession: false },
  H: { take: takeOrderStatusRequest, limit, endsWithSession: false },
  a: { take: takeQuoteStatusRequest, limit: limitQuoteQuestion, endsWithSession: true },
};

/** FIX 4.4 has no message for these. */
type OverRestOnly =
  | 'revokeTokens'
  | 'listAccounts'
  | 'listBalances'
  | 'listCurrencyBalances'
  | 'readBalance'
  | 'listAccountEntries'
  | 'readBooking'
  | 'createFunding'
  | 'readFunding'
  | 'listFundings'
  | 'createPayment'
  | 'createPayout'
  | 'validatePayment'
  | 'validatePayout'
  | 'requiredDetails'
  | 'readPayment'
  | 'readPaymentByReference'
  | 'listPayments'
  | 'cancelPayment'
  | 'answerInformation'
  | 'listBookings';

/** The FIX message of each operation: a missing one does not compile. */
export const ASKED_FOR_BY: Record<Exclude<OperationName, OverRestOnly>, string> = {
  authenticate: 'A',
  renewToken: 'BE',
  revokeToken: 'BE',
  readToken: 'BE',
  getRate: 'V',
  listPairs: 'x',
  marketStatus: 'g',
  getLockableRate: 'R',
  lockRate: 'R',
  releaseHold: 'AJ',
  readHold: 'a',
  bookFxByCurrency: 'D',
  bookFxByAccount: 'D',
  readOrder: 'H',
};

function limit(context: FixContext, desk: Desk, message: MessageView): void {
  businessReject(context, desk, message, BUSINESS_REASON.other, refuse('RATE_LIMITED'));
}

/** These carry no token of their own: the session must have a live one. */
function whileLoggedIn(take: Take): Take {
  return (context, desk, message) => {
    if (desk.token === undefined)
      businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, refuse('NOT_AUTHENTICATED'));
    else take(context, desk, message);
  };
}
