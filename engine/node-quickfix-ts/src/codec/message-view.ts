import type { Dictionary, FieldSet } from '../dictionary/dictionary.js';
import type { Violation } from '../dictionary/validate.js';
import { SECRET_TAGS } from '../log/redaction.js';
import { type GroupEntry, groupEntries, groupOf } from './group-entry.js';
import { STANDARD_FORM, type TextForm } from './text-form.js';
import { latin1, parseUtcTimestamp, readUint, utf8 } from './values.js';

// Own copies, not imports: see values.ts.
const EQUALS = 0x3d;
const MINUS = 0x2d;
const SOH = 0x01;
const ZERO = 0x30;

/** Tag of a field that could not be read: no field has it. */
const UNREADABLE = 0;
/** The highest tag that can be read. */
const MAX_TAG = 0x7fffffff;

const NOTHING = new Uint8Array(0);
const NO_GROUPS: number[] = [];
const BEGIN_STRING = 8;
const BODY_LENGTH = 9;
const CHECK_SUM = 10;
const MSG_SEQ_NUM = 34;
const MSG_TYPE = 35;
/** `10=123|` */
const CHECK_SUM_BYTES = 7;

/**
 * An index over one framed message: tag, start and end of every value, and nothing copied. Reused for message after
 * message; valid as long as the bytes under it are.
 */
export class MessageView {
  #buffer: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  #count = 0;
  #msgType = '';
  #unreadable: Violation | undefined;
  #form = STANDARD_FORM;
  #dictionary: Dictionary | undefined;
  #body: FieldSet | undefined;
  /** Of each group of the body: the index of its count, of the first field behind its entries, and of the first that is surely the body's. */
  #groups: number[] = NO_GROUPS;
  #groupCount = 0;
  #tags: Int32Array;
  #starts: Int32Array;
  #ends: Int32Array;

  constructor(fields = 64) {
    // One allocation: a copy is made of each message that waits.
    const { buffer } = new Int32Array(3 * fields);
    this.#tags = new Int32Array(buffer, 0, fields);
    this.#starts = new Int32Array(buffer, 4 * fields, fields);
    this.#ends = new Int32Array(buffer, 8 * fields, fields);
  }

  get buffer(): Uint8Array {
    return this.#buffer;
  }
  get start(): number {
    return this.#start;
  }
  get end(): number {
    return this.#end;
  }
  /** The whole message; valid as long as the view is. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }
  /** Number of fields, header and trailer included. */
  get count(): number {
    return this.#count;
  }
  /** MsgType(35), interned: `===` compares it without reading it. */
  get msgType(): string {
    return this.#msgType;
  }

  /** The first field that cannot be read, as `validate` refuses it. */
  get unreadable(): Violation | undefined {
    return this.#unreadable;
  }

