/** One generic find and one generic list of a client's records: input fields, pages, and the cursor from one page to the next. */

import { z } from 'zod';
import { INSTANT_MAX, INSTANT_SAYS, instantOf, isDay } from '../../domain/core/instant.js';
import { isRefusal, type Refusal, refuseField } from '../../domain/core/refusal.js';
import type { Right } from '../../domain/core/rights.js';
import { TEXT_MAX } from '../../domain/core/text.js';
import type { Client } from '../../store/access/clients.js';
import type { SubKey } from '../../store/keys/master-key.js';
import type { ListName } from '../../store/keys/redis-keys.js';
import { openSealed, seal } from './aead.js';
import { clientOf } from './caller.js';
import { BESIDE_OTHER_FAULTS, boundedText, knownText } from './inputs.js';
import { defineOperation } from './operation.js';
import type { Services } from './services.js';

/** A kind of record that clients own. Its declaration is all that its lists need. */
export interface RecordKind<One, List extends ListName = ListName> {
  readonly list: List;
  /** In texts: `payment`. */
  readonly noun: string;
  readonly statuses: readonly string[];
  /** The filter by currency. */
  readonly currency: z.ZodType<string | undefined>;
  currenciesOf(one: One): readonly string[];
  read(services: Services, client: Client, id: string): Promise<One | undefined>;
  /** Where the list has the records themselves: one from its member. */
  decode?(member: string): One;
  /** The record at this time; absent: time alone does not change it. */
  at?(one: One, nowMs: number): One;
}

/**
 * The operation that lists the caller's records of a kind, newest first. Records that existed at the first page are listed once each, whatever
 * is created meanwhile: positions never change. Refuses with VALIDATION_FAILED for a cursor that is not of this list.
 */
export function defineList<One extends { readonly status: string }>(kind: RecordKind<One>) {
  const { list, noun, statuses, currenciesOf } = kind;
  return defineOperation({
    input: listInput({
      status: someOf(statuses, `Only ${noun}s with this status; several with commas between them`),
      currency: kind.currency,
    }),
    right: 'read',
    async execute(services, caller, { status, currency, ...requested }): Promise<Page<One> | Refusal> {
      const client = await clientOf(services, caller);
      if (isRefusal(client)) return client;
      const { lists, clock } = services.store;
      const { from: fromMs, to: toMs } = requested;
      const matches = (one: One) =>
        (status === undefined || status.includes(one.status)) &&
        (currency === undefined || currenciesOf(one).includes(currency));
      const scope = { clientId: client.id, list, filters: { status, currency, from: fromMs, to: toMs } };
      return readPage(services, scope, requested, async (after, count) => {
        const found = await lists.page(client, list, { fromMs, toMs }, after, count + 1);
        const records = await Promise.all(
          found.slice(0, count).map(({ id, member }) => kind.decode?.(member) ?? kind.read(services, client, id)),
        );
        const now = clock.now(client);
        return records.map((record, at) => {
          const item = record && kind.at ? kind.at(record, now) : record;
          return { item: item && matches(item) ? item : undefined, next: found[at + 1] && found[at]!.place };
        });
      });
    },
  });
}

/** The operation that reads one record of the caller. Refuses with `missing`, also for another client's record. */
export function defineFind<Input extends z.ZodType, Found extends object>({
  input,
  right = 'read',
  missing,
  find,
}: {
  readonly input: Input;
  readonly right?: Right;
  readonly missing: Refusal;
  find(services: Services, client: Client, input: z.infer<Input>): Promise<Found | undefined>;
}) {
  return defineOperation({
    input,
    right,
    async execute(services, caller, requested): Promise<Found | Refusal> {
      const client = await clientOf(services, caller);
      return isRefusal(client) ? client : ((await find(services, client, requested)) ?? missing);
    },
  });
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** '' at the end of the list. */
  readonly nextCursor: string;
}

