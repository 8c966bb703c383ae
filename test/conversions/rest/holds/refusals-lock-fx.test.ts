/** Every refusal of lock and hold, each with nothing kept. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_CURRENCY,
  type Client,
  GET_FX_RATE,
  LOCK,
  MONDAY,
  type MoneyDoor,
  openMoneyDoor,
  RELEASE,
} from '../../../rest/money-door.js';
import type { Answer } from '../../../rest/rest-door.js';

const EUR_TO_USD = 'source_currency=EUR&destination_currency=USD';

let door: MoneyDoor;
let acme: Client;
let other: Client;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  other = await door.client('other');
  await acme.account('EUR', 100_000n);
  await acme.account('USD');
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.services.isOpen = true;
  door.freshPrices();
});

async function refused(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await door.kept('acme');
  const answer = await ask();
  expect(answer.status).not.toBe(200);
  expect(await door.kept('acme')).toEqual(before);
  return answer;
}
const rate = (query: string, client = acme) => refused(() => client.get(`${GET_FX_RATE}?${query}`));
const signature = async (client = acme) =>
  String((await client.get(`${GET_FX_RATE}?${EUR_TO_USD}`)).body.rate_signature);

describe('an offer', () => {
  test.each<[what: string, query: string, code: string, detail: RegExp, world?: () => void]>([
    ['of one currency', 'source_currency=EUR&destination_currency=EUR', 'SAME_CURRENCY', /nothing to convert/],
    ['of nothing', `${EUR_TO_USD}&sell_amount=0`, 'BAD_AMOUNT', /above 0/],
    ['below nothing', `${EUR_TO_USD}&buy_amount=-1`, 'BAD_AMOUNT', /without sign/],
    ['of a part of a cent', `${EUR_TO_USD}&buy_amount=1.001`, 'BAD_AMOUNT', /USD has 2/],
    ['below the pair’s minimum', `${EUR_TO_USD}&sell_amount=0.99`, 'AMOUNT_BELOW_MIN', /pair minimum/],
    ['above the pair’s limit', `${EUR_TO_USD}&sell_amount=5000000.01`, 'AMOUNT_ABOVE_LIMIT', /pair limit/],
    [
      'at a weekend',
      EUR_TO_USD,
      'MARKET_CLOSED',
      /after it opens/,
      () => Object.assign(door.services, { isOpen: false }),
    ],
  ])('%s', async (_what, query, code, detail, world) => {
    world?.();
    const { status, body } = await rate(query);
    expect([status, body.code]).toEqual([400, code]);
    expect(body.detail).toMatch(detail);
  });

  test('without a price: 503', async () => {
    door.withdraw('EUR/USD');
    const { status, body, headers } = await rate(EUR_TO_USD);
    expect([status, body.code, body.outcome, headers['retry-after']]).toEqual([503, 'RATE_UNAVAILABLE', 'none', '2']);
  });

  test('of a pair that is not the client’s: 403', async () => {
    const { status, body } = await rate(EUR_TO_USD, await door.client('unpriced'));
    expect([status, body.code]).toEqual([403, 'NOT_ENTITLED']);
  });

  type Faults = readonly (readonly [field: string, code: string])[];
  test.each<[query: string, faults: Faults]>([
    [
      '',
      [
        ['source_currency', 'field_missing'],
        ['destination_currency', 'field_missing'],
      ],
    ],
    [
      'source_currency=eur&destination_currency=US',
      [
        ['source_currency', 'incorrect_format'],
        ['destination_currency', 'incorrect_format'],
      ],
    ],
    [
      'sell_currency=eur&buy_currency=XAU',
      [
        ['sell_currency', 'incorrect_format'],
        ['buy_currency', 'incorrect_value'],
      ],
    ],
    ['source_currency=EUR&source_currency=GBP&destination_currency=USD', [['source_currency', 'incorrect_format']]],
    [`${EUR_TO_USD}&sell_currency=GBP`, [['source_currency', 'invalid_combination']]],
    [
      `${EUR_TO_USD}&buy_currency=GBP&schedule=SOON`,
      [
        ['destination_currency', 'invalid_combination'],
        ['schedule', 'incorrect_value'],
      ],
    ],
    [`${EUR_TO_USD}&schedule=SCHEDULE3`, [['schedule', 'incorrect_value']]],
    [`${EUR_TO_USD}&schedule=schedule1`, [['schedule', 'incorrect_value']]],
    [`${EUR_TO_USD}&schedule=SCHEDULE1&schedule=SCHEDULE2`, [['schedule', 'incorrect_value']]],
    [`${EUR_TO_USD}&schedule=constructor`, [['schedule', 'incorrect_value']]],
    [`${EUR_TO_USD}&hold_period=2_hours`, [['hold_period', 'incorrect_value']]],
    [
      `${EUR_TO_USD}&sell_amount=1&buy_amount=1`,
      [
        ['sell_amount', 'invalid_combination'],
        ['buy_amount', 'invalid_combination'],
      ],
    ],
    ...['1e3', '+1', '%201', '1,000', '0x10', 'NaN', '1.', '.5', '1234567890123456', '0.0000001'].map(
      (text) => [`${EUR_TO_USD}&sell_amount=${text}`, [['sell_amount', 'incorrect_format']]] as [string, Faults],
    ),
    [`${EUR_TO_USD}&sell_amount=1&sell_amount=2`, [['sell_amount', 'incorrect_format']]],
    [
      'source_currency=EURO&destination_currency=USD&sell_amount=-1',
      [
        ['source_currency', 'incorrect_format'],
        ['sell_amount', 'incorrect_value'],
      ],
    ],
  ])('%s', async (query, faults) => {
    const { status, body } = await rate(query);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const errors = body.errors as { field: string; code: string }[];
    expect(errors.map(({ field, code }) => [field, code])).toEqual(faults);
  });
});

describe.each<[string, (rate_signature: string, client?: Client) => Promise<Answer>]>([
  ['GET', (text, client = acme) => client.get(`${LOCK}?rate_signature=${encodeURIComponent(text)}`)],
  ['POST', (rate_signature, client = acme) => client.post(LOCK, { rate_signature })],
])('a lock by %s', (_how, lock) => {
  test.each<[string, () => Promise<string>, string]>([
    ['of nothing', async () => '', 'RATE_SIGNATURE_INVALID'],
    ['of a word', async () => 'signature', 'RATE_SIGNATURE_INVALID'],
    [
      'of a changed signature',
      async () => (await signature()).replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')),
      'RATE_SIGNATURE_INVALID',
    ],
    ['of a signature with more behind it', async () => `${await signature()}A`, 'RATE_SIGNATURE_INVALID'],
    ['of half a signature', async () => (await signature()).slice(0, 100), 'RATE_SIGNATURE_INVALID'],
    ['of an endless one', async () => 'A'.repeat(5_000), 'RATE_SIGNATURE_INVALID'],
    ['of another client’s', () => signature(other), 'RATE_SIGNATURE_INVALID'],
    [
      'a millisecond late',
      async () => {
        const text = await signature();
        door.services.nowMs += 30_001;
        return text;
      },
      'RATE_SIGNATURE_EXPIRED',
    ],
  ])('%s', async (_what, text, code) => {
    const given = await text();
    const { status, body, headers } = await refused(() => lock(given));
    expect([status, body.code, headers['cache-control']]).toEqual([400, code, 'no-store']);
  });

  test('above the worth of open holds that the client may have', async () => {
    const text = await signature();
    await door.opened.store.clients.change('acme', { holdLimitUsd: 499_999 });
    const { status, body } = await refused(() => lock(text));
    expect([status, body.code, body.detail]).toEqual([400, 'HOLD_LIMIT', expect.stringContaining('499999.00')]);
    await door.opened.store.clients.change('acme', { holdLimitUsd: 'default' });
    expect((await lock(text)).status).toBe(200);
  });

  test('of a market that has moved: the answer has a new offer', async () => {
    const text = await signature();
    door.price('EUR/USD', '1.0846', '1.08462');
    const { status, body } = await refused(() => lock(text));
    const { rate_signature, fx_rate, lock_expiry_at } = body;
    expect([status, body.code, lock_expiry_at]).toEqual([400, 'RATE_MOVED', new Date(MONDAY + 30_000).toISOString()]);
    expect(fx_rate).toBe((await acme.get(`${GET_FX_RATE}?${EUR_TO_USD}`)).body.fx_rate);
    const held = await lock(String(rate_signature));
    expect([held.status, held.body.fx_rate]).toEqual([200, fx_rate]);
    // What was locked is repeated, wherever the market is.
    door.price('EUR/USD', '1.09', '1.0901');
    expect((await lock(String(rate_signature))).body).toEqual(held.body);
  });

  test('before its end is in time', async () => {
    const text = await signature();
    door.services.nowMs += 5_000;
    expect((await lock(text)).status).toBe(200);
  });

  test('without the right to trade: 403', async () => {
    const { token } = await door.opened.store.tokens.issue('acme', 'CK_X', ['read', 'rates']);
    const authorization = `Bearer ${token}`;
    const text = await signature();
    for (const answer of [
      await acme.get(`${LOCK}?rate_signature=${text}`, { authorization }),
      await acme.post(LOCK, { rate_signature: text }, { authorization }),
      await acme.post(RELEASE, { fx_hold_id: 'x' }, { authorization }),
    ])
      expect([answer.status, answer.body.detail]).toEqual([403, 'Not entitled: this key lacks the right trade']);
  });
});

test('a lock without a signature, or with one that is no text', async () => {
  for (const [ask, code] of [
    [() => acme.get(LOCK), 'field_missing'],
    [() => acme.get(`${LOCK}?rate_signature=a&rate_signature=b`), 'incorrect_format'],
    [() => acme.post(LOCK, {}), 'field_missing'],
    [() => acme.post(LOCK, { rate_signature: 1 }), 'incorrect_format'],
  ] as const) {
    const { body } = await refused(ask);
    expect(body.errors).toEqual([{ field: 'rate_signature', code, message: expect.any(String) }]);
  }
});

describe('a release', () => {
  test.each<[string, () => Promise<string>, string]>([
    ['of what is no hold', async () => 'nothing', 'HOLD_NOT_FOUND'],
    ['of an unknown hold', async () => 'HLD0000000000000', 'HOLD_NOT_FOUND'],
    ['of another client’s', () => other.hold(EUR_TO_USD), 'HOLD_NOT_FOUND'],
    [
      'of a used one',
      async () => {
        const fx_hold_id = await acme.hold(EUR_TO_USD);
        const command = {
          request_id: 'r-1',
          description: 'x',
          sell_currency: 'EUR',
          buy_currency: 'USD',
          sell_amount: 1,
        };
        expect((await acme.post(BY_CURRENCY, { ...command, fx_hold_id })).status).toBe(200);
        return fx_hold_id;
      },
      'HOLD_USED',
    ],
    [
      'of one that is over',
      async () => {
        const id = await acme.hold(EUR_TO_USD);
        door.services.nowMs += 900_001;
        return id;
      },
      'HOLD_EXPIRED',
    ],
  ])('%s', async (_what, hold, code) => {
    const fx_hold_id = await hold();
    const { status, body } = await refused(() => acme.post(RELEASE, { fx_hold_id }));
    expect([status, body.code]).toEqual([400, code]);
  });

  test('without an id, or with a number', async () => {
    for (const [fields, code] of [
      [{}, 'field_missing'],
      [{ fx_hold_id: 1 }, 'incorrect_format'],
    ] as const) {
      const { body } = await refused(() => acme.post(RELEASE, fields));
      expect(body.errors).toEqual([{ field: 'fx_hold_id', code, message: expect.any(String) }]);
    }
  });
});
