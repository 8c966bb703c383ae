/** Reject(3) names the tag at fault where it is known, and has no empty field. In QuickFIX's acceptance scenarios it has no such tag. */
import { profile } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { type Desk, Floor, turn } from './session-harness.js';
import { fieldOf, message } from './session-peer.js';

type Rejects = 'full' | 'quickfix';

function floorWith(rejects: Rejects, dictionary?: 'none'): Floor {
  const floor = new Floor({ dictionary });
  floor.profile = profile({ rejects });
  return floor;
}

async function callWith(rejects: Rejects = 'full', dictionary?: 'none'): Promise<{ floor: Floor; desk: Desk }> {
  const floor = floorWith(rejects, dictionary);
  const desk = await floor.call();
  desk.sent();
  return { floor, desk };
}

const header = (changed: Partial<Record<'49' | '56' | '52', string>>) => (floor: Floor) =>
  `35=0|34=2|49=${changed[49] ?? 'DESK1'}|56=${changed[56] ?? 'FXENGINE'}|52=${changed[52] ?? floor.time()}|`;

describe.each(['full', 'quickfix'] as const)('rejects: %s', (rejects) => {
  test.each<[string, string, (floor: Floor) => string]>([
    // tag   373   message
    ['52', '10', header({ 52: '20010101-00:00:00' })],
    ['49', '9', header({ 49: 'OTHER' })],
    ['56', '9', header({ 56: 'OTHER' })],
    ['35', '11', (floor) => `35=*|34=2|49=DESK1|56=FXENGINE|52=${floor.time()}|`],
    ['36', '5', (floor) => `35=4|34=2|49=DESK1|56=FXENGINE|52=${floor.time()}|36=1|`],
    ['122', '10', (floor) => `35=0|34=2|43=Y|49=DESK1|56=FXENGINE|52=${floor.time()}|122=${floor.time(9)}|`],
  ])('of %s has 373=%s', async (tag, reason, build) => {
    const { floor, desk } = await callWith(rejects);
    desk.sayRaw(message(build(floor)));
    await turn();
    const [reject] = desk.sent();
    expect([35, 371, 373].map((one) => fieldOf(reject, one))).toEqual([
      '3',
      rejects === 'full' ? tag : undefined,
      reason,
    ]);
  });
});

test.each([undefined, 'none'] as const)(
  'an empty MsgType(35) is named by 371, and not repeated (dictionary %s)',
  async (dictionary) => {
    const { floor, desk } = await callWith('full', dictionary);
    desk.sayRaw(message(`35=|34=2|49=DESK1|56=FXENGINE|52=${floor.time()}|`));
    await turn();
    expect(desk.sent()).toEqual(['35=3|34=2|45=2|58=Invalid MsgType|371=35|373=11']);
    expect(desk.session!.inbound.next).toBe(3);
  },
);

describe('a Logon(A) whose SendingTime(52) is too far from our clock', () => {
  const logon = '35=A|34=7|49=DESK1|56=FXENGINE|52=20010101-00:00:00|98=0|108=30|141=Y|';

  test('is answered by Reject(3) and Logout(5), and opens no session', async () => {
    const floor = floorWith('full');
    const desk = await floor.callWith(logon);
    expect([desk.session, desk.sent(), desk.wire.closed, floor.store.calls]).toEqual([
      undefined,
      [
        '35=3|34=1|45=7|58=SendingTime accuracy problem|371=52|372=A|373=10',
        '35=5|34=2|58=SendingTime accuracy problem (52)',
      ],
      true,
      [],
    ]);
    expect(floor.events).toContain('logon-refused sending-time');
  });

  test('is shown nothing before it is authenticated', async () => {
    const floor = floorWith('full');
    floor.authenticate = () => ({ accept: false, text: 'Authentication failed', closeAfterMs: 0 });
    expect((await floor.callWith(logon)).sent()).toEqual(['35=5|34=1|58=Authentication failed']);
  });

  test('is closed without an answer for the scenarios', async () => {
    const desk = await floorWith('quickfix').callWith(logon);
    expect([desk.sent(), desk.wire.closed]).toEqual([[], true]);
  });
});
