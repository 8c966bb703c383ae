import { InvalidArgumentError, Option } from 'commander';
import { durationMs } from '../domain/sandbox.js';

/** `90s`, `30m`, `24h` or `7d` in milliseconds; NaN for another text, and for more than eight digits. */
export const periodMs = (text: string): number => (/^\d{1,8}[smhd]$/.test(text) ? durationMs(text) : Number.NaN);

/** A time as epoch ms: `2026-11-20`, `2026-11-20T08:00:00Z`, or a period before now, such as `2h` or `30d`. */
export function timeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    const ago = periodMs(text);
    if (!Number.isNaN(ago)) return Math.max(0, Date.now() - ago);
    const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
    // There is no 31st of November: it would be the first of the next month.
    if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10)))
      throw new InvalidArgumentError('a time: 2026-11-20, 2026-11-20T08:00:00Z (UTC), or so long ago: 30m, 2h, 30d');
    return ms;
  });
}
