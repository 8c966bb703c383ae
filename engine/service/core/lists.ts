/** Lists of a client's records, newest first: their input fields, their pages, and the cursor from one page to the next. */

import { z } from 'zod';
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal.js';
import { TEXT_MAX } from '../../domain/text.js';
import type { Client } from '../../store/access/clients.js';
import type { ListName } from '../../store/keys/ledger-keys.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from './aead.js';
import { BESIDE_OTHER_FAULTS, boundedText, knownText, patternText } from './inputs.js';

import type { Services } from './services.js';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** '' at the end of the list. */
  readonly nextCursor: string;
}

export interface ListAsked {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Listed<Item> {
  readonly list: ListName;
  /** The filters of `matches`, besides the period. */
  readonly filters: CursorScope['filters'];
  read(id: string): Promise<Item | undefined>;
  matches(item: Item): boolean;
}

/**
 * Records that existed at the first page are listed once each, whatever is created meanwhile: positions never change. A request reads at
 * most LOOKED_AT_MAX records. Refuses with VALIDATION_FAILED for a cursor that is not of this list.
 */
export async function listPage<Item>(
  { store }: Services,
  client: Client,
  { from, to, limit, cursor }: ListAsked,
  { list, filters, read, matches }: Listed<Item>,
): Promise<Page<Item> | Refusal> {
  const scope = { clientId: client.id, list, filters: { ...filters, from, to } };
  // Clients that always send the cursor begin with an empty one.
  let after = cursor ? readCursor(store.subKey, scope, cursor) : undefined;
  if (isRefusal(after)) return after;

  const items: Item[] = [];
  let isMore = true;
  for (let looked = 0; isMore && items.length < limit && looked < LOOKED_AT_MAX; ) {
    // With a selective filter, larger and larger parts are read.
    const part = Math.min(Math.max(limit, looked), LOOKED_AT_MAX - looked);
    const found = await store.lists.page(client, list, { fromMs: from, toMs: to }, after, part + 1);
    const records = await Promise.all(found.slice(0, part).map(({ id }) => read(id)));
    let seen = 0;
    while (seen < records.length && items.length < limit) {
      const record = records[seen]!;
      after = found[seen]!.place;
      if (record !== undefined && matches(record)) items.push(record);
      seen++;
    }
    looked += seen;
    isMore = seen < found.length;
  }
  return { items, nextCursor: isMore && after !== undefined ? writeCursor(store.subKey, scope, after) : '' };
}

/** Issued cursors have some 100 characters. */
export const CURSOR_LENGTH_MAX = 256;

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

/**
 * What a cursor is valid for: one client, one list and its filters; the page size may vary. A cursor is the position where the next page begins,
 * stateless, and does not expire: positions never change, and where the records were archived the list ends.
 */
export interface CursorScope {
  readonly clientId: string;
  readonly list: string;
  /** Parsed filters: the same moment in two notations is the same filter. */
  readonly filters: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

export function writeCursor(subKey: SubKey, scope: CursorScope, place: string): string {
  return seal(subKey('cursors'), place, about(scope));
}

/** The position in the cursor. Refuses with VALIDATION_FAILED for a text that is no cursor of this scope. */
export function readCursor(subKey: SubKey, scope: CursorScope, cursor: string): string | Refusal {
  return openSealed(subKey('cursors'), cursor, CURSOR_LENGTH_MAX, about(scope))?.text ?? WRONG;
}

const WRONG = refuseField(
  'cursor',
  'not a cursor of this list with these filters: send next_cursor as it was given, with the same filters',
);

function about({ clientId, list, filters }: CursorScope): string {
  return JSON.stringify([clientId, list, Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1))]);
}
