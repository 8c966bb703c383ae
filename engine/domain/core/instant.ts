/** A moment as RFC 3339 writes it. */

/** With seconds and an offset; any number of decimals, as Python writes six and Go nine. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Longest text that is read: two dozen decimals. */
export const INSTANT_MAX = 50;
export const INSTANT_SAYS =
  'a time as RFC 3339 has it, with seconds and its offset: YYYY-MM-DDTHH:MM:SSZ or +HH:MM, with any decimals';

/** Epoch ms; decimals beyond the millisecond are cut. `no day`: 30 February; undefined: another form. */
export function instantOf(text: string): number | 'no day' | undefined {
  const [, day, time, decimals = '', offset] = (text.length <= INSTANT_MAX && INSTANT.exec(text)) || [];
  if (day === undefined) return undefined;
  if (!isDay(day)) return 'no day';
  return Date.parse(`${day}T${time}${decimals.slice(0, 4)}${offset!.toUpperCase()}`);
}

/** A day of the calendar, YYYY-MM-DD: 30 February is none. */
export function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
