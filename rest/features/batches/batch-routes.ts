/** The routes of batches. */
import type { Request } from 'express';
import { z } from 'zod';
import { BATCH_ITEMS_MAX, type Batch } from '../../../engine/domain/batches/batch.js';
import { ITEM_ID } from '../../../engine/domain/core/ids.js';
import { createPayout } from '../../../engine/service/payments/index.js';
import type { Body } from '../../http/body.js';
import type { Reference } from '../../openapi/reference.js';
import { replayHeaders } from '../conversions/book-fx.js';
import { listInput, PAGES, pageBody } from '../lists.js';
import { inputBy, PAYOUT_FORM, PAYOUT_NAMES } from '../payments/payment-shapes.js';
import type { Routes } from '../routes.js';
import { ifMatch, type Names } from '../shapes.js';
import {
  ADDED_RESPONSE,
  BATCH_RESPONSE,
  BATCHES_RESPONSE,
  batchBody,
  batchFields,
  CHANGED_BATCH_RESPONSE,
  changedBatchBody,
  ITEMS_RESPONSE,
  RESULTS_RESPONSE,
  resultBody,
  VALIDATED_RESPONSE,
  validatedBody,
} from './batch-answers.js';
import { itemsOfCsv, resultsCsv } from './batch-csv.js';

/** 1,000 items of 500 bytes. */
const ITEMS_BYTES_MAX = 524_288;

const PATH = '/api/v1/batches';
const OF_BATCH = `${PATH}/:batch_id` as const;
const EXAMPLE_ID = 'BAT01K4M2V7Q8Z3X5YAB';

const NAMES: Names = { batchId: 'batch_id', batchStatus: 'batch_status' };
const CHANGE_NAMES: Names = { ...NAMES, version: 'If-Match' };
const FUND_NAMES: Names = { ...CHANGE_NAMES, availableAmount: 'available_amount', neededAmount: 'needed_amount' };
const ID_FIELD = { batch_id: 'Batch id of the creation' };

const ofBatch = ({ params }: Request) => ({ batchId: params.batch_id });
const change = (request: Request) => ({ ...ofBatch(request), version: ifMatch(request) });

/** A page has no period. */
function pageInput(request: Request): object {
  const { limit, cursor } = listInput(request) as { readonly limit?: unknown; readonly cursor?: unknown };
  return { ...ofBatch(request), limit, cursor };
}

const payoutInput = inputBy(PAYOUT_NAMES);

/** An item as it was sent: its own id beside the fields of its payment. What is no object is left for the operation to refuse. */
function itemInput(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { item_id: itemId, ...payment } = sent as Body;
  return { itemId, payment: payoutInput(payment) };
}

/** Faulty items that one answer names: each fault costs more than its item. */
const FAULTY_MAX = 100;

/** Items up to the hundredth without a right id of its own: the request is refused by those, and what follows is not judged. */
function judgedItems(items: readonly unknown[]): readonly unknown[] {
  const ids = new Set<unknown>();
  let faulty = 0;
  const end = items.findIndex((item) => {
    const id = (item as Body | null | undefined)?.item_id;
    const isRight = typeof id === 'string' && ITEM_ID.test(id) && !ids.has(id);
    ids.add(id);
    return !isRight && ++faulty === FAULTY_MAX;
  });
  return end < 0 ? items : items.slice(0, end + 1);
}

const itemsOf = (body: Body | undefined) =>
  Array.isArray(body?.items) ? judgedItems(body.items).map(itemInput) : body?.items;

/** The query says whether known items may come with other content: a CSV has no other place for it. */
function addInput(request: Request, body: Body | undefined): object {
  const sent = request.query.replace;
  const replace = sent === 'true' || sent === 'false' ? sent === 'true' : sent;
  return { ...change(request), items: itemsOf(body), replace };
}

const ADD_NAMES: Names = { ...CHANGE_NAMES, 'items.*.itemId': 'items.*.item_id' };

const asksForCsv = ({ headers }: Request): boolean => /\btext\/csv\b/i.test(headers.accept ?? '');

const reference = (summary: string, description: string, more: Partial<Reference> = {}): Reference => ({
  tag: 'Batches',
  summary,
  description,
  example: { batch_id: EXAMPLE_ID },
  fields: ID_FIELD,
  ...more,
});

const versionOf = ({ batch }: { readonly batch: Batch }): number => batch.version;

