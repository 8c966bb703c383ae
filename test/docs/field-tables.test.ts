/** The tables of fields in the rules of engagement: each message has one, and it agrees with the dictionary and with the examples. */
import { expect, test } from 'vitest';
import { messagesWithTables, tagsOfTable, withFieldTables } from '../../docs/field-tables.js';
import type { RefusalCode } from '../../engine/domain/core/refusal.js';
import { MESSAGES } from '../../engine/fix/message-table.js';
import { FIX_REASONS } from '../../engine/fix/refusals.js';
import { filesEndingIn, read } from '../tidy/tree.js';

const PAGE = read('fix-config/rules-of-engagement.md');
const DICTIONARY = read('fix-config/FIX44-ratewire.xml');
const SESSION = ['header', 'trailer', 'A', '0', '1', '2', '3', '4', '5', 'j'];

test('each message of either side has one table', () => {
  const sources = filesEndingIn('.ts').filter((file) => file.startsWith('engine/fix/'));
  const sent = sources.flatMap((file) =>
    [...read(file).matchAll(/\b(?:send|publishedType)\('(\w{1,2})'/g)].map(([, type]) => type!),
  );
  expect(sent).toEqual(expect.arrayContaining(['S', 'W', '8', 'BF', 'Y']));
  const all = [...SESSION, ...Object.keys(MESSAGES), ...sent];
  const tables = messagesWithTables(PAGE);
  expect(all.filter((type) => !tables.includes(type))).toEqual([]);
  expect(tables.length).toBe(new Set(tables).size);
});

const EXAMPLES = [...PAGE.matchAll(/^35=(\w+)\|(.*)\|$/gm)].map(([, type, body]) => {
  const tags = body!.split(/\|(?=\d+=)/).map((field) => Number(field.slice(0, field.indexOf('='))));
  return [type!, tags] as const;
});

test.each(EXAMPLES)('the example of %s has the fields of its table', (type, tags) => {
  const { all, required } = tagsOfTable(PAGE, type);
  expect(tags.filter((tag) => !all.includes(tag))).toEqual([]);
  expect(required.filter((tag) => !tags.includes(tag))).toEqual([]);
});

test('the versions have their dates', () => {
  const [, table = ''] = /\| version \| date \| change \|\n.*\n((?:\|.*\n)+)/.exec(PAGE) ?? [];
  expect(table).toMatch(/^(\| \d+\.\d+\.\d+ \| (\d{4}-\d\d-\d\d|not released) \| .+ \|\n)+$/);
});

test('each of our own fields in the dictionary is in the table of them', () => {
  const ours = [...DICTIONARY.matchAll(/<field number='(2\d{4})'/g)].map(([, tag]) => tag);
  const rows = [...PAGE.matchAll(/^\| (2\d{4}) \| \w+ \| [^|]+ \| [^|]+ \|$/gm)].map(([, tag]) => tag);
  expect(rows).toEqual(ours);
});

/** Field of FIX_REASONS by the answer's type and tag. */
const REASON_FIELDS = {
  'Y 281': 'marketData',
  'AG 658': 'quoteRequest',
  'AI 297': 'quoteStatus',
  '8 103': 'order',
  'AQ 749': 'tradeRequest',
} as const;

test('each number in the table of refusals is that of the gateway', () => {
  const [, part = ''] = PAGE.split('\n## Refusals\n');
  const rows = [...part.split('\n## ')[0]!.matchAll(/^\| .* \| (.*) \| (.*) \|$/gm)];
  const pairs = rows.flatMap(([, answer = '', codes = '']) => {
    const all = [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code as RefusalCode);
    const [first = '', ...others] = answer.split(/; */);
    // `8 103=5; 6; 8` is one answer for each code, `V: Y 281=2; R: AG 658=99` each answer for every code.
    const answers = [first, ...others.map((other) => (/^\d+$/.test(other) ? first.replace(/\d+$/, other) : other))];
    const inTurn = answers.length === all.length && !/^\w[\w, ]*: /.test(answer);
    return inTurn
      ? all.map((code, i) => [answers[i]!, code] as const)
      : answers.flatMap((one) => all.map((code) => [one, code] as const));
  });
  const wrong = pairs.flatMap(([answer, code]) => {
    // `AI 297=5, 7, 4` are states of a hold, not reasons.
    const [, key, number] = /(Y 281|AG 658|AI 297|8 103|AQ 749)=(\d+)(?!\d*, \d)/.exec(answer) ?? [];
    const isWithout = answer.includes('Y without 281');
    if (key === undefined && !isWithout) return [];
    const field = isWithout ? 'marketData' : REASON_FIELDS[key as keyof typeof REASON_FIELDS];
    const is = FIX_REASONS[code][field];
    return is === (isWithout ? undefined : Number(number)) ? [] : [`${answer} ${code}: ${is}`];
  });
  expect(wrong).toEqual([]);
  expect(pairs.length).toBeGreaterThan(120);
});

test('each latency is a figure of the benchmarks', () => {
  const [, table = ''] = PAGE.split('\n## Latency\n');
  const figures = [...table.split('\n## ')[0]!.matchAll(/^\| .* \| .* \| (.*) \| (.+) \|$/gm)]
    .flatMap(([, ...cells]) => cells)
    .flatMap((cell) => /^([\d. to]+) (us|ms)$/.exec(cell)?.[1] ?? []);
  expect(figures.length).toBeGreaterThan(6);
  const benchmarks = read('benchmarks/README.md');
  expect(figures.filter((figure) => !benchmarks.includes(figure))).toEqual([]);
});

test('there are examples of the most important messages', () => {
  const types = EXAMPLES.map(([type]) => type);
  expect(types).toEqual(expect.arrayContaining(['V', 'W', 'R', 'S', 'D', '8', 'Y', 'AG', 'AI', 'BF']));
});

test('the table of a message has the fields of its groups in the dictionary, and each of our own fields', () => {
  const table = (rows: string): string => `<!-- fields of V -->\n${rows}`;
  const written = withFieldTables(table('| 267 | | | C | 1 or 2 |\n| → 269 | | | | a side |\n'), DICTIONARY);
  expect(written).toContain('| 262 | MDReqID | STRING | R | |\n');
  expect(written).toContain(
    '| 267 | NoMDEntryTypes | NUMINGROUP | C | 1 or 2 |\n| → 269 | MDEntryType | CHAR | R | a side |\n',
  );
  expect(written).toMatch(/\| 20001 \| AuthToken \| STRING \| O \| \|\n/);
  expect(withFieldTables(written, DICTIONARY)).toBe(written);
});

test.each([
  ['a field of another message', '| 117 | | | O | |\n', /fields of V: the dictionary has no 117 in this place/],
  ['a field of a group outside of it', '| 269 | | | O | |\n', /has no 269 in this place/],
])('rejects a row with %s', (_, row, message) => {
  expect(() => withFieldTables(`<!-- fields of V -->\n${row}`, DICTIONARY)).toThrow(message);
});

test('rejects the table of a message that does not exist', () => {
  expect(() => withFieldTables('<!-- fields of ZZ -->\n', DICTIONARY)).toThrow(/no such message/);
});
