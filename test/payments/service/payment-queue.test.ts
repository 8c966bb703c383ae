/**
 * The queue of payments that await funds is per account: which payment waits behind which, and what an expiry names as
 * missing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AWAITING_FUNDS_DAYS, type Payment } from '../../../engine/domain/payments/payment.js';
import type { PaymentOrder } from '../../../engine/service/payments/pay.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
let clients = 0;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

const DAY_MS = 24 * 3_600_000;

/** `10.00 EUR`, `1000.00 USD 1` (its place in the agreement). The first of a currency is its default account. */
type Accounts = Readonly<Record<string, string>>;

interface Asked {
  /** Named account; absent: the default one in the payment currency. */
  readonly from?: string;
  /** `20.00 EUR`, or with `source` the amount debited from the named account. */
  readonly pays: string;
  readonly into?: string;
  readonly source?: true;
  /** With a hold that sells the named account's currency. */
  readonly held?: true;
}

interface Standing {
  readonly client: Awaited<ReturnType<PaymentRig['client']>>;
  readonly numbers: Readonly<Record<string, string>>;
  pay(asked: Asked): Promise<Payment>;
  credit(name: string, amount: string): Promise<unknown>;
  change(name: string, to: object): Promise<unknown>;
  status(...payments: readonly Payment[]): Promise<readonly string[]>;
}

const COUNTRIES: Readonly<Record<string, string>> = { EUR: 'DE', USD: 'US', GBP: 'GB', JPY: 'JP' };

async function standing(accounts: Accounts): Promise<Standing> {
  const client = await on.client(`queue-${++clients}`, {});
  const numbers: Record<string, string> = {};
  const credit = (name: string, amount: string) => on.ask('creditAccount', { accountNumber: numbers[name]!, amount });
  for (const [name, text] of Object.entries(accounts)) {
    const [amount = '', currency = '', sequence = '0'] = text.split(' ');
    const opened = await on.ask('openAccount', {
      ...{ clientId: client.id, currency, autoBookFxSequence: Number(sequence) },
    });
    if ('refusal' in opened) throw new Error(opened.text);
    numbers[name] = opened.number;
    if (Number(amount) > 0) await credit(name, amount);
  }
  return {
    client,
    numbers,
    credit,
    async pay({ from, pays, into, source, held }) {
      const [amount = '', currency = ''] = pays.split(' ');
      const paid = into ?? currency;
      const minor = BigInt(Math.round(Number(amount) * (currency === 'JPY' ? 1 : 100)));
      const sells = accounts[from ?? '']?.split(' ')[1];
      const hold =
        held && sells
          ? await on.hold(client.id, { sellCurrency: sells, buyCurrency: paid, buyAmount: Number(amount) })
          : undefined;
      const more: Partial<PaymentOrder> = {
        ...{ currency: paid, country: COUNTRIES[paid]!, amount: { kind: source ? 'source' : 'destination', minor } },
        ...(from && { sourceAccount: numbers[from]! }),
        ...(hold && { holdId: hold.id }),
      };
      return on.pay(client, 'Erika', more);
    },
    change: (name, to) => on.ask('changeAccount', { accountNumber: numbers[name]!, ...to }),
    status: (...payments) => Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status)),
  };
}

const WAITS = 'AWAITING_FUNDS';
const TWO: Accounts = { A: '10.00 EUR', B: '100000.00 EUR' };
const AGREED: Accounts = { A: '10.00 EUR', U: '10.00 USD 1', B: '100000.00 EUR' };

