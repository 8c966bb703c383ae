import { describe, expect, test } from 'vitest';
import { ALWAYS_OPEN, type ScheduleSettings, weeklySchedule } from '../../engine/node-quickfix-ts/src/schedule.js';

const HOUR = 3_600_000;
/** The week of the currency market. */
const WEEK: ScheduleSettings = { startDay: 'Sun', startTime: '17:00:00', endDay: 'Fri', endTime: '17:00:00' };

const utc = (text: string): number => Date.parse(`${text}Z`);

describe('the week from Sunday to Friday, 17:00 in New York', () => {
  test.each([
    // opens (Sunday)        closes (Friday)        daylight saving
    ['2026-03-01T22:00', '2026-03-06T22:00'], // the week before it begins
    ['2026-03-08T21:00', '2026-03-13T21:00'], // it began on this Sunday
    ['2026-10-25T21:00', '2026-10-30T21:00'], // the week before it ends
    ['2026-11-01T22:00', '2026-11-06T22:00'], // it ended on this Sunday
    ['2027-03-07T22:00', '2027-03-12T22:00'],
    ['2027-03-14T21:00', '2027-03-19T21:00'],
    ['2027-10-31T21:00', '2027-11-05T21:00'],
    ['2027-11-07T22:00', '2027-11-12T22:00'],
  ])('opens at %s UTC and closes at %s UTC', (from, to) => {
    const schedule = weeklySchedule(WEEK);
    const [opens, closes] = [utc(from), utc(to)];
    expect([opens - 1, opens, closes - 1, closes].map((at) => schedule.isOpen(at))).toEqual([false, true, true, false]);
    expect([opens, closes - 1, closes, closes + HOUR].map((at) => schedule.periodStart(at))).toEqual(
      Array(4).fill(opens),
    );
    expect(schedule.periodStart(opens - 1)).toBeLessThan(opens - 166 * HOUR);
  });

  test('agrees with a clock on the wall in New York at every half hour of two years', () => {
    const wall = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      weekday: 'short',
      hour: 'numeric',
      hourCycle: 'h23',
    });
    const schedule = weeklySchedule(WEEK);
    const wrong: string[] = [];
    for (let at = utc('2026-01-01T00:00'); at < utc('2028-01-01T00:00'); at += HOUR / 2) {
      const [day, hour] = wall.format(at).split(', ');
      const late = Number(hour) >= 17;
      const open = day === 'Sun' ? late : day === 'Fri' ? !late : day !== 'Sat';
      if (schedule.isOpen(at) !== open) wrong.push(new Date(at).toISOString());
    }
    expect(wrong).toEqual([]);
  });

  test('a clock that steps backward is believed', () => {
    const moments = ['2026-11-06T23:00', '2026-11-06T21:59', '2026-10-31T12:00', '2026-11-01T22:00', '2026-11-01T21:59']
      .concat(['2026-03-08T21:00', '2026-03-08T20:59', '2026-11-04T00:00', '2025-12-31T00:00', '2026-11-04T00:00'])
      .map(utc);
    const schedule = weeklySchedule(WEEK);
    for (const at of moments) {
      const fresh = weeklySchedule(WEEK);
      expect([schedule.isOpen(at), schedule.periodStart(at)]).toEqual([fresh.isOpen(at), fresh.periodStart(at)]);
    }
  });
});

