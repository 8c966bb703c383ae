/** A message whose frame and number are right, with a field that cannot be read: it is rejected, its number counts, the session continues. */
import { describe, expect, test } from 'vitest';
import { type Desk, Floor } from './session-harness.js';
import { fieldOf, message } from './session-peer.js';

const ORDER = '11=o1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1';
const CASES = [
  // field                 371    373
  ['112', '112', '0'],
  ['text', '0', '0'],
  ['2147483648=x', '0', '0'],
  ['354=5|355=\u00c3\u00a4\u00c3\u00b6\u00c3\u00bc\u00c3\u009f', '354', '5'],
  ['354=9999|355=x', '354', '5'],
] as const;

async function callWith(dictionary?: 'none'): Promise<{ floor: Floor; desk: Desk }> {
  const floor = new Floor({ dictionary });
  const desk = await floor.call();
  desk.sent();
  return { floor, desk };
}

describe.each([undefined, 'none'] as const)('with dictionary %s', (dictionary) => {
  test.each(CASES)('%s: Reject(3) names 371=%s and 373=%s', async (field, tag, reason) => {
    const { floor, desk } = await callWith(dictionary);
    await desk.say('D', `${ORDER}|${field}`);
    await desk.say('1', '112=next');
    const [reject, answer] = desk.sent();
    expect([35, 45, 371, 372, 373].map((one) => fieldOf(reject, one))).toEqual(['3', '2', tag, 'D', reason]);
    expect(answer).toBe('35=0|34=3|112=next');
    expect([floor.taken, floor.events.filter((event) => event.startsWith('garbled'))]).toEqual([[], []]);
  });

  test.each(['0', '1', '2', '3', 'A', 'j'])('of 35=%s too', async (type) => {
    const { desk } = await callWith(dictionary);
    await desk.say(type, '98=0|108=30|141=Y|7=1|16=0|112', 2);
    await desk.say('1', '112=next');
    const [reject, answer] = desk.sent();
    expect([35, 371, 372, 373].map((one) => fieldOf(reject, one))).toEqual(['3', '112', type, '0']);
    expect(answer).toBe('35=0|34=3|112=next');
  });
});

test('behind a gap it waits, and is rejected when its turn comes', async () => {
  const { floor, desk } = await callWith();
  await desk.say('D', `${ORDER}|112`, 3);
  await desk.say('D', `43=Y|122=${floor.time()}|${ORDER}`, 2);
  expect(desk.sent().map((text) => text.replace(/58=[^|]*/, '58='))).toEqual([
    '35=2|34=2|7=2|16=0',
    '35=3|34=3|45=3|58=|371=112|372=D|373=0',
  ]);
  expect([floor.taken, desk.session!.inbound.next]).toEqual([['o1'], 4]);
});

test('a wrong CompID beside it is what is rejected', async () => {
  const { floor, desk } = await callWith();
  desk.sayRaw(message(`35=0|34=2|49=OTHER|56=FXENGINE|52=${floor.time()}|112`));
  expect(desk.sent()[0]).toContain('373=9');
});

test('of a Logon(A) Text(58) of the Logout(5) says it, after the counterparty is authenticated', async () => {
  const floor = new Floor();
  const desk = await floor.call('112|');
  expect(desk.session).toBeUndefined();
  expect(fieldOf(desk.sent()[0], 58)).toBe('Invalid tag number: field 10 is not tag=value (112)');
  const stranger = new Floor();
  stranger.authenticate = () => ({ accept: false, text: 'no', closeAfterMs: 0 });
  expect(fieldOf((await stranger.call('112|')).sent()[0], 58)).toBe('no');
});
