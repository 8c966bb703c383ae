/**
 * Payments on a real store: created as FIX and REST create them, and processed step by step by a clock that the test
 * sets.
 */

import { isRefusal, type Refusal } from '../../../engine/domain/core/refusal.js';
import type { Payment, PaymentAmount } from '../../../engine/domain/payments/payment.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { type PaymentOrder, pay } from '../../../engine/service/payments/pay.js';
import type { PaymentPorts } from '../../../engine/service/payments/payment-ports.js';
import { SANDBOX_COMPLIANCE, SANDBOX_PAYOUT } from '../../../engine/service/payments/sandbox-ports.js';
import { processJob } from '../../../engine/service/payments/work-payment.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import type { OpenStoreOptions } from '../../../engine/store/store.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

export const SANDBOX: PaymentPorts = { compliance: SANDBOX_COMPLIANCE, payout: SANDBOX_PAYOUT };

export interface PaymentRig extends MoneyRig {
  /** A client with accounts and money: { EUR: '1000.00' }. */
  client(id: string, money: Readonly<Record<string, string>>): Promise<Client>;
  /** 50.00 EUR to a beneficiary of this name, unless `more` overrides it. */
  pay(client: Client, name: string, more?: Partial<PaymentOrder>): Promise<Payment>;
  tryToPay(client: Client, name: string, more?: Partial<PaymentOrder>): Promise<Payment | Refusal>;
  /** Processes due entries and worker jobs until none is left at this time. */
  work(ports?: PaymentPorts): Promise<void>;
  /** Advances the clock. */
  later(ms: number, ports?: PaymentPorts): Promise<void>;
  read(client: Client, paymentId: string): Promise<Payment>;
  /** The history: statuses, with the sub status where there is one. */
  way(client: Client, paymentId: string): Promise<readonly string[]>;
  /** Accounts by currency (`EUR`), house accounts by name: balances other than 0. */
  money(client: Client): Promise<Readonly<Record<string, string>>>;
  /** Performs as the operator. */
  ask<Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name> | Refusal>;
  /** Performs as the client. */
  as<Name extends AnyOperationName>(client: Client, name: Name, input: object): Promise<OutputOf<Name> | Refusal>;
  /** Empty when balances, journal and records agree and every currency sums to zero. */
  differences(): Promise<readonly object[]>;
}

let requests = 0;

export const euros = (minor: bigint): PaymentAmount => ({ kind: 'destination', minor });

export async function startPayments(options: Partial<OpenStoreOptions> = {}): Promise<PaymentRig> {
  const money = await startMoney(options);
  const { services, clock } = money;
  const { store } = services;
  const work = async (ports: PaymentPorts = SANDBOX): Promise<void> => {
    for (let did = true; did; ) {
      did = (await settleDue(services, 100)).due > 0;
      for (const { shard } of await store.work.busyShards())
        for (const entry of await store.work.take(shard, 'test', 100)) {
          await processJob(services, ports, entry);
          did = true;
        }
    }
  };
  const tryToPay: PaymentRig['tryToPay'] = async (client, name, more = {}) => {
    const number = ++requests;
    const paid = await pay(services, client, {
      version: 2,
      requestId: `request-${number}`,
      transactionNumber: `T-${number}`,
      currency: 'EUR',
      country: 'DE',
      method: 'BANK',
      amount: euros(5_000n),
      sourceAccount: undefined,
      feePayer: 'OUR',
      deduct: 0n,
      holdId: undefined,
      details: { remitter: {}, beneficiary: { name }, additionalInfo: {} },
      ...more,
    });
    return isRefusal(paid) ? paid : paid.payment;
  };
  const ask: PaymentRig['ask'] = (name, input) => perform(services, name, undefined, input);
  return {
    ...money,
    async client(id, balances) {
      const client = (await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
      for (const [currency, amount] of Object.entries(balances)) await money.open(id, currency, amount);
      return client;
    },
    tryToPay,
    async pay(client, name, more) {
      const paid = await tryToPay(client, name, more);
      if (isRefusal(paid)) throw new Error(`${paid.refusal}: ${paid.text}`);
      return paid;
    },
    work,
    async later(ms, ports) {
      clock.now += ms;
      await work(ports);
    },
    read: async (client, paymentId) => (await store.payments.read(client, paymentId))!,
    async way(client, paymentId) {
      const history = await store.payments.history(client, paymentId);
      return history.map(({ to, sub }) => (sub === '' ? to : `${to}/${sub}`));
    },
    async money(client) {
      const found: Record<string, string> = {};
      const accounts = new Map(
        (await store.accounts.balances(client)).map(({ number, currency }) => [number, currency]),
      );
      for (const [name, minor] of Object.entries(await money.balances(client.id))) {
        const holder = name.slice(4);
        if (minor !== '0' && holder !== 'nostro') found[accounts.get(holder) ?? name] = minor;
      }
      return found;
    },
    ask,
    as: (client, name, input) => perform(services, name, money.caller(client.id), input),
    async differences() {
      const reconciled = await ask('reconcile', {});
      if (isRefusal(reconciled)) throw new Error(reconciled.text);
      return reconciled.differences;
    },
  };
}
