/** Each change of a conversion as its event shows it: the body of the GET right behind it, and that of the one before; also of an OVERDUE one. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { BY_CURRENCY, type Client, type Fields, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

let door: MoneyDoor;
let acme: Client;
let next = 0;
beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  // Nothing to sell: what is due is OVERDUE.
  await acme.account('EUR');
  await acme.account('USD');
  const { clients, events } = door.opened.store;
  await clients.setScheduledLimit('acme', '100000000');
  await events.enable((await clients.get('acme'))!);
});
afterAll(() => door.stop());

async function done(answer: ReturnType<Client['post']>): Promise<Fields> {
  const { status, body } = await answer;
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}
const read = (id: unknown) => done(acme.get(`/api/v1/bookfx/${id}`));

async function change(id: unknown, kind: string, terms: Fields = {}): Promise<Fields> {
  const path = `/api/v1/bookfx/${id}/${kind}`;
  const { quote_id } = await done(acme.post(`${path}/quote`, terms));
  return done(acme.post(path, { quote_id, request_id: `change-${++next}`, reason: 'it ships later' }));
}

const at = (ms: number): void => {
  door.services.nowMs = ms;
  door.freshPrices();
};

/** Members of the earlier body that are others in the later one. */
const previous = (now: Fields, before: Fields = {}): Fields =>
  Object.fromEntries(Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now[name])));
const told = (type: string, now: Fields, before?: Fields) => [`conversion.${type}`, now, previous(now, before)];

test('booked, moved, OVERDUE, split, and a part cancelled with a charge that is owed', async () => {
  at(MONDAY);
  const pair = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1000, book_fx_type: 'SCHEDULED1' };
  const { confirmation_id: id } = await done(acme.post(BY_CURRENCY, { request_id: 'b', description: 'x', ...pair }));
  const shown = [await read(id)];
  at(MONDAY + 12 * 3_600_000);
  await change(id, 'date', { settlement_date: '2028-07-06' });
  shown.push(await read(id));
  at(MONDAY + 5 * 86_400_000);
  await settleDue(door.services, 100);
  at(MONDAY + 12 * 3_600_000);
  shown.push(await read(id));
  const split = await change(id, 'split', { sell_amounts: [600, 400] });
  shown.push(await read(id));
  const [part] = split.children as Fields[];
  const whole = await read(part!.confirmation_id);
  const cancelled = await change(part!.confirmation_id, 'cancel');
  const ended = await read(part!.confirmation_id);
  expect(shown.map(({ status }) => status)).toEqual(['OPEN', 'OPEN', 'OVERDUE', 'SPLIT']);
  expect([cancelled.kind, cancelled.receivable_amount, ended.status]).toEqual([
    'charge',
    cancelled.amount,
    'CANCELLED',
  ]);
  expect(Number(cancelled.amount)).toBeGreaterThan(0);

  const { data } = await done(acme.get('/api/v1/events'));
  const events = (data as { type: string; data: { object: Fields; previous?: Fields } }[]).filter(({ type }) =>
    type.startsWith('conversion.'),
  );
  const of = (confirmationId: unknown) =>
    events
      .filter((event) => event.data.object.confirmation_id === confirmationId)
      .map((event) => [event.type, event.data.object, event.data.previous]);
  expect(of(id)).toEqual([
    told('booked', shown[0]!),
    told('changed', shown[1]!, shown[0]),
    told('overdue', shown[2]!, shown[1]),
    told('split', shown[3]!, shown[2]),
  ]);
  expect(of(part!.confirmation_id)).toEqual([told('booked', whole), told('cancelled', ended, whole)]);
});
