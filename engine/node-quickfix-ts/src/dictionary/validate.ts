import type { MessageView } from '../codec/message-view.js';
import { readUint } from '../codec/values.js';
import { type Dictionary, type FieldSet, SECTION } from './dictionary.js';
import { type EnumValues, FORMAT, hasFormat } from './field-values.js';

/** What differs between venues; `SessionProfile` has it. */
export interface ValidationOptions {
  /** User-defined tags (5000 and above) that the dictionary does not know: passed over, or refused (373=0). */
  readonly userTags: 'ignore' | 'strict';
  /** Fields of a group's entry: in the order of the dictionary (373=15; the default), or in any order after the first. */
  readonly groupOrder?: 'strict' | 'any';
  /** A group whose count is 0: allowed (the default), or refused (373=16). */
  readonly emptyGroups?: 'allow' | 'refuse';
}

/** SessionRejectReason(373), RefTagID(371) and Text(58) of the first fault found. */
export interface Violation {
  readonly reason: number;
  readonly tag?: number;
  readonly text: string;
}

/**
 * The first violation of the dictionary, or undefined. A field that cannot be read comes first. Fields are checked in the order of the wire: known tag, value there,
 * section (header, body, trailer), defined for this message, format, value in range, not repeated, group; then what is
 * required. A field that is not defined for this message gives way to a section out of order and to a required field that is missing,
 * a wrong value in a group to a wrong count of its entries.
 * Of an application message whose dictionary has none, header and trailer are checked. Allocates nothing for a message without fault.
 */
export function validate(view: MessageView, dictionary: Dictionary, options: ValidationOptions): Violation | undefined {
  if (view.unreadable !== undefined) return view.unreadable;
  const rules = dictionary.rules(view.msgType);
  if (rules === undefined && (dictionary.hasApplicationMessages || view.msgType === '')) return invalidMsgType();
  return validation.run(view, dictionary, options, rules?.body);
}

/** MsgType(35) is empty, or none of the dictionary. */
export function invalidMsgType(): Violation {
  return { ...REJECT_REASONS.INVALID_MSG_TYPE, tag: 35 };
}

// Own copies, not imports: see codec/values.ts.
const { BODY, HEADER, TRAILER } = SECTION;
const { DATA, TEXT, VALUES } = FORMAT;
const FIRST_USER_TAG = 5000;
const STOP = -1;
/** Stamps stay small integers; the tables are wiped when they come near the end of those. */
const LAST_STAMP = 0x3fff_0000;

function isOneOf(values: EnumValues, format: number, bytes: Uint8Array, start: number, end: number): boolean {
  return format === VALUES ? values.hasEach(bytes, start, end) : values.has(bytes, start, end);
}

/** A count of entries that is no whole number is a wrong count. */
function formatReason(group: FieldSet | undefined): RejectReason {
  return group === undefined ? REJECT_REASONS.INCORRECT_DATA_FORMAT : REJECT_REASONS.INCORRECT_GROUP_COUNT;
}

/** Header, body, trailer: a field of a section that is over. */
function isOutOfOrder(section: number, own: number): boolean {
  return own === BODY ? section === TRAILER : own === HEADER && section !== HEADER;
}

/** The field is one of the group, or of a group within it. */
function contains(group: FieldSet, number: number): boolean {
  return group.places[number] !== 0 || group.groups.some((nested) => nested !== undefined && contains(nested, number));
}

/** One validation at a time; reused, so that the loops below have their context without allocating it. */
class Validation {
  #view!: MessageView;
  #dictionary!: Dictionary;
  #body!: FieldSet;
  #passOver = false;
  #anyOrder = false;
  #noEmptyGroups = false;
  /** The body is not defined: a field that the dictionary does not know is one of the body. */
  #anyBody = false;
  #fault: Violation | undefined;

  run(
    view: MessageView,
    dictionary: Dictionary,
    options: ValidationOptions,
    body: FieldSet | undefined,
  ): Violation | undefined {
    this.#view = view;
    this.#dictionary = dictionary;
    this.#passOver = options.userTags === 'ignore';
    this.#anyOrder = options.groupOrder === 'any';
    this.#noEmptyGroups = options.emptyGroups === 'refuse';
    this.#anyBody = body === undefined;
    this.#fault = undefined;
    if (dictionary.stamp > LAST_STAMP) {
      for (const seen of dictionary.seen) seen.fill(0);
      dictionary.stamp = 0;
    }
    view.validatedBy(dictionary, body);
    if (body === undefined) this.#checkAroundBody(dictionary);
    else this.#check(dictionary, body);
    return this.#fault;
  }

