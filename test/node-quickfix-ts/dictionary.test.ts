import { describe, expect, test } from 'vitest';
import { MessageView } from '../../engine/node-quickfix-ts/src/codec/message-view.js';
import { checkDictionary } from '../../engine/node-quickfix-ts/src/dictionary/check.js';
import { Dictionary } from '../../engine/node-quickfix-ts/src/dictionary/dictionary.js';
import { readDictionaryXml } from '../../engine/node-quickfix-ts/src/dictionary/formats.js';
import {
  type ValidationOptions,
  type Violation,
  validate,
} from '../../engine/node-quickfix-ts/src/dictionary/validate.js';
import { modelOf } from '../../engine/node-quickfix-ts/src/generate/model.js';
import { dictionaryXml, framed, lightMessages, wire } from './codec-messages.js';

const FIX44 = Dictionary.parse(dictionaryXml());
const TIME = '20261120-08:00:00.000';
const STRICT: ValidationOptions = { userTags: 'strict' };

function check(message: string, options = STRICT, dictionary = FIX44): Violation | undefined {
  const view = new MessageView();
  const bytes = wire(message);
  expect(view.index(bytes, 0, bytes.length), message).toBe(true);
  return validate(view, dictionary, options);
}

/** `reason tag` of the violation of a message with the usual header, or `ok`. */
function fault(msgType: string, body: string, options = STRICT): string {
  const found = check(framed(`35=${msgType}|34=2|49=TW44|52=${TIME}|56=ISLD|${body}`), options);
  return found === undefined ? 'ok' : `${found.reason} ${found.tag}`;
}

const ORDER = `11=ID|21=3|40=1|54=1|38=002000.00|55=INTC|60=${TIME}|`;
const LEGS = '453=2|448=A|447=D|452=1|802=2|523=x|803=1|523=y|803=2|448=B|447=D|452=3|';

test('every golden message keeps to the dictionary', () => {
  for (const message of lightMessages('golden-messages.txt')) expect(check(message), message).toBeUndefined();
});

