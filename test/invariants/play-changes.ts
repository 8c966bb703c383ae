/** Random changes of conversions that have not settled, on the ledger and on its model: quotes, and commands by them, also late and repeated ones. */
import type { Amendment, Booking } from '../../engine/domain/conversions/booking.js';
import { formatMinor } from '../../engine/domain/money/money.js';
import type { ModelClient } from './model.js';
import { type Asked, type Kind, type ModelQuote, make, termsOf } from './model-changes.js';
import { same } from './same.js';

const QUOTING = { cancel: 'quoteCancellation', date: 'quoteDateChange', split: 'quoteSplit' } as const;
const DOING = { cancel: 'cancelConversion', date: 'changeConversionDate', split: 'splitConversion' } as const;
const KEPT = 12;
const DAY_MS = 86_400_000;
/** From today on. */
const DAYS = [0, 1, 2, 3, 4];
const AT_ONCE = 3;

/** What of the play is used here. */
interface Playing {
  readonly clients: readonly ModelClient[];
  /** The clock of the test. */
  readonly now: () => number;
  readonly next: () => number;
  readonly ask: (name: string, input: object, by: ModelClient) => Promise<Record<string, unknown>>;
  readonly count: (outcome: string) => void;
}

interface Answer {
  readonly refusal?: string;
  readonly replayed?: boolean;
  readonly booking?: Booking;
  readonly change?: Amendment;
}

export class PlayChanges {
  readonly #quotes: ModelQuote[] = [];
  readonly #sent: { readonly quote: ModelQuote; readonly requestId: string }[] = [];
  #ids = 0;

  constructor(private readonly play: Playing) {}

  /** When a quote ends, epoch ms. */
  get times(): number[] {
    return this.#quotes.map(({ atMs }) => atMs + 30_000);
  }

  async step(client: ModelClient): Promise<void> {
    for (let i = 0; i < AT_ONCE; i++) await this.#one(client);
  }

  async #one(client: ModelClient): Promise<void> {
    const roll = this.play.next();
    if (roll < 0.7) {
      const quote = await this.#quote(client);
      if (quote === undefined || this.play.next() < 0.35) return;
      await this.#make(client, quote, `change-${++this.#ids}`);
      // The conversion has changed since.
      if (this.play.next() < 0.15) await this.#make(client, quote, `change-${++this.#ids}`);
      return;
    }
    if (roll < 0.82 && this.#sent.length > 0) {
      const { quote, requestId } = this.#pick(this.#sent);
      return this.#make(quote.client, quote, requestId);
    }
    if (this.#quotes.length === 0) return;
    const unused = this.#quotes.filter(({ client: { changed }, id, number }) => changed.get(id)!.count === number - 1);
    const quote = this.#pick(unused.length > 0 ? unused : this.#quotes);
    const by = this.play.next() < 0.9 ? quote.client : client;
    const used = this.#sent.length > 0 && this.play.next() < 0.1 ? this.#pick(this.#sent).requestId : undefined;
    return this.#make(by, quote, used ?? `change-${++this.#ids}`);
  }

  async #quote(client: ModelClient): Promise<ModelQuote | undefined> {
    const asked = this.#asked(client);
    const { id, kind, date, sells } = asked;
    const sellCurrency = client.bookings.get(id)?.sellCurrency ?? 'EUR';
    const sellAmounts = sells?.map((minor) => Number(formatMinor(minor, sellCurrency)));
    const atMs = this.play.now();
    const input = { confirmationId: id, ...(date && { settlementDate: date }), ...(sells && { sellAmounts }) };
    const answer = await this.play.ask(QUOTING[kind], input, client);
    const terms = termsOf(client, asked, atMs);
    this.play.count(`quote ${kind} ${typeof terms === 'string' ? terms : 'done'}`);
    same('the quote', answer.refusal ?? 'quoted', typeof terms === 'string' ? terms : 'quoted');
    if (typeof terms === 'string') return undefined;
    const { reversal } = answer.terms as { reversal?: { kind: string; amount: string; margin: string } };
    if (terms.kind === 'cancel') {
      const { difference, margin } = terms;
      const [is, amount] = difference < 0n ? ['charge', -difference] : ['credit', difference];
      same('the reversal', [reversal?.kind, reversal?.amount, reversal?.margin], [is, String(amount), String(margin)]);
    }
    const number = client.changed.get(id)!.count + 1;
    const quote = { ...asked, client, quoteId: String(answer.quoteId), terms, number, atMs };
    if (this.#quotes.push(quote) > KEPT) this.#quotes.shift();
    return quote;
  }

