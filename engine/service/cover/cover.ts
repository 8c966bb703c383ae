/** Cover of the house for the operator: rules by pair, orders with what became of them, and movements with providers. */
import { z } from 'zod';
import { PROVIDER as PROVIDER_FORM } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/core/refusal.js';
import { addedFill, type CoverRule, settlingFill } from '../../domain/cover/cover.js';
import { COVER_STATUSES } from '../../domain/cover/cover-words.js';
import { formatMinor, isAccountCurrency, parseAmount, parsePositive } from '../../domain/money/money.js';
import { type CoverRecord, coverAccount } from '../../store/cover/cover.js';
import { newId } from '../core/ids.js';
import { boundedText, ID, PAIR, patternText, REASON, REQUEST_ID } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { operatorOf } from '../core/with-audit.js';
import { dealsCovered } from './cover-deals.js';

/** Of a rule that names them for the first time. */
const DEFAULTS: Omit<CoverRule, 'pair' | 'band' | 'providers'> = {
  ratio: 100,
  min: 100_000,
  max: 5_000_000,
  step: 10_000,
  everyMs: 1_000,
  worst: '5',
  quoteAgeMs: 1_000,
  order: 'limit',
  timeInForce: 'IOC',
};

const whole = (least: number, most: number) => {
  const error = `a whole number from ${least} to ${most}`;
  return z.number({ error }).int({ error }).min(least, { error }).max(most, { error }).optional();
};
const AMOUNT_MAX = 999_999_999_999;
const PROVIDER = patternText(PROVIDER_FORM, 32, '1 to 32 of A-Z a-z 0-9 . _ -');

const ofPair: Audited<{ readonly pair: string }> = {
  subject: ({ pair }) => `cover of ${pair}`,
  state: async ({ store }, { pair }) => (await store.cover.rules.load()).get(pair),
};

/**
 * Sets how a pair is covered, in effect within a second. What is not named stays, or is the default of a new rule; band and providers have
 * none. Refuses with VALIDATION_FAILED.
 */
export const setCoverRule = defineOpenOperation({
  input: z.object({
    pair: PAIR,
    /** Whole units of base. */
    band: whole(0, AMOUNT_MAX),
    ratio: whole(1, 100),
    min: whole(1, AMOUNT_MAX),
    max: whole(1, AMOUNT_MAX),
    step: whole(1, AMOUNT_MAX),
    everyMs: whole(0, 3_600_000),
    /** Pips. */
    worst: patternText(/^\d{1,5}(\.\d{1,2})?$/, 8, 'pips, with at most two decimals').optional(),
    quoteAgeMs: whole(50, 60_000),
    order: z.enum(['limit', 'market']).optional(),
    timeInForce: z.enum(['IOC', 'FOK']).optional(),
    providers: z.array(PROVIDER).min(1, { error: 'at least one' }).max(16, { error: 'at most 16' }).optional(),
  }),
  audited: ofPair,
  async execute({ store }, _operator, { pair, ...input }) {
    const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    let bad: Refusal | undefined;
    const { after } = await store.cover.rules.change(pair, (before) => {
      const rule = ruleOf({ ...DEFAULTS, ...before, ...named, pair });
      bad = isRefusal(rule) ? rule : undefined;
      return isRefusal(rule) ? before : rule;
    });
    return bad ?? after!;
  },
});

function ruleOf(
  rule: Partial<Pick<CoverRule, 'band' | 'providers'>> & Pick<CoverRule, 'pair'> & typeof DEFAULTS,
): CoverRule | Refusal {
  const { band, providers, min, max, step } = rule;
  if (band === undefined) return refuseField('band', 'a new rule needs a band', 'field_missing');
  if (providers === undefined) return refuseField('providers', 'a new rule needs providers', 'field_missing');
  if (new Set(providers).size < providers.length) return refuseField('providers', 'each provider once');
  if (min > max) return refuseField('min', `not above the largest order, ${max}`, 'invalid_combination');
  if (step > max) return refuseField('step', `not above the largest order, ${max}`, 'invalid_combination');
  return { ...rule, band, providers };
}

/** Removes the rule of a pair: it is not covered any more. Refuses with NOT_FOUND. */
export const removeCoverRule = defineOpenOperation({
  input: z.object({ pair: PAIR }),
  audited: ofPair,
  async execute({ store }, _operator, { pair }) {
    const { before } = await store.cover.rules.change(pair, () => undefined);
    return before ? { pair } : refuse('NOT_FOUND', `No cover rule of ${pair}`);
  },
});

