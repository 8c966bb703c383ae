import type { Schedule } from './types.js';

/** In the words of `Intl.DateTimeFormat` for English. */
export type Weekday = 'Sun' | 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat';

const WEEKDAYS: readonly Weekday[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const DAY_MS = 86_400_000;

/** One session a day, or a week. */
export interface ScheduleSettings {
  /** Times are `HH:MM:SS` on the clock of `timeZone` (IANA name; New York by default, where the currency week turns). */
  readonly startTime: string;
  readonly endTime: string;
  readonly timeZone?: string;
  /** One session a week, from startDay to endDay. */
  readonly startDay?: Weekday;
  readonly endDay?: Weekday;
  /** Instead: one session on each of these days; one that ends at or before its start ends the day after. */
  readonly weekdays?: readonly Weekday[];
  /** Closed each day between the two times; the sequence numbers continue after it. */
  readonly dailyBreak?: { readonly startTime: string; readonly endTime: string };
}

/** Open at every moment, one period for ever. */
export const ALWAYS_OPEN: Schedule = { isOpen: () => true, periodStart: () => 0 };

/** A stretch of time in which nothing changes: from <= t < until. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly open: boolean;
  readonly periodStart: number;
}

/**
 * A weekly session (startDay to endDay) or one on each of the weekdays. Between sessions `periodStart` is that of the one
 * that has ended. Throws an Error with one clear line when the settings make no schedule.
 */
export function weeklySchedule(settings: ScheduleSettings): Schedule {
  const stretchAt = stretches(settings);
  // Asked with every message and rarely different: the last answer holds until its own end, forwards and backwards.
  let last: Stretch = stretchAt(0);
  const at = (nowMs: number): Stretch => {
    if (nowMs < last.from || nowMs >= last.until) last = stretchAt(nowMs);
    return last;
  };
  return { isOpen: (nowMs) => at(nowMs).open, periodStart: (nowMs) => at(nowMs).periodStart };
}

function stretches(settings: ScheduleSettings): (nowMs: number) => Stretch {
  const clock = wallClock(settings.timeZone ?? 'America/New_York');
  const start = timeOfDay(settings.startTime);
  const end = timeOfDay(settings.endTime);
  const { starts, days } = sessionDays(settings, start, end);
  const pause = settings.dailyBreak;
  const pauseStart = pause === undefined ? 0 : timeOfDay(pause.startTime);
  const pauseEnd = pause === undefined ? 0 : timeOfDay(pause.endTime);

  return (nowMs) => {
    const today = clock.dayOf(nowMs);
    let from = Number.NEGATIVE_INFINITY;
    let until = Number.POSITIVE_INFINITY;
    const boundary = (t: number): number => {
      if (t <= nowMs) from = Math.max(from, t);
      else until = Math.min(until, t);
      return t;
    };
    let periodStart = Number.NEGATIVE_INFINITY;
    let open = false;
    let paused = false;
    // The session that holds a moment, or the last one before it, began at most a week and a day ago.
    for (let day = today - 8 * DAY_MS; day <= today + 8 * DAY_MS; day += DAY_MS) {
      if (pause !== undefined) {
        const pausedFrom = boundary(clock.at(day, pauseStart));
        const pausedUntil = boundary(clock.at(pauseEnd > pauseStart ? day : day + DAY_MS, pauseEnd));
        if (pausedFrom <= nowMs && nowMs < pausedUntil) paused = true;
      }
      if (!starts.has(WEEKDAYS[new Date(day).getUTCDay()])) continue;
      const opens = boundary(clock.at(day, start));
      const closes = boundary(clock.at(day + days * DAY_MS, end));
      if (opens > nowMs) continue;
      periodStart = opens;
      open = nowMs < closes;
    }
    return { from, until, open: open && !paused, periodStart };
  };
}

/** On which days sessions begin, and after how many days they end. */
function sessionDays(
  settings: ScheduleSettings,
  start: number,
  end: number,
): { starts: ReadonlySet<Weekday>; days: number } {
  const { startDay, endDay, weekdays } = settings;
  if (weekdays !== undefined && weekdays.length > 0) return { starts: new Set(weekdays), days: end <= start ? 1 : 0 };
  if (startDay === undefined || endDay === undefined) {
    throw new Error('Session schedule: give startDay and endDay (Sun to Sat), or weekdays');
  }
  const days = (WEEKDAYS.indexOf(endDay) - WEEKDAYS.indexOf(startDay) + 7) % 7;
  return { starts: new Set([startDay]), days: days === 0 && end <= start ? 7 : days };
}

/** `HH:MM:SS` or `HH:MM` as milliseconds of the day. */
function timeOfDay(text: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (match === null) throw new Error(`Session schedule: "${text}" is not a time of day; write it as 17:00:00`);
  return (Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0)) * 1000;
}

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
