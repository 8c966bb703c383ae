/** The HTTP server: routes, limits on what a connection may cost, and a problem body for a request that fits no route. */

import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { isStream, liveFiles } from 'ratewire-live';
import { refuse } from '../engine/domain/core/refusal.js';
import { nextRequestId } from '../engine/service/core/ids.js';
import { loginEndpoints } from './features/live-page/login.js';
import { type Upgrade, upgradeOf } from './features/live-page/upgrade.js';
import { type RestOperation, ROUTES, type Route, type Routes } from './features/routes.js';
import { type RestContext, serve } from './handler.js';
import type { CrossOrigin } from './http/cross-origin.js';
import { FIXED_HEADERS, problemText, type RequestRef, refuseRequest } from './http/responses.js';
import { page, pages } from './openapi/pages.js';

/** Between two checks of whether a request has arrived in time: a request may need up to two more. */
const CHECK_MS = 250;
/** Beyond those that are bounded by other means: TLS handshakes, open live pages. */
const MAX_CONNECTIONS = 10_000;
/** Connections that the kernel keeps while we are busy: beyond them callers wait a second and more. */
const BACKLOG = 1_024;
const MAX_HEADER_BYTES = 16_384;
/** Requests in progress at a stop may end within this time: a command waits at most 2 s for each of its steps. */
const DRAIN_MS = 3_000;

export interface ConnectionLimits {
  /** Open connections; one more closes the one that has been idle for longest. */
  readonly connections: number;
  /** A connection is closed when its peer has read nothing of an answer for so long, ms. */
  readonly stalledMs: number;
  /** Within so long a request must have arrived, headers and body, ms: else 408. */
  readonly requestMs: number;
  /** A connection without a request is kept for so long, ms. */
  readonly keepAliveMs: number;
}

export const STALLED_MS = 10_000;
const LIMITS: ConnectionLimits = {
  connections: 8_000,
  stalledMs: STALLED_MS,
  requestMs: 5_000,
  keepAliveMs: 65_000,
};

export interface RestServer {
  readonly port: number;
  /** Accepts no new requests, answers those in flight; settles within seconds. */
  stop(): Promise<void>;
}

/** What answers requests, on any number of listeners. */
export interface Application {
  readonly app: Express;
  /** Answers the request instead of `app`, where its path is that of one endpoint exactly. */
  readonly direct?: ((request: Request) => Endpoint['answer'] | undefined) | undefined;
  readonly messages: ReturnType<typeof lightMessages>;
  /** Handles a request to upgrade; absent: it is answered like every other. */
  readonly upgrade?: Upgrade | undefined;
}

/** Where to listen, and with which certificate. */
export interface RestListener {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** TLS with these options; `prepare` adds what the listener needs before it listens. */
  readonly tls?: { readonly options: TlsOptions; prepare(server: TlsServer): void } | undefined;
  /** Reads the header of the PROXY protocol in front of each connection. */
  readonly proxies?: { prepare(server: Server | TlsServer): void } | undefined;
  /** For pages of other origins; absent: they are for none. */
  readonly cors?: CrossOrigin | undefined;
  readonly limits?: Partial<ConnectionLimits>;
}

