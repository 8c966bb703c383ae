/** Services on a real store with a clock that the test sets, and clients that have accounts and money. */

import type { Redis } from 'ioredis';
import type { Booking } from '../../engine/domain/conversions/booking.js';
import { DEFAULT_HOLD_ADD_ONS } from '../../engine/domain/conversions/hold-period.js';
import { isRefusal, type Refusal } from '../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import { LimitTable } from '../../engine/domain/risk/limits.js';
import { TradingStates } from '../../engine/domain/risk/trading-state.js';
import { MarginTable, Pricing } from '../../engine/rates/pricing.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { KeyLocks } from '../../engine/service/core/key-locks.js';
import type { Services } from '../../engine/service/core/services.js';
import type { AnyOperationName, OutputOf } from '../../engine/service/operations.js';
import { perform } from '../../engine/service/perform.js';
import type { OpenStoreOptions, Store } from '../../engine/store/store.js';
import { redisAt } from '../support/redis-client.js';
import { startTestStore, type TestStore } from '../support/store.js';

export interface LedgerRig {
  readonly opened: TestStore;
  readonly services: Services;
  /** Direct access to the store, as an attacker or a faulty tool has it. */
  readonly redis: Redis;
  /** Lines of the log. */
  readonly log: string[];
  /** The clock of the services and of the store, epoch ms. */
  now: number;
  /** Services of another engine: the same Redis and clock. */
  another(): Promise<Services>;
  /** Opens accounts with these amounts in them, in units: { EUR: '1000.00' }. */
  client(id: string, money: Readonly<Record<string, string>>, limit?: string): Promise<RigClient>;
  ask<Name extends AnyOperationName>(name: Name, input: unknown): Promise<OutputOf<Name>>;
  stop(): Promise<void>;
}

export interface RigClient {
  readonly id: string;
  /** The Redis key of this client's ledger: `accounts`, `journal`, `receipt:<id>`. */
  key(name: string): string;
  /** Converts at the market rate; the first currency of the pair is always sold. */
  book(pair: string, sellAmount: number, more?: Readonly<Record<string, unknown>>): Promise<Booking>;
  tryToBook(pair: string, sellAmount: number, more?: Readonly<Record<string, unknown>>): Promise<Booking | Refusal>;
  read(confirmationId: string): Promise<Booking | undefined>;
  credit(currency: string, amount: string): Promise<void>;
  account(currency: string): Promise<string>;
  /** Minor units of the default account. */
  balance(currency: string): Promise<bigint>;
}

const PRICES = {
  'EUR/USD': ['1.08431', '1.08433'],
  'USD/JPY': ['151.234', '151.241'],
  'GBP/USD': ['1.2701', '1.2703'],
};

/** `own`: KIND where the test stops or kills the server. */
export async function startLedgerRig(startMs: number, own: Partial<OpenStoreOptions> = {}): Promise<LedgerRig> {
  const clock = { now: startMs };
  const opened = await startTestStore({ ...own, now: () => clock.now });
  await opened.store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
  const log: string[] = [];
  const margins = new MarginTable();
  margins.replace(await opened.store.margins.load());
  const book = new RateBook({ maxAgeMs: 600_000, maxJumpPercent: 90 });
  const states = new TradingStates();
  states.onChange(() => book.halt(states.haltedPairs));
  opened.store.tradingStates.onChange((restrictions) => states.replace(restrictions));
  const provider = book.registerProvider('test');
  for (const [symbol, [bid, offer]] of Object.entries(PRICES)) {
    const { index, priceDigits } = pairBySymbol(symbol)!;
    const scaled = (text = '') => scaledFromText(text, priceDigits, 'down');
    book.tick(provider, index, scaled(bid), scaled(offer), 0, 0, 0, 0);
  }
  const write = (level: string) => (fields: object, message: string) =>
    void log.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const servicesOn = (store: Store): Services => ({
    store,
    book,
    pricing: new Pricing(book, margins, states),
    states,
    margins,
    limits: new LimitTable('USD'),
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    now: () => clock.now,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    settings: { loopbackOnly: true, marketHours: { isOpen: () => true }, holdAddOns: DEFAULT_HOLD_ADD_ONS },
  });
  const services = servicesOn(opened.store);
  const redis = redisAt(opened.redisUrl);
  // A test may stop the server.
  redis.on('error', () => {});
  const ask: LedgerRig['ask'] = async (name, input) => {
    const answer = await perform(services, name, undefined, input);
    if (isRefusal(answer)) throw new Error(`${answer.refusal}: ${answer.text}`);
    return answer;
  };

  return {
    opened,
    services,
    redis,
    log,
    get now() {
      return clock.now;
    },
    set now(ms: number) {
      clock.now = ms;
      void opened.turn();
    },
    another: async () => servicesOn(await opened.another()),
    async client(id, money, limit = '0') {
      await ask('createClient', { id, name: id });
      await ask('setScheduledLimit', { clientId: id, limit });
      for (const [currency, amount] of Object.entries(money)) {
        const { number } = await ask('openAccount', { clientId: id, currency });
        if (amount !== '0') await ask('creditAccount', { accountNumber: number, amount });
      }
      return clientOf(id, services, ask);
    },
    ask,
    async stop() {
      redis.disconnect();
      await opened.stop();
    },
  };
}

async function clientOf(id: string, services: Services, ask: LedgerRig['ask']): Promise<RigClient> {
  const { store } = services;
  const record = (await store.clients.get(id))!;
  const caller = { clientId: id, keyId: 'CK_X', rights: new Set(RIGHTS) };
  const inCurrency = async (currency: string) =>
    (await store.accounts.balances(record)).find((account) => account.currency === currency && account.isDefault)!;
  let requests = 0;
  const tryToBook: RigClient['tryToBook'] = async (pair, sellAmount, more = {}) => {
    const [sellCurrency, buyCurrency] = pair.split('/');
    const request = { requestId: `${id}-${++requests}`, description: 'a test', sellCurrency, buyCurrency, sellAmount };
    const booked = await perform(services, 'bookFxByCurrency', caller, { ...request, ...more });
    return isRefusal(booked) ? booked : booked.booking;
  };
  return {
    id,
    key: (name) => `{s${String(record.shard).padStart(2, '0')}}:client:${id}:${name}`,
    tryToBook,
    async book(pair, sellAmount, more) {
      const booked = await tryToBook(pair, sellAmount, more);
      if (isRefusal(booked)) throw new Error(`${booked.refusal}: ${booked.text}`);
      return booked;
    },
    read: (confirmationId) => store.bookings.read(record, confirmationId),
    async credit(currency, amount) {
      await ask('creditAccount', { accountNumber: (await inCurrency(currency)).number, amount });
    },
    account: async (currency) => (await inCurrency(currency)).number,
    balance: async (currency) => (await inCurrency(currency)).balance,
  };
}