describe('a message that breaks a rule is refused with its reason and tag', () => {
  test.each([
    // rule                                     type  body                                        reason tag
    ['a: a tag that is not in the specification', '0', '999=HI|', '0 999'],
    ['a: tag 0', '0', '0=HI|', '0 0'],
    ['a: a negative tag', '0', '-1=HI|', '0 -1'],
    ['a: a user tag that is not ours', '0', '5000=HI|', '0 5000'],
    ['b: ClOrdID(11) missing', 'D', ORDER.replace('11=ID|', ''), '1 11'],
    ['b: OrdType(40) missing', 'D', ORDER.replace('40=1|', ''), '1 40'],
    ['c: a tag of another message', '0', '55=MSFT|', '2 55'],
    ['c: a tag of a group outside it', 'V', '262=M|263=1|264=1|267=1|269=0|146=1|55=A|269=1|', '2 269'],
    ['c: our tag in a message that does not carry it', '0', '20001=x|', '2 20001'],
    ['d: a tag without a value', 'D', ORDER.replace('55=INTC', '55='), '4 55'],
    ['d: an unknown tag without a value', '0', '999=|', '0 999'],
    ['e: HandlInst(21)=4', 'D', ORDER.replace('21=3', '21=4'), '5 21'],
    ['e: SecurityType(167)=BOO', 'D', `${ORDER}167=BOO|`, '5 167'],
    ['e: SecurityType(167)=CS', 'D', `${ORDER}167=CS|`, 'ok'],
    ['e: several values, each in range', 'D', `${ORDER}18=1 G 6|`, 'ok'],
    ['e: several values, one out of range', 'D', `${ORDER}18=1 ? 6|`, '5 18'],
    ['e: several values, one empty', 'D', `${ORDER}18=1  6|`, '5 18'],
    ['f: OrderQty(38)=+200.00', 'D', ORDER.replace('38=00', '38=+'), '6 38'],
    ['f: OrderQty(38)=1e5', 'D', ORDER.replace('38=002000.00', '38=1e5'), '6 38'],
    ['f: OrderQty(38)=.', 'D', ORDER.replace('38=002000.00', '38=.'), '6 38'],
    ['f: OrderQty(38)=-.5', 'D', ORDER.replace('38=002000.00', '38=-.5'), 'ok'],
    ['f: OrderQty(38)=1.2.3', 'D', ORDER.replace('38=002000.00', '38=1.2.3'), '6 38'],
    ['f: Side(54)=11', 'D', ORDER.replace('54=1', '54=11'), '6 54'],
    ['f: ExpireTime(126) is a date', 'D', `${ORDER}126=20040415|`, '6 126'],
    ['f: SettlDate(64) is 30 February', 'D', `${ORDER}64=20260230|`, '6 64'],
    ['f: SettlDate(64)', 'D', `${ORDER}64=20261124|`, 'ok'],
    ['f: LocateReqd(114)=X', 'D', `${ORDER}114=X|`, '6 114'],
    ['f: MaturityMonthYear(200)=202613', 'D', `${ORDER}200=202613|`, '6 200'],
    ['f: MaturityMonthYear(200)=202612w3', 'D', `${ORDER}200=202612w3|`, 'ok'],
    ['f: ExpireTime(126) with 12 decimals', 'D', `${ORDER}126=20040415-10:00:00.123456789012|`, 'ok'],
    ['f: ExpireTime(126) with 4 decimals', 'D', `${ORDER}126=20040415-10:00:00.1234|`, '6 126'],
    ['f: ExpireTime(126) with 15 decimals', 'D', `${ORDER}126=20040415-10:00:00.123456789012345|`, '6 126'],
    ['f: MDEntryTime(273) with 12 decimals', 'X', '268=1|279=0|269=0|55=A|270=1|273=10:00:00.123456789012|', 'ok'],
    ['f: TestReqID(112) is any text', '0', '112=+1 =?|', 'ok'],
    ['g: a header field after the body', 'D', `${ORDER}115=X|`, '14 115'],
    ['g: a body field after the trailer', 'D', `${ORDER}93=1|89=x|58=late|`, '14 58'],
    ['h: a repeated tag', 'D', `${ORDER}40=2|`, '13 40'],
    ['h: a repeated header tag', '0', '112=A|112=A|', '13 112'],
    ['i: the count is too large', 'D', `386=3|336=PRE-OPEN|336=AFTER-HOURS|${ORDER}`, '16 386'],
    ['i: the count is too small', 'D', `386=1|336=PRE-OPEN|336=AFTER-HOURS|${ORDER}`, '16 386'],
    ['i: the count is right', 'D', `386=2|336=PRE-OPEN|625=a|336=AFTER-HOURS|${ORDER}`, 'ok'],
    ['i: a count and no entries', 'D', `${ORDER}386=1|`, '16 386'],
    ['i: a count that is negative', 'D', `${ORDER}386=-1|`, '16 386'],
    ['i: a count that is no number', 'D', `${ORDER}386=1e20|`, '16 386'],
    ['i: a count above 2^53', 'D', `386=100000000000000000000|336=PRE-OPEN|${ORDER}`, '16 386'],
    ['i: a count of zero, and an entry', 'D', `386=0|336=PRE-OPEN|${ORDER}`, '16 386'],
    ['i: an empty count', 'D', `386=|336=PRE-OPEN|${ORDER}`, '4 386'],
    ['15: an entry that does not begin with the first field', 'D', `386=1|625=a|336=PRE-OPEN|${ORDER}`, '15 625'],
    ['15: an entry in another order', 'D', `453=1|448=A|452=1|447=D|${ORDER}`, '15 447'],
    ['15: a repeated tag in an entry', 'D', `453=1|448=A|447=D|447=D|${ORDER}`, '13 447'],
    ['21: a count of zero', 'D', `${ORDER}454=0|453=0|386=0|`, 'ok'],
    ['groups in groups', 'D', `${LEGS}${ORDER}`, 'ok'],
    ['groups in groups: the inner count', 'D', `${LEGS.replace('802=2', '802=3')}${ORDER}`, '16 802'],
    ['groups in groups: the outer count', 'D', `${LEGS.replace('453=2', '453=3')}${ORDER}`, '16 453'],
    ['groups in groups: an inner count that is negative', 'D', `${LEGS.replace('802=2', '802=-1')}${ORDER}`, '16 802'],
    [
      'groups in groups: an inner count above 2^53',
      'D',
      `${LEGS.replace('802=2', `802=${2 ** 60}`)}${ORDER}`,
      '16 802',
    ],
    [
      'groups in groups: an inner count of zero, and entries',
      'D',
      `${LEGS.replace('802=2', '802=0')}${ORDER}`,
      '16 802',
    ],
    ['groups: a value out of range', 'D', `${LEGS.replace('452=3', '452=999')}${ORDER}`, '5 452'],
    ['groups: an empty value', 'D', `${LEGS.replace('447=D|452=3', '447=|452=3')}${ORDER}`, '4 447'],
    ['groups: an unknown tag', 'V', '262=M|263=1|264=1|267=1|269=0|146=2|55=A|999=1|55=B|', '0 999'],
    ['groups: a tag of another message', 'V', '262=M|263=1|264=1|267=1|269=0|146=2|55=A|44=1|55=B|', '2 44'],
    ['groups: a required field of an earlier entry', 'E', '66=L|394=3|68=2|73=2|11=A|54=1|11=B|67=1|54=1|', '1 67'],
    ['groups: a required field of an entry', 'E', '66=L|394=3|68=2|73=2|11=A|67=1|54=1|11=B|54=1|', '1 67'],
    ['data: without its length', 'D', `${ORDER}355=x|`, '1 354'],
    ['data: with its length in another place', 'D', `${ORDER}354=1|58=x|355=x|`, '14 355'],
    ['data: with its length behind', 'D', `${ORDER}355=x|354=1|`, '14 355'],
    ['data: with its length', 'D', `${ORDER}354=3|355=a\x01b|`, 'ok'],
    ['data: of the header', 'D', `91=x|${ORDER}`, '1 90'],
    ['data: of the trailer', 'D', `${ORDER}89=x|`, '1 93'],
    ['data: of an entry', 'E', '66=L|394=3|68=1|73=1|11=A|67=1|54=1|355=x|', '1 354'],
  ])('%s', (_, msgType, body, expected) => {
    expect(fault(msgType, body)).toBe(expected);
  });

  test('in the words of the specification', () => {
    expect(check(framed(`35=*|34=2|49=A|52=${TIME}|56=B|`))).toEqual({ reason: 11, tag: 35, text: 'Invalid MsgType' });
    expect(check(framed(`35=0|34=2|49=A|52=${TIME}|`))).toEqual({ reason: 1, tag: 56, text: 'Required tag missing' });
    expect(check(framed(`35=0|34=2|49=A|52=${TIME}|56=|`))).toEqual({
      reason: 4,
      tag: 56,
      text: 'Tag specified without a value',
    });
  });

  test('header and body fields may come in any order, the header first', () => {
    expect(check(framed(`35=D|49=A|34=3|56=B|52=${TIME}|40=1|55=M|60=${TIME}|54=1|38=1|21=3|11=id|`))).toBeUndefined();
    expect(check(framed(`35=D|${ORDER}34=2|49=A|52=${TIME}|56=B|`))).toMatchObject({ reason: 14, tag: 34 });
    expect(check(framed(`35=D|55=M|34=3|49=A|52=${TIME}|56=B|11=id|`))).toMatchObject({ reason: 14, tag: 34 });
  });

  test('the first fault on the wire is the one named', () => {
    const message = framed(`35=D|34=7|49=A|52=${TIME}|56=B|128=JCD|129=CS|145=|11=ID|40=w|54=1|`);
    expect(check(message)).toMatchObject({ reason: 4, tag: 145 });
  });

  test('a field that is not of the message gives way to what is missing, and to a section out of order', () => {
    expect(fault('D', `${ORDER}269=0|`)).toBe('2 269');
    expect(fault('D', ORDER.replace('11=ID', '269=0'))).toBe('1 11');
    expect(fault('D', `269=0|${ORDER}43=N|`)).toBe('14 43');
    expect(fault('D', `269=0|${ORDER}999=0|`)).toBe('2 269');
  });
});

