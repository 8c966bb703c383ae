/**
 * Every "no" that the service can give, in the order of checks: the first that applies is the answer, on both doors.
 * The line says what it means and what to do; it is the text sent when the place that refuses has nothing better to
 * say.
 */
export const REFUSALS = {
  // The request as such.
  NOT_FOUND: 'No such path, or nothing of yours with this id: check the path and the id',
  METHOD_NOT_ALLOWED: 'This path does not take this method: use one that the Allow header names',
  UNSUPPORTED_MSGTYPE: 'Message type not supported here: the rules of engagement list those that are',
  BODY_TOO_LARGE: 'Body above 64 KiB: send less',
  REQUEST_TIMEOUT: 'The request has not arrived in time: send its headers and its body faster',
  UNSUPPORTED_CONTENT_TYPE: 'Send the body as application/json or multipart/form-data',

  // The caller.
  NOT_AUTHENTICATED: 'Log on with client key and client secret before anything else',
  BAD_CREDENTIALS: 'Authentication failed: check client key and client secret',
  KEY_LOCKED: 'Too many wrong secrets from this address: wait 15 minutes, then use the right secret',
  TOKEN_REQUIRED: 'Token missing: authenticate and send the token with the request',
  TOKEN_INVALID: 'Token unknown: authenticate again and send the new token',
  TOKEN_EXPIRED: 'Token expired: authenticate again and send the new token',
  TOKEN_REVOKED: 'Token revoked: authenticate again and send the new token',
  TOKEN_CLIENT_MISMATCH: 'This token or key belongs to another client than the session: use your own',
  TOKEN_EXPIRING: 'Token expires in five minutes: renew it to keep your streams',
  NOT_ENTITLED: 'Not entitled: ask us to add the right, the pair or your address',
  RATE_LIMITED: 'Too many requests: wait, then send fewer',

  // The request.
  VALIDATION_FAILED: 'Some fields are wrong: correct those listed in errors',
  DUPLICATE_MDREQID: 'This MDReqID(262) has a live stream: use a new one, or end the old one first',
  UNKNOWN_MDREQID: 'No live stream with this MDReqID(262): nothing to end',
  UNSUPPORTED_SUBSCRIPTION_TYPE: 'SubscriptionRequestType(263) must be 0 snapshot, 1 updates or 2 unsubscribe',
  UNSUPPORTED_MARKET_DEPTH: 'MarketDepth(264) must be 0 or 1: 0 is every band that is agreed with you, 1 the first',
  UNSUPPORTED_UPDATE_TYPE: 'MDUpdateType(265) must be 0 full refresh or 1 incremental; a value date goes with 0 only',
  UNSUPPORTED_AGGREGATED_BOOK: 'AggregatedBook(266) must be Y or absent',
  UNSUPPORTED_ENTRY_TYPE: 'MDEntryType(269) must be 0 bid or 1 offer',
  UNKNOWN_SYMBOL: 'Unknown symbol: the security list has those that are offered',
  INVERSE_SYMBOL: 'This pair is quoted the other way round: use the symbol in market convention',
  BAD_BOOKFX_TYPE: 'Type must be PREFUNDING, SCHEDULED1 or SCHEDULED2',
  BAD_VALUE_DATE: 'No price for this value date: use a good day up to spot',
  SUBSCRIPTION_LIMIT: 'Too many open streams: end one first',
  DUPLICATE_QUOTEREQID: 'This QuoteReqID(131) was used in the last 24 hours: use a new one',
  HOLD_LIMIT: 'Too many open holds, or open holds of too large a worth: book or release one first, or ask us',
  BAD_REQUEST_ID: 'ClOrdID(11) must be 1 to 64 visible characters of ASCII, ! to ~, without a blank',
  UNSUPPORTED_ORDTYPE: 'OrdType(40) must be D previously quoted, 1 market or 2 limit',
  UNSUPPORTED_TIF: 'TimeInForce(59) must be 4 or 3: an order is filled as a whole or not at all',
  UNSUPPORTED_FIELD: 'A field that would change what is asked for is not supported: leave it out',
  BAD_SIDE: 'Side(54) must be 1 buy or 2 sell',
  BAD_CURRENCY: 'The currency is not offered, or not one of the pair',
  BAD_VALID_UNTIL: 'ValidUntilTime(62) is past: send a time to come, or none',
  RATE_SIGNATURE_INVALID: 'This rate_signature is not one that we gave you: ask for a rate again',
  RATE_SIGNATURE_EXPIRED:
    'The offer of this rate ended 30 seconds after it was made, or at the end of its hold: request the rate again',
  UNKNOWN_ORDER: 'No order with this id: check ClOrdID(11)',

  // The command.
  REQUEST_ID_REUSED: 'This request id was used for another command: use a new one',
  VERSION_CONFLICT: 'The record has another version than If-Match names: read it again, then send the change',
  EVENTS_GONE: 'These events are no longer kept: read on from oldest_sequence, and read the resources themselves',
  WEBHOOK_LIMIT: 'There are 16 webhook endpoints, as many as a client may have: remove one first',
  DUPLICATE_TRANSACTION: 'This transaction number has a payment: read it instead of sending it again',
  DUPLICATE_BENEFICIARY: 'A beneficiary of yours has this account: use it, or change it',
  BENEFICIARY_LIMIT:
    'There are 10,000 beneficiaries, or 100 changes of this one, as many as there may be: change or use one',
  UNKNOWN_BENEFICIARY: 'No such beneficiary of yours: check the beneficiary id',
  BENEFICIARY_DISABLED: 'The beneficiary is disabled: enable it, or name another',
  BENEFICIARY_CHANGED:
    'The beneficiary has changed since the batch was closed: check it, and send the item in another batch',
  NOT_CHANGEABLE: 'The conversion has settled or ended: only one that is OPEN or OVERDUE is changed',
  QUOTE_INVALID: 'This quote_id is not one that we gave you for this change: ask for a quote again',
  QUOTE_EXPIRED: 'The quote ended 30 seconds after it was made: ask for a quote again',
  VERIFICATION_INVALID: 'This verification_token is not one that we gave you: verify the payee again',
  VERIFICATION_EXPIRED: 'The verification is older than ten minutes: verify the payee again',
  VERIFICATION_MISMATCH: 'The verification is of another name, type of payee or account: verify the payee that is paid',
  VERIFICATION_REQUIRED: 'The payee has to be verified: send the verification_token of its verification',
  UNKNOWN_ACCOUNT: 'No such account of yours: check the account number',
  ACCOUNT_INACTIVE: 'The account is closed or blocked: use another, or ask us',
  ACCOUNT_CURRENCY: 'The account is in another currency than the command needs: use one in that currency',
  SAME_CURRENCY: 'Both sides are in one currency: there is nothing to convert',
  BAD_AMOUNT: 'Amount must be above 0 and have no more decimals than the currency',
  AMOUNT_BELOW_MIN: 'Amount below the smallest of this pair: send more',
  AMOUNT_ABOVE_LIMIT: 'Amount above the limit: send less, or ask us to raise the limit',
  BAD_SETTLEMENT_DATE: 'No settlement on this date: use a good day up to spot',
  MARKET_CLOSED: 'The market is closed: try again after it opens',
  TRADING_HALTED: 'Trading is halted: try again when it is resumed',
  NOT_CANCELLABLE: 'The payment cannot be cancelled any more',
  HOLD_NOT_FIRM: 'The quote was indicative: ask for a tradeable one, QuoteType(537)=1',
  HOLD_NOT_FOUND: 'No such hold of yours: check the hold id',
  HOLD_USED: 'The hold was booked already, or a payment that awaits its funds has reserved it: lock a new rate',
  HOLD_EXPIRED: 'The hold expired: lock a new rate',
  HOLD_MISMATCH: 'Pair, side, amount or date differ from the hold: send those of the hold',
  QUOTE_STALE: 'The streamed price was replaced or withdrawn: use the current one',
  RATE_UNAVAILABLE: 'No provider has a fresh price for this pair: try again in a few seconds',
  INSUFFICIENT_LIQUIDITY: 'The providers quote less than this amount: send less, or try again in a few seconds',
  PRICE_MISMATCH: 'Price(44) differs from the quoted rate: send the rate of the quote, or none',
  LIMIT_NOT_MET: 'The rate is worse than the limit: nothing was booked',
  RATE_MOVED: 'The rate has moved, or needs more than the sell amount given: nothing was booked; use the new offer',
  CREDIT_LIMIT: 'The deal would exceed a limit that is set for it: send less, wait, or ask us',
  INSUFFICIENT_BALANCE: 'The balance does not cover the amount: fund the account or send less',
  BALANCE_LIMIT: 'The balance would exceed 999,999,999,999,999 minor units: use another account',
  BATCH_LIMIT: 'Too many open batches, or too many items in one: end a batch, or begin another',

  // An operator's command.
  UNKNOWN_CLIENT: 'No such client: `ratewire clients list` shows those there are',
  SUB_CLIENT_LIMIT: 'The platform has 10,000 sub-clients, as many as it may have: use one of them',
  CLIENT_EXISTS: 'A client with this id exists: choose another id',
  ACCOUNT_LIMIT: 'The client has as many accounts as it may have: use one of them',
  COMPID_TAKEN: 'This CompID is assigned already: choose another',
  UNKNOWN_KEY: 'No such client key: check it, or issue a new one',
  KEY_LIMIT: 'As many keys or live secrets as there may be: end an old one before issuing another',
  BAD_MARGIN: 'Margin must be 0 or more and below 100 percent, with at most 4 decimals',
  MARGIN_LIMIT: 'There are 20,000 margin rules, as many as there may be: remove one first, or set one for `*`',
  WRONG_STATE: 'It is in a state that does not allow this: read it and see',
  UNKNOWN_MARGIN: 'No such margin rule: `ratewire margins list` shows those there are',
  FEE_LIMIT: 'The client has 1,000 fee rules, as many as it may have: remove one first, or set a wider one',
  UNKNOWN_FEE: 'No such fee rule: `ratewire fees list` shows those there are',

  // Ourselves.
  STORE_FULL:
    'The memory of the store is almost full: only reads, releases, refunds, cancellations and halts are taken; try again later',
  STORE_UNAVAILABLE: 'The store does not answer: nothing is lost, send the same request again later',
  INTERNAL_ERROR: 'A fault on our side: tell us the request id',
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof REFUSALS;

/** All codes in the order of checks. */
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];

