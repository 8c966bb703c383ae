import {
  DataPairs,
  Dictionary,
  encodeMessage,
  FieldError,
  MessageView,
  profile,
  type SendResult,
  type TextForm,
} from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { type Desk, Floor, turn } from './session-harness.js';
import { message } from './session-peer.js';

const ORDER = [
  [11, 'o1'],
  [55, 'EUR/USD'],
] as const;

async function logon(changes: Parameters<typeof profile>[0] = {}): Promise<{ floor: Floor; desk: Desk }> {
  const floor = new Floor();
  floor.profile = profile({ supported: new Set(['D']), stored: new Set(['8']), ...changes });
  const desk = await floor.call();
  desk.sent();
  return { floor, desk };
}

const reasonOf = (result: SendResult): string => (typeof result === 'number' ? `number ${result}` : result.reason);

describe('send returns MsgSeqNum(34), or why nothing was sent', () => {
  test('the number of each message, stored or not', async () => {
    const { desk } = await logon();
    const session = desk.session!;
    expect([session.send('D', ORDER), session.send('8', ORDER), session.send('D', ORDER)]).toEqual([2, 3, 4]);
    session.flush();
    await turn();
    expect(desk.sent().map((m) => m.slice(0, 9))).toEqual(['35=D|34=2', '35=8|34=3', '35=D|34=4']);
  });

  test('after a Logout(5) of ours, and after the end', async () => {
    const { desk } = await logon();
    desk.session!.logout('ENOUGH');
    expect(reasonOf(desk.session!.send('D', ORDER))).toBe('not-logged-on');
    desk.session!.disconnected();
    expect(reasonOf(desk.session!.send('D', ORDER))).toBe('not-logged-on');
  });

  test.each([
    ['a tag of 0', [0, 'x'], 0],
    ['a tag with a fraction', [1.5, 'x'], 1.5],
    ['an empty value', [58, ''], 58],
    ['a number with a fraction', [38, 1.5], 38],
    ['a number above 2^53', [38, 2 ** 53], 38],
    ['SOH in text', [58, 'a\x0110=000'], 58],
    ['a character without a byte in Latin-1', [58, '10 €'], 58],
    ['a data field without its length', [96, 'abc'], 96],
    ['a value that is undefined', [58, undefined], 58],
    ['a value that is null', [58, null], 58],
    ['a bigint', [38, 1n], 38],
    ['a date', [60, new Date(0)], 60],
    ['a truth value', [43_000, true], 43_000],
    ['a tag without a value', [11], 11],
    ['a tag that is text', ['58', 'x'], 0],
    ['no pair', undefined, 0],
    ['a value of the header that is undefined', [50, undefined], 50],
    ...[8, 9, 10, 34, 35, 43, 49, 52, 56, 122].map((tag) => [`a generated ${tag}`, [tag, '000'], tag]),
  ] as [string, readonly [number, string], number][])(
    '%s uses no number, leaves nothing in the buffer, and is reported',
    async (_, field, tag) => {
      const { floor, desk } = await logon();
      const session = desk.session!;
      expect(session.send('8', [...ORDER, field])).toMatchObject({ reason: 'bad-field', tag });
      expect(session.send('D', [...ORDER, field])).toMatchObject({ reason: 'bad-field', tag });
      session.flush();
      await turn();
      expect([desk.sent(), session.nextOut, floor.store.calls.filter((call) => call.startsWith('append'))]).toEqual([
        [],
        2,
        [],
      ]);
      expect(floor.events.filter((event) => event.startsWith('not-sent'))).toEqual([
        'not-sent bad-field',
        'not-sent bad-field',
      ]);
      expect(session.send('D', ORDER)).toBe(2);
    },
  );

  test.each(['', 'D=', 'D\x01', '8|', 'x'.repeat(17), '0', '3', '4', '5', 'A', undefined, 7, null])(
    '%j is no MsgType of an application',
    async (msgType) => {
      const { desk } = await logon();
      const session = desk.session!;
      const result = session.send(msgType as string, ORDER);
      expect([result, session.state, session.nextOut]).toMatchObject([{ reason: 'bad-field', tag: 35 }, 'up', 2]);
    },
  );

  test.each([undefined, null, 'x', {}])('%j is no list of fields', async (fields) => {
    const { desk } = await logon();
    expect(desk.session!.send('D', fields as never)).toMatchObject({ reason: 'bad-field', tag: 0 });
  });

  test('a TestRequest(1) and a ResendRequest(2) may be sent', async () => {
    const { desk } = await logon();
    expect(desk.session!.send('1', [[112, 'mine']])).toBe(2);
    expect(
      desk.session!.send('2', [
        [7, 1],
        [16, 0],
      ]),
    ).toBe(3);
  });

  test('a message above 1 MiB', async () => {
    const { desk } = await logon();
    expect(reasonOf(desk.session!.send('D', [[58, 'x'.repeat(1024 * 1024)]]))).toBe('too-long');
    expect(desk.session!.send('D', ORDER)).toBe(2);
  });

  test('while both sides reset their numbers it is kept, and a field that cannot be sent is refused at once', async () => {
    const { floor, desk } = await logon();
    const session = desk.session!;
    floor.store.holding = true;
    await desk.say('A', '98=0|108=30|141=Y', 1);
    // A program may use its list again.
    const order = ORDER.map(([tag, value]): [number, string | number] => [tag, value]);
    expect(reasonOf(session.send('D', order))).toBe('deferred');
    order[0]![1] = 'o2';
    order.pop();
    expect(reasonOf(session.send('D', [[58, '']]))).toBe('bad-field');
    for (let i = 0; i < 999; i++) session.send('D', ORDER);
    expect(reasonOf(session.send('D', ORDER))).toBe('too-many-deferred');
    await floor.store.release();
    session.flush();
    const sent = desk.sent();
    expect([sent.length, sent[0], sent[1]]).toEqual([
      1_001,
      '35=A|34=1|98=0|108=30|141=Y',
      '35=D|34=2|11=o1|55=EUR/USD',
    ]);
  });

  test.each(['the connection ends', 'the store fails', 'toApp refuses'])(
    'a message that was deferred is reported when it is not sent: %s',
    async (how) => {
      const { floor, desk } = await logon();
      const session = desk.session!;
      floor.store.holding = true;
      await desk.say('A', '98=0|108=30|141=Y', 1);
      expect(reasonOf(session.send('D', ORDER))).toBe('deferred');
      expect(reasonOf(session.send('8', ORDER))).toBe('deferred');
      let atLogout: number | undefined;
      floor.more.onLogout = () => {
        atLogout = floor.events.filter((event) => event.startsWith('not-sent')).length;
      };
      if (how === 'the connection ends') session.disconnected();
      else if (how === 'the store fails') floor.store.failing = true;
      else Object.assign(floor.host.application, { toApp: () => false });
      await floor.store.release();
      await turn();
      const reason = how === 'toApp refuses' ? 'refused' : 'reset-failed';
      expect(floor.events.filter((event) => event.startsWith('not-sent'))).toEqual(Array(2).fill(`not-sent ${reason}`));
      expect(atLogout).toEqual(how === 'toApp refuses' ? undefined : 2);
      expect(desk.sent().filter((m) => /^35=[8D]/.test(m))).toEqual([]);
    },
  );

  test('text of our own messages leaves all the same', async () => {
    const { desk } = await logon();
    desk.session!.logout('10 €\x0158=x');
    expect(desk.sent()).toEqual(['35=5|34=2|58=10 ? 58=x']);
  });
});

