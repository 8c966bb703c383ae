import {
  Acceptor,
  type Application,
  Initiator,
  MemoryStore,
  memoryStoreFactory,
  profile,
  type Schedule,
  type Session,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test } from 'vitest';

import { type Desk, Floor, turn } from './session-harness.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function logon(): Promise<{ floor: Floor; desk: Desk; session: NonNullable<Desk['session']> }> {
  const floor = new Floor();
  const desk = await floor.call();
  const session = desk.session!;
  session.send('8', [[11, 'old']]);
  await turn();
  desk.sent();
  return { floor, desk, session };
}

describe('session.reset()', () => {
  test('sends Logon(A) with 141=Y, and is done when the peer answers with the same', async () => {
    const { floor, desk, session } = await logon();
    const reset = session.reset();
    await turn();
    expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30|141=Y']);
    expect(session.send('8', [[11, 'waits']])).toMatchObject({ reason: 'deferred' });
    // Sent by the peer before it has read our Logon(A): numbers of before.
    await desk.say('D', '11=on its way|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1', 2);
    expect(floor.taken).toEqual(['on its way']);
    await desk.say('A', '98=0|108=30|141=Y', 1);
    expect(await reset).toBe(true);
    await turn();
    expect([desk.sent(), session.nextOut, session.nextIn]).toEqual([['35=8|34=2|11=waits'], 3, 2]);
    await desk.say('1', '112=T', 2);
    expect(desk.sent()).toEqual(['35=0|34=3|112=T']);
    expect((await floor.store.read(1, 9, 9)).map(({ number }) => number)).toEqual([2]);
  });

  test('both sides at once: each Logon(A) is the answer to the other', async () => {
    const { desk, session } = await logon();
    const reset = session.reset();
    await turn();
    await desk.say('A', '98=0|108=30|141=Y', 1);
    expect([await reset, desk.sent(), session.nextOut, session.nextIn]).toEqual([
      true,
      ['35=A|34=1|98=0|108=30|141=Y'],
      2,
      2,
    ]);
  });

  test('without an answer the session ends', async () => {
    const { floor, desk, session } = await logon();
    const reset = session.reset();
    await turn();
    await floor.pass(10.2);
    expect([await reset, desk.wire.closed, floor.ends]).toEqual([false, true, ['reset not answered']]);
    await session.settled;
    expect(await floor.store.open()).toMatchObject({ nextOut: 2, nextIn: 1 });
  });

  test('a Reject(3) of its Logon(A) ends the session', async () => {
    const { floor, desk, session } = await logon();
    const reset = session.reset();
    await turn();
    await desk.say('3', '45=1|372=A|373=5|58=not now', 2);
    expect([await reset, floor.ends]).toEqual([false, ['reset rejected: not now']]);
  });

  test('a Logout(5) in the midst of it is the last message', async () => {
    const { floor, desk, session } = await logon();
    desk.sent();
    floor.store.holding = true;
    const reset = session.reset();
    session.logout('bye');
    await floor.store.release();
    expect([desk.sent(), desk.wire.paused]).toEqual([['35=5|34=3|58=bye'], false]);
    expect(await reset).toBe(false);
    await desk.say('5', '', 3);
    expect(floor.ends).toEqual(['bye']);
  });

  test('is refused while one is in progress, and after the end', async () => {
    const { session } = await logon();
    const first = session.reset();
    expect(await session.reset()).toBe(false);
    session.disconnected();
    expect([await first, await session.reset()]).toEqual([false, false]);
  });
});

