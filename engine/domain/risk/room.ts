/** How the room under a limit of the house is divided among the shards. Whole minor units of the base currency. */

/** Of the room, half stays with the role, for the shards that ask; the rest is divided evenly. */
const RESERVED = 2;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * What to add to the room of each shard, below 0 where it is taken back, so that all of them together have at most `most`: the limit less
 * the figure. What shards ask for comes first, the smallest first, then an even slice for those with less than half of one. Room that others
 * hold is taken back where it is needed, and can be handed out once it is back: the sum never exceeds `most` meanwhile. From a shard whose
 * room is reserved it is taken back only where the limit is exceeded. `isShort` says that something came back for a shard that asks, which is
 * worth another round.
 */
export function planRoom(
  most: number,
  rooms: readonly number[],
  wants: readonly number[],
  isReserved: (shard: number) => boolean = () => false,
): { readonly deltas: readonly number[]; readonly isShort: boolean } {
  const deltas = rooms.map(() => 0);
  let left = Math.floor(most) - sumOf(rooms);
  const slice = Math.max(0, Math.floor(most / RESERVED / rooms.length));
  const { given, kept } = givenOf(left, rooms, wants, isReserved);
  let short = Math.max(0, -left);
  for (const [shard, amount] of given) {
    const now = Math.max(0, Math.min(left, amount + slice));
    deltas[shard] = now;
    left -= now;
    short += Math.max(0, amount - now);
  }
  for (const [shard, room] of rooms.entries()) {
    if (wants[shard] !== 0 || room * 2 >= slice || left < slice - room || short > 0) continue;
    deltas[shard] = slice - room;
    left -= slice - room;
  }
  // From those that have most. What no shard has cannot be taken back.
  const isOver = left < 0;
  const holders = [...rooms.keys()].filter((shard) => isOver || !kept.has(shard)).sort((a, b) => rooms[b]! - rooms[a]!);
  let taken = 0;
  for (const shard of holders) {
    const back = Math.min(short - taken, rooms[shard]! + deltas[shard]!);
    if (back <= 0) continue;
    deltas[shard] = deltas[shard]! - back;
    taken += back;
  }
  return { deltas, isShort: !isOver && taken > 0 };
}

/**
 * Of the shards that ask, the smallest first, those that can have all that they lack once the others have given their room back; and what is
 * then left for the next one. `kept` are those that keep their room.
 */
function givenOf(
  left: number,
  rooms: readonly number[],
  wants: readonly number[],
  isReserved: (shard: number) => boolean,
) {
  const lacks = (shard: number): number => Math.max(0, wants[shard]! - rooms[shard]!);
  const asking = [...rooms.keys()].filter((shard) => wants[shard] !== 0).sort((a, b) => lacks(a) - lacks(b));
  const given = new Map<number, number>();
  const kept = new Set([...rooms.keys()].filter(isReserved));
  let pool = left + sumOf(rooms.filter((_, shard) => !kept.has(shard)));
  for (const shard of asking) {
    if (!kept.has(shard)) pool -= rooms[shard]!;
    const amount = Math.min(lacks(shard), pool);
    if (amount < 0) break;
    given.set(shard, amount);
    kept.add(shard);
    pool -= amount;
    if (amount < lacks(shard)) break;
  }
  return { given, kept };
}