test('a daily break closes the session and keeps its period', () => {
  const schedule = weeklySchedule({ ...WEEK, dailyBreak: { startTime: '17:00:00', endTime: '17:05:00' } });
  const opens = utc('2026-11-01T22:00');
  // The week begins with the break, so it opens when that ends.
  expect([0, 4.99, 5].map((minutes) => schedule.isOpen(opens + minutes * 60_000))).toEqual([false, false, true]);
  const tuesday = utc('2026-11-03T22:00');
  expect([-0.01, 0, 4.99, 5].map((minutes) => schedule.isOpen(tuesday + minutes * 60_000))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect(schedule.periodStart(tuesday + 6 * 60_000)).toBe(opens);
});

test('a break over midnight', () => {
  const schedule = weeklySchedule({
    ...WEEK,
    timeZone: 'UTC',
    dailyBreak: { startTime: '23:55:00', endTime: '00:05:00' },
  });
  const midnight = utc('2026-11-04T00:00');
  expect([-6, -5, 4, 5].map((minutes) => schedule.isOpen(midnight + minutes * 60_000))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

describe('a session on each weekday', () => {
  const days: ScheduleSettings = {
    startTime: '08:00',
    endTime: '17:00',
    weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    timeZone: 'Europe/London',
  };

  test('begins a period each day', () => {
    const schedule = weeklySchedule(days);
    const summer = utc('2026-06-01T07:00');
    expect([-1, 0, 9 * HOUR - 1, 9 * HOUR].map((ms) => schedule.isOpen(summer + ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(schedule.periodStart(summer + 20 * HOUR)).toBe(summer);
    expect(schedule.periodStart(summer + 24 * HOUR)).toBe(summer + 24 * HOUR);
    // Saturday and Sunday belong to Friday's period.
    expect(schedule.periodStart(utc('2026-06-07T12:00'))).toBe(utc('2026-06-05T07:00'));
    expect(schedule.isOpen(utc('2026-06-07T12:00'))).toBe(false);
  });

  test('may end the day after', () => {
    const schedule = weeklySchedule({ ...days, startTime: '17:00', endTime: '17:00', timeZone: 'America/New_York' });
    expect(schedule.isOpen(utc('2026-06-02T20:59'))).toBe(true);
    expect(schedule.periodStart(utc('2026-06-02T20:59'))).toBe(utc('2026-06-01T21:00'));
    expect(schedule.periodStart(utc('2026-06-02T21:00'))).toBe(utc('2026-06-02T21:00'));
    expect(schedule.isOpen(utc('2026-06-06T20:59'))).toBe(true);
    expect(schedule.isOpen(utc('2026-06-06T21:00'))).toBe(false);
  });

  test('hours after the clocks have changed', () => {
    const morning = weeklySchedule({ startTime: '10:00', endTime: '11:00', weekdays: ['Sun'] });
    for (const opens of [utc('2026-03-08T14:00'), utc('2026-11-01T15:00')]) {
      expect([opens - 1, opens, opens + HOUR].map((at) => morning.isOpen(at))).toEqual([false, true, false]);
    }
  });

  test('at a time that the clocks show twice, or not at all', () => {
    const night = weeklySchedule({
      startTime: '01:30',
      endTime: '02:30',
      weekdays: ['Sun'],
      timeZone: 'America/New_York',
    });
    const twice = utc('2026-11-01T05:30');
    expect([twice - 1, twice].map((at) => night.isOpen(at))).toEqual([false, true]);
    const skipped = utc('2026-03-08T07:30');
    expect([skipped - 1, skipped].map((at) => night.isOpen(at))).toEqual([true, false]);
  });
});

test('a week that ends when it begins is always open, and begins a period each week', () => {
  const schedule = weeklySchedule({ ...WEEK, endDay: 'Sun' });
  for (let at = utc('2026-03-01T00:00'); at < utc('2026-04-01T00:00'); at += HOUR)
    expect(schedule.isOpen(at)).toBe(true);
  expect(schedule.periodStart(utc('2026-03-08T20:59'))).toBe(utc('2026-03-01T22:00'));
  expect(schedule.periodStart(utc('2026-03-08T21:00'))).toBe(utc('2026-03-08T21:00'));
});

test('always open is one period', () => {
  expect([ALWAYS_OPEN.isOpen(0), ALWAYS_OPEN.periodStart(1e13)]).toEqual([true, 0]);
});

test.each([
  [{ ...WEEK, startTime: '25:00' }, '"25:00" is not a time of day; write it as 17:00:00'],
  [{ ...WEEK, timeZone: 'New York' }, 'there is no time zone "New York"'],
  [{ startTime: '17:00', endTime: '17:00' }, 'give startDay and endDay (Sun to Sat), or weekdays'],
  [{ ...WEEK, dailyBreak: { startTime: '5pm', endTime: '17:05' } }, '"5pm" is not a time of day'],
])('settings that make no schedule are refused: %j', (settings, message) => {
  expect(() => weeklySchedule(settings)).toThrow(`Session schedule: ${message}`);
});