describe('setNextOutgoing', () => {
  test('leaves a gap, which is filled on request', async () => {
    const { floor, desk, session } = await logon();
    expect(await session.setNextOutgoing(50_000)).toBeUndefined();
    expect(session.send('h', [[58, 'x']])).toBe(50_000);
    session.flush();
    await desk.say('2', '7=3|16=0');
    expect(desk.sent().map((m) => m.replace(/122=[^|]*/, '122='))).toEqual([
      '35=h|34=50000|58=x',
      '35=4|34=3|43=Y|122=|36=50001|123=Y',
    ]);
    // As after a crash: no number below is given out again.
    expect((await floor.store.open()).nextOut).toBeGreaterThan(50_000);
  });

  test.each([
    [2, 'below-next'],
    [0, 'out-of-range'],
    [1.5, 'out-of-range'],
    [1_000_000_000, 'out-of-range'],
  ])('%s is refused: %s', async (next, refusal) => {
    const { session } = await logon();
    expect([await session.setNextOutgoing(next), session.nextOut]).toEqual([refusal, 3]);
  });

  test('is refused while resetting, without a store, and without a session', async () => {
    const { floor, desk, session } = await logon();
    const reset = session.reset();
    expect([await session.setNextOutgoing(9), session.setNextIncoming(9)]).toEqual(['resetting', 'resetting']);
    await turn();
    await desk.say('A', '98=0|108=30|141=Y', 1);
    await reset;
    floor.store.failing = true;
    expect(await session.setNextOutgoing(99_999)).toBe('store-failed');
    session.disconnected();
    expect([await session.setNextOutgoing(9), session.setNextIncoming(9)]).toEqual(['not-logged-on', 'not-logged-on']);
  });
});

describe('setNextIncoming', () => {
  const order = (id: string): string => `11=${id}|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1`;

  test('a higher one passes over a gap that the peer cannot close', async () => {
    const { floor, desk, session } = await logon();
    await desk.say('D', order('five'), 5);
    expect(desk.sent()).toEqual(['35=2|34=3|7=2|16=0']);
    expect(session.setNextIncoming(5)).toBeUndefined();
    await desk.say('D', order('six'), 6);
    expect([floor.taken, session.nextIn]).toEqual([['five', 'six'], 7]);
  });

  test('a lower one has the peer resend', async () => {
    const { desk, session } = await logon();
    await desk.say('0', '', 2);
    expect(session.setNextIncoming(1)).toBeUndefined();
    await desk.say('0', '', 3);
    expect(desk.sent()).toEqual(['35=2|34=3|7=1|16=0']);
    expect(session.setNextIncoming(0)).toBe('out-of-range');
  });
});

interface Pair {
  readonly acceptor: Acceptor;
  readonly initiator: Initiator;
  readonly store: MemoryStore;
  readonly received: string[];
  accepted(): Session;
}

/** An acceptor and an initiator over TCP; both resend what they have sent. */
async function pair(sendNextExpected = false, schedule?: Schedule): Promise<Pair> {
  const received: string[] = [];
  let accepted: Session | undefined;
  const known = profile({
    supported: new Set(['8']),
    stored: new Set(['8']),
    sendNextExpected,
    ...(schedule && { schedule }),
  });
  const application = (side: string): Application => ({
    authenticate: () => ({ accept: true, profile: known, reply: [], context: undefined }),
    onLogon(session) {
      if (side === 'acceptor') accepted = session;
    },
    onMessage: (_, message) => void received.push(`${side} ${message.string(34)} ${message.string(58)}`),
    onLogout() {},
  });
  const acceptor = new Acceptor({ port: 0, store: memoryStoreFactory(), application: application('acceptor') });
  stops.push(() => acceptor.stop());
  const store = new MemoryStore();
  const initiator = new Initiator({
    host: '127.0.0.1',
    port: (await acceptor.listen()).port,
    beginString: 'FIX.4.4',
    senderCompId: 'CLIENT',
    targetCompId: 'VENUE',
    heartBtInt: 30,
    profile: known,
    reconnect: { waitsMs: [10] },
    store: () => store,
    application: application('initiator'),
  });
  stops.push(() => initiator.stop());
  initiator.start();
  await expect.poll(() => accepted?.loggedOn && initiator.state === 'up').toBe(true);
  return { acceptor, initiator, store, received, accepted: () => accepted! };
}

test.each(['initiator', 'acceptor'])('over TCP the %s resets both sides', async (side) => {
  const { initiator, accepted, received } = await pair();
  for (const session of [initiator.session!, accepted()]) session.send('8', [[58, 'before']]);
  await expect.poll(() => received.length).toBe(2);
  const reset = (side === 'initiator' ? initiator.session! : accepted()).reset();
  expect(await reset).toBe(true);
  for (const session of [initiator.session!, accepted()]) {
    await expect.poll(() => session.nextIn).toBe(2);
    session.send('8', [[58, 'after']]);
  }
  await expect.poll(() => received.length).toBe(4);
  expect([...received].sort()).toEqual([
    'acceptor 2 after',
    'acceptor 2 before',
    'initiator 2 after',
    'initiator 2 before',
  ]);
});

