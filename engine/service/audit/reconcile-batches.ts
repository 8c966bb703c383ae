/**
 * Compares batches with their money and their items: a batch that is being processed reserves what its items still need, and any other one
 * nothing; one with items left has work that will draw them; each drawn item has its payment. The journal's entries about a batch move money
 * between its account and its reserve alone.
 */
import type { Batch, BatchItem } from '../../domain/batches/batch.js';
import type { Client } from '../../store/access/clients.js';
import type { JournalEntry } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import { listPages, type Pace } from './list-pages.js';
import { type Differing, difference, NONE } from './recompute.js';

const OF_BATCH = /^[A-Z]{3}\/batch:(.+)$/;

/** Batches of one client that have not ended. */
export interface OpenBatches {
  readonly count: number;
  /** How long the one in process that has waited longest has drawn no item; undefined: none is in process. */
  readonly idleMs: number | undefined;
}

/** Those that have not ended or reserve money. `names` are those of the client's balances. */
export async function compareBatches(
  services: Services,
  client: Client,
  names: readonly string[],
): Promise<{ readonly differing: Differing[]; readonly open: OpenBatches }> {
  const reserving = names.flatMap((name) => OF_BATCH.exec(name)?.[1] ?? []);
  const differing: Differing[] = [];
  const open = await services.store.batches.open(client);
  let idleMs: number | undefined;
  for (const id of new Set([...open, ...reserving])) {
    const { found, batch } = await compareBatch(services, client, id);
    differing.push(...found);
    if (batch?.status !== 'PROCESSING') continue;
    // Each item that is drawn updates it, by the client’s clock; one that is refused does not.
    idleMs = Math.max(idleMs ?? 0, services.store.clock.now(client) - batch.updatedAtMs);
  }
  return { differing, open: { count: open.length, idleMs } };
}

/** Every batch of the client, as long as there is one. */
export async function walkBatches(services: Services, client: Client, pace: Pace): Promise<Differing[]> {
  const found: Differing[] = [];
  for await (const ids of listPages(services.store, client, 'batches', pace))
    for (const id of ids) {
      found.push(...(await compareBatch(services, client, id)).found);
      await pace.pause();
    }
  return found;
}

/** Safe while workers draw items: reserve, state, queue and items are read at one moment. */
async function compareBatch(
  { store }: Services,
  client: Client,
  id: string,
): Promise<{ readonly found: Differing[]; readonly batch?: Batch }> {
  const kept = await store.batches.reserves(client, id);
  if (kept === undefined) return { found: [[`batch ${id}`, 'a batch', NONE]] };
  const { batch, reserved, queue, items } = kept;
  const { status, total, drawnAmount, refusedAmount } = batch;
  const found: Differing[] = [];
  const differs = (what: string, expected: string, is: string) =>
    found.push(...difference(`batch ${id}: ${what}`, expected, is));
  const needed = queue.reduce((sum, { reserve }) => sum + reserve, 0n);
  const isGoingOn = status === 'PROCESSING';
  const gone = BigInt(drawnAmount) + BigInt(refusedAmount);
  differs('reserve, minor units', isGoingOn ? String(needed) : '0', reserved);
  if (isGoingOn || status === 'DONE') differs('total, minor units', String(needed + gone), total);
  differs('items', String(batch.items), String(items.length));
  const count = (kind: BatchItem['outcome']['kind']) => items.filter(({ outcome }) => outcome.kind === kind).length;
  differs('items drawn and refused', `${count('drawn')} ${count('refused')}`, `${batch.drawn} ${batch.refused}`);
  const queued = queue.map(({ itemId }) => itemId).join(' ');
  const pending = items.filter(({ outcome }) => outcome.kind === 'pending').map(({ itemId }) => itemId);
  if (status !== 'CANCELLED') differs('queue', isGoingOn || status === 'DONE' ? pending.join(' ') : '', queued);
  const paid = items.flatMap(({ outcome }) => (outcome.kind === 'drawn' ? [outcome.paymentId] : []));
  const statuses = await store.payments.statuses(client, paid);
  for (const [at, paymentId] of paid.entries())
    if (statuses[at] === undefined) found.push([`batch ${id}: payment ${paymentId}`, 'a payment', NONE]);
  if (!isGoingOn || (await store.workAudit.hasBatch(client, id))) return { found, batch };
  if ((await store.batches.read(client, id))?.status === 'PROCESSING')
    found.push([`batch ${id}: next step`, 'work, or a time for it', NONE]);
  return { found, batch };
}

export const isBatchStep = (step: string): boolean => step in BATCH_STEPS;

/** Whether the step takes money into the reserve. */
const BATCH_STEPS: Readonly<Record<string, boolean>> = {
  'fund-batch': true,
  'draw-item': false,
  'refuse-item': false,
  'cancel-batch': false,
};

/** `name` is the entry's. An item that takes nothing has no move. */
export function batchMovesDiffer({ step, id, moves }: JournalEntry, name: string): Differing[] {
  const [currency, from = '', to = '', amount = ''] = moves.split(' ');
  const [account, reserve] = BATCH_STEPS[step] ? [from, to] : [to, from];
  const isSound = /^\d{12}$/.test(account) && reserve === `batch:${id}` && /^[1-9]\d{0,14}$/.test(amount);
  if (moves === '' || isSound) return [];
  const legs = BATCH_STEPS[step] ? `account batch:${id}` : `batch:${id} account`;
  return [[`${name}: moves`, `${currency} ${legs} and an amount`, moves]];
}