/** Newest first, at most `limit`; with the rules and the balances with providers. */
export const listCovers = defineOpenOperation({
  input: z.object({
    limit: whole(1, 1_000).default(50),
    pair: PAIR.optional(),
    status: z.enum(COVER_STATUSES, { error: `one of ${COVER_STATUSES.join(', ')}` }).optional(),
  }),
  async execute({ store }, _operator, { limit, pair, status }) {
    const found: CoverRecord[] = [];
    for (let before: string | undefined; found.length < limit; ) {
      const page = await store.cover.list(PAGE, before);
      found.push(...page.filter((one) => (pair ?? one.pair) === one.pair && (status ?? one.status) === one.status));
      if (page.length < PAGE) break;
      before = page.at(-1)!.id;
    }
    const balances = Object.entries(await store.cover.balances())
      .filter(([name, balance]) => name.includes('/house:cover:') && balance !== 0n)
      .map(([name, balance]) => ({
        currency: name.slice(0, 3),
        provider: name.slice('EUR/house:cover:'.length),
        balance,
      }));
    return { covers: found.slice(0, limit), rules: [...(await store.cover.rules.load()).values()], balances };
  },
});
const PAGE = 200;

/** One order, and the deals of clients that it covers, first in, first out. Refuses with NOT_FOUND. */
export const showCover = defineOpenOperation({
  input: z.object({ id: ID }),
  async execute(services, _operator, { id }) {
    const cover = await services.store.cover.read(id);
    return cover === undefined ? noCover(id) : { cover, ...(await dealsCovered(services, cover)) };
  },
});

const ofCover: Audited<{ readonly id: string }> = {
  subject: ({ id }) => `cover order ${id.slice(0, 40)}`,
  async state({ store }, { id }) {
    const cover = await store.cover.read(id);
    if (cover === undefined) return noCover(id);
    const { pair, status, reason, filled } = cover;
    return { pair, status, reason, filled: formatMinor(filled, pair.slice(0, 3)) };
  },
};

/** Lets the risk role send a suggested order. Refuses with NOT_FOUND, WRONG_STATE. */
export const sendCover = defineOpenOperation({
  input: z.object({ id: ID }),
  audited: ofCover,
  async execute(services, _operator, { id }) {
    const cover = await services.store.cover.read(id);
    if (cover === undefined) return noCover(id);
    const moved = await services.store.cover.move(cover, 'planned', `by ${operatorOf(services)}`);
    return moved.kind === 'moved' ? { id, status: moved.status } : wrongState(cover, 'suggested');
  },
});

/**
 * Marks an order that was sent as disputed, as a report of its provider that contradicts what is booked does: for what the provider says by
 * another way. Its pair is not covered until it is resolved. Refuses with NOT_FOUND, WRONG_STATE.
 */
export const disputeCover = defineOpenOperation({
  input: z.object({ id: ID, reason: REASON }),
  audited: ofCover,
  async execute({ store: { cover } }, _operator, { id, reason }) {
    for (let tries = 1; tries <= TRIES; tries++) {
      const record = await cover.read(id);
      if (record === undefined) return noCover(id);
      if (record.status === 'disputed') return wrongState(record, 'an order that was sent and is not disputed');
      const disputed = await cover.dispute(record, `hand:${record.disputes.length + 1}`, reason);
      if (disputed === 'not-sent') return wrongState(record, 'an order that was sent');
      if (disputed === 'disputed') return { id, status: 'disputed' as const };
    }
    return changing(id);
  },
});

/**
 * States what became of an order whose outcome the provider has not reported, or that it disputes: how much of it was filled in all, whole or
 * decimal units of base, and at which average price. Of a disputed one what is booked is corrected to it. Refuses with NOT_FOUND,
 * WRONG_STATE, BAD_AMOUNT, VALIDATION_FAILED, BALANCE_LIMIT.
 */
