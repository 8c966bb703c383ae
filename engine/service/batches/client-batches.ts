/** The batches of a client: created, filled, validated, closed, funded, cancelled and read. */
import { z } from 'zod';
import {
  BATCH_ITEMS_MAX,
  BATCH_STATUSES,
  type Batch,
  type BatchItem,
  type BatchStatus,
} from '../../domain/batches/batch.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { formatMinor } from '../../domain/money/money.js';
import type { Payment } from '../../domain/payments/payment.js';
import { paymentAt } from '../../domain/payments/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payments/payment-status.js';
import type { Client } from '../../store/access/clients.js';
import {
  type CancelledBatch,
  type ChangedItems,
  type FundedBatch,
  type QueuedItem,
  totalOf,
} from '../../store/batches/batches.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { type Caller, clientOf } from '../core/caller.js';
import { newId } from '../core/ids.js';
import { ACCOUNT_CURRENCY, ID, VERSION } from '../core/inputs.js';
import { defineFind, defineList, pageInput, type RecordKind, readPage } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import {
  ADD_ITEMS_INPUT,
  BATCH_CHANGE_INPUT,
  BATCH_INPUT,
  CREATE_BATCH_INPUT,
  itemStatus,
  sealedItem,
} from './batch-input.js';
import { checkItems, reservesOf } from './check-items.js';
import { contentsOfPayment, contentsOfPending, type ItemContents, NOTHING } from './item-contents.js';

const NO_BATCH = refuse('NOT_FOUND', 'No such batch of yours: check the id');
const OTHER_VERSION = refuse('VERSION_CONFLICT');

/** Refuses with NOT_FOUND: also for a batch of another client. */
async function batchOf(
  services: Services,
  caller: Caller,
  batchId: string,
): Promise<{ readonly client: Client; readonly batch: Batch } | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const batch = await services.store.batches.read(client, batchId);
  return batch === undefined ? NO_BATCH : { client, batch };
}

/** Refuses with REQUEST_ID_REUSED, UNKNOWN_ACCOUNT, ACCOUNT_INACTIVE, BATCH_LIMIT. */
export const createBatch = defineOperation({
  input: CREATE_BATCH_INPUT,
  right: 'manage',
  grows: true,
  async execute(services, caller, { requestId, sourceAccount, description = '' }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { batches, accounts, clock } = services.store;
    const account = String(sourceAccount);
    const currency = (await accounts.currencyOf(client, account)) ?? '';
    const createdAtMs = clock.now(client);
    const facts = { id: newId('BAT', createdAtMs), requestId, description, account, currency, createdAtMs };
    const created = await batches.create(client, facts);
    if (created.kind === 'refused') return refuse(created.code);
    if (created.kind === 'created') return { batch: { ...facts, ...created.state }, replayed: false };
    const batch = await batches.read(client, created.batchId);
    if (batch === undefined || batch.account !== account || batch.description !== description)
      return refuse('REQUEST_ID_REUSED');
    return { batch, replayed: true };
  },
});

/**
 * Adds items, all or none; the same item again changes nothing. Refuses with NOT_FOUND, VERSION_CONFLICT, WRONG_STATE (it is closed),
 * REQUEST_ID_REUSED (it has one of the items with other content), BATCH_LIMIT.
 */
export const addBatchItems = defineOperation({
  input: ADD_ITEMS_INPUT,
  right: 'manage',
  grows: true,
  async execute(services, caller, { batchId, version, replace = false, items }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const { subKey, batches } = services.store;
    const sealed = items.map(({ itemId, payment }) => sealedItem(subKey, batchId, itemId, payment));
    const change = { items: sealed, version, replaces: replace };
    const answer = changed(batch, await batches.changeItems(client, batchId, change));
    return isRefusal(answer) ? answer : { ...answer, sent: items.length };
  },
});

/** Refuses with NOT_FOUND (also for an unknown item), VERSION_CONFLICT, WRONG_STATE. */
export const removeBatchItem = defineOperation({
  input: z.strictObject({ batchId: ID, itemId: ID, version: VERSION }),
  right: 'manage',
  async execute(services, caller, { batchId, itemId, version }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const { batches } = services.store;
    const items = [{ itemId, transactionNumber: '', fingerprint: '', content: '' }];
    return changed(batch, await batches.changeItems(client, batchId, { items, version, replaces: false }));
  },
});

