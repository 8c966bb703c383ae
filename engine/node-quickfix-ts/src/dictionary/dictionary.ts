import { type DataPairs, dataPairsOf } from '../codec/text-form.js';
import { parseDate, parseTime, parseUtcTimestamp } from '../codec/values.js';
import { allowsOtherValues, mergeDictionaries, readDictionaryXml } from './formats.js';
import type { XmlElement } from './xml.js';

/** What a dictionary says of one message type. */
export interface MessageRules {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly body: FieldSet;
}

/**
 * A QuickFIX-style data dictionary, compiled to tables. A field's *number* is its place in these tables, 1 and up; 0 is a tag
 * that the dictionary does not know. The tables are for `validate`.
 */
export class Dictionary {
  readonly header: FieldSet;
  readonly trailer: FieldSet;
  /** Its data fields, with their length fields. */
  readonly dataPairs: DataPairs;
  /** By field number: FORMAT, section of the message, and the values it may take. */
  readonly formats: Uint8Array;
  readonly sections: Uint8Array;
  readonly values: readonly (EnumValues | undefined)[];
  /** By depth of groups and field number: the stamp of the message or entry in which `validate` last saw the field. */
  readonly seen: readonly Int32Array[];
  stamp = 0;

  readonly #roots: readonly XmlElement[];
  readonly #numbers: Uint16Array;
  readonly #tags: number[] = [0];
  readonly #names: string[] = [''];
  readonly #messages = new Map<string, MessageRules>();