export const resolveCover = defineOpenOperation({
  input: z.object({
    id: ID,
    filled: boundedText(32),
    price: patternText(/^\d{1,9}(\.\d{1,10})?$/, 20, 'a decimal price').optional(),
    reason: REASON,
  }),
  audited: ofCover,
  async execute(services, _operator, { id, filled, price, reason }) {
    const { cover } = services.store;
    for (let tries = 1; tries <= TRIES; tries++) {
      const record = await cover.read(id);
      if (record === undefined) return noCover(id);
      const { status } = record;
      if (status !== 'sent' && status !== 'unknown' && status !== 'disputed')
        return wrongState(record, 'sent, unknown or disputed');
      const total = parseAmount(filled, record.pair.slice(0, 3));
      if (isRefusal(total)) return total;
      const fill = status === 'disputed' ? settledFill(record, total, price) : statedFill(record, total, filled, price);
      if (fill && 'refusal' in fill) return fill;
      if (fill !== undefined) {
        const booked = await cover.book(record, fill, operatorOf(services).slice(0, 64), status === 'disputed');
        if (booked === 'changed' || booked === 'known') continue;
        if (booked !== 'booked') return booked === 'not-sent' ? wrongState(record, 'sent') : refuse(booked);
      }
      const moved = await cover.move(record, 'resolved', reason);
      // The last fill has ended it.
      const isWhole = total === record.amount && status !== 'disputed';
      if (moved.kind === 'moved' || isWhole) return { id, status: isWhole ? 'filled' : 'resolved' };
    }
    return changing(id);
  },
});

/** What is booked beside what the provider has reported; undefined: nothing. */
function statedFill(record: CoverRecord, total: bigint, cumQty: string, price: string | undefined) {
  const base = record.pair.slice(0, 3);
  const most = `from ${formatMinor(record.filled, base)}, which is booked, to ${formatMinor(record.amount, base)}`;
  if (total < record.filled || total > record.amount) return refuse('BAD_AMOUNT', `Filled must be ${most}`);
  if (total === record.filled) return undefined;
  if (price === undefined) return NO_AVERAGE;
  const fill = addedFill(record, { execId: 'hand', cumQty, avgPx: price });
  return fill === undefined || fill === 'malformed'
    ? refuseField('price', 'the average price of all that was filled, what is booked included')
    : fill;
}

/** What corrects all that is booked; undefined: it is right. */
function settledFill(record: CoverRecord, total: bigint, price: string | undefined) {
  if (total < 0n) return refuse('BAD_AMOUNT', 'Filled must be 0 or more');
  if (total === 0n) return settlingFill(record, total, '0');
  return price === undefined || Number(price) === 0 ? NO_AVERAGE : settlingFill(record, total, price);
}

const NO_AVERAGE = refuseField('price', 'the average price of all that was filled', 'field_missing');
const TRIES = 5;

/**
 * Enters a movement of the house's account with a provider, from its statement: `credit` is money that the house has received. Refuses with
 * BAD_AMOUNT, REQUEST_ID_REUSED, BALANCE_LIMIT.
 */
export const adjustCover = defineOpenOperation({
  input: z.object({
    provider: PROVIDER,
    currency: patternText(/^[A-Z]{3}$/, 3, 'an ISO code').refine(isAccountCurrency, 'a currency of accounts'),
    direction: z.enum(['credit', 'debit']),
    amount: boundedText(32),
    reference: REQUEST_ID,
    reason: REASON,
    /** Its own id: repeated, it changes nothing. */
    id: REQUEST_ID.optional(),
  }),
  audited: {
    subject: ({ provider, currency }) => `cover account ${currency} with ${provider}`,
    async state({ store }, { provider, currency }) {
      const balance = (await store.cover.balances())[`${currency}/${coverAccount(provider)}`] ?? 0n;
      return { balance: formatMinor(balance, currency) };
    },
    made: 'id',
  },
  async execute(services, _operator, { direction, ...input }) {
    const { provider, currency, reference, reason } = input;
    const amount = parsePositive(input.amount, currency);
    if (isRefusal(amount)) return amount;
    const id = input.id ?? newId('ADJ', services.now());
    const adjustment = { id, kind: direction, provider, currency, amount, reference, reason, actor: 'operator' };
    const adjusted = await services.store.cover.adjust(adjustment);
    return typeof adjusted === 'string' ? refuse(adjusted) : { id, provider, currency, amount, ...adjusted };
  },
});

const noCover = (id: string) =>
  refuse(
    'NOT_FOUND',
    `No cover order ${id.replace(/[^\x21-\x7e]/g, '?').slice(0, 40)}: \`ratewire cover list\` shows them`,
  );

const changing = (id: string) =>
  refuse('WRONG_STATE', `${id}: the provider reports on it at this moment; read it and see`);

const wrongState = ({ id, status }: CoverRecord, needed: string) =>
  refuse('WRONG_STATE', `${id} is ${status}, not ${needed}`);
