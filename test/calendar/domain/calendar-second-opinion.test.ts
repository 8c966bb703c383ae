import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CALENDARS } from '../../../engine/domain/calendar/currencies.js';
import { dateText, SATURDAY, SUNDAY, weekday } from '../../../engine/domain/calendar/day.js';

// Weekday holidays by QuantLib's calendars, 2025 to 2030: rules that others wrote from the same laws. Ours are asked
// beyond 2028 too, where their calendars are not yet promised. `+` is a holiday of ours only, `-` one of theirs only.
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // New South Wales gave the Monday in these two years; by its general rule it does not.
  AUD: ['+ Anzac Day (observed) 20260427 20270426'],
  // A national holiday since Act 14.759 of 2023, which is younger than their list.
  BRL: ['+ Black Awareness Day 20251120 20261120 20281120 20291120 20301120'],
  // Great Prayer Day was abolished from 2024; the other three are banking holidays, not public ones.
  DKK: [
    '+ Day after Ascension 20250530 20260515 20270507 20280526 20290511 20300531',
    '+ Christmas Eve 20251224 20261224 20271224 20291224 20301224',
    "+ New Year's Eve 20251231 20261231 20271231 20291231 20301231",
    '- 20250516 20260501 20270423 20280512 20290427 20300517',
  ],
  // By decrees of each year.
  HUF: ['+ Rest day 20250502 20251024 20251224 20260102 20260821 20261224'],
  // Theirs is the stock exchange with its fixed days only; that of banks has those of the moon, and 1 April.
  INR: [
    '+ Shivaji Jayanti 20250219',
    '+ Mahashivratri 20250226',
    '+ Holi 20250314',
    '+ Id-ul-Fitr 20250331',
    '+ Annual closing of accounts 20250401',
    '+ Mahavir Jayanti 20250410',
    '+ Buddha Purnima 20250512',
    '+ Ganesh Chaturthi 20250827',
    '+ Id-e-Milad 20250908',
    '+ Diwali (Laxmi Pujan) 20251021',
    '+ Diwali Balipratipada 20251022',
    '+ Guru Nanak Jayanti 20251105',
  ],
  // Matariki is by Act of 2022 and theirs is older; of the two cities they have Wellington only.
  NZD: [
    '+ Auckland Anniversary 20250127 20260126 20270201 20280131 20290129 20300128',
    '+ Matariki 20250620 20260710 20270625 20280714',
  ],
  // Free by the act of 2024, from 2025.
  PLN: ['+ Christmas Eve 20251224 20261224 20271224 20291224 20301224'],
  // Acts of 2018 and 2023 added these.
  RON: [
    '+ Epiphany 20250106 20260106 20270106 20280106',
    '+ St John the Baptist 20250107 20260107 20270107 20280107 20300107',
    '+ Orthodox Good Friday 20250418 20260410 20270430 20280414 20290406 20300426',
  ],
  // Juneteenth on a Saturday: the Reserve Banks are open on the Friday, as their own schedule says of all such days.
  USD: ['- 20270618'],
  // Local elections, by proclamation.
  ZAR: ['+ Election Day 20261104'],
};

const theirs = readFileSync(new URL('../../data/domain/holidays-quantlib-2025-2030.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(',') as [currency: string, year: string, dates: string]);
const currencies = [...new Set(theirs.map(([currency]) => currency))];

describe('a second opinion on every calendar by rule', () => {
  test('of 19 currencies', () => {
    expect(currencies).toHaveLength(19);
    expect(Object.keys(DIFFERENCES).filter((currency) => !currencies.includes(currency))).toEqual([]);
  });

  test.each(currencies)('%s: no difference but those with a reason', (currency) => {
    const onlyOurs = new Map<string, string[]>();
    const onlyTheirs: string[] = [];
    for (const [, year, dates] of theirs.filter(([of]) => of === currency)) {
      const ours = new Map(
        CALENDARS.get(currency)!
          .rule(Number(year))
          .filter(({ day }) => weekday(day) !== SATURDAY && weekday(day) !== SUNDAY)
          .map(({ day, name }) => [dateText(day), name]),
      );
      const other = new Set(dates.split(' ').map((date) => `${year}${date}`));
      for (const [date, name] of ours) {
        if (!other.has(date)) onlyOurs.set(name, [...(onlyOurs.get(name) ?? []), date]);
      }
      onlyTheirs.push(...[...other].filter((date) => !ours.has(date)));
    }
    const found = [...onlyOurs].map(([name, dates]) => `+ ${name} ${dates.join(' ')}`);
    if (onlyTheirs.length > 0) found.push(`- ${onlyTheirs.join(' ')}`);
    expect([...found].sort()).toEqual([...(DIFFERENCES[currency] ?? [])].sort());
  });
});
