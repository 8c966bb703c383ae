/**
 * What the house holds from the deals of its clients, seen from the house: by pair and value date what it bought and sold. The step that
 * books, busts, corrects or cancels a conversion changes the hash of its shard and that of its client (positions.lua), a scheduled one at
 * its booking: its settlement changes nothing. Amounts are minor units, and signed: a bust after a fold may leave a line below 0.
 */
import type { Redis } from 'ioredis';
import type { AgreedRate, BookingFacts } from '../../domain/conversions/booking.js';
import { type DealSums, NO_DEALS } from '../../domain/risk/position.js';
import type { Connection } from '../connection/connection.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, positionKey, SHARDS } from '../keys/redis-keys.js';

/** The deals of a pair and value date. */
export interface PositionLine extends DealSums {
  /** `EUR/USD`. */
  readonly pair: string;
  /** 'YYYYMMDD'; '0' for all that is folded. */
  readonly valueDate: string;
}

/** Close-outs of scheduled conversions: profit and loss in their currency. */
export interface CloseOutLine {
  readonly currency: string;
  /** Of the conversions. */
  readonly valueDate: string;
  readonly charged: bigint;
  readonly credited: bigint;
}

export interface Position {
  /** In order of pair and value date; what is 0 may be absent. */
  readonly lines: readonly PositionLine[];
  readonly closeOuts: readonly CloseOutLine[];
  /** The last value date that was folded, 'YYYYMMDD'; undefined: none. Lines of such dates may have been added since. */
  readonly folded: string | undefined;
}

/** A hash as it is stored. */
export type PositionFields = Readonly<Record<string, string>>;

/** A client's position, or without an id that of the shard. */
export interface PositionOf {
  readonly shard: number;
  readonly id?: string | undefined;
}

export interface Positions {
  /** Of all clients of the shard, 0 to 63. */
  ofShard(shard: number): Promise<Position>;
  /**
   * Of every shard, by its number; rejects where one cannot be read. For repeated reading: a shard that has not changed is not sent again, and
   * is the same object as before, which is not to be changed.
   */
  ofAllShards(): Promise<readonly Position[]>;
  ofClient(of: MoneyOf): Promise<Position>;
  /** The hashes of a shard and of these clients of it, at one moment: one step of some microseconds for each client. */
  hashes(
    shard: number,
    ids: readonly string[],
  ): Promise<{ readonly shard: PositionFields; readonly clients: readonly PositionFields[] }>;
  /**
   * Adds the lines of the value dates up to `day`, 'YYYYMMDD', to those of the date '0', in the hash of the shard or of the client.
   * Returns the number of lines, at most FOLD_MAX: then there may be more.
   */
  fold(of: PositionOf, day: string): Promise<number>;
}

/** @public */
export const READ_POSITIONS = step(import.meta.url, 'read-positions', {
  readsOnly: true,
  keys: ['position'],
  rest: 'clients',
});
export const FOLD_MAX = 500;

export const FOLD_POSITION = step(import.meta.url, 'fold-position', {
  keys: ['position'],
  args: ['day', 'most'],
  uses: ['positions'],
});

const keyOf = ({ shard, id }: PositionOf): string =>
  id === undefined ? positionKey(shard) : ledgerKeys({ id, shard }).position;

/** By shard: of `positions` and `rooms` of one store. */
export const shardReadings = (): readonly PositionReading[] =>
  Array.from({ length: SHARDS }, () => new PositionReading());

export function positions(connection: Connection, readings: readonly PositionReading[]): Positions {
  const read = async (key: string): Promise<Position> =>
    positionFrom(await connection.read((redis) => redis.hgetall(key)));
  const ofShard = (shard: number): Promise<Position> => read(positionKey(shard));
  return {
    ofShard,
    ofAllShards: () =>
      Promise.all(
        readings.map(async (reading, shard) => {
          const key = positionKey(shard);
          const last = await connection.read((redis) => redis.hget(key, 'last'));
          if (last !== null && last === reading.last) return reading.position;
          return reading.take(await connection.read((redis) => listOf(redis, key)));
        }),
      ),
    ofClient: (of) => read(ledgerKeys(of).position),
    async hashes(shard, ids) {
      const clients = ids.map((id) => ledgerKeys({ id, shard }).position);
      const reply = await connection.runUnreplicated(READ_POSITIONS, { position: positionKey(shard) }, { clients });
      const [own, ...others] = (reply as string[][]).map(fieldsOf);
      return { shard: own!, clients: others };
    },
    async fold({ shard, id }, day) {
      if (!/^\d{8}$/.test(day)) throw new TypeError('not a day: expected YYYYMMDD');
      return Number(await connection.step(FOLD_POSITION, { position: keyOf({ shard, id }) }, { day, most: FOLD_MAX }));
    },
  };
}

/** Fields and values in turn: to make an object of them takes longer than to read them. */
const listOf = (redis: Redis, key: string): Promise<string[]> => redis.call('HGETALL', key) as Promise<string[]>;