describe('user tags', () => {
  const ignore: ValidationOptions = { userTags: 'ignore' };

  test('that the dictionary does not know are passed over when a session says so', () => {
    expect(fault('D', `${ORDER}11325=0|`, ignore)).toBe('ok');
    expect(fault('D', `${ORDER}11325=0|11325=0|20010=x|`, ignore)).toBe('ok');
    expect(fault('D', `${ORDER}4999=0|`, ignore)).toBe('0 4999');
    expect(fault('D', `${ORDER}11325=|`, ignore)).toBe('4 11325');
    expect(fault('0', '20001=x|', ignore)).toBe('2 20001');
  });

  test('do not end a group', () => {
    const group = '262=M|263=1|264=1|267=1|269=0|146=2|55=A|11325=1|55=B|11326=1|';
    expect(fault('V', group, ignore)).toBe('ok');
    expect(fault('V', group)).toBe('0 11325');
  });

  // Tag by tag the messages that carry it, as the rules of engagement list them.
  test.each([
    [20001, 'A BF V R D AJ H a Z AD AF'],
    [20002, 'A BF'],
    [20003, 'W S 8 AE'],
    [20004, 'W S 8 AE'],
    [20005, 'V R D W S 8 AE'],
    [20006, '8 AE'],
    [20007, 'R D 8 AE'],
    [20008, 'R D 8 AE'],
    [20009, '8 AE'],
    [20011, 'Y AG AI 8 BF j Z AQ'],
    [20012, 'V W'],
    [20013, 'S 8 AE'],
    [20014, 'S 8 AE'],
    [20015, 'S 8 AE'],
    [20016, 'S 8 AE'],
    [20017, 'W X'],
    [20018, 'R'],
    [20019, 'AD AE AQ'],
    [20010, ''],
  ])('%d belongs to exactly its messages', (tag, carriers) => {
    const types = [
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      'A',
      'BE',
      'BF',
      'x',
      'y',
      'g',
      'h',
      'e',
      'f',
      'V',
      'W',
      'X',
      'Y',
      'R',
      'S',
    ].concat(['AG', 'AJ', 'a', 'AI', 'D', '8', 'H', 'j', 'B', 'F', 'G', 'i', 'Z', 'Q', 'AD', 'AE', 'AF', 'AQ', 'AR']);
    const carry = types.filter((type) => FIX44.rules(type)!.body.places[FIX44.numberOf(tag)]! > 0);
    expect(carry.sort()).toEqual(
      carriers
        .split(' ')
        .filter((type) => type !== '')
        .sort(),
    );
  });
});