function changed(batch: Batch, answer: ChangedItems) {
  if (answer.kind === 'changed') {
    const { state, added, replaced, removed } = answer;
    return { batch: { ...batch, ...state }, added, replaced, removed };
  }
  if (answer.kind === 'conflict') {
    const [first, ...others] = answer.itemIds;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const text = `The batch has item ${first}${more} with other content: send replace, or use new ids`;
    return refuse('REQUEST_ID_REUSED', text);
  }
  if (answer.kind === 'unknown') return refuse('NOT_FOUND', 'The batch has no such item: check the id');
  if (answer.kind === 'full') return refuse('BATCH_LIMIT', `A batch has at most ${BATCH_ITEMS_MAX} items`);
  return notMoved(answer, 'Only a batch that is not closed can be changed');
}

function notMoved(answer: Exclude<CancelledBatch | FundedBatch, { kind: 'moved' }>, text: string): Refusal {
  if (answer.kind === 'gone') return NO_BATCH;
  if (answer.kind === 'version') return OTHER_VERSION;
  if (answer.kind === 'limit')
    return refuse('BALANCE_LIMIT', 'What would come back has no room in its account: use some of it first');
  if (answer.kind === 'status')
    return refuse('WRONG_STATE', `The batch is ${answer.status}: ${text}`, { details: { batchStatus: answer.status } });
  return refuse(answer.kind === 'refused' ? answer.code : 'WRONG_STATE');
}

/**
 * Whether the version that a command names is that of the batch. One that comes again names that of before its change: in a status that the
 * command leads to, it may be older by so many.
 */
function isMeant(batch: Batch, version: number | undefined, older: Partial<Record<BatchStatus, number>>): boolean {
  const by = version === undefined ? 0 : batch.version - version;
  return by >= 0 && by <= (older[batch.status] ?? 0);
}

/** All faults of all items; without any the batch is VALIDATED. Refuses with NOT_FOUND, VERSION_CONFLICT, WRONG_STATE. */
export const validateBatch = defineOperation({
  input: BATCH_CHANGE_INPUT,
  right: 'manage',
  isLong: true,
  async execute(services, caller, { batchId, version }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const { batches } = services.store;
    if (!isMeant(batch, version, { VALIDATED: 1 })) return OTHER_VERSION;
    if (batch.status === 'VALIDATED') return { batch, faulty: [], leftOut: 0 };
    if (batch.status === 'OPEN' && batch.items === 0)
      return refuse('WRONG_STATE', 'The batch has no items: add some first', {
        details: { batchStatus: batch.status },
      });
    const items = batch.status === 'OPEN' ? await batches.items(client, batchId) : [];
    const checked = await checkItems(services, caller, client, batch, items);
    if (isRefusal(checked)) return checked;
    if (checked.faulty.length > 0) return { batch, ...checked };
    // Items that were added meanwhile have not been checked.
    const moved = await batches.move(client, batchId, 'VALIDATED', batch.version);
    if (moved.kind !== 'moved') return notMoved(moved, 'only an open one is validated');
    return { batch: { ...batch, ...moved.state }, ...checked };
  },
});

/**
 * From now on its items cannot change, nor whom they pay: each item is bound to the version of its beneficiary. Refuses with NOT_FOUND,
 * VERSION_CONFLICT, WRONG_STATE (it is not validated).
 */
export const closeBatch = defineOperation({
  input: BATCH_CHANGE_INPUT,
  right: 'manage',
  isLong: true,
  async execute(services, caller, { batchId, version }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const { batches } = services.store;
    if (!isMeant(batch, version, { CLOSED: 1 })) return OTHER_VERSION;
    const items = batch.status === 'VALIDATED' ? await batches.items(client, batchId) : [];
    const reserves = await reservesOf(services, caller, client, batch, items);
    const moved = await batches.move(client, batchId, 'CLOSED', batch.version, reserves);
    if (moved.kind === 'moved') return { batch: { ...batch, ...moved.state } };
    return notMoved(moved, 'only a validated one is closed');
  },
});

