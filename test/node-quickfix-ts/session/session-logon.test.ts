import { expect, test } from 'vitest';
import { Floor, HandWire, turn } from './session-harness.js';
import { fieldOf } from './session-peer.js';

test('a Logon is answered with what the application adds', async () => {
  const floor = new Floor();
  floor.authenticate = () => ({ accept: true, profile: floor.profile, reply: [[20001, 'token']], context: 7 });
  const desk = await floor.call();
  expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30|20001=token']);
  expect(desk.session?.context).toBe(7);
  expect(desk.session?.loggedOn).toBe(true);
});

test.each([
  ['path', '34=1|49=../../etc|56=FXENGINE'],
  ['dots', '34=1|49=..|56=FXENGINE'],
  ['slash', '34=1|49=a/b|56=FXENGINE'],
  ['NUL', '34=1|49=a\0b|56=FXENGINE'],
  ['33 characters', `34=1|49=${'a'.repeat(33)}|56=FXENGINE`],
  ['10 kB', `34=1|49=${'a'.repeat(10_000)}|56=FXENGINE`],
  ['empty', '34=1|49=|56=FXENGINE'],
  ['missing', '34=1|56=FXENGINE'],
  ['not ours', '34=1|49=DESK1|56=OTHER'],
])('CompIDs: %s is refused before anything is opened or asked', async (_, header) => {
  const floor = new Floor();
  let asked = 0;
  floor.authenticate = () => {
    asked++;
    return { accept: false, silent: true };
  };
  const desk = await floor.call('', header);
  expect([asked, floor.store.calls, desk.sent(), desk.wire.closed]).toEqual([0, [], [], true]);
});

test('the text of a refused Logon leaves whatever its characters', async () => {
  const floor = new Floor();
  floor.authenticate = () => ({ accept: false, text: '10 €\x01', closeAfterMs: 0 });
  expect((await floor.call()).sent()).toEqual(['35=5|34=1|58=10 ? ']);
});

test('answers a refused Logon with a Logout of number 1, and opens no store', async () => {
  const floor = new Floor();
  floor.authenticate = () => ({ accept: false, text: 'Authentication failed', closeAfterMs: 1000 });
  const desk = await floor.call('141=Y');
  expect(desk.sent()).toEqual(['35=5|34=1|58=Authentication failed']);
  expect(floor.store.calls).toEqual([]);
});

test.each(['', '141=Y'])(
  'a Logon with live CompIDs and a wrong secret leaves the live session alone %s',
  async (reset) => {
    const floor = new Floor();
    const desk = await floor.call();
    await desk.say('D', '11=one|55=EUR/USD|54=1|60=20260114-12:00:00|40=1');
    const before = { ...(await floor.store.open()) };
    floor.store.calls = [];
    floor.authenticate = () => ({ accept: false, text: 'Authentication failed', closeAfterMs: 1000 });
    const intruder = await floor.call(reset);
    expect(intruder.session).toBeUndefined();
    expect(floor.store.calls).toEqual([]);
    expect(await floor.store.open()).toEqual(before);
    desk.sent();
    await desk.say('1', '112=alive');
    expect(desk.sent()).toEqual(['35=0|34=2|112=alive']);
  },
);

test('a second authenticated Logon is disconnected without a Logout(5) while the first session is live', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  const second = await floor.call('141=Y');
  expect([second.sent(), second.wire.closed, second.session]).toEqual([[], true, undefined]);
  expect(desk.session?.loggedOn).toBe(true);
  expect(floor.store.calls).toEqual(['open']);
});

test('a connection silent for two heartbeats is replaced, and the sequence numbers continue', async () => {
  const floor = new Floor();
  const first = await floor.call();
  await floor.pass(61);
  const second = await floor.call('', '34=2|49=DESK1|56=FXENGINE');
  expect([first.session?.loggedOn, first.wire.closed]).toEqual([false, true]);
  expect(second.session?.loggedOn).toBe(true);
  expect(floor.ends).toEqual(['replaced by a new connection']);
  // Logon, Heartbeat and TestRequest were 1 to 3.
  expect(second.sent()).toEqual(['35=A|34=4|98=0|108=30']);
});

