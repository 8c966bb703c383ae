/** The scale of a chart's values, and its points in equal steps of time. */
const MIN_SPAN = 1e-9;

interface Scale {
  readonly bottom: number;
  readonly top: number;
  readonly marks: readonly number[];
}

/** The values with a little room, and two to four marks to read them by. */
export function scaleOf(values: readonly number[], logarithmic: boolean): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (logarithmic) {
    const bottom = Math.floor(Math.log10(Math.max(low, 1)));
    const top = Math.max(Math.ceil(Math.log10(Math.max(high, 1))), bottom + 1);
    const marks = Array.from({ length: top - bottom + 1 }, (_, i) => 10 ** (bottom + i));
    return { bottom: 10 ** bottom, top: 10 ** top, marks };
  }
  const span = Math.max(high - low, Math.abs(high) * 1e-5, MIN_SPAN);
  return {
    bottom: low - span * 0.08,
    top: high + span * 0.08,
    marks: high === low ? [high] : [low, (low + high) / 2, high],
  };
}

/** How long a point is shown for the steps behind it, ms: points arrive a little early or late. */
const SHOWN_MS = 1_900;

/**
 * One point for each step up to `nowMs`, at most `stepsMax`, beginning with the first that is not older than that: the newest one at that time,
 * or null where none had arrived for a while.
 */
export function timeline<Point extends readonly [atMs: number, ...unknown[]]>(
  points: readonly Point[],
  nowMs: number,
  stepMs: number,
  stepsMax: number,
): (Point | null)[] {
  const steps: (Point | null)[] = [];
  let next = 0;
  for (let step = stepsMax - 1; step >= 0; step--) {
    const atMs = nowMs - step * stepMs;
    while (next < points.length && points[next]![0] <= atMs) next++;
    const point = points[next - 1];
    const isKnown = point !== undefined && atMs - point[0] < SHOWN_MS;
    if (isKnown || steps.length > 0) steps.push(isKnown ? point : null);
  }
  return steps;
}

export function spanText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1_000));
  return s < 120 ? `${s} s` : `${Math.round(s / 60)} min`;
}
