/** A client stops all its trading by one call, and reads its state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BY_CURRENCY, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

const HALT = '/api/v1/trading/halt';
const STATE = '/api/v1/trading/state';
const BOOKING = { description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };

let door: MoneyDoor;
beforeAll(async () => {
  door = await openMoneyDoor();
  door.freshPrices();
});
afterAll(() => door.stop());

async function dealing(id: string) {
  const client = await door.client(id);
  await client.account('EUR', 1_000_00n);
  await client.account('USD');
  return client;
}

test('one call halts it at once, a second one changes nothing, and only the operator resumes it', async () => {
  const [acme, other] = [await dealing('acme'), await dealing('other')];
  expect((await acme.get(STATE)).body).toEqual({ state: 'ACTIVE', since: '', by: '' });
  const halted = { state: 'HALTED', since: new Date(MONDAY).toISOString(), by: 'client' };
  const first = await acme.post(HALT, { reason: 'orders without end' });
  expect([first.status, first.body]).toEqual([200, halted]);
  const refused = await acme.post(BY_CURRENCY, { ...BOOKING, request_id: 'A1' });
  expect([refused.status, refused.body.code]).toEqual([400, 'TRADING_HALTED']);
  expect((await other.post(BY_CURRENCY, { ...BOOKING, request_id: 'O1' })).status).toBe(200);

  door.services.nowMs += 60_000;
  door.freshPrices();
  expect((await acme.post(HALT, {})).body).toEqual(halted);
  expect((await acme.get(STATE)).body).toEqual(halted);
  const subject = { scope: 'client', name: 'acme' } as const;
  const known = await door.services.store.tradingStates.read(subject);
  expect(known).toMatchObject({ by: 'client acme', reason: 'orders without end' });

  const { tradingStates } = door.services.store;
  await tradingStates.resume(subject);
  expect((await acme.post(BY_CURRENCY, { ...BOOKING, request_id: 'A2' })).status).toBe(200);
  await tradingStates.restrict({
    ...subject,
    state: 'HALTED',
    by: 'anna (ops@desk1)',
    reason: 'secret',
    sinceMs: MONDAY,
  });
  expect((await acme.get(STATE)).body).toEqual({ ...halted, by: 'operator' });
  await tradingStates.restrict({ ...subject, state: 'REDUCING', by: 'anna (ops@desk1)', reason: 'x', sinceMs: MONDAY });
  expect((await acme.get(STATE)).body).toEqual({ ...halted, state: 'REDUCING', by: 'operator' });
  expect((await acme.post(HALT, {})).body).toMatchObject({ state: 'HALTED', by: 'client' });
});

test('the audit log has it once, by the client', async () => {
  const entries = (await door.services.store.auditLog.page(undefined, 0, 100)).flatMap((entry) =>
    entry.kind === 'asked' ? [entry] : [],
  );
  expect(
    entries.filter(({ who }) => who === 'client acme').map(({ operation, subject }) => [operation, subject]),
  ).toEqual([
    ['haltClient', 'client acme'],
    ['haltClient', 'client acme'],
  ]);
});

test('a body is optional; a bad one is refused, and so is a key without the right trade', async () => {
  const client = await dealing('third');
  expect((await client.post(HALT, { reason: 'x'.repeat(141) })).body.code).toBe('VALIDATION_FAILED');
  const { clientKey } = (await door.services.store.keys.issue('third', ['read']))!;
  const { token } = await door.services.store.tokens.issue('third', clientKey, ['read']);
  const ask = (method: 'GET' | 'POST', path: string) => door.ask(method, path, { authorization: `Bearer ${token}` });
  const refused = await ask('POST', HALT);
  expect([refused.status, refused.body.code]).toEqual([403, 'NOT_ENTITLED']);
  expect((await ask('GET', STATE)).body.state).toBe('ACTIVE');
  expect((await door.ask('POST', HALT, {})).status).toBe(401);
  expect((await client.post(HALT, {})).body.state).toBe('HALTED');
});