const ITEM_EXAMPLE = {
  item_id: 'salary-0001',
  transaction_number: 'INV-2026-00417',
  destination_currency: 'EUR',
  destination_amount: 125,
  fee_payer: 'OUR',
  statement_narrative: 'Salary November',
  remitter: { account_type: 'Company', purpose_code: 'IR01802' },
  beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: 'DE89370400440532013000' },
};

/** The same item as CSV. */
const CSV_EXAMPLE = [
  'item_id,transaction_number,destination_currency,destination_amount,fee_payer,statement_narrative,remitter.account_type,remitter.purpose_code,beneficiary.name,beneficiary.country_code,beneficiary.account_number',
  'salary-0001,INV-2026-00417,EUR,125,OUR,Salary November,Company,IR01802,Anna Schmidt,DE,DE89370400440532013000',
].join('\r\n');

/** The fields of a payout as they are sent, none of them needed before the validation. */
function payoutShape(object: z.ZodObject, outer = ''): Record<string, z.ZodType> {
  const fields = Object.entries(object.shape as Record<string, z.ZodType>).filter(([name]) => name !== 'resolved');
  return Object.fromEntries(
    fields.map(([name, type]) => {
      const inner = type instanceof z.ZodPrefault ? (type.unwrap() as z.ZodObject) : undefined;
      const schema = inner
        ? z.strictObject(payoutShape(inner, `${name}.`)).meta({ description: type.description! })
        : type;
      return [PAYOUT_NAMES[outer + name]?.split('.').at(-1) ?? name, schema.optional()];
    }),
  );
}

const ITEMS_SCHEMA = z
  .array(
    z.strictObject({
      item_id: z.string().meta({ description: 'Unique id of your own within the batch', maxLength: 40 }),
      ...payoutShape(createPayout.input),
    }),
  )
  .meta({
    description:
      'Each with item_id and the fields of POST /api/v2/payouts. source_account may be left out: it is that of the batch. request_id too: it is then batch_id, a point, and item_id',
    maxItems: BATCH_ITEMS_MAX,
  });

