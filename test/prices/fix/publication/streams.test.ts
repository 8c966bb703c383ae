/** What a desk gets for its requests, message by message: first prices, congestion, value dates, margins, ends. */
import { beforeEach, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { type Bench, bench, HeldDesk } from './held-desk.js';

let on: Bench;
let desk: HeldDesk;
beforeEach(() => {
  on = bench();
  desk = new HeldDesk();
});

describe('a congested desk', () => {
  test('gets the newest price as W when it has drained, and continues with X', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, { incremental: true });
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD']);

    desk.congested = true;
    for (const last of [1, 2, 3]) {
      on.tick('EUR/USD', `1.0815${last}`, `1.0816${last}`);
      on.publication.flush();
    }
    expect(desk.taken()).toEqual([]);
    expect(on.publication.conflated).toBe(2);
    expect([desk, new HeldDesk()].map(({ session }) => on.publication.conflatedOf(session))).toEqual([2, 0]);

    desk.congested = false;
    on.publication.drained(desk.session);
    expect(desk.received[0]!.get(270)).toBe('1.0788262');
    expect(desk.taken()).toEqual(['W M1 EUR/USD']);
    on.tick('EUR/USD', '1.08154', '1.08164');
    on.publication.flush();
    expect(desk.taken()).toEqual(['X M1 EUR/USD']);
  });

  test('that drains in the turn of a tick gets this price once', () => {
    on.ask(desk, {});
    on.publication.flush();
    desk.congested = true;
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    on.tick('EUR/USD', '1.08152', '1.08162');
    desk.congested = false;
    desk.taken();
    on.publication.drained(desk.session);
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD']);
  });

  test('whose connection fills up while it catches up gets no X before the W of that pair', () => {
    const symbols = ['EUR/USD', 'GBP/USD', 'USD/JPY'];
    for (const symbol of symbols) on.tick(symbol, '1.08150', '1.08160');
    on.ask(desk, { symbols, incremental: true });
    desk.room = 1;
    for (const symbol of symbols) on.tick(symbol, '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.taken()).toHaveLength(1);

    desk.congested = false;
    desk.room = Number.POSITIVE_INFINITY;
    on.publication.drained(desk.session);
    expect(desk.taken().map((message) => message.slice(0, 1))).toEqual(['W', 'W']);
    for (const symbol of symbols) on.tick(symbol, '1.08152', '1.08162');
    on.publication.flush();
    expect(desk.taken()).toEqual(symbols.map((symbol) => `X M1 ${symbol}`));
  });

  test('gets its snapshot when it has drained, once', () => {
    desk.congested = true;
    on.ask(desk, { snapshotOnly: true });
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.publication.flush();
    expect(desk.taken()).toEqual([]);

    desk.congested = false;
    on.publication.drained(desk.session);
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD']);
    expect(on.publication.count(desk.session)).toBe(0);
  });

  test('that ends a request before it has caught up gets no more of it', () => {
    on.ask(desk, {});
    on.ask(desk, { mdReqId: 'M2', symbols: ['GBP/USD'] });
    desk.congested = true;
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.publication.flush();
    expect(on.publication.unsubscribe(desk.session, 'M1')).toBe(true);

    desk.congested = false;
    on.publication.drained(desk.session);
    expect(desk.taken()).toEqual(['W M2 GBP/USD']);
  });
});

