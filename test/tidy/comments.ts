/** What people read in a source file besides its code: comments of .ts and .lua, and the titles of tests. */

/** A text with the line on which it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

/** A comment, a string without substitutions, a regular expression, a stretch of plain code, or one character. */
const LITERALS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{};+>]\s*|\b(?:return|case|of)\s+)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[^'"`/{}]+|[\s\S]/g;
/** A string behind one of these is the title of `test('...')`, `describe('...')` or `test.each(...)('...')`. */
const BEFORE_TITLE = /(?:\b(?:test|it|describe)|\))\(\s*$/;

export function textsOfTypeScript(source: string): Text[] {
  const found: Text[] = [];
  const lineAt = lines(source);
  // Templates around this place, and the braces that are open in the substitution of each.
  const templates: { isTitle: boolean; braces: number }[] = [];
  const literals = new RegExp(LITERALS);
  for (let match = literals.exec(source); match; match = literals.exec(source)) {
    const { 0: text, index } = match;
    const around = templates.at(-1);
    let isTitle = /^['"`]/.test(text) && BEFORE_TITLE.test(source.slice(Math.max(0, index - 60), index));
    if (text === '`' || (text === '}' && around?.braces === 0)) {
      if (text === '}') isTitle = templates.pop()!.isTitle;
      const end = endOfTemplatePart(source, index + 1);
      literals.lastIndex = end;
      if (source[end - 1] === '{') templates.push({ isTitle, braces: 0 });
      if (isTitle) found.push({ line: lineAt(index), text: source.slice(index, end) });
    } else if (isTitle || /^\/[/*]/.test(text)) found.push({ line: lineAt(index), text });
    else if (around && text === '{') around.braces += 1;
    else if (around && text === '}') around.braces -= 1;
  }
  return found;
}

/** The place behind the next backquote, or behind the next opening of a substitution. */
function endOfTemplatePart(source: string, from: number): number {
  const part = /(?:\\[\s\S]|(?!\$\{|`)[\s\S])*(?:\$\{|`)/y;
  part.lastIndex = from;
  return part.exec(source) ? part.lastIndex : source.length;
}

/** A string, a long comment or a line comment: of these the comments count. */
const LUA = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|--\[\[[\s\S]*?\]\]|--[^\n]*/g;

export function textsOfLua(source: string): Text[] {
  const lineAt = lines(source);
  return [...source.matchAll(LUA)]
    .filter(([text]) => text.startsWith('--'))
    .map(({ 0: text, index }) => ({ line: lineAt(index), text }));
}

/** Lines by place, asked for in rising order. */
function lines(source: string): (place: number) => number {
  let line = 1;
  let at = 0;
  return (place) => {
    for (; at < place; at++) if (source[at] === '\n') line += 1;
    return line;
  };
}
