/** Compares the sum of the open holds of a platform and its sub-clients with the holds themselves. */
import type { Client } from '../../store/access/clients.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { type Difference, type Differing, difference } from './recompute.js';

/** Platforms whose holds change meanwhile are read again. */
const READS_MAX = 5;

/** Each hold that counts is open and has its value, each open hold counts, and the sum is theirs. */
export async function reconcileHolds(services: Services, one: Client | undefined): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const client of one ? [one] : everyClient(services))
    if (client.platform === undefined) found.push(...(await holdsDiffer(services, client)));
  return found;
}

async function holdsDiffer(services: Services, platform: Client): Promise<Difference[]> {
  const { ledgerAudit } = services.store;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const counted = await ledgerAudit.countedHolds(platform);
    if (counted === undefined) return [];
    const open = new Map<string, string>();
    const addOpen = async (client: Client) => {
      const own = `${client.id}|`;
      const ids = [...counted.keys()].filter((name) => name.startsWith(own)).map((name) => name.slice(own.length));
      for (const [id, usd] of await ledgerAudit.openHolds(client, ids)) open.set(own + id, usd);
    };
    await addOpen(platform);
    for await (const subClient of everyClient(services, platform.id)) await addOpen(subClient);
    const after = await ledgerAudit.countedHolds(platform);
    if (JSON.stringify([...counted]) !== JSON.stringify([...(after ?? [])])) continue;
    return compared(counted, open).map(([what, expected, there]) => ({
      client: platform.id,
      what,
      expected,
      found: there,
    }));
  }
  return [];
}

const NONE = 'none';

function compared(counted: ReadonlyMap<string, string>, open: ReadonlyMap<string, string>): Differing[] {
  const holds = [...counted].filter(([name]) => name !== 'usd');
  const sum = holds.reduce((all, [, usd]) => all + BigInt(usd), 0n);
  const names = new Set([...holds.map(([name]) => name), ...open.keys()]);
  return [
    ...difference('holds of the platform: sum, US cents', String(sum), counted.get('usd') ?? NONE),
    ...[...names].flatMap((name) =>
      difference(`holds of the platform: US cents of ${name}`, open.get(name) ?? NONE, counted.get(name) ?? NONE),
    ),
  ];
}
