/** The publication on a rate book, with desks whose connections the test congests by hand. */

import type { Session } from 'node-quickfix-ts';
import { type Pair, pairBySymbol } from '../../../../engine/domain/money/pair.js';
import type { MarginBand } from '../../../../engine/domain/money/rate.js';
import { scaledFromText } from '../../../../engine/domain/money/rate.js';
import type { StreamRequest } from '../../../../engine/fix/publication/desk-streams.js';
import { Publication } from '../../../../engine/fix/publication/publication.js';
import { PriceShifts } from '../../../../engine/rates/price-shifts.js';
import { RateBook } from '../../../../engine/rates/rate-book.js';
import { quoteLadder } from '../../../rates/clock.js';

/** One published message: MsgType(35), MDReqID(262), and the value of any tag. */
export interface Published {
  readonly type: string;
  readonly id: string;
  /** SendingTime(52), ms of the desk's clock. */
  readonly sentAtMs: number;
  get(tag: number): string | undefined;
  all(tag: number): string[];
}

/** A session that accepts everything until its connection is set to congested. */
export class HeldDesk {
  readonly received: Published[] = [];
  congested = false;
  /** Congested by itself once so many more have been published. */
  room = Number.POSITIVE_INFINITY;
  #sentAtMs: number | undefined;

  /** `reached` is called before and behind each thing that is asked of the session. */
  constructor(
    private readonly now: () => number = () => 0,
    private readonly reached: () => void = () => {},
  ) {}

  get session(): Session {
    return this as unknown as Session;
  }

  sendingTimeMs(): number {
    this.reached();
    this.#sentAtMs ??= this.now();
    this.reached();
    return this.#sentAtMs;
  }

  publish({ msgType }: { msgType: string }, prefix: { filled(): Uint8Array }, body: { filled(): Uint8Array }): void {
    const text = Buffer.concat([prefix.filled(), body.filled()]).toString('latin1');
    const fields = text.split('\x01').map((field) => field.split('=') as [string, string]);
    const all = (tag: number) => fields.filter(([of]) => Number(of) === tag).map(([, value]) => value);
    this.reached();
    this.#sentAtMs ??= this.now();
    this.received.push({ type: msgType, id: all(262)[0]!, sentAtMs: this.#sentAtMs, get: (tag) => all(tag)[0], all });
    this.reached();
    if (--this.room <= 0) this.congested = true;
  }

  /** A message that is not published, such as a QuoteCancel(Z). */
  send(type: string, fields: readonly (readonly [number, string | number])[]): void {
    const all = (tag: number) => fields.filter(([of]) => of === tag).map(([, value]) => String(value));
    this.received.push({ type, id: all(262)[0]!, sentAtMs: this.now(), get: (tag) => all(tag)[0], all });
  }

  flush(): void {
    this.reached();
    this.#sentAtMs = undefined;
    this.reached();
  }

  /** `W M1 EUR/USD` of each message since the last time. */
  taken(): string[] {
    return this.received.splice(0).map((message) => `${message.type} ${message.id} ${message.get(55)}`);
  }
}

export interface Bench {
  readonly publication: Publication;
  readonly book: RateBook;
  readonly shifts: PriceShifts;
  /** By client; 2,500 when it is not here, undefined in it: not entitled. */
  readonly margins: Map<string, number | undefined>;
  /** By client, above the first. */
  readonly bands: Map<string, readonly MarginBand[]>;
  readonly lost: string[];
  /** Clients that are halted, since the last `statesChanged` of the publication. */
  readonly halted: Set<string>;
  spotDate: string;
  nowMs: number;
  tick(symbol: string, bid: string, offer: string): void;
  /** A ladder, `1.1000x1000000 1.0999x2000000`, best first. */
  quote(symbol: string, bids: string, offers: string): void;
  withdraw(symbol: string): void;
  ask(desk: HeldDesk, request: Partial<StreamRequest> & { readonly symbols?: readonly string[] }): void;
}

export function bench(): Bench {
  const held = { spotDate: '20261124', nowMs: 1_000, halted: new Set<string>() };
  const now = () => held.nowMs;
  const book = new RateBook({ now });
  const provider = book.registerProvider('test');
  const shifts = new PriceShifts(book);
  const margins = new Map<string, number | undefined>();
  const bands = new Map<string, readonly MarginBand[]>();
  const lost: string[] = [];
  const publication = new Publication({
    book,
    shifts,
    marginBands: (clientId) => {
      const marginPpm = margins.has(clientId) ? margins.get(clientId) : 2_500;
      return marginPpm === undefined ? undefined : [{ above: 0, marginPpm }, ...(bands.get(clientId) ?? [])];
    },
    isHalted: (clientId) => held.halted.has(clientId),
    spotDate: () => held.spotDate,
    onNotEntitled: (_, mdReqId) => lost.push(mdReqId),
    clock: now,
  });
  const pairOf = (symbol: string): Pair => pairBySymbol(symbol)!;
  return Object.assign(held, {
    publication,
    book,
    shifts,
    margins,
    bands,
    lost,
    quote: (...ladder: [symbol: string, bids: string, offers: string]) => quoteLadder(book, provider, ladder),
    tick(symbol: string, bid: string, offer: string) {
      const { index, priceDigits } = pairOf(symbol);
      const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
      book.tick(provider, index, scaled(bid), scaled(offer), 1_000_000, 1_000_000, 0, 0);
    },
    withdraw: (symbol: string) => book.withdraw(provider, pairOf(symbol).index),
    ask(desk: HeldDesk, { symbols = ['EUR/USD'], ...request }: Parameters<Bench['ask']>[1]) {
      publication.subscribe(desk.session, {
        mdReqId: 'M1',
        clientId: 'acme',
        pairs: symbols.map(pairOf),
        type: 'PREFUNDING',
        bid: true,
        offer: true,
        isLadder: false,
        incremental: false,
        snapshotOnly: false,
        discloseMargin: false,
        discloseProviderRate: false,
        sourceTime: false,
        ...request,
      });
    },
  });
}
