/**
 * The slices of the house's limits: how much room each shard has, which its bookings take and give in their own step (limits.lua). The risk
 * role hands it out and takes it back. Whole minor units of the base currency, of a pair those of its own base.
 */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { positionKey, roomKey } from '../keys/redis-keys.js';
import type { Position, PositionReading } from './positions.js';

/** A shard's room and position at one moment. */
export interface SharedRoom {
  /** By field: `+EUR`, `-EUR`, `long`, `short`, `free+EUR`, `free-EUR`, `free+EUR/USD`, `free-EUR/USD`. */
  readonly room: ReadonlyMap<string, number>;
  /** What its deals have asked for since the last reading, by the same fields. */
  readonly wants: ReadonlyMap<string, number>;
  readonly position: Position;
}

export interface Rooms {
  /** Undefined: another role has begun. `begins` takes all that was handed out before. */
  share(
    shard: number,
    of: { readonly term: string; readonly base: string; readonly begins: boolean },
    deltas: ReadonlyMap<string, number>,
  ): Promise<SharedRoom | undefined>;
  /** The house has no limits any more. */
  remove(shard: number): Promise<void>;
  /** Called with the number of a shard whose deals ask for room. May be missed. Returns what ends it. */
  onWant(wanted: (shard: number) => void): () => void;
}

export const SHARE_ROOM = step(import.meta.url, 'share-room', {
  inReserve: true,
  keys: ['room', 'position'],
  args: ['term', 'base', 'begins', 'known'],
  rest: 'deltas',
});
const CHANNEL = 'room';
const WANT = 'want:';

export function rooms(connection: Connection, readings: readonly PositionReading[]): Rooms {
  return {
    async share(shard, { term, base, begins }, deltas) {
      const keys = { room: roomKey(shard), position: positionKey(shard) };
      const changes = [...deltas].flatMap(([field, amount]) => [field, String(amount)]);
      // Of this moment: others take what they read meanwhile.
      const reading = readings[shard]!;
      const { last: known, position: before } = reading;
      const answer = await connection.step(SHARE_ROOM, keys, { term, base, begins, known, deltas: changes });
      const [fields, changed] = answer as [fields: string[] | 'ended', position?: string[]];
      if (fields === 'ended') return undefined;
      const [room, wants] = [new Map<string, number>(), new Map<string, number>()];
      for (const [field, value] of pairsOf(fields)) {
        if (field.startsWith(WANT)) wants.set(field.slice(WANT.length), Number(value));
        else if (field !== 'term' && field !== 'base') room.set(field, Number(value));
      }
      return { room, wants, position: changed ? reading.take(changed) : before };
    },
    async remove(shard) {
      await connection.write((redis) => redis.del(roomKey(shard)));
    },
    onWant: (wanted) =>
      connection.subscribe(CHANNEL, (message) => {
        const shard = Number(message.toString('latin1', 0, 3));
        if (Number.isInteger(shard) && shard >= 0 && shard < 64) wanted(shard);
      }),
  };
}

function* pairsOf(list: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < list.length; i += 2) yield [list[i]!, list[i + 1]!];
}
