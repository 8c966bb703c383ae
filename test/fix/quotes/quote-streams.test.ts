/** Streams of quotes on a rate book, by hand: when there is a new quote, how long each can be dealt, and what a congested desk gets. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/pair.js';
import { scaledFromText } from '../../../engine/domain/rate.js';
import { isRefusal } from '../../../engine/domain/refusal.js';
import { createFixCounters } from '../../../engine/fix/context.js';
import type { Desk } from '../../../engine/fix/desk.js';
import { Publication } from '../../../engine/fix/publication/publication.js';
import type { QuoteStream } from '../../../engine/fix/quotes/open-stream.js';
import { QuoteStreams } from '../../../engine/fix/quotes/quote-streams.js';
import { quoteTerms } from '../../../engine/fix/quotes/quote-terms.js';
import { type MarginRule, MarginTable, Pricing } from '../../../engine/rates/pricing.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import type { Services } from '../../../engine/service/core/services.js';
import { quoteLadder } from '../../rates/clock.js';
import { HeldDesk, type Published } from '../publication/held-desk.js';

const NOW = Date.parse('2028-11-17T08:00:00Z');
const MARGIN: MarginRule = { clientId: '*', pair: '*', type: '*', marginPpm: 2_500 };

let nowMs: number;
let isOpen: boolean;
let book: RateBook;
let provider: number;
let margins: MarginTable;
let quotes: QuoteStreams;
let desk: HeldDesk;
/** Turns of the event loop that were asked for. */
let turns: number;
let ended: string[];
/** The publication before it, in a test with both. */
let publication: Publication | undefined;
let ids = 0;

beforeEach(() => {
  [nowMs, isOpen, turns, ended, publication] = [1_000, true, 0, [], undefined];
  book = new RateBook({ now: () => nowMs });
  provider = book.registerProvider('test');
  margins = new MarginTable();
  margins.replace([MARGIN]);
  const services = {
    book,
    pricing: new Pricing(book, margins),
    settings: { marketHours: { isOpen: () => isOpen } },
    store: { clock: { estimate: () => NOW + nowMs } },
  } as unknown as Services;
  quotes = new QuoteStreams({
    services,
    counters: createFixCounters(),
    schedule: () => (publication ? publication.schedule() : turns++),
    onEnded: ({ id }, why) => ended.push(`${id} ${isRefusal(why) ? why.refusal : why}`),
    clock: () => nowMs,
  });
  desk = new HeldDesk();
  tick('1.08150', '1.08160');
});

function tick(bid: string, offer: string, symbol = 'EUR/USD'): void {
  const { index, priceDigits } = pairBySymbol(symbol)!;
  const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
  book.tick(provider, index, scaled(bid), scaled(offer), 1_000_000, 1_000_000, 0, 0);
}
const withdraw = () => book.withdraw(provider, pairBySymbol('EUR/USD')!.index);
let step = 0;
const move = () => tick(`1.0${8000 + ++step}`, `1.0${8100 + step}`);

function open(
  changes: { side?: string; symbol?: string; quantity?: string; currency?: string; clientId?: string } = {},
) {
  const { side, symbol = 'EUR/USD', quantity = '250000', currency = 'EUR', clientId = 'acme' } = changes;
  const request = {
    symbol,
    side,
    quantity,
    currency,
    quoteType: '1',
    isForeignExchange: true,
    validUntilMs: Number.NaN,
  };
  const more = {
    settlType: undefined,
    settlDate: undefined,
    token: undefined,
    type: undefined,
    unsupported: undefined,
  };
  const terms = quoteTerms({ id: '', route: [], isStream: true, isAgain: false, ...request, ...more }, NOW);
  if (isRefusal(terms)) throw new Error(terms.text);
  return quotes.open({
    desk: { session: desk.session } as Desk,
    id: `Q${++ids}`,
    route: [[57, 'TRADER7']],
    clientId,
    terms,
    minor: BigInt(Math.round(Number(quantity) * 100)),
    validUntilMs: NOW + 3_600_000,
  });
}
/** What a turn sends. */
function sent(): Published[] {
  quotes.publish();
  return desk.received.splice(0);
}
const last = () => sent().at(-1)!.get(117)!;
const dealable = (id: string, client = 'acme') => quotes.find(id, client) !== undefined;
const prices = (message: Published) => [message.type, message.get(132), message.get(133)];

