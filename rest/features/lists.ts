/** The one list of the interface: filters from a query, a page, and the reference text. */
import type { Request } from 'express';
import { z } from 'zod';
import { CURSOR_LENGTH_MAX, type Page } from '../../engine/service/core/lists.js';

/** Any other name is left for the operation to reject. */
const FILTERS: ReadonlySet<string> = new Set([
  ...['from', 'to', 'status', 'currency', 'type', 'limit', 'cursor'],
  ...['country', 'name'],
]);

/** Our input from a query, which has texts only; an empty filter counts as absent. */
export function listInput({ query }: Pick<Request, 'query'>): object {
  const given = Object.entries(query).filter(([name, value]) => value !== '' || !FILTERS.has(name));
  return Object.fromEntries(given.map(([name, value]) => [name, NOTATIONS[name]?.(value) ?? value]));
}

/** Any other text is left for the operation to reject. */
function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** A plus sign that was not escaped comes as a space: our own times have one. */
function timeOf(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+') : value;
}

const NOTATIONS: Readonly<Record<string, ((value: unknown) => unknown) | undefined>> = Object.assign(
  Object.create(null),
  {
    limit: countOf,
    from: timeOf,
    to: timeOf,
  },
);

export const page = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z
    .strictObject({
      data: z
        .array(item)
        .meta({ description: 'The newest first; with filters a page may be short, or empty, before the end' }),
      next_cursor: z.string().meta({
        description:
          'To be sent as `cursor`, with the same filters, for the page behind this one; empty at the end of the list',
        maxLength: CURSOR_LENGTH_MAX,
        examples: [''],
      }),
    })
    .meta({ id, description });

/** The body of a page, each of its items rendered by `bodyOf`. */
export const pageBody =
  <Item, Body>(bodyOf: (item: Item) => Body) =>
  ({ items, nextCursor }: Page<Item>) => ({ data: items.map(bodyOf), next_cursor: nextCursor });

/** For the reference text of every list. */
export const PAGES =
  'The newest first. Records that existed at the first page are listed once each, whatever is created meanwhile. A request reads at most a thousand records: with selective filters a page may be short or empty and still have a `next_cursor`.';