test('the order inside an entry can be left to the peer', () => {
  const body = `453=1|448=A|452=1|447=D|${ORDER}`;
  expect(fault('D', body, { userTags: 'strict', groupOrder: 'any' })).toBe('ok');
  expect(fault('D', body.replace('447=D', '447=D|452=1'), { userTags: 'strict', groupOrder: 'any' })).toBe('13 452');
  expect(fault('D', body.replace('447=D', '452=1'), { userTags: 'strict', groupOrder: 'any' })).toBe('13 452');
});

test('a group that counts none can be refused', () => {
  const strict = { userTags: 'strict' } as const;
  const refuse = { ...strict, emptyGroups: 'refuse' } as const;
  expect(fault('D', `453=0|${ORDER}`, strict)).toBe('ok');
  expect(fault('D', `453=0|${ORDER}`, refuse)).toBe('16 453');
  expect(fault('D', `453=1|448=A|447=D|452=1|802=0|${ORDER}`, refuse)).toBe('16 802');
  expect(fault('D', `453=1|448=A|447=D|452=1|${ORDER}`, refuse)).toBe('ok');
});

test('a dictionary knows its messages and fields', () => {
  expect([FIX44.knows('D'), FIX44.knows('BF'), FIX44.knows('*'), FIX44.knows('')]).toEqual([true, true, false, false]);
  expect(['0', 'A', '5', 'D', '*'].map((type) => FIX44.isAdmin(type))).toEqual([true, true, true, false, false]);
  expect([55, 20011, 20010, -1, 5_000_000].map((tag) => FIX44.fieldName(tag))).toEqual([
    'Symbol',
    'ErrorCode',
    undefined,
    undefined,
    undefined,
  ]);
});

