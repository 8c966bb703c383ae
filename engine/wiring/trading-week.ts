import { ALWAYS_OPEN, type Schedule, weeklySchedule } from 'node-quickfix-ts';
import type { Config } from './config.js';

/** The currency week, which turns at five in the afternoon in New York. */
const CURRENCY_WEEK = weeklySchedule({
  startDay: 'Sun',
  startTime: '17:00:00',
  endDay: 'Fri',
  endTime: '17:00:00',
  timeZone: 'America/New_York',
});

/** When the market is open and desks may be logged on: FIX_SCHEDULE. */
export function tradingHours({ FIX_SCHEDULE }: Pick<Config, 'FIX_SCHEDULE'>): Schedule {
  return FIX_SCHEDULE === 'weekly' ? CURRENCY_WEEK : ALWAYS_OPEN;
}
