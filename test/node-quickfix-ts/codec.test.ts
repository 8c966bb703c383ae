import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../engine/node-quickfix-ts/src/codec/encode.js';
import { MessageView } from '../../engine/node-quickfix-ts/src/codec/message-view.js';
import { SharedBody } from '../../engine/node-quickfix-ts/src/codec/publish.js';
import {
  formatUtcTimestamp,
  formatUtcTimestampMicros,
  parseUtcTimestamp,
  sendingTime,
} from '../../engine/node-quickfix-ts/src/codec/values.js';
import { Dictionary } from '../../engine/node-quickfix-ts/src/dictionary/dictionary.js';
import { validate } from '../../engine/node-quickfix-ts/src/dictionary/validate.js';
import { SECRET_TAGS } from '../../engine/node-quickfix-ts/src/log/redaction.js';
import type { Field } from '../../engine/node-quickfix-ts/src/types.js';
import { dictionaryXml, framed, golden, lightMessages, samples, wire } from './codec-messages.js';

const HEAD = '34=2|49=DESK1|52=20261120-08:00:00.000|56=FXENGINE|';
const DESK = { beginString: 'FIX.4.4', senderCompId: 'DESK1', targetCompId: 'FXENGINE' };
const DICTIONARY = Dictionary.parse(dictionaryXml());
const NOW = Date.UTC(2026, 10, 20, 8, 0, 0, 0);

function view(message: string): MessageView {
  const indexed = new MessageView();
  const bytes = wire(message);
  expect(indexed.index(bytes, 0, bytes.length), message).toBe(true);
  return indexed;
}

function isGarbled(message: string): boolean {
  const bytes = wire(message);
  return !new MessageView().index(bytes, 0, bytes.length);
}

describe('a message is indexed', () => {
  test('every golden message, field by field', () => {
    for (const message of lightMessages('golden-messages.txt')) {
      const indexed = view(message);
      let again = '';
      for (let i = 0; i < indexed.count; i++) again += `${indexed.tagAt(i)}=${indexed.stringAt(i)}|`;
      expect(again).toBe(message);
      expect(message).toContain(`|35=${indexed.msgType}|`);
    }
  });

  test('anywhere in a buffer, one view after the other', () => {
    const order = wire(golden('D'));
    const logon = wire(golden('A'));
    const buffer = Uint8Array.from([...logon, ...order, ...logon]);
    const indexed = new MessageView(2);
    expect(indexed.index(buffer, logon.length, logon.length + order.length)).toBe(true);
    expect(indexed.string(55)).toBe('EUR/USD');
    expect(indexed.index(buffer, 0, logon.length)).toBe(true);
    expect(indexed.string(55)).toBeUndefined();
    expect(indexed.flag(141)).toBe(true);
  });

  test('distinguishes message types of three characters', () => {
    expect(['U1', 'U12', 'U13', 'U1'].map((type) => view(framed(`35=${type}|${HEAD}`)).msgType)).toEqual([
      'U1',
      'U12',
      'U13',
      'U1',
    ]);
  });

  test('values are text, whole numbers and flags, or absent', () => {
    const order = view(framed(`35=D|${HEAD}11=A-1|38=250000|44=1.5|58=-7|43=N|99=|`));
    expect(order.string(11)).toBe('A-1');
    expect(order.int(38)).toBe(250_000);
    expect(order.int(44)).toBeUndefined();
    expect(order.int(58)).toBe(-7);
    expect(order.int(11)).toBeUndefined();
    expect(order.int(1)).toBeUndefined();
    expect(order.string(1)).toBeUndefined();
    expect(order.string(99)).toBe('');
    expect(order.int(99)).toBeUndefined();
    expect(order.flag(43)).toBe(false);
    expect(order.has(44)).toBe(true);
  });

  test('tags that no dictionary has are left to it', () => {
    const heartbeat = view(framed(`35=0|${HEAD}-1=HI|0=HI|5000=HI|`));
    expect([7, 8, 9].map((i) => heartbeat.tagAt(i))).toEqual([-1, 0, 5000]);
  });

  test('RawData(96) holds what RawDataLength(95) says, SOH and all', () => {
    const logon = view(framed(`35=A|${HEAD}98=0|108=30|95=8|96=a|10=1|b|`));
    expect(logon.string(96)).toBe('a\x0110=1\x01b');
    expect(logon.count).toBe(12);
    expect(view(framed(`35=A|${HEAD}98=0|108=30|95=1|96=aX58=y|`)).unreadable).toMatchObject({ reason: 5, tag: 95 });
    expect(view(framed(`35=A|${HEAD}98=0|108=30|95=9|96=a|10=1|b|`)).unreadable).toMatchObject({ reason: 5, tag: 95 });
    expect(view(framed(`35=A|${HEAD}98=0|108=30|95=99999|96=a|10=1|b|`)).unreadable).toMatchObject({
      reason: 5,
      tag: 95,
    });
  });

  test('groups, and groups in groups', () => {
    const request = view(golden('V'));
    expect(request.groups(267).map((entry) => entry.int(269))).toEqual([0, 1]);
    expect(request.groups(146).map((entry) => entry.string(55))).toEqual(['EUR/USD']);
    expect(request.groups(454)).toEqual([]);

    const parties = view(framed(`35=D|${HEAD}453=2|448=A|447=D|802=2|523=x|803=1|523=y|803=2|448=B|447=D|452=1|`));
    const [first, second] = parties.groups(453);
    expect(first.groups(802).map((entry) => entry.string(523))).toEqual(['x', 'y']);
    expect(second.string(448)).toBe('B');
    expect(second.has(802)).toBe(false);
    expect(second.groups(802)).toEqual([]);
  });

  test('a copy owns its bytes', () => {
    const bytes = wire(golden('D'));
    const indexed = new MessageView();
    indexed.index(bytes, 0, bytes.length);
    const kept = indexed.copy();
    bytes.fill(0);
    indexed.index(bytes, 0, bytes.length);
    expect(kept.string(11)).toBe('REQ-000123');
    expect(kept.msgType).toBe('D');
    expect(kept.copy().toString()).toBe(kept.toString());
  });
});

