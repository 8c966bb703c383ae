/** A client's money on a real store, moved by the steps directly, with times and amounts that the test chooses. */

import type { BookingFacts, Hold } from '../../../engine/domain/conversions/booking.js';
import type { Client } from '../../../engine/store/access/clients.js';
import type { BookFxStep } from '../../../engine/store/conversions/bookings.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../../engine/store/ledger/journal.js';
import type { OpenStoreOptions, Store } from '../../../engine/store/store.js';
import { type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { PROOF } from '../../support/proof.js';
import { startTestStore, type TestStore } from '../../support/store.js';

/** 13 digits, as every time until 2286. */
export const NOW = Date.UTC(2026, 10, 20, 8, 1, 0);

/** Default request of a hold: the offer may be locked for half a minute. */
export const OFFERED = {
  untilMs: NOW + 30_000,
  isClosed: false,
  openMax: 5,
  usd: '100',
  limitUsd: 10n ** 12n,
} as const;

export interface LedgerSteps {
  readonly store: Store;
  /** The clock, epoch ms; NOW until the test sets it. */
  now: number;
  readonly testStore: TestStore;
  readonly keyspace: KeyspaceReader;
  client(id: string): Promise<ClientSteps>;
  stop(): Promise<void>;
}

export interface ClientSteps {
  readonly of: Client;
  readonly keys: LedgerKeys;
  open(currency: string, minor?: bigint): Promise<string>;
  /** A conversion of 100.00 EUR into 108.00 USD with 0.25 USD of margin, unless overridden. */
  step(more?: Partial<BookFxStep>, amounts?: Partial<BookingFacts>): BookFxStep;
  hold(id: string, more?: Partial<Hold>): Hold;
  balances(): Promise<Record<string, string>>;
  journal(): Promise<readonly (readonly [step: string, id: string, moves: string])[]>;
  due(entry: string): Promise<string | null>;
}

let ids = 0;

/** `own`: IMPATIENT where the store hangs. */
export async function startLedgerSteps(own: Pick<OpenStoreOptions, 'answerMs'> = {}): Promise<LedgerSteps> {
  let now = NOW;
  const testStore = await startTestStore({ ...own, now: () => now });
  const { store } = testStore;
  const keyspace = keyspaceReader(testStore.redisUrl);
  const { redis } = keyspace;
  return {
    store,
    testStore,
    keyspace,
    get now() {
      return now;
    },
    set now(ms: number) {
      now = ms;
      void testStore.turn();
    },
    async client(id) {
      const of = (await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
      const keys = ledgerKeys(of);
      return {
        of,
        keys,
        async open(currency, minor = 0n) {
          const account = { currency, label: '', autoBookFxSequence: 0, makeDefault: false };
          const { number } = (await store.accounts.open(of, account))!;
          if (minor > 0n) await store.accounts.credit(of, `D${++ids}`, number, minor);
          return number;
        },
        step(more = {}, amounts = {}) {
          void testStore.turn();
          const confirmationId = `BFX${String(++ids).padStart(13, '0')}`;
          const requestId = more.requestId ?? `request-${ids}`;
          const facts = { ...CONVERSION, ...amounts, id: confirmationId, requestId };
          return {
            type: facts.type,
            fingerprint: 'print',
            requestId,
            confirmationId,
            sellAccount: undefined,
            buyAccount: undefined,
            sellCurrency: facts.sellCurrency,
            buyCurrency: facts.buyCurrency,
            holdId: undefined,
            rememberRefusal: false,
            session: undefined,
            facts,
            ...more,
          };
        },
        hold(id, more = {}) {
          void testStore.turn();
          return { ...RATE, id, owner: 'DESK1', createdAtMs: NOW, expiryMs: NOW + 30_000, ...more };
        },
        balances: () => redis.hgetall(keys.balances),
        async journal() {
          const entries = await redis.xrange(keys.journal, '-', '+');
          return entries.map(asEntry).map(({ step, id, moves }) => [step, id, moves]);
        },
        due: (entry) => redis.zscore(keys.due, entry),
      };
    },
    async stop() {
      keyspace.close();
      await testStore.stop();
    },
  };
}

const RATE = {
  pair: 'EUR/USD',
  sellCurrency: 'EUR',
  buyCurrency: 'USD',
  price: 10_800_000,
  providerPrice: 10_825_000,
  marginPpm: 2_500,
  type: 'PREFUNDING',
  valueDate: '20261124',
  proof: PROOF,
} as const;

const CONVERSION: Omit<BookingFacts, 'id' | 'requestId'> = {
  ...RATE,
  description: 'a conversion',
  dealt: 'sell',
  sell: '10000',
  buy: '10800',
  margin: '25',
  marginCurrency: 'USD',
  holdId: '',
  order: { kind: 'market' },
  createdAtMs: NOW,
  expiryMs: NOW,
};
