import { describe, expect, test } from 'vitest';
import { accountNumber, isAccountNumber } from '../../../engine/domain/core/ids.js';
import { random } from '../../domain/random.js';

/** The standard's own way to check a whole number, its check digit included: the last sum is 1. */
function passesIso7064(digits: string): boolean {
  const carry = (carried: number, digit: number) => (((carried + digit) % 10 || 10) * 2) % 11;
  const carried = [...digits.slice(0, -1)].map(Number).reduce(carry, 10);
  return (carried + Number(digits.at(-1))) % 10 === 1;
}

const draw = random(7064);
const digits = (count: number) => Array.from({ length: count }, () => Math.floor(draw() * 10)).join('');
const SAMPLES = Array.from({ length: 500 }, () => digits(10));

// Published: two examples of the scheme, a Croatian and a German tax number.
test.each(['07945', '002006673085', '69435151530', '86095742719'])('ISO 7064 MOD 11,10 accepts %s', (number) => {
  expect(passesIso7064(number)).toBe(true);
});

test('an account number is 12 digits that the standard accepts, and does not begin with 0', () => {
  for (const ten of ['0000000000', '9999999999', ...SAMPLES]) {
    const number = accountNumber(ten);
    expect(number).toMatch(/^[1-9]\d{11}$/);
    expect(number.slice(1, -1)).toBe(ten);
    expect([number, passesIso7064(number), isAccountNumber(number)]).toEqual([number, true, true]);
  }
});

test.each(['', '123456789', '12345678901', '12345 7890', '-123456789', '١٢٣٤٥٦٧٨٩٠'])(
  'none is made of "%s"',
  (wrong) => {
    expect(() => accountNumber(wrong)).toThrow(RangeError);
  },
);

const SOUND = accountNumber('2345678901');
test.each(['', SOUND.slice(1), `${SOUND}0`, ` ${SOUND}`, `${SOUND}\n`, `0${digits(11)}`, '002006673085', '1e11'])(
  '"%s" is none',
  (text) => expect(isAccountNumber(text)).toBe(false),
);

describe('mistyped', () => {
  test('finds every single wrong digit', () => {
    for (const number of SAMPLES.map(accountNumber)) {
      for (let at = 0; at < number.length; at++) {
        const others = [...'0123456789'].filter((digit) => digit !== number[at]);
        const taken = others.map((digit) => number.slice(0, at) + digit + number.slice(at + 1)).filter(isAccountNumber);
        expect(taken).toEqual([]);
      }
    }
  });

  // The standard finds 44 of the 45 pairs of digits at each place; the one it misses are neighbours such as 3 and 4.
  test('finds two digits in the wrong order, except one pair of neighbours at each place', () => {
    for (const ten of SAMPLES.slice(0, 50)) {
      for (let at = 0; at < 9; at++) {
        const missed = PAIRS_OF_DIGITS.filter(([a, b]) => {
          const number = accountNumber(ten.slice(0, at) + a + b + ten.slice(at + 2));
          return isAccountNumber(number.slice(0, at + 1) + b + a + number.slice(at + 3));
        });
        expect(missed).toHaveLength(1);
        const [[a, b]] = missed;
        expect([1, 9]).toContain(b - a);
      }
    }
  });

  test('finds the check digit before the digit that it follows, except neighbours', () => {
    const swapped = SAMPLES.map(accountNumber).filter((number) => {
      const distance = Math.abs(Number(number[10]) - Number(number[11]));
      return distance > 1 && distance < 9;
    });
    expect(swapped.length).toBeGreaterThan(300);
    expect(swapped.map((number) => number.slice(0, 10) + number[11] + number[10]).filter(isAccountNumber)).toEqual([]);
  });
});

const PAIRS_OF_DIGITS = Array.from({ length: 10 }, (_, a) => a).flatMap((a) =>
  Array.from({ length: 9 - a }, (_, more) => [a, a + 1 + more] as const),
);
