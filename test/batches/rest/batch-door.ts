/** The REST door with a client who sends batches. */
import { expect } from 'vitest';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import type { Client, Fields } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

export const BATCHES = '/api/v1/batches';

export interface BatchDoor {
  readonly door: PaymentDoor;
  readonly acme: Client;
  /** Its accounts, with 10,000.00 each. */
  readonly euros: number;
  readonly dollars: number;
  /** The id of a new batch. */
  batch(account?: number): Promise<string>;
  step(id: string, what: string, headers?: Record<string, string>): Promise<Answer>;
  add(id: string, items: readonly Fields[], query?: string, headers?: Record<string, string>): Promise<Answer>;
  /** The id of a batch with these items, in which the validation finds no fault. */
  funded(items: readonly Fields[], account?: number): Promise<string>;
  results(id: string): Promise<Fields[]>;
}

let next = 0;
export const nextNumber = (): number => ++next;

export async function openBatchDoor(): Promise<BatchDoor> {
  const door = await openPaymentDoor();
  door.freshPrices();
  const acme = await door.client('acme');
  const euros = await acme.account('EUR', 10_000_00n);
  const dollars = await acme.account('USD', 10_000_00n, { sequence: 1 });
  const batch: BatchDoor['batch'] = async (account = euros) =>
    String(good(await acme.post(BATCHES, { request_id: `b-${nextNumber()}`, source_account: account })).batch_id);
  const step: BatchDoor['step'] = (id, what, headers = {}) => acme.post(`${BATCHES}/${id}/${what}`, {}, headers);
  const add: BatchDoor['add'] = (id, items, query = '', headers = {}) =>
    acme.post(`${BATCHES}/${id}/items${query}`, { items }, headers);
  return {
    ...{ door, acme, euros, dollars, batch, step, add },
    async funded(items, account) {
      const id = await batch(account);
      good(await add(id, items));
      expect(good(await step(id, 'validate')).faults).toEqual([]);
      good(await step(id, 'close'));
      good(await step(id, 'fund'));
      return id;
    },
    results: async (id) => (await acme.get(`${BATCHES}/${id}/results`)).body.results as Fields[],
  };
}

/** An item of 25.00 EUR, with a transaction number of its own. */
export const item = (itemId: string, more: Fields = {}): Fields => ({
  item_id: itemId,
  transaction_number: `T-${itemId}-${nextNumber()}`,
  destination_currency: 'EUR',
  destination_amount: 25,
  fee_payer: 'OUR',
  statement_narrative: 'Salary',
  remitter: { account_type: 'Company', purpose_code: 'IR01802' },
  beneficiary: { name: 'Anna Schmidt', country_code: 'DE', account_number: 'DE89370400440532013000' },
  ...more,
});

export const codeOf = ({ status, body }: Answer) => [status, body.code];

/** The body of an answer that has no refusal, and the version of the batch as its ETag. */
export function good({ status, headers, body }: Answer) {
  expect([status, body.code, body.detail, body.errors]).toEqual([200, undefined, undefined, undefined]);
  expect(headers.etag).toBe(`"${body.version}"`);
  return body;
}
