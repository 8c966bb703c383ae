/** The one shape of every error body, and which codes go with which status. */
import { z } from 'zod';
import { FIELD_FAULT_CODES, REFUSAL_CODES, REFUSALS, type RefusalCode } from '../../engine/domain/core/refusal.js';
import { ID_MAX } from '../../engine/domain/core/text.js';
import { QUOTE_LENGTH_MAX } from '../../engine/service/conversions/change-quotes.js';
import { SIGNATURE_LENGTH_MAX } from '../../engine/service/prices/rate-signature.js';
import { textField } from '../features/shapes.js';
import { HTTP_STATUS, type HttpStatus } from '../http/responses.js';

/** Given over FIX, or to the operator, and never here. */
const NEVER_OVER_REST: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'UNSUPPORTED_MSGTYPE',
  'NOT_AUTHENTICATED',
  'TOKEN_CLIENT_MISMATCH',
  'TOKEN_EXPIRING',
  'DUPLICATE_MDREQID',
  'UNKNOWN_MDREQID',
  'UNSUPPORTED_SUBSCRIPTION_TYPE',
  'UNSUPPORTED_MARKET_DEPTH',
  'UNSUPPORTED_UPDATE_TYPE',
  'UNSUPPORTED_AGGREGATED_BOOK',
  'UNSUPPORTED_ENTRY_TYPE',
  'UNKNOWN_SYMBOL',
  'INVERSE_SYMBOL',
  'BAD_BOOKFX_TYPE',
  'BAD_VALUE_DATE',
  'SUBSCRIPTION_LIMIT',
  'DUPLICATE_QUOTEREQID',
  'BAD_REQUEST_ID',
  'UNSUPPORTED_ORDTYPE',
  'UNSUPPORTED_TIF',
  'UNSUPPORTED_FIELD',
  'BAD_SIDE',
  'BAD_CURRENCY',
  'BAD_VALID_UNTIL',
  'UNKNOWN_ORDER',
  'HOLD_NOT_FIRM',
  'QUOTE_STALE',
  'PRICE_MISMATCH',
  'LIMIT_NOT_MET',
  'UNKNOWN_CLIENT',
  'COMPID_TAKEN',
  'UNKNOWN_KEY',
  'KEY_LIMIT',
  'BAD_MARGIN',
  'UNKNOWN_MARGIN',
  'FEE_LIMIT',
  'UNKNOWN_FEE',
]);

const CODES = REFUSAL_CODES.filter((code) => !NEVER_OVER_REST.has(code));

export const codesOf = (status: HttpStatus) => CODES.filter((code) => HTTP_STATUS[code] === status);

/** A message may name every word that a field takes. */
const MESSAGE_MAX = 4_096;

/** One faulty field; a dry run's warnings are such too. */
export const FIELD_FAULT = z
  .strictObject({
    field: textField('Name of the field; of a nested one with dots', 'sell_currency'),
    code: z.enum(FIELD_FAULT_CODES).meta({ description: 'What is wrong with it', examples: ['field_missing'] }),
    message: textField('The same for people', 'required', MESSAGE_MAX),
    rule: textField(
      'Rule of the payment that says so: G8 is a general one, IN.account a country’s',
      'IN.account',
    ).optional(),
  })
  .meta({ id: 'FieldFault', description: 'What is wrong with a field' });

