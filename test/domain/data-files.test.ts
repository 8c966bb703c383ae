/** The data files of the domain: each has a header, and a file without one is not read. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calendarOf } from '../../engine/domain/calendar/calendar.js';
import { listedHolidays, readDataFile } from '../../engine/domain/data/data-file.js';
import { ROOT, read } from '../tidy/tree.js';

const FILES = readdirSync(`${ROOT}/engine/domain/data`).filter((name) => name.endsWith('.txt'));

test('there are directories and lists of holidays', () => expect(FILES.length).toBeGreaterThanOrEqual(20));

test.each(FILES)('%s has a title, source, licence and date of retrieval, and of issue where its data end', (name) => {
  expect(read(`engine/domain/data/${name}`)).toMatch(
    /^# title: .+\n# source: .+\n# licence: .+\n(# issued: \d{4}-\d\d-\d\d(, .+)?\n# retrieved: \d{4}-\d\d\n# known: .+\n|# retrieved: \d{4}-\d\d\n)\n/,
  );
  expect(readDataFile(name).lines.length).toBeGreaterThan(0);
});

const LISTED = FILES.flatMap((name) => /^holidays-(...)\.txt$/.exec(name)?.[1]?.toUpperCase() ?? []);

test.each(LISTED)('the calendar of %s ends where its list ends', (currency) => {
  const { known, source } = listedHolidays(currency);
  expect(calendarOf(currency)).toMatchObject({ knownUntil: known.slice(-8), source });
});

test('rejects a directory as a list of holidays, and a file that is missing', () => {
  expect(() => readDataFile('nothing.txt')).toThrow(/ENOENT/);
  expect(() => listedHolidays('AAA')).toThrow(/ENOENT/);
});
