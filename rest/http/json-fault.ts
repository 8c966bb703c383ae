/** Where a text is no JSON: JSON.parse either says nothing of the place, or quotes the text. */

const SPACE = /[\t\n\r ]*/y;
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** `line 2, column 7: a comma or } is expected`, both from 1; the text is read once, from left to right. */
export function jsonFault(text: string): string {
  /** The closing character of each object and list that is open. */
  const open: string[] = [];
  let at = 0;
  const take = (form: RegExp): boolean => {
    form.lastIndex = at;
    const found = form.test(text);
    if (found) at = form.lastIndex;
    return found;
  };
  const takes = (character: string): boolean => {
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  /** `value`, `first` value or name of a list or object, `name`, `colon`, `next`: behind a value. */
  let due: 'value' | 'first' | 'name' | 'colon' | 'next' = 'value';
  for (;;) {
    take(SPACE);
    const end = open.at(-1);
    const isNamed = end === '}' && (due === 'first' || due === 'name');
    if (end !== undefined && (due === 'first' || due === 'next') && takes(end)) {
      open.pop();
      due = 'next';
    } else if (due === 'next') {
      if (end === undefined) return placeOf(text, at, 'nothing more');
      if (!takes(',')) return placeOf(text, at, `a comma or ${end}`);
      due = end === '}' ? 'name' : 'value';
    } else if (isNamed) {
      if (!take(TEXT))
        return placeOf(text, at, due === 'name' ? 'a name in quotation marks' : 'a name in quotation marks, or }');
      due = 'colon';
    } else if (due === 'colon') {
      if (!takes(':')) return placeOf(text, at, 'a colon');
      due = 'value';
    } else if (takes('{')) {
      open.push('}');
      due = 'first';
    } else if (takes('[')) {
      open.push(']');
      due = 'first';
    } else if (take(TEXT) || take(SCALAR)) due = 'next';
    else return placeOf(text, at, due === 'first' ? 'a value, or ]' : 'a value');
  }
}

function placeOf(text: string, at: number, expected: string): string {
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${expected} is expected`;
}
