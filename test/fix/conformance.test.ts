import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFixGateway } from '../../engine/fix/gateway.js';
import { type Rig, startRig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ settings: { fixConformance: 'TW44:ISLD' } });
});
afterAll(() => rig.stop());

/** NewOrderSingle(D). */
const ORDER = [
  [11, 'O1'],
  [21, 3],
  [40, 1],
  [54, 1],
  [55, 'INTC'],
  [38, 200],
  [60, '20261120-08:00:00'],
] as const;

const scenario = () => rig.desk(undefined, { compId: 'TW44', target: 'ISLD' });

describe('the session of the public test scenarios', () => {
  test('logs on without credentials, starts at 1 each time, and has no field of ours', async () => {
    for (let i = 0; i < 2; i++) {
      const desk = scenario();
      await desk.connect();
      desk.send('A', [
        [98, 0],
        [108, 30],
      ]);
      const logon = await desk.next('A');
      expect([logon.get(34), logon.get(20001)]).toEqual(['1', undefined]);
      desk.send('5', []);
      await desk.untilClosed();
    }
  });

  test('accepts an order without an answer; an unregistered type is j 380=3 in ascending order, without our code', async () => {
    const desk = scenario();
    await desk.logon();
    desk.send('D', ORDER);
    desk.sendUntaken();
    const reject = await desk.next('j');
    expect(reject.text).toMatch(/\|45=3\|58=Unsupported Message Type\|372=E\|380=3\|10=/);
    expect(desk.received).toHaveLength(2);
    desk.send('5', []);
    await desk.untilClosed();
  });

  test('wrong CompIDs, however often, do not close the address', async () => {
    for (let i = 0; i < 12; i++) {
      const desk = rig.desk(undefined, { compId: i % 2 ? 'TW44' : 'WT', target: i % 2 ? 'DLSI' : 'ISLD' });
      await desk.connect();
      desk.send('A', [
        [98, 0],
        [108, 30],
      ]);
      await desk.untilClosed();
      expect(desk.received).toEqual([]);
    }
    const right = scenario();
    await right.logon();
    right.send('5', []);
    await right.untilClosed();
  });

  test('rejects unknown user tags there', async () => {
    const desk = scenario();
    await desk.logon();
    desk.send('D', [...ORDER, [9999, 'x']]);
    const reject = await desk.next('3');
    expect([reject.get(371), reject.get(373)]).toEqual(['9999', '0']);
  });
});

test('refuses to start on any address other than loopback', () => {
  const open = () =>
    createFixGateway({
      services: rig.services,
      settings: {
        host: '0.0.0.0',
        port: 0,
        tokenOnRequest: 'required',
        fixConformance: 'TW44:ISLD',
      },
    });
  expect(open).toThrow(/^FIX_CONFORMANCE TW44:ISLD is refused with HOST 0\.0\.0\.0: .*set HOST to 127\.0\.0\.1/);
});

test('accepts unknown user tags of another desk', async () => {
  const desk = rig.desk(await rig.client('acme'));
  await desk.logon([[9999, 'x']]);
  desk.send('g', [
    [335, 'G1'],
    [263, 0],
    [9999, 'x'],
  ]);
  await desk.next('h');
});

test.each([20_020, 20_030])('rejects the reserved field %i', async (tag) => {
  const desk = rig.desk(await rig.client(`reserved-${tag}`));
  await desk.logon();
  desk.send('g', [
    [335, 'G1'],
    [263, 0],
    [tag, 'x'],
  ]);
  const reject = await desk.next('3');
  expect([reject.get(371), reject.get(373)]).toEqual([String(tag), '2']);
});
