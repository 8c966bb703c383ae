/** The REST door with clients who pay: what each payment does to their money, to the minor unit. */
import { expect } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { processBatch } from '../../../engine/service/batches/index.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { SANDBOX_COMPLIANCE, SANDBOX_PAYOUT } from '../../../engine/service/payments/sandbox-ports.js';
import { processJob } from '../../../engine/service/payments/work-payment.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type Client, type Fields, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import { type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { asForm, CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';

/** Minor units by `EUR/400100000019`, `EUR/transit`, `EUR/house:fees`. */
export type Moved = Readonly<Record<string, bigint>>;

export interface Payer {
  readonly client: Client;
  /** Account numbers by currency. */
  readonly of: Readonly<Record<string, number>>;
}

export interface PaymentDoor extends MoneyDoor {
  readonly keyspace: KeyspaceReader;
  operator<Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name>>;
  /** How the client's balances differ after something was done: what stayed as it was is left out, and each currency sums to zero. */
  moved(client: Client, what: () => Promise<unknown>): Promise<Moved>;
  /** A new client with these accounts, and a fee of its own for everything. */
  payer(money: Readonly<Record<string, bigint>>, fee?: Fields): Promise<Payer>;
  /** A payment that was created, by either version. */
  pay(client: Client, currency: string, more?: Fields): Promise<Fields>;
  payOut(client: Client, currency: string, sourceAccount: number, more?: Fields): Promise<Fields>;
  /** All that a worker finds to do now, what follows from it, and what has become due by the door's clock. */
  work(): Promise<void>;
  /** The payment as it is read over REST. */
  read(client: Client, created: Fields): Promise<Fields>;
}

const PORTS = { compliance: SANDBOX_COMPLIANCE, payout: SANDBOX_PAYOUT };

export async function openPaymentDoor(): Promise<PaymentDoor> {
  const door = await openMoneyDoor();
  const { store } = door.opened;
  const keyspace = keyspaceReader(door.opened.redisUrl);
  // Every client pays 0.25 % here.
  await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
  door.services.margins.replace(await store.margins.load());
  const operator: PaymentDoor['operator'] = async (name, input) => {
    const answer = await perform(door.services, name, undefined, input);
    if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
    return answer;
  };
  const balances = async ({ id }: Client): Promise<Record<string, string>> =>
    keyspace.redis.hgetall(ledgerKeys((await store.clients.get(id))!).balances);
  const created = async (client: Client, path: string, body: Fields): Promise<Fields> => {
    const { status, body: answer } = await client.post(path, body);
    expect([status, answer.code, answer.detail, answer.errors]).toEqual([200, undefined, undefined, undefined]);
    return answer;
  };

  const client: MoneyDoor['client'] = async (id, defaultType) => {
    const made = await door.client(id, defaultType);
    return { ...made, form: (path, body) => made.form(path, asForm(body)) };
  };
  let payers = 0;

  return {
    ...door,
    keyspace,
    operator,
    client,
    async payer(money, fee) {
      const made = await client(`payer-${++payers}`);
      // Before the first payment: a change takes a second to be in force.
      if (fee) await operator('setFee', { clientId: made.id, corridor: '*', method: '*', ...fee });
      const of: Record<string, number> = {};
      for (const [currency, minor] of Object.entries(money)) of[currency] = await made.account(currency, minor);
      return { client: made, of };
    },
    freshPrices() {
      door.freshPrices();
      door.price('GBP/USD', '1.27011', '1.27034');
      door.price('USD/IDR', '16401.25', '16402.75');
    },
    async moved(client, what) {
      const before = await balances(client);
      await what();
      const after = await balances(client);
      const sums = new Map<string, bigint>();
      // A reserve goes away with its batch.
      const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
      const differences = names.flatMap((name): [string, bigint][] => {
        const difference = BigInt(after[name] ?? '0') - BigInt(before[name] ?? '0');
        const currency = name.slice(0, 3);
        sums.set(currency, (sums.get(currency) ?? 0n) + difference);
        return difference === 0n ? [] : [[name, difference]];
      });
      expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
      return Object.fromEntries(differences);
    },
    pay: (client, currency, more) => created(client, CREATE_PAYMENT, payment(currency, more)),
    payOut: (client, currency, account, more) => created(client, CREATE_PAYOUT, payout(currency, account, more)),
    async work() {
      for (let busy = true; busy; ) {
        await settleDue(door.services, 1_000);
        const shards = await store.work.busyShards();
        const entries = (await Promise.all(shards.map(({ shard }) => store.work.take(shard, 'test', 100)))).flat();
        for (const entry of entries) {
          const { batchId } = entry;
          if (batchId === undefined) await processJob(door.services, PORTS, entry);
          else await processBatch(door.services, { ...entry, batchId });
        }
        busy = entries.length > 0;
      }
    },
    read: async (client, { payment_id }) => (await client.get(`/api/v1/payments/id/${payment_id}`)).body,
    async stop() {
      // Whatever a test has done, journal and balances agree.
      const { differences } = await operator('reconcile', {}).finally(() => keyspace.close());
      await door.stop();
      expect(differences).toEqual([]);
    },
  };
}
