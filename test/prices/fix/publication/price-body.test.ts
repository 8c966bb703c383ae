import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMargin, formatScaled } from '../../../../engine/domain/money/money.js';
import { writeSourceTime } from '../../../../engine/fix/publication/price-batch.js';
import { type BodyFrame, PriceBody, SOURCE_TIME_LENGTH } from '../../../../engine/fix/publication/price-body.js';

const frame = (form: 'W' | 'X', tail: string, sourceTime: boolean): BodyFrame => {
  const heads = (action: string) =>
    ['0', '1'].map((side) => (form === 'W' ? `269=${side}\x01270=` : `279=${action}\x01269=${side}\x01270=`));
  const entryHeads = heads('1');
  return {
    head: '268=2\x01',
    entryHeads,
    newEntryHeads: form === 'W' ? entryHeads : heads('0'),
    withdrawnEntryHeads: form === 'W' ? entryHeads : heads('2'),
    currency: '15=EUR\x01271=',
    tail,
    digits: 7,
    sides: 'both',
    showsMargin: false,
    afterMargin: '',
    sourceTime,
  };
};

interface Price {
  readonly bid: number;
  readonly offer: number;
  readonly size: number;
  readonly sequence: number;
  readonly micros: number;
  readonly isNew: boolean;
  readonly epoch: string;
  readonly marginPpm: number;
}

const EPOCHS = new Map(['e7a1', 'e7a2', 'x'].map((epoch) => [epoch, Buffer.from(epoch)] as const));

/** The same body the plain way: text put together anew each time. */
function plainly(of: BodyFrame, price: Price): string {
  const heads = price.isNew ? of.newEntryHeads : of.entryHeads;
  const entries = heads.map(
    (head, i) =>
      `${head}${formatScaled(i === 0 ? price.bid : price.offer, of.digits)}\x01${of.currency}${price.size}\x01` +
      `276=A\x01299=${price.epoch}.${price.sequence.toString(36)}\x01`,
  );
  const margin = of.showsMargin ? `20003=${formatMargin(price.marginPpm)}\x01` : '';
  const time = of.sourceTime ? `20017=${sourceTimeText(price.micros)}\x01` : '';
  return of.head + entries.join('') + of.tail + margin + of.afterMargin + time;
}

function sourceTimeText(micros: number): string {
  const iso = new Date(Math.floor(micros / 1000)).toISOString();
  const day = iso.slice(0, 10).replaceAll('-', '');
  return `${day}-${iso.slice(11, 23)}${String(micros % 1000).padStart(3, '0')}`;
}

const price = fc.record({
  // From one digit to ten, so that lengths change, and runs of neighbours, so that they do not.
  bid: fc.oneof(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 10_000_000, max: 10_000_100 })),
  offer: fc.oneof(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 10_000_000, max: 10_000_100 })),
  size: fc.constantFrom(1_000_000, 1_000_000, 500_000),
  sequence: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 40 })),
  micros: fc.integer({ min: 1_600_000_000_000_000, max: 1_900_000_000_000_000 }),
  isNew: fc.constantFrom(false, false, false, true),
  epoch: fc.constantFrom('e7a1', 'e7a1', 'e7a2', 'x'),
  marginPpm: fc.oneof(fc.constant(2_500), fc.integer({ min: 0, max: 999_999 })),
});

test('a body overwritten in place is the body built anew, with its byte sum', () => {
  const shown = { ...frame('W', '20012=20261124\x01', true), showsMargin: true, afterMargin: '20004=1.08164\x01' };
  const frames = [
    ...[frame('W', '20012=20261124\x01', true), frame('W', '', false), frame('X', '', true)],
    ...[shown, { ...shown, sourceTime: false, afterMargin: '' }],
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...frames),
      fc.array(fc.option(price, { freq: 8 }), { minLength: 2, maxLength: 30 }),
      (of, prices) => {
        const body = new PriceBody();
        const sourceTime = new Uint8Array(SOURCE_TIME_LENGTH);
        for (const p of prices) {
          if (p === null) {
            const text = textOf(body.withdrawn(of));
            expect(text).toContain('270=0\x0115=EUR\x01271=0\x01276=B\x01');
            expect(text).not.toContain('299=');
            continue;
          }
          writeSourceTime(sourceTime, p.micros);
          body.begin(of, p.isNew, p.size, p.size, p.sequence, sourceTime);
          // Two tiers of one price, and back to the first.
          body.forTier(p.bid, p.offer, EPOCHS.get(p.epoch)!, p.marginPpm);
          body.forTier(p.bid + 7, p.offer + 11, EPOCHS.get('e7a2')!, p.marginPpm + 5);
          const shared = body.forTier(p.bid, p.offer, EPOCHS.get(p.epoch)!, p.marginPpm);
          expect(textOf(shared)).toBe(plainly(of, p));
          expect(shared.sum).toBe(shared.bytes.subarray(0, shared.length).reduce((sum, byte) => sum + byte, 0));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('one side alone', () => {
  const both = frame('W', '', false);
  const offerOnly: BodyFrame = {
    ...both,
    sides: 'offer',
    entryHeads: ['269=1\x01270='],
    newEntryHeads: ['269=1\x01270='],
    withdrawnEntryHeads: ['269=1\x01270='],
  };
  const body = new PriceBody();
  for (const offer of [10_843_509, 10_843_510, 9_999_999]) {
    body.begin(offerOnly, false, 5, 1_000_000, 41, new Uint8Array(24));
    const shared = body.forTier(1, offer, EPOCHS.get('e7a1')!, 2_500);
    expect(textOf(shared)).toBe(
      `268=2\x01269=1\x01270=${formatScaled(offer, 7)}\x0115=EUR\x01271=1000000\x01276=A\x01299=e7a1.15\x01`,
    );
  }
});

function textOf(shared: { bytes: Uint8Array; length: number; filled(): Uint8Array }): string {
  return Buffer.from(shared.filled()).toString('latin1');
}
