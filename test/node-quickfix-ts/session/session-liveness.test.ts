import { weeklySchedule } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { Floor, turn } from './session-harness.js';

describe('silence', () => {
  test('is answered by a TestRequest after 1.5 intervals and ended with a Logout after 2.4', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.sent();
    await floor.pass(44.8);
    expect(desk.sent()).toEqual(['35=0|34=2']);
    await floor.pass(0.4);
    expect(desk.sent()).toEqual(['35=1|34=3|112=TEST']);
    await floor.pass(26.4);
    expect(desk.session!.loggedOn).toBe(true);
    await floor.pass(0.8);
    expect(desk.sent()).toEqual(['35=5|34=4|58=Heartbeat timeout']);
    expect([desk.wire.closed, floor.ends]).toEqual([true, ['Heartbeat timeout']]);
  });

  test('any message ends it', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    for (let i = 0; i < 10; i++) {
      await floor.pass(60);
      await desk.say('0');
    }
    expect(desk.session!.loggedOn).toBe(true);
    expect(desk.sent().filter((m) => m.includes('112=TEST'))).toHaveLength(10);
  });
});

test('a Logout of ours is waited for two seconds', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  desk.sent();
  desk.session!.logout('ENOUGH');
  expect(desk.sent()).toEqual(['35=5|34=2|58=ENOUGH']);
  await desk.say('D', '11=late|55=EUR/USD|54=1|60=20260114-12:00:00|40=1');
  expect(floor.taken).toEqual([]);
  await floor.pass(1.8);
  expect(desk.wire.closed).toBe(false);
  await floor.pass(0.4);
  expect([desk.wire.closed, floor.ends]).toEqual([true, ['ENOUGH']]);
  await desk.session!.settled;
  // What came after our Logout is not counted: it comes again at the next Logon.
  expect((await floor.store.open()).nextIn).toBe(2);
});

test('reports why the peer logs out on one line, short, and without control characters', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  await desk.say('5', `58=bye\n{"level":50}\x1b[31m\x9b${'z'.repeat(5_000)}`);
  expect(floor.ends).toEqual([`logout by the peer: bye?{"level":50}?[31m?${'z'.repeat(98)}`]);
});

describe('a wall clock that is set back an hour', () => {
  test('delays no heartbeat, and rejects a peer whose clock was right', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.sent();
    const peerTime = floor.time(30);
    floor.clock.wallMs -= 3_600_000;
    await floor.pass(30.2);
    expect(desk.sent()).toEqual(['35=0|34=2']);
    await desk.say('0', `52=${peerTime}`);
    expect(desk.sent()).toEqual(['35=3|34=3|45=2|58=SendingTime accuracy problem|371=52|372=0|373=10', '35=5|34=4']);
  });
});

describe('a weekly session in New York', () => {
  const schedule = weeklySchedule({ startDay: 'Sun', startTime: '17:00:00', endDay: 'Fri', endTime: '17:00:00' });
  const at = (iso: string): Floor => {
    const floor = new Floor();
    floor.profile = { ...floor.profile, schedule };
    floor.clock.wallMs = Date.parse(iso);
    return floor;
  };

  test.each([
    ['before the week begins', '2026-01-11T21:59:59Z', 'OUTSIDE_SESSION_HOURS'],
    ['in summer it begins an hour earlier', '2026-07-12T20:59:59Z', 'OUTSIDE_SESSION_HOURS'],
    ['after it has ended', '2026-01-16T22:00:00Z', 'OUTSIDE_SESSION_HOURS'],
    ['as it begins', '2026-01-11T22:00:00Z', undefined],
    ['as it begins in summer', '2026-07-12T21:00:00Z', undefined],
    ['on the Sunday of the spring change', '2026-03-08T21:00:00Z', undefined],
    ['on the Sunday of the autumn change', '2026-11-01T22:00:00Z', undefined],
    ['an hour early on the Sunday of the autumn change', '2026-11-01T21:30:00Z', 'OUTSIDE_SESSION_HOURS'],
  ])('%s', async (_, iso, text) => {
    const desk = await at(iso).call();
    expect(desk.sent()).toEqual([text === undefined ? '35=A|34=1|98=0|108=30' : `35=5|34=1|58=${text}`]);
  });

  test('ends with a Logout', async () => {
    const floor = at('2026-01-16T21:59:50Z');
    const desk = await floor.call();
    desk.sent();
    await floor.pass(8);
    expect(desk.sent()).toEqual([]);
    await floor.pass(3.2);
    expect(desk.sent()).toEqual(['35=5|34=2|58=SESSION_END']);
  });

  test('begins at 1 again, and in the same week it does not, whatever the clock has done', async () => {
    const floor = at('2026-01-14T12:00:00Z');
    let desk = await floor.call();
    await desk.say('0');
    desk.wire.closed = true;
    desk.session!.disconnected();
    await desk.session!.settled;
    desk = await floor.call('', '34=3|49=DESK1|56=FXENGINE');
    expect(desk.sent()).toEqual(['35=A|34=2|98=0|108=30']);
    desk.session!.disconnected();
    await desk.session!.settled;
    floor.clock.wallMs -= 24 * 3_600_000;
    desk = await floor.call('', '34=4|49=DESK1|56=FXENGINE');
    expect(desk.sent()).toEqual(['35=A|34=3|98=0|108=30']);
    desk.session!.disconnected();
    await desk.session!.settled;
    floor.clock.wallMs = Date.parse('2026-01-19T12:00:00Z');
    desk = await floor.call();
    expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30']);
  });
});

