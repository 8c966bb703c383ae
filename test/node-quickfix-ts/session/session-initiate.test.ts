import { type Field, profile, type SessionProfile, weeklySchedule } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { sendLogon } from '../../../engine/node-quickfix-ts/src/session/initiate.js';
import { Protocol } from '../../../engine/node-quickfix-ts/src/session/protocol.js';
import { FixSession } from '../../../engine/node-quickfix-ts/src/session/session.js';
import { readDictionary } from '../dictionaries.js';
import { Desk, Floor, HandWire, turn } from './session-harness.js';

interface Initiated {
  readonly floor: Floor;
  /** The acceptor, which sends what a test says. */
  readonly peer: Desk;
  readonly session: FixSession;
}

/** DESK1 is the acceptor here: FXENGINE has connected to it and sent its Logon(A). */
async function initiate(
  changes: Partial<SessionProfile> = {},
  { floor = new Floor(), reset = false, heartBtIntS = 30 } = {},
): Promise<Initiated> {
  const wire = new HandWire();
  const id = { beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'DESK1' };
  const known = profile({ supported: new Set(['D']), stored: new Set(['8']), ...changes });
  const session = new FixSession(
    floor.host,
    {
      id,
      protocol: new Protocol({ beginString: 'FIX.4.4', dictionary: readDictionary() }),
      profile: known,
      context: undefined,
      heartBtIntS,
      initiated: true,
    },
    wire,
    floor.store,
  );
  await sendLogon(session, reset, []);
  return { floor, peer: new Desk(floor, wire, session), session };
}

const report: readonly Field[] = [[11, 'yesterday']];

/** A session of yesterday: five messages, two of them stored. */
async function yesterday(floor: Floor): Promise<void> {
  const { peer, session } = await initiate({}, { floor });
  await peer.say('A', '98=0|108=30', 1);
  session.send('8', report);
  session.send('8', report);
  await turn();
  session.disconnected();
  await session.settled;
}

test('a profile that resets at each Logon(A) has the peer reset too', async () => {
  const floor = new Floor();
  await yesterday(floor);
  const { peer, session } = await initiate({ resetOnLogon: true }, { floor });
  expect(peer.sent()).toEqual(['35=A|34=1|98=0|108=30|141=Y']);
  await peer.say('A', '98=0|108=30|141=Y', 1);
  expect([session.state, session.nextOut, session.nextIn]).toEqual(['up', 2, 2]);
});

describe('ResetSeqNumFlag(141)=Y that was not requested', () => {
  test('in the answer to our Logon: both sides begin at 1, and nothing of yesterday is replayed', async () => {
    const floor = new Floor();
    await yesterday(floor);
    const { peer, session } = await initiate({}, { floor });
    expect(peer.sent()).toEqual(['35=A|34=4|98=0|108=30']);
    floor.store.calls = [];
    await peer.say('A', '98=0|108=30|141=Y', 1);
    expect([session.loggedOn, session.nextOut, session.nextIn, floor.store.calls]).toEqual([true, 2, 2, ['reset']]);
    await peer.say('2', '7=1|16=0');
    expect(peer.sent().map((m) => m.replace(/122=[^|]*/, '122='))).toEqual(['35=4|34=1|43=Y|122=|36=2|123=Y']);
    expect(session.send('8', report)).toBe(2);
    session.disconnected();
    await session.settled;
    const numbers = await floor.store.open();
    expect([numbers.nextOut, numbers.nextIn, (await floor.store.read(1, 99, 99)).map(({ number }) => number)]).toEqual([
      3,
      3,
      [2],
    ]);
  });

  test('in the answer to a Logon that asked for it resets once', async () => {
    const { floor, peer, session } = await initiate({}, { reset: true });
    await peer.say('A', '98=0|108=30|141=Y', 1);
    expect([session.nextOut, session.nextIn, floor.store.calls]).toEqual([2, 2, ['open', 'reset']]);
  });

  test('in a Logon in the midst of the session', async () => {
    const floor = new Floor();
    await yesterday(floor);
    const { peer, session } = await initiate({}, { floor });
    await peer.say('A', '98=0|108=30', 2);
    peer.sent();
    floor.store.calls = [];
    await peer.say('A', '98=0|108=30|141=Y', 1);
    session.flush();
    expect([peer.sent(), floor.store.calls, session.nextIn]).toEqual([['35=A|34=1|98=0|108=30|141=Y'], ['reset'], 2]);
    await peer.say('2', '7=1|16=0');
    expect(peer.sent().map((m) => m.replace(/122=[^|]*/, '122='))).toEqual(['35=4|34=1|43=Y|122=|36=2|123=Y']);
  });

  test('a store that cannot reset ends the session', async () => {
    const { floor, peer, session } = await initiate();
    peer.sent();
    floor.store.failing = true;
    await peer.say('A', '98=0|108=30|141=Y', 1);
    expect([session.loggedOn, peer.wire.closed, floor.ends]).toEqual([false, true, ['STORE_UNAVAILABLE']]);
  });
});