export const PROBLEM = z
  .strictObject({
    type: z
      .string()
      .regex(/^urn:ratewire:refusal:[A-Z_]+$/)
      .meta({ description: 'The code as a URN', maxLength: 64, examples: ['urn:ratewire:refusal:VALIDATION_FAILED'] }),
    title: textField('What the code means', REFUSALS.VALIDATION_FAILED),
    status: z
      .number()
      .int()
      .min(400)
      .max(599)
      .meta({ description: 'The status of the answer', examples: [400] }),
    detail: textField('What is wrong this time', REFUSALS.VALIDATION_FAILED, MESSAGE_MAX),
    instance: textField('Path of the request', '/api/v1/bookfx/rate', 256),
    code: z.enum(CODES).meta({ description: 'Why, for programs', examples: ['VALIDATION_FAILED'] }),
    message: textField('Same as detail', REFUSALS.VALIDATION_FAILED, MESSAGE_MAX),
    request_id: textField('Id of this answer, also in x-request-id: quote it in questions', 'o2Jt5ZkRVQxM-4f'),
    errors: z.array(FIELD_FAULT).meta({ description: 'All faults of the fields, at once; empty for other refusals' }),
    warnings: z
      .array(FIELD_FAULT)
      .optional()
      .meta({
        description: 'What may go wrong besides, in a dry run',
        examples: [[]],
      }),
    outcome: z.enum(['none', 'unknown']).optional().meta({
      description:
        'With 503: none, nothing was executed; unknown, the answer of the store was lost. In both cases send the same request again',
    }),
    available_amount: z.number().optional().meta({ description: 'What the account has, with INSUFFICIENT_BALANCE' }),
    needed_amount: z.number().optional().meta({ description: 'What it would need, with INSUFFICIENT_BALANCE' }),
    payment_id: z
      .string()
      .optional()
      .meta({ description: 'The payment that there is, with DUPLICATE_TRANSACTION', maxLength: ID_MAX }),
    payment_status: z.string().optional().meta({
      description: 'Status of the payment, with DUPLICATE_TRANSACTION, NOT_CANCELLABLE and WRONG_STATE',
      maxLength: ID_MAX,
    }),
    beneficiary_id: z
      .string()
      .optional()
      .meta({ description: 'The beneficiary that has the account, with DUPLICATE_BENEFICIARY', maxLength: ID_MAX }),
    batch_status: z
      .string()
      .optional()
      .meta({ description: 'Status of the batch, with WRONG_STATE', maxLength: ID_MAX }),
    rate_signature: z
      .string()
      .optional()
      .meta({ description: 'A new offer, with RATE_MOVED of a lock', maxLength: SIGNATURE_LENGTH_MAX }),
    quote_id: z
      .string()
      .optional()
      .meta({ description: 'A new quote, with RATE_MOVED of a change', maxLength: QUOTE_LENGTH_MAX }),
    fx_rate: z
      .number()
      .optional()
      .meta({ description: 'The rate of the new offer or quote, as its own answer has it, with RATE_MOVED' }),
    instarem_fx_rate: z
      .number()
      .optional()
      .meta({ description: 'Of a new quote the rate of the client, with RATE_MOVED of a change' }),
    lock_expiry_at: z
      .string()
      .optional()
      .meta({ description: 'Until when the new offer or quote can be used, with RATE_MOVED', maxLength: ID_MAX }),
    original_request_id: z
      .string()
      .optional()
      .meta({ description: 'What it was sent with, with DUPLICATE_TRANSACTION', maxLength: ID_MAX }),
    oldest_sequence: z
      .number()
      .int()
      .optional()
      .meta({ description: 'The oldest event that is kept, with EVENTS_GONE' }),
    dropped: z
      .number()
      .int()
      .optional()
      .meta({ description: 'How many of the events asked for are no longer kept, with EVENTS_GONE' }),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457)' });

/** A problem as it comes with this status; the code is the first that goes with it. */
export function problemExample(status: HttpStatus): z.infer<typeof PROBLEM> {
  const [code] = status === 400 ? (['VALIDATION_FAILED'] as const) : codesOf(status);
  return {
    type: `urn:ratewire:refusal:${code!}`,
    title: REFUSALS[code!],
    status,
    detail: REFUSALS[code!],
    instance: '/api/v1/bookfx/rate',
    code: code!,
    message: REFUSALS[code!],
    request_id: 'o2Jt5ZkRVQxM-4f',
    errors: status === 400 ? [{ field: 'sell_currency', code: 'field_missing', message: 'required' }] : [],
    ...(status === 503 && { outcome: 'none' as const }),
  };
}
