import type { MessageView } from './message-view.js';

/** One entry of a repeating group: the fields from..to of a view. Valid as long as the view is. */
export class GroupEntry {
  readonly #view: MessageView;
  readonly #from: number;
  readonly #to: number;

  constructor(view: MessageView, from: number, to: number) {
    this.#view = view;
    this.#from = from;
    this.#to = to;
  }

  has(tag: number): boolean {
    return this.#view.find(tag, this.#from, this.#to) >= 0;
  }

  string(tag: number): string | undefined {
    return this.#view.stringAt(this.#view.find(tag, this.#from, this.#to));
  }

  int(tag: number): number | undefined {
    return this.#view.intAt(this.#view.find(tag, this.#from, this.#to));
  }

  groups(countTag: number): readonly GroupEntry[] {
    return groupEntries(this.#view, countTag, this.#from, this.#to);
  }
}

/** Entries of the group counted by `countTag` among the fields from..to. */
export function groupEntries(view: MessageView, countTag: number, from: number, to: number): readonly GroupEntry[] {
  const at = view.find(countTag, from, to);
  const count = view.intAt(at) ?? 0;
  const entries: GroupEntry[] = [];
  if (at < 0 || count <= 0 || at + 1 >= to) return entries;

  const delimiter = view.tagAt(at + 1);
  let begin = at + 1;
  while (entries.length < count && begin < to) {
    const next = view.find(delimiter, begin + 1, to);
    const end = next < 0 ? to : next;
    entries.push(new GroupEntry(view, begin, end));
    begin = end;
  }
  return entries;
}
