/**
 * The limits of a client and of the house: their forms, which of them apply, and the rule of the check. Amounts are whole minor units of the
 * base currency, at most 999,999,999,999,999, as numbers: they are compared with valuations and never become an amount of the ledger.
 */

import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import { formatMinor, isCurrency, parseAmount } from '../money/money.js';

/** The rule of every client that has none of its own, amount by amount. */
export const EVERY_CLIENT = '*';
/** The rule of the house. A client with this id has those of `*`. */
export const HOUSE = 'house';

/** Limits that are amounts of the base currency, as they are stored. */
export const AMOUNT_LIMITS = ['deal', 'nop', 'settlement', 'dailyLoss'] as const;
/** Limits that are plain numbers: conversions in one second, and the percent of a limit from which its use is a warning. */
export const NUMBER_LIMITS = ['dealsPerSecond', 'warnPercent'] as const;
export type LimitField = (typeof AMOUNT_LIMITS)[number] | (typeof NUMBER_LIMITS)[number];

/** Absent: as `*` has it. Null: no limit, whatever `*` has. */
type Limit = number | null;

/** As it is stored for a client, for `*` or for the house. */
export interface LimitRule extends Readonly<Partial<Record<LimitField, Limit>>> {
  /** The currency of its amounts: the base currency when it was set. */
  readonly base: string;
  /** Net open position by currency. */
  readonly nopOf?: Readonly<Record<string, Limit>>;
}

/** What applies to one client, or to the house; an absent one is no limit. */
export interface Limits extends Readonly<Partial<Record<LimitField, number>>> {
  readonly nopOf: Readonly<Record<string, number>>;
}

const NONE = 'none';
const UNSET = 'default';
const DEALS_PER_SECOND = /^[1-9]\d{0,5}$/;
const PERCENT = /^([1-9]\d?|100)$/;

/** An amount of the base currency from 0, `none`: no limit, or `default` (undefined): as `*` has it. Refuses with BAD_AMOUNT. */
export function parseLimit(text: string, base: string): Limit | undefined | Refusal {
  if (text === NONE) return null;
  if (text === UNSET) return undefined;
  const minor = parseAmount(text, base);
  return isRefusal(minor) ? minor : Number(minor);
}

/** Deals per second from 1 to 999,999, or a percent from 1 to 100, with the words of parseLimit. Refuses with BAD_AMOUNT. */
export function parseNumber(field: (typeof NUMBER_LIMITS)[number], text: string): Limit | undefined | Refusal {
  if (text === NONE) return null;
  if (text === UNSET) return undefined;
  const [form, is] = field === 'warnPercent' ? [PERCENT, '1 to 100'] : [DEALS_PER_SECOND, '1 to 999,999'];
  return form.test(text) ? Number(text) : refuse('BAD_AMOUNT', `A whole number from ${is}, or none, or default`);
}

/** `EUR=1000.00`, `EUR=none` or `EUR=default`. Refuses with BAD_AMOUNT, BAD_CURRENCY. */
export function parseCurrencyLimit(text: string, base: string): readonly [string, Limit | undefined] | Refusal {
  const [, currency = '', amount = ''] = /^([A-Z]{3})=(.+)$/.exec(text) ?? [];
  if (!isCurrency(currency))
    return refuse('BAD_CURRENCY', 'A currency that is converted here and an amount: EUR=1000.00');
  const limit = parseLimit(amount, base);
  return isRefusal(limit) ? limit : [currency, limit];
}

/** As parseLimit and parseNumber read it; undefined where the rule leaves it to `*`. */
export function formatLimit(field: LimitField | 'nopOf', limit: Limit | undefined, base: string): string | undefined {
  if (limit === null) return NONE;
  if (limit === undefined) return undefined;
  return field === 'dealsPerSecond' || field === 'warnPercent' ? String(limit) : formatMinor(BigInt(limit), base);
}

/** The limits in force, in memory, because each deal asks. Replaced as a whole when one changes. */
export class LimitTable {
  /** Of those that have a rule of their own; undefined: it frees them from every limit. */
  #own = new Map<string, Limits | undefined>();
  #every: Limits | undefined;
  #house: Limits | undefined;

  /** `base` is the base currency of this process: amounts of a rule in another one cannot be compared, and count as limits of 0. */
  constructor(readonly base: string) {}

