/** Routing codes: each kind once, those that the corridor takes, and each one right (G9, G10). */

import {
  abaFault,
  bicFault,
  bicPartyFault,
  bsbDirectoryFault,
  bsbFault,
  ifscDirectoryFault,
  ifscFault,
  sortCodeFault,
} from '../../beneficiaries/identifiers/bank-codes.js';
import { compact } from '../../beneficiaries/identifiers/identifier-normalisation.js';
import type { CodeCheck, RoutingCode } from '../corridors/corridor.js';
import { isSepaCountry, parentOf } from '../corridors/countries.js';
import type { Field } from '../corridors/field.js';
import { ROUTING_KINDS, type RoutingKind } from '../corridors/words.js';
import type { Examined } from './context.js';

const SLOTS = [1, 2, 3] as const;
type Slot = (typeof SLOTS)[number];

/** The submitted routing codes by kind; the first of a kind counts. */
export type Codes = ReadonlyMap<RoutingKind, { readonly slot: Slot; readonly value: string | undefined }>;

export function checkRouting(examined: Examined): Codes {
  const { submitted, found } = examined;
  const codes = new Map<RoutingKind, { readonly slot: Slot; readonly value: string | undefined }>();
  for (const slot of SLOTS) {
    const type = `routingCodeType${slot}` as const;
    const kind = ROUTING_KINDS.find((known) => known === submitted.text(type));
    if (kind === undefined) continue;
    if (codes.has(kind)) found.add(type, 'invalid_combination', `${kind} was sent already: send each kind once`, 'G9');
    else codes.set(kind, { slot, value: submitted.text(`routingCodeValue${slot}`) });
  }
  checkKinds(examined, codes);
  checkRoute(examined, codes);
  return codes;
}

function checkKinds(examined: Examined, codes: Codes): void {
  const { found, corridor } = examined;
  if (corridor === undefined) return;
  for (const [kind, { slot, value }] of codes) {
    const code = corridor.codes[kind];
    if (code === undefined) {
      const kinds = Object.keys(corridor.codes).join(', ') || 'none';
      const text = `payments to ${examined.country ?? corridor.country} do not take ${kind}; they take ${kinds}`;
      found.add(`routingCodeType${slot}`, 'unsupported_field', text, 'G9');
    } else if (value !== undefined) {
      checkCode(examined, kind, code, `routingCodeValue${slot}`, value);
    }
  }
}

function checkCode(
  { found, corridor, submitted, country, circumstances }: Examined,
  kind: RoutingKind,
  { form, check, example }: RoutingCode,
  field: Field,
  value: string,
): void {
  const rule = check === 'bic' ? 'G10' : `${corridor!.country}.routing`;
  const code = normalised(value, check);
  const banks = bankCountries(
    country ?? corridor!.country,
    circumstances.isIban ? submitted.text('beneficiary.accountNumber') : undefined,
  );
  const fault = form.test(code)
    ? check && codeFault(check, code, banks)
    : `not ${withArticle(kind)} such as ${example}`;
  if (fault) {
    found.add(field, 'incorrect_format', fault, rule);
    return;
  }
  const warning = codeWarning(check, code);
  if (warning) found.warn(field, 'incorrect_value', warning, rule);
}

/** IFSC is read letter by letter. */
const withArticle = (kind: RoutingKind): string => `${/^(IFSC|ACH)/.test(kind) ? 'an' : 'a'} ${kind}`;

/** In capitals; a BIC also in groups. */
function normalised(value: string, check: CodeCheck | undefined): string {
  if (check === undefined) return value;
  return (check === 'bic' ? value.replace(/\s/g, '') : value).toUpperCase();
}

/** The codes of one of the corridor's ways; an IBAN of the United Kingdom contains the sort code. */
function checkRoute({ found, corridor, country, method, circumstances, submitted }: Examined, codes: Codes): void {
  if (corridor === undefined || method !== 'BANK' || corridor.route.length === 0) return;
  if (corridor.country === 'GB' && circumstances.isIban) return;
  if (corridor.route.some((kinds) => kinds.every((kind) => codes.has(kind)))) return;
  // The way that was begun, or else the one that is preferred.
  const way = corridor.route.find((kinds) => kinds.some((kind) => codes.has(kind))) ?? corridor.route[0]!;
  const free = SLOTS.filter(
    (slot) => !submitted.has(`routingCodeType${slot}`) && !submitted.has(`routingCodeValue${slot}`),
  );
  // A code whose kind is missing or misspelt is reported as that, and may be one of them.
  const unclear = SLOTS.filter((slot) => submitted.has(`routingCodeValue${slot}`) && !codeAt(codes, slot)).length;
  const missing = way.filter((kind) => !codes.has(kind)).slice(unclear);
  missing.forEach((kind, at) => {
    const ways = corridor.route.map((kinds) => kinds.join(' and ')).join(', or ');
    const text = `send ${kind}: payments to ${country ?? corridor.country} need ${ways}`;
    found.add(`routingCodeType${free[at] ?? 3}`, 'field_missing', text, `${corridor.country}.routing`);
  });
}

const codeAt = (codes: Codes, at: Slot): boolean => [...codes.values()].some(({ slot }) => slot === at);

/**
 * Where the bank may be: where an IBAN says, else in the beneficiary's country; a territory has banks of the country that it belongs to. Banks
 * of SEPA keep accounts under the IBANs of other countries of SEPA: where the account is one of these, any country of SEPA is right.
 */
function bankCountries(country: string, account: string | undefined): Banks {
  const iban = /^[A-Z]{2}(?=\d{2}[A-Z\d]{11})/.exec(compact(account ?? ''))?.[0];
  const homes = [iban ?? country, country].flatMap((one) => [one, parentOf(one) ?? one]);
  return { homes, isAnyOfSepa: iban !== undefined && isSepaCountry(iban) };
}

interface Banks {
  readonly homes: readonly string[];
  readonly isAnyOfSepa: boolean;
}

function codeFault(check: CodeCheck, code: string, { homes, isAnyOfSepa }: Banks): string | undefined {
  switch (check) {
    case 'bic': {
      const ofBank = code.slice(4, 6);
      const isThere = homes.includes(ofBank) || (isAnyOfSepa && isSepaCountry(ofBank));
      return bicFault(code, isThere ? undefined : homes[0]);
    }
    case 'aba':
      return abaFault(code);
    case 'ifsc':
      return ifscFault(code);
    case 'bsb':
      return bsbFault(code);
    case 'sort code':
      return sortCodeFault(code);
  }
}

/** What is unusual about a code that is right. */
function codeWarning(check: CodeCheck | undefined, code: string): string | undefined {
  if (check === 'bic') return bicPartyFault(code);
  if (check === 'ifsc') return ifscDirectoryFault(code);
  return check === 'bsb' ? bsbDirectoryFault(code) : undefined;
}
