import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Right } from '../../../engine/domain/core/rights.js';
import { type Caller, resolveToken } from '../../../engine/service/core/caller.js';
import { perform } from '../../../engine/service/perform.js';
import { nextChangeMs } from '../../../engine/service/prices/pairs.js';
import { startServices, type TestServices } from './services.js';

let on: TestServices;
let key: { clientKey: string; clientSecret: string };
const address = '192.0.2.1';

beforeAll(async () => {
  on = await startServices();
  const { services } = on;
  await perform(services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  await perform(services, 'setMargin', undefined, { clientId: 'acme', pair: 'USD/SGD', type: '*', margin: '0.25' });
  await perform(services, 'setMargin', undefined, {
    clientId: 'acme',
    pair: 'EUR/USD',
    type: 'SCHEDULED1',
    margin: '0.5',
  });
  key = (await services.store.keys.issue('acme', ['read', 'rates']))!;
  await on.loadMargins();
  on.tick('USD/SGD', '1.30000', '1.30010');
  on.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => on.stop());

const acme = (rights: readonly Right[] = ['rates']): Caller => ({
  clientId: 'acme',
  keyId: key.clientKey,
  rights: new Set(rights),
});
const rate = (sellCurrency: string, buyCurrency: string, type?: string) => ({ sellCurrency, buyCurrency, type });

describe('authorization', () => {
  test('rejects a missing caller, a missing right, and an unknown operator', async () => {
    const { services } = on;
    expect(await perform(services, 'getRate', undefined, rate('USD', 'SGD'))).toMatchObject({
      refusal: 'TOKEN_REQUIRED',
    });
    expect(await perform(services, 'getRate', acme(['read']), rate('USD', 'SGD'))).toMatchObject({
      refusal: 'NOT_ENTITLED',
      text: 'Not entitled: this key lacks the right rates',
    });
    // The right is checked before the input.
    expect(await perform(services, 'getRate', acme(['read']), {})).toMatchObject({ refusal: 'NOT_ENTITLED' });
    expect(await perform(services, 'listClients', acme(), {})).toMatchObject({ refusal: 'NOT_ENTITLED' });
  });

  test('a token identifies its caller until it expires', async () => {
    const { services } = on;
    const issued = await perform(services, 'authenticate', undefined, { ...key, address });
    expect(issued).toMatchObject({ clientId: 'acme' });
    if ('refusal' in issued) return;
    const caller = await resolveToken(services, issued.token, address);
    expect(caller).toMatchObject({ clientId: 'acme', keyId: key.clientKey });
    expect(await resolveToken(services, undefined, address)).toMatchObject({ refusal: 'TOKEN_REQUIRED' });
    expect(await resolveToken(services, `${issued.token.slice(0, -2)}xx`, address)).toMatchObject({
      refusal: 'TOKEN_INVALID',
    });
    expect(await resolveToken(services, 'x'.repeat(10_000), address)).toMatchObject({ refusal: 'TOKEN_INVALID' });
    const late = { ...services, now: () => issued.expiresAtMs };
    expect(await resolveToken(late, issued.token, address)).toMatchObject({ refusal: 'TOKEN_EXPIRED' });
    const other: Caller = { ...acme(), clientId: 'other' };
    expect(await perform(services, 'revokeToken', other, issued)).toMatchObject({ refusal: 'TOKEN_CLIENT_MISMATCH' });
    expect(await perform(services, 'readToken', acme(), issued)).toMatchObject({ state: 'live' });
    expect(await perform(services, 'revokeToken', acme(), issued)).toMatchObject({ state: 'revoked' });
    expect(await resolveToken(services, issued.token, address)).toMatchObject({ refusal: 'TOKEN_REVOKED' });
  });
});

describe('authenticate', () => {
  test('five wrong secrets lock the key for this address and no other', async () => {
    const { services } = on;
    const wrong = { clientKey: key.clientKey, clientSecret: 'not the secret', address: '192.0.2.66' };
    for (let i = 0; i < 5; i++) {
      expect(await perform(services, 'authenticate', undefined, wrong)).toMatchObject({ refusal: 'BAD_CREDENTIALS' });
    }
    const right = { ...key, address: '192.0.2.66' };
    expect(await perform(services, 'authenticate', undefined, right)).toMatchObject({ refusal: 'KEY_LOCKED' });
    const { token } = (await perform(services, 'authenticate', undefined, { ...key, address })) as { token: string };
    expect(token).toHaveLength(43);
    const later = { ...services, now: () => Date.now() + 15 * 60_000 };
    expect(await perform(later, 'authenticate', undefined, right)).toMatchObject({ clientId: 'acme' });
  });

  test('an IPv6 client is its whole /64 network', async () => {
    const { services } = on;
    for (let i = 1; i <= 5; i++) {
      const wrong = { clientKey: key.clientKey, clientSecret: 'not the secret', address: `2001:db8:1:2::${i}` };
      expect(await perform(services, 'authenticate', undefined, wrong)).toMatchObject({ refusal: 'BAD_CREDENTIALS' });
    }
    const from = (address: string) => perform(services, 'authenticate', undefined, { ...key, address });
    expect(await from('2001:db8:1:2:ffff::6')).toMatchObject({ refusal: 'KEY_LOCKED' });
    expect(await from('2001:db8:1:3::1')).toMatchObject({ clientId: 'acme' });
  });

  test("rejects in time when the store's answers together take too long", async () => {
    const keys = { ...on.services.store.keys, verify: () => new Promise<undefined>(() => {}) };
    const slow = { ...on.services, store: { ...on.services.store, answerMs: 1, keys } };
    const answer = await perform(slow, 'authenticate', undefined, { ...key, address });
    expect(answer).toMatchObject({ refusal: 'STORE_UNAVAILABLE', retryAfterS: 1 });
  });

  test('rejects an unknown key, a key of another client than expected, a disabled client', async () => {
    const { services } = on;
    const unknown = { clientKey: 'CK_UNKNOWN', clientSecret: 'x', address };
    expect(await perform(services, 'authenticate', undefined, unknown)).toMatchObject({ refusal: 'BAD_CREDENTIALS' });
    const foreign = { ...key, address, clientId: 'other' };
    expect(await perform(services, 'authenticate', undefined, foreign)).toMatchObject({ refusal: 'BAD_CREDENTIALS' });
    await services.store.clients.setDisabled('acme', true);
    expect(await perform(services, 'authenticate', undefined, { ...key, address })).toMatchObject({
      refusal: 'NOT_ENTITLED',
    });
    await services.store.clients.setDisabled('acme', false);
    const another = { clientKey: 'CK_another', clientSecret: 'x', address };
    expect(await perform(services, 'renewToken', acme(), another)).toMatchObject({ refusal: 'TOKEN_CLIENT_MISMATCH' });
  });

  test('issues no token to a client disabled between the key lookup and the token', async () => {
    const { services } = on;
    let issued: string | undefined;
    const tokens: typeof services.store.tokens = {
      ...services.store.tokens,
      async issue(...whom) {
        await perform(services, 'disableClient', undefined, { id: 'acme', disabled: true });
        const given = await services.store.tokens.issue(...whom);
        issued = given.token;
        return given;
      },
    };
    const late = { ...services, store: { ...services.store, tokens } };
    expect(await perform(late, 'authenticate', undefined, { ...key, address })).toMatchObject({
      refusal: 'NOT_ENTITLED',
    });
    await perform(services, 'disableClient', undefined, { id: 'acme', disabled: false });
    expect(await resolveToken(services, issued, address)).toMatchObject({ refusal: 'TOKEN_REVOKED' });
  });
});

describe('getRate', () => {
  test('states the price in units of the bought currency, less the margin', async () => {
    const { services } = on;
    expect(await perform(services, 'getRate', acme(), rate('USD', 'SGD'))).toMatchObject({
      providerRate: '1.3',
      clientRate: '1.29675',
      margin: '0.25',
      type: 'PREFUNDING',
    });
    expect(await perform(services, 'getRate', acme(), rate('SGD', 'USD', ''))).toMatchObject({
      clientRate: '0.7672486708',
    });
  });

  test.each([
    // sell   buy    type          refusal
    ['USD', 'usd', undefined, 'VALIDATION_FAILED'],
    ['USD', 'SGD', 'LATER', 'VALIDATION_FAILED'],
    ['USD', 'XAU', undefined, 'VALIDATION_FAILED'],
    ['XAU', 'XAU', undefined, 'VALIDATION_FAILED'],
    ['USD', 'USD', undefined, 'SAME_CURRENCY'],
    ['EUR', 'USD', undefined, 'NOT_ENTITLED'],
    ['GBP', 'USD', undefined, 'NOT_ENTITLED'],
  ])('%s to %s, type %s: %s', async (sell, buy, type, refusal) => {
    expect(await perform(on.services, 'getRate', acme(), rate(sell, buy, type))).toMatchObject({ refusal });
  });

  test('rejects with all faults of the input at once, each with its own code', async () => {
    expect(await perform(on.services, 'getRate', acme(), { buyCurrency: 'EURO', type: 7 })).toMatchObject({
      refusal: 'VALIDATION_FAILED',
      fields: [
        { field: 'sellCurrency', code: 'field_missing', message: 'required' },
        { field: 'buyCurrency', code: 'incorrect_format' },
        { field: 'type', code: 'incorrect_value' },
      ],
    });
    const twice = { ...rate('XAU', 'EUR', 'NOW'), buyCurrency: ['EUR', 'USD'] };
    expect(await perform(on.services, 'getRate', acme(), twice)).toMatchObject({
      refusal: 'VALIDATION_FAILED',
      fields: [
        { field: 'sellCurrency', code: 'incorrect_value', message: 'XAU is not offered' },
        { field: 'buyCurrency', code: 'incorrect_format' },
        { field: 'type', code: 'incorrect_value' },
      ],
    });
  });

  test('rejects a rate without a provider', async () => {
    on.services.book.providerDown(0);
    expect(await perform(on.services, 'getRate', acme(), rate('USD', 'SGD'))).toMatchObject({
      refusal: 'RATE_UNAVAILABLE',
    });
    on.tick('USD/SGD', '1.30000', '1.30010');
  });
});

test('lists the pairs that have a margin for the client, with their types', async () => {
  const listed = await perform(on.services, 'listPairs', acme([]), {});
  expect(listed).toMatchObject({
    pairs: [
      { pair: { symbol: 'EUR/USD' }, types: ['SCHEDULED1'] },
      { pair: { symbol: 'USD/SGD' }, types: ['PREFUNDING', 'SCHEDULED1', 'SCHEDULED2'] },
    ],
  });
});

test('states the next change of market hours', () => {
  const opensAt = Date.parse('2026-11-22T22:00:00Z');
  const hours = { isOpen: (ms: number) => ms >= opensAt };
  expect(nextChangeMs(hours, Date.parse('2026-11-21T10:17:31Z'))).toBe(opensAt);
  expect(nextChangeMs({ isOpen: (ms) => ms < opensAt + 1_740_000 }, opensAt)).toBe(opensAt + 1_740_000);
  expect(nextChangeMs({ isOpen: () => true }, 0)).toBeUndefined();
});

describe('the operator', () => {
  test('rejects duplicates, unknown ids and invalid margins', async () => {
    const ask = (name: Parameters<typeof perform>[1], input: unknown) => perform(on.services, name, undefined, input);
    expect(await ask('createClient', { id: 'acme', name: 'Acme' })).toMatchObject({ refusal: 'CLIENT_EXISTS' });
    expect(await ask('createClient', { id: '../x', name: 'X' })).toMatchObject({ refusal: 'VALIDATION_FAILED' });
    expect(await ask('issueKey', { clientId: 'unknown' })).toMatchObject({ refusal: 'UNKNOWN_CLIENT' });
    expect(await ask('assignCompId', { compId: 'D1', clientId: 'unknown' })).toMatchObject({
      refusal: 'UNKNOWN_CLIENT',
    });
    expect(await ask('assignCompId', { compId: 'D1', clientId: 'acme' })).toMatchObject({ compId: 'D1' });
    await ask('createClient', { id: 'other', name: 'Other' });
    expect(await ask('assignCompId', { compId: 'D1', clientId: 'other' })).toMatchObject({ refusal: 'COMPID_TAKEN' });
    const rule = { clientId: 'acme', pair: 'EUR/USD', type: '*' };
    expect(await ask('setMargin', { ...rule, margin: '100' })).toMatchObject({ refusal: 'BAD_MARGIN' });
    expect(await ask('setMargin', { ...rule, pair: 'USD/EUR', margin: '1' })).toMatchObject({
      refusal: 'VALIDATION_FAILED',
    });
    const full = { ...on.services.store.margins, set: async () => false };
    const crowded = { ...on.services, store: { ...on.services.store, margins: full } };
    expect(await perform(crowded, 'setMargin', undefined, { ...rule, margin: '1' })).toMatchObject({
      refusal: 'MARGIN_LIMIT',
    });
    expect(await ask('removeMargin', rule)).toMatchObject({ refusal: 'UNKNOWN_MARGIN' });
  });

  test('benchmark clients exist only where no other host can connect', async () => {
    const { services } = on;
    const far = { ...services, settings: { ...services.settings, loopbackOnly: false } };
    expect(await perform(far, 'provisionBenchmarkClients', undefined, { clients: 1 })).toMatchObject({
      refusal: 'NOT_ENTITLED',
    });
    expect(await perform(services, 'provisionBenchmarkClients', undefined, { clients: 3 })).toMatchObject({
      clients: 3,
    });
    const logon = { clientKey: 'key3', clientSecret: 'secret3', address, clientId: 'bench3' };
    expect(await perform(services, 'authenticate', undefined, logon)).toMatchObject({ clientId: 'bench3' });
    expect(await services.store.compIds.read('CLI0003')).toMatchObject({ clientId: 'bench3', sourceTime: true });
    const rules = await services.store.margins.list();
    expect(new Set(rules.filter((rule) => rule.clientId.startsWith('bench')).map((rule) => rule.marginPpm)).size).toBe(
      3,
    );
  });
});
