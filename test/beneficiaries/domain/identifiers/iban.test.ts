/** IBANs by the structures of SWIFT's registry: an example of each country, and what differs from it in one thing. */
import { describe, expect, test } from 'vitest';
import { ibanCountryOf, ibanExample, ibanFault } from '../../../../engine/domain/beneficiaries/identifiers/iban.js';
import { isoCountries, isSepaCountry } from '../../../../engine/domain/payments/corridors/countries.js';

/** The registry's examples, and published ones of countries that have joined since. */
const EXAMPLES = `AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201
  AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678
  BH67BMAG00001299123456 BI4210000100010000332045181 BR9700360305000010009795493P1 BY13NBRB3600900000002Z00AB00
  CH9300762011623852957 CR05015202001026284066 CY17002001280000001200527600 CZ6508000000192000145399
  DE89370400440532013000 DJ2100010000000154000100186 DK5000400440116243 DO28BAGR00000001212453611324
  EE382200221020145685 EG380019000500000000263180002 ES9121000418450200051332 FI2112345600000785
  FK88SC123456789012 FO2000400440116243 FR1420041010050500013M02606 GB29NWBK60161331926819
  GE29NB0000000101904917 GI75NWBK000000007099453 GL2000400440116243 GR1601101250000000012300695
  GT82TRAJ01020000001210029690 HN88CABF00000000000250005469 HR1210010051863000160 HU42117730161111101800000000
  IE29AIBK93115212345678 IL620108000000099999999 IQ98NBIQ850123456789012 IS140159260076545510730339
  IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101 KZ86125KZT5004100100
  LB62099900000001001901229114 LC55HEMM000100010012001200023015 LI21088100002324013AA LT121000011101001000
  LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361 MC5811222000010123456789030
  MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984 MN121234123456789123
  MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124
  NL91ABNA0417164300 NO9386011117947 OM810180000001299123456 PK36SCBL0000001123456702
  PL61109010140000071219812874 PS92PALS000000000400123456702 PT50000201231234567890154 QA58DOHB00001234567890ABCDEFG
  RO49AAAA1B31007593840000 RS35260005601001611379 RU0204452560040702810412345678901 SA0380000000608010167519
  SC18SSCB11010000000000001497USD SD8811123456789012 SE4550000000058398257466 SI56191000000123438
  SK3112000000198742637541 SM86U0322509800000000270100 SO211000001001000100141 ST68000100010051845310112
  SV62CENR00000000000000700025 TL380080012345678910157 TN5910006035183598478831 TR330006100519786457841326
  UA213996220000026007233566001 VA59001123000012345678 VG96VPVG0000012345678901 XK051212012345678906
  YE15CBYE0001018861234567891234`.split(/\s+/);

const mod97 = (text: string): bigint =>
  BigInt([...text].map((character) => Number.parseInt(character, 36)).join('')) % 97n;
/** With the check digits that are right. */
const withDigits = (country: string, bban: string): string =>
  `${country}${String(98n - mod97(`${bban}${country}00`)).padStart(2, '0')}${bban}`;

const countryCodes = () => [...isoCountries(), 'XK'];

test('every country of the registry has an example, and no other country has IBANs', () => {
  expect(EXAMPLES.map((iban) => iban.slice(0, 2))).toEqual([...new Set(EXAMPLES.map((iban) => iban.slice(0, 2)))]);
  expect(EXAMPLES).toHaveLength(89);
  const withOwn = countryCodes().filter((country) => ibanCountryOf(country) === country);
  expect(withOwn.sort()).toEqual(EXAMPLES.map((iban) => iban.slice(0, 2)));
  expect(countryCodes().filter((country) => isSepaCountry(country) && ibanCountryOf(country) === undefined)).toEqual(
    [],
  );
});

describe.each(EXAMPLES)('%s', (iban) => {
  const [country, bban] = [iban.slice(0, 2), iban.slice(4)];

  test('is right, and so is the example that the product shows', () => {
    expect([ibanFault(iban), ibanFault(ibanExample(country))]).toEqual([undefined, undefined]);
  });

  test('is wrong when longer, shorter, or with other check digits', () => {
    expect(ibanFault(withDigits(country, `${bban}0`))).toMatch(/^wrong length for its country: \d\d characters/);
    expect(ibanFault(withDigits(country, bban.slice(0, -1)))).toMatch(/^wrong length/);
    expect(ibanFault(`${country}${iban.slice(2, 4) === '50' ? '51' : '50'}${bban}`)).toBe(
      'wrong check digits (mod 97)',
    );
  });

  test('is wrong with a digit where letters are', () => {
    const zeros = ibanExample(country).slice(4);
    for (let at = 0; at < zeros.length; at++) {
      const put = (character: string) => withDigits(country, zeros.slice(0, at) + character + zeros.slice(at + 1));
      const isLetter = zeros[at] === 'A';
      const [digit, letter] = [ibanFault(put('1')), ibanFault(put('B'))];
      if (isLetter) expect([digit, letter]).toEqual([expect.stringMatching(/^wrong structure/), undefined]);
      else expect(digit).toBeUndefined();
    }
  });
});

test.each([
  ['PK13ABCD00A1000000000007', undefined],
  [withDigits('DO', 'AB1200000000001234567890'), undefined],
  [withDigits('BY', 'A1B23600900000002Z00AB00'), undefined],
  [withDigits('PK', '1BCD0000001123456702'), /behind PK\d\d PK has 4 letters, 16 letters or digits/],
  [withDigits('TR', '0006109519786457841326'), undefined],
  [withDigits('TR', '00061A0519786457841326'), /behind TR\d\d TR has 5 digits, 1 digits, 16 letters or digits/],
  [withDigits('IE', '1234115212345678AB'.slice(0, 18)), /wrong structure/],
  ['NC8420041010050500013M02606', undefined],
  ['MA64011519000001205000534921', /^this country has no IBAN: MA is not in SWIFT's registry/],
])('%s', (iban, fault) => {
  if (fault === undefined) expect(ibanFault(iban)).toBeUndefined();
  else expect(ibanFault(iban)).toMatch(fault);
});
