/**
 * The tables of fields in fix-config/rules-of-engagement.md. Each begins with a comment that names its message. Of a row the page itself has
 * the tag, the letter of a field that FIX leaves optional, and the rule; name, type and what FIX requires come from the dictionary.
 * A field that the dictionary requires, and one of our own that it defines for the message, gets a row where the page has none.
 */
import { readFileSync } from 'node:fs';
import { readDictionaryXml } from '../engine/node-quickfix-ts/src/dictionary/formats.js';
import { type Member, modelOf } from '../engine/node-quickfix-ts/src/generate/model.js';

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
  known: readonly Member[],
  meanings: ReadonlyMap<number, string>,
  type: string,
  depth: number,
): string[] {
  const missing = known.filter(
    ({ field: { tag }, isRequired }) => (isRequired || tag >= FIRST_OWN_TAG) && !rows.some((row) => row.tag === tag),
  );
  const added = missing.map(({ field: { tag } }) => ({ tag, letter: '', rule: meanings.get(tag) ?? '', below: [] }));
  return [...rows, ...added].flatMap(({ tag, letter, rule, below }) => {
    const member = known.find(({ field }) => field.tag === tag);
    if (member === undefined) throw new Error(`fields of ${type}: the dictionary has no ${tag} in this place`);
    const { field, group, isRequired } = member;
    const is = isRequired ? 'R' : letter === '' ? 'O' : letter;
    const line = `| ${'→ '.repeat(depth)}${tag} | ${field.name} | ${field.type} | ${is} | ${rule} |`.replace(
      '|  |',
      '| |',
    );
    return [line, ...(group ? written(below, group.members, meanings, type, depth + 1) : [])];
  });
}

/** By MsgType, and `header` and `trailer`. */
function fieldsByMessage(dictionary: string): Map<string, readonly Member[]> {
  const { messages, header, trailer } = modelOf([readDictionaryXml(dictionary)]);
  return new Map([
    ['header', header!.members],
    ['trailer', trailer.members],
    ...messages.map(({ msgType, members }) => [msgType, members] as const),
  ]);
}

const file = (name: string): string => readFileSync(new URL(`../fix-config/${name}`, import.meta.url), 'utf8');

/** The rules of engagement as they are to be. */
export const rulesPage = (): string => withFieldTables(file('rules-of-engagement.md'), file('FIX44-ratewire.xml'));
