/** The whole program: an operator's command busts or corrects a conversion of either door, and both doors show it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Received } from '../support/desk.js';
import { type Ratewire, ratewireOn } from '../support/ratewire.js';
import { amountsOf, openTwoDoors, type TwoDoors } from './two-doors.js';

let doors: TwoDoors;
let ratewire: Ratewire;
beforeAll(async () => {
  doors = await openTwoDoors();
  ratewire = ratewireOn(doors.dataDir);
});
afterAll(() => doors.stop());

const REASON = ['--reason', 'off-market rate'];
const amended = (id: string, execType: string): Promise<Received> =>
  doors.desk.next('8', (message) => message.get(11) === id && message.get(150) === execType);
const read = async (id: string) => (await doors.ask('GET', `bookfx/${id}`)).body;

/** One conversion by each door. */
const BOOKED: readonly (readonly [door: string, book: (id: string) => Promise<string>])[] = [
  ['FIX', async (id) => (await doors.order(id, { side: 1, quantity: '1000', currency: 'EUR' })).get(37)!],
  [
    'REST',
    async (id) => {
      const booked = await doors.bookByRest(id, { buy_amount: 1000, buy_currency: 'EUR', sell_currency: 'USD' });
      expect(booked.status, JSON.stringify(booked.body)).toBe(200);
      return String(booked.body.confirmation_id);
    },
  ],
];

test.each(BOOKED)('of %s: a bust moves everything back, and is CANCELLED over REST', async (door, book) => {
  const before = await doors.balances();
  const id = await book(`bust-${door}`);
  const first = await read(id);
  expect(await ratewire.json('bookings', 'bust', id, ...REASON)).toMatchObject({ status: 'CANCELLED' });
  const report = await amended(`bust-${door}`, 'H');
  expect([39, 14, 6, 151].map((tag) => report.get(tag))).toEqual(['4', '0', '0', '0']);
  expect(report.get(797)).toBe(door === 'REST' ? 'Y' : undefined);
  expect(await doors.balances()).toEqual(before);
  expect(await read(id)).toEqual({ ...first, status: 'CANCELLED' });
});

test.each(BOOKED)('of %s: a correction has the same terms by both doors', async (door, book) => {
  const before = await doors.balances();
  const id = await book(`correct-${door}`);
  await ratewire.json('bookings', 'correct', id, '--amount', '900', ...REASON);
  const report = await amended(`correct-${door}`, 'G');
  const now = await read(id);
  expect(now).toMatchObject({ status: 'SETTLED', ...amountsOf(report) });
  expect(now.buy_amount).toBe(900);
  const { EUR, USD } = await doors.balances();
  expect([EUR, USD]).toEqual([before.EUR! + 900, Number((before.USD! - Number(now.sell_amount)).toFixed(2))]);
  if (door === 'FIX') return;
  // The first request again returns the first answer.
  const again = await doors.bookByRest('correct-REST', { buy_amount: 1000, buy_currency: 'EUR', sell_currency: 'USD' });
  expect(again).toMatchObject({ isReplay: true, body: { confirmation_id: id, buy_amount: 1000 } });
});