describe('a quote at each change', () => {
  test('has the same QuoteReqID(131) and a new QuoteID(117)', () => {
    const { id } = open();
    const [first] = sent();
    expect(first!.all(57).concat(first!.all(131))).toEqual(['TRADER7', id]);
    tick('1.08151', '1.08160');
    const [second] = sent();
    expect([first!.get(117), second!.get(117)]).toEqual([
      expect.stringMatching(/^STR\w+\.1$/),
      first!.get(117)!.replace(/1$/, '2'),
    ]);
    expect([prices(first!), prices(second!)]).toEqual([
      ['S', '1.0787962', '1.0843108'],
      ['S', '1.0788062', '1.0843108'],
    ]);
  });

  test('one for each turn of the event loop, the newest, and none where the price is the same again', () => {
    open();
    sent();
    expect(turns).toBe(1);
    for (let i = 0; i < 5; i++) move();
    expect(turns).toBe(2);
    expect(sent().map(({ get }) => get(133))).toEqual(['1.0837594']);
    move();
    step--;
    tick(`1.0${8000 + step}`, `1.0${8100 + step}`);
    expect(sent()).toEqual([]);
    expect(sent()).toEqual([]);
  });

  test('one for each turn also with prices of which a turn has more than a batch, when every desk has its prices', async () => {
    publication = new Publication({
      book,
      behind: quotes,
      marginBands: () => [{ above: 0, marginPpm: 2_500 }],
      spotDate: () => '20281121',
      onNotEntitled: () => {},
      clock: () => nowMs,
    });
    const priced = new HeldDesk();
    for (const { session } of [desk, priced])
      publication.subscribe(session, {
        mdReqId: 'M1',
        clientId: 'acme',
        pairs: [pairBySymbol('EUR/USD')!],
        type: 'PREFUNDING',
        bid: true,
        offer: true,
        isLadder: false,
        incremental: false,
        snapshotOnly: false,
        discloseMargin: false,
        discloseProviderRate: false,
        sourceTime: false,
      });
    open();
    const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
    await endOfTurn();
    const count = (type: string) => desk.received.filter((message) => message.type === type).length;
    expect([count('W'), count('S')]).toEqual([1, 1]);
    const writes: string[] = [];
    vi.spyOn(desk, 'flush').mockImplementation(() => writes.push(desk.received.at(-1)!.type));
    vi.spyOn(priced, 'flush').mockImplementation(() => writes.push(`priced ${priced.received.at(-1)!.type}`));
    for (let i = 0; i < 40; i++) move();
    // Two full batches have been written before the end of the turn.
    expect([count('W'), count('S'), writes.length]).toEqual([33, 1, 4]);
    await endOfTurn();
    expect([count('W'), count('S')]).toEqual([41, 2]);
    expect(writes.slice(4).sort()).toEqual(['S', 'W', 'priced W']);
    expect(writes.at(-1)).toBe('S');
  });

  test('each stream has its own amount, side and client', () => {
    margins.replace([MARGIN, { ...MARGIN, clientId: 'dear', marginPpm: 10_000 }]);
    open({ side: '1' });
    open({ side: '2', currency: 'USD', quantity: '1000' });
    open({ clientId: 'dear' });
    const [buys, sells, dear] = sent();
    expect([54, 132, 133, 38, 20013, 20015, 20014, 20016].map((tag) => buys!.get(tag))).toEqual([
      '1',
      undefined,
      '1.0843108',
      '250000',
      'EUR',
      '250000.00',
      'USD',
      '271077.70',
    ]);
    expect([54, 132, 133, 38, 20013, 20015, 20014, 20016].map((tag) => sells!.get(tag))).toEqual([
      '2',
      '1.0787962',
      undefined,
      '1000',
      'USD',
      '1000.00',
      'EUR',
      '926.96',
    ]);
    expect([54, 132, 133, 20003, 20013].map((tag) => dear!.get(tag))).toEqual([
      undefined,
      '1.0706850',
      '1.0925253',
      '1',
      undefined,
    ]);
  });

  test('also when the margin or the settlement date changes', () => {
    open();
    const before = last();
    margins.replace([{ ...MARGIN, marginPpm: 5_000 }]);
    quotes.marginsChanged();
    expect(sent().map(prices)).toEqual([['S', '1.0760925', '1.0870352']]);
    expect(dealable(before)).toBe(false);
    expect(quotes.all(desk.session)).toHaveLength(1);
    nowMs += 4 * 86_400_000;
    tick('1.08150', '1.08160');
    sent();
    quotes.rollDates();
    // No provider's price has changed.
    expect(sent().map((message) => message.get(64))).toEqual(['20281124']);
  });

  test('at the price of its amount: also where only a deeper level changes, and none where the levels end before it', () => {
    const levels = (bids: string, offers: string) => quoteLadder(book, provider, ['EUR/USD', bids, offers]);
    levels('1.0815x1000000 1.0800x4000000', '1.0816x1000000 1.0820x4000000');
    open({ quantity: '2000000', side: '2' });
    // 1.08075 less a quarter of a percent.
    expect(sent().map((message) => [message.get(132), message.get(20004)])).toEqual([['1.0780481', '1.08075']]);
    levels('1.0815x1000000 1.0805x4000000', '1.0816x1000000 1.0820x4000000');
    expect(sent().map((message) => message.get(20004))).toEqual(['1.081']);
    levels('1.0815x1000000', '1.0816x1000000 1.0820x4000000');
    expect(sent().map((message) => [message.type, message.get(20011)])).toEqual([['Z', 'INSUFFICIENT_LIQUIDITY']]);
  });

  test('of a cross while its legs change', () => {
    tick('1.25', '1.2501', 'GBP/USD');
    open({ symbol: 'EUR/GBP' });
    expect(sent()).toHaveLength(1);
    tick('1.26', '1.2601', 'GBP/USD');
    expect(sent()).toHaveLength(1);
  });
});

