import { expect, test } from 'vitest';
import { instantOf } from '../../engine/domain/core/instant.js';

const MS = Date.parse('2026-11-20T08:01:02.123Z');

test.each([
  ['2026-11-20T08:01:02.123Z', MS],
  ['2026-11-20T08:01:02.123456+00:00', MS],
  ['2026-11-20T08:01:02.123999999Z', MS],
  ['2026-11-20T09:01:02.1230+01:00', MS],
  ['2026-11-20t08:01:02.123z', MS],
  ['2026-11-20T08:01:02.1Z', MS - 23],
  ['2026-11-20T08:01:02Z', MS - 123],
])('%s is a time, cut to the millisecond', (text, ms) => expect(instantOf(text)).toBe(ms));

test.each([
  ['2026-11-20T08:01Z'],
  ['2026-11-20T08:01:02'],
  ['2026-11-20T08:01:02.Z'],
  ['2026-11-20T24:01:02Z'],
  ['2026-11-20 08:01:02Z'],
  ['2026-11-20T08:01:02+0100'],
  ['2026-11-20'],
  [`2026-11-20T08:01:02.${'1'.repeat(60)}Z`],
  [''],
])('%s is none', (text) => expect(instantOf(text)).toBeUndefined());

test('a day that there is not is named', () => expect(instantOf('2026-02-30T08:01:02Z')).toBe('no day'));
