/** `node-quickfix-ts dictionary check | merge | show`, with QuickFIX XML and FIX Orchestra. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Dictionary, MessageView, validate } from 'node-quickfix-ts';
import { afterAll, describe, expect, test } from 'vitest';
import { main } from '../../engine/node-quickfix-ts/src/cli/main.js';
import { framed, wire } from './codec-messages.js';

const ORCHESTRA = fileURLToPath(new URL('data/orchestra.xml', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'dictionary-'));
afterAll(() => rmSync(folder, { recursive: true }));

function quickfix(...args: string[]): { code: number; out: string; error: string } {
  let out = '';
  let error = '';
  const code = main(
    args,
    (text) => (out += text),
    (text) => (error += text),
  );
  return { code, out: out.replaceAll(`${folder}/`, ''), error: error.replaceAll(`${folder}/`, '') };
}

function file(name: string, text: string | Buffer): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

const standard = (name: string): string =>
  file(`${name}.xml`, gunzipSync(readFileSync(new URL(`../data/fix/${name}.xml.gz`, import.meta.url))));

const verdict = (dictionary: Dictionary, text: string): string | undefined => {
  const bytes = wire(framed(text));
  const view = new MessageView();
  expect(view.index(bytes, 0, bytes.length)).toBe(true);
  const violation = validate(view, dictionary, { userTags: 'strict' });
  return violation && `${violation.reason} ${violation.tag}`;
};
const HEAD = '35=D|34=2|49=A|52=20261120-08:01:10|56=B|';

describe('check', () => {
  test.each(readdirSync(new URL('../data/fix/', import.meta.url)).filter((name) => name.endsWith('.xml.gz')))(
    'finds no error in %s',
    (name) => {
      const { code, out, error } = quickfix('dictionary', 'check', standard(name.replace('.xml.gz', '')));
      expect({ code, error }).toEqual({ code: 0, error: '' });
      expect(out).toMatch(/errors: 0, warnings: \d\n$/);
    },
  );

  test('finds what shows only when the dictionary is read', () => {
    const component = (name: string, counter: string, inner: string): string =>
      `<component name='${name}'><group name='${counter}' required='N'><component name='${inner}' required='N'/></group></component>`;
    const round = `<fix type='FIX' major='4' minor='4'>
      <messages><message name='One' msgtype='U1' msgcat='app'><component name='A' required='N' /></message></messages>
      <components>${component('A', 'NoA', 'B')}${component('B', 'NoB', 'A')}</components>
      <fields><field number='7001' name='NoA' type='NUMINGROUP' /><field number='7002' name='NoB' type='NUMINGROUP' /></fields></fix>`;
    const given = file('round.xml', round);
    const text = 'NoA is in more than 32 components and groups';
    expect(quickfix('dictionary', 'check', given)).toMatchObject({
      code: 1,
      out: expect.stringMatching(new RegExp(`^round.xml: error: ${text}\\nround.xml: .* errors: 1, warnings: 0\\n$`)),
    });
    expect(quickfix('dictionary', 'merge', given)).toMatchObject({
      code: 1,
      error: `node-quickfix-ts: dictionary merge: ${text}\n`,
    });
  });

  test('finds each mistake once, and says where', () => {
    const faulty = `<fix type='FIX' major='4' minor='4'>
      <header><field name='MsgType' required='Y' /></header><trailer><field name='Text' required='N' /></trailer>
      <messages>
        <message name='One' msgtype='U1' msgcat='app'>
          <field name='Nil' required='Y' /><field name='Text' required='N' /><component name='Loop' required='N' /><note />
          <group name='Text' required='N' />
        </message>
        <message name='Two' msgtype='U1' msgcat='app'><component name='Loop' required='N' /><component name='None' required='N' /></message>
      </messages>
      <components><component name='Loop'><field name='RawData' required='N' /><component name='Loop' required='N' /></component></components>
      <fields>
        <field number='35' name='MsgType' type='STRING' /><field number='58' name='Text' type='TEXT' /><field number='58' name='Words' type='STRING' />
        <field number='59' name='Words' type='CHAR'><value enum='1' /><value enum='1' /><value enum='' /></field>
        <field number='0' name='Zero' type='STRING' /><field number='96' name='RawData' type='DATA' />
      </fields></fix>`;
    const { code, out } = quickfix('dictionary', 'check', file('faulty.xml', faulty));
    expect(code).toBe(1);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.replace('faulty.xml: ', '')),
    ).toEqual([
      'warning: field Text(58): type TEXT is unknown; its values are not checked',
      'error: field Words(58): its number is that of Text, too',
      'error: field Words(59): its name is that of field 58, too',
      'warning: field Words(59): value 1 is listed twice',
      'error: field Words(59): value 3 is empty',
      'error: field Zero(0): its number is none from 1 to 999999',
      'error: the header does not begin with BeginString(8), BodyLength(9), MsgType(35)',
      'error: the trailer does not end with CheckSum(10)',
      'warning: component Loop: RawData is of type DATA, and no field of its length is directly before it',
      'error: component Loop contains itself',
      'error: message One(U1): field Nil is not defined',
      'error: message One(U1): <note> is neither field, group nor component',
      'warning: message One(U1): Text is there twice; its first place counts',
      'error: message One(U1): group Text has no fields',
      'warning: message One(U1): group Text is counted by a field of type TEXT',
      'error: message Two(U1): its msgtype is that of One, too',
      'error: message Two(U1): component None is not defined',
      'FIX.4.4, 2 messages, 1 components, 6 fields; errors: 12, warnings: 5',
    ]);
  });
});

describe('merge', () => {
  test('a venue adds fields to a message and to a group of the standard', () => {
    const venue = `<fix><messages><message name='MarketDataSnapshotFullRefresh' msgtype='W' msgcat='app'><field name='VenueID' required='N' /></message></messages>
      <components><component name='MDFullGrp'><group name='NoMDEntries' required='Y'><field name='SettlDate' required='N' /></group></component></components>
      <fields><field number='5999' name='VenueID' type='STRING' /></fields></fix>`;
    const out = path.join(folder, 'merged.xml');
    expect(quickfix('dictionary', 'merge', standard('FIX44'), file('venue.xml', venue), '--out', out)).toEqual({
      code: 0,
      out: 'merged.xml: FIX.4.4, 93 messages, 104 components, 913 fields\n',
      error: '',
    });
    const price = '35=W|34=2|49=A|52=20261120-08:01:10|56=B|55=EUR/USD|5999=x|268=1|269=0|270=1.1|64=20261124|';
    expect(verdict(Dictionary.parse(readFileSync(standard('FIX44'), 'utf8')), price)).toBe('0 5999');
    expect(verdict(Dictionary.parse(readFileSync(out, 'utf8')), price)).toBeUndefined();
    expect(verdict(Dictionary.parse(readFileSync(standard('FIX44'), 'utf8')).merge(venue), price)).toBeUndefined();
  });

  test('FIXT.1.1 and an application version are one', () => {
    const out = path.join(folder, 'fixt.xml');
    expect(quickfix('dictionary', 'merge', standard('FIXT11'), standard('FIX50'), '--out', out).code).toBe(0);
    expect(quickfix('dictionary', 'check', out).out).toContain('errors: 0');
    const dictionary = Dictionary.parse(readFileSync(out, 'utf8'));
    expect([dictionary.isAdmin('A'), dictionary.knows('D'), dictionary.isAdmin('D')]).toEqual([true, true, false]);
  });

  test.each([
    [
      "<fields><field number='55' name='Ticker' type='STRING' /></fields>",
      'field 55 has the name Symbol, and in another place Ticker',
    ],
    [
      "<fields><field number='5999' name='Symbol' type='STRING' /></fields>",
      'field Symbol has the number 55, and in another place 5999',
    ],
    [
      "<messages><message name='Order' msgtype='D' /></messages>",
      'message D has the name NewOrderSingle, and in another place Order',
    ],
  ])('refuses %s with one line', (venue, line) => {
    const second = file('second.xml', `<fix>${venue}</fix>`);
    const { code, out, error } = quickfix('dictionary', 'merge', standard('FIX44'), second);
    expect({ code, out, error }).toEqual({ code: 1, out: '', error: `node-quickfix-ts: Data dictionary: ${line}\n` });
  });
});

describe('FIX Orchestra', () => {
  test('is shown with its fields, groups and codes', () => {
    expect(quickfix('dictionary', 'show', ORCHESTRA).out).toBe(
      'FIX.4.4, 2 messages, 2 components, 17 fields\n0    Heartbeat\nD    NewOrderSingle\n',
    );
    expect(quickfix('dictionary', 'show', ORCHESTRA, 'D', 'Side', '5001').out.replace(/ +/g, ' ').split('\n')).toEqual([
      'NewOrderSingle(D)',
      ' ClOrdID(11) STRING, required',
      ' NoPartyIDs(453) NUMINGROUP',
      ' PartyID(448) STRING, required',
      ' PartyRole(452) INT, required',
      ' Symbol(55) STRING, required',
      ' Side(54) CHAR, required',
      ' SettlType(63) STRING',
      'Side(54) CHAR',
      ' 1 Buy',
      ' 2 Sell',
      'ClientMargin(5001) PRICE',
      '',
    ]);
  });

  test('validates messages, itself and as the QuickFIX XML that merge writes', () => {
    const { out } = quickfix('dictionary', 'merge', ORCHESTRA);
    for (const dictionary of [Dictionary.parse(readFileSync(ORCHESTRA, 'utf8')), Dictionary.parse(out)]) {
      expect(verdict(dictionary, `${HEAD}11=o1|453=1|448=P|452=1|55=EUR/USD|54=1|63=M3|`)).toBeUndefined();
      expect(verdict(dictionary, `${HEAD}11=o1|55=EUR/USD|54=3|`)).toBe('5 54');
      expect(verdict(dictionary, `${HEAD}11=o1|54=1|`)).toBe('1 55');
      expect(verdict(dictionary, `${HEAD}11=o1|55=EUR/USD|54=1|5001=1.5|`)).toBe('2 5001');
      expect(verdict(dictionary, `${HEAD}11=o1|453=1|448=P|55=EUR/USD|54=1|`)).toBe('1 452');
      expect(dictionary.isAdmin('0')).toBe(true);
    }
  });

  test('gives types: the codes that a union allows are not all that it takes', () => {
    const out = path.join(folder, 'generated');
    expect(quickfix('generate', ORCHESTRA, '--out', out)).toMatchObject({ code: 0, error: '' });
    const order = readFileSync(path.join(out, 'messages/NewOrderSingle.ts'), 'utf8');
    expect(order).toContain('readonly Side: Side;');
    expect(order).toContain('readonly SettlType?: SettlType | (string & {}) | undefined;');
    expect(order).toContain('readonly NoPartyIDs?: readonly PartiesNoPartyIDs[] | undefined;');
  });

  test.each([
    [
      '<fixr:fieldRef id="112"/>',
      '<fixr:fieldRef id="113"/>',
      'Orchestra: Heartbeat refers to field 113, which is not there',
    ],
    ['<fixr:numInGroup id="453"/>', '', 'Orchestra: group Parties has no numInGroup'],
    ['msgType="0"', '', 'Orchestra: <message> Heartbeat without msgType'],
    ['<fixr:field id="112" name="TestReqID"', '<fixr:field id="112"', 'Orchestra: <fixr:field> 112 has no name'],
    [
      '</fixr:messages>',
      '',
      'Data dictionary: unexpected </fixr:repository> at line 77; give a QuickFIX-style or Orchestra XML file',
    ],
  ])('without %s is refused with one line', (found, instead, line) => {
    const text = readFileSync(ORCHESTRA, 'utf8');
    expect(text).toContain(found);
    const broken = file('broken.xml', text.replace(found, instead));
    expect(quickfix('dictionary', 'check', broken)).toEqual({
      code: 1,
      out: '',
      error: `node-quickfix-ts: broken.xml: ${line}\n`,
    });
  });
});

test.each([
  [[], 'dictionary: nothing is none of check, merge, show'],
  [['compare'], 'dictionary: compare is none of check, merge, show'],
  [['check'], 'dictionary check: name at least one dictionary'],
  [['show'], 'dictionary show: name a dictionary'],
  [['show', ORCHESTRA, 'Z'], `dictionary show: ${ORCHESTRA} has no message or field Z`],
])('dictionary %j is refused with one line and exit code 1', (args, line) => {
  expect(quickfix('dictionary', ...args)).toEqual({ code: 1, out: '', error: `node-quickfix-ts: ${line}\n` });
});