describe('a quote can be dealt', () => {
  test('at what was sent, by its own client', () => {
    open();
    const id = last();
    expect(quotes.find(id, 'acme')).toEqual({
      pair: pairBySymbol('EUR/USD'),
      type: 'PREFUNDING',
      valueDate: '20281121',
      amount: { currency: 'EUR', minor: 25_000_000n },
      bid: expect.objectContaining({ price: 10_787_962, providerPrice: 10_815_000, sellCurrency: 'EUR' }),
      offer: expect.objectContaining({ price: 10_843_108, providerPrice: 10_816_000, sellCurrency: 'USD' }),
    });
    expect(dealable(id, 'other')).toBe(false);
    for (const wrong of [id.replace(/1$/, '2'), `${id}.1`, id.slice(0, -2), `${id}0`, 'STR', 'nothing'])
      expect([wrong, dealable(wrong)]).toEqual([wrong, false]);
  });

  test('while the price is fresh', () => {
    open();
    const id = last();
    nowMs += book.maxAgeMs;
    expect(dealable(id)).toBe(true);
    nowMs += 1;
    expect(dealable(id)).toBe(false);
  });

  test.each([
    ['when it is asked for', () => {}],
    ['by the sweep', () => book.sweep()],
  ])('not once it is too old, noticed %s, where another provider has a price', (_, notice) => {
    open();
    const id = last();
    nowMs += 4_000;
    const { index } = pairBySymbol('EUR/USD')!;
    const other = book.registerProvider('other');
    const worse = () => book.tick(other, index, 10_714_000, 10_917_000, 0, 0, nowMs * 1000, 0);
    worse();
    // Its own provider has confirmed it.
    tick('1.08150', '1.08160');
    expect(sent()).toEqual([]);
    nowMs += book.maxAgeMs - 1_000;
    worse();
    nowMs += 1_000;
    expect(dealable(id)).toBe(true);
    nowMs += 1;
    notice();
    expect([dealable(id), dealable(id)]).toEqual([false, false]);
    expect(sent().map((message) => message.get(20004) ?? message.get(132))).toEqual(['1.0687215']);
  });

  test.each([
    [0, true],
    [500, true],
    [501, false],
  ])('%d ms after it was replaced: %s', (ms, expected) => {
    open();
    const id = last();
    nowMs += 2_000;
    move();
    sent();
    nowMs += ms;
    expect(dealable(id)).toBe(expected);
    quotes.rollDates();
    expect(dealable(id)).toBe(expected);
  });

  test('also where the next one has the margin of another band; but not once the margins have changed', () => {
    margins.replace([MARGIN, { ...MARGIN, marginPpm: 1_000, above: 1_000_000 }]);
    open({ side: '2', currency: 'USD', quantity: '1070000' });
    const id = last();
    tick('1.07000', '1.07010');
    const [next] = sent();
    expect([next!.get(20004), next!.get(132)]).toEqual(['1.07', '1.0689300']);
    nowMs += 500;
    expect(dealable(id)).toBe(true);
    margins.replace([MARGIN, { ...MARGIN, marginPpm: 1_100, above: 1_000_000 }]);
    quotes.marginsChanged();
    expect([id, next!.get(117)!].map((one) => dealable(one))).toEqual([false, false]);
    const [again] = sent();
    // Those of another client.
    margins.replace([{ ...MARGIN, clientId: 'other' }, MARGIN, { ...MARGIN, marginPpm: 1_100, above: 1_000_000 }]);
    quotes.marginsChanged();
    expect([sent(), dealable(again!.get(117)!)]).toEqual([[], true]);
  });

  test('counted from the change of the price, also where the desk could not be sent the next quote', () => {
    open();
    const id = last();
    desk.congested = true;
    move();
    sent();
    nowMs += 400;
    move();
    expect(dealable(id)).toBe(true);
    nowMs += 101;
    expect(dealable(id)).toBe(false);
  });

  test('not after a withdrawal, and not again when the price is back', () => {
    open();
    const id = last();
    withdraw();
    expect(dealable(id)).toBe(false);
    expect(sent().map(({ type, get }) => [type, get(117), get(298), get(20011)])).toEqual([
      ['Z', id, '1', 'RATE_UNAVAILABLE'],
    ]);
    expect(sent()).toEqual([]);
    tick('1.08150', '1.08160');
    expect(dealable(id)).toBe(false);
    const [again] = sent();
    expect([again!.type, dealable(again!.get(117)!)]).toEqual(['S', true]);
  });

  test('not before it is sent', () => {
    const { name } = open();
    expect(dealable(`${name}.1`)).toBe(false);
    expect(last()).toBe(`${name}.1`);
  });

  test('not after its stream has ended', () => {
    const stream = open();
    const id = last();
    quotes.end(stream);
    quotes.end(stream);
    expect(dealable(id)).toBe(false);
    open();
    const other = last();
    quotes.endAll(desk.session);
    expect([dealable(other), quotes.all(desk.session)]).toEqual([false, []]);
    move();
    expect(sent()).toEqual([]);
  });
});