describe('the first answer to our Logon', () => {
  test.each([
    ['0', '', 'logon not answered by a Logon'],
    ['D', '11=o1|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1', 'logon not answered by a Logon'],
    ['3', '45=1|372=A|371=554|373=5|58=no such user', 'logon rejected: no such user (371=554, 373=5)'],
  ])('35=%s is answered by Logout(5), then the connection is closed', async (type, fields, reason) => {
    const { floor, peer } = await initiate();
    peer.sent();
    await peer.say(type, fields, 1);
    expect([peer.sent(), peer.wire.closed, floor.ends]).toEqual([
      [`35=5|34=2|58=${type === '3' ? 'Logon rejected' : 'First message is not a Logon'}`],
      true,
      [reason],
    ]);
  });

  test('a Reject(3) is reported with its cause', async () => {
    const { floor, peer } = await initiate();
    const events: unknown[] = [];
    floor.more.onEvent = (_, event) => void events.push(event);
    await peer.say('3', '45=1|372=A|371=554|373=5|58=no such user', 1);
    expect(events).toContainEqual({ kind: 'logon-rejected', detail: '5', refTag: 554, text: 'no such user' });
  });

  test.each([
    ['3', 'logon rejected: '],
    ['5', 'logon refused: '],
  ])('a password that %s quotes is not in the reason', async (type, why) => {
    const { floor, peer } = await initiate();
    await peer.say(type, '58=Invalid Logon 553=user;554=sec ret', 1);
    expect(floor.ends).toEqual([`${why}Invalid Logon 553=user;554=*******`]);
  });

  test('a Logout(5) is the reason, and is not answered', async () => {
    const { floor, peer } = await initiate();
    peer.sent();
    await peer.say('5', '58=Authentication failed', 1);
    expect([peer.sent(), peer.wire.closed, floor.ends]).toEqual([[], true, ['logon refused: Authentication failed']]);
  });
});

test.each([
  ['34', '', '9007199254740992'],
  ['34', '', '99999999999999999999'],
])('MsgSeqNum(%s) above 2^53 - 1 ends the session at once', async (_, fields, number) => {
  const { floor, peer, session } = await initiate();
  await peer.say('A', '98=0|108=30', 1);
  peer.sent();
  await peer.say('0', fields, number as never);
  expect([peer.sent(), session.loggedOn, floor.ends]).toEqual([
    ['35=5|34=2|58=MsgSeqNum(34) missing or not a number'],
    false,
    ['MsgSeqNum missing'],
  ]);
});

test.each([
  ['2', '7=9007199254740993|16=0', 7],
  ['2', '7=1|16=99999999999999999999', 16],
  ['4', '36=9007199254740992|123=Y', 36],
  ['4', '36=9007199254740992', 36],
])('35=%s with %s is rejected, and changes no number', async (type, fields, tag) => {
  const { peer, session } = await initiate();
  await peer.say('A', '98=0|108=30', 1);
  peer.sent();
  await peer.say(type, fields);
  expect(peer.sent()).toEqual([
    `35=3|34=2|45=2|58=Value is incorrect (out of range) for this tag|371=${tag}|372=${type}|373=5`,
  ]);
  expect([session.nextOut, session.nextIn]).toEqual([3, fields.includes('123') || type === '2' ? 3 : 2]);
});

test('an initiator is logged out at the boundary of a contiguous schedule, and begins at 1 again', async () => {
  const everyDay = weeklySchedule({
    startTime: '17:00:00',
    endTime: '17:00:00',
    timeZone: 'UTC',
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  });
  const floor = new Floor();
  floor.clock.wallMs = Date.UTC(2026, 0, 14, 16, 59, 50);
  const { peer, session } = await initiate({ schedule: everyDay }, { floor });
  await peer.say('A', '98=0|108=30', 1);
  session.send('8', report);
  await turn();
  peer.sent();
  await floor.pass(9);
  expect(peer.sent()).toEqual([]);
  await floor.pass(3);
  expect(peer.sent()).toEqual(['35=5|34=3|58=SESSION_END']);
  await peer.say('5', '', 2);
  await session.settled;
  expect([floor.ends, await floor.store.open(), await floor.store.read(1, 9, 9)]).toEqual([
    ['SESSION_END'],
    { nextOut: 1, nextIn: 1, createdAtMs: floor.clock.wallMs },
    [],
  ]);
  const again = await initiate({ schedule: everyDay }, { floor });
  expect(again.peer.sent()).toEqual(['35=A|34=1|98=0|108=30']);
});

test('HeartBtInt(108)=0: no heartbeats, and no end by silence', async () => {
  const { floor, peer, session } = await initiate({}, { heartBtIntS: 0 });
  expect(peer.sent()).toEqual(['35=A|34=1|98=0|108=0']);
  await peer.say('A', '98=0|108=0', 1);
  await floor.pass(600);
  expect([peer.sent(), session.loggedOn]).toEqual([[], true]);
  await peer.say('1', '112=there?');
  expect(peer.sent()).toEqual(['35=0|34=2|112=there?']);
  // A gap is requested once, and again only after a while.
  await peer.say('0', '', 9);
  await peer.say('0', '', 10);
  expect(peer.sent()).toEqual(['35=2|34=3|7=3|16=0']);
});
