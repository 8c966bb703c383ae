/** The identifiers of a Lua script: a misspelled or unused name is found when the script is loaded. */

const GLOBALS = words('redis cjson struct string table math error ipairs tonumber tostring unpack');
const KEYWORDS = words(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while',
);
const COMMENT_OR_STRING = /--\[\[[\s\S]*?\]\]|--.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|\.{1,3}|[=~<>]=|\S/g;
const IDENTIFIER = /^[A-Za-z_]/;

/** The file's locals that later text can use: declared at the beginning of a line. */
export const topLevel = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(/^local (?:function )?(\w+)/gm), ([, name]) => name!));

/** A shared function or value, and the names that it uses. */
interface SharedPart {
  readonly name: string;
  readonly text: string;
  readonly used: ReadonlySet<string>;
  /** A function that few calls of a step come to. */
  readonly isRare: boolean;
}

/** Behind the parameters of a function: most calls of a step do without it. */
const RARELY = /^local function \w+(\([^)]*\)) -- rarely$/m;

export const sharedParts = (text: string): SharedPart[] =>
  text.split(/^(?=local )/m).flatMap((part) => {
    const { used } = namesOf(part);
    return [...topLevel(part)].map((name) => ({ name, text: part, used, isRare: RARELY.test(part) }));
  });

/**
 * The body with what it needs of the parts before it. A script makes each of its functions anew at every call, at a hundredth of the cost of a
 * booking for three of them: those that are rarely used are fields of a table, each of which its first use makes.
 */
export function withNeededParts(parts: readonly SharedPart[], used: ReadonlySet<string>, body: string): string {
  const wanted = new Set(used);
  const rare: string[] = [];
  let [usual, filled] = ['', ''];
  // A part uses only those above it.
  for (const part of [...parts].reverse()) {
    if (!wanted.has(part.name)) continue;
    for (const name of part.used) wanted.add(name);
    if (!part.isRare) usual = part.text + usual;
    else {
      rare.push(part.name);
      const made = part.text.replace(RARELY, `rarely.${part.name} = function$1`);
      filled = `if name == '${part.name}' then\n${made}return rarely.${part.name}\nend\n${filled}`;
    }
  }
  if (rare.length === 0) return usual + body;
  const fill = `setmetatable(rarely, { __index = function(_, name)\n${filled}end })\n`;
  const calls = new RegExp(`(?<![\\w.])(?:${rare.join('|')})(?=\\()`, 'g');
  return `local rarely = {}\n${(usual + fill + body).replace(calls, 'rarely.$&')}`;
}

interface LuaNames {
  /** Locals, functions, their parameters and loop variables, anywhere in the text. */
  readonly locals: Set<string>;
  /** Names that are read or written, except fields and keys of tables. */
  readonly used: Set<string>;
}

function namesOf(text: string): LuaNames {
  const tokens = text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('-') ? ' ' : '0')).match(TOKEN) ?? [];
  const [locals, used] = [new Set<string>(), new Set<string>()];
  const brackets: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (/[({[]/.test(token)) brackets.push(token);
    else if (/[)}\]]/.test(token)) brackets.pop();
    let isDeclaring = token === 'for' || (token === 'local' && tokens[i + 1] !== 'function');
    if (token === 'function') {
      if (tokens[i + 1] !== '(') locals.add(tokens[++i]!);
      brackets.push(tokens[++i]!);
      isDeclaring = IDENTIFIER.test(tokens[i + 1]!);
    }
    if (isDeclaring) {
      locals.add(tokens[++i]!);
      for (; tokens[i + 1] === ',' && IDENTIFIER.test(tokens[i + 2]!); i += 2) locals.add(tokens[i + 2]!);
      continue;
    }
    if (!IDENTIFIER.test(token) || KEYWORDS.has(token)) continue;
    const isField = tokens[i - 1] === '.' || tokens[i - 1] === ':';
    const isTableKey = brackets.at(-1) === '{' && tokens[i + 1] === '=';
    if (!isField && !isTableKey) used.add(token);
  }
  return { locals, used };
}

/**
 * The used names. Throws for one that is neither `declared`, nor of `others`, nor the script's own; and for an unused or repeated
 * declaration.
 */
export function checkNames(
  name: string,
  text: string,
  declared: readonly string[],
  others: ReadonlySet<string>,
): ReadonlySet<string> {
  const { locals, used } = namesOf(text);
  const all = new Set(declared);
  const find = (names: Iterable<string>, isWrong: (one: string) => boolean, what: string): void => {
    const wrong = [...names].filter(isWrong);
    if (wrong.length > 0) throw new Error(`${name}.lua ${what}: ${wrong.join(', ')}`);
  };
  find(used, (one) => ![all, locals, others, GLOBALS].some((set) => set.has(one)), 'uses names that are not declared');
  // A step with a single key may use it only to select the server.
  if (declared.length > 1) find(declared, (one) => !used.has(one), 'does not use names that are declared');
  find(declared, (one) => locals.has(one) || others.has(one), 'declares a name a second time');
  find(declared, (one) => declared.indexOf(one) !== declared.lastIndexOf(one), 'has two of the same name');
  return used;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
