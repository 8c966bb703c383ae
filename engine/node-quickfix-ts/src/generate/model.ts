/** A dictionary as the generator needs it: each message with its fields in order, its components resolved and its groups named. */
import { Components } from '../dictionary/components.js';
import { FORMAT, FORMATS } from '../dictionary/field-values.js';
import { allowsOtherValues, refuseDoubleMeanings, sectionOf } from '../dictionary/formats.js';
import type { XmlElement } from '../dictionary/xml.js';
import { Names, typeNames } from './names.js';

export interface FieldModel {
  readonly tag: number;
  /** An identifier, unique among all fields. */
  readonly name: string;
  readonly kind: Kind;
  /** Type as the dictionary has it, e.g. `PRICE`. */
  readonly type: string;
  /** Name of its enumeration, unique among all types; undefined when the dictionary lists no values. */
  readonly enumName: string | undefined;
  readonly values: readonly EnumValue[];
  /** Other values than the listed ones are right, too. */
  readonly isOpen: boolean;
}

/** How a value is passed: `list` is a text of several values, which a space separates. */
export type Kind = 'text' | 'int' | 'flag' | 'list';

export interface EnumValue {
  readonly name: string;
  readonly value: string;
}

export interface Member {
  readonly field: FieldModel;
  readonly isRequired: boolean;
  /** The entries that the field counts, when it counts a repeating group. */
  readonly group: FieldsModel | undefined;
  /** The data field directly behind it, when the field is its length: the builder counts it. */
  readonly lengthOf: FieldModel | undefined;
}

/** A message, a component, an entry of a repeating group, or the header. */
export interface FieldsModel {
  /** An identifier, unique among all types. */
  readonly name: string;
  /** The module that declares it, without its ending, e.g. `components/Parties`. */
  readonly module: string;
  readonly members: readonly Member[];
  /** Groups that the module declares for it, inner ones first. */
  readonly groups: readonly FieldsModel[];
}

export interface MessageModel extends FieldsModel {
  readonly msgType: string;
}

export interface DictionaryModel {
  readonly fields: readonly FieldModel[];
  readonly messages: readonly MessageModel[];
  readonly components: readonly FieldsModel[];
  /** Undefined: the dictionary has none (that of FIX 5.0, which the one of FIXT.1.1 completes). */
  readonly header: FieldsModel | undefined;
  readonly trailer: FieldsModel;
}

/** What to keep of a dictionary: messages, by name or MsgType, with the fields that they, header and trailer use; fields, by name or tag. */
export interface Selection {
  readonly messages?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** Throws an Error with one clear line when something refers to what is not there, or the selection does. */
export function modelOf(roots: readonly XmlElement[], selection: Selection = {}): DictionaryModel {
  return new ModelBuilder(roots).build(selection);
}

/** Where a group is declared. */
interface Owner {
  readonly name: string;
  readonly module: string;
  readonly groups: FieldsModel[];
}

class ModelBuilder {
  readonly #roots: readonly XmlElement[];
  readonly #types = typeNames();
  /** By name in the dictionary. */
  readonly #fields = new Map<string, FieldModel>();
  readonly #components: Components;
  readonly #owners = new Map<string, Owner>();
  readonly #componentModels = new Map<string, FieldsModel>();
  readonly #groupModels = new Map<XmlElement, FieldsModel>();
  readonly #used = new Set<FieldModel>();

  constructor(roots: readonly XmlElement[]) {
    for (const root of roots) refuseDoubleMeanings([root]);
    this.#roots = roots;
    this.#components = new Components(this.#section('components'));
  }

