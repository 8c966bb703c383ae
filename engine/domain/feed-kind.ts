/** What the prices of a feed are: of a market, recorded ones, or simulated ones. */
export const FEED_KINDS = ['market', 'replay', 'simulated'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
