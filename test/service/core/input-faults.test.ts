/** Every fault of an input is a sentence of ours: the client reads no text of a library. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldFaults } from '../../../engine/service/core/input-faults.js';
import { OPERATIONS, OPERATOR_OPERATIONS } from '../../../engine/service/operations.js';

const ALL = Object.entries({ ...OPERATIONS, ...OPERATOR_OPERATIONS });
const LIBRARY = /^(Invalid|Too|Unrecognized|Expected|Required)\b/;
const WRONG = [{}, [], [{}], ['x'], [5], 'x', '', 'x'.repeat(5_000), 5, -1, 1e300, 0.5, true, null, Number.NaN];

/** Names of the fields, also where rules follow the schema. */
function namesOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodPipe) return namesOf(schema.in as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

test.each(ALL)('%s', (_name, { input }) => {
  const texts = WRONG.flatMap((value) => {
    const all = Object.fromEntries(namesOf(input).map((name) => [name, value]));
    return fieldFaults(input, all).map(({ field, message }) => `${field}: ${message}`);
  });
  expect([...new Set(texts)].filter((text) => LIBRARY.test(text.slice(text.indexOf(': ') + 2)))).toEqual([]);
});

test.each(ALL)('%s has each fault once', (_name, { input }) => {
  for (const value of WRONG) {
    const all = Object.fromEntries(namesOf(input).map((name) => [name, value]));
    const faults = fieldFaults(input, all).map(({ field, message }) => `${field}: ${message}`);
    expect(faults).toEqual([...new Set(faults)]);
  }
});

test('covers the inputs of most operations', () => {
  expect(ALL.filter(([, { input }]) => namesOf(input).length > 0).length).toBeGreaterThan(ALL.length / 2);
});
