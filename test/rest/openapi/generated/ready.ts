/** Records in the state that an operation needs, made before it is asked for: an open conversion with a quote, a payment that compliance asks about, a batch, an endpoint. */
import { OPERATIONS } from './operations.js';

/** By kind: what the request names instead of what else is known. */
export type Ready = Readonly<Record<string, unknown>>;
export type Body = Readonly<Record<string, unknown>>;

export interface Maker {
  /** The example of an operation with these fields instead, undefined: without it; asked for and answered: its body. */
  ask(id: string, fields?: Body): Promise<Body>;
  /** An id that no other record has. */
  fresh(): string;
  /** An account in euros with money. */
  readonly euros: number;
  /** Batches that have not ended, of which a client has not many. */
  readonly batches: unknown[];
}

const BATCHES_MAX = 30;
const ENDPOINTS_MAX = 15;
const ANY_VERSION = { 'If-Match': '*' };
const ITEM = OPERATIONS.flatMap(({ fields }) => fields).find(({ path }) => path[0] === 'items')!.example as Body[];

async function conversion({ ask, fresh }: Maker, type = 'SCHEDULED1') {
  const booked = await ask('bookFxByCurrency', { request_id: fresh(), book_fx_type: type });
  return { 'id BFX': booked.confirmation_id, date: booked.settlement_date };
}

/** The day of spot, to which a conversion for a day before it can be moved. */
const spot = async (maker: Maker) => (await conversion(maker, 'PREFUNDING')).date;

async function quoted(maker: Maker, quote: string, fields: Body = {}) {
  const { 'id BFX': id } = await conversion(maker);
  const { quote_id } = await maker.ask(quote, { ...fields, confirmation_id: id });
  return { 'id BFX': id, quote: quote_id };
}

/** A batch with one item, behind these changes. */
const batch =
  (...changes: readonly string[]) =>
  async ({ ask, fresh, euros, batches }: Maker): Promise<Ready> => {
    if (batches.length > BATCHES_MAX) await ask('cancelBatch', { batch_id: batches.shift(), ...ANY_VERSION });
    const { batch_id } = await ask('createBatch', { request_id: fresh(), source_account: euros });
    batches.push(batch_id);
    const named = { batch_id, ...ANY_VERSION };
    const item = { ...ITEM[0], item_id: fresh(), transaction_number: fresh() };
    let { version } = await ask('addBatchItems', { ...named, items: [item] });
    for (const change of changes) ({ version } = await ask(change, named));
    return { 'id BAT': batch_id, item: item.item_id, version: `"${version}"` };
  };

/** Compliance wants to know more of it. */
async function questioned({ ask, fresh, euros }: Maker): Promise<Ready> {
  const named = { request_id: fresh(), transaction_number: fresh(), source_account: euros };
  const { payment_id } = await ask('createPayout', named);
  await ask('sandboxPayment', { payment_id, outcome: 'info-requested' });
  return { 'id PAY': payment_id };
}

async function endpoint({ ask }: Maker): Promise<Ready> {
  const { data } = (await ask('listWebhooks')) as { readonly data: readonly Body[] };
  if (data.length >= ENDPOINTS_MAX) await ask('removeWebhook', { webhook_id: data[0]!.webhook_id, ...ANY_VERSION });
  const { webhook_id, version } = await ask('createWebhook');
  return { 'id WHK': webhook_id, version: `"${version}"` };
}

const UNFILTERED = { status: undefined, currency: undefined, country: undefined, name: undefined };

/** The newest, with its version of now. */
async function beneficiary({ ask }: Maker): Promise<Ready> {
  const { data } = (await ask('listBeneficiaries', UNFILTERED)) as { readonly data: readonly Body[] };
  const [newest] = data;
  return newest ? { beneficiary: newest.beneficiary_id, version: `"${newest.version}"` } : {};
}

export const READY: Readonly<Record<string, (maker: Maker) => Promise<Ready>>> = {
  quoteCancellation: conversion,
  quoteSplit: conversion,
  quoteDateChange: async (maker) => ({ ...(await conversion(maker)), date: await spot(maker) }),
  cancelConversion: (maker) => quoted(maker, 'quoteCancellation'),
  splitConversion: (maker) => quoted(maker, 'quoteSplit'),
  changeConversionDate: async (maker) => quoted(maker, 'quoteDateChange', { settlement_date: await spot(maker) }),
  answerInformation: questioned,
  async listConversionChanges(maker) {
    const { 'id BFX': confirmation_id, quote: quote_id } = await quoted(maker, 'quoteCancellation');
    await maker.ask('cancelConversion', { confirmation_id, quote_id, request_id: maker.fresh() });
    return {};
  },
  removeBatchItem: batch(),
  validateBatch: batch(),
  closeBatch: batch('validateBatch'),
  fundBatch: batch('validateBatch', 'closeBatch'),
  cancelBatch: batch('validateBatch', 'closeBatch', 'fundBatch'),
  async listBatches(maker) {
    await batch('validateBatch', 'closeBatch', 'fundBatch')(maker);
    return {};
  },
  removeWebhook: endpoint,
  rotateWebhookSecret: endpoint,
  changeBeneficiary: beneficiary,
  disableBeneficiary: beneficiary,
  enableBeneficiary: beneficiary,
};
