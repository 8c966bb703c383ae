/** The field that a refusal is about, where the operation names none: of an amount or an account that was sent. */
import type { FieldFault, Refusal, RefusalCode } from '../../engine/domain/core/refusal.js';

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

/** The refusal with its field and what was sent there: of several amounts those that the text fits, else all. */
export function withField(refusal: Refusal, input: unknown): Refusal {
  if (refusal.fields !== undefined) return refusal;
  const given = input as Readonly<Record<string, unknown>>;
  // The 0 beside an equivalent amount is none.
  const isSent = (name: string) =>
    given[name] !== undefined && (name !== 'destinationAmount' || given.equivalentAmount === undefined);
  const sent = (FIELDS[refusal.refusal] ?? []).filter(isSent);
  const meant = sent.filter((name) => fits(refusal.text, given[name]));
  const fields = (meant.length > 0 ? meant : sent).map((field): FieldFault => {
    const shown = ACCOUNTS.includes(field) ? '' : `; ${String(given[field]).slice(0, SHOWN_MAX)} was sent`;
    return { field, code: 'incorrect_value', message: refusal.text + shown };
  });
  return fields.length > 0 ? { ...refusal, fields } : refusal;
}

/** Digits of a number, or the first of a list. */
const SHOWN_MAX = 24;

function fits(text: string, value: unknown): boolean {
  const [, decimals] = /^Amount has (\d+) decimals/.exec(text) ?? [];
  if (decimals !== undefined) return (String(value).split('.')[1] ?? '').length === Number(decimals);
  return /above 0|without sign/.test(text) && Number(value) <= 0;
}