describe('a request', () => {
  test('of a snapshot is answered with one W for each pair, and is over', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, { symbols: ['EUR/USD', 'GBP/USD'], snapshotOnly: true });
    on.publication.flush();
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD', 'W M1 GBP/USD']);
    expect(on.publication.has(desk.session, 'M1')).toBe(false);
  });

  test('beside another one of the same pair is a stream of its own, and its end leaves the other', () => {
    on.ask(desk, {});
    on.ask(desk, { mdReqId: 'M2', incremental: true, offer: false });
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.publication.flush();
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD', 'W M2 EUR/USD', 'W M1 EUR/USD', 'X M2 EUR/USD']);

    on.publication.unsubscribe(desk.session, 'M1');
    on.tick('EUR/USD', '1.08152', '1.08162');
    on.publication.flush();
    expect(desk.taken()).toEqual(['X M2 EUR/USD']);
  });

  test('that comes in the turn of a tick begins with that price, once', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, {});
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.received.map((message) => message.get(270))).toEqual(['1.0788062']);
  });

  test('is not answered with a price that has become too old', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, {});
    on.publication.flush();
    on.nowMs += on.book.maxAgeMs + 1;
    const late = new HeldDesk();
    on.ask(late, {});
    on.publication.flush();
    expect(late.received.map((message) => message.get(276))).toEqual(['B']);
  });
});

test('ended streams release what they hold, however often streams begin and end and margins change', () => {
  const [legs, cross] = [['EUR/USD', 'NZD/USD'] as const, pairBySymbol('EUR/NZD')!.index];
  for (const leg of legs) on.tick(leg, '0.90000', '0.90010');
  for (let i = 0; i < 1_000; i++) {
    on.ask(desk, { symbols: ['EUR/NZD', 'EUR/USD'], incremental: i % 2 === 0, sourceTime: true });
    on.margins.set('acme', 1_000 + i);
    on.publication.marginsChanged();
    on.publication.flush();
    expect(on.book.bid[cross]).toBeGreaterThan(0);
    if (i % 3 === 0) on.publication.end(desk.session);
    else on.publication.unsubscribe(desk.session, 'M1');
    expect(on.publication.count(desk.session)).toBe(0);
  }
  desk.taken();
  on.nowMs += 501;
  on.publication.rollSpotDates();
  for (const leg of legs) on.tick(leg, '0.90001', '0.90011');
  on.publication.flush();
  expect([on.book.bid[cross], desk.taken()]).toEqual([0, []]);
});

describe('an incremental stream', () => {
  test('calls a price new that follows none, also where the pair is crossed and was not watched meanwhile', () => {
    on.tick('EUR/USD', '1.08000', '1.08010');
    on.tick('NZD/USD', '0.60000', '0.60010');
    const first = new HeldDesk();
    on.ask(first, { symbols: ['EUR/NZD'] });
    on.publication.flush();
    on.publication.end(first.session);
    on.withdraw('NZD/USD');

    on.ask(desk, { symbols: ['EUR/NZD'], incremental: true });
    on.publication.flush();
    expect(desk.received.splice(0).map((message) => message.get(276))).toEqual(['B']);
    on.tick('NZD/USD', '0.60001', '0.60011');
    on.publication.flush();
    expect(desk.received.map((message) => message.all(279))).toEqual([['0', '0']]);
  });

  test('gets a fresh W after a resend, and continues', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, { incremental: true });
    on.publication.flush();
    on.publication.resent(desk.session);
    on.publication.flush();
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(desk.taken()).toEqual(['W M1 EUR/USD', 'W M1 EUR/USD', 'X M1 EUR/USD']);
  });
});

describe('when spot rolls', () => {
  const dates = () => desk.received.splice(0).map((message) => `${message.type} ${message.get(20012)}`);

  test('every stream gets a fresh W with the new date and an entry id of its own', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, {});
    on.ask(desk, { mdReqId: 'M2', incremental: true });
    on.publication.flush();
    const before = desk.received.map((message) => message.get(299));
    expect(dates()).toEqual(['W 20261124', 'W 20261124']);

    on.spotDate = '20261125';
    on.publication.rollSpotDates();
    on.publication.flush();
    expect(desk.received.map((message) => before.includes(message.get(299)))).toEqual([false, false]);
    expect(dates()).toEqual(['W 20261125', 'W 20261125']);
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(dates()).toEqual(['W 20261125', 'X undefined']);
  });

  test('a date that was asked for stays', () => {
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.ask(desk, { valueDate: '20261123' });
    on.publication.flush();
    on.spotDate = '20261125';
    on.publication.rollSpotDates();
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(dates()).toEqual(['W 20261123', 'W 20261123']);
  });

  test('nothing is sent while it does not', () => {
    on.ask(desk, {});
    on.publication.flush();
    desk.taken();
    on.publication.rollSpotDates();
    on.publication.flush();
    expect(desk.taken()).toEqual([]);
  });
});

