/** One request: checked in the documented order, performed, and answered. Knows no rule of any operation. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { isRefusal, type Refusal, refuse } from '../engine/domain/refusal.js';
import { plainAddress } from '../engine/service/address-list.js';
import { type Caller, resolveToken } from '../engine/service/caller.js';
import { mayPerform, perform } from '../engine/service/perform.js';
import type { Services } from '../engine/service/services.js';
import { type Body, bodyOf, bytesOf } from './body.js';
import { FIXED_HEADERS } from './headers.js';
import { fromAddress, type Limits, withKey } from './limits.js';
import type { Live } from './live/live.js';
import { refuseRequest } from './problem.js';
import type { Permit } from './rate-limit.js';
import { HTTP_STATUS } from './refusals.js';
import { nextRequestId } from './request-id.js';
import type { RestOperation, Route } from './route.js';
import { renamed, renamedMembers } from './shapes.js';

export interface Door {
  readonly services: Services;
  readonly limits: Limits;
  readonly answered: AnsweredCounts;
  /** Who looks on; absent where the live page is not served. */
  readonly live?: Live | undefined;
}

/** Answers by operation and status, for the metrics. */
export class AnsweredCounts {
  readonly #counts = new Map<string, Float64Array>();

  count(operation: string, status: number): void {
    let byStatus = this.#counts.get(operation);
    if (byStatus === undefined) {
      byStatus = new Float64Array(600);
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

/** What the answer's RateLimit headers speak about; nothing before somebody is known. */
interface Counted {
  permit: Permit | undefined;
}

export async function serve<Name extends RestOperation>(
  door: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  const requestId = nextRequestId();
  const counted: Counted = { permit: undefined };
  try {
    const answer = await answerTo(door, name, route, request, counted);
    const limits = counted.permit ? door.limits[route.limit].headers(counted.permit) : [];
    if (isRefusal(answer)) {
      door.answered.count(name, HTTP_STATUS[answer.refusal]);
      refuseRequest(response, { instance: request.path, requestId }, answer, limits);
    } else {
      door.answered.count(name, 200);
      send(response, requestId, route.body(answer), limits, route.headers?.(answer));
    }
  } catch (error) {
    door.answered.count(name, 500);
    const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error));
    door.services.log.error({ request_id: requestId, operation: name, kind, stack }, message);
    refuseRequest(response, { instance: request.path, requestId }, refuse('INTERNAL_ERROR'));
  }
}

async function answerTo<Name extends RestOperation>(
  door: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  counted: Counted,
) {
  const bytes = await bytesOf(request);
  if (isRefusal(bytes)) return bytes;
  if (route.limit === 'authentication') return authenticated(door, name, route, request, counted);

  const caller = await resolveToken(door.services, bearer(request), addressOf(request));
  // Looking for the caller is not yet the command: whatever became of it, nothing was executed.
  if (isRefusal(caller)) return { ...caller, outcome: 'none' as const };
  const refusal = mayPerform(name, caller);
  if (refusal) return refusal;
  const taken = door.limits[route.limit].take(caller.clientId, door.services.now());
  const permit = taken instanceof Promise ? await taken : taken;
  counted.permit = permit;
  if (!permit.granted) return tooMany(permit);
  const body = bytes && (await bodyOf(bytes, request.headers, route));
  if (isRefusal(body)) return body;
  const answer = await perform(door.services, name, caller as Caller, route.input(request, body?.fields));
  return isRefusal(answer) ? withTheirNames(answer, route, request, body?.fields) : answer;
}

async function authenticated<Name extends RestOperation>(
  door: Door,
  name: Name,
  route: Route<Name>,
  request: Request,
  counted: Counted,
) {
  const permit = await takeAttempt(door, String(request.headers.client_key ?? ''), addressOf(request));
  counted.permit = permit;
  if (!permit.granted) return tooMany(permit);
  const answer = await perform(door.services, name, undefined, route.input(request, undefined));
  return isRefusal(answer) ? noLessWrong(answer) : answer;
}

/** Nobody is known yet: an attempt counts against its address and its client key, whatever comes of it. The scarcer of the two permits. */
export async function takeAttempt({ services, limits }: Door, clientKey: string, address: string): Promise<Permit> {
  const now = services.now();
  const key = clientKey.slice(0, 128);
  let scarcer = await limits.authentication.take(fromAddress(address), now);
  // Whoever has tried wrong secrets until he was locked does not use up what the owner of the key may send.
  if (!scarcer.granted || key === '' || services.keyLocks.isLocked(key, address, now)) return scarcer;
  const ofKey = await limits.authentication.take(withKey(key), now);
  if (ofKey.left < scarcer.left || !ofKey.granted) scarcer = ofKey;
  return scarcer;
}

/** Credentials that are missing or misshapen are no less wrong than others: one answer for all. */
export function noLessWrong(refusal: Refusal): Refusal {
  return refusal.refusal === 'VALIDATION_FAILED' ? refuse('BAD_CREDENTIALS') : refusal;
}

export const addressOf = ({ socket }: Pick<Request, 'socket'>): string =>
  plainAddress(socket.remoteAddress ?? 'unknown');

export function tooMany({ resetS }: Permit): Refusal {
  return refuse('RATE_LIMITED', undefined, { retryAfterS: resetS });
}

/** The token of `authorization: Bearer <token>`; another scheme is no token of ours. */
function bearer(request: Request): string | undefined {
  const header = request.headers.authorization;
  if (!header) return undefined;
  const found = /^bearer(?: +(\S+))? *$/i.exec(header);
  return found ? found[1] : 'not-a-bearer-token';
}

function withTheirNames<Name extends RestOperation>(
  refusal: Refusal,
  route: Route<Name>,
  request: Request,
  body: Body | undefined,
): Refusal {
  const { fields, warnings, details } = refusal;
  if (!fields && !details) return refusal;
  const names = typeof route.names === 'function' ? route.names(request, body) : route.names;
  return {
    ...refusal,
    ...(fields && { fields: renamed(fields, names) }),
    ...(warnings && { warnings: renamed(warnings, names) }),
    ...(details && { details: renamedMembers(details, names) }),
  };
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