/**
 * Reserves the total of a closed batch and begins to pay its items. Refuses with NOT_FOUND, VERSION_CONFLICT, BENEFICIARY_CHANGED, WRONG_STATE
 * (also where its total has grown by other fees), ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE.
 */
export const fundBatch = defineOperation({
  input: BATCH_CHANGE_INPUT,
  right: 'pay',
  isLong: true,
  grows: true,
  async execute(services, caller, { batchId, version }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const { batches } = services.store;
    if (!isMeant(batch, version, { PROCESSING: 1, DONE: 2 })) return OTHER_VERSION;
    const items = batch.status === 'CLOSED' ? await batches.items(client, batchId) : [];
    const reserves = await reservesOf(services, caller, client, batch, items);
    const refusal = otherThanClosed(batch, items, reserves);
    if (refusal) return refusal;
    const funded = await batches.fund(client, batch, reserves);
    if (funded.kind === 'moved') return { batch: { ...batch, ...funded.state } };
    if (funded.kind !== 'refused') return notMoved(funded, 'only a closed one is funded');
    if (funded.code !== 'INSUFFICIENT_BALANCE') return refuse(funded.code);
    if (funded.more === 'waiting')
      return refuse('INSUFFICIENT_BALANCE', 'An older payment waits for the money of this account: fund it first');
    return insufficientBalance(funded.more, 'fund the account of the batch');
  },
});

/** Items that a refusal names. */
const NAMED_MAX = 50;

/** Who funds a batch has seen what was closed: no other beneficiary is paid, and no more is taken. */
function otherThanClosed(
  { status, currency, total }: Batch,
  items: readonly BatchItem[],
  reserves: readonly QueuedItem[],
): Refusal | undefined {
  if (status !== 'CLOSED') return undefined;
  const changed = reserves.filter(({ beneficiaryVersion }, at) => {
    const { outcome } = items[at]!;
    return outcome.kind === 'pending' && outcome.beneficiaryVersion !== beneficiaryVersion;
  });
  if (changed.length > 0) {
    const ids = changed.slice(0, NAMED_MAX).map(({ itemId }) => itemId);
    const more = changed.length > ids.length ? ` and ${changed.length - ids.length} more` : '';
    const text = `The beneficiaries of items ${ids.join(', ')}${more} have changed since the batch was closed: cancel it, and send another`;
    const field = (id: string) => `items.${id}.beneficiary_id`;
    const fields = ids.map((id) => ({ field: field(id), code: 'not_allowed' as const, message: CHANGED_SINCE }));
    return refuse('BENEFICIARY_CHANGED', text, { fields });
  }
  const needed = totalOf(reserves);
  if (needed <= BigInt(total)) return undefined;
  const [was, is] = [BigInt(total), needed].map((minor) => `${formatMinor(minor, currency)} ${currency}`);
  const text = `The batch is CLOSED with a total of ${was}, and needs ${is} with the fees of now: cancel it, and send another`;
  return refuse('WRONG_STATE', text, { details: { batchStatus: status } });
}
const CHANGED_SINCE = 'the beneficiary has changed since the batch was closed';

/** Cancels what has not become a payment; the rest of the reserve goes back. Refuses with NOT_FOUND, VERSION_CONFLICT, WRONG_STATE, BALANCE_LIMIT. */
export const cancelBatch = defineOperation({
  input: BATCH_CHANGE_INPUT,
  right: 'manage',
  async execute(services, caller, { batchId, version }) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : cancelFor(services, client, batchId, { actor: 'client', reason: '', version });
  },
});

export async function cancelFor(
  { store: { batches } }: Services,
  client: Client,
  batchId: string,
  by: { readonly actor: string; readonly reason: string; readonly version: number | undefined },
): Promise<{ readonly batch: Batch } | Refusal> {
  const batch = await batches.read(client, batchId);
  if (batch === undefined) return NO_BATCH;
  const cancelled = await batches.cancel(client, batch, by);
  if (cancelled.kind === 'moved') return { batch: { ...batch, ...cancelled.state } };
  return notMoved(cancelled, 'all of its items have been processed');
}