describe('when margins change', () => {
  test('a stream moves to its new price at once, under an entry id of its own, and others are left alone', () => {
    on.tick('EUR/USD', '1.08158', '1.08164');
    const other = new HeldDesk();
    on.ask(desk, { incremental: true });
    on.ask(other, { clientId: 'other' });
    on.publication.flush();
    const [before] = desk.received.splice(0);
    other.taken();

    on.margins.set('acme', 5_000);
    on.publication.marginsChanged();
    on.publication.flush();
    const [after] = desk.received.splice(0);
    expect([after!.type, after!.all(270)]).toEqual(['W', ['1.0761721', '1.0870754']]);
    expect(after!.get(299)).not.toBe(before!.get(299));
    expect(other.taken()).toEqual([]);
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.publication.flush();
    expect([desk.taken(), other.taken()]).toEqual([['X M1 EUR/USD'], ['W M1 EUR/USD']]);
  });

  test('a margin that leaves no price is no price to that client, and costs the others nothing', () => {
    on.margins.set('acme', 999_999);
    const other = new HeldDesk();
    on.tick('EUR/USD', '1.08158', '1.08164');
    on.ask(desk, {});
    on.ask(other, { clientId: 'other' });
    for (const bid of ['1.08158', '1.08159']) {
      on.tick('EUR/USD', bid, '1.08164');
      on.publication.flush();
    }
    expect(desk.received.map((message) => message.all(276))).toEqual(desk.received.map(() => ['B', 'B']));
    expect(other.received.at(-1)!.all(270)).toEqual(['1.0788860', '1.0843509']);
  });

  test('a client that has lost its pairs loses each request once', () => {
    on.ask(desk, { symbols: ['EUR/USD', 'GBP/USD'] });
    on.ask(desk, { mdReqId: 'M2' });
    on.publication.flush();
    desk.taken();
    on.margins.set('acme', undefined);
    on.publication.marginsChanged();
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    expect(on.lost).toEqual(['M1', 'M2']);
    expect(desk.taken()).toEqual([]);
    expect(on.publication.count(desk.session)).toBe(0);
  });
});

test('wherever the process stalls within a turn, no desk is sent a price older than its SendingTime(52) allows', () => {
  const STANDS_STILL_MS = 6_000;
  let moments = 1;
  for (let at = 1; at <= moments; at++) {
    on = bench();
    let reached = 0;
    const stand = (): void => {
      if (++reached === at) on.nowMs += STANDS_STILL_MS;
    };
    const desks = [1, 2, 3].map(() => new HeldDesk(() => on.nowMs, stand));
    on.book.sweep(500);
    desks[1]!.congested = true;
    on.tick('EUR/USD', '1.08150', '1.08160');
    on.tick('USD/JPY', '150.000', '150.010');
    for (const one of desks) on.ask(one, { symbols: ['EUR/USD', 'USD/JPY'] });
    on.publication.flush();
    desks[1]!.congested = false;
    on.tick('EUR/USD', '1.08151', '1.08161');
    on.publication.flush();
    moments = Math.max(moments, reached);

    // The process continues, and its timers run.
    on.publication.flush();
    on.nowMs += STANDS_STILL_MS;
    on.book.sweep(500);
    on.publication.flush();
    for (const { received } of desks) {
      for (const message of received) {
        const ageMs = message.sentAtMs - 1_000;
        if (message.get(299) !== undefined) expect(ageMs, `moment ${at}`).toBeLessThan(5_000);
      }
      for (const symbol of ['EUR/USD', 'USD/JPY'])
        expect(received.findLast((message) => message.get(55) === symbol)?.get(299), `moment ${at}`).toBeUndefined();
    }
  }
  expect(moments).toBeGreaterThan(20);
});

