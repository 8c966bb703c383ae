/** Checks items by the rules of payments, and computes what each one takes of the account. */
import { setImmediate } from 'node:timers/promises';
import type { Batch, BatchItem } from '../../domain/batches/batch.js';
import { type FieldFault, isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { amountsGiven } from '../../domain/payments/payment-amounts.js';
import type { Client } from '../../store/access/clients.js';
import type { QueuedItem } from '../../store/batches/batches.js';
import type { Caller } from '../core/caller.js';
import { fieldFaults, withOwnFaults } from '../core/input-faults.js';
import type { ResolvedBeneficiary } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import {
  amountRefusal,
  type CreatePayoutInput,
  createPayout,
  factsOf,
  type PaymentOrder,
  payeeOf,
  payoutOrder,
  planPayment,
} from '../payments/index.js';
import { type Content, openItem, payoutInput } from './batch-input.js';

export interface FaultyItem {
  readonly itemId: string;
  readonly faults: readonly FieldFault[];
}

export interface CheckedItems {
  readonly faulty: readonly FaultyItem[];
  /** Items with faults that are not listed: there are too many. */
  readonly leftOut: number;
}

/** Faults in one answer. */
const FAULTS_MAX = 5_000;
/** Items that are looked at together: what each one reads of the store is sent in one write. Between them other requests have their turn. */
const PAGE = 25;

/** What `look` finds of each item, in order; the input is undefined where the content of the item cannot be read. */
export async function* eachItem<Found>(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  items: readonly BatchItem[],
  look: (input: object | undefined, item: BatchItem) => Promise<Found>,
): AsyncGenerator<Found> {
  const { store } = services;
  for (let at = 0; at < items.length; at += PAGE) {
    const some = items.slice(at, at + PAGE);
    const ids = some.map(({ itemId }) => itemId);
    const sealed = await store.batches.contents(client, batch.id, ids);
    const looked = some.map(async (item) => {
      const content = openItem(store.subKey, batch.id, item.itemId, sealed.get(item.itemId));
      return look(content && (await resolvedInput(services, caller, batch, item.itemId, content)), item);
    });
    yield* await Promise.all(looked);
    await setImmediate();
  }
}

/** With the fields of the beneficiary that the item names. */
export async function resolvedInput(
  services: Services,
  caller: Caller,
  batch: Batch,
  itemId: string,
  content: Content,
): Promise<object> {
  const input = payoutInput(batch, itemId, content);
  return ((await createPayout.resolve?.(services, caller, input)) ?? input) as object;
}

/** All faults of all items, by the rules of payments and of batches. */
export async function checkItems(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  items: readonly BatchItem[],
): Promise<CheckedItems | Refusal> {
  const faulty: FaultyItem[] = [];
  /** What only one item may have, to the item that has it. */
  const used = new Map<string, string>();
  let [count, leftOut] = [0, 0];
  const look = async (input: object | undefined, { itemId }: BatchItem) => ({
    itemId,
    input,
    faults: input === undefined ? UNREADABLE : await itemFaults(services, caller, client, batch, input),
  });
  for await (const { itemId, input, faults } of eachItem(services, caller, client, batch, items, look)) {
    if (isRefusal(faults)) return faults;
    const all = [...faults, ...repeated((input ?? {}) as Content, itemId, used)];
    if (all.length === 0) continue;
    count += all.length;
    if (count > FAULTS_MAX) leftOut++;
    else faulty.push({ itemId, faults: all });
  }
  return { faulty, leftOut };
}

const UNREADABLE: readonly FieldFault[] = [
  { field: 'itemId', code: 'incorrect_value', message: 'cannot be read: remove it, and add it again' },
];

/** Empty where the item can be paid now. */
async function itemFaults(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  input: object,
): Promise<readonly FieldFault[] | Refusal> {
  const checked = await ownFaults(services, caller, client, batch, input);
  if (isRefusal(checked)) return checked;
  const { faults, payout, order } = checked;
  if (payout?.resolved?.refusal)
    return [{ field: 'beneficiaryId', code: 'incorrect_value', message: payout.resolved.refusal.text }];
  if (order === undefined) return faults;
  const payee = payeeOf(services, client, payout, order);
  const ofToken = isRefusal(payee) ? [tokenFault(payee)] : [];
  return [...ofToken, ...(await amountFaults(services, client, order, payout.transactionNumber))];
}

const tokenFault = ({ refusal, text }: Refusal): FieldFault => ({
  field: 'verificationToken',
  code: refusal === 'VERIFICATION_REQUIRED' ? 'field_missing' : 'incorrect_value',
  message: text,
});

/** Without a fault, what the item asks for: no order where its beneficiary cannot be paid. */
type Checked =
  | { readonly faults: readonly FieldFault[]; readonly payout?: never; readonly order?: never }
  | { readonly faults: readonly []; readonly payout: CreatePayoutInput; readonly order?: PaymentOrder };

/** What is wrong with the item by itself, whatever the client has. */
export async function ownFaults(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  input: object,
): Promise<Checked | Refusal> {
  if (isRefusal(input)) return input;
  const own = await createPayout.faults!(services, caller, input);
  if (isRefusal(own)) return own;
  const read = createPayout.input.safeParse(input);
  const faults = withOwnFaults(read.success ? [] : fieldFaults(createPayout.input, input), own.faults);
  if (!read.success || faults.length > 0) return { faults };
  if (read.data.resolved?.refusal) return { faults: [], payout: read.data };
  const order = await payoutOrder(services, client, read.data);
  const ofBatch = batchFaults(batch, read.data, order);
  return ofBatch.length > 0 ? { faults: ofBatch } : { faults: [], payout: read.data, order };
}

/** What a batch asks of an item beyond the rules of a payment. */
function batchFaults(batch: Batch, { sourceAccount }: CreatePayoutInput, order: PaymentOrder): readonly FieldFault[] {
  if (String(sourceAccount) !== batch.account)
    return [{ field: 'sourceAccount', code: 'invalid_combination', message: 'the account of the batch, or absent' }];
  const isGivenToArrive = !isRefusal(order.amount) && order.amount.kind === 'destination';
  if (!isGivenToArrive || order.currency === batch.currency) return [];
  const message = `send source_amount: only a payment in ${batch.currency} can be reserved by what arrives`;
  return [{ field: 'destinationAmount', code: 'invalid_combination', message }];
}

async function amountFaults(
  services: Services,
  client: Client,
  order: PaymentOrder,
  transactionNumber: string,
): Promise<readonly FieldFault[]> {
  const { store } = services;
  const found: FieldFault[] = [];
  if (await store.payments.isKnown(client, transactionNumber))
    found.push({ field: 'transactionNumber', code: 'not_allowed', message: 'a payment has it: use a new one' });
  const facts = await factsOf(services, client, order);
  const field = facts.given.kind === 'source' ? 'sourceAmount' : 'destinationAmount';
  const refused = amountRefusal(order, facts);
  if (refused) return [...found, { field, code: 'incorrect_value', message: refused.text }];
  if (facts.currency === facts.sourceCurrency) return found;
  // Whether it can be converted at all; the rate decides when it is drawn.
  const [accounts, hold] = await Promise.all([
    store.accounts.spendable(client),
    facts.holdId === '' ? undefined : store.holds.read(client, facts.holdId),
  ]);
  const now = store.clock.now(client);
  const { refusal } = planPayment(services, { clientId: client.id, facts, accounts, hold, now });
  if (refusal?.stage === 'amount')
    found.push({ field: 'sourceAccount', code: 'invalid_combination', message: refusal.text });
  return found;
}

/** Faults of numbers that another item of the batch has. */
function repeated(input: Content, itemId: string, used: Map<string, string>): FieldFault[] {
  return ['transactionNumber', 'requestId'].flatMap((field) => {
    const name = `${field} ${String(input[field])}`;
    const other = used.get(name);
    if (typeof input[field] === 'string' && other === undefined) used.set(name, itemId);
    return other === undefined
      ? []
      : [{ field, code: 'invalid_combination' as const, message: `item ${other} has it too: unique in the batch` }];
  });
}

/**
 * What each item takes of the account, with the fees of this moment; the payments are made with the same. An item that can no longer be paid
 * takes nothing, and is refused when it is drawn. Each with the version of the beneficiary that it names.
 */
export async function reservesOf(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  items: readonly BatchItem[],
): Promise<readonly QueuedItem[]> {
  const look = async (input: object | undefined, { number, itemId }: BatchItem): Promise<QueuedItem> => {
    const read = createPayout.input.safeParse(input);
    const isPayable = read.success && read.data.resolved?.refusal === undefined;
    const order = isPayable ? await payoutOrder(services, client, read.data) : undefined;
    const facts = order && !isRefusal(order.amount) ? await factsOf(services, client, order) : undefined;
    const fee = { fixedMinor: BigInt(facts?.feeFixed ?? 0), ppm: facts?.feePpm ?? 0 };
    const beneficiaryVersion = (input as { readonly resolved?: ResolvedBeneficiary } | undefined)?.resolved
      ?.fieldsVersion;
    return { number, itemId, reserve: facts ? takenBy(facts) : 0n, fee, beneficiaryVersion };
  };
  const found: QueuedItem[] = [];
  for await (const one of eachItem(services, caller, client, batch, items, look)) found.push(one);
  return found;
}

function takenBy(facts: Awaited<ReturnType<typeof factsOf>>): bigint {
  const minor = BigInt(facts.given.minor);
  if (facts.given.kind === 'source') return minor;
  const amounts = amountsGiven(facts, minor);
  return isRefusal(amounts) || facts.currency !== facts.sourceCurrency ? 0n : amounts.total;
}
