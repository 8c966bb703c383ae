/**
 * Logging in to the live page: a client key and its secret for a cookie that holds the token, which no script of the page ever sees. A
 * form of another site can neither log in nor out: both check the origin.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'express';
import { isRefusal, type Refusal, refuse } from '../../../engine/domain/core/refusal.js';
import { OPERATE } from '../../../engine/domain/core/rights.js';
import { resolveToken, type TokenCaller } from '../../../engine/service/core/caller.js';
import { nextRequestId } from '../../../engine/service/core/ids.js';
import { perform } from '../../../engine/service/perform.js';
import { type RestContext, withCredentials } from '../../handler.js';
import { bodyOf, bytesOf } from '../../http/body.js';
import { HTTP_STATUS, refuseRequest, send } from '../../http/responses.js';

export interface LiveEndpoint {
  readonly method: 'get' | 'post';
  readonly path: string;
  answer(request: Request, response: ServerResponse): Promise<void>;
}

const COOKIE = 'ratewire_live';
/** Over TLS: a browser takes and sends it only with `Secure`, `Path=/` and no domain, so that no other host and no plain page can set it. */
const SECURE_COOKIE = `__Host-${COOKIE}`;
const PATH = '/live';
const JSON_ONLY = /^application\/json\s*(;|$)/i;

export function loginEndpoints(context: RestContext): readonly LiveEndpoint[] {
  const endpoint = (
    method: 'get' | 'post',
    path: string,
    ask: (request: Request, requestId: string) => Promise<Answer | Refusal>,
  ) => ({
    method,
    path: `${PATH}/${path}`,
    async answer(request: Request, response: ServerResponse) {
      const requestId = nextRequestId();
      const answer = await ask(request, requestId);
      if (isRefusal(answer)) refuseRequest(response, { instance: request.path, requestId }, answer);
      else {
        const cookie = answer.cookie === undefined ? [] : ['set-cookie', answer.cookie];
        send(response, requestId, JSON.stringify(answer.body), [], cookie);
      }
    },
  });
  return [
    endpoint('post', 'login', (request, requestId) => logIn(context, request, requestId)),
    endpoint('post', 'logout', (request, requestId) => logOut(context, request, requestId)),
    endpoint('get', 'session', async (request) => {
      const caller = await callerOfCookie(context, request);
      if (!isRefusal(caller)) return { body: sessionBody(caller) };
      // A page sends this request before its login: without a login the answer is 200.
      return caller.refusal === 'STORE_UNAVAILABLE' ? caller : { body: { client_id: null } };
    }),
  ];
}

/** The caller of the request's cookie. Refuses with TOKEN_REQUIRED, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, STORE_UNAVAILABLE. */
export function callerOfCookie(context: RestContext, request: IncomingMessage): Promise<TokenCaller | Refusal> {
  return resolveToken(context.services, tokenOf(request), context.addressOf(request));
}

/** Whether a page of this server sent it: a browser sends Origin with every POST and WebSocket. */
export function isOfThisOrigin({ headers, socket }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  // Without TLS here a proxy in front may terminate it.
  return from.host === host.toLowerCase() && (from.protocol === 'https:' || !isOverTls(socket));
}

interface Answer {
  readonly body: object;
  readonly cookie?: string;
}

async function logIn(context: RestContext, request: Request, requestId: string): Promise<Answer | Refusal> {
  const bytes = await bytesOf(request);
  if (isRefusal(bytes)) return bytes;
  if (!isOfThisOrigin(request)) return refuse('NOT_ENTITLED', 'Only the page itself logs in: open /live');
  if (!JSON_ONLY.test(request.headers['content-type'] ?? '')) return refuse('UNSUPPORTED_CONTENT_TYPE');
  const body = bytes && (await bodyOf(bytes, request.headers, {}));
  if (isRefusal(body)) return body;
  const { client_key: clientKey, client_secret: clientSecret } = body?.fields ?? {};
  const address = context.addressOf(request);
  const found = await withCredentials(
    context,
    'authenticate',
    { clientKey, clientSecret, address },
    { requestId },
    { at: 'live' },
  );
  context.requestCounts.count('authenticate', isRefusal(found) ? HTTP_STATUS[found.refusal] : 200);
  if (isRefusal(found)) return found;
  const { token, expiresAtMs, clientId, rights } = found;
  const seconds = Math.floor((expiresAtMs - context.services.now()) / 1_000);
  return {
    body: sessionBody({ clientId, rights: new Set(rights), expiresAtMs }),
    cookie: cookieOf(request, token, seconds),
  };
}

/** Revokes the token too, so that a copy of the cookie is invalid. */
async function logOut(context: RestContext, request: Request, requestId: string): Promise<Answer | Refusal> {
  if (!isOfThisOrigin(request)) return refuse('NOT_ENTITLED', 'Only the page itself logs out: open /live');
  const token = tokenOf(request);
  const caller = await resolveToken(context.services, token, context.addressOf(request));
  if (!isRefusal(caller)) {
    const ended = await perform(context.services, 'revokeToken', caller, { token });
    if (isRefusal(ended)) return ended;
    const { keyId: clientKey, clientId } = caller;
    const of = { clientKey, clientId, address: context.addressOf(request), requestId, tokens: 1 };
    await context.events.note({ door: 'live', outcome: 'revoked', ...of });
  } else if (caller.refusal === 'STORE_UNAVAILABLE') return caller;
  return { body: {}, cookie: cookieOf(request, '', 0) };
}

function sessionBody({
  clientId,
  rights,
  expiresAtMs,
}: Pick<TokenCaller, 'clientId' | 'rights' | 'expiresAtMs'>): object {
  return { client_id: clientId, operator: rights.has(OPERATE), expires_at: new Date(expiresAtMs).toISOString() };
}

function cookieOf(request: IncomingMessage, token: string, seconds: number): string {
  // A proxy may terminate TLS in front of a plain listener: then the Origin is https.
  const isSecure = isOverTls(request.socket) || /^https:/i.test(request.headers.origin ?? '');
  const own = isSecure ? [`${SECURE_COOKIE}=${token}`, 'Path=/', 'Secure'] : [`${COOKIE}=${token}`, `Path=${PATH}`];
  return [...own, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'].join('; ');
}

const isOverTls = (socket: Socket): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/** The cookie without the prefix counts only where this connection has no TLS: whether the browser's has is not known then. */
function tokenOf({ headers, socket }: IncomingMessage): string | undefined {
  const cookies = new Map<string, string>();
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    cookies.set(name.trim(), value.trim());
  }
  return cookies.get(SECURE_COOKIE) ?? (isOverTls(socket) ? undefined : cookies.get(COOKIE));
}
