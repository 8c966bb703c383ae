/** The address of a client behind listed proxies: by the PROXY protocol in front of a connection, by X-Forwarded-For in front of a request. */

import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { type Log, throttledLog } from '../domain/core/log.js';
import { addressFrom, isAllowed, plainAddress } from '../service/core/caller.js';

// PROXY protocol, version 2: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Signature, version and command, family and transport, length of the rest. */
const FIXED_BYTES = 16;
/** Addresses and TLVs; the protocol allows 65,535, proxies send some hundreds. */
const REST_BYTES_MAX = 2_048;
const LOCAL = 0x20;
const PROXY = 0x21;
/** Two addresses and two ports, by family and transport: TCP over IPv4, TCP over IPv6. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 17: 12, 33: 36 };

/** The whole header must be here so long after the connection, ms, however slowly it comes. */
const HEADER_MS = 3_000;
/** Connections whose header is awaited; one more closes the oldest. */
const AWAITED_MAX = 2_000;

export interface ProxyPeers {
  /** For each server, when it has its other listeners and before it listens. */
  prepare(server: Server): void;
  /** Where the peer of a connection is, or of the TLS connection on it: what its proxy said, else the other end of the socket; '' when that is gone. */
  addressOf(socket: Socket): string;
}

interface ProxyTiming {
  readonly headerMs: number;
}

/**
 * `peers`: addresses and blocks of the proxies that must send the header, in front of TLS or of the first byte; none: no connection has one.
 * The header of any other peer is not read.
 */
export function proxyPeers(
  peers: readonly string[],
  log: Log,
  { headerMs }: ProxyTiming = { headerMs: HEADER_MS },
): ProxyPeers {
  if (peers.length === 0) return { prepare() {}, addressOf: ({ remoteAddress = '' }) => plainAddress(remoteAddress) };
  /** What was said on connections that are open, by their two ends: a TLS socket has those of the socket under it. */
  const said = new Map<string, string>();
  const known = new WeakMap<Socket, string>();
  const awaited = new Set<Socket>();
  const refused = throttledLog((reason) =>
    log.warn(
      { reason },
      'a proxy was closed that must begin with a PROXY protocol header, version 2: check its settings',
    ),
  );

  /** Calls `accept` when the header has come; the socket then begins behind it. */
  const awaitHeader = (socket: Socket, accept: () => void): void => {
    let head: Buffer = Buffer.alloc(0);
    const close = (reason: string): void => {
      leave();
      socket.destroy();
      refused(new HeaderFault(reason));
    };
    const read = (): void => {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) return;
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const header = headerOf(head);
      if (header === undefined) return;
      if (typeof header === 'string') {
        close(header);
        return;
      }
      leave();
      if (header.address !== undefined) {
        const ends = endsOf(socket);
        said.set(ends, header.address);
        socket.once('close', () => said.delete(ends));
      }
      const rest = head.subarray(header.bytes);
      if (rest.length > 0) socket.unshift(rest);
      accept();
    };
    const gone = (): void => close('it hung up');
    const late = setTimeout(() => close('no header in time'), headerMs);
    const leave = (): void => {
      clearTimeout(late);
      awaited.delete(socket);
      socket.off('readable', read).off('end', gone).off('error', gone).off('close', leave);
    };
    if (awaited.size >= AWAITED_MAX) {
      const [oldest] = awaited;
      awaited.delete(oldest!);
      oldest!.destroy();
    }
    awaited.add(socket);
    socket.on('readable', read).on('end', gone).on('error', gone).on('close', leave);
  };

  return {
    prepare(server) {
      const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
      server.removeAllListeners('connection');
      server.on('connection', (socket: Socket) => {
        const accept = () => {
          for (const listener of listeners) listener.call(server, socket);
        };
        if (isAllowed(peers, socket.remoteAddress ?? '')) awaitHeader(socket, accept);
        else accept();
      });
    },
    addressOf(socket) {
      const before = known.get(socket);
      if (before !== undefined) return before;
      const address = said.get(endsOf(socket)) ?? plainAddress(socket.remoteAddress ?? '');
      if (address !== '') known.set(socket, address);
      return address;
    },
  };
}

/** What the log says of a header that is none. */
class HeaderFault extends Error {
  constructor(override readonly name: string) {
    super(name);
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

interface Header {
  /** Of the header, all of it. */
  readonly bytes: number;
  /** Absent: the connection is the proxy's own, such as a health check. */
  readonly address: string | undefined;
}

/** Undefined: more has to come. A text: it is no header that we take, and why. */
export function headerOf(bytes: Buffer): Header | string | undefined {
  const begun = Math.min(bytes.length, SIGNATURE.length);
  if (bytes.compare(SIGNATURE, 0, begun, 0, begun) !== 0) return 'no header of version 2';
  if (bytes.length < FIXED_BYTES) return undefined;
  const [command, family] = [bytes[12], bytes[13]!];
  if (command !== LOCAL && command !== PROXY) return 'unknown version or command';
  const rest = bytes.readUInt16BE(14);
  const addressBytes = ADDRESS_BYTES[family];
  if (rest > REST_BYTES_MAX) return 'header too long';
  if (command === PROXY && addressBytes === undefined) return 'neither TCP over IPv4 nor over IPv6';
  if (command === PROXY && rest < addressBytes!) return 'header too short';
  if (bytes.length < FIXED_BYTES + rest) return undefined;
  const address = command === LOCAL ? undefined : sourceOf(bytes.subarray(FIXED_BYTES), family);
  return { bytes: FIXED_BYTES + rest, address };
}

function sourceOf(bytes: Buffer, family: number): string {
  if (family === 0x11) return [...bytes.subarray(0, 4)].join('.');
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16));
  return addressFrom(groups.join(':'))!;
}

/** Entries of one header that are read, from the right. */
const HOPS_MAX = 32;

type AddressOf = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

/**
 * `X-Forwarded-For` counts where the peer is one of `trusted`, addresses and blocks of them: each proxy writes its own peer behind what it
 * was sent, so the right-most address that is none of our proxies is the caller's; any entry before it may be forged by the caller.
 */
export function clientAddresses({ addressOf }: Pick<ProxyPeers, 'addressOf'>, trusted: readonly string[]): AddressOf {
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
