/** Handles one request: checks in the documented order, performs the operation, and renders the answer. Knows no rule of any operation. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Live } from 'ratewire-live';
import {
  type FieldFaultCode,
  isRefusal,
  type Refusal,
  type RefusalCode,
  refuse,
} from '../engine/domain/core/refusal.js';
import {
  type AuthenticationEvent,
  type AuthenticationEvents,
  outcomeOf,
} from '../engine/service/access/authentication-events.js';
import { type Caller, onBehalfOf, resolveToken, type TokenCaller, tokenOwner } from '../engine/service/core/caller.js';
import { nextRequestId } from '../engine/service/core/ids.js';
import type { Services } from '../engine/service/core/services.js';
import type { OutputOf } from '../engine/service/operations.js';
import { mayPerform, perform } from '../engine/service/perform.js';
import type { RestOperation, Route } from './features/routes.js';
import { ACTING_FOR, ON_BEHALF_OF, renamed, renamedMembers } from './features/shapes.js';
import { type Body, type BodyRule, bodyOf, bytesOf, MAX_BODY_BYTES } from './http/body.js';
import { withField } from './http/field-of.js';
import { fromAddress, type Limits, type Permit, withKey } from './http/rate-limit.js';
import { HTTP_STATUS, refuseRequest, send, sendReferenceData } from './http/responses.js';
import { UNKNOWN_MAX, unknownFields } from './openapi/unknown-fields.js';

export interface RestContext {
  readonly services: Services;
  readonly limits: Limits;
  readonly requestCounts: RequestCounts;
  readonly events: AuthenticationEvents;
  /** The address that a request comes from. */
  addressOf(request: Pick<IncomingMessage, 'socket' | 'headers'>): string;
  /** Absent where the live page is not served. */
  readonly live?: Live | undefined;
}

