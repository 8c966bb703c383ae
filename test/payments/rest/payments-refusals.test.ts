/** Of all reasons to refuse a payment that hold at once, the first in the documented order is given, and nothing has changed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../../engine/domain/core/refusal.js';
import type { Client, Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';

const MAX_MINOR = 999_999_999_999_999n;
const UNKNOWN = 123456789018;
const USD_TO_EUR = 'source_currency=USD&destination_currency=EUR';

/** A payment in EUR, from an account in USD. */
const CONDITIONS = [
  ['faulty', 'VALIDATION_FAILED'],
  ['duplicate', 'DUPLICATE_TRANSACTION'],
  ['reused', 'REQUEST_ID_REUSED'],
  ['unknown', 'UNKNOWN_ACCOUNT'],
  ['closed', 'ACCOUNT_INACTIVE'],
  ['currency', 'ACCOUNT_CURRENCY'],
  ['huge', 'BAD_AMOUNT'],
  ['nothing', 'BAD_AMOUNT'],
  ['above', 'AMOUNT_ABOVE_LIMIT'],
  ['no hold', 'HOLD_NOT_FOUND'],
  ['used', 'HOLD_USED'],
  ['expired', 'HOLD_EXPIRED'],
  ['shut', 'MARKET_CLOSED'],
  ['mismatch', 'HOLD_MISMATCH'],
  ['no rate', 'RATE_UNAVAILABLE'],
  ['limit', 'AMOUNT_ABOVE_LIMIT'],
  ['room', 'BALANCE_LIMIT'],
] as const satisfies readonly (readonly [string, RefusalCode])[];

type Condition = (typeof CONDITIONS)[number][0];

const STATUS: Partial<Readonly<Record<RefusalCode, number>>> = {
  DUPLICATE_TRANSACTION: 409,
  REQUEST_ID_REUSED: 409,
  RATE_UNAVAILABLE: 503,
};

/** At most one of each can hold. */
const EITHER: readonly (readonly Condition[])[] = [
  ['unknown', 'closed'],
  ['unknown', 'currency'],
  // One amount.
  ['huge', 'nothing', 'above', 'limit'],
  ['no hold', 'used'],
  ['no hold', 'expired'],
  ['no hold', 'mismatch'],
  // Without a hold and without an agreement nothing is converted.
  ['currency', 'no hold'],
  ['currency', 'used'],
  ['currency', 'expired'],
  ['currency', 'mismatch'],
];
/** A first version has no hold. */
const OF_HOLDS: readonly Condition[] = ['no hold', 'used', 'expired', 'mismatch'];

interface Payer {
  readonly client: Client;
  readonly usd: number;
  readonly closed: number;
  readonly duplicate: string;
  readonly holds: Readonly<Record<string, string>>;
}

let door: PaymentDoor;
/** By `agreed` or `bare`, and `full` where the account in EUR has no room. */
const payers: Record<string, Payer> = {};