  private constructor(roots: readonly XmlElement[]) {
    this.#roots = roots;
    const fields = childrenOf(roots, 'fields', 'field');
    this.#numbers = new Uint16Array(1 + Math.max(0, ...fields.map(tagOf)));
    this.formats = new Uint8Array(fields.length + 1);
    this.sections = new Uint8Array(fields.length + 1);
    this.values = this.#readFields(fields, new Set(childrenOf(roots.filter(isBefore42), 'fields', 'field')));
    this.dataPairs = dataPairsOf(
      fields.map((field) => ({
        tag: tagOf(field),
        name: attribute(field, 'name'),
        type: attribute(field, 'type').toUpperCase(),
      })),
    );

    const builder = new FieldSetBuilder(this.#names, this.#tags, childrenOf(roots, 'components', 'component'));
    this.header = builder.build(childrenOf(roots, 'header'));
    this.trailer = builder.build(childrenOf(roots, 'trailer'));
    this.#mark(this.header, SECTION.HEADER);
    this.#mark(this.trailer, SECTION.TRAILER);
    const messages = childrenOf(roots, 'messages', 'message');
    for (const message of messages) {
      const type = attribute(message, 'msgtype');
      const same = messages.filter((other) => other.attributes.msgtype === type);
      if (same[0] !== message) continue;
      const body = builder.build(same.flatMap((part) => part.children));
      this.#messages.set(type, {
        name: attribute(message, 'name'),
        isAdmin: message.attributes.msgcat === 'admin',
        body,
      });
    }
    this.seen = Array.from({ length: builder.depth + 1 }, () => new Int32Array(this.#tags.length));
  }

  /** QuickFIX XML or FIX Orchestra. Throws an Error with one clear line when the text is no data dictionary. */
  static parse(xml: string): Dictionary {
    return new Dictionary([readDictionaryXml(xml)]);
  }

  /** This one and the fields, values and fields of messages and groups of another, as `mergeDictionaries` has it. Throws as `parse` does. */
  merge(xml: string): Dictionary {
    return new Dictionary([mergeDictionaries([...this.#roots, readDictionaryXml(xml)])]);
  }

  knows(msgType: string): boolean {
    return this.#messages.has(msgType);
  }

  isAdmin(msgType: string): boolean {
    return this.#messages.get(msgType)?.isAdmin ?? false;
  }

  rules(msgType: string): MessageRules | undefined {
    return this.#messages.get(msgType);
  }

  /** Name of a tag, e.g. `Symbol` of 55, or undefined. */
  fieldName(tag: number): string | undefined {
    const number = this.numberOf(tag);
    return number === 0 ? undefined : this.#names[number];
  }

  /** The descriptions of a field's values, e.g. `BID` for 0 of MDEntryType(269). Read from the XML at each call: cache the result. */
  valueNames(tag: number): ReadonlyMap<string, string> {
    const listed = childrenOf(this.#roots, 'fields', 'field')
      .filter((field) => tagOf(field) === tag)
      .flatMap((field) => field.children);
    return new Map(listed.map(({ attributes }) => [attributes.enum ?? '', attributes.description ?? '']));
  }

  /** Number of a tag in the tables, 0 when it is unknown. */
  numberOf(tag: number): number {
    return tag > 0 && tag < this.#numbers.length ? this.#numbers[tag] : 0;
  }

  tagOf(number: number): number {
    return this.#tags[number];
  }

  #readFields(fields: readonly XmlElement[], before42: ReadonlySet<XmlElement>): (EnumValues | undefined)[] {
    const enums: string[][] = [[]];
    for (const field of fields) {
      const tag = tagOf(field);
      // A MsgType(35) is right when there is such a message.
      const listed =
        tag === 35 || allowsOtherValues(field) ? [] : field.children.filter((child) => child.name === 'value');
      const values = listed.map((value) => attribute(value, 'enum'));
      const known = this.#numbers[tag];
      if (known !== 0) {
        enums[known].push(...values);
        continue;
      }
      const number = this.#tags.length;
      this.#numbers[tag] = number;
      this.#tags.push(tag);
      this.#names.push(attribute(field, 'name'));
      const type = attribute(field, 'type').toUpperCase();
      this.formats[number] = type === 'CHAR' && before42.has(field) ? FORMAT.TEXT : (FORMATS[type] ?? FORMAT.TEXT);
      enums.push(values);
    }
    return enums.map((values) => (values.length === 0 ? undefined : new EnumValues(values)));
  }

  #mark(set: FieldSet, section: Section): void {
    for (let number = 1; number < set.places.length; number++)
      if (set.places[number] !== 0) this.sections[number] = section;
  }
}

function childrenOf(roots: readonly XmlElement[], section: string, name?: string): XmlElement[] {
  return roots
    .flatMap((root) => root.children)
    .filter((element) => element.name === section)
    .flatMap((element) => element.children)
    .filter((element) => name === undefined || element.name === name);
}

/** Until FIX 4.1 a `char` is text of any length. */
function isBefore42({ attributes: { type, major, minor } }: XmlElement): boolean {
  return type === 'FIX' && major === '4' && (minor === '0' || minor === '1');
}

function tagOf(field: XmlElement): number {
  const tag = Number(attribute(field, 'number'));
  if (!Number.isInteger(tag) || tag < 1 || tag > 999_999) {
    throw new Error(`Data dictionary: field ${field.attributes.name} has no tag number between 1 and 999999`);
  }
  return tag;
}

function attribute(element: XmlElement, name: string): string {
  const value = element.attributes[name];
  if (value === undefined) throw new Error(`Data dictionary: <${element.name}> without ${name}`);
  return value;
}

export const SECTION = { BODY: 0, HEADER: 1, TRAILER: 2 } as const;
export type Section = (typeof SECTION)[keyof typeof SECTION];

/** The fields of one level: a header, the body of a message, or one entry of a repeating group. */
export interface FieldSet {
  /** By field number: the field's place in the order of the dictionary, 1 and up; 0: not defined here. */
  readonly places: Uint16Array;
  /** Field numbers that must be there. */
  readonly required: readonly number[];
  /** By place: what follows a field that counts a repeating group. */
  readonly groups: readonly (FieldSet | undefined)[];
  /** Number of the first field: an entry of a group begins with it. */
  readonly first: number;
}

/** Components within components end well before this; more is a component that contains itself. */
const MAX_NESTING = 16;

/** Turns fields, groups and components of the XML into field sets. */
class FieldSetBuilder {
  /** Deepest nesting of groups so far. */
  depth = 0;
  readonly #numbers = new Map<string, number>();
  readonly #components = new Map<string, XmlElement[]>();
  readonly #size: number;

  /** `names` and `tags` by field number. */
  constructor(names: readonly string[], tags: readonly number[], components: readonly XmlElement[]) {
    this.#size = tags.length;
    for (let number = 1; number < names.length; number++) this.#numbers.set(names[number], number);
    for (const component of components) {
      const name = component.attributes.name ?? '';
      this.#components.set(name, [...(this.#components.get(name) ?? []), ...component.children]);
    }
  }

  build(elements: readonly XmlElement[], depth = 0): FieldSet {
    this.depth = Math.max(this.depth, depth);
    const places = new Uint16Array(this.#size);
    const required: number[] = [];
    const groups: (FieldSet | undefined)[] = [undefined];
    let first = 0;

    const add = (element: XmlElement, isRequired: boolean, nesting: number): void => {
      const name = element.attributes.name ?? '';
      const needed = isRequired && element.attributes.required?.toUpperCase() === 'Y';
      if (element.name === 'component') {
        const children = this.#components.get(name);
        if (children === undefined || nesting > MAX_NESTING) {
          throw new Error(`Data dictionary: component ${name} is not defined, or contains itself`);
        }
        // A required field of an optional component is required only together with the component, which nothing marks.
        for (const child of children) add(child, needed, nesting + 1);
        return;
      }
      if (element.name !== 'field' && element.name !== 'group')
        throw new Error(`Data dictionary: <${element.name}> in a message`);
      const number = this.#numbers.get(name);
      if (number === undefined) throw new Error(`Data dictionary: field ${name} is used but not defined`);
      if (places[number] !== 0) return;
      if (first === 0) first = number;
      places[number] = groups.length;
      groups.push(element.name === 'group' ? this.build(element.children, depth + 1) : undefined);
      if (needed) required.push(number);
    };
    for (const element of elements) add(element, true, 0);
    return { places, required, groups, first };
  }
}

// Data types as predicates over bytes: no text is made to check a value. Own copies of constants: see codec/values.ts.
const DOT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;

export const FORMAT = {
  TEXT: 0,
  INT: 1,
  UINT: 2,
  FLOAT: 3,
  CHAR: 4,
  BOOLEAN: 5,
  TIMESTAMP: 6,
  DATE: 7,
  TIME: 8,
  MONTH_YEAR: 9,
  VALUES: 10,
  DATA: 11,
} as const;

/** A type that says nothing of its bytes (STRING, CURRENCY, EXCHANGE ...) is TEXT. TIME and DATE are those of FIX 4.0 and 4.1. */
const FORMATS: Readonly<Record<string, number>> = {
  INT: FORMAT.INT,
  DAYOFMONTH: FORMAT.INT,
  LENGTH: FORMAT.UINT,
  SEQNUM: FORMAT.UINT,
  NUMINGROUP: FORMAT.UINT,
  FLOAT: FORMAT.FLOAT,
  PRICE: FORMAT.FLOAT,
  QTY: FORMAT.FLOAT,
  AMT: FORMAT.FLOAT,
  PRICEOFFSET: FORMAT.FLOAT,
  PERCENTAGE: FORMAT.FLOAT,
  CHAR: FORMAT.CHAR,
  BOOLEAN: FORMAT.BOOLEAN,
  UTCTIMESTAMP: FORMAT.TIMESTAMP,
  TIME: FORMAT.TIMESTAMP,
  UTCDATE: FORMAT.DATE,
  UTCDATEONLY: FORMAT.DATE,
  LOCALMKTDATE: FORMAT.DATE,
  DATE: FORMAT.DATE,
  UTCTIMEONLY: FORMAT.TIME,
  MONTHYEAR: FORMAT.MONTH_YEAR,
  MULTIPLEVALUESTRING: FORMAT.VALUES,
  MULTIPLECHARVALUE: FORMAT.VALUES,
  MULTIPLESTRINGVALUE: FORMAT.VALUES,
  DATA: FORMAT.DATA,
  XMLDATA: FORMAT.DATA,
};

export function hasFormat(format: number, bytes: Uint8Array, start: number, end: number): boolean {
  switch (format) {
    case FORMAT.INT:
      return isDigits(bytes, bytes[start] === MINUS ? start + 1 : start, end);
    case FORMAT.UINT:
      return isDigits(bytes, start, end);
    case FORMAT.FLOAT:
      return isFloat(bytes, start, end);
    case FORMAT.CHAR:
      return end - start === 1;
    case FORMAT.BOOLEAN:
      return end - start === 1 && (bytes[start] === 0x59 || bytes[start] === 0x4e);
    case FORMAT.TIMESTAMP:
      return parseUtcTimestamp(bytes, start, end) > Number.NEGATIVE_INFINITY;
    case FORMAT.DATE:
      return end - start === 8 && parseDate(bytes, start) > Number.NEGATIVE_INFINITY;
    case FORMAT.TIME:
      return isTime(bytes, start, end);
    case FORMAT.MONTH_YEAR:
      return isMonthYear(bytes, start, end);
    default:
      return true;
  }
}

function isDigits(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  for (let i = start; i < end; i++) if (bytes[i] < ZERO || bytes[i] > 0x39) return false;
  return true;
}

/** `-?` digits with at most one point, at least one digit; no `+`, no exponent. */
function isFloat(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0;
  let points = 0;
  for (let i = bytes[start] === MINUS ? start + 1 : start; i < end; i++) {
    const byte = bytes[i];
    if (byte >= ZERO && byte <= 0x39) digits++;
    else if (byte === DOT) points++;
    else return false;
  }
  return digits > 0 && points <= 1;
}

function isTime(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length < 8 || parseTime(bytes, start) < 0) return false;
  return length === 8 || (length <= 18 && bytes[start + 8] === DOT && isDigits(bytes, start + 9, end));
}

/** `YYYYMM`, `YYYYMMDD` or `YYYYMMw1` to `w5`. */
function isMonthYear(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== 6 && length !== 8) return false;
  if (!isDigits(bytes, start, start + 6)) return false;
  const month = (bytes[start + 4] - ZERO) * 10 + bytes[start + 5] - ZERO;
  if (month < 1 || month > 12) return false;
  if (length === 6) return true;
  if (bytes[start + 6] === 0x77) return bytes[start + 7] >= 0x31 && bytes[start + 7] <= 0x35;
  return parseDate(bytes, start) > Number.NEGATIVE_INFINITY;
}

/** The values a field may take, compared as bytes. */
export class EnumValues {
  /** Values of one character, which nearly all are, by that character. */
  readonly #single = new Uint8Array(256);
  /** Longer ones by hash. */
  readonly #longer = new Map<number, Uint8Array[]>();

  constructor(values: readonly string[]) {
    for (const value of values) {
      const bytes = Uint8Array.from(Buffer.from(value, 'latin1'));
      if (bytes.length === 1) this.#single[bytes[0]] = 1;
      else {
        const key = hash(bytes, 0, bytes.length);
        this.#longer.set(key, [...(this.#longer.get(key) ?? []), bytes]);
      }
    }
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start === 1) return this.#single[bytes[start]] === 1;
    const candidates = this.#longer.get(hash(bytes, start, end));
    return candidates?.some((candidate) => isSame(candidate, bytes, start, end)) ?? false;
  }

  /** MultipleValueString: each of the values, separated by a space, is one of these. */
  hasEach(bytes: Uint8Array, start: number, end: number): boolean {
    let from = start;
    for (let i = start; i <= end; i++) {
      if (i < end && bytes[i] !== 0x20) continue;
      if (!this.has(bytes, from, i)) return false;
      from = i + 1;
    }
    return true;
  }
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let h = end - start;
  for (let i = start; i < end; i++) h = (Math.imul(h, 31) + bytes[i]) | 0;
  return h;
}

function isSame(value: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (value.length !== end - start) return false;
  for (let i = 0; i < value.length; i++) if (value[i] !== bytes[start + i]) return false;
  return true;
}
