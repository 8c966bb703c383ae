/** The address that a request comes from: its peer, or what trusted proxies in front of the sidecar report. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addressFrom, isAllowed } from '../../engine/service/core/address-list.js';

/** Entries of one header that are read, from the right. */
const HOPS_MAX = 32;

/** The peer of a connection; '' when the connection has ended. */
interface Peers {
  addressOf(socket: Socket): string;
}

export type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * `X-Forwarded-For` counts where the peer is one of `trusted`, addresses and blocks of them: each proxy writes its own peer behind what it
 * was sent, so the right-most address that is none of our proxies is the caller's; any entry before it may be forged by the caller.
 */
export function clientAddresses({ addressOf }: Peers, trusted: readonly string[]): AddressOf {
  const isTrusted = (address: string) => trusted.length > 0 && isAllowed(trusted, address);
  return ({ socket, headers }) => {
    let address = addressOf(socket) || 'unknown';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(address)) return address;
    const hops = String(forwarded).split(',');
    for (let at = hops.length - 1; at >= Math.max(0, hops.length - HOPS_MAX) && isTrusted(address); at--) {
      const before = addressFrom(hops[at]!.trim());
      // Not an address, so not written by a proxy: the last known address is the one that wrote it.
      if (before === undefined) break;
      address = before;
    }
    return address;
  };
}
