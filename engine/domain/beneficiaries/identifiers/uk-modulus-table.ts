/** The table of modulus weights, as its publisher gives it out. It is copyrighted: the operator supplies the text. */

export type ModulusMethod = 'MOD10' | 'MOD11' | 'DBLAL';

export interface ModulusRow {
  /** First and last sort code of the range. */
  readonly from: string;
  readonly to: string;
  readonly method: ModulusMethod;
  /** Of the six digits of the sort code and the eight of the account. */
  readonly weights: readonly number[];
  /** 1 to 14, or none. */
  readonly exception: number | undefined;
}

export interface UkModulusTable {
  readonly rows: readonly ModulusRow[];
  /** Sort codes that exception 5 replaces, and by which. */
  readonly substitutes: ReadonlyMap<string, string>;
}

/**
 * Reads the table: a line of a range has first and last sort code, method, 14 weights and perhaps an exception; a line of the table of
 * substitutes, which may follow in the same text, has two sort codes. Throws at a line that is neither, with its number.
 */
export function parseUkModulusTable(text: string): UkModulusTable {
  const rows: ModulusRow[] = [];
  const substitutes = new Map<string, string>();
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const words = line.replace(BYTE_ORDER_MARK, '').trim().split(/\s+/);
    if (words.length === 1 && words[0] === '') continue;
    const row = rowOf(words);
    if (row) rows.push(row);
    else if (isSubstitute(words)) substitutes.set(words[0]!, words[1]!);
    else throw new RangeError(`line ${at + 1} of the table of modulus weights has no range and no substitute`);
  }
  if (rows.length === 0) throw new RangeError('the table of modulus weights is empty');
  return { rows, substitutes };
}

const BYTE_ORDER_MARK = /^\ufeff/;
const WEIGHTS = 14;

function rowOf(words: readonly string[]): ModulusRow | undefined {
  const [from, to, method, ...numbers] = words;
  if (!isSortCode(from) || !isSortCode(to) || !isMethod(method)) return undefined;
  if (numbers.length !== WEIGHTS && numbers.length !== WEIGHTS + 1) return undefined;
  if (!numbers.every((number) => /^-?\d{1,3}$/.test(number))) return undefined;
  const [exception] = numbers.slice(WEIGHTS).map(Number);
  if (exception !== undefined && (exception < 1 || exception > 14)) return undefined;
  return { from, to, method, weights: numbers.slice(0, WEIGHTS).map(Number), exception };
}

function isSubstitute(words: readonly string[]): boolean {
  return words.length === 2 && words.every(isSortCode);
}

function isSortCode(word: string | undefined): word is string {
  return word !== undefined && /^\d{6}$/.test(word);
}

function isMethod(word: string | undefined): word is ModulusMethod {
  return word === 'MOD10' || word === 'MOD11' || word === 'DBLAL';
}
