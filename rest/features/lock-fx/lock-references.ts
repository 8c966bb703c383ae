import { z } from 'zod';
import { BOOK_FX_TYPES } from '../../../engine/domain/book-fx-type.js';
import type { Reference } from '../../openapi/reference.js';
import { TYPE_OF_SCHEDULE } from './lock-shapes.js';

export const LOCKABLE_RATE_REFERENCE: Reference = {
  tag: 'Lock FX',
  summary: 'Rate that can be locked',
  description: 'The rate of this moment for a hold of some length, signed: it can be locked for 30 seconds.',
  example: { source_currency: 'EUR', destination_currency: 'USD', hold_period: '15_mins', sell_amount: 1000 },
  fields: {
    source_currency: 'Currency to be sold, three letters of ISO 4217',
    destination_currency: 'Currency to be bought, three letters of ISO 4217',
    hold_period: 'How long the rate is to be held; a longer hold costs more; empty or absent: 15_mins',
    sell_amount:
      'What will be sold: then the hold is for this amount alone; send at most one amount. Without one the hold is for at most 500,000 USD, or as agreed',
    buy_amount: 'What will be bought: then the hold is for this amount alone; send at most one amount',
  },
  hidden: ['holdUntilMs', 'settlementDate'],
  schemas: {
    schedule: z
      .enum(['', ...BOOK_FX_TYPES, ...Object.keys(TYPE_OF_SCHEDULE)])
      .optional()
      .describe('When a conversion at this rate settles; empty or absent: PREFUNDING'),
  },
  aliases: { sell_currency: 'source_currency', buy_currency: 'destination_currency' },
};

const LOCK = {
  tag: 'Lock FX',
  description:
    'Takes the rate that a signature stands for: it is held from now on. The same signature gives the same hold, however often it is sent. HOLD_LIMIT: the open holds would come to more US dollars than the client may have open.',
  example: { rate_signature: 'the-signature-that-you-were-given' },
  fields: { rate_signature: 'As getFxRate gave it, at most 30 seconds ago' },
  hidden: ['session', 'quoteRequestId'],
} as const satisfies Partial<Reference>;

export const LOCK_REFERENCE: Reference = { ...LOCK, summary: 'Lock a rate' };
export const LOCK_BY_POST_REFERENCE: Reference = {
  ...LOCK,
  summary: 'Lock a rate, as a POST',
  operationId: 'lockRateByPost',
};

export const RELEASE_REFERENCE: Reference = {
  tag: 'Lock FX',
  summary: 'Release a held rate',
  description: 'Ends a hold that is not needed; releasing it again answers the same.',
  example: { fx_hold_id: 'HLD01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { fx_hold_id: 'Id of the hold' },
  hidden: ['session'],
};
