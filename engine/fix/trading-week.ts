import { type Schedule, weeklySchedule } from 'node-quickfix-ts';

/** FIX_SCHEDULE=weekly: the currency week, which turns at five in the afternoon in New York. */
export const TRADING_WEEK: Schedule = weeklySchedule({
  startDay: 'Sun',
  startTime: '17:00:00',
  endDay: 'Fri',
  endTime: '17:00:00',
  timeZone: 'America/New_York',
});
