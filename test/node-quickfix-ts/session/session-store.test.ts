import { publishedType, SharedBody } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { profile } from '../../../engine/node-quickfix-ts/src/session/profile.js';
import { Floor, turn } from './session-harness.js';

const REPORT = [[37, 'C1']] as const;

describe('a stored message', () => {
  test('is written only when its store has it, and what comes later waits behind it', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.sent();
    floor.store.holding = true;
    desk.session!.send('8', REPORT);
    desk.session!.send('h', [[336, 'FX']]);
    await turn();
    expect(desk.sent()).toEqual([]);
    expect(desk.session!.congested).toBe(true);
    await floor.store.release();
    expect(desk.sent()).toEqual(['35=8|34=2|37=C1', '35=h|34=3|336=FX']);
    expect(desk.session!.congested).toBe(false);
  });

  test('goes out unstored when the store takes longer than the bound, and is gap-filled later', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.sent();
    floor.store.holding = true;
    desk.session!.send('8', REPORT);
    await floor.pass(0.4);
    expect(desk.sent()).toEqual(['35=8|34=2|37=C1']);
    expect(floor.events).toContain('store-failed store');
    await desk.say('2', '7=2|16=2');
    expect(desk.sent().map(withoutTimes)).toEqual(['35=4|34=2|43=Y|36=3|123=Y']);
  });

  test('goes out when the store fails', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.sent();
    floor.store.failing = true;
    desk.session!.send('8', REPORT);
    await turn();
    expect(desk.sent()).toEqual(['35=8|34=2|37=C1']);
    expect(floor.events.filter((event) => event === 'store-failed store')).toHaveLength(1);
  });

  test('is stored without the fields that the profile names, and replayed without them', async () => {
    const floor = new Floor();
    floor.profile = profile({ stored: new Set(['8']), unstoredFields: new Set([20001, 554]) });
    const desk = await floor.call();
    desk.sent();
    desk.session!.send('8', [
      [37, 'C1'],
      [20001, 'secret'],
      [58, 'done'],
      [554, 'secret'],
    ]);
    await turn();
    expect(desk.sent()).toEqual(['35=8|34=2|37=C1|20001=secret|58=done|554=secret']);
    await desk.say('2', '7=2|16=2');
    expect(desk.sent().map(withoutTimes)).toEqual(['35=8|34=2|43=Y|37=C1|58=done']);
  });

  test('of a slow store does not hold up another session', async () => {
    const floor = new Floor();
    const slow = await floor.call();
    const other = await floor.call('', '34=1|49=DESK2|56=FXENGINE');
    other.sent();
    floor.store.holding = true;
    slow.session!.send('8', REPORT);
    other.session!.send('8', REPORT);
    await turn();
    expect(other.sent()).toEqual(['35=8|34=2|37=C1']);
  });
});

test('a session that another process has claimed ends, and says nothing more', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  desk.sent();
  floor.store.holding = true;
  desk.session!.send('8', REPORT);
  floor.store.takeOver();
  await floor.store.release();
  await turn();
  expect(desk.sent()).toEqual([]);
  expect(desk.wire.closed).toBe(true);
  expect(floor.ends).toEqual(['taken over by another process']);
});

test('a peer whose session is live in another process is turned away without a word', async () => {
  const floor = new Floor();
  floor.store.isElsewhere = true;
  const desk = await floor.call();
  expect(desk.sent()).toEqual([]);
  expect(desk.wire.closed).toBe(true);
  expect(floor.events).toContain('logon-refused live-elsewhere');
  floor.store.isElsewhere = false;
  expect((await floor.call()).session?.loggedOn).toBe(true);
});

test('a session that stores nothing never touches its store for a message', async () => {
  const floor = new Floor();
  floor.profile = { ...floor.profile, stored: new Set() };
  const desk = await floor.call();
  desk.session!.send('8', REPORT);
  await desk.say('2', '7=1|16=0');
  expect(floor.store.calls).toEqual(['open']);
  expect(desk.sent().map(withoutTimes)).toEqual([
    '35=A|34=1|98=0|108=30',
    '35=8|34=2|37=C1',
    '35=4|34=1|43=Y|36=3|123=Y',
  ]);
});

