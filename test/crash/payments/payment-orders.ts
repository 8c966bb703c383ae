/** The payments of the callers: both versions, every kind of amount, and every word of the sandbox. */
import { type CrashAccount, type CrashClient, minorOf, units } from '../clients.js';
import { anyOf, type Random, wholeFrom } from '../commands.js';
import type { Body, HeldRate } from '../intents.js';
import { WORDS, type Word } from './magic-words.js';

/** Minor units of the payment's currency, or of the account's for a source amount. */
export type Given =
  | { readonly kind: 'destination' | 'source'; readonly minor: bigint }
  /** Of another currency, converted when it is created. */
  | { readonly kind: 'equivalent'; readonly minor: bigint; readonly currency: string };

export interface PaymentOrder {
  readonly path: string;
  readonly body: Body;
  readonly name: string;
  readonly word: Word | undefined;
  readonly currency: string;
  readonly given: Given;
  /** Undefined: the default account in the payment's currency, which the client need not have. */
  readonly account: CrashAccount | undefined;
  readonly feePayer: 'OUR' | 'BEN';
  readonly deduct: bigint;
  readonly held: HeldRate | undefined;
  /** The hold is for an amount of its own. */
  readonly isFixed: boolean;
}

const V1 = '/api/v1/payments/create';
const V2 = '/api/v2/payouts';
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY'];

/** The beneficiary of each currency, with the details that its corridor requires. */
const BENEFICIARIES: Readonly<Record<string, { readonly route?: Body; readonly beneficiary: Body }>> = {
  EUR: { beneficiary: { country_code: 'DE', account_number: 'DE89370400440532013000', bank_name: 'Commerzbank' } },
  USD: {
    route: { routing_code_type_1: 'ACH CODE', routing_code_value_1: '011000015' },
    beneficiary: {
      country_code: 'US',
      account_number: '000123456789',
      address: '12 Water Street',
      city: 'New York',
      state: 'NY',
      postcode: '10001',
      bank_account_type: 'Checking',
    },
  },
  GBP: {
    route: { routing_code_type_1: 'SORT CODE', routing_code_value_1: '089999' },
    beneficiary: { country_code: 'GB', account_number: '66374958' },
  },
  JPY: {
    route: {
      routing_code_type_1: 'BANK CODE',
      routing_code_value_1: '0001',
      routing_code_type_2: 'BRANCH CODE',
      routing_code_value_2: '001',
    },
    beneficiary: { country_code: 'JP', account_number: '1234567', bank_account_type: 'Saving' },
  },
};

export function anyPayment(random: Random, client: CrashClient): PaymentOrder {
  const currency = anyOf(random, CURRENCIES);
  return random() < 0.5 ? firstVersion(random, client, currency) : secondVersion(random, client, currency);
}

/** It sells at the held rate, either for the debited amount or for the amount that the beneficiary gets. */
export function onHold(
  random: Random,
  client: CrashClient,
  held: HeldRate,
  holds: 'this amount' | 'any amount',
): PaymentOrder {
  const { sells, buys, dealt, holdId } = held;
  const isFixed = holds === 'this amount';
  const isSource = isFixed ? dealt === 'sell' : random() < 0.5;
  const minor = isFixed ? BigInt(held.amount) * minorOf(isSource ? sells : buys) : anyMinor(random);
  const own = { number: client.accounts[sells]!, currency: sells };
  const order = { random, currency: buys, account: own, feePayer: anyFeePayer(random), deduct: 0n, held };
  return { ...payout(order, isSource ? 'source' : 'destination', minor, { fx_hold_id: holdId }), isFixed };
}

/** The paying account may be in another currency, where there is an agreement. */
function anyAccount(random: Random, client: CrashClient, currency: string): CrashAccount | undefined {
  if (client.agreement.length > 0 && random() < 0.3) return anyOf(random, client.agreement);
  const number = client.accounts[currency];
  return number === undefined ? undefined : { number, currency };
}

function firstVersion(random: Random, client: CrashClient, currency: string): PaymentOrder {
  const account = random() < 0.5 ? undefined : anyAccount(random, client, currency);
  const deduct = anyDeduction(random, currency);
  const isEquivalent = random() < 0.2;
  const minor = anyMinor(random);
  const other = { minor: anyMinor(random), currency: anyOf(random, CURRENCIES) };
  const { word, name } = anyName(random);
  const { route, beneficiary } = BENEFICIARIES[currency]!;
  const body = {
    destination_currency: currency,
    destination_amount: isEquivalent ? 0 : Number(units(minor, currency)),
    ...(isEquivalent && {
      equivalent_amount: Number(units(other.minor, other.currency)),
      equivalent_currency: other.currency,
    }),
    ...(account && { account_number: account.number }),
    ...(deduct > 0n && { deduct_amount: Number(units(deduct, currency)) }),
    statement_narrative: 'Crash',
    remitter_account_type: 'Company',
    remit_purpose_code: 'IR01802',
    ...route,
    ...Object.fromEntries(
      Object.entries({ name, ...beneficiary }).map(([key, value]) => [`beneficiary_${key}`, value]),
    ),
  };
  const given: Given = isEquivalent ? { kind: 'equivalent', ...other } : { kind: 'destination', minor };
  return {
    path: V1,
    body,
    name,
    word,
    currency,
    given,
    account,
    feePayer: 'OUR',
    deduct,
    held: undefined,
    isFixed: false,
  };
}

function secondVersion(random: Random, client: CrashClient, currency: string): PaymentOrder {
  const account = anyAccount(random, client, currency) ?? anyOf(random, client.agreement);
  const isSource = random() < 0.4;
  const deduct = anyDeduction(random, currency);
  const minor = anyMinor(random);
  const order = { random, currency, account, feePayer: anyFeePayer(random), deduct, held: undefined };
  return payout(order, isSource ? 'source' : 'destination', minor, {});
}

function payout(
  order: Pick<PaymentOrder, 'currency' | 'feePayer' | 'deduct' | 'held'> & { random: Random; account: CrashAccount },
  kind: 'destination' | 'source',
  minor: bigint,
  options: Body,
): PaymentOrder {
  const { random, ...same } = order;
  const { currency, account, feePayer, deduct } = same;
  const { word, name } = anyName(random);
  const { route, beneficiary } = BENEFICIARIES[currency]!;
  const amount = Number(units(minor, kind === 'source' ? account.currency : currency));
  const deducted = deduct > 0n && { deduct_amount: Number(units(deduct, currency)) };
  const body = {
    source_account: account.number,
    destination_currency: currency,
    [`${kind}_amount`]: amount,
    fee_payer: feePayer,
    statement_narrative: 'Crash',
    ...route,
    remitter: { account_type: 'Company', purpose_code: 'IR01802' },
    beneficiary: { name, ...beneficiary },
    payout_options: { ...options, ...deducted },
  };
  return { ...same, path: V2, body, name, word, given: { kind, minor }, isFixed: false };
}

const anyFeePayer = (random: Random): PaymentOrder['feePayer'] => (random() < 0.5 ? 'OUR' : 'BEN');

/** Four of ten have a word. */
function anyName(random: Random): { readonly word: Word | undefined; readonly name: string } {
  const word = random() < 0.4 ? anyOf(random, WORDS) : undefined;
  return { word, name: word === undefined ? 'Asha Rao' : `Asha ${word} Rao` };
}

const anyMinor = (random: Random): bigint => BigInt(wholeFrom(random, 5_000, 90_000));

const anyDeduction = (random: Random, currency: string): bigint =>
  random() < 0.15 ? BigInt(wholeFrom(random, 1, currency === 'JPY' ? 400 : 900)) : 0n;
