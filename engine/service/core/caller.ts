/** The caller of a request: the client of its token, and the address that it comes from. */

import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { platformOf } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Right } from '../../domain/core/rights.js';
import type { Client } from '../../store/access/clients.js';
import { boundedText } from './inputs.js';
import { storeAnswer } from './operation.js';
import type { Services } from './services.js';

/** The authenticated client of a request, proved by a token or a FIX session. */
export interface Caller {
  /** Of a platform that acts for a sub-client: the sub-client. */
  readonly clientId: string;
  /** The platform that acts, by a key of its own; absent: the client itself does. */
  readonly platformId?: string;
  readonly keyId: string;
  readonly rights: ReadonlySet<Right>;
}

export interface TokenCaller extends Caller {
  readonly expiresAtMs: number;
  /** Identifies the token where the token itself must not appear. */
  readonly tokenHash: string;
}

/** Maximum length of a token that is looked up: issued tokens have 43 characters, AuthToken(20001) allows 128. */
const MAX_TOKEN_LENGTH = 128;

/**
 * The caller of a token, by FIX or REST; `address` is that of the sender. Refuses with TOKEN_REQUIRED, TOKEN_INVALID, TOKEN_EXPIRED,
 * TOKEN_REVOKED, NOT_ENTITLED (its key may not be used from this address), STORE_UNAVAILABLE.
 */
export async function resolveToken(
  services: Services,
  token: string | undefined,
  address: string,
): Promise<TokenCaller | Refusal> {
  if (token === undefined || token === '') return refuse('TOKEN_REQUIRED');
  if (token.length > MAX_TOKEN_LENGTH) return refuse('TOKEN_INVALID');
  const read = await storeAnswer(services, () => services.store.tokens.read(token));
  if (isRefusal(read)) return read;
  if (read === undefined) return refuse('TOKEN_INVALID');
  if (read.state === 'revoked') return refuse('TOKEN_REVOKED');
  if (read.state === 'expired' || read.expiresAtMs <= services.now()) return refuse('TOKEN_EXPIRED');
  const key = await storeAnswer(services, () => services.store.keys.cached(read.keyId));
  if (isRefusal(key)) return key;
  if (key?.revoked) return refuse('TOKEN_REVOKED');
  return key === undefined || isAllowed(key.addresses, address) ? read : refuse('NOT_ENTITLED', 'Not entitled');
}

/**
 * The client that the token was issued to, even when it has expired or was revoked, for the log; undefined: unknown, or the store is
 * unavailable. Costs no command after resolveToken, which has just read it.
 */
export async function tokenOwner({ store }: Services, token: string | undefined): Promise<Caller | undefined> {
  try {
    return token === undefined ? undefined : await store.tokens.read(token);
  } catch {
    return undefined;
  }
}

/**
 * The sub-client that a platform's request is for, with the rights of the platform's key. Every reason against it has one answer, so that
 * probing reveals nothing: the client is no platform, and the id is another platform's, unknown, or disabled. Refuses with NOT_ENTITLED,
 * STORE_UNAVAILABLE.
 */
export async function onBehalfOf(services: Services, caller: TokenCaller, id: string): Promise<TokenCaller | Refusal> {
  const { clients } = services.store;
  const { clientId: platformId, keyId, rights, expiresAtMs, tokenHash } = caller;
  const denied = refuse('NOT_ENTITLED', 'Not entitled');
  if (platformOf(id) !== platformId) return denied;
  const read = await storeAnswer(services, () => Promise.all([clients.cached(platformId), clients.cached(id)]));
  if (isRefusal(read)) return read;
  const [platform, subClient] = read;
  if (!platform?.isPlatform || subClient === undefined || subClient.disabled) return denied;
  return { clientId: id, platformId, keyId, rights, expiresAtMs, tokenHash };
}

/** The caller's own record; a token implies that it exists. */
export async function clientOf({ store }: Services, { clientId }: Caller): Promise<Client | Refusal> {
  return (await store.clients.cached(clientId)) ?? refuse('NOT_ENTITLED');
}

const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
const FAMILY: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::1`, `2001:db8::/32`. */
const BLOCK = boundedText(64).refine((text) => blockOf(text) !== undefined, {
  error: 'an IPv4 or IPv6 address, or a block of them such as 192.0.2.0/24',
});

/** Empty: any address. */
export const ADDRESS_LIST = z.array(BLOCK).max(100);

/** IPv4 and IPv6 are separate: a `BlockList` matches every IPv4 address with `::/0`. */
type Blocks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;
const KNOWN = new WeakMap<readonly string[], Blocks>();

/** Whether an address is in the list or in one of its blocks; an empty list allows every address. */
export function isAllowed(list: readonly string[], from: string): boolean {
  if (list.length === 0) return true;
  const address = plainAddress(from);
  const version = isIP(address);
  if (version === 0) return false;
  let blocks = KNOWN.get(list);
  if (blocks === undefined) {
    blocks = blocksOf(list);
    KNOWN.set(list, blocks);
  }
  const family = FAMILY[version]!;
  return blocks[family].check(address, family);
}

/** IPv4 in its own notation, also on an IPv6 socket: one peer has the same address by FIX and by REST. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/**
 * The normal form of an address, with or without a port: an IPv4-mapped IPv6 address becomes IPv4.
 * Undefined: the text is no address.
 */
export function addressFrom(text: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/.exec(text) ?? [];
  const bare = bracketed ?? dotted ?? text;
  const version = bare.includes('%') ? 0 : isIP(bare);
  if (version === 0) return undefined;
  if (version === 4) return bare;
  const groups = ipv6Groups(bare);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

/** The network that attempts are counted for. Of IPv6 the first 64 bits: a provider assigns a whole /64 to one subscriber. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [bare = ''] = address.split('%', 1);
  return isIP(bare) === 6 ? `${ipv6Groups(bare).slice(0, 4).join(':')}::/64` : address;
}

/** Eight hexadecimal groups without leading zeros. */
function ipv6Groups(address: string): readonly string[] {
  // The URL standard normalises IPv6: hexadecimal groups only, one run of zeros as '::', no IPv4 tail.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last];
}

function blocksOf(list: readonly string[]): Blocks {
  const blocks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of list) {
    const block = blockOf(text);
    if (block) blocks[block.family].addSubnet(block.address, block.prefix, block.family);
  }
  return blocks;
}

function blockOf(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  const most = PREFIX_MAX[version];
  const family = FAMILY[version]!;
  // A zone index, such as fe80::1%eth0, is valid on one machine only.
  if (most === undefined || more.length > 0 || address.includes('%')) return undefined;
  // IPv4-mapped IPv6 would never match: peers are compared as IPv4.
  if (family === 'ipv6' && MAPPED.check(address, 'ipv6')) return undefined;
  if (length === undefined) return { address, prefix: most, family };
  return /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= most
    ? { address, prefix: Number(length), family }
    : undefined;
}

/** Whether a host name or an address is a loopback one. Names other than localhost are not resolved. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
