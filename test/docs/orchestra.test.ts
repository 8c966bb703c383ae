/**
 * The FIX Orchestra file in fix-config: read by node-quickfix-ts it is the dictionary, and it keeps the rules of the repository schema (elements
 * and their order, required attributes, unique keys, references). The schema itself is not in this repository: its licence, CC BY-ND 4.0, is
 * the FIX Trading Community's.
 */
import { Dictionary } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { NAMESPACE, orchestraOf } from '../../docs/orchestra.js';
import { parseXml, type XmlElement } from '../../engine/node-quickfix-ts/src/dictionary/xml.js';
import { read } from '../tidy/tree.js';

const FILE = read('fix-config/FIX44-ratewire-orchestra.xml');
const DICTIONARY = read('fix-config/FIX44-ratewire.xml');
const root = parseXml(FILE.replace(/(<\/?)(fixr|dcterms):/g, '$1'));
const sectionOf = (kind: string): readonly XmlElement[] => root.children.find(({ name }) => name === kind)!.children;

describe('node-quickfix-ts reads it as the dictionary', () => {
  const original = Dictionary.parse(DICTIONARY);
  const read = Dictionary.parse(FILE);
  const types = [...DICTIONARY.matchAll(/msgtype='(\w+)'/g)].map(([, type]) => type!);

  interface FieldSet {
    readonly places: Uint16Array;
    readonly required: readonly number[];
    readonly groups: readonly (FieldSet | undefined)[];
  }
  /** By tag: whether it is required, and the same of a group's entry. */
  function fieldsOf(dictionary: Dictionary, set: FieldSet): object {
    const fields: [number, object][] = [];
    for (let number = 1; number < set.places.length; number++) {
      const place = set.places[number]!;
      if (place === 0) continue;
      const group = set.groups[place];
      const required = set.required.includes(number);
      fields.push([dictionary.tagOf(number), { required, ...(group && { group: fieldsOf(dictionary, group) }) }]);
    }
    return Object.fromEntries(fields);
  }

  test.each(types)('the fields and groups of %s', (type) => {
    expect(fieldsOf(read, read.rules(type)!.body)).toEqual(fieldsOf(original, original.rules(type)!.body));
    expect([read.rules(type)!.name, read.isAdmin(type)]).toEqual([original.rules(type)!.name, original.isAdmin(type)]);
  });

  test('header and trailer', () => {
    expect(fieldsOf(read, read.header)).toEqual(fieldsOf(original, original.header));
    expect(fieldsOf(read, read.trailer)).toEqual(fieldsOf(original, original.trailer));
  });

  test('the values of each field', () => {
    const tags = [...DICTIONARY.matchAll(/<field number='(\d+)'/g)]
      .map(([, tag]) => Number(tag))
      .filter((tag) => tag !== 35);
    expect(tags.length).toBeGreaterThan(900);
    for (const tag of tags) {
      expect(read.fieldName(tag)).toBe(original.fieldName(tag));
      expect([...read.valueNames(tag).keys()]).toEqual([...original.valueNames(tag).keys()]);
    }
  });
});

describe('the rules of the schema', () => {
  test('the root names the interface and its version', () => {
    expect(FILE).toContain(`<fixr:repository xmlns:fixr="${NAMESPACE}"`);
    const [, newest] = /^## \[([\d.]+)\]/m.exec(read('CHANGELOG.md'))!;
    expect(root.attributes).toMatchObject({ name: 'FIX.4.4', version: `FIX.4.4_ratewire_${newest}` });
    expect(read('fix-config/rules-of-engagement.md')).toMatch(
      new RegExp(`change \\|\\n\\|---\\|---\\|---\\|\\n\\| ${newest} \\|`),
    );
  });

  test('its sections are in their order', () => {
    const order = 'metadata categories datatypes codeSets fields components groups messages'.split(' ');
    expect(root.children.map(({ name }) => name)).toEqual(order);
  });

  test.each([
    ['codeSets', 'codeSet'],
    ['fields', 'field'],
    ['components', 'component'],
    ['groups', 'group'],
    ['messages', 'message'],
  ])('%s have ids and names of their own', (section, kind) => {
    const all = sectionOf(section);
    expect(all.every((one) => one.name === kind)).toBe(true);
    for (const key of ['id', 'name'])
      expect(new Set(all.map(({ attributes }) => attributes[key])).size).toBe(all.length);
    expect(all.filter(({ attributes: { id, name } }) => !/^[1-9]\d*$/.test(id!) || !/^\w{1,64}$/.test(name!))).toEqual(
      [],
    );
  });

  test('codes have ids, names and values of their own in their set', () => {
    const all = sectionOf('codeSets').flatMap(({ children }) => children.map(({ attributes }) => attributes.id));
    expect(new Set(all).size).toBe(all.length);
    for (const { children } of sectionOf('codeSets'))
      for (const key of ['name', 'value'])
        expect(new Set(children.map(({ attributes }) => attributes[key])).size).toBe(children.length);
  });

  test('each type and each reference leads somewhere', () => {
    const ids = (section: string) => new Set(sectionOf(section).map(({ attributes }) => attributes.id));
    const known = {
      fieldRef: ids('fields'),
      numInGroup: ids('fields'),
      componentRef: ids('components'),
      groupRef: ids('groups'),
    };
    const types = new Set(['datatypes', 'codeSets'].flatMap(sectionOf).map(({ attributes }) => attributes.name));
    expect(sectionOf('fields').filter(({ attributes }) => !types.has(attributes.type!))).toEqual([]);
    expect(sectionOf('codeSets').filter(({ attributes }) => !types.has(attributes.type!))).toEqual([]);
    const structures = sectionOf('messages').map(({ children }) => children);
    expect(structures.every(([structure, ...more]) => structure?.name === 'structure' && more.length === 0)).toBe(true);
    const references = [
      ...[...sectionOf('components'), ...sectionOf('groups')].flatMap(({ children }) => children),
      ...structures.flatMap(([structure]) => structure!.children),
    ];
    expect(references.length).toBeGreaterThan(1_000);
    const lost = references.filter(
      ({ name: kind, attributes }) => !known[kind as keyof typeof known]?.has(attributes.id),
    );
    expect(lost).toEqual([]);
    expect(references.filter(({ attributes }) => !/^(required)?$/.test(attributes.presence ?? ''))).toEqual([]);
  });

  test('a group begins with its counter, and nothing is empty', () => {
    const groups = sectionOf('groups').map(({ children }) => children.map(({ name }) => name));
    expect(groups.filter(([first, ...others]) => first !== 'numInGroup' || others.includes('numInGroup'))).toEqual([]);
    expect([...sectionOf('groups'), ...sectionOf('components')].filter(({ children }) => children.length < 1)).toEqual(
      [],
    );
  });

  test('a type that FIX Orchestra does not have is an error that names the field', () => {
    const wrong = DICTIONARY.replace("name='Account' type='STRING'", "name='Account' type='WORD'");
    expect(() => orchestraOf(wrong, '1')).toThrow('Account: no data type of FIX Orchestra is known for WORD');
  });
});
