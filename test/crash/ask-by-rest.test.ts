/** What the crash runs expect of a conversion's date: the one that its client has commanded, and no other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDate } from '../../engine/domain/conversions/booking.js';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { type MoneyDoor, openMoneyDoor } from '../rest/money-door.js';
import { redisAt } from '../support/redis-client.js';
import { alterBooking, readStoredBooking } from '../support/stored.js';
import { askByRest } from './ask-by-rest.js';
import { askChanges } from './changes/ask-changes.js';
import type { CrashClient } from './clients.js';
import { type Body, type Command, type Intent, IntentLog } from './intents.js';
import { RestCaller } from './rest-caller.js';
import type { Site } from './site.js';
import { Tally } from './tally.js';

/** Thursday and Friday are the days on which EUR/USD can settle. */
const WEDNESDAY = Date.parse('2028-07-05T10:00:00Z');
let door: MoneyDoor;
let redis: ReturnType<typeof redisAt>;
let caller: RestCaller;
let client: CrashClient;
let log: IntentLog;
let changes: IntentLog;

beforeAll(async () => {
  door = await openMoneyDoor();
  redis = redisAt(door.opened.redisUrl);
  door.services.nowMs = WEDNESDAY;
  door.freshPrices();
  const acme = await door.client('acme');
  await acme.account('EUR', 10_000_00n);
  await acme.account('USD', 10_000_00n);
  const { store } = door.opened;
  await store.clients.setScheduledLimit('acme', '100000000');
  const { clientKey, clientSecret } = (await store.keys.issue('acme', RIGHTS))!;
  const { id, shard } = (await store.clients.get('acme'))!;
  client = { id, shard, clientKey, clientSecret } as CrashClient;
  caller = new RestCaller({ restDoors: () => [`127.0.0.1:${door.port}`] } as Partial<Site> as Site);
  expect(await caller.authenticate(client)).toBe(true);
});
afterAll(async () => {
  caller.close();
  redis.disconnect();
  await door.stop();
});

async function sent(from: IntentLog, command: (requestId: string) => Command): Promise<Intent> {
  const intent = from.open(client, 1, command);
  await caller.book(intent);
  expect(intent.attempts).toMatchObject([{ kind: 'acknowledged' }]);
  return intent;
}

/** A conversion that settles on Thursday, in a run of its own. */
async function booked(run: string): Promise<string> {
  [log, changes] = [new IntentLog(run), new IntentLog(`${run}-changes`)];
  const terms = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100, book_fx_type: 'SCHEDULED1' };
  const { acknowledged } = await sent(log, (request_id) => ({
    door: 'rest',
    path: '/api/v1/bookfx/currency/create',
    body: { request_id, description: 'dates', ...terms },
  }));
  expect(acknowledged!.confirmation!.settlement_date).toBe('2028-07-06');
  return acknowledged!.confirmationId;
}

async function moveToFriday(id: string): Promise<void> {
  const path = `/api/v1/bookfx/${id}/date`;
  const terms = { settlement_date: '2028-07-07' };
  const { body } = (await caller.post(client, `${path}/quote`, terms)) as { readonly body: Body };
  await sent(changes, (request_id) => ({ door: 'rest', path, body: { quote_id: body.quote_id, request_id }, terms }));
}

async function violations(): Promise<string[]> {
  const found: string[] = [];
  const violation = (text: string) => void found.push(text);
  const asking = { caller, redis, random: Math.random, violation, tally: new Tally() };
  await askByRest(asking, await askChanges(asking, changes.of(1)), log.of(1));
  return found;
}

const alter = (id: string, change: Parameters<typeof alterBooking>[3]) =>
  alterBooking(redis, ledgerKeys(client), id, change);

test('a date that a command has moved is expected moved', async () => {
  const id = await booked('moved');
  await moveToFriday(id);
  expect(await violations()).toEqual([]);
});

test('a date that was altered in the store is a violation', async () => {
  const id = await booked('altered');
  expect(await violations()).toEqual([]);
  await alter(id, { valueDate: '20280707' });
  expect(await violations()).toContainEqual(expect.stringMatching(/now .*"settlement_date":"2028-07-07"/));
});

test('so is a moved date that was altered, and a time of settlement', async () => {
  const id = await booked('altered-after');
  await moveToFriday(id);
  const [amendment] = (await readStoredBooking(redis, ledgerKeys(client), id))!.booking.amendments!;
  const altered = (date: Partial<NewDate>) =>
    alter(id, { afterwards: JSON.stringify([{ ...amendment, date: { ...amendment!.date, ...date } }]) });
  await altered({ valueDate: '20280710' });
  expect(await violations()).toContainEqual(
    expect.stringMatching(/^altered-after\.1\.0: .*"settlement_date":"2028-07-10"/),
  );
  await altered({ settlesAtMs: WEDNESDAY });
  expect(await violations()).toContainEqual(expect.stringMatching(/^altered-after\.1\.0: .*"expiry_at":"2028-07-05/));
  await altered({});
  expect(await violations()).toEqual([]);
});

test('so is a date that its quote was not for', async () => {
  const id = await booked('other-terms');
  await moveToFriday(id);
  const [intent] = changes.of(1);
  Object.assign(intent!.command, { terms: { settlement_date: '2028-07-10' } });
  expect(await violations()).toEqual([expect.stringContaining('its quote was for 2028-07-10')]);
});
