import { InvalidArgumentError, Option } from 'commander';

const DAY_MS = 24 * 3_600_000;

/** A time as epoch ms: `2026-11-20`, `2026-11-20T08:00:00Z`, or `30d` for so many days ago. */
export function timeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    const days = /^(\d{1,4})d$/.exec(text)?.[1];
    if (days !== undefined) return Date.now() - Number(days) * DAY_MS;
    const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
    // There is no 31st of November: it would be the first of the next month.
    if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10)))
      throw new InvalidArgumentError('a time: 2026-11-20, 2026-11-20T08:00:00Z (UTC), or 30d');
    return ms;
  });
}
