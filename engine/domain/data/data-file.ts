/** Reads files of the project, and the data files of this folder, directories and lists of holidays: a header of `# name: value` lines (title, source, licence, issued, retrieved, known), and the data. */
import { existsSync, readFileSync } from 'node:fs';

export interface DataFile {
  readonly source: string;
  /** The lines of data, without comments. */
  readonly lines: readonly string[];
  /** Spans of days `YYYYMMDD-YYYYMMDD` that the data are complete for; absent: they do not end. */
  readonly known: string | undefined;
}

/** In the project. */
export const FIX_DICTIONARY = 'fix-config/FIX44-ratewire.xml';

/** A file by its path in the project, in the clone and in an installed package alike. Compiled programs are in dist/, one folder deeper. */
export function projectFile(path: string): URL {
  const fromSource = new URL(`../../../${path}`, import.meta.url);
  return existsSync(fromSource) ? fromSource : new URL(`../../../../${path}`, import.meta.url);
}

/** Throws the file system's error. */
export const readProjectFile = (path: string): string => readFileSync(projectFile(path), 'utf8');

/** Of package.json. */
export const projectVersion = (): string => JSON.parse(readProjectFile('package.json')).version;

/** Throws when the file is missing or its header is not complete; a file whose data end has a date of issue as well. */
export function readDataFile(name: string): DataFile {
  const all = readProjectFile(`engine/domain/data/${name}`).split('\n');
  const header = new Map(
    all.flatMap((line) => {
      const [, key, value] = /^# (\w+): (.+)$/.exec(line) ?? [];
      return key && value ? [[key, value] as const] : [];
    }),
  );
  for (const required of ['title', 'source', 'licence', 'retrieved', ...(header.has('known') ? ['issued'] : [])])
    if (!header.has(required)) throw new RangeError(`${name}: the header has no ${required}`);
  return {
    source: header.get('source')!,
    lines: all.filter((line) => line !== '' && !line.startsWith('#')),
    known: header.get('known'),
  };
}

export interface ListedHolidays {
  readonly source: string;
  /** Spans of days for which the list is complete. */
  readonly known: string;
  /** Name and dates `YYYYMMDD`, separated by spaces. */
  readonly holidays: readonly (readonly [name: string, dates: string])[];
}

/** Holidays that are known by date only. Throws where the file is no such list. */
export function listedHolidays(currency: string): ListedHolidays {
  const file = `holidays-${currency.toLowerCase()}.txt`;
  const { source, known, lines } = readDataFile(file);
  if (known === undefined) throw new RangeError(`${file}: the header has no known days`);
  const holidays = lines.map((line) => {
    const [, name, dates] = /^(.+): ([\d ]+)$/.exec(line) ?? [];
    if (!name || !dates) throw new RangeError(`${file}: '${line}' is no holiday with its dates`);
    return [name, dates] as const;
  });
  return { source, known, holidays };
}
