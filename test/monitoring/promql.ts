/** What a PromQL expression names: its metrics with their label matchers, and the labels that it groups and joins by. */

export interface Named {
  readonly selectors: readonly Selector[];
  readonly labels: readonly string[];
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Matcher {
  readonly label: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

const TOKEN = /\s+|"((?:[^"\\]|\\.)*)"|(\[[^\]]*\]|[\d.]\w*)|([A-Za-z_:][\w:]*)|(=~|!~|!=|==|>=|<=|[-+*/%^=<>(){},])/y;
const LABEL_LISTS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS = new Set(['and', 'or', 'unless', 'offset', 'bool']);

type Token = { readonly kind: 'text' | 'number' | 'word' | 'sign'; readonly text: string };

/** Throws for PromQL that rules and dashboards here do not use: subqueries, `@`, names in quotes. */
export function namedIn(expression: string): Named {
  const tokens = tokensOf(expression);
  const selectors: Selector[] = [];
  const labels: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== 'word') continue;
    const next = tokens[i + 1]?.text;
    if (LABEL_LISTS.has(text) && next === '(') {
      const end = tokens.findIndex((token, at) => at > i && token.text === ')');
      labels.push(...tokens.slice(i + 2, end).flatMap((token) => (token.kind === 'word' ? [token.text] : [])));
      i = end;
    } else if (!WORDS.has(text) && next !== '(' && next !== 'by' && next !== 'without') {
      const end = next === '{' ? tokens.findIndex((token, at) => at > i && token.text === '}') : i;
      selectors.push({ metric: text, matchers: matchersOf(tokens.slice(i + 2, end)) });
      i = end;
    }
  }
  return { selectors, labels };
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(expression);
    if (!found) throw new Error(`not understood from here on: ${expression.slice(at)}`);
    const [, text, number, word, sign] = found;
    if (text !== undefined) tokens.push({ kind: 'text', text });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}

function matchersOf(tokens: readonly Token[]): Matcher[] {
  const matchers: Matcher[] = [];
  for (let i = 0; i < tokens.length; i += 4) {
    const [label, op, value] = tokens.slice(i, i + 3);
    if (label?.kind !== 'word' || op?.kind !== 'sign' || value?.kind !== 'text')
      throw new Error('a matcher is label, sign, "value"');
    matchers.push({ label: label.text, op: op.text as Matcher['op'], value: value.text });
  }
  return matchers;
}
