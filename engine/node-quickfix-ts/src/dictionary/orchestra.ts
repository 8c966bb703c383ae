/**
 * FIX Orchestra (the repository XML of the FIX Trading Community, version 1.0) as the elements of a QuickFIX dictionary. Read: fields,
 * code sets, data types, components, groups and messages of the scenario `base`. Passed over: actors, flows, rules, documentation.
 */
import { STANDARD_TYPES } from './field-values.js';
import type { XmlElement } from './xml.js';

export function isOrchestra(root: XmlElement): boolean {
  return localName(root) === 'repository';
}

/** Throws an Error that names the element and its id when something refers to what is not there. */
export function fromOrchestra(root: XmlElement): XmlElement {
  const sections = {
    datatypes: listOf(root, 'datatypes', 'datatype', 'name'),
    codeSets: listOf(root, 'codeSets', 'codeSet', 'name'),
    fields: listOf(root, 'fields', 'field', 'id'),
    components: listOf(root, 'components', 'component', 'id'),
    groups: listOf(root, 'groups', 'group', 'id'),
    messages: listOf(root, 'messages', 'message', 'msgType'),
  };
  const references = (from: XmlElement, owner = from): XmlElement[] =>
    from.children.flatMap((child) => referenceOf(child, sections, owner));
  const isHeader = ({ attributes }: XmlElement) => /^standardheader$/i.test(attributes.name ?? '');
  const isTrailer = ({ attributes }: XmlElement) => /^standardtrailer$/i.test(attributes.name ?? '');

  const components = [...sections.components.values()];
  const plain = components.filter((component) => !isHeader(component) && !isTrailer(component));
  const groups = [...sections.groups.values()].map((group) => {
    const counter = group.children.find((child) => localName(child) === 'numInGroup');
    if (counter === undefined) throw new Error(`Orchestra: group ${nameOf(group)} has no numInGroup`);
    const name = nameOf(found(sections.fields, counter.attributes.id, 'field', group));
    return element('component', { name: nameOf(group) }, [
      element('group', { name, required: 'Y' }, references(group)),
    ]);
  });
  const messages = [...sections.messages.values()].map((message) => {
    const structure = message.children.find((child) => localName(child) === 'structure');
    const { msgType = '', category = '' } = message.attributes;
    const attributes = {
      name: nameOf(message),
      msgtype: msgType,
      msgcat: /^session/i.test(category) ? 'admin' : 'app',
    };
    const body = references(structure ?? message, message).filter((child) => !isHeader(child) && !isTrailer(child));
    return element('message', attributes, body);
  });
  const named = (test: (component: XmlElement) => boolean) => components.filter(test).flatMap((one) => references(one));
  return element('fix', versionOf(root), [
    element('header', {}, named(isHeader)),
    element('trailer', {}, named(isTrailer)),
    element('messages', {}, messages),
    element('components', {}, [
      ...plain.map((one) => element('component', { name: nameOf(one) }, references(one))),
      ...groups,
    ]),
    element(
      'fields',
      {},
      [...sections.fields.values()].map((field) => fieldOf(field, sections)),
    ),
  ]);
}

type Section = ReadonlyMap<string, XmlElement>;
interface Sections {
  readonly datatypes: Section;
  readonly codeSets: Section;
  readonly fields: Section;
  readonly components: Section;
  readonly groups: Section;
}

/** The elements of a section by their key; of several scenarios `base`, which is the one without a name, or else the first. */
function listOf(root: XmlElement, section: string, name: string, key: string): Map<string, XmlElement> {
  const all = root.children.filter((child) => localName(child) === section).flatMap((found) => found.children);
  const byKey = new Map<string, XmlElement>();
  for (const one of all.filter((child) => localName(child) === name)) {
    const of = one.attributes[key];
    if (of === undefined) throw new Error(`Orchestra: <${name}> ${one.attributes.name ?? ''} without ${key}`);
    if (!byKey.has(of) || (!isBase(byKey.get(of)!) && isBase(one))) byKey.set(of, one);
  }
  return byKey;
}

function isBase({ attributes }: XmlElement): boolean {
  return (attributes.scenario ?? 'base') === 'base';
}

/** `presence` is required, optional (the default), forbidden, ignored or constant; a constant need not be sent. */
function referenceOf(reference: XmlElement, sections: Sections, from: XmlElement): XmlElement[] {
  const kind = localName(reference);
  const { id, presence = 'optional' } = reference.attributes;
  if (presence === 'forbidden' || presence === 'ignored') return [];
  const required = presence === 'required' ? 'Y' : 'N';
  if (kind === 'fieldRef')
    return [element('field', { name: nameOf(found(sections.fields, id, 'field', from)), required })];
  if (kind !== 'componentRef' && kind !== 'groupRef') return [];
  const section = kind === 'groupRef' ? sections.groups : sections.components;
  return [element('component', { name: nameOf(found(section, id, kind.slice(0, -3), from)), required })];
}

function found(section: Section, id: string | undefined, what: string, from: XmlElement): XmlElement {
  const one = section.get(id ?? '');
  if (one === undefined)
    throw new Error(
      `Orchestra: ${from.attributes.name ?? localName(from)} refers to ${what} ${id}, which is not there`,
    );
  return one;
}

/** A field with a `unionDataType` takes other values than the codes of its code set, too. */
function fieldOf(field: XmlElement, { codeSets, datatypes }: Sections): XmlElement {
  const { id = '', type = 'String', unionDataType } = field.attributes;
  const codeSet = codeSets.get(type);
  const codes = codeSet?.children.filter((child) => localName(child) === 'code') ?? [];
  const values = codes.map(({ attributes: { value = '', name = '' } }) =>
    element('value', { enum: value, description: name }),
  );
  const attributes = { number: id, name: nameOf(field), type: baseOf(codeSet?.attributes.type ?? type, datatypes) };
  return element(
    'field',
    unionDataType === undefined ? attributes : { ...attributes, allowOtherValues: 'true' },
    values,
  );
}

/** A data type of the file's own is its base type, where it has one. Derived types of the standard keep their names. */
function baseOf(type: string, datatypes: Section): string {
  const base = datatypes.get(type)?.attributes.baseType;
  return base !== undefined && !STANDARD_TYPES.has(type.toUpperCase()) ? baseOf(base, new Map()) : type.toUpperCase();
}

function versionOf({ attributes: { name = 'FIX Orchestra', version = '' } }: XmlElement): Record<string, string> {
  const [, type, major, minor, servicepack = '0'] = /^(FIXT?)\.(\d+)\.(\d+)(?:SP(\d+))?/.exec(version) ?? [];
  return type === undefined ? { name } : { type, major: major!, minor: minor!, servicepack };
}

function nameOf({ name, attributes }: XmlElement): string {
  if (!attributes.name) throw new Error(`Orchestra: <${name}> ${attributes.id ?? ''} has no name`);
  return attributes.name;
}

/** The prefix of the namespace, usually `fixr`, is any. */
function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

function element(name: string, attributes: Record<string, string>, children: readonly XmlElement[] = []): XmlElement {
  return { name, attributes, children };
}
