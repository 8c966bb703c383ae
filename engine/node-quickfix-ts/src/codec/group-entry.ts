import type { Dictionary, FieldSet } from '../dictionary/dictionary.js';
import type { MessageView } from './message-view.js';

/** One entry of a repeating group: the fields from..to of a view. Valid as long as the view is. */
export class GroupEntry {
  readonly #view: MessageView;
  readonly #from: number;
  readonly #to: number;
  readonly #dictionary: Dictionary | undefined;
  readonly #set: FieldSet | undefined;

  constructor(view: MessageView, from: number, to: number, dictionary?: Dictionary, set?: FieldSet) {
    this.#view = view;
    this.#from = from;
    this.#to = to;
    this.#dictionary = dictionary;
    this.#set = set;
  }

  has(tag: number): boolean {
    return this.#find(tag) >= 0;
  }

  string(tag: number): string | undefined {
    return this.#view.stringAt(this.#find(tag));
  }

  int(tag: number): number | undefined {
    return this.#view.intAt(this.#find(tag));
  }

  flag(tag: number): boolean {
    return this.#view.flagAt(this.#find(tag));
  }

  /** Epoch ms of a UTCTimestamp field; NaN when it is absent or no time. */
  time(tag: number): number {
    return this.#view.timeAt(this.#find(tag));
  }

  groups(countTag: number): readonly GroupEntry[] {
    const at = this.#find(countTag);
    const nested = this.#dictionary && groupOf(this.#set, this.#dictionary, countTag);
    const to = nested && at >= 0 ? endOfGroup(this.#view, this.#dictionary!, nested, at, this.#to) : this.#to;
    return groupEntries(this.#view, at, to, this.#dictionary, nested);
  }

  /** Passes over the entries of groups within this one. */
  #find(tag: number): number {
    const set = this.#set;
    const dictionary = this.#dictionary;
    if (set === undefined || dictionary === undefined) return this.#view.find(tag, this.#from, this.#to);
    let i = this.#from;
    while (i < this.#to) {
      const at = this.#view.tagAt(i);
      if (at === tag) return i;
      const nested = groupOf(set, dictionary, at);
      i = nested === undefined ? i + 1 : endOfGroup(this.#view, dictionary, nested, i, this.#to);
    }
    return -1;
  }
}

/** The group that a field of the set counts, or undefined. */
export function groupOf(set: FieldSet | undefined, dictionary: Dictionary, countTag: number): FieldSet | undefined {
  const place = set?.places[dictionary.numberOf(countTag)] ?? 0;
  return place === 0 ? undefined : set?.groups[place];
}

/** The first field after the entries of the group counted by field `at`; the message is valid. */
function endOfGroup(view: MessageView, dictionary: Dictionary, group: FieldSet, at: number, to: number): number {
  if (view.intAt(at) === 0) return at + 1;
  let i = at + 1;
  while (i < to) {
    const number = dictionary.numberOf(view.tagAt(i));
    const place = group.places[number];
    if (number !== 0 && place === 0) break;
    const nested = number === 0 ? undefined : group.groups[place];
    i = nested === undefined ? i + 1 : endOfGroup(view, dictionary, nested, i, to);
  }
  return i;
}

/** Entries of the group counted by field `at`, which end before field `to`. */
export function groupEntries(
  view: MessageView,
  at: number,
  to: number,
  dictionary: Dictionary | undefined,
  set: FieldSet | undefined,
): readonly GroupEntry[] {
  const count = view.intAt(at) ?? 0;
  const entries: GroupEntry[] = [];
  if (at < 0 || count <= 0 || at + 1 >= to) return entries;

  const delimiter = view.tagAt(at + 1);
  let begin = at + 1;
  while (entries.length < count && begin < to) {
    const next = view.find(delimiter, begin + 1, to);
    const end = next < 0 ? to : next;
    entries.push(new GroupEntry(view, begin, end, dictionary, set));
    begin = end;
  }
  return entries;
}
