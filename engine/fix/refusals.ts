import type { RefusalCode } from '../domain/core/refusal.js';

/** How a refusal reads in the reject of each kind of message. */
interface FixReasons {
  /** MDReqRejReason(281) of a MarketDataRequest(V); undefined: FIX 4.4 has no reason for it, so 281 is absent. */
  readonly marketData: number | undefined;
  /** QuoteRequestRejectReason(658) of a QuoteRequest(R). */
  readonly quoteRequest: number;
  /** QuoteStatus(297) of a QuoteResponse(AJ) or a QuoteStatusRequest(a). */
  readonly quoteStatus: number;
  /** OrdRejReason(103) of a NewOrderSingle(D), an OrderStatusRequest(H) or an OrderMassStatusRequest(AF). */
  readonly order: number;
  /** TradeRequestResult(749) of a TradeCaptureReportRequest(AD): not authorized, or another reason. */
  readonly tradeRequest: number;
}

const NONE = undefined;
/** QuoteRequestRejectReason(658). */
const NOT_AUTHORIZED = 6;
const reasons = (
  marketData: number | undefined,
  quoteRequest: number,
  quoteStatus: number,
  order: number,
): FixReasons => ({
  marketData,
  quoteRequest,
  quoteStatus,
  order,
  tradeRequest: quoteRequest === NOT_AUTHORIZED ? 9 : 99,
});

