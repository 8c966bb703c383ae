/** The right to operate opens the live page for an operator, and nothing else: no operation of either door asks for it or takes it. */
import { expect, test } from 'vitest';
import { ALL_RIGHTS, OPERATE, RIGHTS } from '../../engine/domain/core/rights.js';
import { createClient } from '../../engine/service/access/clients.js';
import { issueKey } from '../../engine/service/access/keys.js';
import { OPERATIONS, OPERATOR_OPERATIONS, type OperationName } from '../../engine/service/operations.js';
import { mayPerform } from '../../engine/service/perform.js';

const OPERATOR = { clientId: 'house', keyId: 'CK_X', rights: new Set([OPERATE] as const) };

/** These need a live token of any kind: they tell what is no client's, or tell or end what is the caller's own. */
const OF_ANY_TOKEN: readonly OperationName[] = [
  'authenticate',
  'renewToken',
  'revokeToken',
  'revokeTokens',
  'readToken',
  'listPairs',
  'marketStatus',
  'requiredDetails',
];

test('is no default right of a client or a key', () => {
  expect(RIGHTS).not.toContain(OPERATE);
  expect(createClient.input.parse({ id: 'acme', name: 'Acme' }).rights).toEqual([...RIGHTS]);
  expect(createClient.input.safeParse({ id: 'acme', name: 'Acme', rights: [OPERATE] }).success).toBe(false);
  expect(issueKey.input.parse({ clientId: 'acme', rights: [OPERATE] }).rights).toEqual([OPERATE]);
  expect(ALL_RIGHTS).toEqual([...RIGHTS, OPERATE]);
});

test('with it alone every operation that requires a right is rejected, and every operation of the command line', () => {
  const taken = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => !mayPerform(name, OPERATOR));
  expect(taken.filter((name) => !OF_ANY_TOKEN.includes(name))).toEqual([]);
  for (const name of Object.keys(OPERATOR_OPERATIONS) as (keyof typeof OPERATOR_OPERATIONS)[])
    expect([name, mayPerform(name, OPERATOR)?.refusal]).toEqual([name, 'NOT_ENTITLED']);
});

test('no operation requires it', () => {
  const rights = Object.values(OPERATIONS).map((operation) => ('right' in operation ? operation.right : undefined));
  expect(rights).not.toContain(OPERATE);
});