  #check(dictionary: Dictionary, body: FieldSet): void {
    this.#body = body;
    const seen = dictionary.seen[0];
    const stamp = ++dictionary.stamp;
    if (this.#fields(seen, stamp)) {
      this.#required(dictionary.header, seen, stamp) &&
        this.#required(body, seen, stamp) &&
        this.#required(dictionary.trailer, seen, stamp);
    } else if (this.#fault?.reason === REJECT_REASONS.TAG_NOT_DEFINED_FOR_MESSAGE.reason) {
      // What the message lacks says more than a field that it should not have.
      this.#areSectionsInOrder() && this.#areRequiredThere(dictionary.header, body, dictionary.trailer);
    }
  }

  /** Header and trailer of a message whose body is not defined: any fields that have a tag and a value. */
  #checkAroundBody(dictionary: Dictionary): boolean {
    const view = this.#view;
    const seen = dictionary.seen[0];
    const stamp = ++dictionary.stamp;
    let section: number = HEADER;
    for (let i = 0; i < view.count; ) {
      const tag = view.tagAt(i);
      const number = dictionary.numberOf(tag);
      const own = number === 0 ? BODY : dictionary.sections[number];
      if (tag <= 0) return this.#refuse(REJECT_REASONS.INVALID_TAG_NUMBER, tag);
      if (view.valueEndAt(i) === view.valueStartAt(i)) return this.#refuse(REJECT_REASONS.TAG_WITHOUT_VALUE, tag);
      if (isOutOfOrder(section, own)) return this.#refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag);
      section = own;
      if (own === BODY) {
        i++;
        continue;
      }
      const set = own === HEADER ? dictionary.header : dictionary.trailer;
      const group = set.groups[set.places[number]];
      if (!this.#isValueRight(i, number, group)) return false;
      if (seen[number] === stamp) return this.#refuse(REJECT_REASONS.TAG_REPEATED, tag);
      seen[number] = stamp;
      this.#body = set;
      i = group === undefined ? i + 1 : this.#group(set, group, i, 1);
      if (i === STOP) return false;
    }
    return this.#required(dictionary.header, seen, stamp) && this.#required(dictionary.trailer, seen, stamp);
  }

  #fields(seen: Int32Array, stamp: number): boolean {
    const view = this.#view;
    const dictionary = this.#dictionary;
    const { formats, sections, values } = dictionary;
    const bytes = view.buffer;
    const count = view.count;
    let section: number = HEADER;
    let i = 0;
    while (i < count) {
      const tag = view.tagAt(i);
      const number = dictionary.numberOf(tag);
      const start = view.valueStartAt(i);
      const end = view.valueEndAt(i);
      if (number === 0 || start === end) {
        if (!this.#isKnownAndFilled(i, tag, number)) return false;
        i++;
        continue;
      }

      const own = sections[number];
      if (own !== section) {
        if (isOutOfOrder(section, own)) return this.#refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag);
        section = own;
      }
      const set = own === BODY ? this.#body : own === HEADER ? dictionary.header : dictionary.trailer;

      const place = set.places[number];
      if (place === 0) return this.#refuse(REJECT_REASONS.TAG_NOT_DEFINED_FOR_MESSAGE, tag);
      const format = formats[number];
      if (format !== TEXT && !hasFormat(format, bytes, start, end)) {
        return this.#refuse(formatReason(set.groups[place]), tag);
      }
      if (format === DATA && !this.#hasLength(i, tag)) return false;
      const enumerated = values[number];
      if (enumerated !== undefined && !isOneOf(enumerated, format, bytes, start, end)) {
        return this.#refuse(REJECT_REASONS.VALUE_INCORRECT, tag);
      }
      if (seen[number] === stamp) return this.#refuse(REJECT_REASONS.TAG_REPEATED, tag);
      seen[number] = stamp;
      const group = set.groups[place];
      if (group === undefined) i++;
      else {
        const at = i;
        i = this.#group(set, group, at, 1);
        if (i === STOP) return false;
        view.markGroup(at, i);
      }
    }
    return true;
  }

  /** Checks the entries after the count at field `at`; returns the first field after the group, or STOP. */
  #group(parent: FieldSet, group: FieldSet, at: number, depth: number): number {
    const view = this.#view;
    const dictionary = this.#dictionary;
    const seen = dictionary.seen[depth];
    const count = view.count;
    const expected = readUint(view.buffer, view.valueStartAt(at), view.valueEndAt(at));
    let entries = 0;
    let stamp = 0;
    let lastPlace = 0;
    let i = at + 1;
    while (i < count && expected > 0) {
      const tag = view.tagAt(i);
      const number = dictionary.numberOf(tag);
      if (number === 0 && this.#anyBody) break;
      if (!this.#isKnownAndFilled(i, tag, number)) return STOP;
      if (number === 0) {
        i++;
        continue;
      }
      const place = group.places[number];
      if (place === 0) break;
      if (number === group.first) {
        if (entries > 0 && !this.#required(group, seen, stamp)) return STOP;
        entries++;
        stamp = ++dictionary.stamp;
      } else if (entries === 0) {
        return this.#stop(REJECT_REASONS.GROUP_OUT_OF_ORDER, tag);
      } else if (seen[number] === stamp) {
        return this.#stop(REJECT_REASONS.TAG_REPEATED, tag);
      } else if (place < lastPlace && !this.#anyOrder) {
        return this.#stop(REJECT_REASONS.GROUP_OUT_OF_ORDER, tag);
      }
      const nested = group.groups[place];
      if (!this.#isValueRight(i, number, nested)) return this.#stopUnlessMiscounted(group, at, expected);
      seen[number] = stamp;
      lastPlace = place;
      i = nested === undefined ? i + 1 : this.#group(group, nested, i, depth + 1);
      if (i === STOP) return STOP;
    }
    if (entries !== expected || (entries === 0 && this.#noEmptyGroups)) return this.#wrongCount(parent, group, at, i);
    if (entries === 0 && this.#hasUncounted(parent, group, i)) return this.#wrongCount(parent, group, at, i);
    return entries === 0 || this.#required(group, seen, stamp) ? i : STOP;
  }

  /** A value in the group is wrong: if the count of its entries is wrong too, that is the fault. */
  #stopUnlessMiscounted(group: FieldSet, at: number, expected: number): number {
    const view = this.#view;
    let entries = 0;
    for (let i = at + 1; i < view.count; i++) {
      const number = this.#dictionary.numberOf(view.tagAt(i));
      if (number === group.first) entries++;
      else if (number !== 0 && !contains(group, number)) break;
    }
    return entries === expected ? STOP : this.#stop(REJECT_REASONS.INCORRECT_GROUP_COUNT, view.tagAt(at));
  }

  /** A field of another message among the entries is named itself; else the count is wrong. */
  #wrongCount(parent: FieldSet, group: FieldSet, at: number, i: number): number {
    const tag = i < this.#view.count ? this.#view.tagAt(i) : 0;
    const number = this.#dictionary.numberOf(tag);
    const isKnown = this.#body.places[number] || parent.places[number] || contains(group, number);
    const isForeign = this.#dictionary.sections[number] === BODY && !isKnown;
    return number !== 0 && isForeign
      ? this.#stop(REJECT_REASONS.TAG_NOT_DEFINED_FOR_MESSAGE, tag)
      : this.#stop(REJECT_REASONS.INCORRECT_GROUP_COUNT, this.#view.tagAt(at));
  }

  /** Behind a count of 0 a field follows that only an entry can have. */
  #hasUncounted(parent: FieldSet, group: FieldSet, i: number): boolean {
    const number = i < this.#view.count ? this.#dictionary.numberOf(this.#view.tagAt(i)) : 0;
    return number !== 0 && parent.places[number] === 0 && group.places[number] !== 0;
  }

  /** The field before this data field is its length field; a data field that the dictionary gives none is text. */
  #hasLength(i: number, tag: number): boolean {
    const { dataPairs } = this.#dictionary;
    const view = this.#view;
    if (!dataPairs.isData(tag) || dataPairs.dataTagAfter(view.tagAt(i - 1)) === tag) return true;
    const lengths = dataPairs.pairs.filter(([, data]) => data === tag).map(([length]) => length);
    return lengths.some((length) => view.find(length) >= 0)
      ? this.#refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag)
      : this.#refuse(REJECT_REASONS.REQUIRED_TAG_MISSING, lengths[0]!);
  }

  #isKnownAndFilled(i: number, tag: number, number: number): boolean {
    if (number === 0 && !(this.#passOver && tag >= FIRST_USER_TAG)) {
      return this.#refuse(REJECT_REASONS.INVALID_TAG_NUMBER, tag);
    }
    const isFilled = this.#view.valueEndAt(i) > this.#view.valueStartAt(i);
    return isFilled || this.#refuse(REJECT_REASONS.TAG_WITHOUT_VALUE, tag);
  }

  #isValueRight(i: number, number: number, group: FieldSet | undefined): boolean {
    const view = this.#view;
    const bytes = view.buffer;
    const start = view.valueStartAt(i);
    const end = view.valueEndAt(i);
    const format = this.#dictionary.formats[number];
    if (format !== TEXT && !hasFormat(format, bytes, start, end)) {
      return this.#refuse(formatReason(group), view.tagAt(i));
    }
    if (format === DATA && !this.#hasLength(i, view.tagAt(i))) return false;
    const values = this.#dictionary.values[number];
    if (values === undefined || isOneOf(values, format, bytes, start, end)) return true;
    return this.#refuse(REJECT_REASONS.VALUE_INCORRECT, view.tagAt(i));
  }

  #required(set: FieldSet, seen: Int32Array, stamp: number): boolean {
    const required = set.required;
    for (let i = 0; i < required.length; i++) {
      if (seen[required[i]] !== stamp) {
        return this.#refuse(REJECT_REASONS.REQUIRED_TAG_MISSING, this.#dictionary.tagOf(required[i]));
      }
    }
    return true;
  }

  /** Of a message with another fault. */
  #areSectionsInOrder(): boolean {
    const view = this.#view;
    const dictionary = this.#dictionary;
    let section: number = HEADER;
    for (let i = 0; i < view.count; i++) {
      const tag = view.tagAt(i);
      const number = dictionary.numberOf(tag);
      if (number === 0) continue;
      const own = dictionary.sections[number];
      if (isOutOfOrder(section, own)) return this.#refuse(REJECT_REASONS.TAG_OUT_OF_ORDER, tag);
      section = own;
    }
    return true;
  }

  /** Of a message with another fault, because of which not all its fields are marked as seen. */
  #areRequiredThere(...sets: readonly FieldSet[]): boolean {
    for (const { required } of sets) {
      for (const number of required) {
        const tag = this.#dictionary.tagOf(number);
        if (!this.#view.has(tag)) return this.#refuse(REJECT_REASONS.REQUIRED_TAG_MISSING, tag);
      }
    }
    return true;
  }

  #refuse({ reason, text }: RejectReason, tag: number): false {
    this.#fault = { reason, tag, text };
    return false;
  }

  #stop(reason: RejectReason, tag: number): number {
    this.#refuse(reason, tag);
    return STOP;
  }
}