test('sends no price of a batch that the sweep finds stale before the batch is sent', () => {
  on.book.sweep(500);
  on.ask(desk, {});
  on.publication.flush();
  desk.taken();
  on.tick('EUR/USD', '1.08150', '1.08160');
  on.nowMs += 6_000;
  on.book.sweep(500);
  on.publication.flush();
  expect(desk.received.map((message) => message.get(299))).toEqual([undefined]);
});

describe('a client that is halted', () => {
  const isWithdrawn = (desk: HeldDesk) => desk.received.map((message) => message.all(276).every((one) => one === 'B'));
  const change = (...halted: string[]) => {
    on.halted.clear();
    for (const clientId of halted) on.halted.add(clientId);
    on.publication.statesChanged();
    on.publication.flush();
  };
  const tick = (last: number) => {
    for (const symbol of ['EUR/USD', 'GBP/USD']) on.tick(symbol, `1.0815${last}`, `1.0816${last}`);
    on.publication.flush();
  };

  test('gets one W without a price for each stream, nothing at any tick, and the newest price when it is resumed', () => {
    const other = new HeldDesk();
    tick(0);
    on.ask(desk, { mdReqId: 'M1', symbols: ['EUR/USD', 'GBP/USD'] });
    on.ask(desk, { mdReqId: 'M2', incremental: true });
    on.ask(desk, { mdReqId: 'M3', isLadder: true, incremental: true });
    on.ask(other, { clientId: 'other' });
    on.publication.flush();
    desk.taken();
    other.taken();

    change('acme');
    expect(isWithdrawn(desk)).toEqual([true, true, true, true]);
    expect(desk.taken().sort()).toEqual(['W M1 EUR/USD', 'W M1 GBP/USD', 'W M2 EUR/USD', 'W M3 EUR/USD']);
    for (const last of [1, 2, 3]) tick(last);
    change('acme', 'third');
    expect([desk.taken(), other.taken()]).toEqual([[], ['W M1 EUR/USD', 'W M1 EUR/USD', 'W M1 EUR/USD']]);

    change();
    expect(isWithdrawn(desk)).toEqual([false, false, false, false]);
    expect(new Set(desk.received.map((message) => message.get(270)))).toEqual(new Set(['1.0788262', '1.0788262']));
    expect(desk.taken().sort()).toEqual(['W M1 EUR/USD', 'W M1 GBP/USD', 'W M2 EUR/USD', 'W M3 EUR/USD']);
    tick(4);
    expect(desk.taken().sort()).toEqual(['W M1 EUR/USD', 'W M1 GBP/USD', 'X M2 EUR/USD', 'X M3 EUR/USD']);
    expect(other.taken()).toEqual(['W M1 EUR/USD']);
  });

  test('in the turn of a tick it gets no price of that tick', () => {
    tick(0);
    on.ask(desk, { incremental: true });
    on.publication.flush();
    desk.taken();
    on.tick('EUR/USD', '1.08151', '1.08161');
    change('acme');
    expect([isWithdrawn(desk), desk.taken()]).toEqual([[true], ['W M1 EUR/USD']]);
    on.tick('EUR/USD', '1.08152', '1.08162');
    change();
    expect([isWithdrawn(desk), desk.taken()]).toEqual([[false], ['W M1 EUR/USD']]);
  });

  test('that asks gets a W without a price, and a congested desk gets it when it has drained', () => {
    tick(0);
    change('acme');
    on.ask(desk, {});
    on.publication.flush();
    expect([isWithdrawn(desk), desk.taken()]).toEqual([[true], ['W M1 EUR/USD']]);
    change();
    desk.taken();
    desk.congested = true;
    change('acme');
    expect(desk.taken()).toEqual([]);
    desk.congested = false;
    on.publication.drained(desk.session);
    expect([isWithdrawn(desk), desk.taken()]).toEqual([[true], ['W M1 EUR/USD']]);
  });
});