test('names of values', () => {
  expect(FIX44.valueNames(269).get('0')).toBe('BID');
  expect(FIX44.valueNames(276).get('B')).toBe('CLOSED');
  expect(FIX44.valueNames(55).size).toBe(0);
});

test('a dictionary can be extended by that of a venue', () => {
  const venue = FIX44.merge(`<fix><messages><message name='Heartbeat' msgtype='0' msgcat='admin'>
      <field name='Mood' required='N'/></message><message name='Ping' msgtype='U1' msgcat='app'><field name='Mood' required='Y'/>
    </message></messages><fields><field number='7001' name='Mood' type='STRING'><value enum='GOOD'/><value enum='BAD'/></field>
      <field number='21' name='HandlInst' type='CHAR'><value enum='9' description='NONE'/></field></fields></fix>`);
  const header = `34=2|49=A|52=${TIME}|56=B|`;
  expect(check(framed(`35=0|${header}112=T|7001=GOOD|`), STRICT, venue)).toBeUndefined();
  expect(check(framed(`35=0|${header}7001=SO-SO|`), STRICT, venue)).toMatchObject({ reason: 5, tag: 7001 });
  expect(check(framed(`35=U1|${header}`), STRICT, venue)).toMatchObject({ reason: 1, tag: 7001 });
  expect(check(framed(`35=D|${header}${ORDER.replace('21=3', '21=9')}`), STRICT, venue)).toBeUndefined();
  expect(FIX44.knows('U1')).toBe(false);
});

test('a required field of an optional component is not required', () => {
  const dictionary = FIX44.merge(`<fix><messages><message name='Ping' msgtype='U1' msgcat='app'>
      <component name='Moods' required='N'/></message><message name='Pong' msgtype='U2' msgcat='app'>
      <component name='Moods' required='Y'/></message></messages><components><component name='Moods'>
      <field name='Mood' required='Y'/></component></components><fields><field number='7001' name='Mood' type='STRING'/></fields></fix>`);
  const header = `34=2|49=A|52=${TIME}|56=B|`;
  expect(check(framed(`35=U1|${header}`), STRICT, dictionary)).toBeUndefined();
  expect(check(framed(`35=U2|${header}`), STRICT, dictionary)).toMatchObject({ reason: 1, tag: 7001 });
});

test.each(['INT', 'LENGTH', 'SEQNUM', 'NUMINGROUP', 'TAGNUM', 'DAYOFMONTH'])(
  'a field of type %s, which generated code reads as a number, is a whole number',
  (type) => {
    const dictionary =
      FIX44.merge(`<fix><messages><message name='Ping' msgtype='U1' msgcat='app'><field name='Mood' required='Y'/>
      </message></messages><fields><field number='7001' name='Mood' type='${type}'/></fields></fix>`);
    const ping = (value: string) => check(framed(`35=U1|34=2|49=A|52=${TIME}|56=B|7001=${value}|`), STRICT, dictionary);
    expect(ping('20')).toBeUndefined();
    expect(ping('abc')).toMatchObject({ reason: 6, tag: 7001 });
  },
);

test('stamps start again before they leave the small integers', () => {
  const dictionary = FIX44.merge('<fix/>');
  expect(check(lightMessages('golden-messages.txt')[5], STRICT, dictionary)).toBeUndefined();
  dictionary.stamp = 0x3fff_0001;
  for (let i = 0; i < 3; i++) {
    expect(check(lightMessages('golden-messages.txt')[5], STRICT, dictionary)).toBeUndefined();
  }
  expect(dictionary.stamp).toBeLessThan(100);
});

