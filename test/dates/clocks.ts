/**
 * The times of day under which the whole suite passes: where dates, hours and calendars differ from those of an ordinary day. The calendars
 * known by rule end on 2028-12-31, and no clock after it can pass.
 */

export interface Clock {
  readonly name: string;
  /** UTC, when the run begins. */
  readonly at: string;
}

/** Those before a boundary begin so shortly before it that the run crosses it. */
export const CLOCKS: readonly Clock[] = [
  { name: 'an ordinary Tuesday', at: '2026-11-10T10:30:00Z' },
  { name: 'the day before Thanksgiving', at: '2026-11-25T14:00:00Z' },
  { name: 'Thanksgiving', at: '2026-11-26T18:00:00Z' },
  { name: 'the day after Thanksgiving', at: '2026-11-27T08:00:00Z' },
  { name: '24 December', at: '2026-12-24T16:00:00Z' },
  { name: '31 December, into the new year', at: '2026-12-31T23:55:00Z' },
  { name: '29 February', at: '2028-02-29T12:00:00Z' },
  { name: 'Friday, shortly before the market closes', at: '2027-01-15T21:59:00Z' },
  { name: 'Sunday, shortly after the market opens', at: '2027-01-17T22:01:00Z' },
  { name: 'New York changes to summer time', at: '2027-03-14T06:55:00Z' },
  { name: 'New York changes to winter time', at: '2027-11-07T05:55:00Z' },
  { name: 'the holidays of CNY are not known any more', at: '2027-02-01T09:00:00Z' },
];