describe('a payment waits behind an older one that may draw on the same account, and behind no other', () => {
  test.each<[what: string, accounts: Accounts, older: Asked, younger: Asked, waits: boolean]>([
    ['named accounts, others', TWO, { from: 'A', pays: '20.00 EUR' }, { from: 'B', pays: '10.00 EUR' }, false],
    ['named accounts, one', TWO, { from: 'A', pays: '20.00 EUR' }, { from: 'A', pays: '10.00 EUR' }, true],
    ['default account, and it named', TWO, { pays: '20.00 EUR' }, { from: 'A', pays: '10.00 EUR' }, true],
    ['default account, and another named', TWO, { pays: '20.00 EUR' }, { from: 'B', pays: '10.00 EUR' }, false],
    [
      'source amount, another account',
      TWO,
      { from: 'A', pays: '20.00 EUR', source: true },
      { from: 'B', pays: '10.00 EUR', source: true },
      false,
    ],
    ['agreement, its account', AGREED, { from: 'A', pays: '500.00 EUR' }, { pays: '5.00 USD' }, true],
    [
      'agreement, an account of the currency outside it',
      AGREED,
      { from: 'A', pays: '500.00 EUR' },
      { from: 'B', pays: '10.00 EUR' },
      false,
    ],
    [
      'source amount: no agreement helps, its accounts are free',
      AGREED,
      { from: 'A', pays: '20.00 EUR', source: true },
      { pays: '5.00 USD' },
      false,
    ],
    [
      'agreement with several accounts of one currency',
      { A: '10.00 EUR', U: '1.00 USD', V: '10.00 USD 1', W: '10.00 USD 2' },
      { pays: '500.00 EUR' },
      { from: 'W', pays: '5.00 USD' },
      true,
    ],
    [
      'an account of that currency outside the agreement',
      { A: '10.00 EUR', U: '10.00 USD', V: '10.00 USD 1', W: '10.00 USD 2' },
      { pays: '500.00 EUR' },
      { from: 'U', pays: '5.00 USD' },
      false,
    ],
    [
      'an account of the agreement in the payment currency is not sold for it',
      { A: '10.00 EUR', B: '10.00 EUR 2', U: '10.00 USD 1' },
      { from: 'A', pays: '500.00 EUR' },
      { from: 'B', pays: '5.00 EUR' },
      false,
    ],
    [
      'another currency named, and the agreement',
      { A: '0 EUR', U: '10.00 USD', G: '10.00 GBP 1' },
      { from: 'U', pays: '500.00 EUR' },
      { pays: '5.00 GBP' },
      true,
    ],
    [
      'another currency named: the account in the payment currency gives nothing',
      { A: '10.00 EUR', U: '10.00 USD', G: '10.00 GBP 1' },
      { from: 'U', pays: '500.00 EUR' },
      { pays: '5.00 EUR' },
      false,
    ],
    [
      'one that can do without the account that an older waits for',
      { A: '0 EUR', U: '10.00 USD 1', J: '90000 JPY 2' },
      { from: 'J', pays: '200000 JPY', source: true },
      { pays: '5.00 EUR' },
      false,
    ],
    [
      'held, its account',
      { A: '10.00 EUR', U: '10.00 USD' },
      { from: 'U', pays: '50.00 EUR', held: true },
      { from: 'U', pays: '5.00 USD' },
      true,
    ],
    [
      'held with all that it pays: the account in the payment currency is free',
      { A: '10.00 EUR', U: '10.00 USD' },
      { from: 'U', pays: '50.00 EUR', held: true },
      { pays: '10.00 EUR' },
      false,
    ],
  ])('%s', async (_what, accounts, older, younger, waits) => {
    const { pay, status } = await standing(accounts);
    const first = await pay(older);
    expect(first.status).toBe(WAITS);
    const second = await pay(younger);
    expect(second.status).toBe(waits ? WAITS : 'IN_PROCESS');
    await on.work();
    expect(await status(first, second)).toEqual([WAITS, waits ? WAITS : 'PAID']);
  });

  test('several payments under an agreement are in the queue of each of its accounts', async () => {
    const { pay, credit, status } = await standing({ A: '10.00 EUR', U: '10.00 USD 1' });
    const source = await pay({ from: 'A', pays: '20.00 EUR', source: true });
    const agreed = await pay({ pays: '10.00 EUR' });
    const dollars = await pay({ pays: '5.00 USD' });
    await on.work();
    expect(await status(source, agreed, dollars)).toEqual([WAITS, WAITS, WAITS]);
    await credit('A', '20.00');
    await on.work();
    expect(await status(source, agreed, dollars)).toEqual(['PAID', 'PAID', 'PAID']);
  });

  test('an inactive account’s payment blocks no other, and regains its place on activation', async () => {
    const { pay, change, credit, status } = await standing(AGREED);
    const inactive = await pay({ from: 'A', pays: '500.00 EUR' });
    await change('A', { active: false });
    await on.work();
    const dollars = await pay({ pays: '5.00 USD' });
    expect([dollars.status, ...(await status(inactive))]).toEqual(['IN_PROCESS', WAITS]);
    await change('A', { active: true });
    await on.work();
    const later = await pay({ pays: '5.00 USD' });
    expect(later.status).toBe(WAITS);
    await credit('A', '490.00');
    await on.work();
    expect(await status(inactive, later)).toEqual(['PAID', 'PAID']);
  });

  test('deactivating an account unblocks a payment that already waits', async () => {
    const { pay, change, status } = await standing({ A: '10.00 EUR', U: '10.00 USD 1' });
    const older = await pay({ from: 'A', pays: '500.00 EUR' });
    const younger = await pay({ pays: '5.00 USD' });
    expect(await status(older, younger)).toEqual([WAITS, WAITS]);
    await change('A', { active: false });
    await on.work();
    expect(await status(older, younger)).toEqual([WAITS, 'PAID']);
  });

  test('a payment that no agreement converts any more blocks no other', async () => {
    const { pay, change, status } = await standing({ A: '0 EUR', U: '10.00 USD', G: '0 GBP 1' });
    const older = await pay({ from: 'U', pays: '500.00 EUR' });
    const younger = await pay({ pays: '5.00 USD' });
    expect(await status(older, younger)).toEqual([WAITS, WAITS]);
    await change('G', { autoBookFxSequence: 0 });
    await on.work();
    expect(await status(older, younger)).toEqual([WAITS, 'PAID']);
  });
});

