/** Responses: a JSON answer, a refusal as `application/problem+json` (RFC 9457) with its status, and the headers of both. */

import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { REFUSALS, type Refusal, type RefusalCode } from '../../engine/domain/core/refusal.js';

/** Helmet's headers for an API that serves no page, and no caching: name, value, name, value ..., which writeHead takes fastest. */
export const FIXED_HEADERS: readonly string[] = fixedHeaders();

/** Of a repeated answer to the same command. */
export const REPLAYED: readonly string[] = ['idempotent-replayed', 'true'];

// Helmet sets the same values on every response: they are computed once.
function fixedHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    // For pages and plug-ins only.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  protect(response.req, response, () => {});
  response.setHeader('cache-control', 'no-store');
  return Object.entries(response.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
}

// Head and body are sent in one write: the length of the body is known.
export function send(
  response: ServerResponse,
  requestId: string,
  text: string,
  limits: readonly string[],
  own: readonly string[] = [],
  type = 'application/json; charset=utf-8',
): 200 {
  const length = Buffer.byteLength(text);
  response.writeHead(200, [
    ...FIXED_HEADERS,
    ...limits,
    ...own,
    'content-type',
    type,
    'x-request-id',
    requestId,
    'content-length',
    String(length),
  ]);
  // Text of ASCII alone needs no conversion.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
  return 200;
}

interface ReferenceText {
  readonly text: string;
  readonly etag: readonly ['etag', string];
}

/** By the operation's answer, for as long as the operation keeps that. */
const REFERENCE_TEXTS = new WeakMap<object, ReferenceText>();

/** The answer with its ETag; 304 without a body where If-None-Match has it (RFC 9110, 13.1.2). */
export function sendReferenceData<Output extends object>(
  response: ServerResponse,
  requestId: string,
  answer: Output,
  body: (answer: Output) => object,
  limits: readonly string[],
): 200 | 304 {
  let known = REFERENCE_TEXTS.get(answer);
  if (known === undefined) {
    const text = JSON.stringify(body(answer));
    known = { text, etag: ['etag', `"${createHash('sha256').update(text).digest('base64url')}"`] };
    REFERENCE_TEXTS.set(answer, known);
  }
  const { text, etag } = known;
  if (!isTagIn(response.req.headers['if-none-match'], etag[1])) return send(response, requestId, text, limits, etag);
  response.writeHead(304, [...FIXED_HEADERS, ...limits, ...etag, 'x-request-id', requestId]);
  response.end();
  return 304;
}

/** A weak tag counts as the same; `*` is any. */
const isTagIn = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => [etag, `W/${etag}`, '*'].includes(tag.trim())) ?? false;

/** Seconds after which to retry a 429 or 503, where the refusal itself has none. */
const RETRY_AFTER_S = 1;

export interface RequestRef {
  /** Path of the request without its query. */
  readonly instance: string;
  readonly requestId: string;
}

