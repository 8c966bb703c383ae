/** Tokens and held rates of a client, as an operator lists and revokes them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import type { AnyOperationName } from '../../../../engine/service/operations.js';
import { perform } from '../../../../engine/service/perform.js';
import { tokenHash } from '../../../../engine/store/access/credentials.js';
import { HOUR_MS, type MoneyRig, startMoney } from '../../../service/money-rig.js';

let on: MoneyRig;
beforeAll(async () => {
  on = await startMoney();
  await on.services.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  await on.services.store.clients.create({ id: 'other', name: 'Other', defaultType: 'PREFUNDING' });
  await on.open('acme', 'EUR', '1000.00');
  await on.open('acme', 'USD', '1000.00');
});
afterAll(() => on.stop());

const ask = <Name extends AnyOperationName>(name: Name, input: object) => perform(on.services, name, undefined, input);
const codeOf = (answer: object) => (isRefusal(answer) ? answer.refusal : 'done');

test('a token is listed by the beginning of its hash, and revoked by it', async () => {
  const { tokens } = on.services.store;
  const first = await tokens.issue('acme', 'CK_A', ['read', 'rates']);
  on.clock.now += HOUR_MS;
  const second = await tokens.issue('acme', 'CK_B', ['read']);
  const shown = [first, second].map(({ token }) => tokenHash(token).slice(0, 12));
  const listed = await ask('listTokens', { clientId: 'acme' });
  expect(listed).toEqual({
    clientId: 'acme',
    tokens: [
      {
        token: shown[0],
        keyId: 'CK_A',
        rights: ['read', 'rates'],
        issuedAtMs: on.clock.now - HOUR_MS,
        expiresAtMs: first.expiresAtMs,
      },
      { token: shown[1], keyId: 'CK_B', rights: ['read'], issuedAtMs: on.clock.now, expiresAtMs: second.expiresAtMs },
    ],
  });
  for (const { token } of [first, second]) expect(JSON.stringify(listed)).not.toContain(token);

  expect(await ask('revokeClientTokens', { clientId: 'other', token: shown[0] })).toMatchObject({
    refusal: 'NOT_FOUND',
  });
  expect(await ask('revokeClientTokens', { clientId: 'acme', token: shown[0] })).toMatchObject({ tokensEnded: 1 });
  expect(await ask('revokeClientTokens', { clientId: 'acme', token: shown[0] })).toMatchObject({
    refusal: 'NOT_FOUND',
  });
  expect((await tokens.read(first.token))?.state).toBe('revoked');
  expect((await tokens.read(second.token))?.state).toBe('live');
  on.clock.now += 24 * HOUR_MS;
  expect(await ask('listTokens', { clientId: 'acme' })).toMatchObject({ tokens: [] });
});

test.each([
  ['listTokens', { clientId: 'unknown' }, 'UNKNOWN_CLIENT'],
  ['revokeClientTokens', { clientId: 'acme', token: 'abc' }, 'VALIDATION_FAILED'],
  ['revokeClientTokens', { clientId: 'acme', token: 'x'.repeat(12) }, 'VALIDATION_FAILED'],
  ['listHolds', { clientId: 'unknown' }, 'UNKNOWN_CLIENT'],
  ['revokeHold', { clientId: 'unknown', holdId: 'HLD0000000001' }, 'UNKNOWN_CLIENT'],
  ['revokeHold', { clientId: 'acme', holdId: 'HLD0000000001' }, 'HOLD_NOT_FOUND'],
  ['revokeHold', { clientId: 'acme', holdId: '*' }, 'HOLD_NOT_FOUND'],
] as const)('%s %j: %s', async (name, input, code) => {
  expect(codeOf(await ask(name, input))).toBe(code);
});

test('a revoked REST hold cannot be booked, and no session is notified', async () => {
  const { id: holdId } = await on.hold('acme', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 });
  expect(await ask('listHolds', { clientId: 'acme' })).toMatchObject({ holds: [{ id: holdId, owner: '/rest' }] });
  expect(await ask('revokeHold', { clientId: 'other', holdId })).toMatchObject({ refusal: 'HOLD_NOT_FOUND' });
  expect(await ask('revokeHold', { clientId: 'acme', holdId })).toMatchObject({ holdId, status: 'withdrawn' });
  expect(await ask('listHolds', { clientId: 'acme' })).toMatchObject({ holds: [] });
  expect(await ask('revokeHold', { clientId: 'acme', holdId })).toMatchObject({
    refusal: 'WRONG_STATE',
    text: expect.stringContaining('withdrawn'),
  });
  const command = {
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    sellAmount: 10,
    quoteId: holdId,
    description: 'Invoice 1',
  };
  const booked = await perform(on.services, 'bookFxByCurrency', on.caller('acme'), { ...command, requestId: 'late' });
  expect(codeOf(booked)).toBe('HOLD_EXPIRED');
  expect(await on.keyspace.redis.keys('*:outbox')).toEqual([]);
  expect(await on.keyspace.redis.keys('*:none')).toEqual([]);
});

test('an expired hold is not listed and cannot be revoked', async () => {
  const { id: holdId } = await on.hold('acme', { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 });
  on.clock.now += 24 * HOUR_MS;
  expect(await ask('listHolds', { clientId: 'acme' })).toMatchObject({ holds: [] });
  expect(await ask('revokeHold', { clientId: 'acme', holdId })).toMatchObject({
    refusal: 'WRONG_STATE',
    text: expect.stringContaining('expired'),
  });
});
