/** The answers of batches. */
import { z } from 'zod';
import { BATCH_STATUSES, type Batch, reservedIn } from '../../../engine/domain/batches/batch.js';
import { formatMinor } from '../../../engine/domain/money/money.js';
import { PAYMENT_STATUSES } from '../../../engine/domain/payments/payment-status.js';
import {
  type BatchProgress,
  type FaultyItem,
  ITEM_STATUSES,
  type ItemResult,
} from '../../../engine/service/batches/index.js';
import { FIELD_FAULT } from '../../openapi/problem-schema.js';
import { page } from '../lists.js';
import { PAYOUT_NAMES } from '../payments/payment-shapes.js';
import {
  accountNumberField,
  choiceField,
  currencyField,
  flagField,
  renamed,
  textField,
  utc,
  utcField,
} from '../shapes.js';

const BATCH_ID = textField('Batch id', 'BAT01K4M2V7Q8Z3X5YAB');
const ITEM_ID = textField('Your own id of the item', 'salary-0001');
const COUNT = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const FIELDS = {
  batch_id: BATCH_ID,
  status: choiceField(BATCH_STATUSES, 'Status of the batch', 'PROCESSING'),
  version: COUNT('Counts changes of its items and its status: the ETag', 5),
  request_id: textField('Request id of its creation', 'batch-2026-11'),
  description: textField('Text of your own', 'Salaries November'),
  source_account: accountNumberField('Account that pays all items', 400100000019),
  currency: currencyField('Currency of that account, and of all amounts here', 'EUR'),
  items: COUNT('Items of the batch', 1000),
  pending: COUNT('Items that are not payments yet, of a batch that can still be processed', 200),
  created: COUNT('Items that have become payments', 798),
  refused: COUNT('Items that could not become payments', 2),
  cancelled: COUNT('Items that had not become payments when the batch was cancelled', 0),
  total_amount: textField(
    'What its items take of the account with their fees, since it was closed; 0 before',
    '125000.00',
  ),
  created_amount: textField('What the payments took of it, with their fees', '99750.00'),
  refused_amount: textField('What came back to the account for refused items', '250.00'),
  reserved_amount: textField('What is still reserved for pending items', '25000.00'),
  created_at: utcField('When the batch was created'),
  updated_at: utcField('When it last changed'),
};

const ABOUT_BATCH = 'A batch of payments from one account';
const LISTED_BATCH = z.strictObject(FIELDS).meta({ id: 'BatchSummary', description: ABOUT_BATCH });
export const BATCH_RESPONSE = z
  .strictObject({
    ...FIELDS,
    payments: z
      .array(
        z.strictObject({
          status: choiceField(PAYMENT_STATUSES, 'Status of payments', 'PAID'),
          count: COUNT('How many payments of the batch have it', 798),
        }),
      )
      .meta({ description: 'How many of its payments have each status; without those that none has' }),
  })
  .meta({ id: 'Batch', description: ABOUT_BATCH });
export const CHANGED_BATCH_RESPONSE = LISTED_BATCH;
export const BATCHES_RESPONSE = page(LISTED_BATCH, 'BatchList', 'Batches of the client');

export function batchFields(batch: Batch): z.infer<typeof LISTED_BATCH> {
  const { status, items, drawn, refused, currency } = batch;
  const left = items - drawn - refused;
  const amount = (minor: bigint | string) => formatMinor(BigInt(minor), currency);
  return {
    batch_id: batch.id,
    status,
    version: batch.version,
    request_id: batch.requestId,
    description: batch.description,
    source_account: Number(batch.account),
    currency,
    items,
    pending: status === 'CANCELLED' ? 0 : left,
    created: drawn,
    refused,
    cancelled: status === 'CANCELLED' ? left : 0,
    total_amount: amount(batch.total),
    created_amount: amount(batch.drawnAmount),
    refused_amount: amount(batch.refusedAmount),
    reserved_amount: amount(reservedIn(batch)),
    created_at: utc(batch.createdAtMs),
    updated_at: utc(batch.updatedAtMs),
  };
}