  /**
   * Indexes the message at start..end. False: garbled, that is the first three fields not BeginString(8), BodyLength(9), MsgType(35), the last
   * not CheckSum(10), or one of the two wrong. A garbled view is empty. So is one with an `unreadable` field and without a MsgSeqNum(34), which
   * no answer could name; any other message with such a field is indexed. Tags may be negative or zero here: the dictionary refuses those by
   * name (373=0). `form`: the data fields and the encoding of the session; without it those of FIX 4.4, and Latin-1.
   */
  index(buffer: Uint8Array, start: number, end: number, form: TextForm = STANDARD_FORM): boolean {
    this.#count = 0;
    this.#form = form;
    this.#dictionary = undefined;
    this.#groupCount = 0;
    this.#msgType = '';
    this.#unreadable = undefined;
    this.#buffer = buffer;
    this.#start = start;
    this.#end = end;
    if (end - start < 20 || end > buffer.length || buffer[end - 1] !== SOH) return false;

    let tags = this.#tags;
    let starts = this.#starts;
    let ends = this.#ends;
    const dataTags = form.pairs.dataTags;
    let count = 0;
    let sum = 0;
    let sumBefore = 0;
    let fieldStart = start;
    let dataTag = 0;
    let dataLength = 0;
    let i = start;
    // The last byte is SOH, so that neither loop below can run past the end.
    while (i < end) {
      fieldStart = i;
      sumBefore = sum;
      let byte = buffer[i];
      const negative = byte === MINUS;
      if (negative) {
        sum += byte;
        byte = buffer[++i];
      }
      let tag = 0;
      const digitsFrom = i;
      while (byte >= ZERO && byte <= 0x39) {
        tag = tag * 10 + (byte - ZERO);
        sum += byte;
        byte = buffer[++i];
      }
      if (byte === EQUALS && i > digitsFrom && tag <= MAX_TAG) {
        if (negative) tag = -tag;
        sum += EQUALS;
        i++;
      } else {
        this.#cannotRead(byte === EQUALS || byte === SOH ? tag : UNREADABLE, count + 1, byte === EQUALS);
        tag = UNREADABLE;
      }

      if (count === tags.length) {
        this.#grow();
        tags = this.#tags;
        starts = this.#starts;
        ends = this.#ends;
      }
      tags[count] = tag;
      starts[count] = i;
      if (dataTag !== 0 && tag === dataTag) {
        const dataEnd = i + dataLength;
        if (dataEnd < end - CHECK_SUM_BYTES && buffer[dataEnd] === SOH) while (i < dataEnd) sum += buffer[i++];
        else this.#wrongDataLength(tags[count - 1], tag);
      }
      byte = buffer[i];
      while (byte !== SOH) {
        sum += byte;
        byte = buffer[++i];
      }
      ends[count] = i;
      dataTag = tag > 0 && tag < dataTags.length ? dataTags[tag] : 0;
      if (dataTag !== 0) {
        dataLength = readUint(buffer, starts[count], i);
        if (dataLength < 0) dataTag = 0;
      }
      count++;
      sum += SOH;
      i++;
    }

    if (count < 4 || tags[0] !== BEGIN_STRING || tags[1] !== BODY_LENGTH || tags[2] !== MSG_TYPE) return false;
    if (tags[count - 1] !== CHECK_SUM || ends[count - 1] - starts[count - 1] !== 3) return false;
    if (readUint(buffer, starts[1], ends[1]) !== fieldStart - ends[1] - 1) return false;
    if (readUint(buffer, starts[count - 1], ends[count - 1]) !== (sumBefore & 0xff)) return false;
    if (this.#unreadable !== undefined && !this.#hasNumber(count)) return false;
    this.#msgType = internMsgType(buffer, starts[2], ends[2]);
    this.#count = count;
    return true;
  }

  /** The `n`th field is no `tag=value`, or has a tag above the highest. */
  #cannotRead(tag: number, n: number, isField: boolean): void {
    if (this.#unreadable !== undefined) return;
    const isTag = tag > 0 && tag <= MAX_TAG;
    const what = isField && tag > MAX_TAG ? `has a tag above ${MAX_TAG}` : 'is not tag=value';
    this.#unreadable = { reason: 0, tag: isTag ? tag : 0, text: `Invalid tag number: field ${n} ${what}` };
  }

  /** The data field does not end after so many bytes. It is read as text, up to the next SOH. */
  #wrongDataLength(lengthTag: number, tag: number): void {
    if (this.#unreadable !== undefined) return;
    const text = `Value is incorrect (out of range) for this tag: the data field ${tag} does not end after so many bytes`;
    this.#unreadable = { reason: 5, tag: lengthTag, text };
  }

  #hasNumber(count: number): boolean {
    return (this.intAt(this.find(MSG_SEQ_NUM, 0, count)) ?? -1) >= 0;
  }

  tagAt(i: number): number {
    return this.#tags[i];
  }
  valueStartAt(i: number): number {
    return this.#starts[i];
  }
  valueEndAt(i: number): number {
    return this.#ends[i];
  }

  /** Index of the first field `tag` in fields from..to, of a group or not, or -1. */
  find(tag: number, from = 0, to = this.#count): number {
    const tags = this.#tags;
    for (let i = from; i < to; i++) if (tags[i] === tag) return i;
    return -1;
  }

  // The readers by tag below read header, body and trailer: of a message that a dictionary has validated they pass over the entries of its
  // groups, which `groups` reads. Without a dictionary, groups are unknown, and the first field with the tag is read wherever it is.

  has(tag: number): boolean {
    return this.#own(tag) >= 0;
  }

