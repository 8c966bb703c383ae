/** The headers that every answer carries, worked out once: helmet's, for an API that serves no page, and no caching. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

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
