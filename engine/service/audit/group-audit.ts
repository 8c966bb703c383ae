/** What a group, a client or a platform with its sub-clients, keeps of its clients (groups.lua), compared with their own ledgers. */
import { formatMinor, isAccountCurrency } from '../../domain/money/money.js';
import type { Client } from '../../store/access/clients.js';
import type { LedgerSnapshot } from '../../store/audit/ledger-snapshot.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { amountOf, type Difference, type Differing, difference } from './recompute.js';

/** Of one client, by its journal: the conversions that have not settled, and whether it owes. */
export function groupDiffers(
  expected: { readonly open: readonly string[]; readonly owes: boolean },
  { openInGroup, isOwing }: Pick<LedgerSnapshot, 'openInGroup' | 'isOwing'>,
): Differing[] {
  const [open, found] = [new Set(expected.open), new Set(openInGroup)];
  return [
    ...[...new Set([...open, ...found])].flatMap((id) =>
      difference(`open conversions of its group: ${id}`, open.has(id) ? 'there' : '', found.has(id) ? 'there' : ''),
    ),
    ...difference('its group: whether it owes', expected.owes ? 'yes' : 'no', isOwing ? 'yes' : 'no'),
  ];
}

/** A group that deals meanwhile is read again. */
const READS_MAX = 5;

/** The gross sum of a group in each currency is that of its clients' open scheduled sells. */
export async function groupSumsDiffer(services: Services, group: Client): Promise<Difference[]> {
  const { ledgerAudit } = services.store;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const before = await ledgerAudit.scheduled(group, 'groupScheduled');
    const sums = new Map<string, bigint>();
    const add = async (client: Client): Promise<void> => {
      for (const [currency, minor] of Object.entries(await ledgerAudit.scheduled(client, 'scheduled')))
        sums.set(currency, (sums.get(currency) ?? 0n) + (amountOf(minor) ?? 0n));
    };
    await add(group);
    for await (const subClient of everyClient(services, group.id)) await add(subClient);
    const { changes: _, ...after } = await ledgerAudit.scheduled(group, 'groupScheduled');
    if (Object.entries(after).some(([currency, minor]) => before[currency] !== minor)) continue;
    return [...new Set([...sums.keys(), ...Object.keys(after)])].flatMap((currency) =>
      difference(
        `scheduled sells of the group in ${currency}`,
        shownIn(sums.get(currency) ?? 0n, currency),
        shownIn(amountOf(after[currency] ?? '0') ?? after[currency]!, currency),
      ).map(([what, expected, found]) => ({ client: group.id, what, expected, found })),
    );
  }
  return [];
}

const shownIn = (minor: bigint | string, currency: string): string =>
  typeof minor === 'bigint' && isAccountCurrency(currency) ? formatMinor(minor, currency) : String(minor);