export const changedBatchBody = ({ batch }: { readonly batch: Batch }) => batchFields(batch);

export function batchBody({ batch, payments }: BatchProgress): z.infer<typeof BATCH_RESPONSE> {
  return { ...batchFields(batch), payments: payments.map(({ status, count }) => ({ status, count })) };
}

export const ADDED_RESPONSE = z
  .strictObject({
    ...FIELDS,
    added: COUNT('Items that this request has added', 100),
    replaced: COUNT('Items that it has given other content', 0),
    unchanged: COUNT('Items that the batch had already, with this content', 0),
  })
  .meta({ id: 'BatchItemsAdded' });

export const VALIDATED_RESPONSE = z
  .strictObject({
    ...FIELDS,
    valid: flagField('No item has a fault: the batch is VALIDATED', false),
    faults: z
      .array(
        z.strictObject({
          item_id: ITEM_ID,
          errors: z
            .array(FIELD_FAULT)
            .meta({ description: 'All faults of the item, as the creation of the payment names them' }),
        }),
      )
      .meta({ description: 'Items with faults, in order' }),
    faults_left_out: COUNT('Further items with faults, which are too many for one answer', 0),
  })
  .meta({ id: 'BatchValidated' });

interface Validated {
  readonly batch: Batch;
  readonly faulty: readonly FaultyItem[];
  readonly leftOut: number;
}

export function validatedBody({ batch, faulty, leftOut }: Validated): z.infer<typeof VALIDATED_RESPONSE> {
  return {
    ...batchFields(batch),
    valid: faulty.length === 0,
    faults: faulty.map(({ itemId, faults }) => ({
      item_id: itemId,
      errors: renamed(faults, PAYOUT_NAMES) as z.infer<typeof FIELD_FAULT>[],
    })),
    faults_left_out: leftOut,
  };
}

const RESULT = z
  .strictObject({
    item_id: ITEM_ID,
    status: choiceField(ITEM_STATUSES, 'CREATED: it is a payment, whose status follows', 'CREATED'),
    transaction_number: textField('Transaction number of its payment; empty where none was sent', 'INV-2026-00417'),
    payment_id: textField('Payment id; empty without a payment', 'PAY01K4M2V7Q8Z3X5YAB'),
    payment_status: choiceField(['', ...PAYMENT_STATUSES], 'Status of the payment', 'PAID'),
    payment_sub_status: textField('More about that status; often empty', ''),
    amount: textField('Amount of the payment; before there is one, as the item names it', '125.00'),
    currency: textField('Its currency', 'EUR', 3),
    payee: textField('Name of the beneficiary; empty for a key without the rights pay and manage', 'Anna Schmidt'),
    account_ending: textField('The last four characters of the account that is paid; empty as payee is', '3000'),
    code: textField('Of a refused item: why', ''),
    message: textField('The reason in words', '', 500),
  })
  .meta({ id: 'BatchItem' });

export function resultBody({
  itemId,
  status,
  transactionNumber,
  payment,
  refusal,
  contents: { amount, currency, payee, accountEnding },
}: ItemResult): z.infer<typeof RESULT> {
  return {
    item_id: itemId,
    status,
    transaction_number: transactionNumber,
    payment_id: payment?.id ?? '',
    payment_status: payment?.status ?? '',
    payment_sub_status: payment?.subStatus ?? '',
    amount,
    currency,
    payee,
    account_ending: accountEnding,
    code: refusal?.code ?? '',
    message: refusal?.text ?? '',
  };
}

export const ITEMS_RESPONSE = page(RESULT, 'BatchItemList', 'Items of a batch, in the order in which they were added');
export const RESULTS_RESPONSE = z
  .strictObject({ ...FIELDS, results: z.array(RESULT).meta({ description: 'Every item, in order' }) })
  .meta({ id: 'BatchResults' });