  build({ messages: only, fields: onlyFields }: Selection): DictionaryModel {
    const messages = this.#messages();
    const unknown = only?.find((one) => !messages.some(({ name, msgType }) => one === name || one === msgType));
    if (unknown !== undefined) throw new Error(`Data dictionary: no message ${unknown}`);
    // Names are taken for all of them, so that they stay the same when other messages are left out.
    const typeOf = new Map(messages.map((message) => [message, this.#types.take(message.name, message.msgType)]));
    for (const { attributes } of this.#section('components')) this.#nameComponent(nameOf(attributes));
    const headerName = this.#types.take('StandardHeader', 'Fields');
    this.#readFields();

    const kept = messages.filter(({ name, msgType }) => !only || only.includes(name) || only.includes(msgType));
    const models = kept.map((message) => {
      const name = typeOf.get(message)!;
      return { ...this.#resolve(name, `messages/${name}`, message.children), msgType: message.msgType };
    });
    const headers = this.#section('header');
    const header = headers.length === 0 ? undefined : this.#resolve(headerName, 'header', headers);
    const trailer = this.#resolve('', '', this.#section('trailer'));
    const fields = [...this.#fields.values()];
    const noField = onlyFields?.find((one) => !fields.some((field) => isNamed(field, one)));
    if (noField !== undefined) throw new Error(`Data dictionary: no field ${noField}`);
    return {
      fields: onlyFields
        ? fields.filter((field) => onlyFields.some((one) => isNamed(field, one)))
        : fields.filter((field) => !only || this.#used.has(field)),
      messages: models,
      components: [...this.#componentModels.values()],
      header,
      trailer,
    };
  }

  #section(name: string): XmlElement[] {
    return sectionOf(this.#roots, name);
  }

  /** Messages of one MsgType(35), in several dictionaries, are one. */
  #messages(): { name: string; msgType: string; children: XmlElement[] }[] {
    const byType = new Map<string, { name: string; msgType: string; children: XmlElement[] }>();
    for (const { attributes, children } of this.#section('messages')) {
      const msgType = attributes.msgtype ?? '';
      const known = byType.get(msgType);
      if (known) known.children.push(...children);
      else byType.set(msgType, { name: nameOf(attributes), msgType, children: [...children] });
    }
    return [...byType.values()];
  }

  #nameComponent(name: string): void {
    if (this.#owners.has(name)) return;
    const type = this.#types.take(name, 'Component');
    this.#owners.set(name, { name: type, module: `components/${type}`, groups: [] });
  }

  #readFields(): void {
    const byTag = new Map<number, { name: string; type: string; isOpen: boolean; values: Map<string, string> }>();
    for (const element of this.#section('fields')) {
      const { attributes, children } = element;
      const tag = Number(attributes.number);
      if (!/^[1-9]\d{0,5}$/.test(attributes.number ?? ''))
        throw new Error(`Data dictionary: field ${attributes.name} has no tag number between 1 and 999999`);
      const isOpen = allowsOtherValues(element);
      const field = byTag.get(tag) ?? {
        name: nameOf(attributes),
        type: attributes.type ?? '',
        isOpen,
        values: new Map(),
      };
      byTag.set(tag, field);
      for (const { name, attributes: of } of children)
        if (name === 'value' && !field.values.has(of.enum ?? '')) field.values.set(of.enum ?? '', of.description ?? '');
    }
    const names = new Names();
    for (const [tag, { name, type, isOpen, values }] of byTag) {
      // The values of MsgType(35) are the messages.
      const listed = tag === 35 ? [] : enumValues(values);
      const field: FieldModel = {
        tag,
        name: names.take(name, tag),
        kind: kindOf(type, [...values.keys()]),
        type,
        enumName: listed.length === 0 ? undefined : this.#types.take(name, tag),
        values: listed,
        isOpen,
      };
      this.#fields.set(name, field);
    }
  }

  #resolve(name: string, module: string, elements: readonly XmlElement[]): FieldsModel {
    const groups: FieldsModel[] = [];
    return { name, module, members: this.#members(elements, { name, module, groups }, 0), groups };
  }

  #members(elements: readonly XmlElement[], owner: Owner, nesting: number): Member[] {
    const members = new Map<number, Member>();
    this.#components.visit(elements, nesting, (element, isRequired, depth, within) => {
      const name = element.attributes.name ?? '';
      if (element.name === 'component') return this.#component(element, depth);
      const field = this.#fields.get(name);
      if (field === undefined) throw new Error(`Data dictionary: field ${name} is used but not defined`);
      if (members.has(field.tag)) return;
      this.#used.add(field);
      const declaring = within === undefined ? owner : this.#owners.get(within)!;
      const group = element.name === 'group' ? this.#group(element, field, declaring, depth + 1) : undefined;
      members.set(field.tag, { field, isRequired, group, lengthOf: undefined });
    });
    return [...members.values()].map((member, i, all) => {
      const next = all[i + 1]?.field;
      const isLength = member.field.type.toUpperCase() === 'LENGTH' && next && formatOf(next.type) === FORMAT.DATA;
      return isLength ? { ...member, lengthOf: next } : member;
    });
  }

  #component(element: XmlElement, depth: number): void {
    const name = element.attributes.name ?? '';
    const owner = this.#owners.get(name);
    if (owner === undefined || this.#componentModels.has(name)) return;
    const model = { ...owner, members: [] as Member[] };
    this.#componentModels.set(name, model);
    model.members.push(...this.#members(this.#components.get(name)!, owner, depth + 1));
  }

  #group(element: XmlElement, field: FieldModel, owner: Owner, nesting: number): FieldsModel {
    const known = this.#groupModels.get(element);
    if (known) return known;
    const name = this.#types.take(`${owner.name}${field.name}`, field.tag);
    const members = this.#members(element.children, { ...owner, name }, nesting);
    if (members.length === 0) throw new Error(`Data dictionary: group ${field.name} has no fields`);
    // An entry begins with the first field of its group, whatever the dictionary says.
    members[0] = { ...members[0]!, isRequired: true };
    const group = { name, module: owner.module, members, groups: [] };
    this.#groupModels.set(element, group);
    owner.groups.push(group);
    return group;
  }
}

const isNamed = ({ name, tag }: FieldModel, wanted: string): boolean => wanted === name || wanted === String(tag);

function nameOf(attributes: Readonly<Record<string, string>>): string {
  if (!attributes.name) throw new Error('Data dictionary: a field, component or message has no name');
  return attributes.name;
}

const formatOf = (type: string): number | undefined => FORMATS.get(type.toUpperCase());

/** All but whole numbers, flags and lists are text: prices and quantities as the peer wrote them. */
function kindOf(type: string, values: readonly string[]): Kind {
  const format = formatOf(type);
  if (format === FORMAT.BOOLEAN) return 'flag';
  if (format === FORMAT.VALUES) return 'list';
  const isInt = format === FORMAT.INT || format === FORMAT.UINT;
  return isInt && values.every((value) => /^(0|-?[1-9]\d{0,14})$/.test(value)) ? 'int' : 'text';
}

function enumValues(values: ReadonlyMap<string, string>): EnumValue[] {
  const names = new Names();
  return [...values].map(([value, description]) => ({
    name: names.take(description === '' ? `VALUE_${value}` : description, value),
    value,
  }));
}
