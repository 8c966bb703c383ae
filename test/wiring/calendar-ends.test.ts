/** The warning of a start whose calendars end soon. */
import { expect, test } from 'vitest';
import { warnOfEndingCalendars } from '../../engine/wiring/calendar-ends.js';

function warningsOn(date: string): string[] {
  const lines: string[] = [];
  const log = { info: () => {}, error: () => {}, warn: (_fields: object, message: string) => void lines.push(message) };
  warnOfEndingCalendars(log, Date.parse(date));
  return lines;
}

test('warns of each calendar from 90 days before its last known day, and after it', () => {
  const line = (currency: string, knownUntil: string) =>
    `the holidays of ${currency} are known until ${knownUntil}: later settlement dates are rejected; install a release with the next list`;
  expect(warningsOn('2026-10-30')).toEqual([]);
  expect(warningsOn('2026-10-31')).toEqual([line('CNY', '2027-01-29')]);
  expect(warningsOn('2026-11-22')).toEqual([line('CNY', '2027-01-29'), line('THB', '2027-02-19')]);
  expect(warningsOn('2029-01-01')).toHaveLength(31);
});