/** The field of a conversion: `EUR/USD|20261124|Bq` where the house buys EUR, with its margin in USD. */
export function positionField({
  pair,
  sellCurrency,
  valueDate,
  marginCurrency,
}: Pick<AgreedRate, 'pair' | 'sellCurrency' | 'valueDate'> & Pick<BookingFacts, 'marginCurrency'>): string {
  return `${pair}|${valueDate}|${pair.startsWith(sellCurrency) ? 'B' : 'S'}${pair.startsWith(marginCurrency) ? 'b' : 'q'}`;
}

/** The field of close-outs in a currency. */
export const closeOutField = (currency: string, valueDate: string): string => `${currency}|${valueDate}|C`;

const PAIR_FIELD = /^([A-Z]{3}\/[A-Z]{3})\|(0|\d{8})\|([BS])([bq])$/;
const CLOSE_OUT_FIELD = /^([A-Z]{3})\|(0|\d{8})\|C$/;
const VALUE = /^(-?\d+) (-?\d+) (-?\d+)$/;

/** From the fields of its hash. Throws TypeError for one that cannot be read. */
function positionFrom(fields: PositionFields): Position {
  return new PositionReading().take(Object.entries(fields).flat());
}

/** What a field of the hash is the name of: the deals of a pair and value date on one side, or close-outs. */
type FieldName =
  | {
      readonly line: string;
      readonly pair: string;
      readonly valueDate: string;
      readonly isBought: boolean;
      readonly isBase: boolean;
    }
  | { readonly currency: string; readonly valueDate: string };

interface ParsedField {
  readonly text: string;
  readonly name: FieldName;
  readonly received: bigint;
  readonly given: bigint;
  readonly margin: bigint;
}

/** A hash that is read again and again, and of which little changes between: a value of the same text is parsed once. */
export class PositionReading {
  readonly #parsed = new Map<string, ParsedField>();
  #position: Position = { lines: [], closeOuts: [], folded: undefined };
  #last = '';

  /** As it was taken last. */
  get position(): Position {
    return this.#position;
  }

  /** The field of that name, of the same reading: while the hash has it, nothing has changed. '': there was none. */
  get last(): string {
    return this.#last;
  }

  /** Names and values in turn, as Redis replies. */
  take(reply: readonly string[]): Position {
    const lines = new Map<string, Changing>();
    const closeOuts: [field: string, line: CloseOutLine][] = [];
    let folded: string | undefined;
    let last = '';
    let count = 0;
    for (let i = 0; i < reply.length; i += 2) {
      const field = reply[i]!;
      if (field === 'folded') {
        folded = reply[i + 1];
        continue;
      }
      if (field === 'last') {
        last = reply[i + 1]!;
        continue;
      }
      count += 1;
      const { name, received, given, margin } = this.#parse(field, reply[i + 1]!);
      if ('currency' in name) {
        const { currency, valueDate } = name;
        closeOuts.push([field, { currency, valueDate, charged: received, credited: given }]);
        continue;
      }
      let line = lines.get(name.line);
      if (line === undefined) {
        line = { pair: name.pair, valueDate: name.valueDate, ...NO_DEALS };
        lines.set(name.line, line);
      }
      if (name.isBought) {
        line.baseBought += received;
        line.quotePaid += given;
      } else {
        line.baseSold += given;
        line.quoteReceived += received;
      }
      if (name.isBase) line.marginBase += margin;
      else line.marginQuote += margin;
    }
    // A fold has removed fields: what is left is parsed anew.
    if (this.#parsed.size > count) this.#parsed.clear();
    this.#last = last;
    this.#position = {
      lines: [...lines].sort(byName).map(([, line]) => line),
      closeOuts: closeOuts.sort(byName).map(([, line]) => line),
      folded,
    };
    return this.#position;
  }

  #parse(field: string, text: string): ParsedField {
    const before = this.#parsed.get(field);
    if (before?.text === text) return before;
    const name = before?.name ?? nameOf(field);
    const [, received, given, margin] = VALUE.exec(text) ?? [];
    if (name === undefined || margin === undefined)
      throw new TypeError('a position cannot be read: run ratewire reconcile');
    const parsed = { text, name, received: BigInt(received!), given: BigInt(given!), margin: BigInt(margin) };
    this.#parsed.set(field, parsed);
    return parsed;
  }
}

type Changing = { -readonly [Name in keyof PositionLine]: PositionLine[Name] };

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function nameOf(field: string): FieldName | undefined {
  const [, pair, valueDate, side, marginIn] = PAIR_FIELD.exec(field) ?? [];
  if (pair !== undefined)
    return {
      line: `${pair}|${valueDate}`,
      pair,
      valueDate: valueDate!,
      isBought: side === 'B',
      isBase: marginIn === 'b',
    };
  const [, currency, closedFor] = CLOSE_OUT_FIELD.exec(field) ?? [];
  return currency === undefined ? undefined : { currency, valueDate: closedFor! };
}