  replace(rules: ReadonlyMap<string, LimitRule>): void {
    const every = rules.get(EVERY_CLIENT);
    this.#every = this.#limitsOf(every);
    const house = rules.get(HOUSE);
    this.#house = this.#limitsOf(house);
    this.#own = new Map();
    for (const [scope, rule] of rules)
      if (scope !== EVERY_CLIENT && scope !== HOUSE) this.#own.set(scope, this.#limitsOf(every, rule));
  }

  /** Undefined: nothing is limited, and nothing is to be valued. */
  of(clientId: string): Limits | undefined {
    return this.#own.has(clientId) ? this.#own.get(clientId) : this.#every;
  }

  /** Those that have a rule of their own. */
  get clients(): Iterable<string> {
    return this.#own.keys();
  }

  /** Of the clients without a rule of their own. */
  get every(): Limits | undefined {
    return this.#every;
  }

  get house(): Limits | undefined {
    return this.#house;
  }

  /** The later rules go before the earlier ones. */
  #limitsOf(...rules: readonly (LimitRule | undefined)[]): Limits | undefined {
    const limits: Partial<Record<LimitField, Limit>> = {};
    const nopOf: Record<string, Limit> = {};
    for (const rule of rules) {
      if (rule === undefined) continue;
      const amount = (limit: Limit): Limit => (limit === null || rule.base === this.base ? limit : 0);
      for (const field of AMOUNT_LIMITS) if (rule[field] !== undefined) limits[field] = amount(rule[field]);
      for (const field of NUMBER_LIMITS) if (rule[field] !== undefined) limits[field] = rule[field];
      for (const [currency, limit] of Object.entries(rule.nopOf ?? {})) nopOf[currency] = amount(limit);
    }
    const set = Object.entries(limits).filter(([, limit]) => limit !== null) as [LimitField, number][];
    const setOf = Object.entries(nopOf).filter(([, limit]) => limit !== null) as [string, number][];
    const limiting = set.some(([field]) => field !== 'warnPercent') || setOf.length > 0;
    return limiting ? { ...Object.fromEntries(set), nopOf: Object.fromEntries(setOf) } : undefined;
  }
}

/** From which percent of a limit its use is a warning, unless it is set. */
export const WARN_PERCENT = 80;

/** Whole percent of a limit that are used, rounded down: one that is not reached is never shown as 100. Undefined: the limit is 0. */
export const usedPercent = (used: number, most: number): number | undefined =>
  most === 0 ? undefined : Number((BigInt(used) * 100n) / BigInt(most));

/** How far a limit is used. One of 0 forbids something: it is no warning where nothing is used. */
export function limitMark(
  used: number,
  most: number,
  warnPercent = WARN_PERCENT,
): 'within' | 'warned' | 'reached' | 'over' {
  if (used === 0) return 'within';
  if (used > most) return 'over';
  if (used === most) return 'reached';
  return used * 100 >= most * warnPercent ? 'warned' : 'within';
}

/**
 * The name of a limit, as a step answers it: `deal`, `deals-per-second`, `daily-loss`, `nop`, `nop EUR`, `settlement 20261125`, `receivable` of a client that owes, or `house`
 * for every limit of the house; behind `platform` one of the sub-client's platform.
 */
export type LimitName = string;

const NAMES: Readonly<Record<string, (of: string) => string>> = {
  deal: () => 'the largest single deal',
  'deals-per-second': () => 'deals per second',
  'daily-loss': () => 'the daily loss',
  nop: (currency) => `the net open position${currency && ` in ${currency}`}`,
  settlement: (date) => `the amount to settle on ${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
};

const OF_PLATFORM = 'The deal would exceed a limit of your platform: send less, wait, or ask your platform';

const OWES =
  'You owe an amount: no scheduled conversion and no hold until it is repaid. A credit of an account in its currency repays it';

/** CREDIT_LIMIT with the limit's name: never a figure, of this client, of another one or of the house. */
export function limitRefusal(name: LimitName): Refusal {
  if (name.startsWith('platform ')) return refuse('CREDIT_LIMIT', OF_PLATFORM);
  if (name === 'receivable') return refuse('CREDIT_LIMIT', OWES);
  const [kind = '', of = ''] = name.split(' ');
  const text = NAMES[kind]?.(of);
  const what = text === undefined ? 'a limit of ours' : `your limit of ${text}`;
  return refuse('CREDIT_LIMIT', `The deal would exceed ${what}: send less, wait, or ask us`);
}