  string(tag: number): string | undefined {
    return this.stringAt(this.#own(tag));
  }

  /** Whole number, with or without sign, from -(2^53 - 1) to 2^53 - 1; undefined when absent or anything else: never rounded. */
  int(tag: number): number | undefined {
    return this.intAt(this.#own(tag));
  }

  /** True when the field is there and `Y`. */
  flag(tag: number): boolean {
    return this.flagAt(this.#own(tag));
  }

  /** Epoch ms of a UTCTimestamp field; NaN when it is absent or no time. */
  time(tag: number): number {
    return this.timeAt(this.#own(tag));
  }

  #own(tag: number): number {
    let i = this.find(tag);
    while (i >= 0 && this.#groupCount > 0 && this.#isInGroup(i)) i = this.find(tag, i + 1);
    return i;
  }

  #isInGroup(i: number): boolean {
    for (let k = 0; k < 3 * this.#groupCount; k += 3) {
      if (i > this.#groups[k] && i < this.#groups[k + 2]) return true;
    }
    return false;
  }

  /** Called by `validate`: the message is one of `body`, whose groups are marked; undefined: they are not known. */
  validatedBy(dictionary: Dictionary, body: FieldSet | undefined): void {
    this.#dictionary = dictionary;
    this.#body = body;
    this.#groupCount = 0;
  }

  /** Called by `validate`: the entries of the group counted by field `at` end before field `end`. */
  markGroup(at: number, end: number): void {
    if (this.#groups === NO_GROUPS) this.#groups = [];
    let surely = end;
    // A user tag that the dictionary does not know may be of the last entry, or of the body: both readers find it.
    while (surely > at + 1 && this.#dictionary?.numberOf(this.#tags[surely - 1]) === 0) surely--;
    const k = 3 * this.#groupCount++;
    this.#groups[k] = at;
    this.#groups[k + 1] = end;
    this.#groups[k + 2] = surely;
  }

  /** Compares a value without making a string of it. */
  isTextAt(i: number, text: string): boolean {
    const start = this.#starts[i];
    if (this.#ends[i] - start !== text.length) return false;
    for (let k = 0; k < text.length; k++) if (this.#buffer[start + k] !== text.charCodeAt(k)) return false;
    return true;
  }

  /** In the encoding of the session; a data field is one character a byte. */
  stringAt(i: number): string | undefined {
    if (i < 0) return undefined;
    const { isUtf8, pairs } = this.#form;
    const read = isUtf8 && !pairs.isData(this.#tags[i]) ? utf8 : latin1;
    return read(this.#buffer, this.#starts[i], this.#ends[i]);
  }

  /** One character a byte, whatever the encoding. */
  bytesTextAt(i: number): string {
    return latin1(this.#buffer, this.#starts[i], this.#ends[i]);
  }

  flagAt(i: number): boolean {
    return i >= 0 && this.#ends[i] - this.#starts[i] === 1 && this.#buffer[this.#starts[i]] === 0x59;
  }

  timeAt(i: number): number {
    return i < 0 ? Number.NaN : parseUtcTimestamp(this.#buffer, this.#starts[i], this.#ends[i]);
  }

  intAt(i: number): number | undefined {
    if (i < 0) return undefined;
    const start = this.#starts[i];
    const negative = this.#buffer[start] === MINUS;
    const n = readUint(this.#buffer, negative ? start + 1 : start, this.#ends[i]);
    if (n < 0) return undefined;
    return negative && n !== 0 ? -n : n;
  }

  /**
   * Entries of the repeating group that `countTag` counts, each beginning with the group's first field, at most as many as the count says. Of a
   * message that a dictionary has validated, an entry has the fields of its group, and not those of groups within it. Without a dictionary
   * the end of the last entry is unknown: it is the end of the message, so read only fields of the group from an entry.
   */
  groups(countTag: number): readonly GroupEntry[] {
    const at = this.#own(countTag);
    const dictionary = this.#dictionary;
    const set = dictionary && groupOf(this.#body, dictionary, countTag);
    let to = this.#count;
    for (let k = 0; k < 3 * this.#groupCount; k += 3) if (this.#groups[k] === at) to = this.#groups[k + 1];
    return groupEntries(this, at, to, dictionary, set);
  }

  /** A view that owns its bytes, for keeping. */
  copy(): MessageView {
    const kept = new MessageView(Math.max(1, this.#count));
    kept.#count = this.#count;
    kept.#msgType = this.#msgType;
    kept.#unreadable = this.#unreadable;
    kept.#form = this.#form;
    kept.#dictionary = this.#dictionary;
    kept.#body = this.#body;
    kept.#groupCount = this.#groupCount;
    if (this.#groupCount > 0) kept.#groups = this.#groups.slice(0, 3 * this.#groupCount);
    kept.#buffer = Buffer.from(this.#buffer.subarray(this.#start, this.#end));
    kept.#end = this.#end - this.#start;
    for (let i = 0; i < this.#count; i++) {
      kept.#tags[i] = this.#tags[i];
      kept.#starts[i] = this.#starts[i] - this.#start;
      kept.#ends[i] = this.#ends[i] - this.#start;
    }
    return kept;
  }

  /** For logs: `|` for SOH, the values of secret fields, and of fields that cannot be read, as `***`. */
  toString(secretTags = SECRET_TAGS): string {
    let text = '';
    for (let i = 0; i < this.#count; i++) {
      const tag = this.#tags[i];
      const isHidden = tag === UNREADABLE || secretTags.has(tag);
      text += `${tag}=${isHidden ? '***' : this.stringAt(i)?.replaceAll('\x01', '|')}|`;
    }
    return text;
  }

  #grow(): void {
    this.#tags = grown(this.#tags);
    this.#starts = grown(this.#starts);
    this.#ends = grown(this.#ends);
  }
}

function grown(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/**
 * MsgType(35) values are one or two characters; each is made a string once, so that comparing and looking up never
 * reads characters again. Longer ones (user-defined, or nonsense) are made anew: the cache stays bounded.
 */
const interned: string[] = new Array<string>(128 * 128).fill('');

function internMsgType(buffer: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length < 1 || length > 2) return latin1(buffer, start, end);
  const first = buffer[start];
  const second = length === 2 ? buffer[start + 1] : 0;
  if (first > 127 || second > 127) return latin1(buffer, start, end);
  const slot = (first << 7) | second;
  const known = interned[slot];
  if (known !== '') return known;
  interned[slot] = latin1(buffer, start, end);
  return interned[slot];
}
