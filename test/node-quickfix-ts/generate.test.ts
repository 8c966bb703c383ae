/** Generated messages: what they build is what the dictionary allows, and what they read is what was built. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dictionary, encodeMessage, type Field, MessageView, validate } from 'node-quickfix-ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDictionaryXml } from '../../engine/node-quickfix-ts/src/dictionary/formats.js';
import { generate } from '../../engine/node-quickfix-ts/src/generate/generate.js';
import { type FieldsModel, type Member, modelOf } from '../../engine/node-quickfix-ts/src/generate/model.js';

const DICTIONARY = fileURLToPath(new URL('../../fix-config/FIX44-ratewire.xml', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'generate-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Values = Record<string, unknown>;
/** A generated module. */
type Generated = Record<string, (of: unknown) => unknown> & Record<string, unknown>;
const load = async (...file: string[]): Promise<Generated> => (await import(path.join(folder, ...file))) as Generated;
const xml = readFileSync(DICTIONARY, 'utf8');
const model = modelOf([readDictionaryXml(xml)]);
const dictionary = Dictionary.parse(xml);

const TEXTS: Readonly<Record<string, string>> = {
  UTCTIMESTAMP: '20261120-08:01:10.000',
  UTCTIMEONLY: '08:01:10',
  UTCDATEONLY: '20261120',
  LOCALMKTDATE: '20261120',
  MONTHYEAR: '202611',
  CHAR: 'a',
};
const FLOATS = new Set(['PRICE', 'QTY', 'AMT', 'FLOAT', 'PERCENTAGE', 'PRICEOFFSET']);

function sampleOf({ field, group }: Member): unknown {
  if (group) return [valuesOf(group, () => true), valuesOf(group, ({ isRequired }) => isRequired)];
  const [first] = field.values;
  if (field.kind === 'flag') return true;
  if (field.kind === 'int') return first ? Number(first.value) : 1;
  if (field.kind === 'list') return first ? field.values.map(({ value }) => value).slice(0, 3) : ['x', 'y'];
  return first?.value ?? TEXTS[field.type] ?? (FLOATS.has(field.type) ? '1.10' : 'x');
}

function valuesOf({ members }: FieldsModel, keep: (member: Member) => boolean): Values {
  return Object.fromEntries(members.filter(keep).map((member) => [member.field.name, sampleOf(member)]));
}

