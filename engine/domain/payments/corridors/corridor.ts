/** One row of the table: how money reaches a country, and which fields a payment requires. */
import type { PaymentMethod } from '../payment-details.js';
import type { Field } from './field.js';
import type { When } from './when.js';
import type { BeneficiaryIdentificationType, RoutingKind } from './words.js';

/** A check beyond the form, by name: the table holds no code. */
export type CodeCheck = 'aba' | 'bic' | 'bsb' | 'ifsc' | 'sort code';
export type AccountCheck = 'clabe' | 'hdfc' | 'iban' | 'luhn of UnionPay' | 'nuban' | 'nz' | 'pix' | 'uk modulus';
export type IdentificationCheck = 'jp corporate' | 'rfc' | 'uen';

/** A routing code that the corridor takes. */
export interface RoutingCode {
  readonly form: RegExp;
  readonly check?: CodeCheck;
  readonly example: string;
}

export interface Account {
  readonly form: RegExp;
  /** In words, for the error text. */
  readonly is: string;
  readonly check?: AccountCheck;
  readonly example: string;
}

/** A field that the corridor requires. */
export interface RequiredField {
  readonly field: Field;
  /** Absent: always. */
  readonly when?: When;
}

/** A field with a form of its own here; whether it may be empty is a matter of the required fields. */
export interface Form {
  readonly field: Field;
  readonly form: RegExp;
  readonly is: string;
  /** The value is one of a list, which is the form. */
  readonly words?: readonly string[];
  readonly when?: When;
  readonly example: string;
}

export interface Limits {
  readonly max?: string;
  /** Above it the money takes a slower route; the dry run warns. */
  readonly slowAbove?: string;
  /** Where the method has fewer than the corridor. */
  readonly decimals?: number;
}

/** Most characters of a town in a field of its own: TownName (TwnNm) of ISO 20022's PostalAddress24 is a Max35Text, in CBPR+ and SEPA. */
export const TOWN_MAX = 35;

export interface Corridor {
  /** ISO 3166 code; EU: any country of SEPA, in euro. */
  readonly country: string;
  readonly currency: string;
  /** Of an amount that is paid out, which may be fewer than the ledger has. */
  readonly decimals: number;
  /** In order of preference; with the limits of each, in units of the currency. */
  readonly methods: Partial<Readonly<Record<PaymentMethod, Limits>>>;
  readonly min: string;
  readonly codes: Partial<Readonly<Record<RoutingKind, RoutingCode>>>;
  /** BANK needs the codes of one of these lists; none: the account is enough. */
  readonly route: readonly (readonly RoutingKind[])[];
  readonly account: Account;
  readonly wallet?: Account;
  readonly identification: {
    readonly Individual: readonly BeneficiaryIdentificationType[];
    readonly Company: readonly BeneficiaryIdentificationType[];
    /** When it has to be sent; absent: never. */
    readonly needed?: When;
    /** What a Company Registration No. is here. */
    readonly registration?: { readonly check: IdentificationCheck; readonly example: string };
  };
  readonly isPurposeNeeded: boolean;
  readonly beneficiary: readonly RequiredField[];
  /** What is needed of a remitter that has to be named; and what of every payment. */
  readonly remitter: readonly RequiredField[];
  readonly forms: readonly Form[];
  /** Most characters of the beneficiary's name, and how many of them its bank shows. */
  readonly nameMax: number;
  readonly nameShown?: number;
  readonly narrativeMax: number;
  /** Names and addresses may be in the script of the country. */
  readonly hasLocalScript?: true;
  readonly refusesPoBox?: true;
  /** Where there is an address, town and country are in fields of their own: CBPR+ and SEPA, since November 2026. */
  readonly hasStructuredAddresses?: true;
  /** Goods: the order that is paid has to be described. */
  readonly needsTradeOrder?: true;
}
