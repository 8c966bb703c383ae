import { type DataPairs, dataPairsOf } from '../codec/text-form.js';
import { Components } from './components.js';
import { EnumValues, FORMAT, FORMATS } from './field-values.js';
import { allowsOtherValues, mergeDictionaries, readDictionaryXml, refuseDoubleMeanings, sectionOf } from './formats.js';
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
  /** There is a message besides those of the session. Without one `validate` knows nothing of the bodies of application messages. */
  readonly hasApplicationMessages: boolean;
  readonly #messages = new Map<string, MessageRules>();

  private constructor(roots: readonly XmlElement[]) {
    this.#roots = roots;
    const fields = childrenOf(roots, 'fields', 'field');
    this.#numbers = new Uint16Array(1 + Math.max(0, ...fields.map(tagOf)));
    this.formats = new Uint8Array(fields.length + 1);
    this.sections = new Uint8Array(fields.length + 1);
    this.values = this.#readFields(fields, new Set(childrenOf(roots.filter(isBefore42), 'fields', 'field')));
    this.dataPairs = dataPairsOf(fields.map((f) => [tagOf(f), attribute(f, 'name'), attribute(f, 'type')]));

    const builder = new FieldSetBuilder(this.#names, this.#tags, childrenOf(roots, 'components', 'component'));
    this.header = builder.build(sectionOf(roots, 'header'));
    this.trailer = builder.build(sectionOf(roots, 'trailer'));
    this.#mark(this.header, SECTION.HEADER);
    this.#mark(this.trailer, SECTION.TRAILER);
    let depth = Math.max(this.header.depth, this.trailer.depth);
    const messages = childrenOf(roots, 'messages', 'message');
    for (const message of messages) {
      const type = attribute(message, 'msgtype');
      const same = messages.filter((other) => other.attributes.msgtype === type);
      if (same[0] !== message) continue;
      const body = builder.build(same.flatMap((part) => part.children));
      depth = Math.max(depth, body.depth);
      this.#messages.set(type, {
        name: attribute(message, 'name'),
        isAdmin: message.attributes.msgcat === 'admin',
        body,
      });
    }
    this.hasApplicationMessages = [...this.#messages.values()].some(({ isAdmin }) => !isAdmin);
    this.seen = Array.from({ length: depth + 1 }, () => new Int32Array(this.#tags.length));
  }

  /** QuickFIX XML or FIX Orchestra. Throws an Error with one clear line when the text is no data dictionary. */
  static parse(xml: string): Dictionary {
    const roots = [readDictionaryXml(xml)];
    refuseDoubleMeanings(roots);
    return new Dictionary(roots);
  }

  /** This one and the fields, values and fields of messages and groups of another, as `mergeDictionaries` has it. Throws as `parse` does. */
  merge(xml: string): Dictionary {
    return new Dictionary([mergeDictionaries([...this.#roots, readDictionaryXml(xml)])]);
  }

  /** This dictionary and another: the transport's of FIXT.1.1 and one of an application version. */
  with(other: Dictionary): Dictionary {
    return new Dictionary([...this.#roots, ...other.#roots]);
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
      this.formats[number] = type === 'CHAR' && before42.has(field) ? FORMAT.TEXT : (FORMATS.get(type) ?? FORMAT.TEXT);
      enums.push(values);
    }
    return enums.map((values) => (values.length === 0 ? undefined : new EnumValues(values)));
  }

  #mark(set: FieldSet, section: Section): void {
    for (let number = 1; number < set.places.length; number++)
      if (set.places[number] !== 0) this.sections[number] = section;
  }
}

function childrenOf(roots: readonly XmlElement[], section: string, name: string): XmlElement[] {
  return sectionOf(roots, section).filter((element) => element.name === name);
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
  /** Levels of groups within it. */
  readonly depth: number;
}

/** Turns fields, groups and components of the XML into field sets. */
class FieldSetBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #components: Components;
  /** A group of a component is the same in every message: FIX 5.0SP2 would take 350 MB otherwise. */
  readonly #groups = new Map<XmlElement, FieldSet | 'unfinished'>();
  readonly #size: number;

  /** `names` and `tags` by field number. */
  constructor(names: readonly string[], tags: readonly number[], components: readonly XmlElement[]) {
    this.#size = tags.length;
    for (let number = 1; number < names.length; number++) this.#numbers.set(names[number], number);
    this.#components = new Components(components);
  }

  build(elements: readonly XmlElement[], nesting = 0): FieldSet {
    const places = new Uint16Array(this.#size);
    const required: number[] = [];
    const groups: (FieldSet | undefined)[] = [undefined];
    let first = 0;

    this.#components.visit(elements, nesting, (element, isRequired, depthHere) => {
      if (element.name === 'component') return;
      const name = element.attributes.name ?? '';
      const number = this.#numbers.get(name);
      if (number === undefined) throw new Error(`Data dictionary: field ${name} is used but not defined`);
      if (places[number] !== 0) return;
      if (first === 0) first = number;
      places[number] = groups.length;
      groups.push(element.name === 'group' ? this.#group(element, depthHere + 1) : undefined);
      if (isRequired) required.push(number);
    });
    const depth = groups.reduce((most, group) => Math.max(most, group === undefined ? 0 : group.depth + 1), 0);
    return { places, required, groups, first, depth };
  }

  #group(element: XmlElement, nesting: number): FieldSet {
    const known = this.#groups.get(element);
    if (known === 'unfinished') throw new Error(`Data dictionary: group ${element.attributes.name} contains itself`);
    if (known !== undefined) return known;
    this.#groups.set(element, 'unfinished');
    const group = this.build(element.children, nesting);
    if (group.first === 0) throw new Error(`Data dictionary: group ${element.attributes.name} has no fields`);
    this.#groups.set(element, group);
    return group;
  }
}
