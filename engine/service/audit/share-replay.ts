/** Compares what platforms have earned with the ledgers of their sub-clients. */
import { ACCOUNT_NUMBER, platformOf, subClientsOf } from '../../domain/core/ids.js';
import type { Client } from '../../store/access/clients.js';
import { EARNINGS, PLATFORM_MARGIN, SUB_CLIENTS_MARGIN } from '../../store/accounts/accounts.js';
import { type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { groupSumsDiffer } from './group-audit.js';
import { compareShard } from './position-replay.js';
import { type Difference, type Differing, difference } from './recompute.js';

/**
 * Of an entry of a platform's journal: a share comes from the contra account, or goes back to it, by a sub-client; what is earned may move to an
 * account. `name` is the entry's.
 */
export function shareDiffers(platform: string, { moves, actor }: JournalEntry, name: string): Differing[] {
  const [share, paid, ...others] = movesOf(moves) ?? [];
  const isShare =
    share !== undefined && [share.from, share.to].sort().join(' ') === `${EARNINGS} ${SUB_CLIENTS_MARGIN}`;
  const isPaid = paid === undefined || (paid.from === EARNINGS && ACCOUNT_NUMBER.test(paid.to));
  if (isShare && isPaid && others.length === 0 && platformOf(actor) === platform) return [];
  const expected = `${SUB_CLIENTS_MARGIN} ${EARNINGS} for a sub-client, then to an account`;
  return [[`${name}: moves`, expected, `${actor} ${moves}`]];
}

/** A platform that deals meanwhile is read again. */
const READS_MAX = 5;

/** The contra account of each platform, or of this one, is in each currency what its sub-clients' ledgers have for it. */
export async function reconcileShares(services: Services, one: Client | undefined): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const client of one ? [one] : everyClient(services))
    if (client.platform === undefined)
      found.push(
        ...(await sharesDiffer(services, client)),
        ...(await positionsDiffer(services, client)),
        ...(await groupSumsDiffer(services, client)),
      );
  return found;
}

/** The position of all sub-clients together is the sum of theirs: read at one moment. */
async function positionsDiffer(services: Services, { id, shard }: Client): Promise<Difference[]> {
  const ids: string[] = [];
  for await (const subClient of everyClient(services, id)) ids.push(subClient.id);
  if (ids.length === 0) return [];
  const { clients } = await services.store.positions.hashes(shard, [subClientsOf(id), ...ids]);
  const [together, ...each] = clients;
  return compareShard(together!, each).map(([what, expected, found]) => ({
    client: subClientsOf(id),
    what,
    expected,
    found,
  }));
}

async function sharesDiffer(services: Services, platform: Client): Promise<Difference[]> {
  const { ledgerAudit, clients } = services.store;
  if (!platform.isPlatform && (await clients.countOf(platform.id)) === 0) return [];
  const read = () => ledgerAudit.subAccounts(platform, SUB_CLIENTS_MARGIN);
  for (let reads = 0; reads < READS_MAX; reads++) {
    const before = await read();
    const sums = new Map<string, bigint>();
    for await (const subClient of everyClient(services, platform.id))
      for (const [currency, minor] of await ledgerAudit.subAccounts(subClient, PLATFORM_MARGIN))
        sums.set(currency, (sums.get(currency) ?? 0n) + minor);
    const after = await read();
    const isSame = [...after].every(([currency, minor]) => before.get(currency) === minor);
    if (!isSame) continue;
    return [...new Set([...sums.keys(), ...after.keys()])].flatMap((currency) =>
      difference(
        `balance ${currency}/${SUB_CLIENTS_MARGIN}, minor units`,
        String(-(sums.get(currency) ?? 0n)),
        String(after.get(currency) ?? 0n),
      ).map(([what, expected, there]) => ({ client: platform.id, what, expected, found: there })),
    );
  }
  return [];
}
