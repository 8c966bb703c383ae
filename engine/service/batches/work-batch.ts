/** Draws the items of a funded batch: each becomes a payment, or is refused, by a step of its own. Any process may work on it, repeatedly. */

import type { Batch } from '../../domain/batches/batch.js';
import { type FieldFault, isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import { TEXT_MAX } from '../../domain/core/text.js';
import type { Client } from '../../store/access/clients.js';
import type { QueuedItem } from '../../store/batches/batches.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { WorkEntry } from '../../store/coordination/work.js';
import { type ResolvedBeneficiary, spelled } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import { createPayout, payOut, type WorkOutcome } from '../payments/index.js';
import { type Content, openItem } from './batch-input.js';
import { ownFaults, resolvedInput } from './check-items.js';

/** Items whose steps are under way at once. */
const AT_ONCE = 16;
const RETRY_MS = 5_000;
/** A disabled client, a full store, an account without room. */
const OBSTACLE_RETRY_MS = 60_000;
/** A rate that stays away for so long since the funding, or the last item that was drawn, refuses the item. */
const PATIENCE_MS = 15 * 60_000;

const MAY_PASS: ReadonlySet<RefusalCode> = new Set(['RATE_UNAVAILABLE', 'STORE_UNAVAILABLE']);

/**
 * The entry is done or rescheduled when this resolves, or stays for another worker where this one stops; it rejects with StoreUnavailable
 * only, and then a process claims the entry again.
 */
export async function processBatch(
  services: Services,
  entry: WorkEntry & { readonly batchId: string },
  isStopping: () => boolean = () => false,
): Promise<WorkOutcome> {
  const { store, log } = services;
  const { batchId } = entry;
  const client = await store.clients.cached(entry.clientId);
  if (client?.shard !== entry.shard) {
    log.warn({ shard: entry.shard, entry: entry.entry }, 'an entry for a batch names no client: it is dropped');
    await store.work.done(entry);
    return 'done';
  }
  const later = async (ms: number): Promise<WorkOutcome> => {
    await store.work.reschedule(client, entry, ms);
    return 'put-off';
  };
  try {
    for (let did = 0; ; did++) {
      const batch = await store.batches.read(client, batchId);
      const queued = batch?.status === 'PROCESSING' ? await store.batches.queued(client, batchId, AT_ONCE) : [];
      if (batch === undefined || queued.length === 0) {
        await store.work.done(entry);
        return did > 0 ? 'moved' : 'done';
      }
      if (client.disabled || store.isFull()) return later(OBSTACLE_RETRY_MS);
      const ids = queued.map(({ itemId }) => itemId);
      const contents = await store.batches.contents(client, batchId, ids);
      const drawn = queued.map((item) => drawItem(services, client, batch, item, contents.get(item.itemId)));
      const waits = (await Promise.all(drawn)).filter((ms) => ms !== undefined);
      if (waits.length > 0) return later(Math.min(...waits));
      if (isStopping()) return 'put-off';
      await store.work.extend(entry, store.engineId);
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    log.error(
      { client: client.id, batch: batchId, err: error },
      'a batch could not be worked on: it is put off for a minute',
    );
    return later(OBSTACLE_RETRY_MS);
  }
}

/** Once, whatever other process works on it: the step takes the item out of the queue. Returns after how many ms to retry; undefined: it is done. */
async function drawItem(
  services: Services,
  client: Client,
  batch: Batch,
  item: QueuedItem,
  sealed: string | undefined,
): Promise<number | undefined> {
  const { store } = services;
  const content = openItem(store.subKey, batch.id, item.itemId, sealed);
  const refusal = content === undefined ? UNREADABLE : await payItem(services, client, batch, item, content);
  if (refusal === undefined) return undefined;
  if (MAY_PASS.has(refusal.refusal) && store.clock.now(client) < batch.updatedAtMs + PATIENCE_MS) return RETRY_MS;
  const { refusal: code, text } = refusal;
  return (await store.batches.refuse(client, batch, item, { code, text })) === 'limit' ? OBSTACLE_RETRY_MS : undefined;
}

const UNREADABLE = refuse('INTERNAL_ERROR', 'The item cannot be read: tell us');

/** Undefined: it is a payment now, or was one before. */
async function payItem(
  services: Services,
  client: Client,
  batch: Batch,
  item: QueuedItem,
  content: Content,
): Promise<Refusal | undefined> {
  // The rules, the client and its beneficiaries may have changed since the batch was validated.
  const caller = { clientId: client.id, keyId: '', rights: new Set<never>() };
  const input = await resolvedInput(services, caller, batch, item.itemId, content);
  if (isRefusal(input)) return input;
  const { resolved } = input as { readonly resolved?: ResolvedBeneficiary };
  if (resolved?.refusal === undefined && resolved?.fieldsVersion !== item.beneficiaryVersion)
    return refuse('BENEFICIARY_CHANGED');
  const checked = await ownFaults(services, caller, client, batch, input);
  if (isRefusal(checked)) return checked;
  if (checked.faults.length > 0) return refuse('VALIDATION_FAILED', textOf(checked.faults));
  const paid = await payOut(services, client, createPayout.input.parse(input), { batchId: batch.id, item });
  return isRefusal(paid) && paid.refusal !== 'WRONG_STATE' ? paid : undefined;
}

const FAULTS_SHOWN = 3;

/** With the names that the client knows. */
function textOf(faults: readonly FieldFault[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ field, message }) => `${spelled(field)}: ${message}`);
  const more = faults.length > FAULTS_SHOWN ? [`and ${faults.length - FAULTS_SHOWN} more`] : [];
  return [...shown, ...more].join('; ').slice(0, TEXT_MAX);
}
