import { publishedType } from 'node-quickfix-ts';
import { PAIRS } from '../../domain/money/pair.js';
import type { PriceShiftColumns } from '../../domain/prices/effective-margin.js';
import { BookLadders, type LadderBook } from './book-ladders.js';
import type { DeskStreams, Desks, Subscription } from './desk-streams.js';

const TYPES = { W: publishedType('W'), X: publishedType('X') } as const;

/** Where the publication learns what its ladders have done. */
export interface LadderEvents {
  /** Some stream has a message due. */
  changed(): void;
  /** A ladder was replaced before its desk could take it. */
  conflated(): void;
}

/**
 * The streams of ladders. A ladder is sent once a turn at most, the newest alone: each message has every band, so none depends on the one
 * before.
 */
export class LadderStreams {
  readonly book: BookLadders;
  /** Streams by pair. */
  private readonly streams = new Int32Array(PAIRS.length);

  constructor(
    book: LadderBook,
    shifts: PriceShiftColumns,
    private readonly clock: () => number,
    private readonly desks: Desks,
    private readonly events: LadderEvents,
  ) {
    this.book = new BookLadders(book, shifts);
  }

  /** A desk streams the pair. */
  open(pair: number): void {
    this.book.open(pair);
    this.streams[pair]!++;
  }

  close(pair: number): void {
    this.streams[pair]!--;
  }

  /** A level of the pair, or what the rules of pricing change on its margins, may have changed. */
  mark(pair: number): void {
    if (this.book.mark(pair) && this.streams[pair]! > 0) this.events.changed();
  }

  /** At the end of a turn: each stream of a ladder that has changed has a message due. */
  refreshMarked(): void {
    const { book } = this;
    for (let pair = book.takeMarked(); pair !== undefined; pair = book.takeMarked())
      if (book.isMarked(pair)) this.refresh(pair);
  }

  /** Sends the newest ladder: W, and behind the first W of an incremental stream X. */
  publish(desk: DeskStreams, subscription: Subscription): 'W' | 'X' {
    const { request, pair, out, tier, prefix } = subscription;
    desk.clean(subscription);
    this.refreshIfDue(pair);
    const form = request.incremental && out.bids >= 0 ? 'X' : 'W';
    desk.session.publish(TYPES[form], prefix, tier.ladder!.encode(form, this.book, out));
    desk.clean(subscription);
    return form;
  }

  /** The newest ladder is that of this moment. Where it is another one, each stream has a message due. */
  refreshIfDue(pair: number): void {
    if (this.book.isDue(pair, this.clock())) this.refresh(pair);
  }

  private refresh(pair: number): void {
    if (!this.book.refresh(pair, this.clock()) || this.streams[pair] === 0) return;
    for (const desk of this.desks.all) {
      if (desk.isHalted) continue;
      for (let s = desk.first(pair); s !== undefined; s = s.next) {
        if (!s.request.isLadder) continue;
        if (s.dirty && s.out.bids >= 0) {
          this.events.conflated();
          desk.conflated++;
        }
        desk.mark(s);
      }
    }
    this.events.changed();
  }
}
