/** A client's records, newest first: read from sorted sets that the creating steps write. */
import { idTime, timeOfId } from '../../domain/core/ids.js';
import type { Connection } from '../connection/connection.js';
import { type ListName, ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

/** Both ends are inclusive, epoch ms; absent: open. */
export interface Period {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface Indexed {
  /** Its position in the list: by the time of creation, and by the id within a millisecond. */
  readonly place: string;
  readonly id: string;
  /** As the set has it: of a conversion its record (records.ts), else the same as `place`. */
  readonly member: string;
}

export interface Lists {
  /** Those of the period that follow the position `after`, newest first. */
  page(
    of: MoneyOf,
    list: ListName,
    period: Period,
    after: string | undefined,
    count: number,
  ): Promise<readonly Indexed[]>;
  /** The numbers of those of the period: the first of them, and how many there are. Numbers count from 1, in order of creation. */
  numbers(of: MoneyOf, list: ListName, period: Period): Promise<{ readonly first: number; readonly count: number }>;
  /** Those from the number `first` on, oldest first. The number of a conversion never changes: id_behind of prelude.lua. */
  numbered(of: MoneyOf, list: ListName, first: number, count: number): Promise<readonly Indexed[]>;
  /** The total number, and the number within the period. */
  count(of: MoneyOf, list: ListName, period: Period): Promise<{ readonly all: number; readonly within: number }>;
  /**
   * What is kept beside its records: gains that await their payment, and sums of what scheduled conversions sell, its own and, unless it is a
   * sub-client, its group's.
   */
  beside(of: MoneyOf): Promise<{ readonly gains: number; readonly sums: number }>;
}

export function lists(connection: Connection): Lists {
  const indexed = (list: ListName, member: string): Indexed => {
    if (list !== 'bookings') return { place: member, id: bareOf('bookings', member), member };
    const id = member.slice(0, member.indexOf('|'));
    return { place: placeOf(timeOfId(id), id), id, member };
  };
  return {
    async page(of, list, { fromMs, toMs }, after, count) {
      const key = ledgerKeys(of).index(list);
      const newest = after === undefined ? (toMs === undefined ? '+' : startOf(list, toMs + 1)) : bareOf(list, after);
      const oldest = fromMs === undefined ? '-' : `[${startOf(list, fromMs)}`;
      const members = await connection.read((redis) =>
        redis.zrange(key, newest === '+' ? newest : `(${newest}`, oldest, 'BYLEX', 'REV', 'LIMIT', 0, count),
      );
      return members.map((member) => indexed(list, member));
    },
    async numbers(of, list, { fromMs, toMs }) {
      const key = ledgerKeys(of).index(list);
      // Counted from the beginning: a conversion that is booked meanwhile is behind both.
      const before = (ms: number | undefined, none: '-' | '+') =>
        connection.read((redis) => redis.zlexcount(key, '-', ms === undefined ? none : `(${startOf(list, ms)}`));
      const earlier = fromMs === undefined ? 0 : await before(fromMs, '-');
      const upTo = await before(toMs === undefined ? undefined : toMs + 1, '+');
      return { first: earlier + 1, count: Math.max(0, upTo - earlier) };
    },
    async numbered(of, list, first, count) {
      const key = ledgerKeys(of).index(list);
      const members = await connection.read((redis) => redis.zrange(key, String(first - 1), String(first + count - 2)));
      return members.map((member) => indexed(list, member));
    },
    async count(of, list, { fromMs, toMs }) {
      const key = ledgerKeys(of).index(list);
      const [oldest, newest] = [
        fromMs === undefined ? '-' : `[${startOf(list, fromMs)}`,
        toMs === undefined ? '+' : `(${startOf(list, toMs + 1)}`,
      ];
      const [all, within] = await Promise.all([
        connection.read((redis) => redis.zcard(key)),
        connection.read((redis) => redis.zlexcount(key, oldest, newest)),
      ]);
      return { all, within };
    },
    async beside(of) {
      const { gains, scheduled, groupScheduled } = ledgerKeys(of);
      const sums = of.id.includes('~') ? [scheduled] : [scheduled, groupScheduled];
      const [open, ...there] = await Promise.all([
        connection.read((redis) => redis.zcard(gains)),
        ...sums.map((key) => connection.read((redis) => redis.exists(key))),
      ]);
      return { gains: open, sums: there.reduce((all, one) => all + one, 0) };
    },
  };
}

/** The position of a record created then; add_to_index of prelude.lua writes the same. */
export const placeOf = (createdAtMs: number, id: string): string => `${timeOf(createdAtMs)}|${id}`;

/** What members of that time begin with. The ids of conversions begin with their time. */
const startOf = (list: ListName, ms: number): string => (list === 'bookings' ? `BFX${idTime(ms)}` : timeOf(ms));

/** A position as the set orders it: conversions by their id alone. */
const bareOf = (list: ListName, place: string): string => (list === 'bookings' ? place.slice(TIME_DIGITS + 1) : place);

const TIME_DIGITS = 13;
const TIME_MAX = 10 ** TIME_DIGITS - 1;

/** As in the index; times before 1970 or after 2286 sort before or after everything. */
function timeOf(ms: number): string {
  return String(Math.min(Math.max(ms, 0), TIME_MAX)).padStart(TIME_DIGITS, '0');
}
