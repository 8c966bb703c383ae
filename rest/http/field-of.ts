/** The field that a refusal is about, where the operation names none: of an amount or an account that was sent. */
import type { FieldFault, Refusal, RefusalCode } from '../../engine/domain/refusal.js';

const AMOUNTS = [
  ...['sellAmount', 'buyAmount', 'sourceAmount', 'destinationAmount', 'equivalentAmount', 'amount'],
  ...['sellAmounts', 'buyAmounts'],
];
const ACCOUNTS = ['accountNumber', 'sourceAccount'];

/** By our names, as the operation's input has them. */
const FIELDS: Readonly<Partial<Record<RefusalCode, readonly string[]>>> = {
  BAD_AMOUNT: AMOUNTS,
  AMOUNT_BELOW_MIN: AMOUNTS,
  AMOUNT_ABOVE_LIMIT: AMOUNTS,
  UNKNOWN_ACCOUNT: ACCOUNTS,
  ACCOUNT_INACTIVE: ACCOUNTS,
};

/** The refusal with its field: of several amounts the one that its text shows, else all that were sent. */
export function withField(refusal: Refusal, input: unknown): Refusal {
  if (refusal.fields !== undefined) return refusal;
  const given = input as Readonly<Record<string, unknown>>;
  const sent = (FIELDS[refusal.refusal] ?? []).filter((name) => given[name] !== undefined);
  const shown = sent.filter((name) => refusal.text.includes(` ${String(given[name])}`));
  const { text: message } = refusal;
  const fields = (shown.length > 0 ? shown : sent).map(
    (field): FieldFault => ({ field, code: 'incorrect_value', message }),
  );
  return fields.length > 0 ? { ...refusal, fields } : refusal;
}
