/**
 * Fields that several operations share. Every text has a maximum length, and none may contain characters that are displayed as something
 * else.
 */

import { z } from 'zod';
import {
  CL_ORD_ID,
  CLIENT_ID as CLIENT_ID_FORM,
  COMP_ID as COMP_ID_FORM,
  HOLD_ID,
  LEDGER_ID as LEDGER_ID_FORM,
  REQUEST_ID as REQUEST_ID_FORM,
  SUB_CLIENTS as SUB_CLIENTS_FORM,
} from '../../domain/core/ids.js';
import { characterFault, ID_MAX, isLongerThan } from '../../domain/core/text.js';
import { isAccountCurrency, isCurrency } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { BOOK_FX_TYPES } from '../../domain/money/value-date.js';

/** A text of at most `max` characters; `is` describes it in faults. The length is checked before everything else. */
export const boundedText = (max: number, is = `at most ${max} characters`, hasLines = false) =>
  z
    .string({ error: is })
    .check((context) => {
      const { value } = context;
      // No `continue`: later checks of this text are skipped, and rules over several fields still run. `false` would skip those too.
      const issue = { origin: 'string', input: value } as const;
      if (isLongerThan(value, max)) {
        context.issues.push({ ...issue, code: 'too_big', maximum: max, inclusive: true, message: is });
        return;
      }
      const fault = characterFault(value, hasLines);
      if (fault) context.issues.push({ ...issue, code: 'invalid_format', format: 'text', message: fault });
    })
    .meta({ maxLength: max });

/** A text of one form with a stated maximum length: `max` is its maxLength in the OpenAPI document. */
export const patternText = (pattern: RegExp, max: number, is: string) =>
  z
    .string({ error: is })
    .check(onlyHere(z.regex(pattern, { error: is })))
    .meta({ maxLength: max });

/** A fault skips the later checks of this text, and no rule over several fields, unlike `abort`. */
function onlyHere(check: z.core.$ZodCheck<string>): z.core.$ZodCheck<string> {
  const { _zod: inner } = check;
  const runCheck = inner.check;
  inner.check = (payload) => {
    const before = payload.issues.length;
    const checked = runCheck(payload);
    for (const issue of payload.issues.slice(before)) delete (issue as { continue?: boolean }).continue;
    return checked;
  };
  return check;
}

/** A text that is only a search key. One longer than any issued value is truncated, and matches nothing. */
export const knownText = (max: number, is?: string) =>
  z
    .string(is === undefined ? {} : { error: is })
    .overwrite((text) => text.slice(0, max + 1))
    .meta({ maxLength: max });

/** An id issued by ratewire, or a client's own. */
export const ID = knownText(ID_MAX);

const CLIENT_ID_SAYS =
  '1 to 32 letters, digits, _ or -, the first a letter or digit; of a sub-client its name behind ~';
export const CLIENT_ID = patternText(CLIENT_ID_FORM, 64, CLIENT_ID_SAYS);
/** All sub-clients of a platform. */
export const SUB_CLIENTS = patternText(SUB_CLIENTS_FORM, 34, 'the id of a platform and ~*');
/** Of a client, or of the house's own ledger: for the operator alone. */
export const LEDGER_ID = patternText(LEDGER_ID_FORM, 64, CLIENT_ID_SAYS);

/** SenderCompID(49) of a desk. */
export const COMP_ID = patternText(COMP_ID_FORM, 32, '1 to 32 letters, digits, point, _ or -, and not points alone');

const REQUEST_ID_SAYS = '1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit';

/** The client's own id of a request: a repeated id is the same command. */
export const REQUEST_ID = z
  .string({ error: 'a text' })
  .regex(REQUEST_ID_FORM, { error: REQUEST_ID_SAYS })
  .meta({ maxLength: ID_MAX });

/** The request id of a conversion: over FIX any ClOrdID(11), over REST a `REQUEST_ID` (`requestIdOfRest`). */
export const ORDER_ID = z
  .string({ error: 'a text' })
  .regex(CL_ORD_ID, { error: REQUEST_ID_SAYS })
  .meta({ maxLength: ID_MAX, pattern: REQUEST_ID_FORM.source });