/** A message of components within each other, each of which is `times` in the one around it. */
function nested(depth: number, times: number): string {
  const components = Array.from({ length: depth }, (_, i) => {
    const inner = i + 1 < depth ? `<component name='C${i + 1}' required='Y'/>` : "<field name='F' required='Y'/>";
    return `<component name='C${i}'>${inner.repeat(times)}</component>`;
  });
  return `<fix><messages><message name='M' msgtype='U1' msgcat='app'><component name='C0' required='Y'/></message></messages>
    <components>${components.join('')}</components><fields><field number='7001' name='F' type='INT'/></fields></fix>`;
}

test('a component that is there twice is read once, however often it multiplies', () => {
  const dictionary = Dictionary.parse(nested(30, 2));
  expect(check(framed(`35=U1|34=2|49=A|52=${TIME}|56=B|`), STRICT, FIX44.with(dictionary))).toMatchObject({
    reason: 1,
    tag: 7001,
  });
  const { messages } = modelOf([readDictionaryXml(nested(30, 2))]);
  expect(messages[0]!.members.map(({ field, isRequired }) => [field.tag, isRequired])).toEqual([[7001, true]]);
  const findings = checkDictionary(readDictionaryXml(nested(30, 2))).map(({ text }) => text);
  const twice = findings.filter((text) => /component C\d+ is there twice/.test(text));
  expect([twice.length, twice[0]]).toEqual([29, 'component C0: component C1 is there twice; its first place counts']);
});

describe('a text that is no dictionary is refused with one clear line', () => {
  test.each([
    ['', 'one root element expected'],
    ['<fix>', '<fix> is not closed'],
    ['<fix></fox>', 'unexpected </fox> at line 1'],
    ['<fix>\n<fields><field number=55/></fields></fix>', 'not an element at line 2'],
    ['<fix/><fix/>', 'one root element expected'],
    ["<fix><fields><field number='0' name='X' type='INT'/></fields></fix>", 'field X has no tag number'],
    ["<fix><fields><field number='1' type='INT'/></fields></fix>", '<field> without name'],
    ["<fix><header><field name='X'/></header></fix>", 'field X is used but not defined'],
    ["<fix><header><component name='C'/></header></fix>", 'component C is not defined'],
    [
      "<fix><header><component name='C'/></header><components><component name='C'><component name='C'/></component></components></fix>",
      'component C contains itself',
    ],
    ['<fix><header><value/></header></fix>', '<value> in a message'],
    [nested(40, 1), 'C33 is in more than 32 components and groups'],
    [nested(40, 2), 'C33 is in more than 32 components and groups'],
    [
      `<fix>${'<group name="G">'.repeat(60_000)}${'</group>'.repeat(60_000)}</fix>`,
      'elements more than 64 deep at line 1',
    ],
    [
      "<fix><fields><field number='1' name='A' type='INT'/><field number='1' name='B' type='INT'/></fields></fix>",
      'field 1 has the name A, and in another place B',
    ],
    [
      "<fix><fields><field number='1' name='A' type='INT'/><field number='2' name='A' type='INT'/></fields></fix>",
      'field A has the number 1, and in another place 2',
    ],
    [
      "<fix><header><group name='G'/></header><fields><field number='1' name='G' type='NUMINGROUP'/></fields></fix>",
      'group G has no fields',
    ],
  ])('%#', (xml, message) => {
    expect(() => Dictionary.parse(xml)).toThrow(`Data dictionary: `);
    expect(() => Dictionary.parse(xml)).toThrow(message);
    // The generator, too; it says of a field without a name that it has none.
    expect(() => modelOf([readDictionaryXml(xml)])).toThrow(message.replace('<field> without', 'has no'));
  });

  test('comments, both quotes and entities are read', () => {
    const xml = `<?xml version="1.0"?><!-- <fix> --><fix major="4"><header/><fields>
      <field number="1" name='A&amp;B' type="INT" ></field></fields></fix>`;
    expect(Dictionary.parse(xml).fieldName(1)).toBe('A&B');
  });
});