  /** Mostly of what has not settled, and mostly possible. */
  #asked(client: ModelClient): Asked {
    const { next, clients } = this.play;
    const owner = next() < 0.95 ? client : this.#pick(clients);
    const all = [...owner.bookings.values()];
    const open = all.filter(({ status }) => status === 'OPEN' || status === 'OVERDUE');
    const late = open.filter(({ status }) => status === 'OVERDUE');
    const some = next() < 0.4 && late.length > 0 ? late : open.slice(-6);
    const booking = this.#from(next() < 0.9 && some.length > 0 ? some : all.slice(-6));
    const id = booking?.id ?? 'BFX0000000000000000';
    const kind = this.#pick<Kind>(['cancel', 'date', 'split']);
    if (kind === 'cancel') return { id, kind };
    if (kind === 'date') {
      const now = this.play.now();
      const dates = DAYS.map((days) => new Date(now + days * DAY_MS).toISOString().slice(0, 10));
      const good = dates.filter((date) => typeof termsOf(owner, { id, kind, date }, now) !== 'string');
      return { id, kind, date: this.#pick(next() < 0.7 && good.length > 0 ? good : dates) };
    }
    const sell = booking?.sell ?? 100n;
    const first = (sell * BigInt(1 + Math.floor(next() * 998))) / 1_000n;
    const second = (sell - first) / BigInt(1 + Math.floor(next() * 3));
    const sells = [first, second, sell - first - second].filter((minor) => minor !== 0n);
    if (sells.length < 2) sells.push(1n);
    if (next() < 0.05) sells[0] = sells[0]! + 1n;
    return { id, kind, sells };
  }

  async #make(by: ModelClient, quote: ModelQuote, requestId: string): Promise<void> {
    const { id, kind, quoteId } = quote;
    const answer = (await this.play.ask(DOING[kind], { confirmationId: id, quoteId, requestId }, by)) as Answer;
    const children = answer.change?.children?.map((child) => child.id) ?? [];
    const before = quote.client.bookings.get(id)!;
    const wasOverdue = before.status === 'OVERDUE';
    const balance = by.balanceOf(before.sellCurrency, before.sellAccount);
    const expected = make(by, quote, requestId, this.play.now(), children);
    this.play.count(`change ${expected === 'done' ? kind : expected}`);
    if (expected === 'done' && wasOverdue) this.play.count(`change ${kind} OVERDUE`);
    same('the change', answer.refusal ?? (answer.replayed ? 'replayed' : 'done'), expected);
    if (this.#sent.push({ quote, requestId }) > KEPT) this.#sent.shift();
    const { terms } = quote;
    if (expected !== 'done') return;
    if (terms.kind === 'cancel') {
      const charge = -terms.difference;
      same('what is owed', answer.change?.receivable, String(charge > balance ? charge - balance : 0n));
    }
    if (terms.kind === 'split') {
      const amounts = answer.change?.children?.map(({ sell, buy, margin }) => [sell, buy, margin]);
      same(
        'the children',
        amounts,
        terms.parts.map(({ sell, buy, margin }) => [sell, buy, margin].map(String)),
      );
    }
  }

  #from<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.play.next() * list.length)];
  }

  #pick<T>(list: readonly T[]): T {
    return this.#from(list)!;
  }
}
