/** What limits are asked of: the position of a client, and of a platform with all that its sub-clients have dealt. */
import { platformOf, subClientsOf } from '../../domain/core/ids.js';
import type { Profit } from '../../domain/risk/figures.js';
import { type MoneyOf, subClientsTogether } from '../../store/keys/redis-keys.js';
import type { Position } from '../../store/risk/positions.js';
import type { Store } from '../../store/store.js';

/** A client that is no platform has none of sub-clients. */
export async function positionWithSubClients(
  { positions }: Pick<Store, 'positions'>,
  client: MoneyOf,
): Promise<Position> {
  if (platformOf(client.id) !== undefined) return positions.ofClient(client);
  const [own, others] = await Promise.all([positions.ofClient(client), positions.ofClient(subClientsTogether(client))]);
  if (others.lines.length === 0 && others.closeOuts.length === 0) return own;
  return { ...own, lines: [...own.lines, ...others.lines], closeOuts: [...own.closeOuts, ...others.closeOuts] };
}

type DayOf = Parameters<Store['dayStarts']['read']>[0];

/** What the day began with for each of them, with that of its sub-clients; undefined: not known. */
export async function readDayStarts(
  { dayStarts }: Pick<Store, 'dayStarts'>,
  of: DayOf,
  clientIds: readonly string[],
): Promise<readonly (Profit | undefined)[]> {
  const together = clientIds.map((id) => (platformOf(id) === undefined ? subClientsOf(id) : id));
  const found = await dayStarts.read(of, [...clientIds, ...together], 'newest');
  return clientIds.map((id, i) => {
    const [own, others] = [found[i], found[clientIds.length + i]];
    if (own === undefined || others === undefined || together[i] === id) return own;
    return {
      realised: own.realised + others.realised,
      unrealised: own.unrealised + others.unrealised,
      margin: own.margin + others.margin,
    };
  });
}
