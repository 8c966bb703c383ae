/**
 * Compares batches with their money: a batch that is being processed reserves what its items still need, and any other one nothing; one with
 * items left has work that will draw them. The journal's entries about a batch move money between its account and its reserve alone.
 */
import type { Client } from '../../store/access/clients.js';
import type { JournalEntry } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import { type Differing, difference, NONE } from './recompute.js';

const OF_BATCH = /^[A-Z]{3}\/batch:(.+)$/;

/** Safe while workers draw items: reserve, state and queue of a batch are read at one moment. `names` are those of the client's balances. */
export async function compareBatches(
  { store }: Services,
  client: Client,
  names: readonly string[],
): Promise<Differing[]> {
  const found: Differing[] = [];
  const reserving = names.flatMap((name) => OF_BATCH.exec(name)?.[1] ?? []);
  for (const id of new Set([...(await store.batches.open(client)), ...reserving])) {
    const kept = await store.batches.reserves(client, id);
    if (kept === undefined) {
      found.push([`batch ${id}`, 'a batch', NONE]);
      continue;
    }
    const { batch, reserved, queue } = kept;
    const needed = queue.reduce((sum, { reserve }) => sum + reserve, 0n);
    const isGoingOn = batch.status === 'PROCESSING';
    found.push(...difference(`batch ${id}: reserve, minor units`, isGoingOn ? String(needed) : '0', reserved));
    if (!isGoingOn) continue;
    const accounted = needed + BigInt(batch.drawnAmount) + BigInt(batch.refusedAmount);
    found.push(...difference(`batch ${id}: total, minor units`, String(accounted), batch.total));
    const counted = queue.length + batch.drawn + batch.refused;
    found.push(...difference(`batch ${id}: items`, String(batch.items), String(counted)));
    if ((await store.workAudit.hasBatch(client, id)) || (await store.batches.read(client, id))?.status !== 'PROCESSING')
      continue;
    found.push([`batch ${id}: next step`, 'work, or a time for it', NONE]);
  }
  return found;
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
