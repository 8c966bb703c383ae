/** The ways to a beneficiary's bank, as JSON Schema. */
import type { RoutingCode } from '../../../engine/domain/corridors/corridor.js';
import type { RoutingKind } from '../../../engine/domain/corridors/words.js';
import type { RequiredDetails } from '../../../engine/domain/payment-check/required-details.js';
import { fieldSchema, type Schema } from './required-fields.js';

export const IBAN_OF_GB: Schema = { pattern: '^GB' };
const SLOTS = [1, 2, 3] as const;

/** The kinds that the corridor takes, wherever they stand, and how each looks. */
export function codeTypes({ asked: { corridor, method } }: RequiredDetails): Record<string, Schema> {
  if (method !== 'BANK') return {};
  const kinds = Object.keys(corridor.codes) as RoutingKind[];
  const [[kind, code]] = Object.entries(corridor.codes) as [[RoutingKind, RoutingCode]];
  return Object.fromEntries(
    SLOTS.slice(0, kinds.length).flatMap((slot) => [
      [`routing_code_type_${slot}`, { ...fieldSchema(`routingCodeType${slot}`), enum: kinds, examples: [kind] }],
      [`routing_code_value_${slot}`, { ...fieldSchema(`routingCodeValue${slot}`), examples: [code.example] }],
    ]),
  );
}

/** Each way to the bank: its codes in the first places, or an account that needs none. */
export function waysOf({ routes, ibanInstead, asked: { corridor } }: RequiredDetails): Schema[] {
  const byCodes = routes.map((kinds): Schema => {
    const slots = kinds.map((kind, at) => ({ kind, slot: at + 1, code: corridor.codes[kind]! }));
    return {
      properties: Object.fromEntries(
        slots.flatMap(({ kind, slot, code }) => [
          [`routing_code_type_${slot}`, { type: 'string', const: kind, examples: [kind] }],
          [
            `routing_code_value_${slot}`,
            { type: 'string', description: `${kind} of the bank`, pattern: code.form.source, examples: [code.example] },
          ],
        ]),
      ),
      required: slots.flatMap(({ slot }) => [`routing_code_type_${slot}`, `routing_code_value_${slot}`]),
    };
  });
  if (ibanInstead === undefined) return byCodes;
  const byIban: Schema = { properties: { beneficiary_account_number: { ...IBAN_OF_GB, examples: [ibanInstead] } } };
  return [...byCodes, byIban];
}
