/** The closed lists of cover. It loads no package: help prints fast. */

/** Why a pair outside its band has no order now. */
export const COVER_BLOCKS = [
  /** The figures of the risk role are too old. */
  'stale-figures',
  /** The market is closed, or the pair is halted. */
  'closed',
  /** The pair has no price, or one older than the rule allows. */
  'stale-quote',
  /** The price is worse than the rule allows. */
  'worst-price',
  /** What the rule would cover is less than its smallest order. */
  'below-minimum',
  /** A suggested order waits for the operator. */
  'suggested',
  /** What became of an order is not known. */
  'unknown',
  /** A provider says otherwise of an order than what is booked: the operator settles it. */
  'disputed',
  /** None of the rule's providers has a session that is logged on. */
  'no-provider',
  /** Each of them has rejected lately. */
  'rejected',
  /** The store has not taken the order. */
  'store',
] as const;
export type CoverBlock = (typeof COVER_BLOCKS)[number];

/** A suggested order waits for the operator, a withdrawn one was never sent; docs/risk.md has the others. */
export const COVER_STATUSES = [
  'suggested',
  'planned',
  'sent',
  'unknown',
  'filled',
  'partly-filled',
  'rejected',
  'disputed',
  'resolved',
  'withdrawn',
] as const;
export type CoverStatus = (typeof COVER_STATUSES)[number];
