/** Which limits, halts and states apply to a change of a conversion, over REST: of a client, and of a sub-client by its platform. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LimitRule } from '../../../engine/domain/risk/limits.js';
import type { TradingRestriction } from '../../../engine/domain/risk/trading-state.js';
import { BY_CURRENCY, type Client, type Fields, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

/** Spot is then the Thursday. */
const EVENING = MONDAY + 12 * 3_600_000;

let door: MoneyDoor;
let next = 0;
beforeAll(async () => {
  door = await openMoneyDoor();
  const { margins } = door.opened.store;
  await margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
  door.services.margins.replace(await margins.load());
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.services.isOpen = true;
  door.freshPrices();
});
afterEach(() => {
  door.services.limits.replace(new Map());
  door.services.states.replace([]);
});

function evening(): void {
  door.services.nowMs = EVENING;
  door.freshPrices();
}

type Post = (path: string, body?: Fields) => Promise<Answer>;

/** A client, or a sub-client for which its platform asks, that has 10,000 in EUR and in USD. */
async function dealer(ofPlatform: boolean): Promise<{ id: string; platform: string; post: Post }> {
  const platform = `c${++next}`;
  const asks = await door.client(platform);
  const id = ofPlatform ? `${platform}~one` : platform;
  if (ofPlatform) await door.opened.store.clients.change(platform, { isPlatform: true });
  const owner: Client = ofPlatform ? await door.client(id) : asks;
  for (const currency of ['EUR', 'USD']) await owner.account(currency, 10_000_00n);
  for (const one of [platform, id]) await door.opened.store.clients.setScheduledLimit(one, '100000000');
  const headers: Record<string, string> = ofPlatform ? { 'x-on-behalf-of': id } : {};
  return { id, platform, post: (path, body = {}) => asks.post(path, body, headers) };
}

async function booked(post: Post, more: Fields = {}): Promise<string> {
  const pair = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1000 };
  const { status, body } = await post(BY_CURRENCY, { request_id: `b${++next}`, description: 'x', ...pair, ...more });
  expect([status, body.detail]).toEqual([200, undefined]);
  return String(body.confirmation_id);
}
const scheduled = (post: Post) => booked(post, { book_fx_type: 'SCHEDULED1' });

const BODIES = {
  cancel: {},
  date: { settlement_date: '2028-07-06' },
  split: { sell_amounts: [600, 400] },
} as const;
type Change = keyof typeof BODIES;
const CHANGES = Object.keys(BODIES) as Change[];

const quote = (post: Post, id: string, change: Change) => post(`/api/v1/bookfx/${id}/${change}/quote`, BODIES[change]);
const command = (post: Post, id: string, change: Change, quoteId: unknown) =>
  post(`/api/v1/bookfx/${id}/${change}`, { quote_id: quoteId, request_id: `c${++next}` });
const codeOf = ({ status, body }: Answer) => (status === 200 ? 'done' : String(body.code));

/** What a new quote says under the rule, and a command by a quote of before it. */
type Outcome = readonly [quote: string, command: string];
const DONE: Outcome = ['done', 'done'];
const NONE: Outcome = ['CREDIT_LIMIT', 'CREDIT_LIMIT'];
const IN_STEP: Outcome = ['done', 'CREDIT_LIMIT'];
const CLOSED: Outcome = ['MARKET_CLOSED', 'MARKET_CLOSED'];
const HALTED: Outcome = ['TRADING_HALTED', 'TRADING_HALTED'];

interface Rule {
  readonly what: string;
  readonly limit?: Partial<LimitRule>;
  readonly ofHouse?: true;
  readonly state?: TradingRestriction['state'];
  /** Of the pair, not of the client. */
  readonly ofPair?: true;
  readonly isShut?: true;
  /** It has bought more than its scheduled conversions sell: the opposite deal makes its position larger. */
  readonly isLong?: true;
  readonly outcomes: Readonly<Record<Change, Outcome>>;
}

