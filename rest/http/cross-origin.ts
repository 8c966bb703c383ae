/** Cross-origin requests of pages that the operator allows (CORS, https://fetch.spec.whatwg.org): without the setting there is no header. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What programs read beside the body. */
const EXPOSED = 'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, x-acting-for, x-request-id';
const METHODS = 'GET, HEAD, POST, PATCH, DELETE';
/** No `client_key`, no `client_secret`: a page has a token, and its own server has the secret. */
const HEADERS = 'authorization, content-type, if-match, if-none-match, x-on-behalf-of';
/** Browsers ask again after so long, s. */
const KEPT_S = '600';

/** Adds the headers of an answer; true where it was a preflight, which is answered then. */
export type CrossOrigin = (request: IncomingMessage, response: ServerResponse) => boolean;

/** For these origins, each as a browser writes it; undefined where there is none. Cookies are never accepted from another origin. */
export function crossOrigin(origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  return ({ method, url, headers }, response) => {
    if (!isOfApi(url ?? '')) return false;
    // Also for other origins: a cache must not give one the answer of another.
    response.setHeader('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', EXPOSED);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', HEADERS);
    response.setHeader('access-control-max-age', KEPT_S);
    response.writeHead(204).end();
    return true;
  };
}

/** The live page and the documentation are for their own origin alone. */
const isOfApi = (url: string): boolean => url.startsWith('/api/') || url === '/openapi.json';