describe('a garbled message is refused', () => {
  const good = framed(`35=0|${HEAD}`);
  test.each([
    ['nothing', ''],
    ['wrong checksum', good.replace(/10=.../, '10=999')],
    ['checksum of two digits', good.replace(/10=(..)./, '10=$1')],
    ['BodyLength too short', good.replace('9=', '9=1')],
    ['no MsgType in third place', framed(`34=2|35=0|49=A|52=20261120-08:00:00.000|56=B|`)],
    ['MsgType first', `35=0|8=FIX.4.4|9=29|34=2|49=TW|52=20261120-08:00:00.000|56=ISLD|10=121|`],
    ['an unreadable field, and no MsgSeqNum', framed('35=0|49=A|52=20261120-08:00:00.000|56=B|112|')],
    ['an unreadable field, and a MsgSeqNum that is none', framed('35=0|34=x|49=A|52=20261120-08:00:00.000|56=B|112|')],
    ['no final SOH', good.slice(0, -1)],
    ['no CheckSum', '8=FIX.4.4|9=5|35=0|112=A|'],
  ])('%s', (_, message) => {
    expect(isGarbled(message)).toBe(true);
  });

  test('the recorded quotes whose company ids were replaced, all; repaired, none', () => {
    const recorded = lightMessages('quotes-2016-12-30.as-recorded.log');
    const repaired = lightMessages('quotes-2016-12-30.repaired.log');
    expect(recorded).toHaveLength(206);
    expect(recorded.filter((line) => !isGarbled(line))).toEqual([]);
    expect(repaired).toHaveLength(206);
    expect(repaired.filter(isGarbled)).toEqual([]);
  });

  test('samples of many venues: exactly those whose length and checksum are right are taken', () => {
    for (const { id, message, body_length_ok, checksum_ok } of samples()) {
      expect(isGarbled(message), id).toBe(!(body_length_ok && checksum_ok));
    }
  });
});

describe('a message with a field that cannot be read is indexed, and refused by validate', () => {
  const last = 2 ** 31 - 1;
  test.each([
    // field                     371   373  in Text(58)
    ['112', 112, 0, 'field 8 is not tag=value'],
    ['4garbled9=TW', 0, 0, 'field 8 is not tag=value'],
    ['=x', 0, 0, 'field 8 is not tag=value'],
    ['', 0, 0, 'field 8 is not tag=value'],
    [`${last + 1}=x`, 0, 0, `field 8 has a tag above ${last}`],
    [`${'9'.repeat(400)}=x`, 0, 0, `field 8 has a tag above ${last}`],
    [`${last}`, last, 0, 'field 8 is not tag=value'],
    ['354=99|355=short', 354, 5, 'the data field 355 does not end after so many bytes'],
    // It would reach into CheckSum(10), and behind it.
    ['354=18|355=short', 354, 5, 'the data field 355 does not end'],
    ['354=3|355=\u00c3\u00a4\u00c3\u00b6\u00c3\u00bc', 354, 5, 'the data field 355 does not end'],
    ['112|=y', 112, 0, 'field 8 is not tag=value'],
  ])('%s', (field, tag, reason, text) => {
    const indexed = view(framed(`35=0|${HEAD}${field}|112=x|`));
    expect(indexed.string(112)).toBe('x');
    for (const one of [indexed, indexed.copy()]) {
      const violation = validate(one, DICTIONARY, { userTags: 'ignore' });
      expect(violation).toMatchObject({ reason, tag });
      expect(violation?.text).toContain(text);
    }
    expect(view(golden('D')).unreadable).toBeUndefined();
  });

  test('a tag of ten digits up to 2147483647 is a tag', () => {
    expect(view(framed(`35=0|${HEAD}${last}=x|`)).string(last)).toBe('x');
  });

  test('as many fields as the frame may have', () => {
    const fields = Array.from({ length: 16_000 }, (_, i) => `${5000 + i}=x|`).join('');
    expect(view(framed(`35=0|${HEAD}${fields}`)).string(20_999)).toBe('x');
  });
});

