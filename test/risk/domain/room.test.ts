import { describe, expect, test } from 'vitest';
import { planRoom } from '../../../engine/domain/risk/room.js';

describe('the room of four shards', () => {
  test.each<[what: string, most: number, rooms: number[], wants: number[], deltas: number[], isShort: boolean]>([
    ['an even slice each, and half in reserve', 800, [0, 0, 0, 0], [0, 0, 0, 0], [100, 100, 100, 100], false],
    ['nothing where a shard has half of a slice', 800, [100, 50, 49, 100], [0, 0, 0, 0], [0, 0, 51, 0], false],
    ['what is asked for and a slice', 800, [100, 100, 100, 100], [0, 150, 0, 0], [0, 150, 0, 0], false],
    [
      'as much as is left, and the rest once it is back',
      800,
      [100, 100, 500, 0],
      [0, 0, 0, 500],
      [0, 0, -400, 100],
      true,
    ],
    [
      'to one of those that ask, from the others',
      400,
      [100, 100, 100, 100],
      [300, 300, 300, 300],
      [0, 0, -100, -100],
      true,
    ],
    ['back from those that have most', 400, [100, 300, 0, 0], [0, 0, 0, 250], [0, -250, 0, 0], true],
    ['above the limit everything back', -5, [100, 300, 0, 7], [0, 0, 0, 0], [-100, -300, 0, -7], false],
    ['above the limit by a part', 300, [100, 300, 0, 0], [0, 0, 0, 0], [0, -100, 0, 0], false],
    ['nothing to give', 0, [0, 0, 0, 0], [5, 0, 0, 0], [0, 0, 0, 0], false],
  ])('%s', (_what, most, rooms, wants, deltas, isShort) => {
    const plan = planRoom(most, rooms, wants);
    expect(plan.deltas.map((delta) => delta + 0)).toEqual(deltas);
    expect(plan.isShort).toBe(isShort);
  });

  test('what is out never exceeds the limit, also before anything is back', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2_000; round++) {
      const rooms = Array.from({ length: 8 }, () => next(100));
      const wants = Array.from({ length: 8 }, () => (next(3) === 0 ? next(200) : 0));
      const most = next(1_200) - 200;
      const { deltas } = planRoom(most, rooms, wants);
      const out = rooms.reduce((sum, room) => sum + room, 0);
      const given = deltas.reduce((sum, delta) => sum + Math.max(0, delta), 0);
      expect(given).toBeLessThanOrEqual(Math.max(0, most - out));
      for (const [shard, delta] of deltas.entries()) expect(rooms[shard]! + delta).toBeGreaterThanOrEqual(0);
    }
  });
});
