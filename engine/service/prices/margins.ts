import { z } from 'zod';
import { platformOf } from '../../domain/core/ids.js';
import { refuse } from '../../domain/core/refusal.js';
import { formatMargin } from '../../domain/money/money.js';
import { marginPpmFromText } from '../../domain/money/rate.js';
import { BOOK_FX_TYPES } from '../../domain/money/value-date.js';
import { boundedText, CLIENT_ID, PAIR_OR_ALL, patternText, SUB_CLIENTS } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';

const AN_AMOUNT = 'whole units of the pair’s first currency, 1 to 12 digits without a leading zero';

/**
 * The scope of a rule; `*` is all. Of the rules for an amount the most specific applies: first by client, then by pair, then by type, then
 * the one above the largest amount.
 */
const MARGIN_SCOPE = z.object({
  /** Of a sub-client, or of all sub-clients of a platform (`acme~*`): what the platform adds to its own margin. */
  clientId: z.union([z.literal('*'), CLIENT_ID, SUB_CLIENTS]),
  pair: PAIR_OR_ALL,
  type: z.enum(['*', ...BOOK_FX_TYPES]),
  /** For amounts above this one alone, in the first currency of the pair; absent: for every amount. */
  above: patternText(/^[1-9]\d{0,11}$/, 12, AN_AMOUNT)
    .transform(Number)
    .optional(),
});

/** The most that a platform may add for a sub-client: 10 percent. */
export const ADD_ON_MAX_PPM = 100_000;
const ADD_ON = 'What a platform adds is 0 to 10 percent with at most 4 decimals, for every type and amount';

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
    const isAddOn = clientId.includes('~');
    if (marginPpm === undefined || (isAddOn && marginPpm > ADD_ON_MAX_PPM))
      return refuse('BAD_MARGIN', isAddOn ? ADD_ON : undefined);
    if (isAddOn && (above !== undefined || type !== '*')) return refuse('BAD_MARGIN', ADD_ON);
    const holder = clientId.endsWith('~*') ? platformOf(clientId)! : clientId;
    if (clientId !== '*' && (await store.clients.get(holder)) === undefined) return refuse('UNKNOWN_CLIENT');
    const rule = { clientId, pair, type, marginPpm, ...(above === undefined ? {} : { above }) };
    return (await store.margins.set(rule)) ? rule : refuse('MARGIN_LIMIT');
  },
});

/** Margin rules of one client, or of all. Refuses with UNKNOWN_CLIENT. */
export const listMargins = defineOpenOperation({
  input: z.object({ clientId: z.union([z.literal('*'), CLIENT_ID, SUB_CLIENTS]).optional() }),
  async execute({ store }, _operator, { clientId }) {
    if (clientId !== undefined && !clientId.endsWith('*') && (await store.clients.get(clientId)) === undefined) {
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
