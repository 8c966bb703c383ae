/** The table against the sheet that it was made from: a mistyped limit, form or field fails here. */
import { describe, expect, test } from 'vitest';
import { ibanCountryOf } from '../../../engine/domain/beneficiaries/identifiers/iban.js';
import { corridorCurrency, corridorOf, isPaidOut } from '../../../engine/domain/payments/corridors/corridor-of.js';
import {
  isCountry,
  isoCountries,
  isPayeeCountry,
  isSepaCountry,
} from '../../../engine/domain/payments/corridors/countries.js';
import { CORRIDORS } from '../../../engine/domain/payments/corridors/table.js';
import { OCCUPATIONS, PURPOSE_CODES } from '../../../engine/domain/payments/corridors/words.js';

const remitter = {
  n: ['name', 'countryCode'],
  na: ['name', 'countryCode', 'address'],
};

test.each([
  // country currency decimals methods                 min      max of each method              names narrative purpose
  ['IN INR 2', 'BANK', '1', '1500000', '50 140', true],
  ['GB GBP 2', 'BANK', '0.01', '1000000', '140 18', false],
  ['US USD 2', 'BANK', '0.01', '1000000', '35 10', false],
  ['AU AUD 2', 'BANK', '0.01', '9999999.99', '140 18', false],
  ['SG SGD 2', 'BANK', '1', '9999999.99', '140 140', false],
  ['HK HKD 2', 'BANK', '0.01', '10000000', '140 140', false],
  ['EU EUR 2', 'BANK', '0.01', '', '70 140', false],
  ['BR BRL 2', 'BANK WALLET', '0.01', '9999999.99 9999999.99', '140 120', true],
  ['MX MXN 2', 'BANK', '0.10', '9999999.99', '100 39', false],
  ['PH PHP 2', 'BANK WALLET CASH', '1', '1300000 500000 ', '140 140', true],
  ['ID IDR 0', 'BANK WALLET', '10000', '350000000 20000000', '140 140', true],
  ['BD BDT 2', 'BANK WALLET CASH', '10', '  ', '140 140', true],
  ['VN VND 0', 'BANK', '300', '300000000', '70 105', true],
  ['MY MYR 2', 'BANK', '1', '100000', '140 140', true],
  ['TH THB 2', 'BANK', '1', '', '140 140', false],
  ['CN CNY 2', 'BANK WALLET', '1', '4999999 50000', '140 140', true],
  ['JP JPY 0', 'BANK', '1', '9999999', '48 20', false],
  ['CA CAD 2', 'BANK', '0.01', '200000', '140 15', false],
  ['NZ NZD 2', 'BANK', '0.01', '99999999.99', '140 12', false],
  ['AE AED 2', 'BANK', '1', '9999999.99', '140 140', true],
  ['ZA ZAR 2', 'BANK', '1', '5000000', '140 30', true],
  ['NG NGN 2', 'BANK', '1', '5000000', '140 16', true],
  ['KE KES 2', 'BANK WALLET', '100', '999999 250000', '140 140', true],
] as const)('%s', (who, methods, min, max, lengths, isPurposeNeeded) => {
  const row = CORRIDORS.find(({ country }) => country === who.slice(0, 2))!;
  expect(`${row.country} ${row.currency} ${row.decimals}`).toBe(who);
  expect(Object.keys(row.methods).join(' ')).toBe(methods);
  expect(row.min).toBe(min);
  expect(Object.values(row.methods).map((limits) => limits.max ?? '')).toEqual(max.split(' '));
  expect(`${row.nameMax} ${row.narrativeMax}`).toBe(lengths);
  expect(row.isPurposeNeeded).toBe(isPurposeNeeded);
});

