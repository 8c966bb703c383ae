import { readUint } from '../codec/ascii.js';
import type { MessageView } from '../codec/message-view.js';
import type { Dictionary } from './dictionary.js';
import { type FieldSet, SECTION } from './field-set.js';
import { REJECT_REASONS, type RejectReason } from './reject-reason.js';
import { FORMAT, hasFormat } from './value-format.js';

export interface ValidationOptions {
  /** User-defined tags (5000 and above) that the dictionary does not know: passed over, or refused (373=0). */
  readonly userTags: 'ignore' | 'strict';
  /** Fields of a group's entry in the order of the dictionary (373=15), or in any order after the first. */
  readonly groupOrder?: 'strict' | 'any';
}

/** SessionRejectReason(373), RefTagID(371) and Text(58) of the first fault found. */
export interface Violation {
  readonly reason: number;
  readonly tag?: number;
  readonly text: string;
}

const FIRST_USER_TAG = 5000;
/** Stamps stay small integers; the tables are wiped when they come near the end of those. */
const LAST_STAMP = 0x3fff_0000;

/** The fault that ended the current validation: a value, so that the loops below return only numbers. */
let fault: Violation | undefined;
const STOP = -1;

/**
 * The first violation of the dictionary, or undefined. Fields are checked in the order of the wire: known tag, value, section
 * (header, body, trailer), defined for this message, format, value in range, not repeated, group; then what is required.
 * Allocates nothing for a message without fault.
 */
export function validate(view: MessageView, dictionary: Dictionary, options: ValidationOptions): Violation | undefined {
  const rules = dictionary.rules(view.msgType);
  const { INVALID_MSG_TYPE, REQUIRED_TAG_MISSING } = REJECT_REASONS;
  if (rules === undefined) return { reason: INVALID_MSG_TYPE.reason, text: INVALID_MSG_TYPE.text };

  fault = undefined;
  if (dictionary.stamp > LAST_STAMP) {
    for (const seen of dictionary.seen) seen.fill(0);
    dictionary.stamp = 0;
  }
  const stamp = ++dictionary.stamp;
  const seen = dictionary.seen[0];
  if (!validateFields(view, dictionary, options, rules.body, stamp)) return fault;

  const missing =
    firstMissing(dictionary.header.required, seen, stamp) ||
    firstMissing(rules.body.required, seen, stamp) ||
    firstMissing(dictionary.trailer.required, seen, stamp);
  if (missing !== 0) stop(REQUIRED_TAG_MISSING, dictionary.tagOf(missing));
  return fault;
}

function validateFields(
  view: MessageView,
  dictionary: Dictionary,
  options: ValidationOptions,
  body: FieldSet,
  stamp: number,
): boolean {
  const seen = dictionary.seen[0];
  const { sections, header, trailer } = dictionary;
  const count = view.count;
  let section: number = SECTION.HEADER;
  let i = 0;
  while (i < count) {
    const tag = view.tagAt(i);
    const number = dictionary.numberOf(tag);
    if (number === 0 && !isPassedOver(tag, options)) return refuse(REJECT_REASONS.INVALID_TAG_NUMBER, tag);
    if (view.valueEndAt(i) === view.valueStartAt(i)) return refuse(REJECT_REASONS.TAG_WITHOUT_VALUE, tag);
    if (number === 0) {
      i++;
      continue;
    }

    let set = body;
    const own = sections[number];
    if (own === SECTION.BODY) {
      if (section === SECTION.TRAILER) return refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag);
      section = SECTION.BODY;
    } else if (own === SECTION.HEADER) {
      if (section !== SECTION.HEADER) return refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag);
      set = header;
    } else {
      section = SECTION.TRAILER;
      set = trailer;
    }

    const place = set.places[number];
    if (place === 0) return refuse(REJECT_REASONS.TAG_NOT_DEFINED_FOR_MESSAGE, tag);
    if (!isValueRight(view, dictionary, i, number)) return false;
    if (seen[number] === stamp) return refuse(REJECT_REASONS.TAG_REPEATED, tag);
    seen[number] = stamp;
    const group = set.groups[place];
    i = group === undefined ? i + 1 : validateGroup(view, dictionary, options, set, group, i, 1);
    if (i === STOP) return false;
  }
  return true;
}