const RULES: readonly Rule[] = [
  { what: 'the largest single deal', limit: { deal: 900_00 }, outcomes: { cancel: NONE, date: DONE, split: DONE } },
  { what: 'no deal in a second', limit: { dealsPerSecond: 0 }, outcomes: { cancel: IN_STEP, date: DONE, split: DONE } },
  {
    what: 'a net open position that it makes larger',
    limit: { nop: 0 },
    isLong: true,
    outcomes: { cancel: IN_STEP, date: DONE, split: DONE },
  },
  {
    what: 'a net open position that it makes smaller',
    limit: { nop: 0 },
    outcomes: { cancel: DONE, date: DONE, split: DONE },
  },
  {
    what: 'an amount to settle on one date',
    limit: { settlement: 900_00 },
    outcomes: { cancel: DONE, date: IN_STEP, split: DONE },
  },
  // There are no figures of it here.
  { what: 'a daily loss', limit: { dailyLoss: 100 }, outcomes: { cancel: NONE, date: DONE, split: DONE } },
  { what: 'HALTED', state: 'HALTED', outcomes: { cancel: HALTED, date: HALTED, split: HALTED } },
  {
    what: 'REDUCING, and it makes the position larger',
    state: 'REDUCING',
    isLong: true,
    outcomes: { cancel: IN_STEP, date: DONE, split: DONE },
  },
  { what: 'REDUCING', state: 'REDUCING', outcomes: { cancel: DONE, date: DONE, split: DONE } },
];
/** No client's own: these are for all. */
const OF_ALL: readonly Rule[] = [
  {
    what: 'a net open position of the house without room',
    limit: { nop: 0 },
    ofHouse: true,
    outcomes: { cancel: IN_STEP, date: DONE, split: DONE },
  },
  {
    what: 'a pair that is HALTED',
    state: 'HALTED',
    ofPair: true,
    outcomes: { cancel: HALTED, date: HALTED, split: HALTED },
  },
  { what: 'a weekend', isShut: true, outcomes: { cancel: CLOSED, date: DONE, split: DONE } },
];

function impose({ limit, ofHouse, state, ofPair, isShut }: Rule, subject: string): void {
  door.services.isOpen = isShut === undefined;
  const scope = ofHouse ? 'house' : subject;
  if (limit) door.services.limits.replace(new Map([[scope, { base: 'USD', ...limit }]]));
  if (state === undefined) return;
  const of = ofPair ? ({ scope: 'pair', name: 'EUR/USD' } as const) : ({ scope: 'client', name: subject } as const);
  door.services.states.replace([{ ...of, state, by: 'x', reason: 'x', sinceMs: 0 }]);
}

async function judged(rule: Rule, ofPlatform: boolean): Promise<Record<string, Outcome>> {
  const { platform, post } = await dealer(ofPlatform);
  if (rule.isLong) await booked(post, { sell_currency: 'USD', buy_currency: 'EUR', sell_amount: 5000 });
  const found: Record<string, Outcome> = {};
  const ids = await Promise.all(CHANGES.map(() => scheduled(post)));
  evening();
  const quotes = await Promise.all(ids.map((id, i) => quote(post, id, CHANGES[i]!)));
  impose(rule, platform);
  for (const [i, change] of CHANGES.entries()) {
    const again = await quote(post, ids[i]!, change);
    const done = await command(post, ids[i]!, change, quotes[i]!.body.quote_id);
    found[change] = [codeOf(again), codeOf(done)];
    // A date, and never a figure.
    if (codeOf(done) === 'CREDIT_LIMIT') expect(String(done.body.detail).replace('2028-07-06', '')).not.toMatch(/\d/);
    if (ofPlatform && codeOf(done) === 'CREDIT_LIMIT' && !rule.ofHouse)
      expect(done.body.detail).toMatch('a limit of your platform');
  }
  return found;
}

test.each([...RULES, ...OF_ALL])('of a client: $what', async (rule) => {
  expect(await judged(rule, false)).toEqual(rule.outcomes);
});

test.each(RULES)('of a sub-client, by its platform: $what', async (rule) => {
  expect(await judged(rule, true)).toEqual(rule.outcomes);
});

test('a changed date is in the exposure of the platform from then on', async () => {
  const { platform, post } = await dealer(true);
  const scope = new Map([[platform, { base: 'USD', settlement: 5_000_00 }]]);
  door.services.limits.replace(scope);
  const [one, other] = [await scheduled(post), await scheduled(post)];
  evening();
  // Moved without a limit of dates.
  door.services.limits.replace(new Map());
  const { body } = await quote(post, one, 'date');
  expect(codeOf(await command(post, one, 'date', body.quote_id))).toBe('done');
  door.services.limits.replace(new Map([[platform, { base: 'USD', settlement: 2_000_00 }]]));
  const again = await quote(post, other, 'date');
  expect(codeOf(await command(post, other, 'date', again.body.quote_id))).toBe('CREDIT_LIMIT');
});
