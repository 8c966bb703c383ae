import { z } from 'zod';
import { refuse } from '../../domain/core/refusal.js';
import { COUNTRY_CODES } from '../../domain/data/directories.js';
import { formatMargin, isAccountCurrency } from '../../domain/money/money.js';
import {
  FEE_CORRIDOR,
  FEE_FIXED,
  type FeeTerms,
  feePpmFromText,
  feeTermsFor,
  type PaidWhere,
} from '../../domain/payments/fee.js';
import { PAYMENT_METHODS } from '../../domain/payments/payment-details.js';
import type { Client } from '../../store/access/clients.js';
import { boundedText, CLIENT_ID, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

const METHODS = ['*', ...PAYMENT_METHODS] as const;

/** The scope of a rule; `*` is all. */
const FEE_SCOPE = z.object({
  clientId: CLIENT_ID,
  corridor: patternText(FEE_CORRIDOR, 6, 'a country such as US, a country with a currency such as US-USD, *-USD, or *')
    .refine((corridor) => corridor.startsWith('*') || COUNTRY_CODES.has(corridor.slice(0, 2)), {
      error: ({ input }) => `${String(input).slice(0, 2)} is no country: GB, not UK; for the euro area *-EUR`,
    })
    .refine((corridor) => !corridor.includes('-') || isAccountCurrency(corridor.slice(-3)), {
      error: ({ input }) => `${String(input).slice(-3)} is not offered`,
    }),
  method: z.enum(METHODS, { error: `one of ${METHODS.join(', ')}` }),
});

const FIXED = 'units of the currency of the payment, at most 12 digits and 3 decimals';
const PERCENT = { error: '0 to 100, at most 4 decimals' };

const feeAudited: Audited<z.infer<typeof FEE_SCOPE>> = {
  subject: ({ clientId, corridor, method }) => `fee ${corridor} ${method} of client ${clientId}`,
  async state({ store }, { clientId, corridor, method }) {
    const client = await store.clients.get(clientId);
    const rules = client ? await store.fees.list(client) : [];
    const rule = rules.find((rule) => rule.corridor === corridor && rule.method === method);
    return rule && { fixed: rule.fixed, percent: formatMargin(rule.ppm) };
  },
};

/** Sets the fee of a payment, in effect everywhere within a second. Refuses with UNKNOWN_CLIENT, FEE_LIMIT. */
export const setFee = defineOpenOperation({
  input: FEE_SCOPE.extend({
    fixed: patternText(FEE_FIXED, 16, FIXED).optional(),
    percent: boundedText(16, PERCENT.error)
      .refine((percent) => feePpmFromText(percent) !== undefined, PERCENT)
      .optional(),
  }).superRefine(({ fixed, percent }, context) => {
    if (fixed !== undefined || percent !== undefined) return;
    context.addIssue({ code: 'custom', path: ['fixed'], message: 'a fixed part, a percent, or both' });
  }),
  audited: feeAudited,
  async execute({ store }, _operator, { clientId, fixed = '0', percent = '0', ...scope }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const rule = { ...scope, fixed, ppm: feePpmFromText(percent)! };
    if (!(await store.fees.set(client, rule))) return refuse('FEE_LIMIT');
    return { clientId, ...rule };
  },
});

/** The fee rules of a client. Refuses with UNKNOWN_CLIENT. */
export const listFees = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return { fees: (await store.fees.list(client)).map((rule) => ({ clientId, ...rule })) };
  },
});

/** Removes a rule; a less specific one applies instead, and without any a payment is free. Refuses with UNKNOWN_CLIENT, UNKNOWN_FEE. */
export const removeFee = defineOpenOperation({
  input: FEE_SCOPE,
  audited: feeAudited,
  async execute({ store }, _operator, { clientId, ...scope }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.fees.remove(client, scope)) ? { clientId, ...scope } : refuse('UNKNOWN_FEE');
  },
});

/** The fee of a client's payment, by country, currency and method. A change is in effect within a second. */
export async function feeOf({ store }: Services, client: Client, where: PaidWhere): Promise<FeeTerms> {
  return feeTermsFor(await store.fees.cached(client), where);
}
