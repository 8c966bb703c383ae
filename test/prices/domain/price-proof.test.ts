/** The stored proof of a price: what it keeps, in how many bytes, and the price that follows from it. */
import { describe, expect, test } from 'vitest';
import { PAIRS, type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import { clientBid, clientOffer, crossBid, crossLegs, crossOffer } from '../../../engine/domain/money/rate.js';
import {
  PRICE_WAYS,
  PROOF_BYTES,
  type PriceProof,
  type ProofLeg,
  priceProof,
  proofText,
  recomputePrice,
} from '../../../engine/domain/prices/price-proof.js';
import { random } from '../../domain/random.js';
import { cases } from '../../support/sizes.js';

const CASES = cases(2_000, 20_000);

const EURUSD = pairBySymbol('EUR/USD')!;
const EURJPY = pairBySymbol('EUR/JPY')!;
const USDJPY = pairBySymbol('USD/JPY')!;

const leg = (pair: Pair, isBid: boolean, own: Partial<ProofLeg> = {}): ProofLeg => ({
  pair,
  isBid,
  provider: 'LP-1',
  quoteId: 'Q-20260131-000123456',
  sourceTimeUs: 1_763_625_600_123_456,
  price: 11_000_000,
  runnerUp: { provider: 'LP-2', price: 10_999_800 },
  ...own,
});

const PROOF: PriceProof = {
  way: 'market',
  legs: [leg(EURUSD, true)],
  levels: 1,
  ageMs: 137,
  spread: 300,
  size: 250_000.25,
  isMost: false,
  scope: { client: true, pair: true, type: false, above: 100_000 },
  rulePpm: 2_500,
  platformPpm: 0,
  skewPpm: -120,
  wideningPpm: 45,
  spreadPpm: 7,
  addOnPpm: 200,
  floorPpm: 0,
  priceDigits: 7,
  engine: '0123abcd',
  epoch: 1_763_625_000,
};

describe('the text of a proof', () => {
  test.each<[string, PriceProof, Pair]>([
    ['of a market price', PROOF, EURUSD],
    ['of a sub-client', { ...PROOF, platformPpm: 700 }, EURUSD],
    [
      'of a cross',
      { ...PROOF, legs: [leg(EURUSD, true), leg(USDJPY, true, { sourceTimeUs: 1_763_625_599_000_001 })] },
      EURJPY,
    ],
    [
      'without a runner-up, an id, a time and a size',
      {
        ...PROOF,
        size: 0,
        isMost: true,
        legs: [leg(EURUSD, true, { quoteId: '', sourceTimeUs: 0, runnerUp: undefined })],
      },
      EURUSD,
    ],
    ['of quotes that were no longer known', { ...PROOF, legs: [] }, EURUSD],
    ['of a hold that is worth more than its margin', { ...PROOF, floorPpm: 887 }, EURUSD],
    ['without a rule', { ...PROOF, scope: undefined }, EURUSD],
    [
      'of a streamed price up to a size',
      { ...PROOF, way: 'streamed', size: 5_000_000, isMost: true, levels: 3 },
      EURUSD,
    ],
    [
      'of nothing but zeros',
      { ...PROOF, ageMs: 0, rulePpm: 0, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, addOnPpm: 0 },
      EURUSD,
    ],
  ])('%s is read as it was written', (_, proof, pair) => {
    const text = proofText(proof);
    expect(text.length).toBeLessThanOrEqual(PROOF_BYTES);
    expect(priceProof(text, pair, true)).toEqual(proof);
  });

  test('is as this for years: records have it', () => {
    expect(proofText(PROOF)).toBe(
      'm7 0123abcd t60lrc 3t:8c  5cwg.25 61xg>255s -3c,19,7,5k LP-1 Q-20260131-000123456 hd5ieyulhc 6jrnk LP-2 -5k',
    );
  });

  test('another text is an error', () => {
    for (const text of ['', 'x', 'm7', 'z7 a b c d e 60', 'm 1 2 3 4 5 60', '{}'])
      expect(() => priceProof(text, EURUSD, true)).toThrow(TypeError);
  });
});

const next = random(17);
const whole = (end: number) => Math.floor(next() * end);
const text = (length: number) =>
  Array.from({ length }, () => 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-._'[whole(37)]).join('');
const crossings = PAIRS.flatMap((pair) => ['USD', 'EUR'].flatMap((via) => crossLegs(pair, via) ?? []));

/** Any price; `isWorst`: each part as long as it can be. */
function anyProof(isWorst: boolean) {
  const isBid = whole(2) === 0;
  const isCross = isWorst || whole(3) === 0;
  const cross = crossings[whole(crossings.length)]!;
  const pair = isCross ? cross.pair : PAIRS[whole(PAIRS.length)]!;
  const up = (end: number) => (isWorst ? end - 1 - whole(9) : whole(end));
  const signed = (end: number) => (isWorst || whole(2) === 0 ? 0 - up(end) : up(end));
  const legOf = (of: Pair, hitsBid: boolean) =>
    leg(of, hitsBid, {
      provider: text(isWorst ? 32 : 1 + whole(12)),
      quoteId: text(isWorst ? 20 : whole(21)),
      sourceTimeUs: 1_700_000_000_000_000 + up(400_000_000_000_000),
      price: 1 + up(9_000_000_000),
      runnerUp:
        isWorst || whole(2) === 0 ? { provider: text(isWorst ? 32 : 8), price: 1 + whole(9_000_000_000) } : undefined,
    });
  const legs = isCross
    ? [legOf(cross.first, isBid !== cross.firstInverse), legOf(cross.second, isBid !== cross.secondInverse)]
    : [legOf(pair, isBid)];
  const proof: PriceProof = {
    way: PRICE_WAYS[whole(3)]!,
    legs,
    levels: isWorst ? 160 : 1 + whole(3),
    ageMs: up(600_000),
    spread: isWorst || whole(2) === 0 ? up(9_000_000) : undefined,
    size: up(1_000_000_000),
    isMost: isWorst || whole(2) === 0,
    scope: { client: whole(2) === 0, pair: whole(2) === 0, type: true, above: up(1_000_000_000) },
    rulePpm: up(999_999),
    platformPpm: isWorst ? up(100_000) : 0,
    skewPpm: signed(isWorst ? 999_999 : 900),
    wideningPpm: signed(isWorst ? 999_999 : 900),
    spreadPpm: signed(isWorst ? 999_999 : 900),
    addOnPpm: up(isWorst ? 999_999 : 2_000),
    floorPpm: isWorst || whole(5) === 0 ? up(isWorst ? 41_746 : 2_087) : 0,
    priceDigits: pair.priceDigits,
    engine: text(8),
    epoch: 1_763_625_000 + whole(1_000_000),
  };
  return { pair, isBid, proof };
}

describe('stored bytes', () => {
  test(`are ${PROOF_BYTES} at most in the worst case, and what is cut says so`, () => {
    for (let i = 0; i < CASES; i++) {
      const { pair, isBid, proof } = anyProof(true);
      const written = proofText(proof);
      expect(Buffer.byteLength(JSON.stringify(written)) - 2).toBeLessThanOrEqual(PROOF_BYTES);
      const read = priceProof(written, pair, isBid)!;
      // All that is computed with is whole.
      const { legs: _, ...rest } = read;
      const { legs: __, ...given } = proof;
      expect(rest).toEqual(given);
      for (const [at, { provider, quoteId, price, sourceTimeUs, isBid: hit }] of read.legs.entries()) {
        expect([price, sourceTimeUs, hit]).toEqual([
          proof.legs[at]!.price,
          proof.legs[at]!.sourceTimeUs,
          proof.legs[at]!.isBid,
        ]);
        expect(provider).toContain('~');
        expect(quoteId === proof.legs[at]!.quoteId || quoteId.includes('~')).toBe(true);
      }
    }
  });

  test('of usual prices lose nothing', () => {
    let bytes = 0;
    for (let i = 0; i < CASES; i++) {
      const { pair, isBid, proof } = anyProof(false);
      const written = proofText(proof);
      bytes += written.length;
      expect(written.length).toBeLessThanOrEqual(PROOF_BYTES);
      if (proof.legs.length === 1) expect(priceProof(written, pair, isBid)).toEqual(proof);
    }
    expect(bytes / CASES).toBeLessThan(120);
  });
});

test('the price follows from the proof, to the last digit', () => {
  let priced = 0;
  for (let i = 0; i < CASES; i++) {
    const { pair, isBid, proof } = anyProof(false);
    const read = priceProof(proofText({ ...proof, levels: 1 }), pair, isBid)!;
    const [first, second] = proof.legs as [ProofLeg, ProofLeg?];
    const cross =
      second &&
      crossings.find((legs) => legs.pair === pair && legs.first === first.pair && legs.second === second.pair)!;
    const provider = second
      ? (isBid ? crossBid : crossOffer)(cross!, first.price, first.price, second.price, second.price)
      : first.price;
    const { rulePpm, skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm } = proof;
    const marginPpm = Math.max(0, rulePpm + skewPpm + wideningPpm) + spreadPpm + addOnPpm + floorPpm;
    if (!(provider > 0) || marginPpm < 0 || marginPpm > 999_998 || rulePpm + skewPpm + wideningPpm > 999_998) continue;
    priced++;
    expect(recomputePrice(pair, isBid, read)).toEqual({
      providerPrice: provider,
      marginPpm,
      price: (isBid ? clientBid : clientOffer)(provider, marginPpm),
    });
  }
  expect(priced).toBeGreaterThan(CASES / 2);
});

test('a volume-weighted price is given, and the margin still follows', () => {
  const proof = { ...PROOF, levels: 3 };
  expect(recomputePrice(EURUSD, true, proof)).toEqual({ providerPrice: undefined, marginPpm: 2_632, price: undefined });
  expect(recomputePrice(EURUSD, true, proof, 10_990_000)).toEqual({
    providerPrice: undefined,
    marginPpm: 2_632,
    price: clientBid(10_990_000, 2_632),
  });
});
