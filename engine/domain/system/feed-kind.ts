/** What the prices of a feed are: of a market, recorded ones, or simulated ones. */
export const FEED_KINDS = ['market', 'replay', 'simulated'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];

/** By the bits of a relay message: the first kind is 1, the second 2, the third 4. */
export const FEED_KIND_SETS: readonly (readonly FeedKind[])[] = Array.from(
  { length: 1 << FEED_KINDS.length },
  (_, bits) => FEED_KINDS.filter((_, place) => (bits >> place) % 2 === 1),
);

/** The index in FEED_KIND_SETS; allocates nothing. */
export function feedKindBits(kinds: readonly FeedKind[]): number {
  let bits = 0;
  for (let i = 0; i < kinds.length; i++) bits |= 1 << FEED_KINDS.indexOf(kinds[i]!);
  return bits;
}
