/**
 * The tables of fields in fix-config/rules-of-engagement.md. Each begins with a comment that names its message. Of a row the page itself has
 * the tag, the letter of a field that FIX leaves optional, and the rule; name, type and what FIX requires come from the dictionary.
 * A field that the dictionary requires, and one of our own that it defines for the message, gets a row where the page has none.
 */
import { readFileSync } from 'node:fs';

interface Node {
  readonly tag: number;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Of a field that counts a repeating group. */
  readonly entry?: ReadonlyMap<number, Node>;
}

export interface Element {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

const FIRST_OWN_TAG = 20_000;
const HEAD = '| tag | field | type | | rule |\n|---|---|---|---|---|';
const TABLE = /^(<!-- fields of (\w+) -->)\n(?:\|.*\n)*/gm;

/** The page with each of its tables written again. Throws an Error that names the message and the tag of a row that FIX does not have there. */
export function withFieldTables(page: string, dictionary: string): string {
  const fields = fieldsByMessage(dictionary);
  const meanings = new Map(
    [...page.matchAll(/^\| (2\d{4}) \| \w+ \| [^|]* \| ([^|]*) \|$/gm)].map(([, tag, text]) => [Number(tag), text!]),
  );
  return page.replace(TABLE, (table: string, marker: string, type: string) => {
    const known = fields.get(type);
    if (known === undefined) throw new Error(`${marker}: the dictionary has no such message`);
    const rows = written(rowsOf(table), known, meanings, type, 0);
    return `${marker}\n${HEAD}\n${rows.map((row) => `${row}\n`).join('')}`;
  });
}

/** Messages with a table in the page, `header` and `trailer` among them. */
export function messagesWithTables(page: string): string[] {
  return [...page.matchAll(TABLE)].map(([, , type]) => type!);
}

/** Tags of a message's table at any depth, and of those the ones with the letter R at top level. */
export function tagsOfTable(page: string, type: string): { all: number[]; required: number[] } {
  const [table = ''] = [...page.matchAll(TABLE)].filter(([, , of]) => of === type).map(([text]) => text);
  const rows = flat(rowsOf(table));
  return {
    all: rows.map(({ tag }) => tag),
    required: rowsOf(table)
      .filter(({ letter }) => letter === 'R')
      .map(({ tag }) => tag),
  };
}

interface Row {
  readonly tag: number;
  readonly letter: string;
  readonly rule: string;
  readonly below: Row[];
}

const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.below)]);

function rowsOf(table: string): Row[] {
  const top: Row[] = [];
  const levels = [top];
  for (const line of table.split('\n')) {
    const [, tagCell, , , letter, rule] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, arrows, tag] = /^((?:→ )*)(\d+)$/.exec(tagCell ?? '') ?? [];
    if (tag === undefined) continue;
    const depth = arrows!.length / 2;
    const row: Row = { tag: Number(tag), letter: letter ?? '', rule: rule ?? '', below: [] };
    (levels[depth] ?? top).push(row);
    levels.length = depth + 1;
    levels.push(row.below);
  }
  return top;
}

function written(
  rows: readonly Row[],
  known: ReadonlyMap<number, Node>,
  meanings: ReadonlyMap<number, string>,
  type: string,
  depth: number,
): string[] {
  const missing = [...known.values()].filter(
    ({ tag, required }) => (required || tag >= FIRST_OWN_TAG) && !rows.some((row) => row.tag === tag),
  );
  const added = missing.map(({ tag }) => ({ tag, letter: '', rule: meanings.get(tag) ?? '', below: [] }));
  return [...rows, ...added].flatMap(({ tag, letter, rule, below }) => {
    const node = known.get(tag);
    if (node === undefined) throw new Error(`fields of ${type}: the dictionary has no ${tag} in this place`);
    const is = node.required ? 'R' : letter === '' ? 'O' : letter;
    const line = `| ${'→ '.repeat(depth)}${tag} | ${node.name} | ${node.type} | ${is} | ${rule} |`.replace(
      '|  |',
      '| |',
    );
    return [line, ...(node.entry ? written(below, node.entry, meanings, type, depth + 1) : [])];
  });
}

/** By MsgType, and `header` and `trailer`. */
function fieldsByMessage(dictionary: string): Map<string, ReadonlyMap<number, Node>> {
  const root = elements(dictionary);
  const section = (name: string) => root.children.find(({ kind }) => kind === name)?.children ?? [];
  const fields = new Map(section('fields').map(({ attributes }) => [attributes.name!, attributes]));
  const components = new Map(section('components').map(({ attributes, children }) => [attributes.name!, children]));
  const nodes = (children: readonly Element[], within: boolean): [number, Node][] =>
    children.flatMap((child): [number, Node][] => {
      const required = within && child.attributes.required === 'Y';
      const name = child.attributes.name!;
      if (child.kind === 'component') return nodes(components.get(name)!, required);
      const { number, type } = fields.get(name)!;
      const entry = child.kind === 'group' ? { entry: entryOf(child.children) } : {};
      return [[Number(number), { tag: Number(number), name, type: type!, required, ...entry }]];
    });
  /** An entry begins with its first field. */
  const entryOf = (children: readonly Element[]): ReadonlyMap<number, Node> =>
    new Map(nodes(children, true).map(([tag, node], i) => [tag, i === 0 ? { ...node, required: true } : node]));
  return new Map([
    ['header', new Map(nodes(section('header'), true))],
    ['trailer', new Map(nodes(section('trailer'), true))],
    ...section('messages').map(
      ({ attributes, children }) => [attributes.msgtype!, new Map(nodes(children, true))] as const,
    ),
  ]);
}

/** The dictionary's elements; it has neither text nor entities in what is read here. */
export function elements(xml: string): Element {
  const root: Element = { kind: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, closing, kind, text, empty] of xml
    .replace(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>/g)) {
    if (closing) {
      open.pop();
      continue;
    }
    const attributes = Object.fromEntries(
      [...text!.matchAll(/(\w+)=(['"])(.*?)\2/g)].map(([, name, , value]) => [name, value!]),
    );
    const element: Element = { kind: kind!, attributes, children: [] };
    open.at(-1)!.children.push(element);
    if (!empty) open.push(element);
  }
  return root.children[0]!;
}

const file = (name: string): string => readFileSync(new URL(`../fix-config/${name}`, import.meta.url), 'utf8');

/** The rules of engagement as they are to be. */
export const rulesPage = (): string => withFieldTables(file('rules-of-engagement.md'), file('FIX44-ratewire.xml'));
