/** Book FX while the store is away: what may have become of the command is said, and the same id brings the one true answer. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { IMPATIENT } from '../../support/store.js';
import { killStore } from '../../support/store-outage.js';
import { SOON } from '../../support/until.js';
import { BY_ACCOUNT, type Client, type Fields, type MoneyDoor, openMoneyDoor } from '../money-door.js';

let door: MoneyDoor;
let acme: Client;
let command: Fields;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor({}, IMPATIENT);
  acme = await door.client('acme');
  command = {
    description: 'Rent, July',
    to_account: await acme.account('EUR', 100_000_00n),
    from_account: await acme.account('USD'),
    sell_amount: 100,
  };
});
afterAll(() => door.stop());
beforeEach(async () => {
  door.freshPrices();
  // Token, client and currencies are cached for a moment; so it is the booking itself that meets the store.
  await acme.post(BY_ACCOUNT, { ...command, request_id: `r-${++next}` });
});

const serverPid = () => readStoreFile(door.opened.dataDir)!.server.pid;
const euros = async () => {
  const { body } = await acme.get('/api/v1/balance/currency/EUR');
  return (body as unknown as { balance: number }[])[0].balance;
};

test('the answer is lost: outcome unknown, and the same id books once, at a price of its own time', async () => {
  const before = await euros();
  const request = { ...command, request_id: 'r-lost' };
  const pid = serverPid();
  process.kill(pid, 'SIGSTOP');
  // Also where the test fails before it does so itself.
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const lost = await acme.post(BY_ACCOUNT, request);
  expect([lost.status, lost.body.code, lost.body.outcome]).toEqual([503, 'STORE_UNAVAILABLE', 'unknown']);
  expect(lost.headers['retry-after']).toBe('1');

  // The store has the command, and finds it now: its price is too old, and another is not known to it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.kill(pid, 'SIGCONT');
  await vi.waitUntil(() => door.opened.store.isUp(), SOON);
  expect(await euros()).toBe(before);
  door.freshPrices();
  for (const replayed of [undefined, 'true']) {
    const { status, headers, body } = await acme.post(BY_ACCOUNT, request);
    expect([status, headers['idempotent-replayed'], body.sell_amount]).toEqual([200, replayed, 100]);
  }
  expect(await euros()).toBe(before - 100);
});

test('nothing could be sent: outcome none, and the id is free, also of a change of a conversion', async () => {
  await door.opened.store.clients.setScheduledLimit('acme', '100000');
  const later = { ...command, request_id: 'r-open', book_fx_type: 'SCHEDULED1' };
  const path = `/api/v1/bookfx/${(await acme.post(BY_ACCOUNT, later)).body.confirmation_id}/split`;
  const { quote_id } = (await acme.post(`${path}/quote`, { sell_amounts: [60, 40] })).body;
  const split = { quote_id, request_id: 'r-split' };
  const before = await euros();
  const request = { ...command, request_id: 'r-none' };
  const outage = killStore(door.opened.dataDir);
  await vi.waitUntil(() => !door.opened.store.isUp(), SOON);
  const { status, body, headers } = await acme.post(BY_ACCOUNT, request);
  expect([status, body.code, body.outcome]).toEqual([503, 'STORE_UNAVAILABLE', 'none']);
  expect(headers['retry-after']).toBe('1');
  const unsplit = await acme.post(path, split);
  expect([unsplit.status, unsplit.body.code, unsplit.body.outcome]).toEqual([503, 'STORE_UNAVAILABLE', 'none']);

  outage.end();
  await vi.waitUntil(() => door.opened.store.isUp(), SOON);
  expect(await euros()).toBe(before);
  door.freshPrices();
  for (const replayed of [undefined, 'true']) {
    const { status, headers, body } = await acme.post(path, split);
    expect([status, headers['idempotent-replayed'], body.status]).toEqual([200, replayed, 'SPLIT']);
  }
  const second = await acme.post(BY_ACCOUNT, request);
  expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, undefined]);
  expect(await euros()).toBe(before - 100);
});
