/** The rules of engagement list every Text(58) of a Logout(5) that the FIX gateway can send, and no other. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileNamed, filesEndingIn, read } from './tree.js';

const [, TABLE = ''] = read('fix-config/rules-of-engagement.md').split('\n### Reasons for a Logout(5)\n');
/** First cells of the table: one text or several, each in backquotes. */
const documented = [...TABLE.split(/\n##+ /)[0]!.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!),
);

/** Calls that end a session, and which argument is the text; -1 is the last. */
const ENDS: Readonly<Record<string, number>> = { logout: 0, terminate: 0, logOut: 1, logOutDesks: 2 };
/** The same in the files that answer a Logon(A). */
const REFUSES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [fileNamed('logon.ts', 'engine/fix')]: { logout: -1, refused: -1 },
  [fileNamed('logon.ts', 'engine/node-quickfix-ts/src')]: { logoutWithoutSession: 3 },
};
const LITERAL = /^(['`])((?:(?!\1).)*)\1$/;
/** They pass on a text, or have none: the text is in the caller. */
const PASSED_ON = /^(|undefined|text|answer|fault|SILENT|decision\.text|query\.text|id\b.*)$/;

const sources = filesEndingIn('.ts').filter((file) =>
  /^engine\/(fix|service|node-quickfix-ts\/src|store)\//.test(file),
);
const found = sources.flatMap((file) => textsOf(file));

test('each text in the source is in the document', () => {
  expect(found.length).toBeGreaterThan(25);
  expect(documented.length).toBeGreaterThan(20);
  const missing = found.filter((text) => !documented.some((cell) => pattern(text).test(cell)));
  expect(missing).toEqual([]);
});

test('each text in the document is in the source', () => {
  expect(documented.filter((cell) => !found.some((text) => pattern(text).test(cell)))).toEqual([]);
});

test('a text is found however it is passed', () => {
  expect(found).toEqual(
    expect.arrayContaining([
      'NOT_ENTITLED: this key has been revoked',
      'The addresses of your CompID have changed: log on again',
      'LOGGED_OUT: sequence numbers are reset; log on again with MsgSeqNum(34)=1',
      'STORE_UNAVAILABLE: too much waits for the store; log on again in 10 seconds',
    ]),
  );
  const beginnings = ['DRAINING: ', 'LOGGED_OUT: $', 'HeartBtInt out of range $', 'MsgSeqNum too low, expecting $'];
  expect(beginnings.filter((start) => !found.some((text) => text.startsWith(start)))).toEqual([]);
});

/** With `${...}` for inserted values. */
function textsOf(file: string): string[] {
  const source = read(file);
  const named = Object.entries({ ...ENDS, ...REFUSES[file] });
  const given = named.flatMap(([name, at]) =>
    // Calls, not declarations.
    [...source.matchAll(new RegExp(`(?<!function )\\b${name}\\((?=[^)])`, 'g'))]
      .map(({ index }) => argumentsFrom(source, index + name.length + 1))
      .filter((args) => !args.some((arg) => /^\w+\??: /.test(arg)))
      .map((args) => args.filter((arg, i) => arg !== '' || i === 0).at(at) ?? ''),
  );
  const texts = given.flatMap((argument) => {
    const literal = LITERAL.exec(argument);
    if (literal) return [filledIn(file, literal[2]!)];
    const constants = constantsOf(file, argument);
    if (constants.length === 0 && !PASSED_ON.test(argument)) throw new Error(`${file}: no text found for ${argument}`);
    return constants;
  });
  // Faults of a Logon(A), and the default text.
  const returned = [
    ...(file in REFUSES ? (source.split('\nfunction faultOf(')[1]?.split('\n}\n')[0] ?? '') : '').matchAll(
      /(?:return|\?|:)\s+(['`])((?:(?!\1).)+)\1/g,
    ),
  ];
  return [...texts, ...returned.map(([, , text]) => text!), ...constantsOf(file, 'DRAINING')];
}

/** The value of `const name = '...'`, at each place of the file. */
function constantsOf(file: string, name: string): string[] {
  if (!/^\w+$/.test(name)) return [];
  const said = read(file).matchAll(new RegExp(`\\bconst ${name} = (['\`])((?:(?!\\1).)*)\\1`, 'g'));
  return [...said].map(([, , text]) => filledIn(file, text!));
}

/** `LOGGED_OUT` is a constant, of this file or of the one that it is imported from. */
function filledIn(file: string, text: string): string {
  return text.replace(/\$\{([A-Z_]+)\}/g, (whole, name: string) => {
    const from = new RegExp(`\\b${name}\\b[^;]* from '(\\.[^']+)\\.js'`).exec(read(file))?.[1];
    const home = from ? path.posix.join(path.posix.dirname(file), `${from}.ts`) : file;
    return constantsOf(home, name)[0] ?? whole;
  });
}

/** The arguments of a call, from after its parenthesis. */
function argumentsFrom(source: string, start: number): string[] {
  const args = [''];
  let depth = 0;
  let quote = '';
  for (const char of source.slice(start, start + 1_000)) {
    if (quote) quote = char === quote ? '' : quote;
    else if (char === "'" || char === '`') quote = char;
    else if (/[([{]/.test(char)) depth++;
    else if (/[)\]}]/.test(char) && depth-- === 0) break;
    if (char === ',' && depth === 0 && !quote) args.push('');
    else args[args.length - 1] += char;
  }
  return args.map((arg) => arg.trim());
}

/** The text as a desk may receive it. */
function pattern(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