/** Rejects with the error of the listen. */
export async function listen(
  { app, direct, messages, upgrade }: Application,
  { host, port, tls, proxies, cors, limits }: RestListener,
): Promise<RestServer> {
  const { connections, stalledMs, requestMs, keepAliveMs } = { ...LIMITS, ...limits };
  const refuseConnection = refuseBroken(requestMs);
  const open = new OpenConnections(connections);
  const options = {
    ...messages,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: CHECK_MS,
    keepAlive: true,
    noDelay: true,
    // Node's own rejection has no body.
    requireHostHeader: false,
  };
  const inFlight = new Set<ServerResponse>();
  function ended(this: ServerResponse): void {
    inFlight.delete(this);
  }
  let isDraining = false;
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    const request = incoming as Request;
    open.touch(request.socket);
    if (!hasOneHost(request) || !hasPath(request)) return refuseConnection(new Error('Host or path'), request.socket);
    inFlight.add(response);
    response.on('close', ended);
    if (isDraining) response.shouldKeepAlive = false;
    if (cors?.(request, response)) return;
    return (direct?.(request) ?? app)(request, response as Response);
  };
  const server = tls ? createTlsServer({ ...options, ...tls.options }, answer) : createServer(options, answer);
  // An expectation other than 100-continue may be ignored; Node would answer 417, without a body.
  server.on('checkExpectation', answer);
  if (upgrade) {
    server.on('upgrade', (request, socket, head) => {
      open.leave(request.socket);
      upgrade(request, socket, head);
    });
  }
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => open.add(socket));
  server.on('connect', (_request, socket) => refuseConnection(new Error('CONNECT'), socket));
  server.headersTimeout = requestMs - 2 * CHECK_MS;
  server.requestTimeout = requestMs - 2 * CHECK_MS;
  server.keepAliveTimeout = keepAliveMs;
  server.timeout = stalledMs;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', refuseConnection);
  if (server instanceof TlsServer) tls?.prepare(server);
  // The proxy's header comes before everything else.
  proxies?.prepare(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const stop = async (): Promise<void> => {
    isDraining = true;
    // `Connection: close` on answers that have not begun: their connections take no further request.
    for (const response of inFlight) response.shouldKeepAlive = false;
    await drained(server);
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Routes, pages, and a problem document for a request that fits none. */
export function application(context: RestContext, routes: Partial<Routes> = ROUTES): Application {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');

  const methods = new Map<string, string[]>();
  const served = endpoints(context, routes);
  for (const { method, path, answer } of served) {
    app[method](path, answer);
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])]);
  }
  const shown = [...pages(), ...(context.live ? livePages() : [])].map((page) => ({ ...page, method: 'get' as const }));
  for (const { method, path, answer } of [...shown, ...(context.live ? loginEndpoints(context) : [])]) {
    app[method](path, (request, response) => answer(request, response).catch(pageFault(context, request, response)));
    methods.set(path, method === 'get' ? ['GET', 'HEAD'] : ['POST']);
  }
  for (const [path, allowed] of methods) {
    const allow = ['allow', allowed.join(', ')];
    app.all(path, (request, response) => refuseRequest(response, refOf(request), refuse('METHOD_NOT_ALLOWED'), allow));
  }
  app.use((request: Request, response: Response) =>
    refuseRequest(response, refOf(request), refuse('NOT_FOUND', 'No such path: check the address')),
  );
  // Express reports a path that cannot be decoded this way; the handler itself never throws.
  app.use((_error: unknown, request: Request, response: Response, _next: NextFunction) =>
    refuseRequest(response, refOf(request), refuse('VALIDATION_FAILED', 'The path is not valid percent-encoding')),
  );
  const direct = directEndpoints(served);
  return { app, direct, messages: lightMessages(app, isStream), upgrade: upgradeOf(context) };
}

const livePages = () => liveFiles().map(({ path, type, read, headers }) => page(path, type, read, headers));

const refOf = ({ path }: Request): RequestRef => ({ instance: path, requestId: nextRequestId() });

/** A page that cannot be read, because a file is missing: INTERNAL_ERROR. */
function pageFault({ services }: RestContext, request: Request, response: ServerResponse): (error: Error) => void {
  return ({ stack, message }) => {
    const of = refOf(request);
    services.log.error({ request_id: of.requestId, stack }, message);
    refuseRequest(response, of, refuse('INTERNAL_ERROR'));
  };
}

interface Endpoint extends Pick<Route, 'method' | 'path'> {
  answer(request: Request, response: ServerResponse): Promise<void>;
}

/** In the order in which Express matches: a parameter matches any word, so paths without one come first. */
function endpoints(context: RestContext, routes: Partial<Routes>): Endpoint[] {
  const all = (Object.keys(routes) as RestOperation[]).flatMap((name) => endpointsOf(context, name, routes));
  const hasParameter = ({ path }: Endpoint) => Number(path.includes(':'));
  return all.sort((one, other) => hasParameter(one) - hasParameter(other));
}

/** A value that Express would not decode or cut. */
const PLAIN = /^[\w.-]+$/;

/** By method and path, where Express compares one path after the other. What is not found, also each HEAD, is left to Express. */
function directEndpoints(served: readonly Endpoint[]): NonNullable<Application['direct']> {
  const known = new Map<string, Endpoint & { readonly parameter: string | undefined }>();
  for (const endpoint of served) {
    const [path, parameter, ...more] = endpoint.path.split('/:');
    const name = `${endpoint.method.toUpperCase()} ${path}${parameter === undefined ? '' : '/'}`;
    if (more.length === 0 && !parameter?.includes('/') && !known.has(name)) known.set(name, { ...endpoint, parameter });
  }
  return (request) => {
    const { method, url } = request;
    const query = url.indexOf('?');
    const name = `${method} ${query < 0 ? url : url.slice(0, query)}`;
    const exact = known.get(name);
    if (exact !== undefined && exact.parameter === undefined) return exact.answer;
    const end = name.lastIndexOf('/') + 1;
    const found = known.get(name.slice(0, end));
    const value = name.slice(end);
    if (found?.parameter === undefined || !PLAIN.test(value)) return undefined;
    request.params = { [found.parameter]: value };
    return found.answer;
  };
}

