import { expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { readCalendar } from '../../../engine/service/prices/read-calendar.js';

const read = (input: unknown) => readCalendar.execute({} as never, undefined, readCalendar.input.parse(input));

test('states the calendar of a currency, with its source', () => {
  expect(read({ currency: 'AED', from: '2025-11-01', to: '2026-01-31' })).toEqual({
    currency: 'AED',
    knownFrom: '2025-01-01',
    knownUntil: '2027-03-05',
    gaps: [
      { from: '2026-05-25', until: '2026-05-29' },
      { from: '2026-06-15', until: '2026-06-19' },
      { from: '2026-08-24', until: '2026-08-28' },
      { from: '2026-12-02', until: '2026-12-04' },
    ],
    source: expect.stringContaining('Cabinet resolution 27 of 2024'),
    holidays: [
      { date: '2025-12-01', name: 'National Day' },
      { date: '2025-12-02', name: 'National Day' },
      { date: '2026-01-01', name: "New Year's Day" },
    ],
  });
});

test('without dates: all that is known', async () => {
  const found = await read({ currency: 'EUR' });
  if (isRefusal(found)) throw new Error(found.text);
  expect(found.holidays[0]).toEqual({ date: '2025-01-01', name: "New Year's Day" });
  expect(found.holidays.at(-1)).toEqual({ date: '2028-12-26', name: 'Second day of Christmas' });
});

test.each([
  [{ currency: 'RUB' }, 'RUB is not offered'],
  [{ currency: 'eur' }, 'one code of three upper-case letters'],
  [{ currency: 'EUR', from: '20260101' }, 'a date, YYYY-MM-DD'],
  [{ currency: 'EUR', to: '2026-02-30' }, 'a date, YYYY-MM-DD'],
])('%j: %s', (input, message) => {
  expect(readCalendar.input.safeParse(input).error?.issues[0]?.message).toBe(message);
});