describe('encoding', () => {
  test('ASCII refuses what Latin-1 sends', async () => {
    const { desk } = await logon({ encoding: 'ascii' });
    expect(desk.session!.send('D', [[58, 'Zürich']])).toMatchObject({
      reason: 'bad-field',
      tag: 58,
      text: 'Field 58: the character U+00FC has no byte in ascii',
    });
    const latin1 = await logon();
    expect(latin1.desk.session!.send('D', [[58, 'Zürich']])).toBe(2);
  });

  test('UTF-8 in both directions; a resend repeats the bytes; an echo is exact', async () => {
    const { floor, desk } = await logon({ encoding: 'utf8' });
    const read: (string | undefined)[] = [];
    floor.more.onMessage = (_, view) => void read.push(view.string(58), view.string(355));
    const bytes = (text: string): string => Buffer.from(text).toString('latin1');
    expect(
      desk.session!.send('8', [
        [58, 'Zürich 10 €'],
        [95, 2],
        [96, '\xe2\x01'],
      ]),
    ).toBe(2);
    desk.session!.flush();
    await turn();
    expect(desk.sent()).toEqual([`35=8|34=2|58=${bytes('Zürich 10 €')}|95=2|96=\xe2`]);
    await desk.say('2', '7=1|16=0');
    expect(desk.sent()[1]).toContain(`58=${bytes('Zürich 10 €')}|95=2|96=\xe2`);
    await desk.say('1', `112=${bytes('€')}`);
    expect(desk.sent()).toEqual([`35=0|34=3|112=${bytes('€')}`]);
    await desk.say('D', `11=o|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1|58=${bytes('日本')}|354=2|355=\xe2\xfc`);
    expect(desk.sent()).toEqual([]);
    expect(read).toEqual(['日本', '\xe2\xfc']);
  });
});