export interface ListRequest {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface Row<Item> {
  /** Absent: the filters exclude it. */
  readonly item: Item | undefined;
  /** Where the list continues behind this row; absent at its end. */
  readonly next: string | undefined;
  /** This row and all behind it are outside the period. */
  readonly isPast?: boolean;
}

/** Maximum records that one request reads: with selective filters a page may be short, and its cursor continues the list. */
const LOOKED_AT_MAX = 1_000;

/** One page of any list; `read` returns at most `count` rows from a position, which is absent at the beginning. */
export async function readPage<Item>(
  { store }: Services,
  scope: CursorScope,
  { limit, cursor }: Pick<ListRequest, 'limit' | 'cursor'>,
  read: (place: string | undefined, count: number) => Promise<Iterable<Row<Item>>>,
): Promise<Page<Item> | Refusal> {
  // Clients that always send the cursor begin with an empty one.
  let place = cursor ? readCursor(store.subKey, scope, cursor) : undefined;
  if (isRefusal(place)) return place;

  const items: Item[] = [];
  let looked = 0;
  do {
    // With a selective filter, larger and larger parts are read.
    const rows = await read(place, Math.min(Math.max(limit, looked), LOOKED_AT_MAX - looked));
    place = undefined;
    for (const { item, next, isPast } of rows) {
      if (isPast) return { items, nextCursor: '' };
      if (item !== undefined) items.push(item);
      place = next;
      looked++;
      if (items.length === limit) break;
    }
  } while (place !== undefined && items.length < limit && looked < LOOKED_AT_MAX);
  return { items, nextCursor: place === undefined ? '' : writeCursor(store.subKey, scope, place) };
}

/** Issued cursors have some 100 characters. */
export const CURSOR_LENGTH_MAX = 256;

const LIST_LIMIT_DEFAULT = 50;
const LIST_LIMIT_MAX = 200;
const LIMIT = { error: `a whole number from 1 to ${LIST_LIMIT_MAX}` };
const CURSOR = 'next_cursor as it was given';

const TIME = `a date, YYYY-MM-DD, or ${INSTANT_SAYS}`;
const A_DATE = /^\d{4}-\d\d-\d\d$/;
const LAST_OF_DAY_MS = 24 * 60 * 60 * 1_000 - 1;

/** Epoch ms of a time, or of the end of a day. */
const moment = (ofDayMs: number, description: string) =>
  boundedText(INSTANT_MAX, TIME)
    .transform((text, context) => {
      const isDate = A_DATE.test(text);
      const ms = isDate ? (isDay(text) ? Date.parse(text) + ofDayMs : 'no day') : instantOf(text);
      if (typeof ms === 'number') return ms;
      if (ms === 'no day') context.addIssue({ code: 'custom', message: 'there is no such day' });
      else context.addIssue({ code: 'invalid_format', format: 'datetime', message: TIME });
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

/** Of a list without a period. */
export const PAGE_INPUT = z.strictObject({ limit: LIST_FIELDS.limit, cursor: LIST_FIELDS.cursor });

/** One or several of a closed list, comma separated. */
export function someOf<const Choice extends string>(choices: readonly Choice[], description: string) {
  const message = `one of ${choices.join(', ')}, or several with commas between them`;
  const one = `(${choices.join('|')})`;
  return boundedText(TEXT_MAX, message)
    .transform((text, context): readonly Choice[] => {
      const requested = new Set(text.split(','));
      const known = choices.filter((choice) => requested.delete(choice));
      if (requested.size === 0) return known;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional()
    .meta({ description, pattern: `^${one}(,${one})*$` });
}

/** The input of a list that has no period: a page of it. */
export const pageInput = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject({ limit: LIST_FIELDS.limit, cursor: LIST_FIELDS.cursor, ...fields });

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

/**
 * What a cursor is valid for: one client, one list and its filters; the page size may vary. A cursor is the position where the next page begins,
 * stateless, and does not expire: positions never change, and where the records were archived the list ends.
 */
interface CursorScope {
  readonly clientId: string;
  readonly list: string;
  /** Parsed filters: the same moment in two notations is the same filter. */
  readonly filters: Readonly<Record<string, string | number | readonly string[] | undefined>>;
}

function writeCursor(subKey: SubKey, scope: CursorScope, place: string): string {
  return seal(subKey('cursors'), place, about(scope));
}

/** The position in the cursor. Refuses with VALIDATION_FAILED for a text that is no cursor of this scope. */
function readCursor(subKey: SubKey, scope: CursorScope, cursor: string): string | Refusal {
  return openSealed(subKey('cursors'), cursor, CURSOR_LENGTH_MAX, about(scope))?.text ?? WRONG;
}

const WRONG = refuseField(
  'cursor',
  'not a cursor of this list with these filters: send next_cursor as it was given, with the same filters',
);

function about({ clientId, list, filters }: CursorScope): string {
  return JSON.stringify([clientId, list, Object.entries(filters).sort(([one], [other]) => (one < other ? -1 : 1))]);
}