/** What a reader's getters return, as plain objects, with the fields that are there. */
function plain(reader: unknown, { members }: FieldsModel): Values {
  const read = members.map(({ field, group }): [string, unknown] => {
    const value = (reader as Values)[field.name];
    return [field.name, group ? (value as unknown[] | undefined)?.map((entry) => plain(entry, group)) : value];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function indexed(msgType: string, fields: readonly Field[]): MessageView {
  const bytes = new Uint8Array(256 * 1024);
  const id = { beginString: 'FIX.4.4', senderCompId: 'A', targetCompId: 'B' };
  const end = encodeMessage(bytes, 0, id, msgType, 1, Date.UTC(2026, 10, 20), fields);
  const view = new MessageView();
  expect(view.index(bytes, 0, end)).toBe(true);
  return view;
}

describe('messages of FIX 4.4', () => {
  beforeAll(() => {
    generate({ dictionaries: [DICTIONARY], out: path.join(folder, 'fix44') });
  });

  test.each(model.messages.map((message) => [message.name, message] as const))('%s', async (name, message) => {
    const module = await load('fix44', `${message.module}.ts`);
    for (const keep of [() => true, ({ isRequired }: Member) => isRequired]) {
      const values = valuesOf(message, keep);
      const fields = module[`build${name}`]!(values) as Field[];
      const view = indexed(message.msgType, fields);
      expect(validate(view, dictionary, { userTags: 'strict' })).toBeUndefined();
      expect(plain(module[`read${name}`]!(view), message)).toEqual(values);
    }
  });

  test('fields and entries of groups are in the order of the dictionary, whatever the order of the values', async () => {
    const { buildMarketDataRequest } = await load('fix44', 'messages', 'MarketDataRequest.ts');
    const values = {
      NoRelatedSym: [{ Symbol: 'EUR/USD' }, { Product: 4, Symbol: 'USD/JPY' }],
      NoMDEntryTypes: [{ MDEntryType: '0' }, { MDEntryType: '1' }],
      AggregatedBook: false,
      SubscriptionRequestType: '1',
      MDReqID: 'm1',
      NoTradingSessions: [],
    };
    expect(buildMarketDataRequest!(values)).toEqual([
      [262, 'm1'],
      [263, '1'],
      [266, 'N'],
      ...[
        [267, 2],
        [269, '0'],
        [269, '1'],
      ],
      ...[
        [146, 2],
        [55, 'EUR/USD'],
        [55, 'USD/JPY'],
        [460, 4],
      ],
    ]);
  });

  test('the length of data is counted, whatever the caller says', async () => {
    const { buildNews, readNews } = await load('fix44', 'messages', 'News.ts');
    const fields = buildNews!({
      Headline: 'x',
      NoLinesOfText: [{ Text: 'y' }],
      RawDataLength: 1,
      RawData: 'a\x01b=',
    }) as Field[];
    expect(fields.slice(-2)).toEqual([
      [95, 4],
      [96, 'a\x01b='],
    ]);
    expect(readNews!(indexed('B', fields))).toMatchObject({ RawDataLength: 4, RawData: 'a\x01b=' });
    expect(buildNews!({ Headline: 'x', NoLinesOfText: [{ Text: 'y' }], RawDataLength: 1 })).not.toContainEqual([95, 1]);
  });

  test('a field of the body is not taken for one of a group', async () => {
    const { readAllocationInstruction, buildAllocationInstruction } = await load(
      'fix44',
      'messages',
      'AllocationInstruction.ts',
    );
    const values = {
      AllocID: 'a',
      AllocTransType: '0',
      AllocType: 1,
      AllocNoOrdersType: 0,
      Side: '1',
      Symbol: 'EUR/USD',
      Quantity: '1',
      AvgPx: '1',
      TradeDate: '20261120',
      NoAllocs: [
        { AllocAccount: 'x', NoNestedPartyIDs: [{ NestedPartyID: 'p' }] },
        { AllocAccount: 'y', IndividualAllocID: 'i' },
      ],
    };
    const view = indexed('J', buildAllocationInstruction!(values) as Field[]);
    expect(validate(view, dictionary, { userTags: 'strict' })).toBeUndefined();
    const read = readAllocationInstruction!(view) as { NoAllocs: Values[] };
    expect(read.NoAllocs.map(({ AllocAccount, IndividualAllocID }) => [AllocAccount, IndividualAllocID])).toEqual([
      ['x', undefined],
      ['y', 'i'],
    ]);
  });

  test('the header is read from any message, and its routing fields are built', async () => {
    const { buildStandardHeaderRouting, StandardHeaderReader } = await load('fix44', 'header.ts');
    const Reader = StandardHeaderReader as unknown as new (view: MessageView) => Values;
    expect(new Reader(indexed('0', []))).toMatchObject({
      MsgType: '0',
      MsgSeqNum: 1,
      SenderCompID: 'A',
      PossDupFlag: undefined,
    });
    expect(buildStandardHeaderRouting!({ TargetSubID: 'FX', PossResend: true })).toEqual([
      [57, 'FX'],
      [97, 'Y'],
    ]);
  });

  test('a getter of a required field that is missing throws an error which names it', async () => {
    const { readNewOrderSingle } = await load('fix44', 'messages', 'NewOrderSingle.ts');
    const order = readNewOrderSingle!(indexed('D', [[11, 'o1']])) as Values;
    expect(order.ClOrdID).toBe('o1');
    expect(order.Price).toBeUndefined();
    expect(() => order.Side).toThrow('Field 54 is required, and is missing or malformed');
  });
});

describe('names', () => {
  const HOSTILE = `<fix type='FIX' major='4' minor='4'>
    <header /><trailer />
    <messages>
      <message name='default' msgtype='U1' msgcat='app'>
        <field name='class' required='Y' /><field name='a-b' required='N' /><field name='1st' required='N' />
        <group name='NoX' required='N'><field name='constructor' required='N' /><component name='Block' required='N' /></group>
      </message>
      <message name='Field' msgtype='U2' msgcat='app'><component name='Block' required='Y' /></message>
      <message name='STATUS' msgtype='U3' msgcat='app'><field name='Status' required='Y' /></message>
      <message name='Status' msgtype='U4' msgcat='app'><field name='from' required='Y' /></message>
    </messages>
    <components><component name='Block'><field name='a_b' required='Y' /><field name='Quote' required='N' /></component></components>
    <fields>
      <field number='5001' name='class' type='STRING' /><field number='5002' name='a-b' type='STRING' />
      <field number='5003' name='a_b' type='INT'><value enum='01' description='ONE' /><value enum='2' description='ONE' /></field>
      <field number='5004' name='1st' type='BOOLEAN'><value enum='Y' description='YES' /><value enum='N' /></field>
      <field number='5005' name='NoX' type='NUMINGROUP' /><field number='5006' name='constructor' type='STRING' />
      <field number='5007' name='Status' type='INT'><value enum='-1' description='2 FAST' /><value enum='0' description='__proto__' /></field>
      <field number='5008' name='from' type='MULTIPLEVALUESTRING' />
      <field number='5009' name='Quote' type='CHAR'><value enum="'" description="IT&#39;S" /><value enum='\\' description='' /></field>
    </fields></fix>`;

  test('that are reserved, taken or no identifiers are made unique and right', async () => {
    const file = path.join(folder, 'hostile.xml');
    writeFileSync(file, HOSTILE);
    generate({ dictionaries: [file], out: path.join(folder, 'hostile') });
    const files = ['Field_U2.ts', 'STATUS.ts', 'Status_U4.ts', 'default_U1.ts'];
    expect(readdirSync(path.join(folder, 'hostile', 'messages')).sort()).toEqual(files);
    expect({ ...(await load('hostile', 'tags.ts')) }).toEqual({
      class_5001: 5001,
      a_b: 5002,
      a_b_5003: 5003,
      _1st: 5004,
      NoX: 5005,
      constructor_5006: 5006,
      Status: 5007,
      from_5008: 5008,
      Quote: 5009,
    });
    expect({ ...(await load('hostile', 'values.ts')) }).toEqual({
      a_b: { ONE: '01', ONE_2: '2' },
      _1st: { YES: true, VALUE_N: false },
      Status_5007: { _2_FAST: -1, __proto___0: 0 },
      Quote: { IT_S: "'", VALUE__: '\\' },
    });
    const { builddefault_U1 } = await load('hostile', 'messages', 'default_U1.ts');
    const entries = [{ constructor_5006: 'c', a_b_5003: '01' }];
    expect(builddefault_U1!({ class_5001: 'x', NoX: entries })).toEqual([
      [5001, 'x'],
      [5005, 1],
      [5006, 'c'],
      [5003, '01'],
    ]);
    expect(await load('hostile', 'index.ts')).toHaveProperty('buildField_U2');
  });
});

test('nothing of a dictionary is code', async () => {
  const evil = '*/ globalThis.run = 1; /*';
  const file = path.join(folder, 'evil.xml');
  const xmlOf = (number: string) => `<fix type='FIX' major='4' minor='4\n${evil}'><messages>
    <message name="X'; ${evil}" msgtype="U1${evil}'" msgcat='app'><field name='A${evil}' required='Y' /></message></messages>
    <fields><field number='${number}' name='A${evil}' type='CHAR ${evil}'><value enum="'+globalThis.run+'" description='${evil}' /></field></fields></fix>`;
  writeFileSync(file, xmlOf('5001'));
  const out = path.join(folder, 'evil');
  generate({ dictionaries: [file], out });
  const loaded = await load('evil', 'index.ts');
  expect(globalThis).not.toHaveProperty('run');
  expect(Object.keys(loaded).filter((name) => name.startsWith('build'))).toEqual(['buildX_globalThis_run_1_']);
  writeFileSync(file, xmlOf('1;run'));
  expect(() => generate({ dictionaries: [file], out })).toThrow('has no tag number between 1 and 999999');
});

describe('the output', () => {
  const out = path.join(folder, 'again');
  const written = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file) => [path.relative(out, file), readFileSync(file, 'utf8')]),
    );

  test('is the same bytes again, names the dictionary and its hash, and loses what is no longer generated', () => {
    generate({ dictionaries: [DICTIONARY], out });
    const first = written();
    expect(Object.keys(first).length).toBeGreaterThan(150);
    expect(first['tags.ts']).toMatch(
      /^\/\/ Generated by node-quickfix-ts from FIX44-ratewire\.xml \(FIX\.4\.4, sha256 [0-9a-f]{64}\)\./,
    );
    generate({ dictionaries: [DICTIONARY], out });
    expect(written()).toEqual(first);

    generate({ dictionaries: [DICTIONARY], out, messages: ['D', 'MarketDataRequest'] });
    const few = written();
    expect(Object.keys(few).filter((file) => file.startsWith('messages'))).toEqual([
      'messages/MarketDataRequest.ts',
      'messages/NewOrderSingle.ts',
    ]);
    expect(few['messages/NewOrderSingle.ts']).toBe(first['messages/NewOrderSingle.ts']);
    expect(few['tags.ts']).toContain('export const CheckSum = 10;');
    expect(few['tags.ts']).not.toContain('export const NoAffectedOrders ');

    generate({ dictionaries: [DICTIONARY], out, only: ['tags', 'values'], fields: ['Side', '11'] });
    expect(Object.keys(written())).toEqual(['tags.ts', 'values.ts']);
    const constants = ['export const ClOrdID = 11;', 'export const Side = 54;', ''];
    expect(written()['tags.ts']!.split('\n').slice(2)).toEqual(constants);
  });

  test.each([
    [{ messages: ['D', 'ZZ'] }, 'Data dictionary: no message ZZ'],
    [{ only: ['tags'], fields: ['99999'] }, 'Data dictionary: no field 99999'],
    [{ only: ['enums'] }, 'enums is none of tags, msg-types, values'],
    [{ fields: ['55'] }, 'fields can be chosen for constants only'],
  ])('of %j is refused before anything is written', (selection, line) => {
    const none = path.join(folder, 'none');
    expect(() => generate({ dictionaries: [DICTIONARY], out: none, ...selection })).toThrow(line);
    expect(existsSync(none)).toBe(false);
  });

  test('never replaces a file that was not generated', () => {
    const own = path.join(folder, 'own');
    generate({ dictionaries: [DICTIONARY], out: own, only: ['values'] });
    writeFileSync(path.join(own, 'values.ts'), 'export const mine = 1;\n');
    expect(() => generate({ dictionaries: [DICTIONARY], out: own })).toThrow(
      'values.ts was not generated: choose another folder',
    );
    expect(readFileSync(path.join(own, 'values.ts'), 'utf8')).toBe('export const mine = 1;\n');
  });
});
