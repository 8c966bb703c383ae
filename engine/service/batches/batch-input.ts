/** The input of the operations of batches, and the payment that an item asks for. */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { BATCH_ITEMS_MAX, type Batch, type BatchItem } from '../../domain/batches/batch.js';
import { ITEM_ID as ITEM_ID_FORM } from '../../domain/core/ids.js';
import { transactionNumberOf } from '../../store/batches/batches.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from '../core/aead.js';
import {
  ACCOUNT_NUMBER,
  BESIDE_OTHER_FAULTS,
  boundedText,
  ID,
  patternText,
  REQUEST_ID,
  VERSION,
} from '../core/inputs.js';

const AN_ITEM_ID = '1 to 40 of A-Z a-z 0-9 _ . -, beginning with a letter or digit';
const ITEM_ID = patternText(ITEM_ID_FORM, 40, AN_ITEM_ID);

/** A payment has at most some hundred short fields. */
const CONTENT_BYTES_MAX = 8_192;

export const BATCH_INPUT = z.strictObject({ batchId: ID });
export const BATCH_CHANGE_INPUT = z.strictObject({ batchId: ID, version: VERSION });

export const CREATE_BATCH_INPUT = z.strictObject({
  requestId: REQUEST_ID.describe('Unique id of your own: the same request again gives the same batch'),
  sourceAccount: ACCOUNT_NUMBER.describe('Account that pays all items, 12 digits'),
  description: boundedText(140).optional().describe('Text of your own, at most 140 characters'),
});

/** An item as it was sent: what it says of the payment is validated with the batch. */
const ITEM = z.strictObject({
  itemId: ITEM_ID.describe('Unique id of your own within the batch'),
  payment: z
    .looseObject({}, { error: 'an object' })
    .refine((payment) => Buffer.byteLength(JSON.stringify(payment)) <= CONTENT_BYTES_MAX, {
      error: `at most ${CONTENT_BYTES_MAX} bytes`,
    })
    .describe('The fields of the payment'),
});

const COUNT = { error: `1 to ${BATCH_ITEMS_MAX} items` };

export const ADD_ITEMS_INPUT = z
  .strictObject({
    batchId: ID,
    version: VERSION,
    replace: z
      .boolean({ error: 'true or false' })
      .optional()
      .describe('Items that the batch has may come with other content'),
    items: z
      .array(ITEM, { error: 'a list' })
      .min(1, COUNT)
      .max(BATCH_ITEMS_MAX, COUNT)
      .describe('Items, in the order of payment'),
  })
  .superRefine(({ items }, context) => {
    if (!Array.isArray(items)) return;
    const seen = new Set<unknown>();
    for (const [at, item] of items.entries()) {
      const id = (item as { itemId?: unknown } | undefined)?.itemId;
      if (typeof id === 'string' && seen.has(id))
        context.addIssue({
          code: 'custom',
          path: ['items', at, 'itemId'],
          message: 'sent more than once: send it once',
          params: { combination: true },
        });
      seen.add(id);
    }
  }, BESIDE_OTHER_FAULTS);

/** The fields of a payment as they were sent, by canonical names. */
export type Content = Readonly<Record<string, unknown>>;

/** Card numbers and names are in it: it is stored encrypted, and compared by a keyed hash. */
export function sealedItem(subKey: SubKey, batchId: string, itemId: string, content: Content) {
  const text = JSON.stringify(content);
  const about = `${batchId}.${itemId}`;
  const key = subKey('batches');
  return {
    itemId,
    transactionNumber: transactionNumberOf(content.transactionNumber),
    fingerprint: createHmac('sha256', key).update(`${about} ${text}`).digest('base64url').slice(0, FINGERPRINT_LENGTH),
    content: seal(key, text, about),
  };
}
const FINGERPRINT_LENGTH = 22;

/** Twice its bytes: base64 and some. */
const SEALED_MAX = 2 * CONTENT_BYTES_MAX;

/** Undefined: sealed under another master key, or altered. */
export function openItem(
  subKey: SubKey,
  batchId: string,
  itemId: string,
  sealed: string | undefined,
): Content | undefined {
  const opened = sealed && openSealed(subKey('batches'), sealed, SEALED_MAX, `${batchId}.${itemId}`);
  return opened ? (JSON.parse(opened.text) as Content) : undefined;
}

/** What the operation of a payment takes for an item: it has a request id, and the batch's account where it names none. */
export function payoutInput(batch: Batch, itemId: string, content: Content): Content {
  const { requestId = `${batch.id}.${itemId}`, sourceAccount = Number(batch.account) } = content;
  return { ...content, requestId, sourceAccount };
}

/** What has become of an item, in a word. */
export const ITEM_STATUSES = ['PENDING', 'CREATED', 'REFUSED', 'CANCELLED'] as const;

export function itemStatus({ status }: Batch, { outcome }: BatchItem): (typeof ITEM_STATUSES)[number] {
  if (outcome.kind === 'drawn') return 'CREATED';
  if (outcome.kind === 'refused') return 'REFUSED';
  return status === 'CANCELLED' ? 'CANCELLED' : 'PENDING';
}
