import { EnumValues } from './enum-values.js';
import { type FieldSet, FieldSetBuilder, SECTION, type Section } from './field-set.js';
import { formatOf } from './value-format.js';
import { parseXml, type XmlElement } from './xml.js';

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
    this.values = this.#readFields(fields);

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

  /** Throws an Error with one clear line when the text is no data dictionary. */
  static parse(xml: string): Dictionary {
    return new Dictionary([parseXml(xml)]);
  }

  /** This dictionary and the fields, values and message fields of another, e.g. the custom tags of one venue. */
  merge(xml: string): Dictionary {
    return new Dictionary([...this.#roots, parseXml(xml)]);
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

  #readFields(fields: readonly XmlElement[]): (EnumValues | undefined)[] {
    const enums: string[][] = [[]];
    for (const field of fields) {
      const tag = tagOf(field);
      // A MsgType(35) is right when there is such a message.
      const listed = tag === 35 ? [] : field.children.filter((child) => child.name === 'value');
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
      this.formats[number] = formatOf(attribute(field, 'type'));
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
