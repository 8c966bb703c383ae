/** Texts from outside: their length, and the characters that none of them may have. */
import { describe, expect, test } from 'vitest';
import { characterFault, isLongerThan } from '../../engine/domain/core/text.js';

test.each([
  ['ASCII at the maximum', 'x'.repeat(140), false],
  ['ASCII above it', 'x'.repeat(141), true],
  ['characters of two units at the maximum', '🏦'.repeat(140), false],
  ['characters of two units above it', '🏦'.repeat(141), true],
  ['far above it', '\u0301'.repeat(30_000), true],
])('%s', (_, text, is) => {
  expect(isLongerThan(text, 140)).toBe(is);
});

describe('rejects in a text', () => {
  test.each([
    ['NUL', '\0'],
    ['TAB', '\t'],
    ['line feed', '\n'],
    ['escape', '\u001b'],
    ['DEL', '\u007f'],
    ['C1: next line', '\u0085'],
    ['C1: control sequence introducer', '\u009b'],
    ['line separator', '\u2028'],
    ['paragraph separator', '\u2029'],
    ['right-to-left override', '\u202e'],
    ['right-to-left mark', '\u200f'],
    ['Arabic letter mark', '\u061c'],
    ['isolate', '\u2066'],
    ['private use', '\ue000'],
    ['private use of plane 15', '\u{f0000}'],
    ['private use of plane 16', '\u{10fffd}'],
    ['noncharacter', '\ufdd0'],
    ['last of a plane', '\u{1ffff}'],
    ['lone high surrogate', '\ud800'],
    ['lone low surrogate', '\udc00'],
    ['31 combining marks in a row', `x${'\u0323'.repeat(31)}`],
  ])('%s', (_, character) => {
    expect(characterFault(`a${character}b`)).toMatch(/^send it with/);
  });
});

test.each([
  ['ASCII', 'Invoice 417 (A/B), ~!@#$%^&*'],
  ['accents', 'Škoda Žižkov, Øre, ñandú'],
  ['other scripts', '株式会社 山田 ทดสอบ हिन्दी'],
  ['a joiner inside a word', 'क्\u200dष می\u200cخواهم'],
  ['emoji', '🏦👨\u200d👩\u200d👧'],
  ['30 combining marks in a row', `x${'\u0323'.repeat(30)}y${'\u0323'.repeat(30)}`],
])('takes %s', (_, text) => {
  expect(characterFault(text)).toBeUndefined();
});

test('accepts line breaks where a text has lines, and no other control character', () => {
  expect(characterFault('one\r\ntwo\nthree', true)).toBeUndefined();
  expect(characterFault('one\rtwo', true)).toBeDefined();
  expect(characterFault('one\ttwo', true)).toBeDefined();
});
