/** A client with money on a real store, at constant prices and by a clock that the test sets. */

import type { Booking, Hold } from '../../engine/domain/conversions/booking.js';
import type { RefusalCode } from '../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import type { Booked } from '../../engine/service/conversions/book-fx.js';
import type { Caller } from '../../engine/service/core/caller.js';
import type { Services } from '../../engine/service/core/services.js';
import { perform } from '../../engine/service/perform.js';
import type { Account } from '../../engine/store/accounts/accounts.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../engine/store/ledger/journal.js';
import type { OpenStoreOptions } from '../../engine/store/store.js';
import { type KeyspaceReader, keyspaceReader } from '../support/keyspace.js';
import { startServices, type TestServices } from './core/services.js';

/** A Friday morning with the market open, a week before Thanksgiving. */
export const FRIDAY = Date.UTC(2026, 10, 20, 8, 1, 0);
export const HOUR_MS = 3_600_000;

export interface MoneyRig extends TestServices {
  readonly clock: { now: number };
  readonly keyspace: KeyspaceReader;
  caller(clientId: string): Caller;
  open(clientId: string, currency: string, funds?: string): Promise<Account>;
  /** Account or house sub-account with its currency, to minor units. */
  balances(clientId: string): Promise<Record<string, string>>;
  /** Step and moves of each journal entry. */
  journal(clientId: string): Promise<readonly (readonly [step: string, moves: string])[]>;
  book(clientId: string, input: object, services?: Services): Promise<Booking>;
  hold(clientId: string, input: object, owner?: string): Promise<Hold>;
}

/**
 * EUR/USD is 1.08158 / 1.08164 and USD/JPY 151.234 / 151.241; every client has a margin of 0.25 percent on them and on
 * EUR/CHF.
 */
export async function startMoney(
  store: Partial<OpenStoreOptions> = {},
  rates: RateBookOptions = {},
): Promise<MoneyRig> {
  let atMs = FRIDAY;
  const now = () => atMs;
  const on = await startServices(now, { store: { ...store, now }, rates: { now: () => 0, ...rates } });
  const clock = {
    get now() {
      return atMs;
    },
    set now(ms: number) {
      atMs = ms;
      void on.testStore.turn();
    },
  };
  const { services } = on;
  for (const pair of ['EUR/USD', 'USD/JPY', 'EUR/JPY', 'EUR/CHF'])
    await must('setMargin', { clientId: '*', pair, type: '*', margin: '0.25' });
  await on.loadMargins();
  on.tick('EUR/USD', '1.08158', '1.08164');
  on.tick('USD/JPY', '151.234', '151.241');
  const keyspace = keyspaceReader(on.testStore.redisUrl);

  async function must(name: Parameters<typeof perform>[1], input: object, caller?: Caller): Promise<unknown> {
    const answer = await perform(services, name, caller, input);
    if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
    return answer;
  }
  const caller = (clientId: string): Caller => ({ clientId, keyId: 'test', rights: new Set(RIGHTS) });
  const keysOf = async (clientId: string) => ledgerKeys((await services.store.clients.get(clientId))!);

  return {
    ...on,
    clock,
    keyspace,
    caller,
    async open(clientId, currency, funds) {
      const account = (await must('openAccount', { clientId, currency })) as Account;
      if (funds !== undefined) await must('creditAccount', { accountNumber: account.number, amount: funds });
      return account;
    },
    balances: async (clientId) => keyspace.redis.hgetall((await keysOf(clientId)).balances),
    async journal(clientId) {
      const entries = await keyspace.redis.xrange((await keysOf(clientId)).journal, '-', '+');
      return entries.map(asEntry).map(({ step, moves }) => [step, moves]);
    },
    async book(clientId, input, on = services) {
      const answer = await perform(on, 'bookFxByCurrency', caller(clientId), input);
      if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
      return (answer as Booked).booking;
    },
    async hold(clientId, input, session) {
      const offer = (await must('getLockableRate', input, caller(clientId))) as { rateSignature: string };
      const taken = await must('lockRate', { rateSignature: offer.rateSignature, session }, caller(clientId));
      return (taken as { hold: Hold }).hold;
    },
    async stop() {
      keyspace.close();
      await on.stop();
    },
  };
}

/** 'booked', or the code of the refusal. */
export function outcomeOf(answer: Booked | { readonly refusal: RefusalCode }): RefusalCode | 'booked' {
  return 'refusal' in answer ? answer.refusal : 'booked';
}