beforeAll(async () => {
  door = await openPaymentDoor();
  for (const name of ['agreed', 'bare', 'agreed full', 'bare full']) payers[name] = await payerNamed(name);
  door.services.nowMs += 300_001;
  for (const on of Object.values(payers)) Object.assign(on.holds, await freshHolds(on.client));
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

async function payerNamed(name: string): Promise<Payer> {
  door.freshPrices();
  const fee = { fixed: '1.5' };
  const sequence = name.startsWith('agreed') ? 1 : 0;
  const { client, of } = await door.payer({ EUR: name.endsWith('full') ? MAX_MINOR : 0n }, fee);
  const usd = await client.account('USD', 9_000_000_000_00n, { sequence });
  const closed = await client.account('USD', 100_00n);
  await door.operator('changeAccount', { accountNumber: String(closed), active: false });
  const funded = await client.post('/api/v1/fund/create', {
    ...{ request_id: 'reused', account_number: of.EUR, amount: 1, payment_reference: 'x' },
    instarem_deposit_account: 'DBS Bank-0012345678-EUR',
  });
  expect(funded.status).toBe(200);
  const { reference_number } = await door.pay(client, 'GBP');
  const holds: Record<string, string> = {};
  for (const [end, period] of [
    ['expired', '5_mins'],
    ['used expired', '5_mins'],
    ['used', '1_hour'],
  ] as const)
    for (const amount of [undefined, 77]) {
      door.freshPrices();
      const id = await client.hold(`${USD_TO_EUR}&hold_period=${period}${amount ? `&buy_amount=${amount}` : ''}`);
      holds[amount ? `${end} mismatch` : end] = id;
      if (end === 'expired') continue;
      const into = await client.account('EUR');
      await client.post('/api/v1/bookfx/account/create', {
        ...{ request_id: `use-${id}`, description: 'use', to_account: usd, from_account: into, fx_hold_id: id },
        buy_amount: amount ?? 10,
      });
    }
  return { client, usd, closed, duplicate: String(reference_number), holds };
}

async function freshHolds(client: Client): Promise<Record<string, string>> {
  door.freshPrices();
  return {
    open: await client.hold(USD_TO_EUR),
    'open mismatch': await client.hold(`${USD_TO_EUR}&buy_amount=77`),
  };
}

/** A request of which all the conditions hold, and no other. */
function requestWith(version: 1 | 2, conditions: readonly Condition[]): { on: Payer; body: Fields; send(): void } {
  const has = (condition: Condition) => conditions.includes(condition);
  const isHeld = OF_HOLDS.some(has) || (version === 2 && !has('no rate') && has('room') && !has('currency'));
  const on = payers[(isHeld || has('currency') ? 'bare' : 'agreed') + (has('room') ? ' full' : '')]!;
  const end = has('used') ? (has('expired') ? 'used expired' : 'used') : has('expired') ? 'expired' : 'open';
  const hold = has('no hold') ? 'HLD0000000000000001' : on.holds[end + (has('mismatch') ? ' mismatch' : '')];
  const account = has('unknown') ? UNKNOWN : has('closed') ? on.closed : on.usd;
  const amount = has('huge')
    ? 10_000_000_000_000
    : has('above')
      ? 9_999_999_999_999.99
      : has('limit')
        ? 5_000_001
        : 100;
  const deduct = has('nothing') ? { amount: 1.5, deduct: 1 } : { amount };
  const ids = {
    ...(has('faulty') && { statement_narrative: 7 }),
    ...(has('duplicate') && { transaction_number: on.duplicate }),
    ...(has('reused') && { request_id: 'reused' }),
  };
  const body =
    version === 1
      ? payment('EUR', {
          ...{ account_number: account, destination_amount: deduct.amount, ...ids },
          ...(has('nothing') && {
            destination_amount: 0,
            equivalent_amount: 1,
            equivalent_currency: 'EUR',
            deduct_amount: 1,
          }),
        })
      : payout('EUR', account, {
          ...{ destination_amount: deduct.amount, ...ids, ...(isHeld && { payout_options: { fx_hold_id: hold } }) },
          ...(has('nothing') && { fee_payer: 'BEN' }),
        });
  return {
    on,
    body,
    send() {
      door.services.isOpen = !has('shut');
      door.freshPrices();
      if (has('no rate')) door.withdraw('EUR/USD');
    },
  };
}

function canBothHold(one: Condition, other: Condition): boolean {
  return !EITHER.some((group) => group.includes(one) && group.includes(other));
}

/** The mark that a worker has been notified of the waiting payments: ends by itself after a minute. The entry that asks for the look is compared. */
const WOKEN = /:woken$/;

async function refused(version: 1 | 2, conditions: readonly Condition[]): Promise<[number, unknown]> {
  const { on, body, send } = requestWith(version, conditions);
  send();
  const before = await door.keyspace.read(WOKEN);
  const answer = await on.client.post(version === 1 ? CREATE_PAYMENT : CREATE_PAYOUT, body);
  expect(await door.keyspace.read(WOKEN), `after ${conditions}`).toEqual(before);
  door.services.isOpen = true;
  return [answer.status, answer.body.code];
}

describe.each([1, 2] as const)('version %i', (version) => {
  const possible = CONDITIONS.filter(([condition]) => version === 2 || !OF_HOLDS.includes(condition));

  test('without any, it is created', async () => {
    const { on, body, send } = requestWith(version, []);
    send();
    const answer = await on.client.post(version === 1 ? CREATE_PAYMENT : CREATE_PAYOUT, body);
    expect([answer.status, answer.body.status]).toEqual([200, 'IN_PROCESS']);
  });

  test.each(possible.map(([condition, code], place) => [condition, code, place] as const))(
    '%s: %s, alone and before all that come after it',
    async (condition, code, place) => {
      const later = possible.slice(place + 1).filter(([other]) => canBothHold(condition, other));
      const answers: [string, [number, unknown]][] = [];
      for (const others of [[], ...later.map(([other]) => [other])])
        answers.push([`${condition}, ${others}`, await refused(version, [condition, ...others])]);
      const expected = [[], ...later.map(([other]) => [other])].map((others) => [
        `${condition}, ${others}`,
        [STATUS[code] ?? 400, code],
      ]);
      expect(answers).toEqual(expected);
    },
  );

  test('most pairs can hold at once', () => {
    const pairs = possible.flatMap(([one], place) =>
      possible.slice(place + 1).filter(([other]) => canBothHold(one, other)),
    );
    expect(pairs.length).toBe(version === 1 ? 70 : 121);
  });
});

test('the order is the one that the page for integrators has', () => {
  const page = readFileSync(new URL('../../../rest/README.md', import.meta.url), 'utf8');
  const [, list = ''] = /\*\*Refused\*\*([\s\S]*?)\n\n/.exec(page) ?? [];
  const listed = [...list.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
  let from = -1;
  for (const [condition, code] of CONDITIONS) {
    // Two conditions in a row may have one code; AMOUNT_ABOVE_LIMIT is there twice.
    const place = listed[from] === code ? from : listed.indexOf(code, from + 1);
    expect(place, condition).toBeGreaterThanOrEqual(Math.max(0, from));
    from = place;
  }
});
