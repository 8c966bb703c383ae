/** Clients with money, created directly in the store, and a rate book with constant prices: what a booking needs below FIX and REST. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../engine/service/core/caller.js';
import type { Services } from '../../engine/service/core/services.js';
import type { Store } from '../../engine/store/store.js';

export interface FundedClient {
  readonly id: string;
  readonly caller: Caller;
  readonly shard: number;
}

const UNITS = 9_000_000_000_000n;

/** Opens a EUR and a USD account of each client, with all the dollars that an account can hold. */
export async function fund(store: Store, ids: readonly string[]): Promise<FundedClient[]> {
  const funded: FundedClient[] = [];
  for (const id of ids) {
    const client =
      (await store.clients.get(id)) ?? (await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }));
    if (client === undefined) throw new Error(`client ${id} cannot be made`);
    for (const currency of ['EUR', 'USD']) {
      const account = { currency, label: 'benchmark', autoBookFxSequence: 0, makeDefault: false };
      const opened = await store.accounts.open(client, account);
      if (currency === 'USD') await store.accounts.credit(client, randomUUID(), opened!.number, UNITS * 100n);
    }
    const rights = new Set(['read', 'rates', 'trade', 'pay'] as const);
    funded.push({ id, shard: client.shard, caller: { clientId: id, keyId: 'benchmark', rights } });
  }
  return funded;
}

/** The engine built by `npm run build`: benchmarks measure that, and the embedded store is a program beside it. */
export async function built<Module>(file: string): Promise<Module> {
  return (await import(new URL(`../../dist/engine/${file}`, import.meta.url).href)) as Module;
}

/** Services on the store, with a EUR/USD price that never becomes stale. */
export async function servicesOn(store: Store): Promise<Services> {
  const { MarginTable, Pricing } = await built<typeof import('../../engine/rates/pricing.js')>('rates/pricing.js');
  const { RateBook } = await built<typeof import('../../engine/rates/rate-book.js')>('rates/rate-book.js');
  const { LimitTable } = await built<typeof import('../../engine/domain/risk/limits.js')>('domain/risk/limits.js');
  const { KeyLocks } =
    await built<typeof import('../../engine/service/core/key-locks.js')>('service/core/key-locks.js');
  const { pairBySymbol } = await built<typeof import('../../engine/domain/money/pair.js')>('domain/money/pair.js');
  const { TradingStates } =
    await built<typeof import('../../engine/domain/risk/trading-state.js')>('domain/risk/trading-state.js');
  const periods = await built<typeof import('../../engine/domain/conversions/hold-period.js')>(
    'domain/conversions/hold-period.js',
  );
  const margins = new MarginTable();
  await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
  margins.replace(await store.margins.load());
  const book = new RateBook({ maxAgeMs: 86_400_000 });
  book.tick(book.registerProvider('benchmark'), pairBySymbol('EUR/USD')!.index, 10_815_800, 10_816_400, 0, 0, 0, 0);
  const states = new TradingStates();
  const silent = () => {};
  return {
    store,
    book,
    pricing: new Pricing(book, margins, states),
    states,
    margins,
    limits: new LimitTable('USD'),
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    now: Date.now,
    log: { info: silent, warn: silent, error: silent },
    settings: {
      loopbackOnly: true,
      marketHours: { isOpen: () => true },
      holdAddOns: periods.DEFAULT_HOLD_ADD_ONS,
    },
  };
}
