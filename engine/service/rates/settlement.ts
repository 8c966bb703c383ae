import type { BookFxType } from '../../domain/book-fx-type.js';
import type { Hold } from '../../domain/booking.js';
import { dayFromIsoText } from '../../domain/calendar/day.js';
import type { Pair } from '../../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { checkSettlementDate, dateSettlesAtMs, settlesAtMs, spotDate } from '../../domain/value-date.js';

export interface SettlementAsked {
  /** 'YYYY-MM-DD'; undefined: none was requested. */
  readonly asked: string | undefined;
  /** 'YYYYMMDD' that a streamed rate is for. */
  readonly agreed?: string | undefined;
  readonly now: number;
}

export interface Settlement {
  /** 'YYYYMMDD'. */
  readonly valueDate: string;
  /** When a scheduled conversion settles, epoch ms; undefined: it settles at once. */
  readonly atMs: number | undefined;
}

/** The settlement date of a conversion, and when it settles. Refuses with BAD_SETTLEMENT_DATE. */
export function settlementOf(
  pair: Pair,
  type: BookFxType,
  { asked, agreed, now }: SettlementAsked,
): Settlement | Refusal {
  if (type !== 'PREFUNDING') {
    const atMs = settlesAtMs(type, pair.base, pair.quote, now);
    if (isRefusal(atMs)) return atMs;
    const day = new Date(atMs).toISOString().slice(0, 10);
    if (asked !== undefined && asked !== day)
      return refuse('BAD_SETTLEMENT_DATE', `${type} settles on ${day}: send this date or none`);
    return { valueDate: day.replaceAll('-', ''), atMs };
  }
  const date = asked?.replaceAll('-', '');
  // An agreed date stays valid, even if the calendar has changed since.
  const bad = asked === undefined || date === agreed ? undefined : checkSettlementDate(pair, asked, now);
  if (bad) return bad;
  const valueDate = agreed ?? date;
  if (valueDate !== undefined) return { valueDate, atMs: undefined };
  const spot = spotDate(pair, now);
  return isRefusal(spot) ? refuse('BAD_SETTLEMENT_DATE', spot.text) : { valueDate: spot.date, atMs: undefined };
}

/**
 * A hold keeps its date, even if the calendar has changed since: a scheduled one settles at the time of day of its lock, or at once when
 * that is past. Refuses a text that is no date with BAD_SETTLEMENT_DATE; a different date is HOLD_MISMATCH.
 */
export function heldSettlement(
  { type, valueDate, createdAtMs }: Hold,
  { asked, now }: Omit<SettlementAsked, 'agreed'>,
): Settlement | Refusal {
  if (asked !== undefined && dayFromIsoText(asked) === undefined)
    return refuse('BAD_SETTLEMENT_DATE', `${asked.slice(0, 10)} is no date: send ${isoOf(valueDate)} or none`);
  if (type === 'PREFUNDING') return { valueDate, atMs: undefined };
  return { valueDate, atMs: Math.max(now, dateSettlesAtMs(valueDate, createdAtMs)) };
}

/** From 'YYYYMMDD' to 'YYYY-MM-DD'. */
export const isoOf = (date: string): string => `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