export const BATCH_ROUTES = {
  createBatch: {
    method: 'post',
    path: PATH,
    limit: 'writes',
    input: (_request, body) => ({
      requestId: body?.request_id,
      sourceAccount: body?.source_account,
      description: body?.description,
    }),
    response: CHANGED_BATCH_RESPONSE,
    reference: {
      tag: 'Batches',
      summary: 'Create a batch',
      description: `Creates an empty batch of payments from one account, \`OPEN\`. Then add items, validate, close and fund it. The same request again answers with the same batch, with \`Idempotent-Replayed: true\`. A client has at most 100 batches that have not ended.`,
      example: { request_id: 'batch-2026-11', source_account: 400100000019, description: 'Salaries November' },
    },
    body: changedBatchBody,
    version: versionOf,
    headers: replayHeaders,
    names: { requestId: 'request_id', sourceAccount: 'source_account' },
    numbers: ['source_account'],
  },
  listBatches: {
    method: 'get',
    path: PATH,
    limit: 'reads',
    input: listInput,
    response: BATCHES_RESPONSE,
    reference: {
      tag: 'Batches',
      summary: 'List batches',
      description: `The client’s batches. ${PAGES}`,
      example: { status: 'PROCESSING', limit: 50 },
    },
    body: pageBody(batchFields),
    names: {},
  },
  readBatch: {
    method: 'get',
    path: OF_BATCH,
    limit: 'reads',
    input: ofBatch,
    response: BATCH_RESPONSE,
    reference: reference(
      'Read a batch',
      'Its status, how many items are pending, created, refused and cancelled, their amounts, and how many of its payments have each status.',
    ),
    body: batchBody,
    version: versionOf,
    names: NAMES,
  },
  addBatchItems: {
    method: 'post',
    path: `${OF_BATCH}/items`,
    limit: 'writes',
    input: addInput,
    response: ADDED_RESPONSE,
    reference: reference(
      'Add items',
      'Adds items to a batch that is not closed: all of them, or none. The same item again changes nothing, so that a request may be repeated; with other content it is rejected with 409, or replaced where `replace` is true. As JSON, or as CSV with the names of the fields in the first record, nested ones as `beneficiary.name`. 512 KiB at most. The fields of the payments are checked by the validation.',
      {
        example: { batch_id: EXAMPLE_ID, items: [ITEM_EXAMPLE] },
        inQuery: ['replace'],
        schemas: { items: ITEMS_SCHEMA },
        alsoRefused: [409],
      },
    ),
    body: ({ batch, added, replaced, sent }) => ({
      ...batchFields(batch),
      added,
      replaced,
      unchanged: sent - added - replaced,
    }),
    version: versionOf,
    names: ADD_NAMES,
    bodyMax: ITEMS_BYTES_MAX,
    csv: (text) => itemsOfCsv(text, PAYOUT_FORM),
    csvExample: CSV_EXAMPLE,
  },
  listBatchItems: {
    method: 'get',
    path: `${OF_BATCH}/items`,
    limit: 'reads',
    input: pageInput,
    response: ITEMS_RESPONSE,
    reference: reference(
      'List items',
      'The items of a batch in order, with what each pays to whom, and what has become of it.',
      {
        example: { batch_id: EXAMPLE_ID, limit: 50 },
      },
    ),
    body: pageBody(resultBody),
    names: NAMES,
  },
  removeBatchItem: {
    method: 'delete',
    path: `${OF_BATCH}/items/:item_id`,
    limit: 'writes',
    input: (request) => ({ ...change(request), itemId: request.params.item_id }),
    response: CHANGED_BATCH_RESPONSE,
    reference: reference('Remove an item', 'Removes an item from a batch that is not closed.', {
      example: { batch_id: EXAMPLE_ID, item_id: 'salary-0001' },
      fields: { ...ID_FIELD, item_id: 'Your own id of the item' },
    }),
    body: changedBatchBody,
    version: versionOf,
    names: { ...CHANGE_NAMES, itemId: 'item_id' },
  },
  validateBatch: {
    method: 'post',
    path: `${OF_BATCH}/validate`,
    limit: 'writes',
    input: change,
    response: VALIDATED_RESPONSE,
    reference: reference(
      'Validate a batch',
      'Checks every item as the creation of its payment does, and answers with all faults of all items. Without any, the batch is `VALIDATED`. An item in another currency than the account names source_amount.',
    ),
    body: validatedBody,
    version: versionOf,
    names: CHANGE_NAMES,
  },
  closeBatch: {
    method: 'post',
    path: `${OF_BATCH}/close`,
    limit: 'writes',
    input: change,
    response: CHANGED_BATCH_RESPONSE,
    reference: reference(
      'Close a batch',
      'A validated batch becomes `CLOSED`: its items cannot change any more, and each is bound to the version of its beneficiary. From now on `total_amount` is what the funding takes.',
    ),
    body: changedBatchBody,
    version: versionOf,
    names: CHANGE_NAMES,
  },
  fundBatch: {
    method: 'post',
    path: `${OF_BATCH}/fund`,
    limit: 'writes',
    input: change,
    response: CHANGED_BATCH_RESPONSE,
    reference: reference(
      'Fund a batch',
      'Reserves the total of a closed batch, with the fees of this moment, and begins to make its payments: `PROCESSING`, then `DONE`. Needs the right pay. Rejected with BENEFICIARY_CHANGED where a beneficiary has changed since the closing: `errors` names the items. Repeating it funds nothing twice.',
    ),
    body: changedBatchBody,
    version: versionOf,
    names: FUND_NAMES,
  },
  cancelBatch: {
    method: 'post',
    path: `${OF_BATCH}/cancel`,
    limit: 'writes',
    input: change,
    response: CHANGED_BATCH_RESPONSE,
    reference: reference(
      'Cancel a batch',
      'Cancels what has not become a payment, and returns the rest of the reserve to the account. Payments that exist are not touched: each can be cancelled by itself.',
    ),
    body: changedBatchBody,
    version: versionOf,
    names: CHANGE_NAMES,
  },
  batchResults: {
    method: 'get',
    path: `${OF_BATCH}/results`,
    limit: 'reads',
    input: (request) => ({
      ...ofBatch(request),
      format: request.query.format ?? (asksForCsv(request) ? 'csv' : undefined),
    }),
    response: RESULTS_RESPONSE,
    reference: reference(
      'Results of a batch',
      'Every item in order, with its payment and that payment’s status, or why it was refused. As CSV with `format=csv`, or where Accept names text/csv; there, a text that a spreadsheet would take as a formula has an apostrophe in front.',
      {
        example: { batch_id: EXAMPLE_ID, format: 'json' },
        fields: { ...ID_FIELD, format: 'json or csv; default: as Accept says, else json' },
      },
    ),
    body: ({ batch, results }) => ({ ...batchFields(batch), results: results.map(resultBody) }),
    version: versionOf,
    text: ({ results, format }) =>
      format === 'csv' ? { type: 'text/csv; charset=utf-8', text: resultsCsv(results) } : undefined,
    names: NAMES,
  },
} satisfies Partial<Routes>;
