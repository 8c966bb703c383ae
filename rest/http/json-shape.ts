/** Bounds of a JSON text, judged before it is parsed: what it has inside would cost more than its bytes. */
import { type Refusal, refuse, refuseField } from '../../engine/domain/core/refusal.js';

/** No list of any operation is longer, and nothing lies deeper. */
export const LIST_ITEMS_MAX = 1_000;
const DEPTH_MAX = 8;
/** A thousand items with all fields of a payment have fewer. */
const VALUES_MAX = 100_000;
/** A shorter text has too few characters for a list that is too long, and what lies deep in it costs nothing. */
const JUDGED_FROM = 2 * LIST_ITEMS_MAX;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Refuses with VALIDATION_FAILED. The text is read once, and may be no JSON: JSON.parse says so. */
export function shapeFault(json: string): Refusal | undefined {
  if (json.length < JUDGED_FROM) return undefined;
  /** Of each object and list that is open: the commas in it, and whether it is a list. */
  const commas: number[] = [];
  const isList: boolean[] = [];
  /** Where the name of the member is that each one belongs to. */
  const names: (readonly [start: number, end: number])[] = [];
  let name: readonly [start: number, end: number] = [0, 0];
  let [start, end, values] = [0, 0, 0];
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        start = at + 1;
        end = at = endOfText(json, start);
        break;
      case COLON:
        name = [start, end];
        break;
      case 0x5b:
      case 0x7b:
        if (commas.length === DEPTH_MAX)
          return refuse(
            'VALIDATION_FAILED',
            `The body is nested deeper than ${DEPTH_MAX} levels: no field lies so deep`,
          );
        commas.push(0);
        isList.push(json[at] === '[');
        names.push(name);
        break;
      case 0x5d:
      case 0x7d:
        commas.pop();
        isList.pop();
        names.pop();
        break;
      case COMMA: {
        const last = commas.length - 1;
        if (++values > VALUES_MAX)
          return refuse('VALIDATION_FAILED', `The body has more than ${VALUES_MAX} values: send it in parts`);
        if (last >= 0 && ++commas[last]! >= LIST_ITEMS_MAX && isList[last])
          return refuseField(json.slice(...names[last]!).slice(0, 128), `at most ${LIST_ITEMS_MAX} items`);
        break;
      }
    }
  }
  return undefined;
}

/** Where the text that begins at `from` has its closing quote; the end of all where it has none. */
function endOfText(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at++;
  }
  return json.length;
}
