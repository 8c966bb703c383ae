/** What a platform adds to its own margin for its sub-clients, and earns: set by the platform itself. */
import { z } from 'zod';
import { platformOf, subClientsOf } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { formatMargin } from '../../domain/money/money.js';
import { marginPpmFromText } from '../../domain/money/rate.js';
import type { MarginRule } from '../../rates/pricing.js';
import type { Caller } from '../core/caller.js';
import { ID, PAIR_OR_ALL } from '../core/inputs.js';
import { type Audited, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { changedBy, withAudit } from '../core/with-audit.js';
import { ADD_ON_MAX_PPM } from '../prices/index.js';
import { ownPlatform, ownSubClient } from './sub-clients.js';

/** Of one platform: the store has 20,000 rules in all. */
const RULES_MAX = 1_000;

const EVERY = '*';
const SCOPE = z.object({
  /** `*`: all of them that have no rule of their own. */
  id: ID,
  pair: PAIR_OR_ALL.describe('A pair in market convention, or * for all pairs that have no rule of their own'),
});

const A_MARGIN = 'percent from 0 to 10, with at most 4 decimals';
const MARGIN = z
  .number({ error: A_MARGIN })
  .refine((percent) => (marginPpmFromText(String(percent)) ?? Infinity) <= ADD_ON_MAX_PPM, { error: A_MARGIN })
  .describe(`What is added to your own margin, ${A_MARGIN}`);

export interface SubClientMargin {
  readonly id: string;
  readonly pair: string;
  readonly marginPpm: number;
}

/** What the rule is kept under. Refuses with NOT_ENTITLED, NOT_FOUND. */
async function scopeOf(services: Services, caller: Caller, id: string): Promise<string | Refusal> {
  const holder = await (id === EVERY ? ownPlatform(services, caller) : ownSubClient(services, caller, id));
  if (isRefusal(holder)) return holder;
  return id === EVERY ? subClientsOf(holder.id) : holder.id;
}

const ruleOf = async ({ store }: Services, scope: string, pair: string): Promise<MarginRule | undefined> =>
  (await store.margins.list(scope)).find((rule) => rule.pair === pair && rule.type === '*');

const audited: Audited<{ readonly scope: string; readonly pair: string }> = {
  subject: ({ scope, pair }) => `margin ${pair} of client ${scope}`,
  async state(services, { scope, pair }) {
    const rule = await ruleOf(services, scope, pair);
    return rule && { marginPercent: formatMargin(rule.marginPpm) };
  },
};

/** Margins of a sub-client, or of all of them (`*`). Refuses with NOT_ENTITLED, NOT_FOUND. */
export const listSubClientMargins = defineOperation({
  input: z.object({ id: ID }),
  right: 'read',
  async execute(services, caller, { id }): Promise<{ margins: readonly SubClientMargin[] } | Refusal> {
    const scope = await scopeOf(services, caller, id);
    if (isRefusal(scope)) return scope;
    const rules = await services.store.margins.list(scope);
    return { margins: rules.map(({ pair, marginPpm }) => ({ id, pair, marginPpm })) };
  },
});

/** Sets a margin, in effect everywhere within a second. Refuses with NOT_ENTITLED, NOT_FOUND, MARGIN_LIMIT. */
export const setSubClientMargin = defineOperation({
  input: SCOPE.extend({ margin: MARGIN }),
  right: 'manage',
  grows: true,
  async execute(services, caller, { id, pair, margin }): Promise<SubClientMargin | Refusal> {
    const scope = await scopeOf(services, caller, id);
    if (isRefusal(scope)) return scope;
    const { margins } = services.store;
    const platform = platformOf(scope);
    const own = (await margins.load()).filter(({ clientId }) => platformOf(clientId) === platform);
    const isNew = !own.some((rule) => rule.clientId === scope && rule.pair === pair);
    if (isNew && own.length >= RULES_MAX) return refuse('MARGIN_LIMIT', TOO_MANY);
    const marginPpm = marginPpmFromText(String(margin))!;
    const rule = { clientId: scope, pair, type: '*' as const, marginPpm };
    const change = async () => ((await margins.set(rule)) ? { id, pair, marginPpm } : refuse('MARGIN_LIMIT', TOO_MANY));
    return withAudit(services, 'setMargin', audited, { scope, pair }, change, changedBy(caller));
  },
});

const TOO_MANY = 'There are as many margins as there may be: remove one first, or set one for all your sub-clients';

/** Removes a margin: the next nearest applies, and without one nothing is added. Refuses with NOT_ENTITLED, NOT_FOUND. */
export const removeSubClientMargin = defineOperation({
  input: SCOPE,
  right: 'manage',
  async execute(services, caller, { id, pair }): Promise<SubClientMargin | Refusal> {
    const scope = await scopeOf(services, caller, id);
    if (isRefusal(scope)) return scope;
    const rule = await ruleOf(services, scope, pair);
    const none = refuse('NOT_FOUND', 'No such margin of yours: check the sub-client and the pair');
    if (rule === undefined) return none;
    const { marginPpm } = rule;
    const change = async () => ((await services.store.margins.remove(rule)) ? { id, pair, marginPpm } : none);
    return withAudit(services, 'removeMargin', audited, { scope, pair }, change, changedBy(caller));
  },
});
