/**
 * Many whole numbers, written small: in rising order, each as its distance from the one before, in base 36; `-n` after it says that n more
 * follow it without a gap. `a-2 3` is 10, 11, 12, 15.
 */

/** Whether a number is in a text of runs. The text is parsed at the first call of the returned function. */
export function numberRuns(text: string): (number: number) => boolean {
  let runs: Runs | undefined;
  return (number) => {
    runs ??= read(text);
    const at = lastNotAbove(runs.starts, number);
    return at >= 0 && number <= runs.ends[at]!;
  };
}

interface Runs {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function read(text: string): Runs {
  const starts: number[] = [];
  const ends: number[] = [];
  let last = 0;
  for (const run of text.match(/\S+/g) ?? []) {
    const [distance, more] = run.split('-');
    const start = last + Number.parseInt(distance!, 36);
    last = start + (more === undefined ? 0 : Number.parseInt(more, 36));
    starts.push(start);
    ends.push(last);
  }
  return { starts, ends };
}

/** Index of the last start that is not above the number, -1 if all are. */
function lastNotAbove(starts: readonly number[], number: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