/** Answers by operation and status, for the metrics. */
export class RequestCounts {
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

/** One request, before its caller is authenticated. */
interface Requester {
  readonly requestId: string;
  readonly address: string;
  /** For the RateLimit headers of the answer. */
  permit?: Permit;
  /** The client that the request is for, once it is known. */
  actingFor?: string;
}

export async function serve<Name extends RestOperation>(
  context: RestContext,
  name: Name,
  route: Route<Name>,
  request: Request,
  response: ServerResponse,
): Promise<void> {
  const requestId = nextRequestId();
  const requester: Requester = { requestId, address: context.addressOf(request) };
  try {
    const answer = await answerTo(context, name, route, request, requester);
    const ofLimit = requester.permit ? context.limits[route.limit].headers(requester.permit) : [];
    const { actingFor } = requester;
    const limits = actingFor === undefined ? ofLimit : [...ofLimit, ACTING_FOR, actingFor];
    if (isRefusal(answer)) {
      context.requestCounts.count(name, HTTP_STATUS[answer.refusal]);
      refuseRequest(response, { instance: request.path, requestId }, answer, limits);
    } else {
      const status = route.isReferenceData
        ? sendReferenceData(response, requestId, answer, route.body, limits)
        : sendAnswer(response, requestId, route, answer, limits);
      context.requestCounts.count(name, status);
    }
  } catch (error) {
    context.requestCounts.count(name, 500);
    const { name: kind, message, stack } = error instanceof Error ? error : new Error(String(error));
    context.services.log.error({ request_id: requestId, operation: name, kind, stack }, message);
    refuseRequest(response, { instance: request.path, requestId }, refuse('INTERNAL_ERROR'));
  }
}

function sendAnswer<Name extends RestOperation>(
  response: ServerResponse,
  requestId: string,
  route: Route<Name>,
  answer: OutputOf<Name>,
  limits: readonly string[],
): 200 {
  const own = ownHeaders(route, answer);
  const other = route.text?.(answer);
  if (other) return send(response, requestId, other.text, limits, own, other.type);
  return send(response, requestId, JSON.stringify(route.body(answer)), limits, own);
}

function ownHeaders<Name extends RestOperation>(route: Route<Name>, answer: OutputOf<Name>) {
  const headers = route.headers?.(answer);
  return route.version === undefined ? headers : [...(headers ?? []), 'etag', `"${route.version(answer)}"`];
}

async function answerTo<Name extends RestOperation>(
  context: RestContext,
  name: Name,
  route: Route<Name>,
  request: Request,
  requester: Requester,
) {
  const rule = route.bodyMax === undefined ? undefined : await largeBodyRule(context, name, route, request, requester);
  const bytes = await bytesOf(request, rule);
  if (isRefusal(bytes)) return bytes;
  if (route.limit === 'authentication') {
    const input = { ...(route.input(request, undefined) as object), address: requester.address };
    const unknown = async () => {
      // It has no body: blanks are none.
      const isBlank = bytes === undefined || bytes.toString().trim() === '';
      const body = isBlank ? undefined : await bodyOf(bytes, request.headers, route);
      if (isRefusal(body)) return body;
      const fields = unknownFields(name, route, request.query, body?.fields);
      return fields.length > 0 ? refuse('VALIDATION_FAILED', undefined, { fields }) : undefined;
    };
    const answer = await withCredentials(context, name as OfCredentials, input, requester, { unknown });
    if (!isRefusal(answer)) requester.actingFor = answer.clientId;
    return answer as OutputOf<Name> | Refusal;
  }

  const token = bearer(request);
  const owner = await resolveToken(context.services, token, requester.address);
  const caller = isRefusal(owner) ? owner : await callerOf(context.services, owner, request);
  if (isRefusal(owner) || isRefusal(caller)) {
    const refusal = caller as Refusal;
    if (refusal.refusal !== 'STORE_UNAVAILABLE')
      await noteRefused(context, requester, refusal, await tokenOwner(context.services, token));
    // Authentication precedes the command: whatever its outcome, nothing was executed.
    return { ...refusal, outcome: 'none' as const };
  }
  requester.actingFor = caller.clientId;
  const refusal = mayPerform(name, caller);
  if (refusal) await noteRefused(context, requester, refusal, caller);
  if (refusal) return refusal;
  const taken = context.limits[route.limit].take(owner.clientId, context.services.now());
  const permit = taken instanceof Promise ? await taken : taken;
  requester.permit = permit;
  if (!permit.granted) return tooMany(permit);
  const body = bytes && (await bodyOf(bytes, request.headers, route));
  if (isRefusal(body)) return body;
  const unknown = unknownFields(name, route, request.query, body?.fields);
  // As many as an answer names: the others are not searched.
  if (unknown.length >= UNKNOWN_MAX) return refuse('VALIDATION_FAILED', undefined, { fields: unknown });
  const input = route.input(request, body?.fields);
  const answer = await perform(context.services, name, caller, input, unknown);
  if (!isRefusal(answer)) return answer;
  if (answer.refusal === 'NOT_ENTITLED') await noteRefused(context, requester, answer, caller);
  return withTheirNames(withField(answer, input), route, request, body?.fields);
}

/** The owner of the token, or the sub-client that it acts for. An empty header is one without an id. */
function callerOf(services: Services, owner: TokenCaller, { headers }: Request): Promise<Caller | Refusal> | Caller {
  const id = headers[ON_BEHALF_OF];
  return id === undefined ? owner : onBehalfOf(services, owner, String(id));
}

/** A large body is read only for a caller who may perform the operation: others send as much as to any other path. */
async function largeBodyRule<Name extends RestOperation>(
  { services }: RestContext,
  name: Name,
  { bodyMax = 0, csv }: Route<Name>,
  request: Request,
  { address }: Requester,
): Promise<BodyRule> {
  const caller = await resolveToken(services, bearer(request), address);
  const isEntitled = !isRefusal(caller) && mayPerform(name, caller) === undefined;
  return { max: isEntitled ? bodyMax : MAX_BODY_BYTES, csv: csv !== undefined };
}

function noteRefused(
  { events }: RestContext,
  { address, requestId }: Requester,
  { refusal: code }: Refusal,
  caller: Caller | undefined,
): Promise<void> {
  const of = { clientKey: caller?.keyId, clientId: caller?.clientId };
  return events.note({ door: 'rest', outcome: outcomeOf(code), code, address, requestId, ...of });
}

export interface Credentials {
  readonly token?: unknown;
  readonly clientKey?: unknown;
  readonly clientSecret?: unknown;
  readonly address: string;
}

type OfCredentials = 'authenticate' | 'revokeTokens';

interface WithCredentials {
  readonly at?: AuthenticationEvent['door'];
  /** Refuses fields that the request has and the operation has not; called once the address may try. */
  readonly unknown?: () => Promise<Refusal | undefined>;
}

/**
 * Performs what is requested with a client key and its secret. Each attempt counts against its address, and once the secret is verified also
 * against its client key: only the owner of a key sees what is left of its limit, and only the owner uses it up.
 */
export async function withCredentials<Name extends OfCredentials>(
  context: RestContext,
  name: Name,
  credentials: Credentials,
  requester: Pick<Requester, 'requestId' | 'permit'>,
  { at = 'rest', unknown }: WithCredentials = {},
): Promise<OutputOf<Name> | Refusal> {
  const { authentication } = context.limits;
  const { address } = credentials;
  const now = context.services.now();
  const ofAddress = await authentication.take(fromAddress(address), now);
  requester.permit = ofAddress;
  const admit = async ({ keyId }: { keyId: string }) => {
    const ofKey = await authentication.take(withKey(keyId), now);
    if (ofKey.left < ofAddress.left || !ofKey.granted) requester.permit = ofKey;
    return ofKey.granted ? undefined : tooMany(ofKey);
  };
  const answer = ofAddress.granted
    ? ((await unknown?.()) ?? (await perform(context.services, name, undefined, { ...credentials, admit })))
    : tooMany(ofAddress);

  const attempt = { door: at, address, requestId: requester.requestId };
  if (isRefusal(answer)) {
    const refusal = maskValidationError(answer);
    const { refusal: code } = refusal;
    await context.events.note({
      ...attempt,
      outcome: outcomeOf(code),
      code,
      ...(await nameOf(context, credentials, code)),
    });
    return refusal;
  }
  const { clientId, keyId } = answer;
  const tokens = 'tokensRevoked' in answer ? answer.tokensRevoked : undefined;
  const outcome = tokens === undefined ? 'succeeded' : 'revoked';
  await context.events.note({ outcome, clientKey: keyId, clientId, tokens, ...attempt });
  return answer;
}

/** The owner of refused credentials, for the log: the key as it was sent, else that of the token. */
async function nameOf(context: RestContext, { clientKey, token }: Credentials, code: RefusalCode) {
  if (typeof clientKey === 'string') return { clientKey };
  const isKnown = typeof token === 'string' && code !== 'STORE_UNAVAILABLE' && code !== 'RATE_LIMITED';
  const owner = isKnown ? await tokenOwner(context.services, token) : undefined;
  return { clientKey: owner?.keyId, clientId: owner?.clientId };
}

const MISSING =
  'Credentials missing: send client_key and client_secret, or client-key and client-secret, or HTTP Basic; some proxies drop headers with underscores';

/** Malformed credentials get the same answer as wrong ones. */
function maskValidationError(refusal: Refusal): Refusal {
  if (refusal.refusal !== 'VALIDATION_FAILED') return refusal;
  const has = (wanted: FieldFaultCode) => refusal.fields?.some(({ code }) => code === wanted) ?? false;
  if (has('invalid_combination') || has('unsupported_field')) return refusal;
  return refuse('BAD_CREDENTIALS', has('field_missing') ? MISSING : undefined);
}

export function tooMany({ resetS }: Permit): Refusal {
  return refuse('RATE_LIMITED', undefined, { retryAfterS: resetS });
}

/** The token of `authorization: Bearer <token>`; another scheme is no token of ours. */
export function bearer(request: Request): string | undefined {
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
