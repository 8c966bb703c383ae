/** What an item pays and whom, which the key that funds its batch reads first: of the payment, or of what was sent. */

import type { Batch, BatchItem } from '../../domain/batches/batch.js';
import { isRefusal } from '../../domain/core/refusal.js';
import { formatMinor, isIsoCurrency, parsePositive } from '../../domain/money/money.js';
import { corridorCurrency } from '../../domain/payments/corridors/corridor-of.js';
import type { Payment } from '../../domain/payments/payment.js';
import { type Beneficiary, type PaymentMethod, payeeNumber } from '../../domain/payments/payment-details.js';
import type { Client } from '../../store/access/clients.js';
import type { Caller } from '../core/caller.js';
import type { ResolvedBeneficiary } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import { eachItem } from './check-items.js';

/** Each '' where it is not known: what an item contains is erased when it is refused or cancelled. */
export interface ItemContents {
  /** In units of its currency: of the payment, or as the item names it. */
  readonly amount: string;
  readonly currency: string;
  /** Name of the beneficiary. */
  readonly payee: string;
  /** The last four characters of the account, wallet, card or telephone number that is paid. */
  readonly accountEnding: string;
}

export const NOTHING: ItemContents = { amount: '', currency: '', payee: '', accountEnding: '' };
const NAME_MAX = 140;
const ENDING = 4;

/** Of a payment that has been made. */
export function contentsOfPayment({ amount, currency, method, details: { beneficiary } }: Payment): ItemContents {
  const paid = amount === '' ? '' : formatMinor(BigInt(amount), currency);
  return { amount: paid, currency, ...payeeShown(method, beneficiary) };
}

/** Of items that are no payments yet, in order: the beneficiary is the version to which the closing has bound the item. */
export async function* contentsOfPending(
  services: Services,
  caller: Caller,
  client: Client,
  batch: Batch,
  items: readonly BatchItem[],
): AsyncGenerator<ItemContents> {
  const { beneficiaries } = services.store;
  yield* eachItem(services, caller, client, batch, items, async (input, { outcome }) => {
    if (input === undefined || isRefusal(input) || outcome.kind !== 'pending') return NOTHING;
    const { resolved, ...sent } = input as Sent;
    const { beneficiaryVersion: bound = resolved?.fieldsVersion } = outcome;
    const isCurrent = resolved?.refusal === undefined && bound === resolved?.fieldsVersion;
    if (isCurrent || resolved === undefined || bound === undefined) return contentsSent(batch, sent);
    const then = await beneficiaries.readVersion(client, resolved.id, bound);
    if (then === undefined) return contentsSent(batch, sent);
    const { details, currency, method } = then;
    return contentsSent(batch, { ...sent, ...details, destinationCurrency: currency, payoutMethod: method });
  });
}

/** As it was sent: an item that is not validated may have anything in these fields. */
interface Sent {
  readonly resolved?: ResolvedBeneficiary;
  readonly sourceAmount?: unknown;
  readonly destinationAmount?: unknown;
  readonly destinationCurrency?: unknown;
  readonly depositMethod?: unknown;
  readonly payoutMethod?: unknown;
  readonly beneficiary?: unknown;
}

function contentsSent({ currency: ofAccount }: Batch, sent: Sent): ItemContents {
  const { sourceAmount, destinationAmount, destinationCurrency, depositMethod, payoutMethod } = sent;
  const beneficiary = textsOf(sent.beneficiary);
  const isOfSource = sourceAmount !== undefined;
  const named =
    typeof destinationCurrency === 'string' ? destinationCurrency : corridorCurrency(beneficiary.countryCode ?? '');
  const currency = isOfSource ? ofAccount : (named ?? '');
  const given = isOfSource ? sourceAmount : destinationAmount;
  const minor = typeof given === 'number' && isIsoCurrency(currency) ? parsePositive(given, currency) : undefined;
  const isGood = minor !== undefined && !isRefusal(minor);
  const method = String(depositMethod ?? payoutMethod ?? 'BANK').replace('CASH_PAYOUT', 'CASH') as PaymentMethod;
  const amount = isGood ? { amount: formatMinor(minor, currency), currency } : { amount: '', currency: '' };
  return { ...amount, ...payeeShown(method, beneficiary) };
}

const textsOf = (sent: unknown): Beneficiary =>
  Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => typeof value === 'string'));

const payeeShown = (method: PaymentMethod, beneficiary: Beneficiary) => ({
  payee: (beneficiary.name ?? '').slice(0, NAME_MAX),
  accountEnding: payeeNumber(method, beneficiary).slice(-ENDING),
});
