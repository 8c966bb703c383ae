/** A Redis user with PUBLISH can set no price, revoke no token and query no engine: unsigned and replayed messages are dropped. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MESSAGE_VERSION, MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const RELAY = 'relay:rates';
const REVOKED = 'tokens:revoked';
const HASH = 'ab'.repeat(32);

let running: TestStore;
let redis: Redis;
let ours: MessageSigner;
const theirs = new MessageSigner(randomBytes(32));
beforeAll(async () => {
  running = await startTestStore();
  redis = redisAt(running.redisUrl);
  ours = new MessageSigner(running.store.subKey('messages'));
});
afterAll(async () => {
  redis.disconnect();
  await running.stop();
});

const serverMs = async (): Promise<number> => {
  const [seconds, us] = await redis.time();
  return Number(seconds) * 1_000 + Number(us) / 1_000;
};
function stamped(atMs: number, message: Uint8Array): Buffer {
  const stamp = Buffer.alloc(8);
  stamp.writeDoubleLE(atMs);
  return Buffer.concat([stamp, message]);
}

interface Said {
  readonly by?: MessageSigner;
  readonly channel?: string;
  readonly holding?: number;
  readonly number?: number;
  /** Time of the signed estimate and of the stamp, relative to the server's, ms. */
  readonly atMs?: number;
  readonly stampMs?: number;
  readonly price?: string;
  /** Alters the signed message. */
  readonly forge?: (message: Buffer) => Buffer;
}

/** Publishes on the channel of prices; by default signed with our key, after all earlier ones, in the current holding. */
let number = 10;
async function say({
  by = ours,
  channel = RELAY,
  holding = 2,
  atMs = 0,
  stampMs = 0,
  forge,
  price = 'bad',
  ...said
}: Said): Promise<void> {
  const now = await serverMs();
  const sender = `0123456789abcdef 170000000000000${holding}`;
  const body = Buffer.from(price);
  const message = by.sign(channel, { sender, number: said.number ?? ++number, atMs: now + atMs, body });
  await redis.publish(RELAY, stamped(now + stampMs, forge?.(message) ?? message));
}

/** A process that has received a message of that holding. */
async function listener(): Promise<{ store: Store; received: string[]; stop(): void }> {
  const store = await running.another();
  const received: string[] = [];
  const stop = await store.relay.subscribe((body) => received.push(body.toString()));
  await vi.waitFor(async () => {
    await say({ price: 'first' });
    expect(received.length).toBeGreaterThan(0);
  }, SOON);
  return { store, received, stop };
}

const set = (at: number, byte: number) => (message: Buffer) => {
  message[at] = byte;
  return message;
};
const flip = (at: number) => (message: Buffer) => set(at, message[at]! ^ 1)(message);

test('drops and counts each price that is forged, replayed, out of order or of another version', async () => {
  const { store, received, stop } = await listener();
  const rows: readonly (readonly [reason: 'version' | 'forged' | 'old' | 'order', rule: string, said: Said])[] = [
    ['forged', 'signed with another key', { by: theirs }],
    ['forged', 'signed for another channel', { channel: REVOKED }],
    ['forged', 'with another number', { forge: flip(4) }],
    ['forged', 'with another time', { forge: flip(12) }],
    ['forged', 'with another holding', { forge: flip(52) }],
    ['forged', 'with another price', { forge: (message) => flip(message.length - 1)(message) }],
    ['forged', 'cut short', { forge: (message) => message.subarray(0, -1) }],
    ['forged', 'with a holding that is longer than the message', { forge: set(3, 255) }],
    ['version', 'of another version', { forge: set(2, MESSAGE_VERSION + 1) }],
    ['version', 'without a signature', { forge: () => Buffer.from('RW\u0002\u0001 and prices') }],
    ['version', 'empty', { forge: () => Buffer.alloc(0) }],
    ['old', 'with an old estimate under a new stamp', { atMs: -1_500 }],
    ['old', 'with an estimate of the future', { atMs: 1_500 }],
    ['old', 'that waited for longer than ten seconds', { atMs: -11_000, stampMs: -11_000 }],
    ['old', 'with a stamp that is no number', { stampMs: Number.NaN }],
    ['order', 'with a number that was received', { number: 5 }],
    ['order', 'of an earlier holding', { holding: 1 }],
    ['order', 'with a number that is none', { number: Number.NaN }],
  ];
  for (const [reason, rule, said] of rows) {
    const before = { ...store.messagesDropped.relay };
    await say(said);
    await vi.waitFor(() => expect(store.messagesDropped.relay, rule).not.toEqual(before), SOON);
    expect(store.messagesDropped.relay, rule).toEqual({ ...before, [reason]: before[reason] + 1 });
    expect(received, rule).not.toContain('bad');
  }
  // Own messages are still accepted: less than a second later than their estimate, and from the first number of a later holding.
  await say({ atMs: -900, price: 'late' });
  await say({ holding: 3, number: 1, price: 'later holding' });
  await vi.waitFor(() => expect(received.slice(-2)).toEqual(['late', 'later holding']), SOON);
  stop();
  await store.close();
});

test('delivers a message that is published again only once', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const { store, received, stop } = await listener();
  const spy = redisAt(running.redisUrl);
  const seen: Buffer[] = [];
  spy.on('messageBuffer', (_channel: Buffer, message: Buffer) => seen.push(message));
  await spy.subscribe(RELAY);
  const reals = () => received.filter((price) => price.startsWith('real'));
  let published = 0;
  await vi.waitFor(async () => {
    await running.store.relay.publish(holding, Buffer.from(`real ${++published}`));
    expect(reals().length).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(0);
  }, SOON);
  const { order } = store.messagesDropped.relay;
  await redis.publish(RELAY, seen[0]!);
  await vi.waitFor(() => expect(store.messagesDropped.relay.order).toBe(order + 1), SOON);
  expect(reals()).toEqual([...new Set(reals())]);
  spy.disconnect();
  stop();
  await store.close();
  await lease.release();
});

test('accepts a revocation only with our signature, and once', async () => {
  const store = await running.another();
  const revoked: string[] = [];
  store.tokens.onRevoked((hash) => revoked.push(hash));
  const send = async (message: Buffer) => {
    await vi.waitFor(async () => expect(await redis.publish(REVOKED, message)).toBeGreaterThan(0), SOON);
  };
  const sealed = (by: MessageSigner, of: number, atMs: number, channel = REVOKED) =>
    by.sign(channel, { sender: 'another', number: of, atMs, body: Buffer.from(HASH) });
  const now = await serverMs();
  const dropped = store.messagesDropped.revocation;
  for (const [reason, message] of [
    ['version', Buffer.from(HASH)],
    ['forged', sealed(theirs, 1, now)],
    ['forged', sealed(ours, 1, now, RELAY)],
    ['old', sealed(ours, 1, now - 6_000)],
  ] as const) {
    const before = dropped[reason];
    await send(message);
    await vi.waitFor(() => expect(dropped[reason]).toBeGreaterThan(before), SOON);
  }
  expect(revoked).toEqual([]);
  const good = sealed(ours, 1, await serverMs());
  await send(good);
  await vi.waitFor(() => expect(revoked).toEqual([HASH]), SOON);
  await send(good);
  // On a cluster a message is published until a subscriber has received it: it may arrive more than twice.
  await vi.waitFor(() => expect(dropped.order).toBeGreaterThan(0), SOON);
  expect(revoked).toEqual([HASH]);
  await store.close();
});
