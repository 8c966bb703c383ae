import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frame } from '../support/desk.js';
import { type ClientOf, type Rig, startRig } from './rig.js';

let rig: Rig;
let acme: ClientOf;
let other: ClientOf;

beforeAll(async () => {
  rig = await startRig();
  acme = await rig.client('acme');
  other = await rig.client('other');
});
afterAll(() => rig.stop());

test('a logon is answered with a token that holds for a day', async () => {
  const reply = await rig.desk(acme).logon();
  expect(reply.text).toMatch(
    /^8=FIX\.4\.4\|9=\d+\|35=A\|34=1\|49=FXENGINE\|52=[\d:.-]+\|56=ACME1\|98=0\|108=30\|141=Y\|20001=[\w-]{43}\|20002=\d{8}-\d\d:\d\d:\d\d\.\d{3}\|10=\d{3}\|$/,
  );
});

describe('refused with one text, closed after a second, nothing touched', () => {
  test.each([
    ['a wrong secret', { clientSecret: 'wrong' }],
    ['an unknown key', { clientKey: 'CK_nobody' }],
    ['the key of another client', { foreign: true }],
  ])('%s', async (_what, { foreign, ...wrong }: { foreign?: boolean; clientKey?: string; clientSecret?: string }) => {
    const desk = rig.desk(foreign ? { ...other, compId: acme.compId } : acme, wrong);
    await desk.connect();
    desk.sendLogon();
    const logout = await desk.next('5');
    expect(logout.get(58)).toBe('Authentication failed');
    expect(desk.closed).toBe(false);
    await desk.untilClosed();
    expect(desk.count('A')).toBe(0);
  });

  test('a disabled client', async () => {
    const gone = await rig.client('gone');
    await rig.services.store.clients.setDisabled('gone', true);
    const desk = rig.desk(gone);
    await desk.connect();
    desk.sendLogon();
    expect((await desk.next('5')).get(58)).toBe('Authentication failed');
  });

  test('an address that is not on the list of the CompID', async () => {
    const far = await rig.client('far');
    await rig.services.store.compIds.assign(far.compId, 'far', { addresses: ['192.0.2.7'] });
    const desk = rig.desk(far);
    await desk.connect();
    desk.sendLogon();
    expect((await desk.next('5')).get(58)).toBe('Authentication failed');
    // Whoever put the address on the list sees which it has to be.
    const line = { message: 'logon refused', compId: far.compId, address: '127.0.0.1', code: 'NOT_ENTITLED' };
    expect(rig.log.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining(line));
  });
});

describe('closed without a word', () => {
  test.each([
    ['unknown SenderCompID(49)', { compId: 'NOBODY' }, 'A'],
    ['unknown TargetCompID(56)', { target: 'SOMEBODY' }, 'A'],
    ['a first message that is no Logon(A)', {}, 'V'],
  ])('%s', async (_what, options, first) => {
    const desk = rig.desk(acme, options);
    await desk.connect();
    if (first === 'A') desk.sendLogon();
    else desk.send(first, [[262, 'M1']]);
    await desk.untilClosed();
    expect(desk.received).toEqual([]);
  });

  test('another FIX version', async () => {
    const desk = rig.desk(acme);
    await desk.connect();
    desk.write(
      frame(
        [
          [35, 'A'],
          [34, 1],
          [49, acme.compId],
          [52, '20261120-08:00:00.000'],
          [56, 'FXENGINE'],
          [98, 0],
          [108, 30],
        ],
        'FIX.4.2',
      ),
    );
    await desk.untilClosed();
    expect(desk.received).toEqual([]);
  });

  test('a second logon beside a live one; the first goes on', async () => {
    const busy = await rig.client('busy');
    const first = rig.desk(busy);
    await first.logon();
    const second = rig.desk(busy);
    await second.connect();
    second.sendLogon();
    await second.untilClosed();
    expect(second.received).toEqual([]);
    await first.settle();
  });
});

test('HeartBtInt(108) out of range is named', async () => {
  const desk = rig.desk(acme, { heartBtInt: 61 });
  await desk.connect();
  desk.sendLogon();
  expect((await desk.next('5')).get(58)).toBe('HeartBtInt out of range 1-60');
});

test('outside the hours', async () => {
  const closed = await startRig({ settings: { schedule: { isOpen: () => false, periodStart: () => 0 } } });
  const desk = closed.desk(await closed.client('acme'));
  await desk.connect();
  desk.sendLogon();
  expect((await desk.next('5')).get(58)).toBe('OUTSIDE_SESSION_HOURS');
  await closed.stop();
});

test('while the engine stops, the desks are told; nothing is left behind', async () => {
  const stopping = await startRig();
  const desk = stopping.desk(await stopping.client('acme'));
  await desk.logon();
  const stopped = stopping.door.stop('FXENGINE is stopping');
  expect((await desk.next('5')).get(58)).toBe('FXENGINE is stopping');
  desk.send('5', []);
  await stopped;
  expect([...stopping.door.sessions()]).toEqual([]);
  await stopping.stop();
});

describe('failed logons', () => {
  test('five wrong secrets lock the key from this address, also for the right secret', async () => {
    const own = await startRig();
    const desk = await own.client('acme');
    for (let i = 0; i < 6; i++) {
      const attempt = own.desk(desk, i < 5 ? { clientSecret: 'wrong' } : {});
      await attempt.connect();
      attempt.sendLogon();
      expect((await attempt.next('5')).get(58)).toBe('Authentication failed');
      attempt.close();
    }
    expect(own.log.at(-1)).toContain('KEY_LOCKED');
    await own.stop();
  });

  test('ten in a minute close the address, and the log tells why without what was sent', async () => {
    const own = await startRig();
    const desk = await own.client('acme');
    for (let i = 0; i < 10; i++) {
      const attempt = own.desk(desk, { compId: 'NOBODY' });
      await attempt.connect();
      attempt.sendLogon();
      await attempt.untilClosed();
    }
    const right = own.desk(desk);
    await right.connect();
    right.sendLogon();
    await right.untilClosed();
    expect(right.received).toEqual([]);
    own.skip(61_000);
    expect((await own.desk(desk).logon()).get(35)).toBe('A');
    expect(own.log.join('\n')).not.toContain(desk.clientSecret);
    await own.stop();
  });
});

test('no secret and no token in the log', async () => {
  const reply = await rig.desk(await rig.client('quiet')).logon();
  expect(rig.log.join('\n')).toContain('QUIET1');
  expect(rig.log.join('\n')).not.toContain(reply.get(20001));
  expect(rig.log.join('\n')).not.toContain(acme.clientSecret);
});

// A Logout(5) to somebody who has no session has number 1: a QuickFIX that calls again by itself counts it as one of its session.
test('a store that is away: nobody can be authenticated, and the connection is closed without a word', async () => {
  const alone = await startRig();
  const desk = alone.desk(await alone.client('acme'));
  await alone.services.store.close();
  await desk.connect();
  desk.sendLogon();
  await desk.untilClosed();
  expect(desk.received).toEqual([]);
  await alone.stop();
});
