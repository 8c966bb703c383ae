/** Days and times of day on the clocks of a time zone. A day is written as its midnight in UTC, epoch ms. */
export interface WallClock {
  /** The calendar day there at this moment. */
  dayOf(ms: number): number;
  /**
   * The moment when clocks there show this time of that day. Where clocks show it twice, the earlier moment; where they skip
   * it, the moment as far after the change as it would have been.
   */
  at(day: number, timeOfDayMs: number): number;
}

/** Throws an Error with one clear line when there is no such time zone. */
export function wallClock(timeZone: string): WallClock {
  const format = formatter(timeZone);

  /** What clocks there show, read as if it were UTC. */
  const shown = (ms: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
    return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  };
  const offset = (ms: number): number => {
    const second = Math.floor(ms / 1000) * 1000;
    return shown(second) - second;
  };

  return {
    dayOf: (ms) => Math.floor((ms + offset(ms)) / 86_400_000) * 86_400_000,
    at(day, timeOfDayMs) {
      const wall = day + timeOfDayMs;
      // The offsets half a day either side are those before and after a change, if there is one near.
      const before = offset(wall - offset(wall) - 43_200_000);
      const after = offset(wall - offset(wall) + 43_200_000);
      const earlier = wall - before;
      return offset(earlier) === before ? earlier : offset(wall - after) === after ? wall - after : earlier;
    },
  };
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new Error(
      `Session schedule: there is no time zone "${timeZone}"; give an IANA name such as America/New_York`,
    );
  }
}
