import { z } from 'zod';
import { BOOK_FX_TYPES } from '../../domain/book-fx-type.js';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientAudited } from './client-audited.js';
import { CLIENT_NAME } from './create-client.js';

const PER_MINUTE_MAX = 1_000_000;
const NO_PER_MINUTE = { error: `a whole number from 0 (no limit) to ${PER_MINUTE_MAX}, or default` };
const PER_MINUTE = z
  .union([z.literal('default'), z.number()], NO_PER_MINUTE)
  .refine(
    (most) => most === 'default' || (Number.isInteger(most) && most >= 0 && most <= PER_MINUTE_MAX),
    NO_PER_MINUTE,
  )
  .optional();

const USD_MAX = 1_000_000_000;
const NO_USD = { error: `whole US dollars from 0 to ${USD_MAX}, or default` };
const USD = z
  .union([z.literal('default'), z.number()], NO_USD)
  .refine((usd) => usd === 'default' || (Number.isInteger(usd) && usd >= 0 && usd <= USD_MAX), NO_USD)
  .optional();

/** Changes a client's profile everywhere within a second; what is left out stays. Refuses with UNKNOWN_CLIENT. */
export const changeClient = defineOpenOperation({
  input: z.object({
    id: CLIENT_ID,
    name: CLIENT_NAME.optional(),
    defaultType: z.enum(BOOK_FX_TYPES).optional(),
    /** It pays for others, so that its payments must name the remitter. */
    onBehalf: z.boolean().optional(),
    allowTruncation: z.boolean().optional(),
    /** Requests per minute; 0: no limit. */
    limits: z.object({ authentication: PER_MINUTE, reads: PER_MINUTE, writes: PER_MINUTE }).optional(),
    /** What its open holds may come to, and the most that a hold without an amount is for; 0: none. */
    holdLimitUsd: USD,
    holdMaximumUsd: USD,
  }),
  audited: clientAudited('id'),
  async execute({ store }, _operator, { id, ...change }) {
    if (!(await store.clients.change(id, change))) return refuse('UNKNOWN_CLIENT');
    return (await store.clients.get(id)) ?? refuse('UNKNOWN_CLIENT');
  },
});