describe('data fields', () => {
  const dictionary = Dictionary.parse(`<fix major='4' minor='4'>
    <header/><trailer/><messages/><components/>
    <fields>
      <field number='95' name='RawDataLength' type='LENGTH'/><field number='96' name='RawData' type='DATA'/>
      <field number='20101' name='VenueBlobLen' type='LENGTH'/><field number='20100' name='VenueBlob' type='DATA'/>
      <field number='1871' name='LegXMLLen' type='LENGTH'/><field number='1872' name='LegSecurityXML' type='XMLDATA'/>
      <field number='355' name='EncodedText' type='DATA'/>
    </fields></fix>`);

  test('are those of the dictionary: by name, or behind the LENGTH field one below', () => {
    const { dataPairs } = dictionary;
    expect([95, 20101, 1871, 354, 90].map((length) => dataPairs.dataTagAfter(length))).toEqual([
      96, 20100, 1872, 0, 91,
    ]);
    expect(dataPairs.isData(355)).toBe(false);
  });

  test('are read and written by them', () => {
    const form = dictionary.dataPairs.form('latin1');
    const bytes = Buffer.from(message('35=D|34=1|49=A|52=20260114-12:00:00|56=B|20101=3|20100=a\x01b|58=x'), 'latin1');
    const view = new MessageView();
    const isRead = (by?: TextForm) => view.index(bytes, 0, bytes.length, by) && view.unreadable === undefined;
    expect([isRead(), isRead(form)]).toEqual([false, true]);
    expect(view.string(20100)).toBe('a\x01b');
    const out = Buffer.alloc(200);
    const id = { beginString: 'FIX.4.4', senderCompId: 'A', targetCompId: 'B' };
    const fields = [
      [20101, 3],
      [20100, 'a\x01b'],
    ] as const;
    const end = encodeMessage(out, 0, id, 'D', 1, 0, fields, {}, form);
    expect(out.subarray(0, end).toString('latin1')).toContain('|20101=3|20100=a|b|'.replaceAll('|', '\x01'));
    expect(() => encodeMessage(out, 0, id, 'D', 1, 0, fields)).toThrow(FieldError);
    expect(() => encodeMessage(out, 0, id, 'D', 1, 0, [[20101, 2], fields[1]], {}, form)).toThrow('needs that length');
  });

  test('pairs of a program of its own', () => {
    const pairs = new DataPairs([[5000, 5001]]);
    expect([pairs.isData(5001), pairs.isData(96), pairs.dataTagAfter(5000), pairs.dataTagAfter(-1)]).toEqual([
      true,
      false,
      5001,
      0,
    ]);
  });
});

test.each(['9007199254740992', '99999999999999999999', '1e3', '+7'])(
  '%s is no number of a field: never rounded',
  (text) => {
    const bytes = Buffer.from(message(`35=D|34=${text}|38=9007199254740991|44=0000000000000000000042`), 'latin1');
    const view = new MessageView();
    expect(view.index(bytes, 0, bytes.length)).toBe(true);
    expect([view.int(34), view.int(38), view.int(44)]).toEqual([undefined, Number.MAX_SAFE_INTEGER, 42]);
  },
);
