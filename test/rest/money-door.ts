/** The REST door with two clients who have accounts and money, on a day of the test's own. */
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import type { BookFxType } from '../../engine/domain/money/value-date.js';
import type { OpenStoreOptions } from '../../engine/store/store.js';
import { startTestStore, type TestStore } from '../support/store.js';
import { type Answer, openRestDoor, type RestDoor } from './rest-door.js';

/** A Monday; the Tuesday is Independence Day, so spot of EUR/USD is the Wednesday. */
export const MONDAY = Date.parse('2028-07-03T10:00:00.000Z');
export const BY_CURRENCY = '/api/v1/bookfx/currency/create';
export const BY_ACCOUNT = '/api/v1/bookfx/account/create';
export const GET_FX_RATE = '/api/v1/lockFx/getFxRate';
export const LOCK = '/api/v1/lockFx/lockFxRate';
export const RELEASE = '/api/v1/lockFx/releaseFxRate';

export type Fields = Readonly<Record<string, unknown>>;

export interface Client {
  readonly id: string;
  /** Its header. */
  readonly authorization: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: Fields, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: Fields, headers?: Record<string, string>): Promise<Answer>;
  /** The body as it is, JSON unless `type` says otherwise. */
  raw(path: string, text: string, type?: string): Promise<Answer>;
  /** The same fields as a form. */
  form(path: string, body: Fields): Promise<Answer>;
  /** Opens an account, with money in it: minor units. */
  account(
    currency: string,
    minor?: bigint,
    more?: { readonly label?: string; readonly sequence?: number },
  ): Promise<number>;
  /** The id of a hold of `query`, `source_currency=EUR&...`. */
  hold(query: string): Promise<string>;
}

export interface MoneyDoor extends RestDoor {
  readonly opened: TestStore;
  /** acme and other pay 0.25 %, and 0.5 % for SCHEDULED1; no other client has a margin. */
  client(id: string, defaultType?: BookFxType): Promise<Client>;
  /** The market as it always is here, fresh. */
  freshPrices(): void;
  /** All that is kept of the client's money: accounts, balances, journal, bookings, holds, receipts. */
  kept(clientId: string): Promise<Record<string, unknown>>;
}

/** `own`: IMPATIENT where the store hangs; and when a price is stale. */
export async function openMoneyDoor(
  limits: Parameters<typeof openRestDoor>[1] = {},
  { maxAgeMs, ...own }: Pick<OpenStoreOptions, 'answerMs'> & { readonly maxAgeMs?: number | undefined } = {},
): Promise<MoneyDoor> {
  let now = () => MONDAY;
  const opened = await startTestStore({ ...own, now: () => now() });
  const { store } = opened;
  for (const clientId of ['acme', 'other']) {
    await store.margins.set({ clientId, pair: '*', type: '*', marginPpm: 2_500 });
    await store.margins.set({ clientId, pair: '*', type: 'SCHEDULED1', marginPpm: 5_000 });
  }
  const door = await openRestDoor(store, limits, undefined, () => opened.turn(), maxAgeMs);
  now = () => door.services.nowMs;
  door.services.nowMs = MONDAY;
  const redis = new Redis(opened.redisUrl);
  // Some tests stop the server.
  redis.on('error', () => {});

  const freshPrices = (): void => {
    door.price('EUR/USD', '1.08431', '1.08433');
    door.price('USD/JPY', '151.234', '151.241');
  };
  return {
    ...door,
    opened,
    freshPrices,
    client: async (id, defaultType = 'PREFUNDING') => {
      await store.clients.create({ id, name: id, defaultType });
      const rights = RIGHTS;
      // Of a key that exists: what is known of it is cached for a moment, as of any client's.
      const { token } = await store.tokens.issue(id, (await store.keys.issue(id, rights))!.clientKey, rights);
      return clientOf(id, token, opened, door);
    },
    async kept(clientId) {
      const found: Record<string, unknown> = {};
      for (const key of (await redis.keys(`*:client:${clientId}:*`)).sort()) found[key] = await contents(redis, key);
      return found;
    },
    async stop() {
      redis.disconnect();
      await door.stop();
      await opened.stop();
    },
  };
}

function clientOf(id: string, token: string, { store }: TestStore, door: RestDoor): Client {
  const authorization = `Bearer ${token}`;
  let credits = 0;
  const get: Client['get'] = (path, headers = {}) => door.ask('GET', path, { authorization, ...headers });
  return {
    id,
    authorization,
    get,
    post: (path, body, headers = {}) =>
      door.ask('POST', path, { authorization, 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    patch: (path, body, headers = {}) =>
      door.ask('PATCH', path, { authorization, 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
    raw: (path, text, type = 'application/json') =>
      door.ask('POST', path, { authorization, 'content-type': type }, text),
    form: (path, body) =>
      door.ask('POST', path, { authorization, 'content-type': 'multipart/form-data; boundary=cut' }, formOf(body)),
    async account(currency, minor = 0n, { label = '', sequence = 0 } = {}) {
      const client = (await store.clients.get(id))!;
      const opened = await store.accounts.open(client, {
        currency,
        label,
        autoBookFxSequence: sequence,
        makeDefault: false,
      });
      if (minor > 0n) await store.accounts.credit(client, `credit-${++credits}`, opened!.number, minor);
      return Number(opened!.number);
    },
    async hold(query) {
      const { body: offer } = await get(`${GET_FX_RATE}?${query}`);
      const { status, body } = await get(`${LOCK}?rate_signature=${offer.rate_signature}`);
      expect([status, body.code]).toEqual([200, undefined]);
      return String(body.fx_hold_id);
    },
  };
}

function formOf(body: Fields): string {
  const parts = Object.entries(body).map(
    ([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--cut--\r\n`;
}

async function contents(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'stream') return redis.xrange(key, '-', '+');
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'string') return redis.get(key);
  throw new Error(`a key of an unexpected type, ${type}: ${key}`);
}
