/** The balances of a client, recomputed from its journal since the last check: before money leaves. */
import { keepLast } from '../../domain/core/keep-last.js';
import type { Client } from '../../store/access/clients.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { addMove, isBefore, movesOf } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';

interface Checked {
  /** The last entry that is in the sums. */
  readonly position: string;
  /** Minor units, by `<currency>/<account or sub-account>`. */
  readonly sums: ReadonlyMap<string, bigint>;
  readonly differs: boolean;
}

/** One that is not among them is checked from its archive on. */
const CLIENTS_MAX = 10_000;
const PAGE = 1_000;
/** An archive may overtake the read. */
const READS_MAX = 5;
const ACCOUNT = /^[A-Z]{3}\/\d{12}$/;
const CHECKED = new WeakMap<Services['store'], Map<string, Checked>>();

/**
 * Whether each balance of the client is the sum of its journal, and no account below 0: both of one moment, so that steps meanwhile change nothing. The first check
 * of a process plays the journal from its archive on, each later one what has come since. A difference is logged, without amounts.
 */
export async function balancesAgree({ store, log }: Pick<Services, 'store' | 'log'>, client: Client): Promise<boolean> {
  const all = CHECKED.get(store) ?? new Map<string, Checked>();
  CHECKED.set(store, all);
  for (let reads = 1; ; reads++) {
    const { balances, lastEntry } = await store.ledgerAudit.snapshot(client);
    const until = await store.journalArchive.until(client);
    const before = all.get(client.id);
    const isUsable = before && !isBefore(before.position, until) && !isBefore(lastEntry, before.position);
    const from = isUsable ? before : await archived(store, client);
    const { position, sums, isReadable } = await played(store, client, from, lastEntry);
    if (reads < READS_MAX && isBefore(from.position, await store.journalArchive.until(client))) continue;
    const names = new Set([...sums.keys(), ...Object.keys(balances)]);
    const agrees =
      isReadable &&
      [...names].every((name) => {
        const sum = sums.get(name) ?? 0n;
        return String(sum) === (balances[name] ?? '0') && (sum >= 0n || !ACCOUNT.test(name));
      });
    // Where it differs the next check begins where this one began.
    keepLast(all, client.id, agrees ? { position, sums, differs: false } : { ...from, differs: true }, CLIENTS_MAX);
    if (!agrees) log.error({ client: client.id }, STOPPED);
    return agrees;
  }
}

const STOPPED =
  'a balance differs from the journal: the payouts of this client are stopped until they agree; run ratewire reconcile';

/** The number of clients whose payouts this process has stopped, by their last checks. */
export function stoppedPayouts(store: Services['store']): number {
  let stopped = 0;
  for (const { differs } of CHECKED.get(store)?.values() ?? []) if (differs) stopped++;
  return stopped;
}

/** Plays the entries behind `from`, up to `until`. */
async function played({ journal }: Services['store'], client: Client, from: Checked, until: string) {
  const sums = new Map(from.sums);
  let { position } = from;
  let isReadable = true;
  while (isBefore(position, until)) {
    const page = await journal.page(client, position, until, PAGE);
    for (const entry of page) {
      const moves = movesOf(entry.moves);
      if (moves === undefined) isReadable = false;
      for (const move of moves ?? []) addMove(sums, move);
    }
    if (page.length === 0) break;
    position = page.at(-1)!.entry;
  }
  return { position, sums, isReadable };
}

/** The balances after the last archived entry; none where they cannot be read, so that all differ. */
async function archived({ journalArchive }: Services['store'], client: Client): Promise<Checked> {
  const { entry, state } = await journalArchive.read(client);
  const read = () =>
    Object.entries((JSON.parse(state || '{}') as { balances?: Record<string, string> }).balances ?? {});
  const sums = decodeOrUndefined(() => read().map(([name, sum]) => [name, BigInt(sum)] as const)) ?? [];
  return { position: entry, sums: new Map(sums), differs: false };
}
