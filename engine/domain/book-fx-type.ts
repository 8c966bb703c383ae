/** When a conversion settles: at once, 24 hours or 48 hours later. BookFxType(20005), `type` over REST. */
export const BOOK_FX_TYPES = ['PREFUNDING', 'SCHEDULED1', 'SCHEDULED2'] as const;

export type BookFxType = (typeof BOOK_FX_TYPES)[number];

/** The type of a rate for which none was asked. */
export const DEFAULT_BOOK_FX_TYPE: BookFxType = 'PREFUNDING';

/** Exact names only; the lock's SCHEDULE1 and SCHEDULE2 are renamed at the REST door. */
export function isBookFxType(text: string): text is BookFxType {
  return (BOOK_FX_TYPES as readonly string[]).includes(text);
}
