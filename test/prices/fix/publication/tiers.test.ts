import { expect, test } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import type { TierTerms } from '../../../../engine/fix/publication/price-shape.js';
import { PriceTiers } from '../../../../engine/fix/publication/tiers.js';

const TERMS: TierTerms = {
  pair: pairBySymbol('EUR/USD')!,
  marginPpm: 2_500,
  bandLimit: Number.POSITIVE_INFINITY,
  bands: [{ above: 0, marginPpm: 2_500 }],
  isLadder: false,
  type: 'PREFUNDING',
  sides: 'both',
  form: 'W',
  discloseMargin: false,
  discloseProviderRate: false,
  sourceTime: true,
};
const named = ({ epoch }: { epoch: Uint8Array }): string => Buffer.from(epoch).toString('latin1');

test('streams of the same terms share a tier until the last lets go; the next one has another name', () => {
  const tiers = new PriceTiers(() => undefined);
  const first = tiers.hold(TERMS, 0);
  expect(tiers.hold({ ...TERMS }, 0)).toBe(first);
  tiers.drop(first);
  expect(tiers.hold(TERMS, 0)).toBe(first);
  tiers.drop(first);
  tiers.drop(first);
  const next = tiers.hold(TERMS, 0);
  expect(named(next)).not.toBe(named(first));
  expect(next.shape).not.toBe(first.shape);
});

test('tiers that differ in the margin alone share what their bodies have in common, unless the margin is shown', () => {
  const tiers = new PriceTiers(() => undefined);
  const shown = { ...TERMS, discloseMargin: true };
  const [cheap, dear] = [tiers.hold(TERMS, 0), tiers.hold({ ...TERMS, marginPpm: 5_000 }, 0)];
  expect(dear.shape).toBe(cheap.shape);
  expect(named(dear)).not.toBe(named(cheap));
  expect(tiers.hold({ ...shown, marginPpm: 5_000 }, 0).shape).not.toBe(tiers.hold(shown, 0).shape);
});

test.each([
  ['the pair', { pair: pairBySymbol('GBP/USD')! }],
  ['the type', { type: 'SCHEDULED1' }],
  ['the sides', { sides: 'bid' }],
  ['the form', { form: 'X' }],
  ['a value date', { valueDate: '20261124' }],
  ["the provider's rate", { sides: 'bid', discloseProviderRate: true }],
  ['the source time', { sourceTime: false }],
] as const)('%s makes another body', (_, other) => {
  const tiers = new PriceTiers(() => undefined);
  const usual = tiers.hold(
    { ...TERMS, sides: 'sides' in other && 'discloseProviderRate' in other ? 'bid' : 'both' },
    0,
  );
  expect(tiers.hold({ ...TERMS, ...other }, 0).shape).not.toBe(usual.shape);
});

test('writes source times only while a tier has them', () => {
  const tiers = new PriceTiers(() => undefined);
  const held = [tiers.hold(TERMS, 0), tiers.hold(TERMS, 0), tiers.hold({ ...TERMS, sourceTime: false }, 0)];
  expect(tiers.withSourceTime).toBe(1);
  for (const tier of held) tiers.drop(tier);
  expect(tiers.withSourceTime).toBe(0);
});
