/** From where a key may be used, and a desk may log on. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::1`, `2001:db8::/32`. */
const BLOCK = z.string().refine((text) => blockOf(text) !== undefined, {
  error: 'an IPv4 or IPv6 address, or a block of them such as 192.0.2.0/24',
});

/** None: from anywhere. */
export const ADDRESS_LIST = z.array(BLOCK).max(100);

const KNOWN = new WeakMap<readonly string[], BlockList>();

/** Whether an address is one of the list, or in one of its blocks; every address is, where the list is empty. */
export function isAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const version = isIP(address);
  if (version === 0) return false;
  let blocks = KNOWN.get(list);
  if (blocks === undefined) {
    blocks = blockList(list);
    KNOWN.set(list, blocks);
  }
  return blocks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** IPv4 as it is written, also where the socket is IPv6: one peer has one address at every door. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function blockList(list: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const text of list) {
    const block = blockOf(text);
    if (block) blocks.addSubnet(block.address, block.prefix, block.version === 4 ? 'ipv4' : 'ipv6');
  }
  return blocks;
}

function blockOf(text: string): { address: string; prefix: number; version: number } | undefined {
  const [address = '', length, ...more] = text.split('/');
  const version = isIP(address);
  const most = PREFIX_MAX[version];
  // A zone, such as fe80::1%eth0, is of one machine.
  if (most === undefined || more.length > 0 || address.includes('%')) return undefined;
  if (length === undefined) return { address, prefix: most, version };
  return /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= most
    ? { address, prefix: Number(length), version }
    : undefined;
}
