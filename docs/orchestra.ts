/**
 * The dictionary of the FIX interface as FIX Orchestra: fix-config/FIX44-ratewire-orchestra.xml, in the repository schema of version 1.0
 * (namespace 2020). It has what the dictionary has: data types, code sets, fields, components, groups and messages of the scenario `base`.
 */
import { readFileSync } from 'node:fs';
import { STANDARD_TYPES } from '../engine/node-quickfix-ts/src/dictionary/field-values.js';
import { readDictionaryXml } from '../engine/node-quickfix-ts/src/dictionary/formats.js';
import { escapeXml, type XmlElement } from '../engine/node-quickfix-ts/src/dictionary/xml.js';

export const NAMESPACE = 'http://fixprotocol.io/2020/orchestra/repository';

/** Those of the standard. Components and groups of the file's own follow; ids of each kind are unique. */
const HEADER_ID = 1024;
const TRAILER_ID = 1025;
const FIRST_COMPONENT_ID = 2_001;
const FIRST_GROUP_ID = 4_001;

/** The file, from the text of the dictionary and the version of ratewire. Throws where the dictionary has a type without a name here. */
export function orchestraOf(dictionary: string, version: string): string {
  const root = readDictionaryXml(dictionary);
  const section = (kind: string) => root.children.find(({ name }) => name === kind)?.children ?? [];
  const fields = section('fields');
  const tags = new Map(fields.map(({ attributes }) => [attributes.name!, attributes.number!]));
  const parts = new Parts(section('components'), tags);

  const bodies = section('messages').map((message) => {
    const { name, msgtype, msgcat } = message.attributes;
    return {
      name: name!,
      type: msgtype!,
      isSession: msgcat === 'admin',
      lines: parts.references(message.children, name!),
    };
  });
  const header = parts.references(section('header'), 'StandardHeader');
  const trailer = parts.references(section('trailer'), 'StandardTrailer');
  const messages = bodies.flatMap(({ name, type, isSession, lines }, i) => [
    `<fixr:message id="${i + 1}" name="${name}" msgType="${type}" category="${isSession ? 'Session' : 'Application'}">`,
    '<fixr:structure>',
    `<fixr:componentRef id="${HEADER_ID}" presence="required"/>`,
    ...lines,
    `<fixr:componentRef id="${TRAILER_ID}" presence="required"/>`,
    '</fixr:structure>',
    '</fixr:message>',
  ]);
  const types = [...new Set(fields.map(({ attributes }) => datatypeOf(attributes)))].sort();
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Written by `npm run docs` from FIX44-ratewire.xml: change it there. -->',
    `<fixr:repository xmlns:fixr="${NAMESPACE}" xmlns:dcterms="http://purl.org/dc/terms/" name="FIX.4.4" version="FIX.4.4_ratewire_${version}">`,
    '<fixr:metadata>',
    '<dcterms:title>FIX 4.4 of ratewire</dcterms:title>',
    '<dcterms:creator>ratewire</dcterms:creator>',
    '<dcterms:format>Orchestra schema</dcterms:format>',
    '</fixr:metadata>',
    ...within('categories', ['<fixr:category name="Session"/>', '<fixr:category name="Application"/>']),
    ...within(
      'datatypes',
      types.map((type) => `<fixr:datatype name="${type}"/>`),
    ),
    ...within('codeSets', fields.flatMap(codeSet)),
    ...within('fields', fields.map(field)),
    ...within('components', [
      ...named('component', HEADER_ID, 'StandardHeader', header),
      ...named('component', TRAILER_ID, 'StandardTrailer', trailer),
      ...parts.components,
    ]),
    ...within('groups', parts.groups),
    ...within('messages', messages),
    '</fixr:repository>',
  ].join('\n')}\n`;
}

const within = (section: string, lines: readonly string[]): string[] => [
  `<fixr:${section}>`,
  ...lines,
  `</fixr:${section}>`,
];
const named = (kind: string, id: number, name: string, lines: readonly string[]): string[] => [
  `<fixr:${kind} id="${id}" name="${name}">`,
  ...lines,
  `</fixr:${kind}>`,
];

/** Components and groups, each with an id from the moment that something refers to it. */
class Parts {
  readonly components: string[] = [];
  readonly groups: string[] = [];
  readonly #known = new Map<string, readonly [kind: 'component' | 'group', id: number]>();
  readonly #definitions: ReadonlyMap<string, XmlElement>;
  #nextComponent = FIRST_COMPONENT_ID;
  #nextGroup = FIRST_GROUP_ID;

  constructor(
    definitions: readonly XmlElement[],
    private readonly tags: ReadonlyMap<string, string>,
  ) {
    this.#definitions = new Map(definitions.map((one) => [one.attributes.name!, one]));
  }

  /** References of `owner`. A group in its midst becomes a group of its own, named after both. */
  references(children: readonly XmlElement[], owner: string): string[] {
    return children.map(({ name: kind, attributes, children: below }) => {
      const name = attributes.name!;
      const presence = attributes.required === 'Y' ? ' presence="required"' : '';
      if (kind === 'field') return `<fixr:fieldRef id="${this.#tag(name)}"${presence}/>`;
      const [is, id] = kind === 'group' ? this.#group(`${owner}${name}`, name, below) : this.#component(name);
      return `<fixr:${is}Ref id="${id}"${presence}/>`;
    });
  }

  /** A component that is nothing but a required group is that group. */
  #component(name: string): readonly ['component' | 'group', number] {
    const known = this.#known.get(name);
    if (known) return known;
    const { children } = this.#definitions.get(name)!;
    const [only, ...others] = children;
    if (others.length === 0 && only?.name === 'group' && only.attributes.required === 'Y')
      return this.#group(name, only.attributes.name!, only.children);
    const made = ['component', this.#nextComponent++] as const;
    this.#known.set(name, made);
    this.components.push(...named('component', made[1], name, this.references(children, name)));
    return made;
  }

  #group(name: string, counter: string, children: readonly XmlElement[]): readonly ['group', number] {
    const id = this.#nextGroup++;
    const made = ['group', id] as const;
    this.#known.set(name, made);
    const lines = this.references(children, name);
    this.groups.push(...named('group', id, name, [`<fixr:numInGroup id="${this.#tag(counter)}"/>`, ...lines]));
    return made;
  }

  #tag(name: string): string {
    const tag = this.tags.get(name);
    if (tag === undefined) throw new Error(`the dictionary uses ${name} and does not define it`);
    return tag;
  }
}

function datatypeOf({ name, type }: XmlElement['attributes']): string {
  const datatype = STANDARD_TYPES.get(type!);
  if (datatype === undefined) throw new Error(`${name}: no data type of FIX Orchestra is known for ${type}`);
  return datatype;
}

const hasCodes = ({ attributes, children }: XmlElement): boolean => children.length > 0 && attributes.number !== '35';

function field(one: XmlElement): string {
  const { number, name } = one.attributes;
  return `<fixr:field id="${number}" name="${name}" type="${hasCodes(one) ? `${name}CodeSet` : datatypeOf(one.attributes)}"/>`;
}

/** A field has its own; the names of its codes are unique in it, and its id is the field's. */
function codeSet(one: XmlElement): string[] {
  if (!hasCodes(one)) return [];
  const { number, name } = one.attributes;
  const used = new Map<string, number>();
  const codes = one.children.map(({ attributes: { enum: value, description = '' } }, i) => {
    const plain = description.replace(/\W+/g, '_') || `VALUE_${value}`;
    const times = (used.get(plain) ?? 0) + 1;
    used.set(plain, times);
    const unique = times === 1 ? plain : `${plain}_${times}`;
    return `<fixr:code id="${Number(number) * 1_000 + i + 1}" name="${unique}" value="${escapeXml(value!)}"/>`;
  });
  return [
    `<fixr:codeSet id="${number}" name="${name}CodeSet" type="${datatypeOf(one.attributes)}">`,
    ...codes,
    '</fixr:codeSet>',
  ];
}

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** As it is to be in fix-config. */
export const orchestraFile = (): string => orchestraOf(text('../fix-config/FIX44-ratewire.xml'), newestRelease());

/** The first heading of the changelog: an unreleased version has its fields already. */
function newestRelease(): string {
  return /^## \[([\d.]+)\]/m.exec(text('../CHANGELOG.md'))![1]!;
}