function endpointsOf<Name extends RestOperation>(
  context: RestContext,
  name: Name,
  routes: Partial<Routes>,
): Endpoint[] {
  const given: Route<Name> | readonly Route<Name>[] = routes[name] ?? [];
  return ('path' in given ? [given] : given).map((route) => ({
    method: route.method,
    path: route.path,
    answer: (request, response) => serve(context, name, route, request, response),
  }));
}

/** HTTP/1.1 requires Host, and 400 where it is missing or there are two (RFC 9112, 3.2): a proxy in front may have read the other one. */
function hasOneHost({ headers, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMinor !== 1;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1;
}

/** A proxy may send the server's name in front of the path (RFC 9112, 3.2.2): it is removed. */
function hasPath(request: IncomingMessage): boolean {
  const { url = '/' } = request;
  if (url.startsWith('/') || url === '*') return true;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { pathname, search } = new URL(url);
  request.url = pathname + search;
  return true;
}

const SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Bytes that are no HTTP request, or one that is too long or too slow: answered if the socket is still writable, and closed. */
const refuseBroken =
  (requestMs: number) =>
  (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const texts: Readonly<Record<string, string>> = {
      [SLOW]: `The request was not here within ${requestMs / 1_000} seconds: send it faster`,
      HPE_HEADER_OVERFLOW: 'Address and headers above 16 KiB: send less',
    };
    const text = texts[error.code ?? ''] ?? 'Not a valid HTTP request to a path of this server';
    const requestId = nextRequestId();
    const status = error.code === SLOW ? 408 : 400;
    const code = status === 408 ? 'REQUEST_TIMEOUT' : 'VALIDATION_FAILED';
    const body = problemText({ instance: '', requestId }, refuse(code, text), status);
    const head = [
      status === 408 ? 'HTTP/1.1 408 Request Timeout' : 'HTTP/1.1 400 Bad Request',
      'connection: close',
      `date: ${new Date().toUTCString()}`,
      'content-type: application/problem+json; charset=utf-8',
    ];
    for (let i = 0; i < FIXED_HEADERS.length; i += 2) head.push(`${FIXED_HEADERS[i]}: ${FIXED_HEADERS[i + 1]}`);
    head.push(`x-request-id: ${requestId}`, `content-length: ${Buffer.byteLength(body)}`);
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };

async function drained(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
}

/** Open connections, bounded: a caller with many idle connections cannot keep other callers out. */
class OpenConnections {
  /** The one that has been idle for longest comes first. */
  readonly #open = new Set<Socket>();

  constructor(private readonly most: number) {}

  /** Closes the first above the limit. */
  add(socket: Socket): void {
    if (this.#open.size >= this.most) {
      const [first] = this.#open;
      this.#open.delete(first!);
      first!.destroy();
    }
    this.#open.add(socket);
    socket.once('close', () => this.leave(socket));
  }

  touch(socket: Socket): void {
    if (this.#open.delete(socket)) this.#open.add(socket);
  }

  /** Another limit bounds the connection from now on. */
  leave(socket: Socket): void {
    this.#open.delete(socket);
  }
}

/** Whether an upgrade is considered, by the address; some clients offer one with every request. */
type TakesOffer = (url: string) => boolean;

/**
 * Options for createServer, once for each application: requests and responses that are created with Express's prototypes. Express else replaces
 * the prototype of each message, which costs five times as much as the rest of Express, and moves the garbage of a request to the old generation.
 */
export function lightMessages(app: Express, takesOffer: TakesOffer) {
  class OwnRequest extends IncomingMessage {
    declare private offered: boolean;

    /** Node reads it once the address is known; where it is true the application does not get the request. */
    get upgrade(): boolean {
      return this.offered;
    }
    set upgrade(offered: boolean | null) {
      this.offered = offered === true && takesOffer(this.url ?? '');
    }
  }
  class OwnResponse extends ServerResponse<OwnRequest> {}
  const { request, response } = app as unknown as Readonly<Record<'request' | 'response', object>>;
  Object.setPrototypeOf(OwnRequest.prototype, request);
  Object.setPrototypeOf(OwnResponse.prototype, response);
  Object.assign(app, { request: OwnRequest.prototype, response: OwnResponse.prototype });
  return { IncomingMessage: OwnRequest, ServerResponse: OwnResponse };
}