describe('a message is encoded', () => {
  const out = new Uint8Array(2048);

  function encoded(msgType: string, fields: readonly Field[], extras?: Parameters<typeof encodeMessage>[7]): string {
    const end = encodeMessage(out, 3, DESK, msgType, 2, NOW, fields, extras);
    return Buffer.from(out.subarray(3, end)).toString('latin1').replaceAll('\x01', '|');
  }

  test('every golden message comes out as it was', () => {
    for (const message of lightMessages('golden-messages.txt')) {
      const indexed = view(message);
      const id = { beginString: 'FIX.4.4', senderCompId: indexed.string(49)!, targetCompId: indexed.string(56)! };
      const fields: Field[] = [];
      for (let i = 3; i < indexed.count - 1; i++) {
        if (![34, 43, 49, 52, 56, 122].includes(indexed.tagAt(i)))
          fields.push([indexed.tagAt(i), indexed.stringAt(i)!]);
      }
      const time = parse(indexed.string(52)!);
      const orig = indexed.string(122);
      const extras = { possDup: indexed.flag(43), ...(orig === undefined ? {} : { origSendingTime: parse(orig) }) };
      const end = encodeMessage(out, 0, id, indexed.msgType, indexed.int(34)!, time, fields, extras);
      expect(Buffer.from(out.subarray(0, end))).toEqual(Buffer.from(wire(message)));
    }
  });

  test('no field is empty: refused, or left out of a message of the session itself', () => {
    expect(() => encoded('', [])).toThrow('Field 35: no value');
    expect(() => encoded('D', [[58, '']])).toThrow('Field 58: no value');
    const end = encodeMessage(
      out,
      0,
      { ...DESK, senderSubId: '' },
      '3',
      2,
      NOW,
      [
        [45, 1],
        [372, ''],
        [373, 11],
      ],
      undefined,
      undefined,
      false,
    );
    const text = Buffer.from(out.subarray(0, end)).toString('latin1').replaceAll('\x01', '|');
    expect(text).toMatch(/\|35=3\|34=2\|49=DESK1\|52=[^|]+\|56=FXENGINE\|45=1\|373=11\|10=\d{3}\|$/);
    expect(isGarbled(text)).toBe(false);
    expect(() => new SharedBody().field(58, '')).toThrow('Field 58: no value');
  });

  test('header fields ascend; empty routing is left out', () => {
    const routing: Field[] = [
      [145, 'L'],
      [128, 'D'],
      [129, ''],
      [116, 'S'],
      [115, 'O'],
    ];
    const message = encoded('0', [[112, 'TEST']], {
      possDup: true,
      possResend: true,
      origSendingTime: NOW - 1,
      routing,
    });
    expect(message).toContain(
      '|35=0|34=2|43=Y|49=DESK1|52=20261120-08:00:00.000|56=FXENGINE|97=Y|115=O|116=S|122=20261120-07:59:59.999|128=D|145=L|112=TEST|10=',
    );
    expect(isGarbled(message)).toBe(false);
    expect(
      encoded('0', [], {
        routing: [
          [50, 'SUB'],
          [57, 'T'],
        ],
      }),
    ).toContain('|49=DESK1|50=SUB|52=20261120-08:00:00.000|56=FXENGINE|57=T|10=');
  });

  test('a value cannot end its field', () => {
    expect(() => encoded('B', [[58, 'a\x0110=000\x01b']])).toThrow('Field 58: SOH in a value would end the field');
    expect(() => encoded('B', [[148, 'price in \u20ac']])).toThrow(
      'Field 148: the character U+20AC has no byte in latin1',
    );
  });

  test('a message of our own leaves all the same', () => {
    const out = Buffer.alloc(300);
    const fields: Field[] = [
      [58, 'a\x0110=000\x01b'],
      [148, 'price in \u20ac'],
      [1, -5],
    ];
    const end = encodeMessage(out, 0, DESK, 'B', 7, NOW, fields, undefined, undefined, false);
    const message = out.subarray(0, end).toString('latin1').replaceAll('\x01', '|');
    expect(message).toContain('|58=a 10=000 b|148=price in ?|1=-5|10=');
    expect(isGarbled(message)).toBe(false);
  });

  test('a data field keeps its SOH', () => {
    expect(
      view(
        encoded('A', [
          [95, 3],
          [96, 'a\x01b'],
        ]),
      ).string(96),
    ).toBe('a\x01b');
  });

  test('what does not fit is not begun', () => {
    const length = encodeMessage(out, 0, DESK, '0', 2, NOW, []);
    expect(encodeMessage(new Uint8Array(length), 0, DESK, '0', 2, NOW, [])).toBe(length);
    const small = new Uint8Array(length - 1);
    expect(encodeMessage(small, 0, DESK, '0', 2, NOW, [])).toBe(-1);
    expect(small.every((byte) => byte === 0)).toBe(true);
  });

  test.each([0, 9, 10, 99_999, 100_000, 999_999, 1_000_000, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1])('number %d', (n) => {
    expect(
      view(
        encoded('0', [
          [112, n],
          [58, -n],
        ]),
      ).string(112),
    ).toBe(String(n));
  });

  test('a decimal passed as a number is a bug, said clearly', () => {
    expect(() => encoded('D', [[44, 1.5]])).toThrow('Field 44: not a whole number; pass decimals as text');
  });
});

