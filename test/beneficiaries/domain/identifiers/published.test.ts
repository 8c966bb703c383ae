/** Identifiers that others published as right or wrong, each judged as its publisher says or as decisions.ts does. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DECISIONS, type Decision } from './decisions.js';
import { KINDS } from './kinds.js';

const PUBLISHED = read('identifiers.csv');
const CONTESTED = read('identifiers-contested.csv');

describe.each(Object.keys(KINDS))('%s', (kind) => {
  const rows = PUBLISHED.filter((row) => row.kind === kind);

  test('there are published values', () => {
    expect(rows.length).toBeGreaterThan(1);
  });

  test('accepts the right ones and rejects the wrong ones, the rest as decided', () => {
    const others = rows.filter((row) => ours(row) !== expected(row));
    expect(others).toEqual([]);
  });
});

test('every published value has a check', () => {
  expect(new Set(PUBLISHED.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
});

test('every contested value is decided', () => {
  expect(CONTESTED.length).toBe(19);
  expect(CONTESTED.filter((row) => !decided(row))).toEqual([]);
});

describe.each(DECISIONS)('$kind $ours: $why', ({ kind, values, ours: decision }) => {
  test('is the result of the checks', () => {
    expect(values.filter((value) => ours({ kind, value }) !== decision)).toEqual([]);
  });

  test('is about published values', () => {
    const known = new Set([...PUBLISHED, ...CONTESTED].filter((row) => row.kind === kind).map((row) => row.value));
    expect(values.filter((value) => !known.has(value))).toEqual([]);
  });
});

test('the page on the checks names every decision, the first value of a long list with their count', () => {
  const page = readFileSync(
    new URL('../../../../engine/domain/beneficiaries/identifiers/README.md', import.meta.url),
    'utf8',
  );
  const named = DECISIONS.flatMap(({ values }) =>
    values.length > 20 ? [`${values[0]} and ${values.length - 1} others`] : values,
  );
  expect(named.filter((value) => !page.includes(value))).toEqual([]);
});

interface Row {
  readonly kind: string;
  readonly value: string;
}

function decided({ kind, value }: Row): Decision | undefined {
  return DECISIONS.find((decision) => decision.kind === kind && decision.values.includes(value));
}

function expected(row: Row & { readonly isRight: boolean }): string {
  return decided(row)?.ours ?? (row.isRight ? 'accepted' : 'refused');
}

/** A warning counts where it is decided on; a right RFC may have a wrong check character. */
function ours(row: Row): string {
  const { fault, warning } = KINDS[row.kind]!;
  if (fault(row.value) !== undefined) return 'refused';
  return decided(row)?.ours === 'warned' && warning?.(row.value) !== undefined ? 'warned' : 'accepted';
}

function read(file: string) {
  const text = readFileSync(new URL(`../../../data/domain/${file}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, kind, valid, quoted, plain] = /^(\w+),(true|false),(?:"(.*)"|(.*))$/.exec(line)!;
      return { kind: kind!, isRight: valid === 'true', value: quoted ?? plain! };
    });
}