test.each([
  ['IN', /^[0-9A-Z]{6,20}$/, 'IFSC', remitter.na],
  ['GB', /^(\d{8}|GB\d{2}[A-Z]{4}\d{14})$/, 'SORT CODE', [...remitter.na, 'city']],
  ['US', /^\d{1,17}$/, 'ACH CODE|SWIFT', [...remitter.na, 'city']],
  ['AU', /^\d{3,9}$/, 'BSB CODE|SWIFT', remitter.na],
  ['SG', /^[0-9A-Z]{7,17}$/, 'SWIFT|BANK CODE,BRANCH CODE', remitter.n],
  ['HK', /^\d{6,17}$/, 'BANK CODE|SWIFT', remitter.na],
  ['EU', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, '', ['name']],
  ['BR', /^\d{1,13}-?[0-9Xx]?$/, 'BANK CODE,BRANCH CODE', remitter.n],
  ['MX', /^\d{18}$/, '', remitter.n],
  ['PH', /^\d{6,17}$/, 'SWIFT', remitter.na],
  ['ID', /^\d{5,20}$/, 'SWIFT|BANK CODE', remitter.na],
  ['BD', /^\d{9,17}$/, 'BRANCH CODE', remitter.na],
  ['VN', /^[0-9A-Z]{6,30}$/, 'SWIFT', remitter.na],
  ['MY', /^\d{5,17}$/, 'SWIFT', remitter.na],
  ['TH', /^\d{7,15}$/, 'SWIFT', remitter.n],
  ['CN', /^\d{9,32}$/, 'BANK CODE|SWIFT', remitter.na],
  ['JP', /^\d{4,7}$/, 'BANK CODE,BRANCH CODE', remitter.na],
  ['CA', /^\d{5,12}$/, 'BANK CODE,BRANCH CODE', remitter.na],
  ['NZ', /^\d{2}-?\d{4}-?\d{7,8}-?\d{2,3}$/, '', remitter.n],
  ['AE', /^AE\d{21}$/, 'SWIFT', remitter.na],
  ['ZA', /^\d{7,13}$/, 'BRANCH CODE|SWIFT', remitter.na],
  ['NG', /^\d{10}$/, 'BANK CODE', remitter.na],
  ['KE', /^\d{6,16}$/, 'BANK CODE', remitter.na],
] as const)('%s: account %s, by %s', (country, form, route, named) => {
  const row = CORRIDORS.find((one) => one.country === country)!;
  expect(row.account.form).toEqual(form);
  expect(row.route.map((kinds) => kinds.join()).join('|')).toBe(route);
  const always = row.remitter.filter(({ when }) => when === undefined).map(({ field }) => field);
  expect(always).toEqual(named.map((name) => `remitter.${name}`));
});

test.each([
  ['IN', 'address city bankName'],
  ['GB', ''],
  ['US', 'address city state postcode bankAccountType'],
  ['AU', 'address city postcode'],
  ['SG', 'bankName'],
  ['HK', 'address'],
  ['EU', ''],
  ['BR', 'bankAccountType bankName'],
  ['MX', 'address city state postcode'],
  ['PH', 'address city contactNumber sourceOfFunds'],
  ['ID', 'address city relationship sourceOfFunds'],
  ['BD', 'address city contactNumber bankName'],
  ['VN', 'bankName sourceOfFunds'],
  ['MY', 'address city'],
  ['TH', ''],
  ['CN', 'address city'],
  ['JP', 'bankAccountType'],
  ['CA', 'address city state postcode'],
  ['NZ', ''],
  ['AE', 'address city bankName dob'],
  ['ZA', 'bankAccountType contactNumber'],
  ['NG', 'address contactNumber'],
  ['KE', 'address city'],
])('%s asks for %s', (country, fields) => {
  const row = CORRIDORS.find((one) => one.country === country)!;
  expect(row.beneficiary.map(({ field }) => field.split('.')[1]).join(' ')).toBe(fields);
});

describe('the corridor of a payment', () => {
  test.each([
    ['IN', 'INR', 'IN INR'],
    ['IN', 'USD', 'IN USD'],
    ['DE', 'EUR', 'EU EUR'],
    ['CH', 'EUR', 'EU EUR'],
    ['GB', 'EUR', 'EU EUR'],
    ['GB', 'GBP', 'GB GBP'],
    ['BR', 'EUR', 'BR EUR'],
    ['DE', 'INR', undefined],
    ['AR', 'ARS', undefined],
  ])('%s in %s', (country, currency, corridor) => {
    const found = corridorOf(country, currency);
    expect(found && `${found.country} ${found.currency}`).toBe(corridor);
  });

  test('the currency of a payment that names none', () => {
    expect(['IN', 'DE', 'BG', 'SE', 'CH', 'AR'].map(corridorCurrency)).toEqual([
      'INR',
      'EUR',
      'EUR',
      undefined,
      undefined,
      undefined,
    ]);
    expect(['BDT', 'NOK', 'ARS', 'ZZZ'].map(isPaidOut)).toEqual([true, true, false, false]);
  });

  test('countries, of SEPA, and with IBANs', () => {
    expect(isoCountries()).toHaveLength(249);
    expect([isCountry('XK'), isCountry('EU'), isCountry('AQ')]).toEqual([false, false, true]);
    expect(['XK', 'EU', 'DE'].map(isPayeeCountry)).toEqual([true, false, true]);
    expect(isoCountries().filter(isSepaCountry)).toHaveLength(54);
    expect(['DE', 'GF', 'JE', 'IN', 'US', 'TR'].map(ibanCountryOf)).toEqual([
      'DE',
      'FR',
      'GB',
      undefined,
      undefined,
      'TR',
    ]);
  });

  test('the lists of the interface', () => {
    expect(PURPOSE_CODES).toHaveLength(28);
    expect(OCCUPATIONS).toHaveLength(25);
  });
});
