/** The corridor's rules for methods, names, narrative and the form of fields. */

import { isLongerThan, TEXT_MAX } from '../../core/text.js';
import { type Corridor, TOWN_MAX } from '../corridors/corridor.js';
import { holds } from '../corridors/when.js';
import { DEPOSIT_METHODS, PAYOUT_METHODS } from '../corridors/words.js';
import type { PaymentMethod } from '../payment-details.js';
import type { Examined } from './context.js';
import { leavingText } from './leaving-texts.js';
import type { SubmittedFields } from './submitted-fields.js';
import { withLength } from './texts.js';

/** The requested method, by either of its fields; BANK where neither is sent. Undefined: no such method. */
export function methodOf(submitted: SubmittedFields): PaymentMethod | undefined {
  const deposit = submitted.text('depositMethod');
  const payout = submitted.text('payoutMethod');
  if (deposit !== undefined) return DEPOSIT_METHODS.find((method) => method === deposit);
  if (submitted.has('depositMethod')) return undefined;
  if (payout !== undefined) return depositMethodOf(payout);
  return submitted.has('payoutMethod') ? undefined : 'BANK';
}

function depositMethodOf(payout: string): PaymentMethod | undefined {
  const found = PAYOUT_METHODS.find((method) => method === payout);
  return found === 'CASH_PAYOUT' ? 'CASH' : found;
}

export function checkMethod({ submitted, found, corridor, country, method }: Examined): void {
  const deposit = submitted.text('depositMethod');
  const payout = submitted.text('payoutMethod');
  if (deposit !== undefined && payout !== undefined && method !== undefined) {
    const other = depositMethodOf(payout);
    if (other !== undefined && other !== method)
      found.add('payoutMethod', 'invalid_combination', 'deposit_method says another: send one, or both alike', 'G12');
  }
  if (corridor === undefined || method === undefined || corridor.methods[method] !== undefined) return;
  const methods = Object.keys(corridor.methods).join(', ');
  const field = deposit === undefined && payout !== undefined ? 'payoutMethod' : 'depositMethod';
  const text = `${corridor.currency} to ${country ?? corridor.country} goes by ${methods}`;
  found.add(field, 'incorrect_value', text, `${corridor.country}.methods`);
}

/** Initials in a person's name have to be announced. */
const INITIAL = /(^|[\s.])\p{Lu}(?=[\s.]|$)/u;

export function checkNames({ version, submitted, found, corridor, circumstances }: Examined): void {
  const remitter = submitted.text('remitter.name');
  const hasInitials = remitter !== undefined && circumstances.remitter === 'Individual' && INITIAL.test(remitter);
  if (hasInitials && !submitted.isTrue('remitter.givenName')) {
    const announced = version === 1 ? 'remitter_given_name' : 'remitter.given_name';
    found.add('remitter.name', 'incorrect_format', `send the names in full, or ${announced} true`, 'G3');
  }
  const name = submitted.text('beneficiary.name');
  if (name === undefined || corridor === undefined) return;
  const { country, nameMax, nameShown } = corridor;
  const leaving = leavingText(name, corridor) ?? name;
  if (isLongerThan(leaving, nameMax))
    found.add('beneficiary.name', 'incorrect_format', tooLong(nameMax, '', name, leaving), `${country}.name`);
  else if (nameShown !== undefined && isLongerThan(leaving, nameShown))
    found.warn('beneficiary.name', 'incorrect_format', `${nameShown} characters of it are shown`, `${country}.name`);
}

/** A town that is too long for its rail is never cut: it would be another one. */
export function checkTowns({ submitted, found, corridor }: Examined): void {
  if (!corridor?.hasStructuredAddresses) return;
  for (const field of ['remitter.city', 'beneficiary.city'] as const) {
    const town = submitted.text(field);
    const leaving = town && (leavingText(town, corridor) ?? town);
    if (!town || !leaving || !isLongerThan(leaving, TOWN_MAX) || found.has(field)) continue;
    found.add(field, 'incorrect_format', tooLong(TOWN_MAX, ' (TwnNm of ISO 20022)', town, leaving), 'G4');
  }
}

export function checkNarrative({ submitted, found, corridor, context }: Examined): void {
  const narrative = submitted.text('statementNarrative');
  if (narrative === undefined || corridor === undefined) return;
  const { country, narrativeMax } = corridor;
  const leaving = leavingText(narrative, corridor) ?? narrative;
  if (!isLongerThan(leaving, narrativeMax)) return;
  const text = tooLong(narrativeMax, ` for ${country}`, narrative, leaving);
  if (!context.allowTruncation) found.add('statementNarrative', 'incorrect_format', text, 'G16');
  else if (!found.has('statementNarrative'))
    found.warn('statementNarrative', 'incorrect_format', `${text}: it will be cut`, 'G16');
}

function tooLong(max: number, where: string, text: string, leaving: string): string {
  const is = `at most ${max} characters${where}`;
  return leaving === text ? is : withLength(is, leaving);
}

/** The narrative as it is kept: it fits as it leaves, or the client has allowed that it is cut. */
export function narrativeFor(narrative: string, corridor: Corridor | undefined): string {
  const leaving = leavingText(narrative, corridor) ?? narrative;
  if (!isLongerThan(leaving, corridor?.narrativeMax ?? TEXT_MAX)) return narrative.trimEnd();
  return [...leaving].slice(0, corridor?.narrativeMax).join('').trimEnd();
}

const PO_BOX = /\bp\.?\s*o\.?\s*box(\b|\d)|\bp\.?\s*o\.?\s*b\.?\s*\d|\bpost\s+office\s+box(\b|\d)/i;
const WITHOUT_PO_BOX: ReadonlySet<string> = new Set(['CN', 'US']);

export function checkForms({ submitted, found, corridor, circumstances, country }: Examined): void {
  for (const party of ['beneficiary', 'remitter'] as const) {
    const at = party === 'beneficiary' ? country : submitted.text(`${party}.countryCode`);
    const address = submitted.text(`${party}.address`);
    if (at !== undefined && WITHOUT_PO_BOX.has(at) && address !== undefined && PO_BOX.test(address))
      found.add(`${party}.address`, 'incorrect_format', `a street address: no PO box in ${at}`, 'G4');
  }
  for (const { field, form, is, words, when } of corridor?.forms ?? []) {
    const text = submitted.text(field);
    if (text === undefined || form.test(text) || (when && !holds(when, circumstances))) continue;
    found.add(field, words ? 'incorrect_value' : 'incorrect_format', is, `${corridor!.country}.beneficiary`);
  }
}
