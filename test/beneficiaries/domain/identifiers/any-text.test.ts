/** Whatever a field holds, a check answers: no exception, at any length; and one mistyped digit is found where the algorithm finds them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { luhnFault, nubanFault } from '../../../../engine/domain/beneficiaries/identifiers/account-numbers.js';
import {
  bsbDirectoryFault,
  bsbFault,
  sortCodeFault,
} from '../../../../engine/domain/beneficiaries/identifiers/bank-codes.js';
import { ccFault, ceFault, ciFault } from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-americas.js';
import {
  orgCodeFault,
  passportFault,
} from '../../../../engine/domain/beneficiaries/identifiers/tax-ids-asia-pacific.js';
import { parseUkModulusTable, ukModulusFault } from '../../../../engine/domain/beneficiaries/identifiers/uk-modulus.js';
import { KINDS } from './kinds.js';

type Check = (value: string) => string | undefined;

const TABLE = parseUkModulusTable('000000 999999 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2 1');

const FAULTS: readonly (readonly [string, Check])[] = [
  ...Object.entries(KINDS).map(([kind, { fault }]): [string, Check] => [kind, fault]),
  ['bsb', bsbFault],
  ['cc', ccFault],
  ['ce', ceFault],
  ['ci of Uruguay', (value) => ciFault(value, 'UY')],
  ['ci of Bolivia', (value) => ciFault(value, 'BO')],
  ['luhn', luhnFault],
  ['nuban, account', (value) => nubanFault('011', value)],
  ['nuban, bank', (value) => nubanFault(value, '0000014579')],
  ['organization code', orgCodeFault],
  ['passport', passportFault],
  ['sort code', sortCodeFault],
  ['modulus, account', (value) => ukModulusFault('200000', value, TABLE)],
  ['modulus, sort code', (value) => ukModulusFault(value, '12345678', TABLE)],
];

const WARNINGS: readonly (readonly [string, Check])[] = [
  ...Object.entries(KINDS).flatMap(([kind, { warning }]): [string, Check][] => (warning ? [[kind, warning]] : [])),
  ['bsb', bsbDirectoryFault],
];

const TEXTS = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'0123456789AKXÑñı²٣０-–.,/ '), maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 24 }),
  fc
    .tuple(fc.constantFrom('0', '9', 'A', '-', ' ', 'é', '\ud800', '𝟙'), fc.nat(10_000))
    .map(([one, times]) => one.repeat(times)),
);

test.each([...FAULTS, ...WARNINGS])('%s: names the fault of any text, or none', (_, check) => {
  fc.assert(fc.property(TEXTS, (text) => ['string', 'undefined'].includes(typeof check(text))));
});

test.each(FAULTS)('%s: rejects digits that are not 0 to 9, and 10,000 characters', (_, check) => {
  for (const text of ['٠١٢٣٤٥٦٧٨٩', '０１２３４５６７８', '𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙', '0'.repeat(10_000), 'A'.repeat(10_000), '']) {
    expect(check(text)).toBeTypeOf('string');
  }
});

describe('one digit mistyped', () => {
  test.each([
    ['iban', KINDS.iban!.fault, 'GB29NWBK60161331926819'],
    ['aba', KINDS.aba_routing!.fault, '111000025'],
    ['clabe', KINDS.mx_clabe!.fault, '002010077777777771'],
    ['luhn', luhnFault, '4111111111111111'],
    ['nuban', (value: string) => nubanFault('011', value), '0000014579'],
    ['rut of Chile', KINDS.cl_rut!.fault, '760012157'],
    ['abn', KINDS.au_abn!.fault, '11574456001'],
    ['social credit code', KINDS.cn_uscc!.fault, '911522010783762860'],
    ['organization code', orgCodeFault, 'D2143569X'],
    ['ci of Ecuador', KINDS.ec_ci!.fault, '1714307103'],
    ['modulus 11', (value: string) => ukModulusFault('200000', value, TABLE), '00000000'],
  ])('%s', (_, check, right) => {
    expect(check(right)).toBeUndefined();
    const passed = [...right].flatMap((digit, at) =>
      [...'0123456789']
        .filter((other) => /\d/.test(digit) && other !== digit)
        .map((other) => right.slice(0, at) + other + right.slice(at + 1))
        .filter((mistyped) => check(mistyped) === undefined),
    );
    expect(passed).toEqual([]);
  });
});