export const BATCHES: RecordKind<Batch, 'batches'> = {
  list: 'batches',
  noun: 'batch',
  statuses: BATCH_STATUSES,
  currency: ACCOUNT_CURRENCY.optional().describe('Only batches of accounts in this currency'),
  currenciesOf: ({ currency }) => [currency],
  read: ({ store }, client, id) => store.batches.read(client, id),
};
export const listBatches = defineList(BATCHES);

/** A batch, and how many of its payments have each status. */
export interface BatchProgress {
  readonly batch: Batch;
  readonly payments: readonly { readonly status: PaymentStatus; readonly count: number }[];
}

/** Refuses with NOT_FOUND. */
export const readBatch = defineFind({
  input: BATCH_INPUT,
  missing: NO_BATCH,
  find: (services, client, { batchId }) => progressOf(services, client, batchId),
});

export async function progressOf(
  { store }: Services,
  client: Client,
  batchId: string,
): Promise<BatchProgress | undefined> {
  const batch = await store.batches.read(client, batchId);
  if (batch === undefined) return undefined;
  const items = batch.drawn === 0 ? [] : await store.batches.items(client, batchId);
  const ids = items.flatMap(({ outcome }) => (outcome.kind === 'drawn' ? [outcome.paymentId] : []));
  const statuses = await store.payments.statuses(client, ids);
  const payments = PAYMENT_STATUSES.map((status) => ({
    status,
    count: statuses.filter((one) => one === status).length,
  })).filter(({ count }) => count > 0);
  return { batch, payments };
}

/** An item with its payment, once there is one. */
export interface ItemResult {
  readonly itemId: string;
  readonly status: ReturnType<typeof itemStatus>;
  readonly transactionNumber: string;
  /** Of a refused item. */
  readonly refusal?: { readonly code: string; readonly text: string } | undefined;
  readonly payment?: Payment | undefined;
  /** Whom it pays is for keys that pay or manage. */
  readonly contents: ItemContents;
}

/** Items of a batch in order, a page at a time. Refuses with NOT_FOUND. */
export const listBatchItems = defineOperation({
  input: pageInput({ batchId: ID }),
  right: 'read',
  async execute(services, caller, { batchId, ...requested }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const items = await services.store.batches.items(client, batchId);
    const scope = { clientId: client.id, list: `batch/${batchId}`, filters: {} };
    return readPage(services, scope, requested, async (place = '0', count) => {
      const behind = items.filter(({ number }) => number > Number(place));
      const results = await resultsOf(services, caller, client, batch, behind.slice(0, count));
      return results.map((item, at) => ({ item, next: behind[at + 1] && String(behind[at]!.number) }));
    });
  },
});

/** The results of all items, in order. Refuses with NOT_FOUND. */
export const batchResults = defineOperation({
  input: BATCH_INPUT.extend({ format: z.enum(['json', 'csv'], { error: 'json or csv' }).optional() }),
  right: 'read',
  async execute(services, caller, { batchId, format = 'json' }) {
    const found = await batchOf(services, caller, batchId);
    if (isRefusal(found)) return found;
    const { client, batch } = found;
    const items = await services.store.batches.items(client, batchId);
    return { batch, results: await resultsOf(services, caller, client, batch, items), format };
  },
});

async function resultsOf(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  items: readonly BatchItem[],
): Promise<readonly ItemResult[]> {
  const { store } = services;
  const now = store.clock.now(client);
  const pending = items.filter(({ outcome }) => outcome.kind === 'pending');
  const contents = new Map<string, ItemContents>();
  for await (const one of contentsOfPending(services, caller, client, batch, pending))
    contents.set(pending[contents.size]!.itemId, one);
  const seesPayee = caller.rights.has('pay') || caller.rights.has('manage');
  return Promise.all(
    items.map(async (item) => {
      const { itemId, transactionNumber, outcome } = item;
      const payment = outcome.kind === 'drawn' ? await store.payments.read(client, outcome.paymentId) : undefined;
      const known = payment ? contentsOfPayment(payment) : (contents.get(itemId) ?? NOTHING);
      return {
        itemId,
        status: itemStatus(batch, item),
        transactionNumber,
        refusal: outcome.kind === 'refused' ? outcome : undefined,
        payment: payment && paymentAt(payment, now),
        contents: seesPayee ? known : { ...known, payee: '', accountEnding: '' },
      };
    }),
  );
}