/** Checks the entries after the count at field `at`; returns the first field after the group, or STOP. */
function validateGroup(
  view: MessageView,
  dictionary: Dictionary,
  options: ValidationOptions,
  parent: FieldSet,
  group: FieldSet,
  at: number,
  depth: number,
): number {
  const expected = readUint(view.buffer, view.valueStartAt(at), view.valueEndAt(at));
  const seen = dictionary.seen[depth];
  const count = view.count;
  let entries = 0;
  let stamp = 0;
  let lastPlace = 0;
  let i = at + 1;
  while (i < count && expected > 0) {
    const tag = view.tagAt(i);
    const number = dictionary.numberOf(tag);
    if (number === 0) {
      if (!isPassedOver(tag, options)) break;
      i++;
      continue;
    }
    const place = group.places[number];
    if (place === 0) break;
    if (view.valueEndAt(i) === view.valueStartAt(i)) return stop(REJECT_REASONS.TAG_WITHOUT_VALUE, tag);
    if (number === group.first) {
      if (entries > 0 && !isEntryWhole(dictionary, group, seen, stamp)) return STOP;
      entries++;
      stamp = ++dictionary.stamp;
    } else if (entries === 0) {
      return stop(REJECT_REASONS.GROUP_OUT_OF_ORDER, tag);
    } else if (place < lastPlace || seen[number] === stamp) {
      // A field that also belongs to what surrounds the group is that one: the group has ended.
      if (parent.places[number] !== 0) break;
      if (seen[number] === stamp) return stop(REJECT_REASONS.TAG_REPEATED, tag);
      if (options.groupOrder !== 'any') return stop(REJECT_REASONS.GROUP_OUT_OF_ORDER, tag);
    }
    if (!isValueRight(view, dictionary, i, number)) return STOP;
    seen[number] = stamp;
    lastPlace = place;
    const nested = group.groups[place];
    i = nested === undefined ? i + 1 : validateGroup(view, dictionary, options, group, nested, i, depth + 1);
    if (i === STOP) return STOP;
  }
  if (entries !== expected) return stop(REJECT_REASONS.INCORRECT_GROUP_COUNT, view.tagAt(at));
  return entries === 0 || isEntryWhole(dictionary, group, seen, stamp) ? i : STOP;
}

function isEntryWhole(dictionary: Dictionary, group: FieldSet, seen: Int32Array, stamp: number): boolean {
  const missing = firstMissing(group.required, seen, stamp);
  return missing === 0 || refuse(REJECT_REASONS.REQUIRED_TAG_MISSING, dictionary.tagOf(missing));
}

function firstMissing(required: readonly number[], seen: Int32Array, stamp: number): number {
  for (let i = 0; i < required.length; i++) if (seen[required[i]] !== stamp) return required[i];
  return 0;
}

function isValueRight(view: MessageView, dictionary: Dictionary, i: number, number: number): boolean {
  const bytes = view.buffer;
  const start = view.valueStartAt(i);
  const end = view.valueEndAt(i);
  const format = dictionary.formats[number];
  if (format !== FORMAT.TEXT && !hasFormat(format, bytes, start, end)) {
    return refuse(REJECT_REASONS.INCORRECT_DATA_FORMAT, view.tagAt(i));
  }
  const values = dictionary.values[number];
  if (values === undefined) return true;
  const known = format === FORMAT.VALUES ? values.hasEach(bytes, start, end) : values.has(bytes, start, end);
  return known || refuse(REJECT_REASONS.VALUE_INCORRECT, view.tagAt(i));
}

function isPassedOver(tag: number, options: ValidationOptions): boolean {
  return tag >= FIRST_USER_TAG && options.userTags === 'ignore';
}

function refuse(reason: RejectReason, tag: number): false {
  fault = { reason: reason.reason, tag, text: reason.text };
  return false;
}

function stop(reason: RejectReason, tag: number): number {
  refuse(reason, tag);
  return STOP;
}
