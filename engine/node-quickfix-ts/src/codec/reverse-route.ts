import type { Field } from '../types.js';
import type { MessageView } from './message-view.js';

/** On an answer sender and target fields are exchanged, and on-behalf-of and deliver-to fields too. */
const REVERSED: readonly (readonly [from: number, to: number])[] = [
  [50, 57],
  [57, 50],
  [115, 128],
  [116, 129],
  [128, 115],
  [129, 116],
  [142, 143],
  [143, 142],
  [144, 145],
  [145, 144],
];
const FIRST_LOCATION = 142;

/** A longer value is not returned: it would be stored with the answer. */
const ROUTING_MAX = 128;

const CONTROL = /\p{Cc}/u;

/**
 * Routing of an answer to `message`: 115/116/144 and 128/129/145 swapped, 50 and 57, 142 and 143. Left out: empty ones, those that are too
 * long, those with control characters, and locations (142 to 145) where the version has none.
 */
export function reverseRoute(message: MessageView, hasLocationIds = true): Field[] {
  const fields: Field[] = [];
  for (const [from, to] of REVERSED) {
    if (from >= FIRST_LOCATION && !hasLocationIds) break;
    const value = message.string(from);
    if (value === undefined || value === '' || value.length > ROUTING_MAX || CONTROL.test(value)) continue;
    fields.push([to, value]);
  }
  return fields;
}
