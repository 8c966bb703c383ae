import { z } from 'zod';
import { formatMargin } from '../../domain/money.js';
import { marginPpmFromText } from '../../domain/rate.js';
import { refuse } from '../../domain/refusal.js';
import { BOOK_FX_TYPES } from '../../domain/value-date.js';
import { boundedText, CLIENT_ID, PAIR_OR_ALL, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';

const AN_AMOUNT = 'whole units of the pair’s first currency, 1 to 12 digits without a leading zero';

/**
 * The scope of a rule; `*` is all. Of the rules for an amount the most specific applies: first by client, then by pair, then by type, then
 * the one above the largest amount.
 */
const MARGIN_SCOPE = z.object({
  clientId: z.union([z.literal('*'), CLIENT_ID]),
  pair: PAIR_OR_ALL,
  type: z.enum(['*', ...BOOK_FX_TYPES]),
  /** For amounts above this one alone, in the first currency of the pair; absent: for every amount. */
  above: patternText(/^[1-9]\d{0,11}$/, 12, AN_AMOUNT)
    .transform(Number)
    .optional(),
});

type MarginScope = z.infer<typeof MARGIN_SCOPE>;

const marginAudited: Audited<MarginScope> = {
  subject: ({ clientId, pair, type, above }) =>
    `margin ${pair} ${type}${above === undefined ? '' : ` above ${above}`} of client ${clientId}`,
  async state({ store }, { clientId, pair, type, above }) {
    const rules = await store.margins.list(clientId);
    const rule = rules.find((rule) => rule.pair === pair && rule.type === type && rule.above === above);
    return rule && { marginPercent: formatMargin(rule.marginPpm) };
  },
};

/** Sets a margin percent, in effect on every engine within a second. Refuses with BAD_MARGIN, UNKNOWN_CLIENT, MARGIN_LIMIT. */
export const setMargin = defineOpenOperation({
  input: MARGIN_SCOPE.extend({ margin: boundedText(16) }),
  audited: marginAudited,
  async execute({ store }, _operator, { clientId, pair, type, above, margin }) {
    const marginPpm = marginPpmFromText(margin);
    if (marginPpm === undefined) return refuse('BAD_MARGIN');
    if (clientId !== '*' && (await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const rule = { clientId, pair, type, marginPpm, ...(above === undefined ? {} : { above }) };
    return (await store.margins.set(rule)) ? rule : refuse('MARGIN_LIMIT');
  },
});

/** Margin rules of one client, or of all. Refuses with UNKNOWN_CLIENT. */
export const listMargins = defineOpenOperation({
  input: z.object({ clientId: z.union([z.literal('*'), CLIENT_ID]).optional() }),
  async execute({ store }, _operator, { clientId }) {
    if (clientId !== undefined && clientId !== '*' && (await store.clients.get(clientId)) === undefined) {
      return refuse('UNKNOWN_CLIENT');
    }
    return { margins: await store.margins.list(clientId) };
  },
});

/** Removes a rule; what no rule covers is not offered. Refuses with UNKNOWN_MARGIN. */
export const removeMargin = defineOpenOperation({
  input: MARGIN_SCOPE,
  audited: marginAudited,
  async execute({ store }, _operator, scope) {
    return (await store.margins.remove(scope)) ? scope : refuse('UNKNOWN_MARGIN');
  },
});
