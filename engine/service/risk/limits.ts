import { z } from 'zod';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/core/refusal.js';
import {
  AMOUNT_LIMITS,
  EVERY_CLIENT,
  formatLimit,
  HOUSE,
  type LimitField,
  type LimitRule,
  NUMBER_LIMITS,
  parseCurrencyLimit,
  parseLimit,
  parseNumber,
} from '../../domain/risk/limits.js';
import { boundedText, CLIENT_ID } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { usesOfAll } from './limit-uses.js';
import { newestFigures } from './list-positions.js';

/** A client's id, `*` for every client, or `house`. */
const SCOPE = z.union([z.literal(EVERY_CLIENT), CLIENT_ID]);
const LIMIT = boundedText(32).optional();

const LIMITS = {
  /** Amounts in units of the base currency, numbers, `none` or `default`. */
  deal: LIMIT,
  nop: LIMIT,
  settlement: LIMIT,
  dealsPerSecond: LIMIT,
  dailyLoss: LIMIT,
  warnPercent: LIMIT,
  /** `EUR=1000.00` each. */
  nopCurrency: z.array(boundedText(36)).max(64).optional(),
};

/** Of the limits, the house has the open positions alone. */
const OF_CLIENTS = ['deal', 'settlement', 'dealsPerSecond', 'dailyLoss'] as const;

const audited: Audited<{ readonly scope: string }> = {
  subject: ({ scope }) => (scope === HOUSE ? 'limits of the house' : `limits of client ${scope}`),
  async state({ store }, { scope }) {
    const rule = (await store.limits.load()).get(scope);
    return rule && shown(scope, rule);
  },
};

/**
 * Sets limits of a client, of every client without limits of its own, or of the house; those that are not given stay. In force in every
 * process within a second. Refuses with VALIDATION_FAILED for a limit that cannot be read, UNKNOWN_CLIENT, and WRONG_STATE where the rule
 * has amounts in another base currency.
 */
export const setLimits = defineOpenOperation({
  input: z.object({ scope: SCOPE, ...LIMITS }),
  audited,
  async execute(services, _operator, { scope, nopCurrency = [], ...given }) {
    const { store, limits } = services;
    const { base } = limits;
    const fields = [...AMOUNT_LIMITS, ...NUMBER_LIMITS].filter((field) => given[field] !== undefined);
    if (fields.length === 0 && nopCurrency.length === 0)
      return refuseField('limits', 'name at least one limit', 'field_missing');
    const ofClients = scope === HOUSE && OF_CLIENTS.find((field) => given[field] !== undefined);
    if (ofClients)
      return refuseField(
        ofClients,
        'a limit of clients: the house has nop, nop_currency and warn_percent',
        'not_allowed',
      );
    const changes: Partial<Record<LimitField, number | null | undefined>> = {};
    for (const field of fields) {
      const text = given[field]!;
      const isNumber = field === 'dealsPerSecond' || field === 'warnPercent';
      const limit = isNumber ? parseNumber(field, text) : parseLimit(text, base);
      if (isRefusal(limit)) return refuseField(field, limit.text);
      changes[field] = limit;
    }
    const nopOf: Record<string, number | null | undefined> = {};
    for (const text of nopCurrency) {
      const limit = parseCurrencyLimit(text, base);
      if (isRefusal(limit)) return refuseField('nopCurrency', limit.text);
      nopOf[limit[0]] = limit[1];
    }
    const unknown = await refuseUnknown(services, scope);
    if (unknown) return unknown;

    let other = false;
    const { after: rule } = await store.limits.change(scope, (before) => {
      other = before !== undefined && before.base !== base;
      return other ? before : ruleOf(base, { ...before, ...changes }, { ...before?.nopOf, ...nopOf });
    });
    if (other) return refuse('WRONG_STATE', `These limits are not in ${base}: remove them, then set them anew`);
    return shown(scope, rule ?? { base });
  },
});

