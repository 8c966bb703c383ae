/** What can be asked of a booking, by either door. */
import { z } from 'zod';
import { ID_MAX } from '../../domain/text.js';
import { BOOK_FX_TYPE, boundedText, ID, patternText, REQUEST_ID, SETTLEMENT_DATE } from '../core/inputs.js';

const AMOUNT = z.number({ error: 'a number' });
const NARRATION = '1 to 140 characters';
const PRICE = patternText(
  /^\d{1,12}(\.\d{1,12})?$/,
  25,
  'a decimal of at most 12 digits before the point and 12 behind it',
);

/** What is asked for, however the accounts are named. Amounts are in units of their currency. */
export const BOOK_FX_INPUT = z.object({
  requestId: REQUEST_ID,
  description: boundedText(140, NARRATION).min(1, { error: NARRATION }),
  /** With both, the buy amount is exact and the sell amount the most that may be paid. */
  sellAmount: AMOUNT.optional(),
  buyAmount: AMOUNT.optional(),
  type: BOOK_FX_TYPE.optional(),
  /** A hold id; anything else is no hold. */
  holdId: boundedText(ID_MAX).optional(),
  /** Instead: a hold id, or the QuoteEntryID(299) of a streamed price. */
  quoteId: boundedText(ID_MAX).optional(),
  /** YYYY-MM-DD, a good day up to spot. */
  settlementDate: SETTLEMENT_DATE.optional(),
  /** Market convention: the worst price that will do, or the price that was quoted. */
  limitPrice: PRICE.optional(),
  quotedPrice: PRICE.optional(),
  /** CompID of the FIX session that asks: it is told by its outbox, and a refusal is remembered. */
  session: ID.optional(),
});

export type BookFxInput = z.infer<typeof BOOK_FX_INPUT>;

/** One of the two amounts is needed; reported under both names. */
export function needsAnAmount(input: BookFxInput, context: z.RefinementCtx): void {
  if (input.sellAmount !== undefined || input.buyAmount !== undefined) return;
  for (const path of ['sellAmount', 'buyAmount'])
    context.addIssue({
      code: 'custom',
      path: [path],
      message: 'required when the other amount is absent',
      input: undefined,
    });
}

/** Which accounts, and in which currencies; an account left out is the default one of its currency. */
export interface Legs {
  readonly sellAccount?: string | undefined;
  readonly buyAccount?: string | undefined;
  /** Undefined: the account is none of the client's. */
  readonly sellCurrency: string | undefined;
  readonly buyCurrency: string | undefined;
}

export interface BookFxCommand extends BookFxInput, Legs {}
