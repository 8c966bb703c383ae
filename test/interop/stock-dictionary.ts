/** The stock FIX44.xml, read anew here and by no code of the engine's: which tags a message has, and in which groups. */
import { readFileSync } from 'node:fs';

/** A message, or an entry of a repeating group. */
interface Body {
  readonly tags: Set<number>;
  /** By the tag that counts the entries. */
  readonly groups: Map<number, Body & { readonly first: number }>;
}

export interface StockDictionary {
  /** What is wrong with a message as it came over the wire; its separators are SOH. */
  faultsOf(wire: string): string[];
}

interface Element {
  readonly kind: string;
  readonly name: string;
  readonly msgType: string | undefined;
  readonly number: string | undefined;
  readonly children: Element[];
}

/** Tags of users begin here: a standard dictionary knows none of them. */
const FIRST_USER_TAG = 5000;

export function readStockDictionary(file: string): StockDictionary {
  const root = elementsOf(readFileSync(file, 'utf8'));
  const section = (kind: string) => root.children.find((child) => child.kind === kind)?.children ?? [];
  const numbers = new Map(section('fields').map(({ name, number }) => [name, Number(number)]));
  const components = new Map(section('components').map(({ name, children }) => [name, children]));
  const bodyOf = (children: readonly Element[], body: Body = { tags: new Set(), groups: new Map() }): Body => {
    for (const { kind, name, children: inner } of children) {
      if (kind === 'component') bodyOf(components.get(name)!, body);
      else body.tags.add(numbers.get(name)!);
      if (kind === 'group') body.groups.set(numbers.get(name)!, { ...bodyOf(inner), first: firstOf(inner) });
    }
    return body;
  };
  const firstOf = ([first]: readonly Element[]): number =>
    first!.kind === 'component' ? firstOf(components.get(first!.name)!) : numbers.get(first!.name)!;

  const header = bodyOf(section('header'));
  const trailer = bodyOf(section('trailer'));
  const messages = new Map(section('messages').map(({ msgType, children }) => [msgType!, bodyOf(children)]));
  return {
    faultsOf(wire) {
      const fields = wire
        .split('\x01')
        .filter((field) => field !== '')
        .map((field) => Number(field.slice(0, field.indexOf('='))));
      const msgType = /\x0135=([^\x01]+)\x01/.exec(wire)?.[1] ?? '';
      const message = messages.get(msgType);
      return message
        ? faults(fields, message, (tag) => header.tags.has(tag) || trailer.tags.has(tag))
        : ['no such type'];
    },
  };
}

/** Each standard tag is one of the message's, once; inside a group it is one of the group's, and each entry begins with the first. */
function faults(fields: readonly number[], message: Body, isEnvelope: (tag: number) => boolean): string[] {
  const found: string[] = [];
  const seen = new Set<number>();
  let group: (Body & { readonly first: number }) | undefined;
  let inEntry = new Set<number>();
  for (const tag of fields) {
    if (group !== undefined) {
      const isFirst = tag === group.first;
      if (isFirst || group.tags.has(tag)) {
        if (isFirst) inEntry = new Set();
        else if (inEntry.size === 0) found.push(`${tag} begins an entry`);
        else if (inEntry.has(tag)) found.push(`${tag} twice in an entry`);
        inEntry.add(tag);
        continue;
      }
      group = undefined;
    }
    if (seen.has(tag)) found.push(`${tag} twice`);
    seen.add(tag);
    if (tag < FIRST_USER_TAG && !message.tags.has(tag) && !isEnvelope(tag)) found.push(`${tag} is not of this message`);
    group = message.groups.get(tag);
    inEntry = new Set();
  }
  return found;
}

/** Elements and attributes are all that the file is made of. */
function elementsOf(xml: string): Element {
  const root: Element = { kind: '', name: '', msgType: undefined, number: undefined, children: [] };
  const open = [root];
  for (const [, end, kind, attributes, isEmpty] of xml
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<(\/)?(\w+)((?:\s+\w+=(?:'[^']*'|"[^"]*"))*)\s*(\/)?>/g)) {
    if (end) {
      open.pop();
      continue;
    }
    const attribute = (name: string) => new RegExp(`\\s${name}=['"]([^'"]*)`).exec(attributes!)?.[1];
    const element = {
      kind: kind!,
      name: attribute('name') ?? '',
      msgType: attribute('msgtype'),
      number: attribute('number'),
      children: [],
    };
    open.at(-1)!.children.push(element);
    if (!isEmpty) open.push(element);
  }
  return root.children[0]!;
}
