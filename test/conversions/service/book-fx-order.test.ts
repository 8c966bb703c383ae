/**
 * Of several refusal reasons that apply at once, a booking returns the first in the documented order and changes
 * nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Refusal, RefusalCode } from '../../../engine/domain/core/refusal.js';
import { LimitTable } from '../../../engine/domain/risk/limits.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { HOUR_MS, type MoneyRig, outcomeOf, startMoney } from '../../service/money-rig.js';

const CONDITIONS = [
  ['reused', 'REQUEST_ID_REUSED'],
  ['unknown', 'UNKNOWN_ACCOUNT'],
  ['closed', 'ACCOUNT_INACTIVE'],
  ['currency', 'ACCOUNT_CURRENCY'],
  ['same', 'SAME_CURRENCY'],
  ['decimals', 'BAD_AMOUNT'],
  ['small', 'AMOUNT_BELOW_MIN'],
  ['large', 'AMOUNT_ABOVE_LIMIT'],
  ['scheduled', 'AMOUNT_ABOVE_LIMIT'],
  ['date', 'BAD_SETTLEMENT_DATE'],
  ['shut', 'MARKET_CLOSED'],
  ['no hold', 'HOLD_NOT_FOUND'],
  ['foreign', 'HOLD_NOT_FOUND'],
  ['used', 'HOLD_USED'],
  ['expired', 'HOLD_EXPIRED'],
  ['released', 'HOLD_EXPIRED'],
  ['indicative', 'HOLD_NOT_FIRM'],
  ['mismatch', 'HOLD_MISMATCH'],
  ['stale', 'QUOTE_STALE'],
  ['entitled', 'NOT_ENTITLED'],
  ['no rate', 'RATE_UNAVAILABLE'],
  ['liquidity', 'INSUFFICIENT_LIQUIDITY'],
  ['quoted', 'PRICE_MISMATCH'],
  ['limit', 'LIMIT_NOT_MET'],
  ['moved', 'RATE_MOVED'],
  ['credit', 'CREDIT_LIMIT'],
  ['funds', 'INSUFFICIENT_BALANCE'],
  ['room', 'BALANCE_LIMIT'],
] as const satisfies readonly (readonly [string, RefusalCode])[];

type Condition = (typeof CONDITIONS)[number][0];

/** At most one of each group can apply; `used` and `expired` apply to one hold, and `mismatch` to any. */
const EITHER: readonly (readonly Condition[])[] = [
  ['small', 'large'],
  ['no hold', 'foreign', 'used', 'indicative', 'stale', 'entitled'],
  ['no hold', 'foreign', 'expired', 'indicative', 'stale', 'no rate'],
  ['no hold', 'foreign', 'used', 'released', 'indicative', 'stale', 'no rate'],
  ['no hold', 'foreign', 'expired', 'released', 'indicative', 'stale', 'entitled'],
  ['no hold', 'foreign', 'mismatch', 'indicative', 'stale', 'entitled'],
  ['no hold', 'foreign', 'mismatch', 'indicative', 'stale', 'no rate'],
  // An order carries one price: a limit or the quoted price.
  ['quoted', 'limit'],
  // A conversion that settles later needs no balance now.
  ['scheduled', 'funds'],
  ['scheduled', 'room'],
  // One currency makes no pair: it has no size limit, no price and no margin.
  ['same', 'small'],
  ['same', 'large'],
  ['same', 'entitled'],
  ['same', 'no rate'],
  ['same', 'liquidity'],
  // The pair is one of the three.
  ['entitled', 'liquidity'],
  ['no rate', 'liquidity'],
  ['same', 'room'],
  ['unknown', 'room'],
];

let on: MoneyRig;
let number: Record<string, number>;
let holds: Record<string, string>;
let shut: Services;
const tight = new LimitTable('USD');
tight.replace(new Map([['acme', { base: 'USD', deal: 9_999 }]]));

