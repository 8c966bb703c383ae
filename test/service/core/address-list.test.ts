/** The address list of a key: the edges of blocks, and IPv4 apart from IPv6. */
import { expect, test } from 'vitest';
import { ADDRESS_LIST, isAllowed, networkOf, plainAddress } from '../../../engine/service/core/caller.js';

test.each([
  ['10.0.0.0/8', '10.255.255.255', '11.0.0.0'],
  ['10.0.0.5/31', '10.0.0.4', '10.0.0.6'],
  ['10.0.0.5', '10.0.0.5', '10.0.0.4'],
  ['128.0.0.0/1', '255.0.0.1', '127.255.255.255'],
  ['10.0.0.0/23', '10.0.1.255', '10.0.2.0'],
  ['0.0.0.0/0', '203.0.113.9', '2001:db8::1'],
  ['::/0', '2001:db8::1', '203.0.113.9'],
  ['::/64', '::1', '203.0.113.9'],
  ['2001:db8::/33', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff', '2001:db8:8000::'],
  ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', '2001:db8::2'],
])('%s contains %s and not %s', (block, inside, outside) => {
  expect([isAllowed([block], inside), isAllowed([block], outside)]).toEqual([true, false]);
  // Another block of the list does not admit it either.
  expect(isAllowed(['192.0.2.0/24', '2001:db8:ffff::/48', block], outside)).toBe(false);
});

test('a malformed address matches no list', () => {
  expect(['unknown', '', '10.0.0.1, 10.0.0.2'].filter((address) => isAllowed(['0.0.0.0/0', '::/0'], address))).toEqual(
    [],
  );
});

test.each([
  ...['10.0.0.1/33', '10.0.0.1/-1', '10.0.0.1/01', '10.0.0.1/', '/8', '10.0.0.0/8/8', '010.0.0.1', '10.1', '10.0.0.1 '],
  ...[
    '::1%lo',
    '2001:db8::/129',
    '*',
    'localhost',
    '',
    '::ffff:10.0.0.1',
    '::ffff:a00:1/120',
    '0:0:0:0:0:FFFF:10.0.0.1',
  ],
])('rejects %j as a block', (text) => {
  expect(ADDRESS_LIST.safeParse([text]).success).toBe(false);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::7', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:1:3::7', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%j is in network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('an IPv4 address matches as IPv4 on an IPv6 socket too', () => {
  expect(['::ffff:192.0.2.7', '192.0.2.7', '2001:db8::ffff'].map(plainAddress)).toEqual([
    '192.0.2.7',
    '192.0.2.7',
    '2001:db8::ffff',
  ]);
});