/** Answers a refusal. `headers` is name, value, name, value ...: Allow, RateLimit and the like. */
export function refuseRequest(
  response: ServerResponse,
  of: RequestRef,
  refusal: Refusal,
  headers: readonly string[] = [],
): void {
  const status = HTTP_STATUS[refusal.refusal];
  const body = problemText(of, refusal, status);
  response.writeHead(status, [
    ...FIXED_HEADERS,
    ...headers,
    ...retryAfter(status, refusal),
    ...(status === 401 ? ['www-authenticate', 'Bearer'] : []),
    ...(refusal.replayed ? REPLAYED : []),
    'content-type',
    'application/problem+json; charset=utf-8',
    'x-request-id',
    of.requestId,
    'content-length',
    String(Buffer.byteLength(body)),
  ]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The body alone, also for a request that was too broken to have a response object. */
export function problemText({ instance, requestId }: RequestRef, refusal: Refusal, status: HttpStatus): string {
  return JSON.stringify({
    type: `urn:ratewire:refusal:${refusal.refusal}`,
    title: REFUSALS[refusal.refusal],
    status,
    detail: refusal.text,
    instance: instance.slice(0, 256),
    code: refusal.refusal,
    message: refusal.text,
    request_id: requestId,
    errors: refusal.fields ?? [],
    ...(refusal.warnings && { warnings: refusal.warnings }),
    // Only the store leaves the outcome of a command unknown; every other 503 precedes it.
    ...(status === 503 ? { outcome: refusal.outcome ?? 'none' } : undefined),
    ...refusal.details,
  });
}

function retryAfter(status: HttpStatus, refusal: Refusal): string[] {
  if (status !== 429 && status !== 503 && refusal.retryAfterS === undefined) return [];
  return ['retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterS ?? RETRY_AFTER_S)))];
}

export type HttpStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 429 | 500 | 503;

/** The status of each refusal: those of the interface, 408, and no other. A missing code does not compile. */
export const HTTP_STATUS: Record<RefusalCode, HttpStatus> = {
  // The request as such.
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MSGTYPE: 400,
  BODY_TOO_LARGE: 400,
  REQUEST_TIMEOUT: 408,
  UNSUPPORTED_CONTENT_TYPE: 400,

  // The caller.
  NOT_AUTHENTICATED: 401,
  BAD_CREDENTIALS: 401,
  KEY_LOCKED: 401,
  TOKEN_REQUIRED: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REVOKED: 401,
  TOKEN_CLIENT_MISMATCH: 401,
  TOKEN_EXPIRING: 401,
  NOT_ENTITLED: 403,
  RATE_LIMITED: 429,

  // The query.
  VALIDATION_FAILED: 400,
  DUPLICATE_MDREQID: 400,
  UNKNOWN_MDREQID: 400,
  UNSUPPORTED_SUBSCRIPTION_TYPE: 400,
  UNSUPPORTED_MARKET_DEPTH: 400,
  UNSUPPORTED_UPDATE_TYPE: 400,
  UNSUPPORTED_AGGREGATED_BOOK: 400,
  UNSUPPORTED_ENTRY_TYPE: 400,
  UNKNOWN_SYMBOL: 400,
  INVERSE_SYMBOL: 400,
  BAD_BOOKFX_TYPE: 400,
  BAD_VALUE_DATE: 400,
  SUBSCRIPTION_LIMIT: 400,
  DUPLICATE_QUOTEREQID: 400,
  HOLD_LIMIT: 400,
  BAD_REQUEST_ID: 400,
  UNSUPPORTED_ORDTYPE: 400,
  UNSUPPORTED_TIF: 400,
  UNSUPPORTED_FIELD: 400,
  BAD_SIDE: 400,
  BAD_CURRENCY: 400,
  BAD_VALID_UNTIL: 400,
  RATE_SIGNATURE_INVALID: 400,
  RATE_SIGNATURE_EXPIRED: 400,
  UNKNOWN_ORDER: 400,

  // The command.
  REQUEST_ID_REUSED: 409,
  VERSION_CONFLICT: 409,
  EVENTS_GONE: 400,
  WEBHOOK_LIMIT: 400,
  DUPLICATE_TRANSACTION: 409,
  DUPLICATE_BENEFICIARY: 409,
  BENEFICIARY_LIMIT: 400,
  UNKNOWN_BENEFICIARY: 400,
  BENEFICIARY_DISABLED: 400,
  BENEFICIARY_CHANGED: 400,
  NOT_CHANGEABLE: 400,
  QUOTE_INVALID: 400,
  QUOTE_EXPIRED: 400,
  VERIFICATION_INVALID: 400,
  VERIFICATION_EXPIRED: 400,
  VERIFICATION_MISMATCH: 400,
  VERIFICATION_REQUIRED: 400,
  UNKNOWN_ACCOUNT: 400,
  ACCOUNT_INACTIVE: 400,
  ACCOUNT_CURRENCY: 400,
  SAME_CURRENCY: 400,
  BAD_AMOUNT: 400,
  AMOUNT_BELOW_MIN: 400,
  AMOUNT_ABOVE_LIMIT: 400,
  BAD_SETTLEMENT_DATE: 400,
  MARKET_CLOSED: 400,
  TRADING_HALTED: 400,
  NOT_CANCELLABLE: 400,
  HOLD_NOT_FIRM: 400,
  HOLD_NOT_FOUND: 400,
  HOLD_USED: 400,
  HOLD_EXPIRED: 400,
  HOLD_MISMATCH: 400,
  QUOTE_STALE: 400,
  RATE_UNAVAILABLE: 503,
  INSUFFICIENT_LIQUIDITY: 400,
  PRICE_MISMATCH: 400,
  LIMIT_NOT_MET: 400,
  RATE_MOVED: 400,
  CREDIT_LIMIT: 400,
  INSUFFICIENT_BALANCE: 400,
  BALANCE_LIMIT: 400,
  BATCH_LIMIT: 400,

  // Commands of the operator.
  UNKNOWN_CLIENT: 400,
  SUB_CLIENT_LIMIT: 400,
  CLIENT_EXISTS: 409,
  ACCOUNT_LIMIT: 400,
  COMPID_TAKEN: 409,
  UNKNOWN_KEY: 400,
  KEY_LIMIT: 400,
  BAD_MARGIN: 400,
  MARGIN_LIMIT: 400,
  WRONG_STATE: 400,
  UNKNOWN_MARGIN: 400,
  FEE_LIMIT: 400,
  UNKNOWN_FEE: 400,

  // The service itself.
  STORE_FULL: 503,
  STORE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};
