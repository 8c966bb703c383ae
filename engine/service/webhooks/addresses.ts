/** Where events may be sent to: https and a public address, checked at registration and again at each delivery, after its name is resolved. */
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { isLoopback } from '../core/caller.js';

/** Addresses of IPv4 of which none is on the internet: IANA's registry of special-purpose addresses, and one of a cloud. */
const NOT_PUBLIC = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Public by its number, and answered by the host of each virtual machine of Azure.
  ['168.63.129.16', 32],
] as const)
  NOT_PUBLIC.addSubnet(address, prefix, 'ipv4');

/** Of IPv6 only the global unicast block is allowed: so no IPv4-mapped address, no NAT64, no link-local, unique local or multicast one. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
/** Within it: Teredo and other assignments of the IETF, documentation, and 6to4, which has an IPv4 address inside. */
const NOT_GLOBAL = new BlockList();
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_GLOBAL.addSubnet(address, prefix, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const isPublic = (address: string): boolean =>
  familyOf(address) === 'ipv4'
    ? !NOT_PUBLIC.check(address, 'ipv4')
    : GLOBAL.check(address, 'ipv6') && !NOT_GLOBAL.check(address, 'ipv6');

const isAllowedAddress = (address: string, loopback: boolean): boolean =>
  isIP(address) !== 0 && (isPublic(address) || (loopback && LOOPBACK.check(address, familyOf(address))));

export const URL_MAX = 2_048;
/** Below it only the port of https: no other service of a machine. */
const PORT_MIN = 1_024;
const WRONG_PORT = `port 443, or one from ${PORT_MIN} on`;

/**
 * The URL of an endpoint by its text, or why it is none. With `loopback`, for trials, an address of this machine too, by http or https.
 */
export function endpointUrl(text: string, loopback: boolean): { readonly url: URL } | { readonly fault: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { fault: 'a URL such as https://example.com/hook' };
  }
  const host = hostOf(url);
  const isHere = loopback && (isIP(host) ? LOOPBACK.check(host, familyOf(host)) : isLoopback(host));
  if (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:')) return { fault: 'https is needed' };
  if (url.username !== '' || url.password !== '') return { fault: 'no user name or password in it' };
  if (url.hash !== '') return { fault: 'no # in it' };
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port < PORT_MIN && port !== 443 && !(isHere && port === 80)) return { fault: WRONG_PORT };
  if (isIP(host) && !isAllowedAddress(host, loopback)) return { fault: NOT_ALLOWED };
  return { url };
}

export const NOT_ALLOWED = 'an address on the internet: private, local and special ones are not allowed';

/** Addresses of IPv6 are in brackets in a URL. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** All addresses of a name, IPv4 first; empty: it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const RESOLVE_MS = 2_000;
/** What the addresses of IPv6 may take longer than those of IPv4, where there are any. */
const OTHER_FAMILY_MS = 250;

/**
 * Asks the servers of this machine's configuration, or those given. Not the system's own lookup: its few threads are shared, and a name
 * server that does not answer would hold them for everything else.
 */
export function resolver(servers?: readonly string[]): Resolve {
  const dns = new Resolver({ timeout: RESOLVE_MS / 2, tries: 2 });
  if (servers) dns.setServers(servers);
  const none = (): string[] => [];
  return async (host) => {
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    // A server that does not answer for one family takes nothing from the other.
    const answered = (family: Promise<string[]>) => withTimeout(family.catch(none), RESOLVE_MS, none);
    const six = answered(dns.resolve6(host));
    const four = await answered(dns.resolve4(host));
    return [...four, ...(await (four.length > 0 ? withTimeout(six, OTHER_FAMILY_MS, none) : six))];
  };
}

/**
 * The addresses to connect to, every one of them allowed; `name`: it has none; `address`: one of them is not allowed. What is connected to must
 * be one of these: a name server could answer differently a moment later.
 */
export async function checkedAddresses(
  url: URL,
  loopback: boolean,
  resolve: Resolve,
): Promise<readonly string[] | 'name' | 'address'> {
  const host = hostOf(url);
  const found = isIP(host) ? [host] : await resolve(host);
  if (found.length === 0) return 'name';
  return found.every((address) => isAllowedAddress(address, loopback)) ? found : 'address';
}
