/** From an HTTP request at /live/stream to the WebSocket of a page: only with the page's own origin, and its cookie. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { isRefusal } from '../../engine/domain/refusal.js';
import { type Door, tooMany } from '../door.js';
import { callerOfCookie, isOfThisOrigin } from '../features/live-page/login.js';
import { HTTP_STATUS } from '../http/refusals.js';
import type { PageCaller } from './viewer.js';

const PATH = '/live/stream';
/** An offer of another protocol anywhere else is passed over: HTTP/2 is offered with every request by some clients. */
export const isStream = (url: string): boolean => url.split('?', 1)[0] === PATH;
/** All that a page ever asks fits into far less. */
const MESSAGE_MAX_BYTES = 1_024;

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What a server does with a request to upgrade, whether it speaks TLS or not; undefined where the page is not served. */
export function upgradeOf(door: Door): Upgrade | undefined {
  const { live } = door;
  if (live === undefined) return undefined;
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  });
  return (request, socket, head) => {
    // Who goes away while being looked for is no fault.
    socket.on('error', () => socket.destroy());
    void admitted(door, request)
      .then((caller) => {
        if (typeof caller === 'number') return refuse(socket, caller);
        if (socket.destroyed) return undefined;
        return sockets.handleUpgrade(request, socket, head, (page) => live.add(page, caller));
      })
      .catch((error: unknown) => {
        door.services.log.error({ kind: error instanceof Error ? error.name : 'unknown' }, 'a page could not be taken');
        refuse(socket, 500);
      });
  };
}

/** Who asks, or the status that refuses. Coming back over and over counts against the client's reads. */
async function admitted(door: Door, request: IncomingMessage): Promise<PageCaller | number> {
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') return 400;
  if (!isOfThisOrigin(request)) return 403;
  const caller = await callerOfCookie(door, request);
  if (isRefusal(caller)) return HTTP_STATUS[caller.refusal];
  const permit = await door.limits.reads.take(caller.clientId, door.services.now());
  return permit.granted ? { ...caller, address: door.addressOf(request) } : HTTP_STATUS[tooMany(permit).refusal];
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}
