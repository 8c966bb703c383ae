import {
  encodeMessage,
  encodePublished,
  headerTemplate,
  Initiator,
  MessageView,
  memoryStoreFactory,
  publishedType,
  type SessionId,
  SharedBody,
  sendingTime,
  sessionKey,
} from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { Floor } from './session-harness.js';

const WHOLE: SessionId = {
  beginString: 'FIX.4.4',
  senderCompId: 'US',
  targetCompId: 'THEM',
  senderSubId: 'SUB',
  senderLocationId: 'LOC',
  targetSubId: 'TSUB',
  targetLocationId: 'TLOC',
  qualifier: 'q1',
};

const header = (id: SessionId, extras?: Parameters<typeof encodeMessage>[7]): string => {
  const out = Buffer.alloc(400);
  const end = encodeMessage(out, 0, id, '0', 1, 0, [], extras);
  expect(new MessageView().index(out, 0, end)).toBe(true);
  return out.subarray(0, end).toString('latin1').replaceAll('\x01', '|');
};

test('SubIDs and LocationIDs of a session are in the header of each message, the qualifier is not', () => {
  const time = '52=19700101-00:00:00.000';
  expect(header(WHOLE)).toContain(`|49=US|50=SUB|${time}|56=THEM|57=TSUB|142=LOC|143=TLOC|10=`);
  expect(header(WHOLE, { routing: [[57, 'ONE']] })).toContain(`|50=SUB|${time}|56=THEM|57=ONE|142=LOC|`);
  expect(header({ ...WHOLE, beginString: 'FIX.4.0' })).not.toContain('142=');
  expect(header(WHOLE)).not.toContain('q1');
});

test('a published message has the same header', () => {
  const out = new Uint8Array(400);
  const body = new SharedBody();
  body.field(262, 'MD');
  const template = headerTemplate(WHOLE);
  const end = encodePublished(out, 0, publishedType('W'), template, 7, sendingTime(0), new SharedBody(), body);
  expect(new MessageView().index(out, 0, end)).toBe(true);
  const text = Buffer.from(out.subarray(0, end)).toString('latin1').replaceAll('\x01', '|');
  expect(text).toContain('|49=US|50=SUB|52=19700101-00:00:00.000|56=THEM|57=TSUB|142=LOC|143=TLOC|262=MD|10=');
});

test('each part of the id makes another session', () => {
  const plain: SessionId = { beginString: 'FIX.4.4', senderCompId: 'US', targetCompId: 'THEM' };
  const ids: SessionId[] = [
    plain,
    { ...plain, senderSubId: 'x' },
    { ...plain, senderLocationId: 'x' },
    { ...plain, targetSubId: 'x' },
    { ...plain, targetLocationId: 'x' },
    { ...plain, qualifier: 'x' },
    { ...plain, senderCompId: 'US|THEM', targetCompId: 'x' },
    { ...plain, senderCompId: 'US', targetCompId: 'THEM|x' },
  ];
  expect(new Set(ids.map(sessionKey)).size).toBe(ids.length);
  expect(sessionKey(plain)).toBe('FIX.4.4|US|THEM');
});

test('an acceptor tells sessions apart by SubIDs where it is asked to, and answers with them reversed', async () => {
  const floor = new Floor();
  const logon = (sub: string): string => `34=1|49=DESK1|50=${sub}|56=FXENGINE|57=DESKS|142=LDN`;
  const first = await floor.call('', logon('A'));
  expect((await floor.call('', logon('B'))).wire.closed).toBe(true);
  expect(first.session!.id).toEqual({ beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'DESK1' });

  const apart = new Floor();
  apart.identifyBy.add('subId');
  const [a, b] = [await apart.call('', logon('A')), await apart.call('', logon('B'))];
  expect(a.session!.id).toMatchObject({ senderSubId: 'DESKS', targetSubId: 'A' });
  expect(b.session!.id).not.toHaveProperty('targetLocationId');
  expect(a.sent()).toEqual(['35=A|34=1|50=DESKS|57=A|143=LDN|98=0|108=30']);
  b.sent();
  b.session!.send('h', [[58, 'x']]);
  b.session!.flush();
  expect(b.sent()).toEqual(['35=h|34=2|50=DESKS|57=B|58=x']);
  expect((await apart.call('', logon('a/b'))).wire.closed).toBe(true);
});

test.each([
  ['DESK 1@LDN:x', true],
  ['a/b', false],
  ['a\\b', false],
  ['..', false],
  [' a', false],
  ['a\x7f', false],
  ['x'.repeat(65), false],
  ['lower_only', true],
])('a pattern of its own, and what none can allow: %j %s', async (compId, isTaken) => {
  const floor = new Floor();
  floor.compIdPattern = /[\s\S]+/;
  const desk = await floor.call('', `34=1|49=${compId}|56=FXENGINE`);
  expect(desk.session !== undefined).toBe(isTaken);
  const narrow = new Floor();
  narrow.compIdPattern = /[a-z_]+/;
  expect((await narrow.call('', `34=1|49=${compId}|56=FXENGINE`)).session).toBeUndefined();
});

test('an initiator refuses an id that no store could take', () => {
  const options = {
    host: '127.0.0.1',
    port: 1,
    beginString: 'FIX.4.4',
    heartBtInt: 30,
    store: memoryStoreFactory(),
  } as const;
  const application = { onLogon() {}, onMessage() {}, onLogout() {} };
  const of = (senderCompId: string, qualifier: string): Initiator =>
    new Initiator({ ...options, application, senderCompId, targetCompId: 'THEM', qualifier });
  expect(() => of('US', 'one').state).not.toThrow();
  expect(() => of('../x', 'one')).toThrow('senderCompId');
  expect(() => of('US', 'a\x01b')).toThrow('qualifier');
});
