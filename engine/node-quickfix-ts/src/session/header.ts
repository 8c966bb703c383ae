import type { MessageView } from '../codec/message-view.js';
import type { Field } from '../types.js';

/** Routing fields of the header: `send` and a resend move them from the fields to the header. */
const ROUTING = new Set([50, 57, 115, 116, 128, 129, 142, 143, 144, 145]);
/** The other header fields of FIX 4.2 to 4.4, and CheckSum(10): generated for every message. */
const GENERATED = new Set([8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122]);

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

/** A longer value is not returned: it would be stored with the answer. */
const ROUTING_MAX = 128;

export interface SplitFields {
  readonly body: readonly Field[];
  readonly routing: readonly Field[];
  readonly possResend: boolean;
}

/** Separates the routing fields and PossResend(97) from the body, which keeps its order. */
export function splitHeader(fields: readonly Field[]): SplitFields {
  let headed = false;
  for (const [tag] of fields) if (tag === 97 || ROUTING.has(tag)) headed = true;
  if (!headed) return { body: fields, routing: [], possResend: false };
  return {
    body: fields.filter(([tag]) => tag !== 97 && !ROUTING.has(tag)),
    routing: fields.filter(([tag]) => ROUTING.has(tag)),
    possResend: fields.some(([tag, value]) => tag === 97 && value === 'Y'),
  };
}

/** The fields of a stored message that are kept when it is resent. */
export function replayableFields(view: MessageView): Field[] {
  const fields: Field[] = [];
  for (let i = 3; i < view.count; i++) {
    const tag = view.tagAt(i);
    if (!GENERATED.has(tag)) fields.push([tag, view.stringAt(i) ?? '']);
  }
  return fields;
}

const CONTROL = /\p{Cc}/u;

/**
 * Routing of an answer to `message`: 115/116/144 and 128/129/145 swapped, 50 and 57, 142 and 143. Left out: empty ones, those that are too
 * long, and those with control characters.
 */
export function reverseRoute(message: MessageView): Field[] {
  const fields: Field[] = [];
  for (const [from, to] of REVERSED) {
    const value = message.string(from);
    if (value === undefined || value === '' || value.length > ROUTING_MAX || CONTROL.test(value)) continue;
    fields.push([to, value]);
  }
  return fields;
}