test('numbers are reserved before half a block is used, exact after a clean end, at the bound after a crash', async () => {
  const floor = new Floor();
  floor.profile = { ...floor.profile, resetOnLogon: false };
  const desk = await floor.call();
  expect((await floor.store.open()).nextOut).toBe(10_001);
  const body = new SharedBody();
  body.field(55, 'EUR/USD');
  const W = publishedType('W');
  const prefix = new SharedBody();
  prefix.field(262, 'r1');
  for (let i = 0; i < 5_000; i++) desk.session!.publish(W, prefix, body);
  await turn();
  expect((await floor.store.open()).nextOut).toBe(20_001);

  // Killed here: a new process finds the bound.
  const crashed = new Floor();
  crashed.store = floor.store;
  const again = await crashed.call('', '34=2|49=DESK1|56=FXENGINE');
  expect(again.sent()).toEqual(['35=A|34=20001|98=0|108=30']);
  await again.say('5', '', 3);
  await again.session!.settled;
  expect(await crashed.store.open()).toMatchObject({ nextOut: 20_003, nextIn: 4 });
});

test('during a store outage a session still publishes prices: its numbers continue and the reservation is retried', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  const W = publishedType('W');
  const none = new SharedBody();
  floor.store.failing = true;
  for (let i = 0; i < 30; i++) {
    for (let k = 0; k < 1_000; k++) desk.session!.publish(W, none, none);
    await turn();
  }
  expect(desk.sent().filter((message) => !message.startsWith('35=1|'))).toHaveLength(30_001);
  expect(floor.events).toContain('store-failed store');
  floor.store.failing = false;
  for (let k = 0; k < 1_000; k++) desk.session!.publish(W, none, none);
  await turn();
  expect((await floor.store.open()).nextOut).toBeGreaterThan(31_001);
});

describe('killed', () => {
  test('between the store and the socket: the message comes with the resend, under its one number', async () => {
    const floor = new Floor();
    const desk = await floor.call();
    desk.session!.send('8', REPORT);
    // The append has been made; the process dies before the turn ends, so nothing was written.
    await Promise.resolve();
    const after = new Floor();
    after.store = floor.store;
    const again = await after.call('', '34=2|49=DESK1|56=FXENGINE');
    expect(again.sent()).toEqual(['35=A|34=10001|98=0|108=30']);
    await again.say('2', '7=2|16=0', 3);
    expect(again.sent().map(withoutTimes)).toEqual(['35=8|34=2|43=Y|37=C1', '35=4|34=3|43=Y|36=10002|123=Y']);
    after.store.calls = [];
    again.session!.send('8', [[37, 'C2']]);
    await turn();
    expect(after.store.calls).toEqual(['append 10002']);
  });

  test('between the socket and the acknowledgement: no number is ever given to two messages', async () => {
    const floor = new Floor();
    const numbers = new Map<number, string>();
    let next = '34=1|49=DESK1|56=FXENGINE';
    for (let life = 0; life < 5; life++) {
      const process = new Floor();
      process.store = floor.store;
      const desk = await process.call('', next);
      for (let i = 0; i < 20; i++) {
        if (life % 2 === 1 && i === 10) process.store.holding = true;
        desk.session!.send('8', [[37, `C${life}-${i}`]]);
      }
      await turn();
      for (const message of desk.sent()) {
        const [, number, what] = /34=(\d+)\|(.*)/.exec(message)!;
        expect(numbers.get(Number(number)) ?? what).toBe(what);
        numbers.set(Number(number), what!);
      }
      process.store.holding = false;
      next = `34=${(await floor.store.open()).nextIn}|49=DESK1|56=FXENGINE`;
    }
    for (const { number, message } of await floor.store.read(1, 1_000_000, 1_000)) {
      expect(numbers.get(number) ?? 'never sent').toMatch(/37=C|never sent/);
      const text = Buffer.from(message).toString('latin1').replaceAll('\x01', '|');
      if (numbers.has(number)) expect(text).toContain(numbers.get(number)!);
    }
  });
});

test('the inbound number is saved after what it counts has been executed, never before', async () => {
  const floor = new Floor();
  const saved: [number, number][] = [];
  const store = floor.store;
  store.saveNextIn = (nextIn: number) => void saved.push([nextIn, floor.taken.length]);
  const desk = await floor.call();
  const order = (id: string): string => `11=${id}|55=EUR/USD|54=1|60=20260114-12:00:00|40=1`;
  await desk.say('D', order('one'));
  await desk.say('D', order('two'));
  expect(saved).toEqual([
    [2, 0],
    [3, 1],
    [4, 2],
  ]);
});

function withoutTimes(message: string): string {
  return message.replace(/\|122=[^|]*/, '');
}
