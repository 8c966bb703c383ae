import { MessageView } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import type { LadderSide } from '../../engine/domain/money/ladder.js';
import { FixPrices } from '../../engine/rates/feeds/fix-prices.js';
import { indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');

/** `|` for SOH; BodyLength(9) and CheckSum(10) are added. */
function message(msgType: string, body: string): MessageView {
  const inner = `35=${msgType}|34=2|49=LP|52=20251120-00:00:00.250|56=US|${body}|`.replaceAll('|', '\x01');
  const head = `8=FIX.4.4\x019=${inner.length}\x01${inner}`;
  const sum = [...Buffer.from(head, 'latin1')].reduce((all, byte) => all + byte, 0) % 256;
  const bytes = Buffer.from(`${head}10=${String(sum).padStart(3, '0')}\x01`, 'latin1');
  const view = new MessageView();
  expect(view.index(bytes, 0, bytes.length)).toBe(true);
  return view;
}

const levelsOf = ({ count, price, size }: LadderSide): string =>
  [...price.subarray(0, count)].map((scaled, i) => `${size[i]! / 1e6}@${scaled / 1e7}`).join(' ');

/** What came of some messages, as `bid/offer` in decimals, `-` for a withdrawal. */
function provider() {
  const out: string[] = [];
  const sources: number[] = [];
  const sizes: number[] = [];
  const ladders: string[][] = [];
  let spot = 20251124;
  const prices = new FixPrices({
    tick(pair, { bid, offer }, sourceTimeUs) {
      expect(pair).toBe(EURUSD);
      out.push(`${bid.price[0]! / 1e7}/${offer.price[0]! / 1e7}`);
      sizes.push(bid.size[0]!, offer.size[0]!);
      ladders.push([bid, offer].map((side) => levelsOf(side)));
      sources.push(sourceTimeUs);
    },
    withdraw: () => out.push('-'),
    spotDate: () => spot,
    otherDate() {},
    malformed: () => out.push('malformed'),
    unknownPair: () => out.push('unknown'),
  });
  return {
    out,
    sources,
    sizes,
    /** `size@price ...` of bids and of offers, best first. */
    ladders,
    /** SettlDate(64) of spot from now on. */
    rolls(date: number) {
      spot = date;
    },
    W: (body: string, asked = -1) => prices.snapshot(message('W', body), asked),
    X: (body: string, asked = -1) => prices.incremental(message('X', body), asked),
  };
}

const SNAPSHOT = '262=r|55=EUR/USD|268=2|269=0|270=1.08431|271=1000000|269=1|270=1.08433|271=2000000.00';

test('W is the whole price; a side that is missing is a withdrawal', () => {
  const { W, out, sizes } = provider();
  W(SNAPSHOT);
  W('262=r|55=EUR/USD|268=1|269=0|270=1.08431|271=1000000');
  W('262=r|55=EUR/USD|268=2|269=0|270=0|271=0|276=B|269=1|270=0|271=0|276=B');
  W('262=r|55=EUR/USD|268=0');
  expect(out).toEqual(['1.08431/1.08433', '-', '-', '-']);
  expect(sizes).toEqual([1_000_000, 2_000_000]);
});

test('the levels of a W require neither ids nor positions nor an order', () => {
  const { W, X, out } = provider();
  W(
    '55=EUR/USD|268=5|269=0|270=1.38897|271=8|269=0|270=1.38898|271=2|269=0|270=1.38854|269=1|270=1.38900|269=1|270=1.38899',
  );
  X('268=1|279=1|269=0|55=EUR/USD|270=1.38850|271=1');
  expect(out).toEqual(['1.38898/1.38899', '1.3885/1.38899']);
});

test('X changes, renames and deletes; the best of each side is the price', () => {
  const { W, X, out } = provider();
  W(SNAPSHOT);
  X('262=r|268=1|279=1|269=0|278=b1|55=EUR/USD|270=1.08430|271=1');
  X('262=r|268=1|279=0|269=0|278=b2|55=EUR/USD|270=1.08432|271=1');
  X('262=r|268=1|279=2|269=0|278=b2|55=EUR/USD');
  X('262=r|268=2|279=1|269=0|278=b1|55=EUR/USD|270=1.08440|279=0|269=1|278=o1|55=EUR/USD|270=1.08442');
  X('262=r|268=1|279=2|278=o1|55=EUR/USD');
  expect(out).toEqual([
    '1.08431/1.08433',
    '1.0843/1.08433',
    '1.08432/1.08433',
    '1.0843/1.08433',
    '1.0844/1.08442',
    '-',
  ]);
});

test('X without MDEntryID(278) is applied by side and position', () => {
  const { W, X, out } = provider();
  W(SNAPSHOT);
  X('262=r|268=1|279=1|269=0|55=EUR/USD|270=1.08429|271=1');
  X('262=r|268=1|279=0|269=0|55=EUR/USD|270=1.08420|271=5|290=2');
  X('262=r|268=1|279=2|269=0|55=EUR/USD');
  expect(out).toEqual(['1.08431/1.08433', '1.08429/1.08433', '1.08429/1.08433', '1.0842/1.08433']);
});

test('without Symbol(55) the pair is the one of the request', () => {
  const { W, X, out } = provider();
  W('262=r|268=2|269=0|270=1.1|271=1|269=1|270=1.2|271=1', EURUSD);
  X('262=r|268=1|279=1|269=1|270=1.19|271=1', EURUSD);
  X('262=r|268=1|279=1|269=1|270=1.19|271=1');
  W('262=r|55=XAU/USD|268=0', EURUSD);
  expect(out).toEqual(['1.1/1.2', '1.1/1.19', 'unknown', 'unknown']);
});

test('counts an invalid price and does not use it', () => {
  const { W, out } = provider();
  W('262=r|55=EUR/USD|268=2|269=0|270=1,1|271=1|269=1|270=1.2|271=1');
  expect(out).toEqual(['malformed', '-']);
});

test('drops bands above the maximum', () => {
  const { W, out } = provider();
  const bands = Array.from({ length: 262 }, (_, i) => `269=0|270=1.0${100 + i}|271=1|290=${i}`).join('|');
  W(`262=r|55=EUR/USD|268=262|${bands}`);
  expect(out.filter((what) => what === 'malformed').length).toBe(6);
});

test('the source time is MDEntryTime(273), of the day before just after midnight, else SendingTime(52)', () => {
  const { W, sources } = provider();
  const at = (time: string) => W(`262=r|55=EUR/USD|268=2|269=0|270=1.1|271=1|${time}269=1|270=1.2|271=1`);
  at('');
  at('272=20251119|273=23:59:59.900|');
  at('273=23:59:59.900|');
  at('273=00:00:00.123456|');
  const midnight = Date.UTC(2025, 10, 20) * 1000;
  expect(sources.map((us) => us - midnight)).toEqual([250_000, -100_000, -100_000, expect.closeTo(123_456, -3)]);
});

test('the levels of a side are its entries in order of price, of a W and after each X', () => {
  const { W, X, ladders } = provider();
  W(
    '55=EUR/USD|268=5|269=0|270=1.1|271=1000000|290=1|269=0|270=1.0999|271=2000000|290=2|269=0|270=1.0997|271=3000000|290=3|' +
      '269=1|270=1.1001|271=1000000|290=1|269=1|270=1.1003|271=4000000|290=2',
  );
  X('268=1|279=1|269=0|55=EUR/USD|270=1.09995|271=2000000|290=2');
  X('268=2|279=2|269=0|55=EUR/USD|290=3|279=0|269=1|55=EUR/USD|270=1.1002|271=500000|290=3');
  W(
    '55=EUR/USD|268=4|269=0|270=1.0999|271=2000000|269=0|270=1.1|271=1000000|269=1|270=1.1001|271=7|269=1|270=1.1001|271=1000000',
  );
  // Without id and position an update is the side's one price.
  X('268=1|279=1|269=0|55=EUR/USD|270=1.1|271=5000000');
  expect(ladders).toEqual([
    ['1@1.1 2@1.0999 3@1.0997', '1@1.1001 4@1.1003'],
    ['1@1.1 2@1.09995 3@1.0997', '1@1.1001 4@1.1003'],
    ['1@1.1 2@1.09995', '1@1.1001 0.5@1.1002 4@1.1003'],
    ['1@1.1 2@1.0999', '0.000007@1.1001 1@1.1001'],
    ['5@1.1', '0.000007@1.1001 1@1.1001'],
  ]);
});

test('an entry for another date than spot is no price, and takes none away', () => {
  const { W, X, out, ladders } = provider();
  W(
    '55=EUR/USD|268=4|269=0|270=1.1|271=1000000|64=20251124|290=1|269=0|270=1.2|271=1000000|64=20251224|290=1|' +
      '269=1|270=1.1001|271=1000000|290=1|269=1|270=1.05|271=1000000|64=20251224|290=2',
  );
  X('268=1|279=2|269=0|55=EUR/USD|64=20251224|290=1');
  expect(out).toEqual(['1.1/1.1001', '1.1/1.1001']);
  expect(ladders[1]).toEqual(['1@1.1', '1@1.1001']);
});

/** An X of entries by id: `action id side price date`. */
const X_OF = (...entries: string[]): string =>
  `268=${entries.length}|${entries
    .map((entry) => {
      const [action, id, side, price, date] = entry.split(' ');
      const more = `${price === '-' ? '' : `|270=${price}|271=5000000`}${date ? `|64=${date}` : ''}`;
      return `279=${action}|278=${id}|269=${side}|55=EUR/USD${more}`;
    })
    .join('|')}`;

test('when the spot date moves on, an entry for the date before is a level no more, changed or not', () => {
  const { X, rolls, ladders, out } = provider();
  X(X_OF('0 b1 0 1.1 20251124', '0 b2 0 1.089 20251125', '0 o1 1 1.1001 20251124', '0 o2 1 1.0891 20251125'));
  rolls(20251125);
  X(X_OF('1 b1 0 1.0999 20251124'));
  X(X_OF('1 b2 0 1.088'));
  X(X_OF('2 b1 0 - 20251124', '2 o1 1 - 20251124'));
  expect(ladders).toEqual([
    ['5@1.1', '5@1.1001'],
    ['5@1.089', '5@1.0891'],
    ['5@1.088', '5@1.0891'],
    ['5@1.088', '5@1.0891'],
  ]);
  rolls(20251126);
  X(X_OF('2 b1 0 -'));
  expect(out.at(-1)).toBe('-');
});

test('entries by position for the date before are levels no more', () => {
  const { W, X, rolls, ladders, out } = provider();
  W('55=EUR/USD|268=2|269=0|270=1.1|271=1000000|64=20251124|290=1|269=1|270=1.2|271=1000000|64=20251124|290=1');
  rolls(20251125);
  X('268=1|279=1|269=0|55=EUR/USD|270=1.1|64=20251124|290=1');
  expect(out).toEqual(['1.1/1.2', '-']);
  X(
    '268=2|279=1|269=0|55=EUR/USD|270=1.3|271=2000000|64=20251125|290=1|279=1|269=1|55=EUR/USD|270=1.4|271=2000000|64=20251125|290=1',
  );
  expect(ladders.at(-1)).toEqual(['2@1.3', '2@1.4']);
});

test('a change without a date of an entry for another date is no price for spot', () => {
  const { X, ladders } = provider();
  X(X_OF('0 b1 0 1.1', '0 o1 1 1.2', '0 b2 0 1.15 20251224'));
  X(X_OF('1 b2 0 1.16'));
  expect(ladders).toEqual([
    ['5@1.1', '5@1.2'],
    ['5@1.1', '5@1.2'],
  ]);
});

test('entries for other dates make room for those for spot', () => {
  const { X, ladders, out } = provider();
  X(X_OF(...Array.from({ length: 256 }, (_, i) => `0 x${i} 0 1.3 20251224`)));
  X(X_OF('0 b1 0 1.1 20251124', '0 o1 1 1.2 20251124'));
  expect(ladders).toEqual([['5@1.1', '5@1.2']]);
  expect(out).not.toContain('malformed');
});

test('a stated size of 0 is no level, and one that is none is malformed', () => {
  const { W, X, out, ladders } = provider();
  W('55=EUR/USD|268=4|269=0|270=1.1|271=0|269=0|270=1.09|271=5000000|269=1|270=1.2|269=1|270=1.3|271=0.5');
  X('268=1|279=0|278=b9|269=0|55=EUR/USD|270=1.1|271=1E6');
  W('55=EUR/USD|268=3|269=0|270=1.1|271=-5|269=0|270=1.09|271=5000000|269=1|270=1.2');
  W('55=EUR/USD|268=2|269=0|270=1.1|271=0|269=1|270=1.2|271=1');
  expect(out).toEqual(['1.09/1.2', 'malformed', '-', 'malformed', '1.09/1.2', '-']);
  expect(ladders).toEqual([
    ['5@1.09', '0@1.2'],
    ['5@1.09', '0@1.2'],
  ]);
});

test('a change that gives the entry of MDEntryRefID(280) another id replaces it', () => {
  const { X, ladders } = provider();
  X(X_OF('0 b1 0 1.1', '0 o1 1 1.2'));
  X('268=1|279=1|278=b2|280=b1|269=0|55=EUR/USD|270=1.09');
  X('268=1|279=1|280=b2|55=EUR/USD|270=1.08');
  // Of a new entry it names the one that it comes before.
  X('268=1|279=0|278=b3|280=b2|269=0|55=EUR/USD|270=1.07|271=1000000');
  X('268=1|279=2|278=b2|55=EUR/USD');
  expect(ladders.map(([bids]) => bids)).toEqual(['5@1.1', '5@1.09', '5@1.08', '5@1.08 1@1.07', '1@1.07']);
});

test('an id beyond 120 characters is malformed', () => {
  const { X, out, ladders } = provider();
  X(X_OF('0 b1 0 1.1', '0 o1 1 1.2', `0 ${'x'.repeat(130)} 0 1.15`));
  X(X_OF(`0 ${'x'.repeat(120)} 0 1.12`));
  expect(out.slice(0, 1)).toEqual(['malformed']);
  expect(ladders.at(-1)).toEqual(['5@1.12 5@1.1', '5@1.2']);
});

test.each(['B', 'I', 'A B', 'F I'])('QuoteCondition(276)=%s: not tradeable, or not firm, is no price', (condition) => {
  const { X, ladders, out } = provider();
  X(X_OF('0 b1 0 1.1', '0 b2 0 1.09', '0 o1 1 1.2'));
  X(`268=1|279=1|278=b1|269=0|55=EUR/USD|270=1.1|276=${condition}`);
  X('268=1|279=1|278=b2|269=0|55=EUR/USD|270=1.09|276=A F');
  X(`268=1|279=1|278=b2|269=0|55=EUR/USD|270=1.09|276=${condition}`);
  expect(ladders.map(([bids]) => bids)).toEqual(['5@1.1 5@1.09', '5@1.09', '5@1.09']);
  expect(out.at(-1)).toBe('-');
});

test('without Symbol(55) an entry of X is of the pair of the entry before it', () => {
  const { X, out } = provider();
  X('268=2|279=0|269=0|278=b1|55=EUR/USD|270=1.1|271=1|279=0|269=1|278=o1|270=1.2|271=1');
  X('268=2|279=2|269=0|278=b1|55=EUR/USD|279=2|269=1|278=o1');
  X('268=2|279=0|269=0|278=x1|55=XAU/USD|270=1.1|279=0|269=0|278=b2|270=1.15');
  X('268=1|279=0|269=0|278=b3|55=EUR/USD|270=1.11|271=1');
  expect(out).toEqual(['1.1/1.2', '-', 'unknown', 'unknown', '-']);
  // A known id says the pair.
  X('268=1|279=0|269=1|278=o3|55=EUR/USD|270=1.2|271=1');
  X('268=1|279=1|278=b3|270=1.12');
  X('268=2|279=2|278=x1|55=XAU/USD|279=2|278=b3');
  expect(out.slice(5)).toEqual(['1.11/1.2', '1.12/1.2', 'unknown', '-']);
});

test('a change or deletion of what is not known ends what the side has under names of another kind', () => {
  const levels = '55=EUR/USD|268=3|269=0|270=1.1|271=1000000|269=0|270=1.09|271=1000000|269=1|270=1.2|271=1000000';
  const positions =
    '55=EUR/USD|268=3|269=0|270=1.1|271=1000000|290=1|269=0|270=1.09|271=1000000|290=2|269=1|270=1.2|271=1000000|290=1';
  const after = (first: string, update: string): string => {
    const { W, X, ladders, out } = provider();
    W(first);
    X(`268=1|${update}`);
    return out.at(-1) === '-' ? '-' : ladders.at(-1)![0]!;
  };
  expect(after(levels, '279=1|269=0|55=EUR/USD|270=1.08|271=2000000|290=1')).toBe('2@1.08');
  expect(after(levels, '279=2|269=0|55=EUR/USD|290=2')).toBe('-');
  expect(after(levels, '279=2|278=b1|55=EUR/USD')).toBe('-');
  expect(after(positions, '279=1|269=0|55=EUR/USD|270=1.08|271=2000000')).toBe('2@1.08');
  expect(after(positions, '279=2|269=0|55=EUR/USD')).toBe('-');
  expect(after(positions, '279=2|269=0|55=EUR/USD|290=3')).toBe('1@1.1 1@1.09');
  const { X, ladders, out } = provider();
  X(X_OF('0 b1 0 1.1', '0 b2 0 1.09', '0 o1 1 1.2'));
  X(X_OF('2 b9 0 -'));
  X('268=1|279=1|269=0|55=EUR/USD|270=1.08|271=2000000');
  expect(ladders.map(([bids]) => bids)).toEqual(['5@1.1 5@1.09', '5@1.1 5@1.09', '2@1.08']);
  X('268=1|279=2|269=0|55=EUR/USD|290=1');
  expect(out.at(-1)).toBe('-');
});