describe('a schedule without a pause ends the session at its boundary, and the next one begins at 1', () => {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
  test.each([
    ['each day at 17:00', { startTime: '17:00:00', endTime: '17:00:00', weekdays: days }],
    ['each week', { startTime: '17:00:00', endTime: '17:00:00', startDay: 'Wed', endDay: 'Wed' }],
  ] as const)('%s', async (_, settings) => {
    const floor = new Floor();
    floor.profile = { ...floor.profile, schedule: weeklySchedule({ ...settings, timeZone: 'UTC' }) };
    floor.clock.wallMs = Date.parse('2026-01-14T16:59:50Z');
    const desk = await floor.call();
    desk.session!.send('8', [[11, 'of yesterday']]);
    await turn();
    desk.sent();
    await floor.pass(8);
    expect([desk.sent(), desk.session!.loggedOn]).toEqual([[], true]);
    await floor.pass(3.2);
    expect(desk.sent()).toEqual(['35=5|34=3|58=SESSION_END']);
    await floor.pass(2.2);
    await desk.session!.settled;
    expect([floor.ends, await floor.store.read(1, 9, 9)]).toEqual([['SESSION_END'], []]);
    const next = await floor.call();
    expect(next.sent()).toEqual(['35=A|34=1|98=0|108=30']);
    await floor.pass(3_600);
    expect(floor.ends).toEqual(['SESSION_END', 'Heartbeat timeout']);
  });
});

test('an order at the boundary is not of the session that is over, before any timer', async () => {
  const floor = new Floor();
  const settings = { startTime: '17:00:00', endTime: '17:00:00', startDay: 'Wed', endDay: 'Wed' } as const;
  floor.profile = { ...floor.profile, schedule: weeklySchedule({ ...settings, timeZone: 'UTC' }) };
  floor.clock.wallMs = Date.parse('2026-01-14T16:59:59.990Z');
  const desk = await floor.call();
  const order = (id: string) => `11=${id}|21=1|55=EUR/USD|54=1|60=20260114-16:59:59|40=1`;
  await desk.say('D', order('before'));
  desk.sent();
  floor.clock.wallMs += 10;
  await desk.say('D', order('after'));
  expect([floor.taken, desk.sent()]).toEqual([['before'], ['35=5|34=2|58=SESSION_END']]);
  desk.session!.disconnected();
  await desk.session!.settled;
  expect(await floor.store.open()).toMatchObject({ nextOut: 1, nextIn: 1 });
});

test('HeartBtInt(108)=0: no heartbeats, no end by silence, and no replacement by a new connection', async () => {
  const floor = new Floor();
  const desk = await floor.callWith(`35=A|34=1|49=DESK1|56=FXENGINE|52=${floor.time()}|98=0|108=0`);
  expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=0']);
  await floor.pass(3_600);
  expect([desk.sent(), desk.session!.loggedOn]).toEqual([[], true]);
  const second = await floor.call('', '34=2|49=DESK1|56=FXENGINE');
  expect([second.wire.closed, desk.session!.loggedOn]).toEqual([true, true]);
});

describe('a peer that stops reading', () => {
  test('is congested above the bound, and notified when it has caught up', async () => {
    const floor = new Floor();
    let drains = 0;
    floor.more.onDrain = () => void drains++;
    const desk = await floor.call();
    desk.wire.reading = false;
    desk.session!.send('h', [[58, 'x'.repeat(20_000)]]);
    await turn();
    expect(desk.session!.congested).toBe(true);
    desk.readOn();
    expect([desk.session!.congested, drains]).toEqual([false, 1]);
  });

  test.each([
    ['for ten seconds', 20_000, 1, 10.2],
    ['above four megabytes', 700_000, 7, 0.2],
  ])('%s ends the session with a Logout(5)', async (_, bytes, messages, seconds) => {
    const floor = new Floor();
    const desk = await floor.call();
    const other = await floor.call('', '34=1|49=DESK2|56=FXENGINE');
    desk.wire.reading = false;
    for (let i = 0; i < messages; i++) desk.session!.send('h', [[58, 'x'.repeat(bytes)]]);
    await turn();
    await floor.pass(seconds);
    expect([desk.wire.closed, floor.ends]).toEqual([true, ['SLOW_CONSUMER']]);
    expect(floor.events).toContain('slow-consumer slow-consumer');
    expect(other.session!.loggedOn).toBe(true);
  });

  test('a small backlog that drains without an event of the socket does not end the session', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.wire.reading = false;
    desk.session!.send('h', [[58, 'x']]);
    await turn();
    desk.wire.reading = true;
    desk.wire.backlogBytes = 0;
    await floor.pass(20);
    expect(desk.session!.loggedOn).toBe(true);
  });
});