test('of two simultaneous Logons one gets the session', async () => {
  const floor = new Floor();
  const decided: (() => void)[] = [];
  floor.authenticate = () =>
    new Promise((resolve) => {
      decided.push(() => resolve({ accept: true, profile: floor.profile, reply: [], context: undefined }));
    });
  const calls = [floor.call(), floor.call()];
  for (const decide of decided) decide();
  const desks = await Promise.all(calls);
  expect(desks.filter((desk) => desk.session !== undefined).length).toBe(1);
});

test('a connection that closes during authentication opens no store', async () => {
  const floor = new Floor();
  let decide: () => void = () => {};
  floor.authenticate = () =>
    new Promise((resolve) => {
      decide = () => resolve({ accept: true, profile: floor.profile, reply: [], context: undefined });
    });
  const wire = new HandWire();
  const call = floor.callWith(`35=A|34=1|49=DESK1|56=FXENGINE|52=${floor.time()}|98=0|108=30|141=Y`, wire);
  await turn();
  wire.closed = true;
  decide();
  expect((await call).session).toBeUndefined();
  expect(floor.store.calls).toEqual([]);
  expect(floor.live.holder('FIX.4.4|FXENGINE|DESK1')).toBeUndefined();
});

test.each(['0', '61', '-1'])('HeartBtInt(108) %s is out of range', async (interval) => {
  const floor = new Floor();
  floor.profile = { ...floor.profile, heartBtIntMin: 1 };
  const desk = await floor.callWith(`35=A|34=1|49=DESK1|56=FXENGINE|52=${floor.time()}|98=0|108=${interval}`);
  expect(desk.sent()).toEqual(['35=5|34=1|58=HeartBtInt out of range 1-60']);
  expect(floor.store.calls).toEqual([]);
});

test('only a Logon that does not ask for encryption is understood', async () => {
  const floor = new Floor();
  const desk = await floor.callWith(`35=A|34=1|49=DESK1|56=FXENGINE|52=${floor.time()}|98=2|108=30`);
  expect(desk.sent()).toEqual(['35=5|34=1|58=EncryptMethod(98) must be 0: use the TLS port instead']);
});

test('141=Y starts both sides at 1, after the secret has been checked', async () => {
  const floor = new Floor();
  await floor.store.settle(57, 99);
  const desk = await floor.call('141=Y');
  expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30|141=Y']);
  expect(floor.store.calls).toEqual(['open', 'reset']);
});

test('NextExpectedMsgSeqNum(789): missed messages are resent without a ResendRequest(2), in both directions', async () => {
  const floor = new Floor();
  await floor.store.settle(5, 1);
  const desk = await floor.call('789=3', '34=7|49=DESK1|56=FXENGINE');
  await turn();
  expect(desk.sent().map((m) => m.replace(/122=[^|]*/, '122='))).toEqual([
    '35=A|34=5|98=0|108=30|789=1',
    '35=4|34=3|43=Y|122=|36=5|123=Y',
  ]);
  const beyond = new Floor();
  const refused = await beyond.call('789=12');
  expect(refused.sent()).toEqual(['35=5|34=1|58=NextExpectedMsgSeqNum too high, expecting 1 but received 12']);
});

test('a Logon with MsgSeqNum(34) too low is logged out', async () => {
  const floor = new Floor();
  await floor.store.settle(5, 8);
  const desk = await floor.call();
  expect(desk.sent()).toEqual(['35=5|34=5|58=MsgSeqNum too low, expecting 8 but received 1']);
  await turn();
  expect((await floor.store.open()).nextOut).toBe(6);
});

test('a store outage closes the connection without a Logout(5) and releases the claim', async () => {
  const floor = new Floor();
  floor.store.failing = true;
  const desk = await floor.call();
  expect(desk.sent()).toEqual([]);
  floor.store.failing = false;
  const again = await floor.call();
  expect(fieldOf(again.sent()[0], 35)).toBe('A');
});
