/**
 * Card numbers of beneficiaries are encrypted at rest, shown with their last four digits, disclosed to the bank only,
 * and erased at the end.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutCards } from '../../../engine/domain/payments/card.js';
import type { Payment, PaymentFacts } from '../../../engine/domain/payments/payment.js';
import type { PaymentOrder } from '../../../engine/service/payments/pay.js';
import type { PaymentPorts } from '../../../engine/service/payments/payment-ports.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { ON_CLUSTER } from '../../support/store.js';
import { type PaymentRig, SANDBOX, startPayments } from './payment-rig.js';

const CARD = '4111111111111111';
const UNION_PAY = '6222021234567890123';
const CLEAR = /4111111111111111|62220212345678/;

let dataDir: string;
let on: PaymentRig;
let acme: Client;
const given: Payment[] = [];
const ports: PaymentPorts = {
  ...SANDBOX,
  payout: {
    send(instruction) {
      given.push(instruction.payment);
      return SANDBOX.payout.send(instruction);
    },
  },
};
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ratewire-cards-'));
  on = await startPayments({ dataDir });
  acme = await on.client('acme', { EUR: '100000.00' });
});
afterAll(async () => {
  await on.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const order = (method: PaymentOrder['method'], country: string, beneficiary: object): Partial<PaymentOrder> => ({
  method,
  country,
  details: { remitter: {}, beneficiary: { name: 'Wei', ...beneficiary }, additionalInfo: {} },
});
const byCard = order('CARD', 'DE', { cardNumber: CARD, cardExpiryDate: '2030-12' });
const union = unionPay();
const byUnionPay = order('BANK', 'CN', { accountNumber: union });

/** With a valid check digit. */
function unionPay(): string {
  const all = Array.from({ length: 10 }, (_, digit) => `${UNION_PAY.slice(0, -1)}${digit}`);
  const country = 'CN';
  return all.find((accountNumber) => {
    const facts = { country, details: { beneficiary: { accountNumber } } } as PaymentFacts;
    return withoutCards(facts).cards.accountNumber !== undefined;
  })!;
}

const keyOf = (id: string): string => ledgerKeys(acme).payment(id);
const sealedOf = async (id: string): Promise<string | null> => on.keyspace.redis.hget(keyOf(id), 'c');

/** Every file of the store, and every key. */
async function kept(): Promise<string> {
  const files = ON_CLUSTER
    ? []
    : readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath ?? file.path, file.name), 'latin1'));
  return [...texts, JSON.stringify(await on.keyspace.read())].join('\n');
}

describe.each([
  ['a card', byCard, 'cardNumber', CARD, '************1111'],
  ['an account of a UnionPay card', byUnionPay, 'accountNumber', union, `***************${union.slice(-4)}`],
] as const)('%s', (_what, more, field, clear, masked) => {
  test('is stored encrypted, disclosed to the bank only, and erased when the payment is paid', async () => {
    const { id } = await on.pay(acme, 'Wei', more);
    const before = await on.read(acme, id);
    expect(before.details.beneficiary[field]).toBe(masked);
    expect(await sealedOf(id)).toMatch(/^cards-1\.[\w-]{40,}$/);
    given.length = 0;
    await on.work(ports);
    expect(given.map(({ details }) => details.beneficiary[field])).toEqual([clear]);
    const after = await on.read(acme, id);
    expect([after.status, after.details.beneficiary[field]]).toEqual(['PAID', masked]);
    expect(await sealedOf(id)).toBeNull();
    expect(await kept()).not.toMatch(CLEAR);
    expect(await on.differences()).toEqual([]);
  });

  test.each([
    ['CANCELLED', 'ERROR ALWAYS', 'cancelPaymentByOperator'],
    ['COMPLIANCE_REJECTED', 'COMPLIANCE REJECTED', undefined],
    ['RETURNED', 'RETURNED', undefined],
  ] as const)('is erased when the payment is %s', async (status, word, decision) => {
    const { id } = await on.pay(acme, word, {
      ...more,
      details: { ...more.details!, beneficiary: { ...more.details!.beneficiary, name: word } },
    });
    await on.later(60_000);
    await on.later(60_000);
    if (decision) {
      expect(await sealedOf(id)).not.toBeNull();
      await on.ask(decision, { paymentId: id, text: 'no' });
    }
    expect((await on.read(acme, id)).status).toBe(status);
    expect(await sealedOf(id)).toBeNull();
  });
});

test('a card number of a payment on another route is not stored', () => {
  const facts = {
    method: 'BANK',
    country: 'DE',
    details: { beneficiary: { cardNumber: CARD, cardExpiryDate: '2030-12' } },
  };
  expect(withoutCards(facts as unknown as PaymentFacts)).toEqual({
    facts: { method: 'BANK', country: 'DE', details: { beneficiary: { cardExpiryDate: '2030-12' } } },
    cards: {},
  });
});

test.each([
  ['DE', '6222021234567890123'],
  ['CN', '0200001234567890123'],
  ['CN', '622202123456789'],
])('an account of %s, %s, is no card number and stays unchanged', (country, accountNumber) => {
  const facts = { method: 'BANK', country, details: { beneficiary: { accountNumber } } } as unknown as PaymentFacts;
  expect(withoutCards(facts)).toEqual({ facts, cards: {} });
});