/** Only a FIX session may send what is a ClOrdID(11) and no request id. */
export function requestIdOfRest(
  input: { readonly requestId: string; readonly session?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (input.session !== undefined || !CL_ORD_ID.test(input.requestId) || REQUEST_ID_FORM.test(input.requestId)) return;
  const { requestId } = input;
  context.addIssue({
    code: 'invalid_format',
    format: 'regex',
    path: ['requestId'],
    message: REQUEST_ID_SAYS,
    input: requestId,
  });
}

const A_REASON = 'a reason of 1 to 140 characters';

/** The operator's reason; the journal keeps it. */
export const REASON = boundedText(140, A_REASON).min(1, { error: A_REASON });

const CONVENTION = 'a pair in market convention, such as EUR/USD';

export const PAIR = boundedText(7, CONVENTION).refine((symbol) => pairBySymbol(symbol) !== undefined, {
  error: CONVENTION,
});

/** A pair, or `*` for all. */
export const PAIR_OR_ALL = boundedText(7, CONVENTION).refine(
  (symbol) => symbol === '*' || pairBySymbol(symbol) !== undefined,
  {
    error: `${CONVENTION}, or *`,
  },
);

const CODE = 'one code of three upper-case letters';

const CURRENCY_CODE = patternText(/^[A-Z]{3}$/, 3, CODE);
const NOT_OFFERED: z.core.$ZodCustomParams = { error: ({ input }) => `${input} is not offered` };

/** A currency that can be converted, by its exact upper-case code. */
export const CURRENCY = CURRENCY_CODE.refine(isCurrency, NOT_OFFERED);

/** A currency that can be held and paid, whether or not it can be converted. */
export const ACCOUNT_CURRENCY = CURRENCY_CODE.refine(isAccountCurrency, NOT_OFFERED);

const AN_ACCOUNT = { error: 'an account number' };

/** Any whole number: one that is no account number matches no account. */
export const ACCOUNT_NUMBER = z.number(AN_ACCOUNT).int(AN_ACCOUNT).nonnegative(AN_ACCOUNT);

/** Empty is absent. */
export const BOOK_FX_TYPE = z.enum(['', ...BOOK_FX_TYPES], { error: `empty or one of ${BOOK_FX_TYPES.join(', ')}` });

const DATE_OR_EMPTY = /^(\d{4}-\d{2}-\d{2})?$/;
const A_DATE = 'a date, YYYY-MM-DD';

/** Empty is absent. */
export const SETTLEMENT_DATE = patternText(DATE_OR_EMPTY, 10, A_DATE).transform((date) => date || undefined);

/** Documented as SETTLEMENT_DATE but accepts any text: `settlementDateOrHold` checks it, because a hold's own date decides. */
export const SETTLEMENT_DATE_TEXT = boundedText(255, A_DATE)
  .meta({ maxLength: 10, pattern: DATE_OR_EMPTY.source })
  .transform((date) => date || undefined);

/** A text that is no date is a fault of the field, unless a hold is named: then it is refused with BAD_SETTLEMENT_DATE. */
export function settlementDateOrHold(
  { settlementDate, holdId, quoteId }: { settlementDate?: unknown; holdId?: unknown; quoteId?: unknown },
  context: z.RefinementCtx,
): void {
  if (typeof settlementDate !== 'string' || settlementDate.length > 255 || DATE_OR_EMPTY.test(settlementDate)) return;
  const isOnHold = typeof holdId === 'string' && holdId !== '';
  if (isOnHold || (typeof quoteId === 'string' && HOLD_ID.test(quoteId))) return;
  const fault = { code: 'invalid_format', format: 'regex', message: A_DATE } as const;
  context.addIssue({ ...fault, path: ['settlementDate'], input: settlementDate });
}

/** At most one of the two amounts, for the last `superRefine` but one, with BESIDE_OTHER_FAULTS. */
export function oneAmountAtMost(
  { sellAmount, buyAmount }: { readonly sellAmount?: unknown; readonly buyAmount?: unknown },
  context: z.RefinementCtx,
): void {
  if (sellAmount === undefined || buyAmount === undefined) return;
  for (const path of ['sellAmount', 'buyAmount'])
    context.addIssue({
      code: 'custom',
      path: [path],
      message: 'send one of the two amounts',
      params: { combination: true },
    });
}

/**
 * Reports amounts of 0 and below beside the other faults of the input; alone each is refused with BAD_AMOUNT, in its place in the order of
 * checks. For a schema's last `superRefine`, with BESIDE_OTHER_FAULTS.
 */
export const amountsAboveZero =
  (...names: readonly string[]) =>
  (input: object, context: z.RefinementCtx): void => {
    if (context.issues.length === 0) return;
    for (const name of names.filter((name) => isNotAboveZero((input as Record<string, unknown>)[name])))
      context.addIssue({ code: 'custom', path: [name], message: ABOVE_ZERO });
  };

export const isNotAboveZero = (amount: unknown): boolean => typeof amount === 'number' && amount <= 0;
export const ABOVE_ZERO = 'above 0';

/** Runs a rule over several fields even when other faults exist, since all faults are returned at once. */
export const BESIDE_OTHER_FAULTS: z.core.$ZodSuperRefineParams = { when: () => true };

/** The version of a record that a change is for, a whole number from 1; absent: any. Another one: VERSION_CONFLICT. */
export const VERSION = z
  .int({ error: 'the ETag of the record, such as "3"' })
  .min(1)
  .optional()
  .describe('Version of the record');
