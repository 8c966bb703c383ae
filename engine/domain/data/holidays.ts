/** Holidays that are known by date only, from the data files of this folder. */
import { readDataFile } from './data-file.js';

export interface ListedHolidays {
  readonly source: string;
  /** Spans of days for which the list is complete. */
  readonly known: string;
  /** Name and dates `YYYYMMDD`, separated by spaces. */
  readonly holidays: readonly (readonly [name: string, dates: string])[];
}

export function listedHolidays(currency: string): ListedHolidays {
  const file = `holidays-${currency.toLowerCase()}.txt`;
  const { source, known, lines } = readDataFile(file);
  if (known === undefined) throw new RangeError(`${file}: the header does not say for which days the list is known`);
  const holidays = lines.map((line) => {
    const [, name, dates] = /^(.+): ([\d ]+)$/.exec(line) ?? [];
    if (!name || !dates) throw new RangeError(`${file}: '${line}' is no holiday with its dates`);
    return [name, dates] as const;
  });
  return { source, known, holidays };
}
