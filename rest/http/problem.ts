/** A refusal as `application/problem+json` (RFC 9457), the one shape of every error body here. */
import type { ServerResponse } from 'node:http';
import { REFUSALS, type Refusal } from '../../engine/domain/refusal.js';
import { FIXED_HEADERS, REPLAYED } from './headers.js';
import { HTTP_STATUS, type HttpStatus } from './refusals.js';

/** Seconds after which a 429 or 503 may be tried again, where the refusal itself says nothing. */
const RETRY_AFTER_S = 1;

export interface Asked {
  /** Path of the request without its query. */
  readonly instance: string;
  readonly requestId: string;
}

/** Answers a refusal. `headers` is name, value, name, value ...: Allow, RateLimit and the like. */
export function refuseRequest(
  response: ServerResponse,
  asked: Asked,
  refusal: Refusal,
  headers: readonly string[] = [],
): void {
  const status = HTTP_STATUS[refusal.refusal];
  const body = problemText(asked, refusal, status);
  response.writeHead(status, [
    ...FIXED_HEADERS,
    ...headers,
    ...retryAfter(status, refusal),
    ...(status === 401 ? ['www-authenticate', 'Bearer'] : []),
    ...(refusal.replayed ? REPLAYED : []),
    'content-type',
    'application/problem+json; charset=utf-8',
    'x-request-id',
    asked.requestId,
    'content-length',
    String(Buffer.byteLength(body)),
  ]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The body alone, also for a request that was too broken to have a response object. */
export function problemText({ instance, requestId }: Asked, refusal: Refusal, status: HttpStatus): string {
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
