/** From an HTTP request at /live/stream to the WebSocket of a page: only with the page's own origin, and its cookie. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PageCaller } from 'ratewire-live';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { OPERATE } from '../../../engine/domain/core/rights.js';
import type { TokenCaller } from '../../../engine/service/core/caller.js';
import { type RestContext, tooMany } from '../../handler.js';
import { HTTP_STATUS } from '../../http/responses.js';
import { callerOfCookie, isOfThisOrigin } from './login.js';

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What a server does with a request to upgrade, with TLS or without; undefined where the page is not served. */
export function upgradeOf(context: RestContext): Upgrade | undefined {
  const { live } = context;
  if (live === undefined) return undefined;
  return (request, socket, head) => {
    // A peer that disconnects before it is authenticated is no fault.
    socket.on('error', () => socket.destroy());
    void admitted(context, request)
      .then((caller) => {
        if (typeof caller === 'number') return refuse(socket, caller);
        if (socket.destroyed) return undefined;
        return live.accept(request, socket, head, caller);
      })
      .catch((error: unknown) => {
        context.services.log.error(
          { kind: error instanceof Error ? error.name : 'unknown' },
          'a page could not be accepted',
        );
        refuse(socket, 500);
      });
  };
}

/** The caller, or the status that refuses. Each connection counts against the client's limit of reads. */
async function admitted(context: RestContext, request: IncomingMessage): Promise<PageCaller | number> {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') return 400;
  if (!isOfThisOrigin(request)) return 403;
  const caller = await callerOfCookie(context, request);
  if (isRefusal(caller)) return HTTP_STATUS[caller.refusal];
  const permit = await context.limits.reads.take(caller.clientId, context.services.now());
  return permit.granted ? pageCaller(caller, context.addressOf(request)) : HTTP_STATUS[tooMany(permit).refusal];
}

function pageCaller(caller: TokenCaller, address: string): PageCaller {
  const { clientId, keyId, tokenHash, expiresAtMs, rights } = caller;
  const operator = rights.has(OPERATE);
  const sees = { operator, rates: operator || rights.has('rates'), blotter: operator || rights.has('read') };
  return { clientId, keyId, address, tokenHash, expiresAtMs, sees };
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
