/** The input fields of every list: a period, a limit, and a cursor. */

import { z } from 'zod';
import { TEXT_MAX } from '../../domain/text.js';
import { CURSOR_LENGTH_MAX } from './cursor.js';
import { boundedText, knownText, patternText } from './inputs.js';
import { BESIDE_OTHER_FAULTS } from './operation.js';

const LIST_LIMIT_DEFAULT = 50;
const LIST_LIMIT_MAX = 200;
const LIMIT = { error: `a whole number from 1 to ${LIST_LIMIT_MAX}` };
const CURSOR = 'next_cursor as it was given';

/** Maximum records that one request reads: with selective filters a page may be short, and its cursor continues the list. */
export const LOOKED_AT_MAX = 1_000;

const TIME = 'a date, YYYY-MM-DD, or a time with its offset, YYYY-MM-DDTHH:MM:SS.mmmZ or +HH:MM';
const TIME_PARTS =
  /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;
const LAST_OF_DAY_MS = 24 * 60 * 60 * 1_000 - 1;

/** Epoch ms of a time, or of the end of a day. */
const moment = (ofDayMs: number, description: string) =>
  patternText(TIME_PARTS, 29, TIME)
    .transform((text, context) => {
      const isDay = text.length === 10;
      const ms = Date.parse(text);
      if (isThere(text.slice(0, 10)) && !Number.isNaN(ms)) return isDay ? ms + ofDayMs : ms;
      context.addIssue({ code: 'custom', message: 'there is no such day' });
      return z.NEVER;
    })
    .optional()
    .describe(description);

const LIST_FIELDS = {
  from: moment(
    0,
    'Only what was created at this time or later: a date (its first moment, UTC), or a time with its offset',
  ),
  to: moment(
    LAST_OF_DAY_MS,
    'Only what was created at this time or before: a date (its last moment, UTC), or a time with its offset',
  ),
  limit: z
    .number(LIMIT)
    .int(LIMIT)
    .min(1, LIMIT)
    .max(LIST_LIMIT_MAX, LIMIT)
    .default(LIST_LIMIT_DEFAULT)
    .describe(`How many on a page, at most; ${LIST_LIMIT_DEFAULT} when absent. May differ from page to page`),
  cursor: knownText(CURSOR_LENGTH_MAX, CURSOR)
    .optional()
    .describe('next_cursor of the page before, with the same filters; absent: the newest. It does not expire'),
};

/** One or several of a closed list, comma separated. */
export function someOf<const Choice extends string>(choices: readonly Choice[], description: string) {
  const message = `one of ${choices.join(', ')}, or several with commas between them`;
  const one = `(${choices.join('|')})`;
  return boundedText(TEXT_MAX, message)
    .transform((text, context): readonly Choice[] => {
      const asked = new Set(text.split(','));
      const known = choices.filter((choice) => asked.delete(choice));
      if (asked.size === 0) return known;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional()
    .meta({ description, pattern: `^${one}(,${one})*$` });
}

interface Asked {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A list's input: the named fields only, and a period that begins before it ends. */
export const listInput = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject({ ...LIST_FIELDS, ...fields }).superRefine((value, context) => {
    const { from, to } = value as Asked;
    if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return;
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: 'before `from`: the period is empty',
      params: { combination: true },
    });
  }, BESIDE_OTHER_FAULTS);

/** A day of the calendar: 30 February is none. */
function isThere(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