/** Without what is undefined; undefined: nothing is left. */
function ruleOf(
  base: string,
  fields: Partial<Record<LimitField, number | null | undefined>>,
  nopOf: Record<string, number | null | undefined>,
): LimitRule | undefined {
  const all = [...AMOUNT_LIMITS, ...NUMBER_LIMITS].map((field) => [field, fields[field]] as const);
  const set = all.filter(([, limit]) => limit !== undefined);
  const setOf = Object.entries(nopOf).filter(([, limit]) => limit !== undefined);
  if (set.length === 0 && setOf.length === 0) return undefined;
  const ofCurrencies = setOf.length === 0 ? {} : { nopOf: Object.fromEntries(setOf) as Record<string, number | null> };
  return { base, ...Object.fromEntries(set), ...ofCurrencies };
}

async function refuseUnknown({ store }: Services, scope: string): Promise<Refusal | undefined> {
  const isClient = scope !== EVERY_CLIENT && scope !== HOUSE;
  return isClient && (await store.clients.get(scope)) === undefined ? refuse('UNKNOWN_CLIENT') : undefined;
}

/**
 * The rules of one scope, or of all, by scope, and how far each limit is used: by the newest risk figures, whose age it has, and of clients by
 * their position of this moment at the rates of the figures. Without figures no use is known. Refuses with UNKNOWN_CLIENT.
 */
export const listLimits = defineOpenOperation({
  input: z.object({ scope: SCOPE.optional() }),
  async execute(services, _operator, { scope }) {
    const unknown = scope === undefined ? undefined : await refuseUnknown(services, scope);
    if (unknown) return unknown;
    const all = await services.store.limits.load();
    const rules = [...all].filter(([of]) => scope === undefined || of === scope);
    // A client without limits of its own has those of `*`, and uses of them.
    const every = all.get(EVERY_CLIENT);
    if (scope !== undefined && scope !== HOUSE && rules.length === 0 && every)
      rules.push([scope, { base: every.base }]);
    const figures = rules.length === 0 ? undefined : await newestFigures(services);
    const scopes = rules.map(([of]) => of);
    const uses = figures ? await usesOfAll(services, figures, all, scopes) : scopes.map(() => []);
    const limits = rules.map(([of, rule], i) => ({ ...shown(of, rule), used: uses[i]! }));
    return { limits, ageMs: figures && services.risk.ageMs() };
  },
});

/** Removes all limits of a scope; a client then has those of `*`. Refuses with WRONG_STATE: it has none. */
export const removeLimits = defineOpenOperation({
  input: z.object({ scope: SCOPE }),
  audited,
  async execute({ store }, _operator, { scope }) {
    const { before } = await store.limits.change(scope, () => undefined);
    return before
      ? { scope }
      : refuse('WRONG_STATE', `${scope}: no limits are set: \`ratewire limits list\` shows those there are`);
  },
});

/** As they are given: an absent limit is that of `*`, `none` is no limit. */
export interface LimitsShown extends Readonly<Partial<Record<LimitField, string | undefined>>> {
  readonly scope: string;
  readonly baseCurrency: string;
  readonly nopCurrency: readonly string[];
}

function shown(scope: string, rule: LimitRule): LimitsShown {
  const { base } = rule;
  const of = (field: LimitField) => formatLimit(field, rule[field], base);
  const nopCurrency = Object.entries(rule.nopOf ?? {}).map(
    ([currency, limit]) => `${currency}=${formatLimit('nopOf', limit, base)}`,
  );
  return {
    scope,
    baseCurrency: base,
    deal: of('deal'),
    nop: of('nop'),
    nopCurrency: nopCurrency.sort(),
    settlement: of('settlement'),
    dealsPerSecond: of('dealsPerSecond'),
    dailyLoss: of('dailyLoss'),
    warnPercent: of('warnPercent'),
  };
}