/** The rule of names that are no field: such a name is the sender's own. */
export const UNKNOWN_FIELD = 'G17';

/** One faulty field of a body. */
export interface FieldFault {
  readonly field: string;
  readonly code: FieldFaultCode;
  readonly message: string;
  /** By which rule, where it has a name: G8, or IN.account for one of a payment's country. */
  readonly rule?: string;
}

export const FIELD_FAULT_CODES = [
  'field_missing',
  'incorrect_format',
  'incorrect_value',
  'unsupported_field',
  'invalid_combination',
  'not_allowed',
] as const;
export type FieldFaultCode = (typeof FIELD_FAULT_CODES)[number];

/** A "no": a value, never thrown. `text` is for the person on the other end and holds no secret. */
export interface Refusal {
  readonly refusal: RefusalCode;
  readonly text: string;
  /** Seconds after which a repeat may succeed. */
  readonly retryAfterS?: number;
  readonly fields?: readonly FieldFault[];
  /** The warnings of a dry run: no reason to reject. */
  readonly warnings?: readonly FieldFault[];
  /** Whether the command may have been executed all the same: `none` when not, `unknown` when the store's answer was lost. */
  readonly outcome?: 'none' | 'unknown';
  /** What a program may want to read of the reason, beside the text: the amounts, the first payment's id. */
  readonly details?: Readonly<Record<string, string | number>>;
  /** The command was refused when it was first sent, and this is that answer again. */
  readonly replayed?: boolean;
  /** The answer is kept under the request id, and given again to the same command. */
  readonly kept?: boolean;
}

/** Refuses with the code's own line, or with a text that knows more. */
export function refuse(
  code: RefusalCode,
  text: string = REFUSALS[code],
  more: Omit<Refusal, 'refusal' | 'text'> = {},
): Refusal {
  return { refusal: code, text, ...more };
}

/** VALIDATION_FAILED for one field; the message names what is accepted, or what to do. */
export function refuseField(field: string, message: string, code: FieldFaultCode = 'incorrect_value'): Refusal {
  return refuse('VALIDATION_FAILED', undefined, { fields: [{ field, code, message }] });
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refusal' in answer && 'text' in answer;
}

/** An error of the file system as a refusal of the field that names the path; any other error is thrown again. */
export function fileFault(error: unknown, field: string, path: string): Refusal {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) throw error;
  return refuseField(field, `${path} cannot be read or written: ${code}`);
}