test('a reset that the peer has not seen is made good at the next Logon(A)', async () => {
  const { initiator, received } = await pair();
  const first = initiator.session!;
  for (let i = 0; i < 9; i++) first.send('8', [[58, 'before']]);
  await expect.poll(() => received.length).toBe(9);
  const reset = first.reset();
  (first as unknown as { wire: { destroy(): void } }).wire.destroy();
  expect(await reset).toBe(false);
  await expect.poll(() => initiator.session !== first && initiator.state === 'up').toBe(true);
  const second = initiator.session!;
  expect([second.nextOut, second.nextIn]).toEqual([2, 2]);
  second.send('8', [[58, 'after']]);
  await expect.poll(() => received.at(-1)).toBe('acceptor 2 after');
  // Once is enough.
  (second as unknown as { wire: { destroy(): void } }).wire.destroy();
  await expect.poll(() => initiator.session !== second && initiator.state === 'up').toBe(true);
  expect(initiator.session!.nextOut).toBe(4);
});

test('numbers of a session that is not up are set in the store, and used at the next logon', async () => {
  const { acceptor, initiator, store, received, accepted } = await pair();
  expect(await initiator.setNextOutgoing(20)).toBeUndefined();
  expect(initiator.session!.nextOut).toBe(20);
  const { id } = accepted();
  expect(await acceptor.setNumbers(id, { nextOut: 1 })).toBe('below-next');
  await initiator.stop();
  expect(await initiator.setNextOutgoing(3)).toBe('below-next');
  expect(await initiator.setNextOutgoing(70)).toBeUndefined();
  expect(await initiator.setNextIncoming(40)).toBeUndefined();
  expect(await store.open()).toMatchObject({ nextOut: 70, nextIn: 40 });
  await expect.poll(() => accepted().state).toBe('ended');
  expect(await acceptor.setNumbers(id, { nextOut: 40, nextIn: 70 })).toBeUndefined();
  initiator.start();
  expect(await initiator.setNextIncoming(1)).toBe('not-logged-on');
  await expect.poll(() => initiator.state).toBe('up');
  expect([initiator.session!.send('8', [[58, 'a']]), initiator.session!.nextIn]).toEqual([71, 41]);
  await expect.poll(() => received).toEqual(['acceptor 71 a']);
});

test('NextExpectedMsgSeqNum(789) in both Logons: what was missed is resent without a ResendRequest(2)', async () => {
  const { initiator, received, accepted } = await pair(true);
  // A report that never arrives: the connection breaks first.
  const first = initiator.session!;
  accepted().send('8', [[58, 'missed']]);
  (first as unknown as { wire: { destroy(): void } }).wire.destroy();
  await expect.poll(() => initiator.session !== first && initiator.state === 'up').toBe(true);
  await expect.poll(() => received.includes('initiator 2 missed')).toBe(true);
  expect(received).toEqual(['initiator 2 missed']);
});

test('NextExpectedMsgSeqNum(789) of our Logon(A), and one of the peer that is too high', async () => {
  const floor = new Floor();
  floor.profile = { ...floor.profile, sendNextExpected: true };
  const desk = await floor.call();
  expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30|789=2']);
});

test('they hold in the current session period, whenever the stored ones began', async () => {
  let period = 1;
  const schedule = { isOpen: () => true, periodStart: () => period };
  const { acceptor, initiator, store, accepted } = await pair(false, schedule);
  await initiator.stop();
  await expect.poll(() => accepted().state).toBe('ended');
  // A day later.
  period = Date.now() + 1;
  await expect.poll(() => Date.now() > period).toBe(true);
  expect(await initiator.setNextOutgoing(5_000)).toBeUndefined();
  expect((await store.open()).createdAtMs).toBeGreaterThan(period);
  expect(await acceptor.setNumbers(accepted().id, { nextOut: 7, nextIn: 5_000 }, undefined, schedule)).toBeUndefined();
  expect(await initiator.setNextIncoming(7)).toBeUndefined();
  initiator.start();
  await expect.poll(() => initiator.state).toBe('up');
  expect([initiator.session!.nextOut, initiator.session!.nextIn]).toEqual([5_001, 8]);
});
