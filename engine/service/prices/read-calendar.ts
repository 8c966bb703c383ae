import { z } from 'zod';
import { calendarOf, holidaysBetween } from '../../domain/calendar/calendar.js';
import { dayFromIsoText } from '../../domain/calendar/day.js';
import { boundedText, CURRENCY } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { isoOf } from './conversion-terms.js';

const DATE = boundedText(10, 'a date, YYYY-MM-DD')
  .refine((text) => dayFromIsoText(text) !== undefined, { error: 'a date, YYYY-MM-DD' })
  .optional();

/** The settlement calendar of a currency: its holidays, the range in which they are known, and their source. Dates 'YYYY-MM-DD'. */
export const readCalendar = defineOpenOperation({
  input: z.object({
    currency: CURRENCY,
    /** Both inclusive; without them the whole known range. */
    from: DATE,
    to: DATE,
  }),
  execute(_services, _operator, { currency, from, to }) {
    const { knownFrom, knownUntil, gaps, source } = calendarOf(currency);
    const first = from?.replaceAll('-', '') ?? knownFrom;
    const last = to?.replaceAll('-', '') ?? knownUntil;
    return {
      currency,
      knownFrom: isoOf(knownFrom),
      knownUntil: isoOf(knownUntil),
      /** Ranges within the calendar that are not known. */
      gaps: gaps.map((gap) => ({ from: isoOf(gap.from), until: isoOf(gap.until) })),
      source,
      holidays: holidaysBetween(currency, first, last).map(({ date, name }) => ({ date: isoOf(date), name })),
    };
  },
});
