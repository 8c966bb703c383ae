/** A day as the number of days since 1970-01-01: what calendars count in. */
export type Day = number;

export const SUNDAY = 0;
export const MONDAY = 1;
export const THURSDAY = 4;
export const FRIDAY = 5;
export const SATURDAY = 6;

/** `month` 1 to 12. */
export function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year, month - 1, date) / DAY_MS;
}

/** The day of epoch milliseconds, by UTC. */
export function dayAt(ms: number): Day {
  return Math.floor(ms / DAY_MS);
}

/** SUNDAY (0) to SATURDAY (6). */
export function weekday(day: Day): number {
  return (day + THURSDAY) % 7; // 1970-01-01 was a Thursday.
}

export function yearOf(day: Day): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

/** 'YYYYMMDD', a FIX LocalMktDate. */
export function dateText(day: Day): string {
  return isoText(day).replaceAll('-', '');
}

/** 'YYYY-MM-DD', ISO 8601. */
export function isoText(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a 'YYYYMMDD', or undefined when there is no such day. */
export function dayFromText(text: string): Day | undefined {
  if (!/^[12]\d{7}$/.test(text)) return undefined;
  const day = dayOf(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)));
  return dateText(day) === text ? day : undefined;
}

/** The day of a 'YYYY-MM-DD', or undefined when there is no such day. */
export function dayFromIsoText(text: string): Day | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayFromText(text.replaceAll('-', '')) : undefined;
}

const DAY_MS = 86_400_000;