const validation = new Validation();

/** SessionRejectReason(373) and its standard Text(58). */
export const REJECT_REASONS = {
  INVALID_TAG_NUMBER: { reason: 0, text: 'Invalid tag number' },
  REQUIRED_TAG_MISSING: { reason: 1, text: 'Required tag missing' },
  TAG_NOT_DEFINED_FOR_MESSAGE: { reason: 2, text: 'Tag not defined for this message type' },
  TAG_WITHOUT_VALUE: { reason: 4, text: 'Tag specified without a value' },
  VALUE_INCORRECT: { reason: 5, text: 'Value is incorrect (out of range) for this tag' },
  INCORRECT_DATA_FORMAT: { reason: 6, text: 'Incorrect data format for value' },
  COMPID_PROBLEM: { reason: 9, text: 'CompID problem' },
  SENDING_TIME_ACCURACY: { reason: 10, text: 'SendingTime accuracy problem' },
  INVALID_MSG_TYPE: { reason: 11, text: 'Invalid MsgType' },
  TAG_REPEATED: { reason: 13, text: 'Tag appears more than once' },
  TAG_OUT_OF_ORDER: { reason: 14, text: 'Tag specified out of required order' },
  GROUP_OUT_OF_ORDER: { reason: 15, text: 'Repeating group fields out of order' },
  INCORRECT_GROUP_COUNT: { reason: 16, text: 'Incorrect NumInGroup count for repeating group' },
  INVALID_APPLICATION_VERSION: { reason: 18, text: 'Invalid/Unsupported Application Version' },
} as const;

/** SessionRejectReason(373) and the standard text for Text(58). */
export interface RejectReason {
  readonly reason: number;
  readonly text: string;
}
