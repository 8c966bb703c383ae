import { describe, expect, test } from 'vitest';
import { bookWithClock, indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');

/** A book with two providers, and a short way to tick: prices in scaled units around 13,900,000. */
function desk() {
  const made = bookWithClock({ maxAgeMs: 5_000, maxJumpPercent: 1, maxSpreadPercent: 1 });
  const a = made.book.registerProvider('A');
  const b = made.book.registerProvider('B');
  let source = 0;
  const tick = (provider: number, bid: number, offer: number, sourceTimeUs = ++source, sequence = 0) =>
    made.book.tick(provider, EURUSD, bid, offer, 1e6, 1e6, sourceTimeUs, sequence);
  const price = () => [made.book.bid[EURUSD], made.book.offer[EURUSD]];
  return { ...made, a, b, tick, price };
}

describe('one provider', () => {
  test.each([
    // bid         offer       refused for
    [13_900_000, 13_900_200, undefined],
    [13_900_000, 13_900_000, undefined],
    [13_900_001, 13_900_000, 'crossed'],
    [0, 13_900_000, 'negative'],
    [-1, 13_900_000, 'negative'],
    [Number.NaN, 13_900_000, 'negative'],
    [13_900_000, Number.NaN, 'negative'],
    [13_900_000, 14_100_000, 'spread'],
  ] as const)('a tick of %d / %d', (bid, offer, refusal) => {
    const { book, tick, a, price, changes } = desk();
    tick(a, bid, offer);
    expect(price()).toEqual(refusal ? [0, 0] : [bid, offer]);
    expect(changes.length).toBe(refusal ? 0 : 1);
    if (refusal) expect(book.refused[refusal]).toBe(1);
  });

  test('keeps the last good price on a rejected tick', () => {
    const { tick, a, price } = desk();
    tick(a, 100_000, 100_010);
    tick(a, 100_020, 100_010);
    expect(price()).toEqual([100_000, 100_010]);
  });

  test('notifies only a change of bid, offer or sizes', () => {
    const { book, tick, a, changes } = desk();
    tick(a, 100_000, 100_010);
    tick(a, 100_000, 100_010);
    expect(changes).toEqual(['100000/100010']);
    book.tick(a, EURUSD, 100_000, 100_010, 2e6, 1e6, 99, 0);
    expect(changes.length).toBe(2);
  });

  test('drops a tick that is older by its own time or number, until the present price is stale', () => {
    const { book, clock, tick, a, price } = desk();
    tick(a, 100_000, 100_010, 1000, 7);
    tick(a, 100_001, 100_011, 999, 8);
    tick(a, 100_002, 100_012, 1000, 7);
    tick(a, 100_003, 100_013, 1000, 6);
    expect(book.refused.order).toBe(3);
    expect(price()).toEqual([100_000, 100_010]);
    clock.ms += 5_001;
    tick(a, 100_004, 100_014, 999, 1);
    expect(price()).toEqual([100_004, 100_014]);
  });

  test('after a stall, input that is read before the sweep is as old as the last one', () => {
    const { book, clock, tick, a, price, changes } = desk();
    const stalls: number[] = [];
    book.onStall((ms) => stalls.push(ms));
    book.sweep(500);
    tick(a, 100_000, 100_010);
    clock.ms += 500;
    tick(a, 100_001, 100_011);
    expect(book.read(EURUSD)).toMatchObject({ bid: 100_001, ageMs: 0 });

    clock.ms += 100;
    tick(a, 100_002, 100_012);
    expect(book.read(EURUSD)).toMatchObject({ bid: 100_002, ageMs: 600 });
    // What the relay says of its own age is true.
    book.readAgeMs = 7;
    tick(a, 100_003, 100_013);
    expect(book.read(EURUSD)).toMatchObject({ bid: 100_003, ageMs: 7 });
    expect(book.sweepIfLate()).toBe(true);
    book.sweep(500);
    expect(book.sweepIfLate()).toBe(false);
    tick(a, 100_004, 100_014);
    expect(book.read(EURUSD)).toMatchObject({ bid: 100_004, ageMs: 0 });
    expect(stalls).toEqual([]);

    changes.length = 0;
    clock.ms += 5_001;
    tick(a, 100_005, 100_015);
    tick(a, 100_006, 100_016);
    expect(price()).toEqual([0, 0]);
    expect(changes).toEqual(['0/0']);
    book.sweep(500);
    expect(stalls).toEqual([5_001]);
    tick(a, 100_007, 100_017);
    expect(price()).toEqual([100_007, 100_017]);
  });

  test('stale after the bound, not at it; a sweep withdraws, and reports it once', () => {
    const { book, clock, tick, a, changes, price } = desk();
    tick(a, 100_000, 100_010);
    clock.ms += 5_000;
    book.sweep();
    expect(book.read(EURUSD)).toMatchObject({ bid: 100_000, ageMs: 5_000, crossed: false });
    clock.ms += 1;
    book.sweep();
    book.sweep();
    expect(book.read(EURUSD)).toBeUndefined();
    expect(price()).toEqual([0, 0]);
    expect(changes).toEqual(['100000/100010', '0/0']);
    expect(book.stalePairs).toBe(1);
  });

  test('read returns no stale price even before the sweep', () => {
    const { book, clock, tick, a } = desk();
    tick(a, 100_000, 100_010);
    clock.ms += 5_001;
    expect(book.read(EURUSD)).toBeUndefined();
  });

  test('adds the age of an arriving tick, once', () => {
    const { book, clock, tick, a } = desk();
    book.readAgeMs = 4_000;
    tick(a, 100_000, 100_010);
    clock.ms += 1_001;
    expect(book.read(EURUSD)).toBeUndefined();
    tick(a, 100_000, 100_010);
    expect(book.read(EURUSD)?.ageMs).toBe(0);
  });
});

describe('a jump', () => {
  test('waits for a second tick near the new level', () => {
    const { book, tick, a, price } = desk();
    tick(a, 100_000, 100_010);
    tick(a, 102_000, 102_010);
    expect(price()).toEqual([100_000, 100_010]);
    expect(book.refused.jump).toBe(1);
    tick(a, 102_020, 102_030);
    expect(price()).toEqual([102_020, 102_030]);
  });

  test('is dropped when the next tick is at the old level', () => {
    const { book, tick, a, price } = desk();
    tick(a, 100_000, 100_010);
    tick(a, 110_000, 110_010);
    tick(a, 100_001, 100_011);
    tick(a, 110_000, 110_010);
    expect(price()).toEqual([100_001, 100_011]);
    expect(book.refused.jump).toBe(2);
  });

  test('is confirmed by another provider', () => {
    const { tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 102_000, 102_010);
    tick(a, 102_001, 102_011);
    expect(price()).toEqual([102_001, 102_010]);
  });

  test('is confirmed by another provider that awaits confirmation there', () => {
    const { tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 100_000, 100_010);
    tick(b, 102_000, 102_010);
    tick(a, 102_001, 102_011);
    expect(price()).toEqual([102_001, 102_011]);
  });

  test('is none on a new connection', () => {
    const { book, tick, a, price } = desk();
    tick(a, 100_000, 100_010, 50);
    book.providerUp(a);
    tick(a, 110_000, 110_010, 1);
    expect(price()).toEqual([110_000, 110_010]);
  });
});

describe('two providers', () => {
  test('best bid and best offer', () => {
    const { tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 100_005, 100_020);
    expect(price()).toEqual([100_005, 100_010]);
  });

  test('crossed against each other: the newer alone, until they uncross', () => {
    const { tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 100_015, 100_025);
    expect(price()).toEqual([100_015, 100_025]);
    tick(a, 100_001, 100_011);
    expect(price()).toEqual([100_001, 100_011]);
    tick(a, 100_012, 100_022);
    expect(price()).toEqual([100_015, 100_022]);
  });

  test('one goes down: the other alone, at once', () => {
    const { book, tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 100_005, 100_020);
    book.providerDown(b);
    expect(price()).toEqual([100_000, 100_010]);
    book.providerDown(a);
    expect(price()).toEqual([0, 0]);
    expect(book.providers().map((p) => p.up)).toEqual([false, false]);
  });

  test('one goes stale: the other alone, on a read as on a sweep', () => {
    const { book, clock, tick, a, b } = desk();
    tick(a, 100_000, 100_010);
    clock.ms += 4_000;
    tick(b, 99_990, 100_020);
    clock.ms += 2_000;
    expect(book.read(EURUSD)).toMatchObject({ bid: 99_990, offer: 100_020, ageMs: 2_000 });
  });

  test('a withdrawn price', () => {
    const { book, tick, a, b, price } = desk();
    tick(a, 100_000, 100_010);
    tick(b, 100_005, 100_020);
    book.withdraw(b, EURUSD);
    expect(price()).toEqual([100_000, 100_010]);
  });

  test('seeded ticks of three providers: the price is never crossed, and a provider quotes each side', () => {
    const { book, tick, a, b, price } = desk();
    const c = book.registerProvider('C');
    const standing = new Map<number, [number, number]>();
    let seed = 1;
    for (let i = 0; i < 5_000; i++) {
      seed = (seed * 48_271) % 2_147_483_647;
      const provider = [a, b, c][seed % 3];
      const bid = 100_000 + (seed % 40);
      const offer = bid - 5 + (seed % 13);
      tick(provider, bid, offer);
      if (offer >= bid) standing.set(provider, [bid, offer]);
      const [best, lowest] = price();
      expect(best).toBeLessThanOrEqual(lowest);
      if (best === 0) continue;
      expect([...standing.values()].map((quote) => quote[0])).toContain(best);
      expect([...standing.values()].map((quote) => quote[1])).toContain(lowest);
    }
  });
});

describe('a halt', () => {
  const halted = (...symbols: string[]) => new Set(symbols.map(indexOf));

  test('withdraws the price, reports it once, and restores the newest one', () => {
    const { book, tick, a, price, changes } = desk();
    tick(a, 100_000, 100_010);
    book.halt(halted('EUR/USD'));
    expect([price(), book.read(EURUSD), book.isHalted(EURUSD), book.haltedPairs]).toEqual([[0, 0], undefined, true, 1]);
    tick(a, 100_001, 100_011);
    tick(a, 100_002, 100_012);
    book.sweep();
    book.watch(EURUSD);
    expect([price(), book.read(EURUSD)]).toEqual([[0, 0], undefined]);
    expect(changes).toEqual(['100000/100010', '0/0']);
    expect([book.stalePairs, book.quotedBy(EURUSD)]).toEqual([0, ['A']]);

    book.halt(new Set());
    expect([price(), book.isHalted(EURUSD)]).toEqual([[100_002, 100_012], false]);
    expect(changes.at(-1)).toBe('100002/100012');
  });

  test('repeated changes nothing', () => {
    const { book, tick, a, changes } = desk();
    tick(a, 100_000, 100_010);
    for (let i = 0; i < 3; i++) book.halt(halted('EUR/USD'));
    for (let i = 0; i < 3; i++) book.halt(new Set());
    expect(changes).toEqual(['100000/100010', '0/0', '100000/100010']);
  });

  test('a price that has become too old meanwhile is not restored', () => {
    const { book, clock, tick, a, price } = desk();
    tick(a, 100_000, 100_010);
    book.halt(halted('EUR/USD'));
    clock.ms += 5_001;
    book.halt(new Set());
    expect([price(), book.read(EURUSD), book.quotedBy(EURUSD), book.stalePairs]).toEqual([[0, 0], undefined, [], 1]);
  });
});