test('a payment with an expired hold blocks no other', async () => {
  const at = await standing({ A: '10.00 EUR', U: '10.00 USD' });
  const held = await at.pay({ from: 'U', pays: '50.00 EUR', held: true });
  const { waiting } = ledgerKeys(at.client);
  // As the end of its hold leaves it: it draws on nothing.
  for (const member of await on.keyspace.redis.zrange(waiting, '0', '-1')) {
    await on.keyspace.redis.zrem(waiting, member);
    await on.keyspace.redis.zadd(waiting, '1', `${member.split('|')[0]}|`);
  }
  const dollars = await at.pay({ pays: '5.00 USD' });
  expect([dollars.status, ...(await at.status(held))]).toEqual(['IN_PROCESS', WAITS]);
});

describe(`after ${AWAITING_FUNDS_DAYS} days the reason names what was missing`, () => {
  const given = async (
    at: Standing,
    payment: Payment,
    inBetween: () => Promise<unknown> = async () => undefined,
  ): Promise<string> => {
    const { now } = on.clock;
    await on.work();
    await inBetween();
    on.clock.now = payment.createdAtMs + AWAITING_FUNDS_DAYS * DAY_MS;
    await on.work();
    const { status, subStatus, description } = await on.read(at.client, payment.id);
    expect([status, subStatus]).toEqual(['CANCELLED', 'FUNDING_EXPIRED']);
    const last = (await on.services.store.payments.history(at.client, payment.id)).at(-1)!;
    expect(last.reason).toBe(description);
    on.clock.now = now + AWAITING_FUNDS_DAYS * DAY_MS;
    return Object.entries(at.numbers).reduce((text, [name, number]) => text.replaceAll(number, name), description);
  };
  const SAID = `the funds did not come within ${AWAITING_FUNDS_DAYS} days: `;

  test.each<[what: string, accounts: Accounts, asked: Asked, missing: string]>([
    ['a named account', TWO, { from: 'A', pays: '20.00 EUR' }, '10.00 EUR missing on account A'],
    ['the default account', TWO, { pays: '20.00 EUR' }, '10.00 EUR missing on account A'],
    ['a source amount', TWO, { from: 'A', pays: '20.00 EUR', source: true }, '10.00 EUR missing on account A'],
    [
      'a source amount in another currency',
      { A: '0 EUR', U: '10.00 USD', G: '0 GBP 1' },
      { from: 'U', pays: '20.00 USD', into: 'EUR', source: true },
      '10.00 USD missing on account U',
    ],
    [
      'an agreement',
      { A: '10.00 EUR', U: '0 USD 1' },
      { pays: '20.00 EUR' },
      '10.00 EUR missing on account A and the accounts of the Auto Book FX agreement',
    ],
    [
      'another currency named, under an agreement',
      { A: '10.00 EUR', U: '0 USD', G: '0 GBP 1' },
      { from: 'U', pays: '20.00 EUR' },
      '20.00 EUR missing on account U and the accounts of the Auto Book FX agreement',
    ],
  ])('%s', async (_what, accounts, asked, missing) => {
    const at = await standing(accounts);
    expect(await given(at, await at.pay(asked))).toBe(SAID + missing);
  });

  test('an inactive account', async () => {
    const at = await standing(TWO);
    const payment = await at.pay({ from: 'A', pays: '20.00 EUR' });
    expect(await given(at, payment, () => at.change('A', { active: false }))).toBe(`${SAID}account A is inactive`);
  });

  test('the expired hold', async () => {
    const at = await standing({ A: '10.00 EUR', U: '10.00 USD' });
    const payment = await at.pay({ from: 'U', pays: '50.00 EUR', held: true });
    expect(await given(at, payment)).toMatch(/: hold HLD\w+ expired at 2\d{3}-\S+Z$/);
  });

  test('a disabled client with sufficient funds', async () => {
    const at = await standing({ A: '10.00 EUR' });
    const payment = await at.pay({ from: 'A', pays: '20.00 EUR' });
    const disabled = async () => {
      await on.ask('disableClient', { id: at.client.id, disabled: true });
      await at.credit('A', '10.00');
    };
    expect(await given(at, payment, disabled)).toBe(`${SAID}the client is disabled`);
  });

  test('the obstacle to its conversion', async () => {
    const at = await standing({ A: '0 EUR', U: '10.00 USD', G: '0 GBP 1' });
    const payment = await at.pay({ from: 'U', pays: '500.00 EUR' });
    const ended = () => at.change('G', { autoBookFxSequence: 0 });
    expect(await given(at, payment, ended)).toContain(`${SAID}The account is in another currency`);
  });
});
