/** Streams of quotes on a rate book, by hand: when there is a new quote, and what a congested desk gets. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { Publication } from '../../../../engine/fix/publication/publication.js';
import type { QuoteStream } from '../../../../engine/fix/quotes/open-stream.js';
import { HeldDesk, type Published } from '../../../prices/fix/publication/held-desk.js';
import { quoteLadder } from '../../../rates/clock.js';
import { MARGIN, QuotedBook } from './quoted-book.js';

let on: QuotedBook;
beforeEach(() => {
  on = new QuotedBook();
});

const prices = (message: Published) => [message.type, message.get(132), message.get(133)];

describe('a quote at each change', () => {
  test('has the same QuoteReqID(131) and a new QuoteID(117)', () => {
    const { id } = on.open();
    const [first] = on.sent();
    expect(first!.all(57).concat(first!.all(131))).toEqual(['TRADER7', id]);
    on.tick('1.08151', '1.08160');
    const [second] = on.sent();
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
    on.open();
    on.sent();
    expect(on.turns).toBe(1);
    for (let i = 0; i < 5; i++) on.move();
    expect(on.turns).toBe(2);
    expect(on.sent().map(({ get }) => get(133))).toEqual(['1.0837594']);
    on.move();
    on.step -= 2;
    on.move();
    expect(on.sent()).toEqual([]);
    expect(on.sent()).toEqual([]);
  });

  test('one for each turn also with prices of which a turn has more than a batch, when every desk has its prices', async () => {
    on.publication = new Publication({
      book: on.book,
      shifts: on.pricing.shifts,
      behind: on.quotes,
      marginBands: () => [{ above: 0, marginPpm: 2_500 }],
      isHalted: () => false,
      spotDate: () => '20281121',
      onNotEntitled: () => {},
      clock: () => on.nowMs,
    });
    const priced = new HeldDesk();
    for (const { session } of [on.desk, priced])
      on.publication.subscribe(session, {
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
    on.open();
    const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));
    await endOfTurn();
    const count = (type: string) => on.desk.received.filter((message) => message.type === type).length;
    expect([count('W'), count('S')]).toEqual([1, 1]);
    const writes: string[] = [];
    vi.spyOn(on.desk, 'flush').mockImplementation(() => writes.push(on.desk.received.at(-1)!.type));
    vi.spyOn(priced, 'flush').mockImplementation(() => writes.push(`priced ${priced.received.at(-1)!.type}`));
    for (let i = 0; i < 40; i++) on.move();
    // Two full batches have been written before the end of the turn.
    expect([count('W'), count('S'), writes.length]).toEqual([33, 1, 4]);
    await endOfTurn();
    expect([count('W'), count('S')]).toEqual([41, 2]);
    expect(writes.slice(4).sort()).toEqual(['S', 'W', 'priced W']);
    expect(writes.at(-1)).toBe('S');
  });

  test('each stream has its own amount, side and client', () => {
    on.margins.replace([MARGIN, { ...MARGIN, clientId: 'dear', marginPpm: 10_000 }]);
    on.open({ side: '1' });
    on.open({ side: '2', currency: 'USD', quantity: '1000' });
    on.open({ clientId: 'dear' });
    const [buys, sells, dear] = on.sent();
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

  test('also when the rules of pricing change the margins, and the one before can be dealt for half a second', () => {
    on.open();
    const [plain] = on.sent();
    on.pricing.shifts.replace([{ pair: 'EUR/USD', skew: 1_000, skewMax: 20_000 }]);
    on.pricing.shifts.setPosition(() => 5e6);
    const [skewed, ...more] = on.sent();
    expect(more).toEqual([]);
    expect([plain!.get(20003), skewed!.get(20003)]).toEqual(['0.25', '0.2962']);
    expect(prices(skewed!)).toEqual(['S', '1.0782966', '1.0838088']);
    const [before, now] = [plain!.get(117)!, skewed!.get(117)!];
    expect(on.quotes.find(now, 'acme')).toMatchObject({ bid: { marginPpm: 2_962 }, offer: { marginPpm: 2_038 } });
    on.nowMs += 500;
    expect([on.dealable(before), on.dealable(now)]).toEqual([true, true]);
    on.nowMs += 1;
    expect([on.dealable(before), on.dealable(now)]).toEqual([false, true]);
  });

  test('also when the margin or the settlement date changes', () => {
    on.open();
    const before = on.last();
    on.margins.replace([{ ...MARGIN, marginPpm: 5_000 }]);
    on.quotes.marginsChanged();
    expect(on.sent().map(prices)).toEqual([['S', '1.0760925', '1.0870352']]);
    expect(on.dealable(before)).toBe(false);
    expect(on.quotes.all(on.desk.session)).toHaveLength(1);
    on.nowMs += 4 * 86_400_000;
    on.tick('1.08150', '1.08160');
    on.sent();
    on.quotes.rollDates();
    // No provider's price has changed.
    expect(on.sent().map((message) => message.get(64))).toEqual(['20281124']);
  });

  test('at the price of its amount: also where only a deeper level changes, and none where the levels end before it', () => {
    const levels = (bids: string, offers: string) => quoteLadder(on.book, on.provider, ['EUR/USD', bids, offers]);
    levels('1.0815x1000000 1.0800x4000000', '1.0816x1000000 1.0820x4000000');
    on.open({ quantity: '2000000', side: '2' });
    // 1.08075 less a quarter of a percent.
    expect(on.sent().map((message) => [message.get(132), message.get(20004)])).toEqual([['1.0780481', '1.08075']]);
    levels('1.0815x1000000 1.0805x4000000', '1.0816x1000000 1.0820x4000000');
    expect(on.sent().map((message) => message.get(20004))).toEqual(['1.081']);
    levels('1.0815x1000000', '1.0816x1000000 1.0820x4000000');
    expect(on.sent().map((message) => [message.type, message.get(20011)])).toEqual([['Z', 'INSUFFICIENT_LIQUIDITY']]);
  });

  test('of a cross while its legs change', () => {
    on.tick('1.25', '1.2501', 'GBP/USD');
    on.open({ symbol: 'EUR/GBP' });
    expect(on.sent()).toHaveLength(1);
    on.tick('1.26', '1.2601', 'GBP/USD');
    expect(on.sent()).toHaveLength(1);
  });
});

describe('withdrawn by us', () => {
  const codes = () => on.sent().map(({ type, get }) => [type, get(20011)]);

  test('a halt of the pair, and of the market', () => {
    on.open();
    on.sent();
    on.book.halt(new Set([pairBySymbol('EUR/USD')!.index]));
    expect(codes()).toEqual([['Z', 'TRADING_HALTED']]);
    on.book.halt(new Set());
    expect(codes()).toEqual([['S', undefined]]);
    on.isOpen = false;
    on.quotes.onTimer();
    expect(codes()).toEqual([['Z', 'MARKET_CLOSED']]);
    on.move();
    on.quotes.onTimer();
    expect(codes()).toEqual([]);
    on.isOpen = true;
    on.quotes.onTimer();
    expect(codes()).toEqual([['S', undefined]]);
  });

  test('a halt of the client, each of its streams once; those of another client continue', () => {
    on.open();
    on.open({ symbol: 'EUR/USD', side: '1' });
    on.open({ clientId: 'other' });
    const [, , another] = on.sent();
    const halted = { scope: 'client', name: 'acme', state: 'HALTED', by: 'x', reason: 'x', sinceMs: 0 } as const;
    on.states.replace([halted]);
    on.quotes.statesChanged();
    const withdrawn = on.sent();
    expect(withdrawn.map(({ type, get }) => [type, get(298), get(20011)])).toEqual(
      Array(2).fill(['Z', '1', 'TRADING_HALTED']),
    );
    expect(withdrawn.map(({ get }) => on.dealable(get(117)!))).toEqual([false, false]);
    expect(on.dealable(another!.get(117)!, 'other')).toBe(true);
    on.move();
    expect(codes()).toEqual([['S', undefined]]);
    on.states.replace([]);
    on.quotes.statesChanged();
    expect(codes()).toEqual([
      ['S', undefined],
      ['S', undefined],
    ]);
  });

  test('an amount that the price has put outside the limits of the pair', () => {
    on.open({ currency: 'USD', quantity: '5390000' });
    on.sent();
    on.tick('1.07500', '1.07510');
    expect(codes()).toEqual([['Z', 'AMOUNT_ABOVE_LIMIT']]);
    on.tick('1.08150', '1.08160');
    expect(codes()).toEqual([['S', undefined]]);
  });

  test('ended where the client has lost the pair, or at ValidUntilTime(62)', () => {
    const [lost, other] = [on.open(), on.open({ clientId: 'other' })];
    on.sent();
    on.margins.replace([{ ...MARGIN, clientId: 'other' }]);
    on.quotes.marginsChanged();
    expect(on.sent()).toEqual([]);
    expect(on.ended).toEqual([`${lost.id} NOT_ENTITLED`]);
    on.nowMs = 3_600_000;
    on.quotes.onTimer();
    expect(on.quotes.all(on.desk.session).map(({ id }) => id)).toEqual([other.id]);
    on.nowMs += 1;
    on.quotes.onTimer();
    expect(on.ended).toEqual([`${lost.id} NOT_ENTITLED`, `${other.id} expired`]);
  });
});

describe('a congested desk', () => {
  test('gets the newest quote once it has drained, and how many were left out is counted', () => {
    on.open();
    const before = on.last();
    on.desk.congested = true;
    for (let i = 0; i < 3; i++) {
      on.move();
      expect(on.sent()).toEqual([]);
    }
    expect(on.quotes.conflatedOf(on.desk.session)).toBe(2);
    on.desk.congested = false;
    on.quotes.drained(on.desk.session);
    const [one, ...more] = on.sent();
    expect([one!.get(117), more]).toEqual([before.replace(/1$/, '2'), []]);
  });

  test('gets no withdrawal that is over', () => {
    on.open();
    const id = on.last();
    on.desk.congested = true;
    on.withdraw();
    on.sent();
    on.tick('1.08150', '1.08160');
    on.sent();
    on.desk.congested = false;
    on.quotes.drained(on.desk.session);
    expect(on.sent().map(({ type }) => type)).toEqual(['S']);
    expect(on.dealable(id)).toBe(false);
  });

  test('after a resend each stream sends its newest again, a withdrawal too', () => {
    const [, withdrawn] = [on.open(), on.open({ symbol: 'USD/JPY', currency: 'USD' })] as [QuoteStream, QuoteStream];
    on.tick('150.10', '150.12', 'USD/JPY');
    on.sent();
    on.book.withdraw(on.provider, pairBySymbol('USD/JPY')!.index);
    on.sent();
    on.quotes.resent(on.desk.session);
    expect(on.sent().map(({ type, get }) => [type, get(117)])).toEqual([
      ['S', expect.stringMatching(/\.2$/)],
      ['Z', `${withdrawn.name}.1`],
    ]);
  });
});
