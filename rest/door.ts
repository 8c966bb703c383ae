/** One request: checked in the documented order, performed, and answered. Knows no rule of any operation. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { isRefusal, type Refusal, refuse } from '../engine/domain/refusal.js';
import { type Caller, resolveToken } from '../engine/service/caller.js';
import { mayPerform, perform } from '../engine/service/perform.js';
import type { Services } from '../engine/service/services.js';
import { bodyFault } from './body.js';
import { FIXED_HEADERS } from './headers.js';
import { type Asked, refuseRequest } from './problem.js';
import type { RateLimit } from './rate-limit.js';
import { HTTP_STATUS } from './refusals.js';
import { nextRequestId } from './request-id.js';
import type { LimitName, RestOperation, Route } from './routes.js';
import { renamed } from './shapes.js';

export interface Door {
  readonly services: Services;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
  /** Wrong credentials by address; right ones are counted by client. */
  readonly failures: RateLimit;
  readonly answered: AnsweredCounts;
}

/** Answers by operation and status, for the metrics. */
export class AnsweredCounts {
  readonly #counts = new Map<string, Int32Array>();

  count(operation: string, status: number): void {
    let byStatus = this.#counts.get(operation);
    if (byStatus === undefined) {
      byStatus = new Int32Array(600);
      this.#counts.set(operation, byStatus);
    }
    byStatus[status]!++;
  }

  *read(): Generator<readonly [labels: { operation: string; status: string }, count: number]> {
    for (const [operation, byStatus] of this.#counts) {
      for (let status = 0; status < byStatus.length; status++) {
        if (byStatus[status]) yield [{ operation, status: String(status) }, byStatus[status]!];
      }
    }
  }
}

/** What the answer's RateLimit headers speak about. */
interface Counted {
  limit: RateLimit;
  who: string;
}

export async function serve<Name extends RestOperation>(
  door: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  const asked: Asked = { instance: request.path, requestId: nextRequestId() };
  const counted: Counted = { limit: door.limits[route.limit], who: '' };
  try {
    const answer = await answerTo(door, name, route, request, counted);
    const limits = counted.who === '' ? [] : counted.limit.headers(counted.who, door.services.now());
    if (isRefusal(answer)) {
      door.answered.count(name, HTTP_STATUS[answer.refusal]);
      refuseRequest(response, asked, withTheirNames(answer, route), limits);
    } else {
      door.answered.count(name, 200);
      send(response, asked.requestId, route.body(answer), limits);
    }
  } catch (error) {
    door.answered.count(name, 500);
    const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error));
    door.services.log.error({ request_id: asked.requestId, operation: name, kind, stack }, message);
    refuseRequest(response, asked, refuse('INTERNAL_ERROR'));
  }
}

async function answerTo<Name extends RestOperation>(
  door: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  counted: Counted,
) {
  const fault = bodyFault(request);
  if (fault) return fault;
  if (route.limit === 'authentication') return authenticated(door, name, route, request, counted);

  const caller = await resolveToken(door.services, bearer(request));
  if (isRefusal(caller)) return caller;
  const refusal = mayPerform(name, caller) ?? overLimit(door, counted, caller.clientId);
  if (refusal) return refusal;
  return perform(door.services, name, caller as Caller, route.input(request));
}

/** Nobody is known yet: wrong credentials count against the address, right ones against their client key. */
async function authenticated<Name extends RestOperation>(
  { services, failures }: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  counted: Counted,
) {
  const nowMs = services.now();
  const address = request.socket.remoteAddress ?? 'unknown';
  const key = String(request.headers.client_key ?? '').slice(0, 128);
  if (failures.isUsedUp(address, nowMs)) return tooMany(failures, address, nowMs);
  if (counted.limit.isUsedUp(key, nowMs)) return tooMany(counted.limit, key, nowMs);

  const answer = await perform(services, name, undefined, route.input(request));
  if (!isRefusal(answer)) {
    counted.who = key;
    counted.limit.take(key, nowMs);
    return answer;
  }
  if (HTTP_STATUS[answer.refusal] < 500) failures.take(address, nowMs);
  // Credentials that are missing or misshapen are as wrong as any other: one answer for all.
  return answer.refusal === 'VALIDATION_FAILED' ? refuse('BAD_CREDENTIALS') : answer;
}

function overLimit({ services }: Door, counted: Counted, who: string): Refusal | undefined {
  counted.who = who;
  if (counted.limit.take(who, services.now())) return undefined;
  return tooMany(counted.limit, who, services.now());
}

function tooMany(limit: RateLimit, who: string, nowMs: number): Refusal {
  return refuse('RATE_LIMITED', undefined, { retryAfterS: limit.resetS(who, nowMs) });
}

/** The token of `authorization: Bearer <token>`; another scheme is no token of ours. */
function bearer(request: Request): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? 'not-a-bearer-token';
}

function withTheirNames<Name extends RestOperation>(refusal: Refusal, { names }: Route<Name>): Refusal {
  return refusal.fields ? { ...refusal, fields: renamed(refusal.fields, names) } : refusal;
}

// Head and body leave in one write: the body's length is known, and nothing is negotiated.
function send(response: ServerResponse, requestId: string, body: object, limits: readonly string[]): void {
  const text = JSON.stringify(body);
  response.writeHead(200, [
    ...FIXED_HEADERS,
    ...limits,
    'content-type',
    'application/json; charset=utf-8',
    'x-request-id',
    requestId,
    'content-length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}
