import type { MessageView } from 'node-quickfix-ts';
import { refuse } from '../domain/core/refusal.js';
import type { OperationName } from '../service/operations.js';
import type { FixContext } from './context.js';
import type { Desk } from './desk.js';
import { handleMarketDataRequest, rejectThrottledMarketDataRequest } from './market-data/market-data-request.js';
import { handleTradingSessionStatusRequest } from './market-data/market-state.js';
import { handleSecurityStatusRequest } from './market-data/pair-state.js';
import { handleSecurityListRequest } from './market-data/security-list.js';
import { handleMassCancel } from './orders/mass-cancel.js';
import { handleOrderStatusRequest } from './orders/order-status.js';
import { handleNewOrder, rejectThrottledNewOrder } from './orders/orders.js';
import { handleQuoteCancel, rejectThrottledQuoteCancel } from './quotes/quote-cancel.js';
import { handleQuoteRequest, rejectThrottledQuoteRequest } from './quotes/quote-request.js';
import { handleQuoteResponse, handleQuoteStatusRequest, rejectThrottledHoldRequest } from './quotes/quote-status.js';
import { BUSINESS_REASON } from './refusals.js';
import { businessReject } from './rejects.js';
import { handleUserRequest, rejectThrottledUserRequest } from './session/user-request.js';
import { handleDontKnowTrade } from './trades/dont-know-trade.js';
import { handleMassStatusRequest } from './trades/mass-status.js';
import { handleTradeRequest, rejectThrottledTradeRequest } from './trades/trade-request.js';

type Handle = (context: FixContext, desk: Desk, message: MessageView) => void;

interface DeskMessage {
  readonly handle: Handle;
  /** The answer when the desk exceeds its message rate. */
  readonly rejectThrottled: Handle;
  /** The request ends with its session: resent over a gap in a later session, it is ignored. */
  readonly endsWithSession: boolean;
}

/** What a desk may send. Every other MsgType(35) of FIX 4.4 is answered with BusinessMessageReject(j). */
export const MESSAGES: Readonly<Record<string, DeskMessage>> = {
  BE: { handle: handleUserRequest, rejectThrottled: rejectThrottledUserRequest, endsWithSession: true },
  x: { handle: whileLoggedIn(handleSecurityListRequest), rejectThrottled, endsWithSession: true },
  g: { handle: whileLoggedIn(handleTradingSessionStatusRequest), rejectThrottled, endsWithSession: true },
  e: { handle: whileLoggedIn(handleSecurityStatusRequest), rejectThrottled, endsWithSession: true },
  V: { handle: handleMarketDataRequest, rejectThrottled: rejectThrottledMarketDataRequest, endsWithSession: true },
  // A hold outlives the session: a resent request is answered with it, and a resent release releases it.
  R: { handle: handleQuoteRequest, rejectThrottled: rejectThrottledQuoteRequest, endsWithSession: false },
  AJ: { handle: handleQuoteResponse, rejectThrottled: rejectThrottledHoldRequest, endsWithSession: false },
  Z: { handle: handleQuoteCancel, rejectThrottled: rejectThrottledQuoteCancel, endsWithSession: false },
  // The outcome of an order is kept for days: a resent order gets it again.
  D: { handle: handleNewOrder, rejectThrottled: rejectThrottledNewOrder, endsWithSession: false },
  H: { handle: handleOrderStatusRequest, rejectThrottled, endsWithSession: false },
  // A desk that wants to be halted is halted, also above the message rate, and when the request was sent in an earlier session.
  q: { handle: handleMassCancel, rejectThrottled: handleMassCancel, endsWithSession: false },
  // Recorded once for each execution.
  Q: { handle: handleDontKnowTrade, rejectThrottled, endsWithSession: false },
  // The answer to an earlier session is of no use in a later one: the desk asks again.
  AD: { handle: handleTradeRequest, rejectThrottled: rejectThrottledTradeRequest, endsWithSession: true },
  AF: { handle: handleMassStatusRequest, rejectThrottled, endsWithSession: true },
  a: { handle: handleQuoteStatusRequest, rejectThrottled: rejectThrottledHoldRequest, endsWithSession: true },
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
  | 'readPrice'
  | 'readHeldRate'
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
  | 'createBatch'
  | 'listBatches'
  | 'readBatch'
  | 'addBatchItems'
  | 'listBatchItems'
  | 'removeBatchItem'
  | 'validateBatch'
  | 'closeBatch'
  | 'fundBatch'
  | 'cancelBatch'
  | 'batchResults'
  | 'listBookings'
  // Over FIX a change is reported, with 150=D or H.
  | 'quoteCancellation'
  | 'quoteDateChange'
  | 'quoteSplit'
  | 'cancelConversion'
  | 'changeConversionDate'
  | 'splitConversion'
  | 'listConversionChanges'
  | 'readTradingState'
  | 'createSubClient'
  | 'readSubClient'
  | 'listSubClients'
  | 'changeSubClient'
  | 'createBeneficiary'
  | 'readBeneficiary'
  | 'listBeneficiaries'
  | 'changeBeneficiary'
  | 'disableBeneficiary'
  | 'enableBeneficiary'
  | 'listSubClientMargins'
  | 'setSubClientMargin'
  | 'removeSubClientMargin'
  | 'listEvents'
  | 'readEvent'
  | 'sandboxPayment'
  | 'sandboxFunding'
  | 'sandboxConversion'
  | 'createWebhook'
  | 'listWebhooks'
  | 'readWebhook'
  | 'changeWebhook'
  | 'removeWebhook'
  | 'rotateWebhookSecret'
  | 'listDeliveries'
  | 'replayDeliveries'
  | 'testWebhook'
  | 'verifyPayee'
  | 'sandboxClock'
  | 'advanceSandboxClock';

/** The FIX message of each operation: a missing one does not compile. */
export const MESSAGE_OF_OPERATION: Record<Exclude<OperationName, OverRestOnly>, string> = {
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
  releaseHolds: 'Z',
  readHold: 'a',
  bookFxByCurrency: 'D',
  bookFxByAccount: 'D',
  readOrder: 'H',
  findTrades: 'AD',
  readTrades: 'AD',
  findOrders: 'AF',
  recordDontKnowTrade: 'Q',
  haltTrading: 'q',
};

function rejectThrottled(context: FixContext, desk: Desk, message: MessageView): void {
  businessReject(context, desk, message, BUSINESS_REASON.other, refuse('RATE_LIMITED'));
}

/** These carry no token of their own: the session must have a live one. */
function whileLoggedIn(handle: Handle): Handle {
  return (context, desk, message) => {
    if (desk.token === undefined)
      businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, refuse('NOT_AUTHENTICATED'));
    else handle(context, desk, message);
  };
}