beforeAll(async () => {
  on = await startMoney();
  const { services, clock } = on;
  await perform(services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  await perform(services, 'createClient', undefined, { id: 'other', name: 'Other' });
  const account = async (clientId: string, currency: string, funds?: string) =>
    Number((await on.open(clientId, currency, funds)).number);
  const full = '9999999999999.99';
  number = {
    EUR: await account('acme', 'EUR', '100000000'),
    poorEUR: await account('acme', 'EUR'),
    closedEUR: await account('acme', 'EUR'),
    USD: await account('acme', 'USD', '1'),
    fullUSD: await account('acme', 'USD', full),
    JPY: await account('acme', 'JPY'),
    closedJPY: await account('acme', 'JPY'),
    CHF: await account('acme', 'CHF'),
    fullCHF: await account('acme', 'CHF', full),
    GBP: await account('acme', 'GBP'),
    fullGBP: await account('acme', 'GBP', full),
    SEK: await account('acme', 'SEK'),
    NOK: await account('acme', 'NOK'),
    fullNOK: await account('acme', 'NOK', full),
    foreign: await account('other', 'USD', '1000'),
  };
  for (const name of ['closedEUR', 'closedJPY'])
    await perform(services, 'changeAccount', undefined, { accountNumber: String(number[name]), active: false });
  on.tick('EUR/GBP', '0.84', '0.8401');
  await perform(services, 'setMargin', undefined, { clientId: '*', pair: 'EUR/NOK', type: '*', margin: '0.25' });
  await on.loadMargins();
  on.quote('EUR/NOK', '8.15x30 8.14x20', '8.16x30 8.17x20');
  await perform(services, 'setScheduledLimit', undefined, { clientId: 'acme', limit: '100' });
  const pair = { sellCurrency: 'EUR', buyCurrency: 'USD' };
  await on.book('acme', { ...pair, requestId: 'open', description: 'open', sellAmount: 100, type: 'SCHEDULED1' });
  await on.book('acme', { ...pair, requestId: 'taken', description: 'first', sellAmount: 1 });

  holds = {};
  const hold = async (name: string, end: 'open' | 'used' | 'released', holdPeriod: string) => {
    for (const sellAmount of [undefined, 55]) {
      const { id } = await on.hold('acme', { ...pair, holdPeriod, sellAmount });
      const request = {
        ...pair,
        requestId: `for-${id}`,
        description: 'used',
        sellAmount: sellAmount ?? 60,
        quoteId: id,
      };
      if (end === 'used') await on.book('acme', request);
      if (end === 'released') await perform(services, 'releaseHold', on.caller('acme'), { holdId: id });
      holds[sellAmount === undefined ? name : `${name} mismatch`] = id;
    }
  };
  await hold('expired', 'open', '5_mins');
  await hold('used expired', 'used', '5_mins');
  await hold('released', 'released', '24_hours');
  clock.now += HOUR_MS;
  await hold('used', 'used', '24_hours');
  await hold('open', 'open', '24_hours');
  holds.foreign = (await on.hold('other', { ...pair, holdPeriod: '24_hours' })).id;
  shut = { ...services, settings: { ...services.settings, marketHours: { isOpen: () => false } } };
});
afterAll(() => on.stop());

/** A request to which exactly these conditions apply. */
function requestWith(conditions: readonly Condition[]): { input: object; on: Services } {
  const has = (condition: Condition) => conditions.includes(condition);
  const sellAccount = has('currency') ? (has('closed') ? 'closedJPY' : 'JPY') : has('closed') ? 'closedEUR' : 'EUR';
  const priced = has('liquidity') ? 'NOK' : 'USD';
  const buyCurrency = has('entitled') ? (has('no rate') ? 'SEK' : 'GBP') : has('no rate') ? 'CHF' : priced;
  const decimals = has('decimals') ? 0.001 : 0;
  const size = has('small') ? 0.5 : has('large') ? 6_000_000 : 1_000;
  // The maximum sell amount is far below the cost of the bought amount.
  const amounts = has('moved') ? { sellAmount: 0.01, buyAmount: size + decimals } : { sellAmount: size + decimals };
  const other = has('mismatch') ? ' mismatch' : '';
  const state = has('used') ? (has('expired') ? 'used expired' : 'used') : has('expired') ? 'expired' : 'released';
  const isHeld = has('used') || has('expired') || has('released');
  const quoteId = has('no hold')
    ? 'HLD0000000000000001'
    : has('foreign')
      ? holds.foreign
      : has('indicative')
        ? 'IND0000000000000001'
        : has('stale')
          ? 'E1.17'
          : isHeld
            ? holds[state + other]
            : has('mismatch')
              ? holds['open mismatch']
              : undefined;
  const input = {
    requestId: has('reused') ? 'taken' : 'never-booked',
    description: 'order of refusals',
    sellAccount: number[sellAccount === 'EUR' && has('funds') ? 'poorEUR' : sellAccount],
    sellCurrency: 'EUR',
    buyAccount: has('unknown')
      ? number.foreign
      : has('same')
        ? number.EUR
        : number[(has('room') ? 'full' : '') + buyCurrency],
    buyCurrency: has('same') ? 'EUR' : buyCurrency,
    ...amounts,
    quoteId,
    ...(has('scheduled') ? { type: 'SCHEDULED1' } : {}),
    ...(has('date') ? { settlementDate: '2026-02-29' } : {}),
    ...(has('quoted') ? { quotedPrice: '1.5' } : {}),
    ...(has('limit') ? { limitPrice: '1.5' } : {}),
  };
  const services = has('shut') ? shut : on.services;
  const limited = has('credit') ? { ...services, limits: tight } : services;
  return { input, on: has('stale') ? { ...limited, streamed: { find: () => undefined } } : limited };
}

function canBothHold(one: Condition, other: Condition): boolean {
  return !EITHER.some((group) => group.includes(one) && group.includes(other));
}

describe('the first reason is returned, and nothing changes', () => {
  test('books when no condition applies', async () => {
    const { input } = requestWith([]);
    const answer = await perform(on.services, 'bookFxByAccount', on.caller('acme'), { ...input, requestId: 'good' });
    expect(outcomeOf(answer)).toBe('booked');
  });

  test.each(CONDITIONS.map(([condition, code], place) => [condition, code, place] as const))(
    '%s: %s, alone and before every later reason',
    async (condition, code, place) => {
      const later = CONDITIONS.slice(place + 1).filter(([other]) => canBothHold(condition, other));
      const before = await on.keyspace.read();
      const answers: [string, string][] = [];
      for (const others of [[], ...later.map(([other]) => [other])]) {
        const { input, on: services } = requestWith([condition, ...others]);
        const answer = await perform(services, 'bookFxByAccount', on.caller('acme'), input);
        answers.push([`${condition}, ${others}`, outcomeOf(answer)]);
        expect(await on.keyspace.read(), `after ${condition}, ${others}`).toEqual(before);
      }
      expect(answers).toEqual(
        [[], ...later.map(([other]) => [other])].map((others) => [`${condition}, ${others}`, code]),
      );
    },
  );

  test('most pairs of conditions can apply at once', () => {
    const pairs = CONDITIONS.flatMap(([one], place) =>
      CONDITIONS.slice(place + 1).filter(([other]) => canBothHold(one, other)),
    );
    expect(pairs.length).toBeGreaterThan(240);
  });
});

// An unknown hold has no price, but the pair's limits are checked before it.
describe('the size of a quote currency amount is checked before its hold', () => {
  const sizes: [what: string, amounts: object, code: RefusalCode][] = [
    ['too small', { buyAmount: 0.5 }, 'AMOUNT_BELOW_MIN'],
    ['too large', { buyAmount: 9_000_000 }, 'AMOUNT_ABOVE_LIMIT'],
    ['above the limit of scheduled sells', { buyAmount: 1_000, type: 'SCHEDULED1' }, 'AMOUNT_ABOVE_LIMIT'],
    ['dealt in', { buyAmount: 1_000 }, 'HOLD_NOT_FOUND'],
  ];
  const quotes = { 'no hold': 'HLD0000000000000001', indicative: 'IND0000000000000001', stale: 'E1.17' };
  const codes: Record<string, RefusalCode> = { indicative: 'HOLD_NOT_FIRM', stale: 'QUOTE_STALE' };
  test.each(sizes)('%s', async (_what, amounts, code) => {
    const services = { ...on.services, streamed: { find: () => undefined } };
    for (const [name, quoteId] of Object.entries(quotes)) {
      const { input } = requestWith([]);
      const command = { ...input, sellAmount: undefined, ...amounts, quoteId };
      const answer = await perform(services, 'bookFxByAccount', on.caller('acme'), command);
      expect([name, outcomeOf(answer)]).toEqual([name, code === 'HOLD_NOT_FOUND' ? (codes[name] ?? code) : code]);
    }
  });

  test('it is checked before a hold of the other direction', async () => {
    const { id } = await on.hold('acme', { sellCurrency: 'USD', buyCurrency: 'EUR' });
    const { input } = requestWith([]);
    const command = { ...input, sellAmount: undefined, buyAmount: 9_000_000, quoteId: id };
    expect(outcomeOf(await perform(on.services, 'bookFxByAccount', on.caller('acme'), command))).toBe(
      'AMOUNT_ABOVE_LIMIT',
    );
  });
});

describe('the receipt of a FIX order keeps refusals only', () => {
  test.each(CONDITIONS)('%s: %s', async (condition, code) => {
    const { input, on: services } = requestWith([condition]);
    const id = condition === 'reused' ? 'taken' : `fix-${condition.replace(' ', '-')}`;
    const receipts = new RegExp(`:receipt:${id}$`);
    const order = { ...input, requestId: id, session: 'DESK1' };
    const before = await on.keyspace.read();
    const first = await perform(services, 'bookFxByAccount', on.caller('acme'), order);
    expect(outcomeOf(first)).toBe(code);
    expect(first).not.toHaveProperty('replayed');
    const isKept = condition !== 'reused';
    const after = await on.keyspace.read();
    expect(Object.keys(after).filter((key) => receipts.test(key))).toHaveLength(1);
    expect(await on.keyspace.read(isKept ? receipts : undefined)).toEqual(before);

    // It stays the answer when the reason no longer applies, also by REST.
    const again = await perform(on.services, 'bookFxByAccount', on.caller('acme'), { ...order, session: undefined });
    const { refusal, text, details } = first as Refusal;
    expect(again).toMatchObject({ refusal, text, ...(details && { details }), ...(isKept && { replayed: true }) });
    const another = await perform(on.services, 'bookFxByAccount', on.caller('acme'), { ...order, sellAmount: 17 });
    expect(outcomeOf(another)).toBe('REQUEST_ID_REUSED');
    expect(await on.keyspace.read()).toEqual(after);
  });
});
