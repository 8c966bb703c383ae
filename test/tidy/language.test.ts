/** Pages, the help of the command line, comments and titles of tests name the agent and the thing: none uses a word of this list. */
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { ratewire } from '../../engine/tools/commands.js';
import { type Text, textsOfLua, textsOfTypeScript } from './comments.js';
import { filesEndingIn, read } from './tree.js';

const WORDS = [
  '(?:no|some)body',
  'who(?:so)?ever',
  'he',
  'his',
  'stands?|stood',
  'hear[sd]?',
  'told',
  '(?:go|goes|going|went|gone) on',
  '(?:take|takes|taking|took|taken) up',
];
const FORBIDDEN = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi');

/** Where a word is a quotation or a term: the phrase as it is in the file, and why it may be there. */
const EXCEPTIONS: readonly (readonly [file: string, phrase: string, reason: string])[] = [];

/** `file:line word` of each forbidden word, in order. */
function findingsIn(file: string, texts: readonly Text[]): string[] {
  const allowed = EXCEPTIONS.filter(([where]) => where === file).map(([, phrase]) => phrase);
  return texts.flatMap(({ line, text }) => {
    const rest = allowed.reduce((shortened, phrase) => shortened.replaceAll(phrase, ''), text);
    return [...rest.matchAll(FORBIDDEN)].map(({ 0: word, index }) => {
      const below = rest.slice(0, index).split('\n').length - 1;
      return `${file}:${line + below} ${word}`;
    });
  });
}

/** A page without what is not its own: the titles of tests in its tables. */
function pageOf(file: string): Text[] {
  return [{ line: 1, text: read(file).replace(/ \[test\/.*$/gm, '') }];
}

test.each(filesEndingIn('.md', '.cfg', '.yml'))('%s', (file) => {
  expect(findingsIn(file, pageOf(file))).toEqual([]);
});

const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

test.each(withAllBelow(ratewire()).map((command) => [nameOf(command), command] as const))(
  'the help of %s',
  (name, command) => {
    let text = '';
    const writeOut = (part: string) => {
      text += part;
    };
    command.configureOutput({ writeOut }).outputHelp();
    expect(findingsIn(name, [{ line: 1, text }])).toEqual([]);
  },
);

describe('comments and titles', () => {
  const files = filesEndingIn('.ts', '.lua');

  test.each(files)('%s', (file) => {
    const texts = file.endsWith('.lua') ? textsOfLua(read(file)) : textsOfTypeScript(read(file));
    expect(findingsIn(file, texts)).toEqual([]);
  });
});

test('every exception is still needed', () => {
  expect(EXCEPTIONS.filter(([file, phrase]) => !read(file).includes(phrase))).toEqual([]);
});

describe('a planted word is found', () => {
  const words = (texts: readonly Text[]) => findingsIn('planted', texts);

  test('in a comment, a doc comment and a title, and in no string or name', () => {
    const planted = ['whoe' + 'ver', 'to' + 'ld', 'goes o' + 'n'] as const;
    const source = [
      `// ${planted[0]}`,
      `const hisName = '// ${planted[0]}' + \`\${f({ a: '}' })} // ${planted[0]}\`;`,
      `const quote = /['"]/; /** It ${planted[1]}. */`,
      `test.each([1])('it ${planted[2]}', () => {});`,
      `describe(\`\${1} ${planted[0]}\`, () => {}); // ${planted[1]}`,
    ];
    expect(words(textsOfTypeScript(source.join('\n')))).toEqual([
      `planted:1 ${planted[0]}`,
      `planted:3 ${planted[1]}`,
      `planted:4 ${planted[2]}`,
      `planted:5 ${planted[0]}`,
      `planted:5 ${planted[1]}`,
    ]);
  });

  test('in a comment of Lua, and in no string', () => {
    const planted = 'no' + 'body';
    expect(words(textsOfLua(`local a = '-- ${planted}' -- ${planted}\n--[[ x\n${planted} ]]`))).toEqual([
      `planted:1 ${planted}`,
      `planted:3 ${planted}`,
    ]);
  });
});
