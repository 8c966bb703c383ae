/** Responses: their headers, a JSON answer, and a refusal as `application/problem+json` (RFC 9457), the one shape of every error body. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import { REFUSALS, type Refusal } from '../../engine/domain/refusal.js';
import { HTTP_STATUS, type HttpStatus } from './refusals.js';

// Helmet's headers for an API that serves no page, and no caching; worked out once.

/** name, value, name, value ...: what writeHead takes fastest. */
export const FIXED_HEADERS: readonly string[] = fixedHeaders();

/** Of an answer that was given before, and is given again to the same command. */
export const REPLAYED: readonly string[] = ['idempotent-replayed', 'true'];

// helmet sets the same values on every response; asked once, they cost a request nothing.
function fixedHeaders(): string[] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    // These speak to pages and plug-ins; here are none.
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

// Head and body leave in one write: the body's length is known, and nothing is negotiated.
export function send(
  response: ServerResponse,
  requestId: string,
  body: object,
  limits: readonly string[],
  own: readonly string[] = [],
): void {
  const text = JSON.stringify(body);
  response.writeHead(200, [
    ...FIXED_HEADERS,
    ...limits,
    ...own,
    'content-type',
    'application/json; charset=utf-8',
    'x-request-id',
    requestId,
    'content-length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}

/** Seconds after which a 429 or 503 may be tried again, where the refusal itself says nothing. */
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
    // Only the store leaves it open whether a command was executed; every other 503 comes before it.
    ...(status === 503 ? { outcome: refusal.outcome ?? 'none' } : undefined),
    ...refusal.details,
  });
}

function retryAfter(status: HttpStatus, refusal: Refusal): string[] {
  if (status !== 429 && status !== 503 && refusal.retryAfterS === undefined) return [];
  return ['retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterS ?? RETRY_AFTER_S)))];
}
