/** The rules of pricing by risk: the operator's commands on them. */
import { z } from 'zod';
import { type Refusal, refuse } from '../../domain/core/refusal.js';
import {
  formatPips,
  formatVolatility,
  type PricingRule,
  pipsFromText,
  volatilityFromText,
  WIDEN_AFTER_MAX_MS,
} from '../../domain/prices/pricing-rule.js';
import { boundedText, PAIR_OR_ALL, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

const IS_PIPS = 'pips, 0 to 9999.999 with at most 3 decimals; 0 is off';
const PIPS = patternText(/^\d{1,4}(\.\d{1,3})?$/, 8, IS_PIPS).optional();

const IS_MS = `whole milliseconds, 0 to ${WIDEN_AFTER_MAX_MS}`;
const MS = patternText(/^(0|[1-9]\d{0,5})$/, 6, IS_MS)
  .transform(Number)
  .refine((ms) => ms <= WIDEN_AFTER_MAX_MS, { error: IS_MS })
  .optional();

const IS_PERCENT = 'percent of a year, 0 to 100 with at most 2 decimals; 0 is off';
const VOLATILITY = boundedText(6, IS_PERCENT)
  .refine((text) => volatilityFromText(text) !== undefined, { error: IS_PERCENT })
  .transform((text) => volatilityFromText(text)!)
  .optional();

const ruleOf = async ({ store }: Services, pair: string): Promise<PricingRule | undefined> =>
  (await store.pricingRules.load()).get(pair);

const pricingAudited: Audited<{ readonly pair: string }> = {
  subject: ({ pair }) => `pricing ${pair}`,
  state: async (services, { pair }) => {
    const rule = await ruleOf(services, pair);
    return rule && shownRule(rule);
  },
};

/**
 * Sets parts of the pricing rule of a pair, or of all: those that are named; the others stay. In effect on every engine and sidecar within a second.
 * Refuses with VALIDATION_FAILED: no part is named, a skew comes without its bound or a widening without its age, or the least spread is
 * above the most.
 */
export const setPricing = defineOpenOperation({
  input: z.object({
    pair: PAIR_OR_ALL,
    /** Pips for a million of base, and the most pips. */
    skew: PIPS,
    skewMax: PIPS,
    /** Milliseconds, and pips for each side. */
    widenAfterMs: MS,
    widenBy: PIPS,
    /** Pips between the client's bid and offer. */
    spreadMin: PIPS,
    spreadMax: PIPS,
    /** Percent of a year, by which holds are valued. */
    volatility: VOLATILITY,
  }),
  audited: pricingAudited,
  async execute({ store }, _operator, { pair, widenAfterMs, volatility, ...parts }) {
    const pips = Object.entries(parts).flatMap(([part, text]) =>
      text === undefined ? [] : [[part, pipsFromText(text)]],
    );
    const named = {
      ...Object.fromEntries(pips),
      ...(widenAfterMs === undefined ? {} : { widenAfterMs }),
      ...(volatility === undefined ? {} : { volatility }),
    };
    if (Object.keys(named).length === 0) return refuse('VALIDATION_FAILED', 'Name at least one part of the rule');
    let bad: Refusal | undefined;
    const { after } = await store.pricingRules.change(pair, (before) => {
      const rule: PricingRule = { ...before, ...named, pair };
      bad = faultOf(rule);
      return bad ? before : rule;
    });
    return bad ?? shownRule(after!);
  },
});

function faultOf(rule: PricingRule): Refusal | undefined {
  const { skew, skewMax, widenAfterMs, widenBy, spreadMin = 0, spreadMax = 0 } = rule;
  if ((skew === undefined) !== (skewMax === undefined) || (skew !== 0 && skewMax === 0))
    return refuse('VALIDATION_FAILED', 'A skew goes with its bound: send the pips for a million and the most pips');
  if ((widenBy === undefined) !== (widenAfterMs === undefined))
    return refuse('VALIDATION_FAILED', 'Wider prices go with an age: send the milliseconds and the pips for each side');
  if (spreadMin > 0 && spreadMax > 0 && spreadMin > spreadMax)
    return refuse('VALIDATION_FAILED', 'The least spread is above the most');
  return undefined;
}

/** Every pricing rule, in order of pairs. */
export const listPricing = defineOpenOperation({
  input: z.object({}),
  async execute({ store }) {
    return { rules: [...(await store.pricingRules.load()).values()].map(shownRule) };
  },
});

/** Removes the rule of a pair, or of all. Refuses with WRONG_STATE: there is none. */
export const removePricing = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL }),
  audited: pricingAudited,
  async execute({ store }, _operator, { pair }) {
    const { before } = await store.pricingRules.change(pair, () => undefined);
    return before ? { pair } : refuse('WRONG_STATE', `${pair}: there is no pricing rule`);
  },
});

/** Pips and percent as decimal texts; undefined: the rule does not set this part. */
function shownRule({ pair, skew, skewMax, widenAfterMs, widenBy, spreadMin, spreadMax, volatility }: PricingRule) {
  const pips = (thousandths: number | undefined) => (thousandths === undefined ? undefined : formatPips(thousandths));
  return {
    pair,
    skew: pips(skew),
    skewMax: pips(skewMax),
    widenAfterMs,
    widenBy: pips(widenBy),
    spreadMin: pips(spreadMin),
    spreadMax: pips(spreadMax),
    volatility: volatility === undefined ? undefined : formatVolatility(volatility),
  };
}