describe('time', () => {
  test.each([
    ['20261120-08:00:00', Date.UTC(2026, 10, 20, 8)],
    ['20261120-08:00:00.123', Date.UTC(2026, 10, 20, 8, 0, 0, 123)],
    ['20261120-08:00:00.123456', Date.UTC(2026, 10, 20, 8, 0, 0, 123) + 0.456],
    ['20261120-08:00:00.500000000', Date.UTC(2026, 10, 20, 8, 0, 0, 500)],
    ['20240229-23:59:59.999', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
    ['20000301-00:00:00', Date.UTC(2000, 2, 1)],
    ['19691231-23:59:59', -1000],
    ['20161231-23:59:60', Date.UTC(2017, 0, 1)],
  ])('%s', (text, ms) => {
    expect(parse(text)).toBeCloseTo(ms, 3);
  });

  test.each([
    '2026112-08:00:00',
    '20261120 08:00:00',
    '20261120-08:00:00.1',
    '20261120-08:00:00,123',
    '20260229-08:00:00',
    '20261320-08:00:00',
    '20261100-08:00:00',
    '20261120-24:00:00',
    '20261120-08:60:00',
    '20261120-08:00:61',
    '20261120-08:00:0x',
    '2026112a-08:00:00',
    '20261120-08-00-00',
    '',
  ])('no such time: %s', (text) => {
    expect(parse(text)).toBeNaN();
  });

  test('is written with milliseconds or microseconds', () => {
    expect(formatUtcTimestamp(NOW + 7)).toBe('20261120-08:00:00.007');
    expect(formatUtcTimestampMicros(NOW * 1000 + 7)).toBe('20261120-08:00:00.000007');
    expect(formatUtcTimestampMicros(NOW * 1000 + 999_999)).toBe('20261120-08:00:00.999999');
  });

  test('SendingTime is right at each millisecond, whichever way the clock goes', () => {
    for (const ms of [NOW, NOW + 1, NOW + 999, NOW + 1000, NOW + 86_399_999, NOW - 1, NOW - 60_000, NOW, NOW]) {
      const { bytes, sum } = sendingTime(ms);
      expect(Buffer.from(bytes).toString()).toBe(formatUtcTimestamp(ms));
      expect(sum).toBe(bytes.reduce((total, byte) => total + byte, 0));
    }
  });
});

describe('secrets are not shown', () => {
  /** Those of every venue, and one more. */
  const SECRETS = new Set([...SECRET_TAGS, 20001]);

  test('in a view', () => {
    const text = view(golden('A').replace('553=CK', '553=CK')).toString();
    expect(text).toContain('|553=CK_7f3a|554=***|10=');
    expect(view(framed(`35=A|${HEAD}95=7|96=s3c|ret|925=n3w|20001=tok|`)).toString(SECRETS)).toContain(
      '|96=***|925=***|20001=***|',
    );
  });
});

function parse(text: string): number {
  const bytes = wire(text);
  return parseUtcTimestamp(bytes, 0, bytes.length);
}
