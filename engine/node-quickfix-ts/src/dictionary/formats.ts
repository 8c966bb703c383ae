/** Dictionaries as files: QuickFIX XML and FIX Orchestra become the same tree of elements; QuickFIX XML is written. */
import { fromOrchestra, isOrchestra } from './orchestra.js';
import { escapeXml, parseXml, type XmlElement } from './xml.js';

/** The root of a dictionary as QuickFIX XML has it. Throws an Error with one clear line; `file` is named in it. */
export function readDictionaryXml(xml: string, file?: string): XmlElement {
  try {
    const root = parseXml(xml);
    if (isOrchestra(root)) return fromOrchestra(root);
    if (root.name === 'fix') return root;
    throw new Error(
      `Data dictionary: <${root.name}> is neither the <fix> of QuickFIX XML nor the <repository> of FIX Orchestra`,
    );
  } catch (error) {
    throw file === undefined ? error : new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Throws an Error when one number or name of a field, or one MsgType, means different things. */
export function refuseDoubleMeanings(roots: readonly XmlElement[]): void {
  const fields = sectionOf(roots, 'fields');
  refuseConflicts(fields, 'number', 'name', 'field');
  refuseConflicts(fields, 'name', 'number', 'field');
  refuseConflicts(sectionOf(roots, 'messages'), 'msgtype', 'name', 'message');
}

/** What all of them have in the section. */
export function sectionOf(roots: readonly XmlElement[], name: string): XmlElement[] {
  return roots.flatMap((root) => root.children.filter((child) => child.name === name)).flatMap((one) => one.children);
}

/** The listed values of the field are no complete list: QuickFIX's `allowOtherValues`. */
export function allowsOtherValues(field: XmlElement): boolean {
  return /^(y|yes|true)$/i.test(field.attributes.allowOtherValues ?? '');
}

/** E.g. `FIX.4.4`, `FIX.5.0SP2`, `FIXT.1.1`, or the name that an Orchestra file gives itself. */
export function nameOfDictionary({ attributes }: XmlElement): string {
  const { type = 'FIX', major, minor, servicepack = '0', name } = attributes;
  if (major === undefined || minor === undefined) return name ?? 'without a version';
  return `${type}.${major}.${minor}${servicepack === '0' ? '' : `SP${servicepack}`}`;
}

/**
 * Several dictionaries as one: fields of one number, messages of one MsgType, components and groups of one name are one, with the values and
 * the fields of all, those of the first before the others'. Name, version and types are those of the first. Throws an Error when one number,
 * name or MsgType means different things.
 */
export function mergeDictionaries(roots: readonly XmlElement[]): XmlElement {
  refuseDoubleMeanings(roots);
  const section = (name: string): readonly XmlElement[] => sectionOf(roots, name);
  return {
    name: 'fix',
    attributes: roots[0]?.attributes ?? {},
    children: [
      { name: 'header', attributes: {}, children: merged(section('header'), 'name') },
      { name: 'trailer', attributes: {}, children: merged(section('trailer'), 'name') },
      { name: 'messages', attributes: {}, children: merged(section('messages'), 'msgtype') },
      { name: 'components', attributes: {}, children: merged(section('components'), 'name') },
      { name: 'fields', attributes: {}, children: merged(section('fields'), 'number') },
    ],
  };
}

function refuseConflicts(elements: readonly XmlElement[], key: string, other: string, what: string): void {
  const known = new Map<string, string>();
  for (const { attributes } of elements) {
    const of = attributes[key] ?? '';
    const value = attributes[other] ?? '';
    const first = known.get(of) ?? value;
    if (first !== value)
      throw new Error(`Data dictionary: ${what} ${of} has the ${other} ${first}, and in another place ${value}`);
    known.set(of, first);
  }
}

/** Elements with the same value of `key` as one, at the place of the first. */
function merged(elements: readonly XmlElement[], key: string): XmlElement[] {
  const byKey = new Map<string, XmlElement>();
  for (const element of elements) {
    const of = `${element.name} ${element.attributes[key]}`;
    const known = byKey.get(of);
    byKey.set(of, known ? { ...known, children: [...known.children, ...element.children] } : element);
  }
  return [...byKey.values()].map((element) => ({
    ...element,
    children: merged(element.children, element.children.every(({ name }) => name === 'value') ? 'enum' : 'name'),
  }));
}

/** QuickFIX XML, one element a line. */
export function writeDictionaryXml(root: XmlElement): string {
  return `<?xml version='1.0' encoding='UTF-8'?>\n${linesOf(root, '').join('\n')}\n`;
}

function linesOf({ name, attributes, children }: XmlElement, indent: string): string[] {
  const start = `${indent}<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}='${escapeXml(value)}'`)].join(' ')}`;
  if (children.length === 0) return [`${start} />`];
  return [`${start}>`, ...children.flatMap((child) => linesOf(child, `${indent} `)), `${indent}</${name}>`];
}
