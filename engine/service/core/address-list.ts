/** From where a key may be used, and a desk may log on. */

import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { boundedText } from './inputs.js';

const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
const FAMILY: Readonly<Record<number, 'ipv4' | 'ipv6'>> = { 4: 'ipv4', 6: 'ipv6' };
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::1`, `2001:db8::/32`. */
const BLOCK = boundedText(64).refine((text) => blockOf(text) !== undefined, {
  error: 'an IPv4 or IPv6 address, or a block of them such as 192.0.2.0/24',
});

/** None: from anywhere. */
export const ADDRESS_LIST = z.array(BLOCK).max(100);

/** IPv4 and IPv6 apart: a `BlockList` takes every IPv4 address for one of `::/0`. */
type Blocks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;
const KNOWN = new WeakMap<readonly string[], Blocks>();

/** Whether an address is one of the list, or in one of its blocks; every address is, where the list is empty. */
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

/** IPv4 as it is written, also where the socket is IPv6: one peer has one address at every door. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/**
 * An address as lists and counts have it, from any spelling of it, with a port or without: an IPv4 address in an IPv6 one is IPv4.
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

/**
 * Whom attempts are counted against. Of IPv6 the first 64 bits: that is what one subscriber is given, and he may call from any address in
 * it.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1);
  return isIP(bare) === 6 ? `${ipv6Groups(bare).slice(0, 4).join(':')}::/64` : address;
}

/** Eight hexadecimal groups without leading zeros. */
export function ipv6Groups(address: string): readonly string[] {
  // The URL standard writes IPv6 without an IPv4 tail: only hexadecimal groups are left, one run of them as '::'.
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
  // A zone, such as fe80::1%eth0, is of one machine.
  if (most === undefined || more.length > 0 || address.includes('%')) return undefined;
  // IPv4 in the clothes of IPv6 would never be met: our doors know it as IPv4.
  if (family === 'ipv6' && MAPPED.check(address, 'ipv6')) return undefined;
  if (length === undefined) return { address, prefix: most, family };
  return /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= most
    ? { address, prefix: Number(length), family }
    : undefined;
}

/** Whether a host name or an address is of this machine alone. Names other than localhost are not resolved. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
