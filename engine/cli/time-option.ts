import { InvalidArgumentError, Option } from 'commander';
import { INSTANT_SAYS, instantOf, isDay } from '../domain/core/instant.js';
import { durationMs } from '../domain/sandbox/sandbox.js';

/** `90s`, `30m`, `24h` or `7d` in milliseconds; NaN for another text, and for more than eight digits. */
export const periodMs = (text: string): number => (/^\d{1,8}[smhd]$/.test(text) ? durationMs(text) : Number.NaN);

/** A time as epoch ms: `2026-11-20` (UTC), a time as the API takes it, or a period before now, such as `2h` or `30d`. */
export function timeOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    const ago = periodMs(text);
    if (!Number.isNaN(ago)) return Math.max(0, Date.now() - ago);
    const ms = /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text) ? Date.parse(text) : instantOf(text);
    if (typeof ms !== 'number')
      throw new InvalidArgumentError(`${INSTANT_SAYS}; a day: 2026-11-20; or so long ago: 30m, 2h, 30d`);
    return ms;
  });
}
