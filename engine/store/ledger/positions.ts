/**
 * What the house holds from the deals of its clients, seen from the house: by pair and value date what it bought and sold. The step that
 * books, busts, corrects or cancels a conversion changes the hash of its shard and that of its client (positions.lua), a scheduled one at
 * its booking: its settlement changes nothing. Amounts are minor units, and signed: a bust after a fold may leave a line below 0.
 */
import type { AgreedRate, BookingFacts } from '../../domain/booking.js';
import { addSums, type DealSums, NO_DEALS } from '../../domain/risk/position.js';
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
  /** Of every shard, by its number; rejects where one cannot be read. */
  ofAllShards(): Promise<readonly Position[]>;
  ofClient(of: MoneyOf): Promise<Position>;
  /** The hashes of a shard and of these clients of it, at one moment: one step of some microseconds for each client. */
  hashes(
    shard: number,
    ids: readonly string[],
  ): Promise<{ readonly shard: PositionFields; readonly clients: readonly PositionFields[] }>;
  /** Replaces a hash, by several commands: for a conversion of the store, while no program runs. */
  replace(of: PositionOf, fields: PositionFields): Promise<void>;
  /**
   * Adds the lines of the value dates up to `day`, 'YYYYMMDD', to those of the date '0', in the hash of the shard or of the client.
   * Returns the number of lines, at most FOLD_MAX: then there may be more.
   */
  fold(of: PositionOf, day: string): Promise<number>;
}

/** @public */
export const READ_POSITIONS = step('read-positions', { keys: ['position'], rest: 'clients' });
export const FOLD_MAX = 500;

export const FOLD_POSITION = step('fold-position', { keys: ['position'], args: ['day', 'most'], uses: ['positions'] });

const WRITTEN_AT_ONCE = 500;

const keyOf = ({ shard, id }: PositionOf): string =>
  id === undefined ? positionKey(shard) : ledgerKeys({ id, shard }).position;

export function positions(connection: Connection): Positions {
  const read = async (key: string): Promise<Position> =>
    positionFrom(await connection.read((redis) => redis.hgetall(key)));
  const ofShard = (shard: number): Promise<Position> => read(positionKey(shard));
  return {
    ofShard,
    ofAllShards: () => Promise.all(Array.from({ length: SHARDS }, (_, shard) => ofShard(shard))),
    ofClient: (of) => read(ledgerKeys(of).position),
    async hashes(shard, ids) {
      const clients = ids.map((id) => ledgerKeys({ id, shard }).position);
      const reply = await connection.runUnreplicated(READ_POSITIONS, { position: positionKey(shard) }, { clients });
      const [own, ...others] = (reply as string[][]).map(fieldsOf);
      return { shard: own!, clients: others };
    },
    async replace(of, fields) {
      const key = keyOf(of);
      const all = Object.entries(fields);
      await connection.write((redis) => redis.del(key));
      for (let from = 0; from < all.length; from += WRITTEN_AT_ONCE)
        await connection.write((redis) => redis.hset(key, ...all.slice(from, from + WRITTEN_AT_ONCE).flat()));
    },
    async fold({ shard, id }, day) {
      if (!/^\d{8}$/.test(day)) throw new TypeError('not a day: expected YYYYMMDD');
      return Number(await connection.step(FOLD_POSITION, { position: keyOf({ shard, id }) }, { day, most: FOLD_MAX }));
    },
  };
}

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
export function positionFrom({ folded, ...fields }: Readonly<Record<string, string>>): Position {
  const lines = new Map<string, PositionLine>();
  const closeOuts: CloseOutLine[] = [];
  for (const field of Object.keys(fields).sort()) {
    const [, received, given, margin] = VALUE.exec(fields[field]!) ?? [];
    const [, pair, valueDate, side, marginIn] = PAIR_FIELD.exec(field) ?? [];
    const [, currency, closedFor] = CLOSE_OUT_FIELD.exec(field) ?? [];
    if (margin === undefined || (pair === undefined && currency === undefined))
      throw new TypeError('a position cannot be read: run ratewire reconcile');
    if (currency !== undefined) {
      closeOuts.push({ currency, valueDate: closedFor!, charged: BigInt(received!), credited: BigInt(given!) });
      continue;
    }
    const name = `${pair}|${valueDate}`;
    const line = lines.get(name) ?? { pair: pair!, valueDate: valueDate!, ...NO_DEALS };
    lines.set(name, {
      ...line,
      ...addSums(line, dealSums(side!, marginIn!, BigInt(received!), BigInt(given!), BigInt(margin))),
    });
  }
  return { lines: [...lines.values()], closeOuts, folded };
}

function dealSums(side: string, marginIn: string, received: bigint, given: bigint, margin: bigint): DealSums {
  const deals =
    side === 'B' ? { baseBought: received, quotePaid: given } : { baseSold: given, quoteReceived: received };
  return { ...NO_DEALS, ...deals, [marginIn === 'b' ? 'marginBase' : 'marginQuote']: margin };
}