describe('withdrawn by us', () => {
  const codes = () => sent().map(({ type, get }) => [type, get(20011)]);

  test('a halt of the pair, and of the market', () => {
    open();
    sent();
    book.halt(new Set([pairBySymbol('EUR/USD')!.index]));
    expect(codes()).toEqual([['Z', 'MARKET_CLOSED']]);
    book.halt(new Set());
    expect(codes()).toEqual([['S', undefined]]);
    isOpen = false;
    quotes.onTimer();
    expect(codes()).toEqual([['Z', 'MARKET_CLOSED']]);
    move();
    quotes.onTimer();
    expect(codes()).toEqual([]);
    isOpen = true;
    quotes.onTimer();
    expect(codes()).toEqual([['S', undefined]]);
  });

  test('an amount that the price has put outside the limits of the pair', () => {
    open({ currency: 'USD', quantity: '5390000' });
    sent();
    tick('1.07500', '1.07510');
    expect(codes()).toEqual([['Z', 'AMOUNT_ABOVE_LIMIT']]);
    tick('1.08150', '1.08160');
    expect(codes()).toEqual([['S', undefined]]);
  });

  test('ended where the client has lost the pair, or at ValidUntilTime(62)', () => {
    const [lost, other] = [open(), open({ clientId: 'other' })];
    sent();
    margins.replace([{ ...MARGIN, clientId: 'other' }]);
    quotes.marginsChanged();
    expect(sent()).toEqual([]);
    expect(ended).toEqual([`${lost.id} NOT_ENTITLED`]);
    nowMs = 3_600_000;
    quotes.onTimer();
    expect(quotes.all(desk.session).map(({ id }) => id)).toEqual([other.id]);
    nowMs += 1;
    quotes.onTimer();
    expect(ended).toEqual([`${lost.id} NOT_ENTITLED`, `${other.id} expired`]);
  });
});

describe('a congested desk', () => {
  test('gets the newest quote once it has drained, and how many were left out is counted', () => {
    open();
    const before = last();
    desk.congested = true;
    for (let i = 0; i < 3; i++) {
      move();
      expect(sent()).toEqual([]);
    }
    expect(quotes.conflatedOf(desk.session)).toBe(2);
    desk.congested = false;
    quotes.drained(desk.session);
    const [one, ...more] = sent();
    expect([one!.get(117), more]).toEqual([before.replace(/1$/, '2'), []]);
  });

  test('gets no withdrawal that is over', () => {
    open();
    const id = last();
    desk.congested = true;
    withdraw();
    sent();
    tick('1.08150', '1.08160');
    sent();
    desk.congested = false;
    quotes.drained(desk.session);
    expect(sent().map(({ type }) => type)).toEqual(['S']);
    expect(dealable(id)).toBe(false);
  });

  test('after a resend each stream sends its newest again, a withdrawal too', () => {
    const [, withdrawn] = [open(), open({ symbol: 'USD/JPY', currency: 'USD' })] as [QuoteStream, QuoteStream];
    tick('150.10', '150.12', 'USD/JPY');
    sent();
    book.withdraw(provider, pairBySymbol('USD/JPY')!.index);
    sent();
    quotes.resent(desk.session);
    expect(sent().map(({ type, get }) => [type, get(117)])).toEqual([
      ['S', expect.stringMatching(/\.2$/)],
      ['Z', `${withdrawn.name}.1`],
    ]);
  });
});