/** MDReqRejReason(281), QuoteRequestRejectReason(658), QuoteStatus(297), OrdRejReason(103). */
export const FIX_REASONS: Record<RefusalCode, FixReasons> = {
  NOT_AUTHENTICATED: reasons(3, 6, 5, 99),
  BAD_CREDENTIALS: reasons(3, 6, 5, 99),
  KEY_LOCKED: reasons(3, 6, 5, 99),
  TOKEN_REQUIRED: reasons(3, 6, 5, 99),
  TOKEN_INVALID: reasons(3, 6, 5, 99),
  TOKEN_EXPIRED: reasons(3, 6, 5, 99),
  TOKEN_REVOKED: reasons(3, 6, 5, 99),
  TOKEN_CLIENT_MISMATCH: reasons(3, 6, 5, 99),
  NOT_ENTITLED: reasons(3, 6, 5, 99),
  RATE_LIMITED: reasons(2, 99, 5, 99),
  DUPLICATE_MDREQID: reasons(1, 99, 5, 99),
  UNSUPPORTED_SUBSCRIPTION_TYPE: reasons(4, 99, 5, 99),
  UNSUPPORTED_MARKET_DEPTH: reasons(5, 99, 5, 99),
  UNSUPPORTED_UPDATE_TYPE: reasons(6, 99, 5, 99),
  UNSUPPORTED_AGGREGATED_BOOK: reasons(7, 99, 5, 99),
  UNSUPPORTED_ENTRY_TYPE: reasons(8, 99, 5, 99),
  UNKNOWN_SYMBOL: reasons(0, 1, 5, 1),
  INVERSE_SYMBOL: reasons(0, 1, 5, 1),
  SUBSCRIPTION_LIMIT: reasons(2, 99, 5, 99),
  UNKNOWN_MDREQID: reasons(NONE, 99, 5, 99),
  BAD_BOOKFX_TYPE: reasons(NONE, 99, 5, 99),
  BAD_VALUE_DATE: reasons(NONE, 99, 5, 99),
  STORE_UNAVAILABLE: reasons(NONE, 99, 5, 0),
  STORE_FULL: reasons(NONE, 99, 5, 0),
  INTERNAL_ERROR: reasons(NONE, 99, 5, 99),
  VALIDATION_FAILED: reasons(NONE, 99, 5, 99),
  UNSUPPORTED_MSGTYPE: reasons(NONE, 99, 5, 99),
  TOKEN_EXPIRING: reasons(NONE, 99, 5, 99),
  NOT_FOUND: reasons(NONE, 99, 5, 99),
  METHOD_NOT_ALLOWED: reasons(NONE, 99, 5, 99),
  BODY_TOO_LARGE: reasons(NONE, 99, 5, 99),
  REQUEST_TIMEOUT: reasons(NONE, 99, 5, 99),
  UNSUPPORTED_CONTENT_TYPE: reasons(NONE, 99, 5, 99),
  DUPLICATE_QUOTEREQID: reasons(NONE, 99, 5, 99),
  HOLD_LIMIT: reasons(NONE, 3, 5, 99),
  BAD_REQUEST_ID: reasons(NONE, 99, 5, 99),
  UNSUPPORTED_ORDTYPE: reasons(NONE, 99, 5, 11),
  UNSUPPORTED_TIF: reasons(NONE, 99, 5, 11),
  UNSUPPORTED_FIELD: reasons(NONE, 99, 5, 11),
  BAD_SIDE: reasons(NONE, 99, 5, 99),
  BAD_CURRENCY: reasons(NONE, 99, 5, 99),
  BAD_VALID_UNTIL: reasons(NONE, 99, 5, 99),
  RATE_SIGNATURE_INVALID: reasons(NONE, 99, 5, 99),
  RATE_SIGNATURE_EXPIRED: reasons(NONE, 99, 5, 99),
  UNKNOWN_ORDER: reasons(NONE, 99, 5, 5),
  REQUEST_ID_REUSED: reasons(NONE, 99, 5, 6),
  VERSION_CONFLICT: reasons(NONE, 99, 5, 99),
  EVENTS_GONE: reasons(NONE, 99, 5, 99),
  WEBHOOK_LIMIT: reasons(NONE, 99, 5, 99),
  DUPLICATE_TRANSACTION: reasons(NONE, 99, 5, 99),
  DUPLICATE_BENEFICIARY: reasons(NONE, 99, 5, 99),
  BENEFICIARY_LIMIT: reasons(NONE, 99, 5, 99),
  UNKNOWN_BENEFICIARY: reasons(NONE, 99, 5, 99),
  BENEFICIARY_DISABLED: reasons(NONE, 99, 5, 99),
  BENEFICIARY_CHANGED: reasons(NONE, 99, 5, 99),
  NOT_CHANGEABLE: reasons(NONE, 99, 5, 99),
  QUOTE_INVALID: reasons(NONE, 99, 5, 99),
  QUOTE_EXPIRED: reasons(NONE, 99, 5, 99),
  VERIFICATION_INVALID: reasons(NONE, 99, 5, 99),
  VERIFICATION_EXPIRED: reasons(NONE, 99, 5, 99),
  VERIFICATION_MISMATCH: reasons(NONE, 99, 5, 99),
  VERIFICATION_REQUIRED: reasons(NONE, 99, 5, 99),
  UNKNOWN_ACCOUNT: reasons(NONE, 99, 5, 15),
  ACCOUNT_INACTIVE: reasons(NONE, 99, 5, 15),
  ACCOUNT_CURRENCY: reasons(NONE, 99, 5, 15),
  SAME_CURRENCY: reasons(NONE, 99, 5, 99),
  BAD_AMOUNT: reasons(NONE, 99, 5, 13),
  AMOUNT_BELOW_MIN: reasons(NONE, 99, 5, 13),
  AMOUNT_ABOVE_LIMIT: reasons(NONE, 3, 5, 3),
  BAD_SETTLEMENT_DATE: reasons(NONE, 99, 5, 99),
  MARKET_CLOSED: reasons(NONE, 2, 5, 2),
  TRADING_HALTED: reasons(NONE, 2, 5, 2),
  NOT_CANCELLABLE: reasons(NONE, 99, 5, 99),
  HOLD_NOT_FIRM: reasons(NONE, 99, 5, 99),
  HOLD_NOT_FOUND: reasons(NONE, 99, 9, 5),
  HOLD_USED: reasons(NONE, 99, 5, 6),
  HOLD_EXPIRED: reasons(NONE, 99, 7, 8),
  HOLD_MISMATCH: reasons(NONE, 99, 5, 99),
  QUOTE_STALE: reasons(NONE, 99, 5, 8),
  RATE_UNAVAILABLE: reasons(NONE, 8, 5, 99),
  INSUFFICIENT_LIQUIDITY: reasons(NONE, 3, 5, 3),
  PRICE_MISMATCH: reasons(NONE, 99, 5, 99),
  LIMIT_NOT_MET: reasons(NONE, 99, 5, 99),
  RATE_MOVED: reasons(NONE, 99, 5, 99),
  CREDIT_LIMIT: reasons(NONE, 3, 5, 3),
  INSUFFICIENT_BALANCE: reasons(NONE, 99, 5, 3),
  BALANCE_LIMIT: reasons(NONE, 99, 5, 3),
  BATCH_LIMIT: reasons(NONE, 99, 5, 99),
  UNKNOWN_CLIENT: reasons(NONE, 99, 5, 99),
  SUB_CLIENT_LIMIT: reasons(NONE, 99, 5, 99),
  CLIENT_EXISTS: reasons(NONE, 99, 5, 99),
  ACCOUNT_LIMIT: reasons(NONE, 99, 5, 99),
  COMPID_TAKEN: reasons(NONE, 99, 5, 99),
  UNKNOWN_KEY: reasons(NONE, 99, 5, 99),
  KEY_LIMIT: reasons(NONE, 99, 5, 99),
  BAD_MARGIN: reasons(NONE, 99, 5, 99),
  MARGIN_LIMIT: reasons(NONE, 99, 5, 99),
  WRONG_STATE: reasons(NONE, 99, 5, 99),
  UNKNOWN_MARGIN: reasons(NONE, 99, 5, 99),
  FEE_LIMIT: reasons(NONE, 99, 5, 99),
  UNKNOWN_FEE: reasons(NONE, 99, 5, 99),
};

/** BusinessRejectReason(380). */
export const BUSINESS_REASON = {
  other: 0,
  unknownId: 1,
  notAvailable: 4,
  conditionallyRequired: 5,
  notAuthorized: 6,
} as const;
/** QuoteStatus(297) of a hold or a stream of quotes. */
export const QUOTE_STATUS = { accepted: 0, cancelledAll: 4, rejected: 5, removed: 6, expired: 7 } as const;
/** SessionRejectReason(373). */
export const SESSION_REASON = { requiredTagMissing: 1, incorrectValue: 5, incorrectGroupCount: 16 } as const;
