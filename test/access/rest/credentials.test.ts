/** Client key and secret come in headers with underscores, without, or as HTTP Basic: proxies drop the first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

const PATH = '/api/v1/authentication';
let door: MoneyDoor;
let key: string;
let secret: string;

beforeAll(async () => {
  door = await openMoneyDoor();
  await door.client('acme');
  const issued = (await door.opened.store.keys.issue('acme', RIGHTS))!;
  [key, secret] = [issued.clientKey, issued.clientSecret];
});
afterAll(() => door.stop());

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const asked = async (headers: Record<string, string>, path = PATH) => {
  const { status, body } = await door.ask('POST', path, headers);
  return [status, body.code ?? (body.token ? 'token' : body.status), body.message];
};

describe('credentials', () => {
  test.each<[string, () => Record<string, string>]>([
    ['with underscores', () => ({ client_key: key, client_secret: secret })],
    ['without', () => ({ 'client-key': key, 'client-secret': secret })],
    ['one of each', () => ({ 'client-key': key, client_secret: secret })],
    ['as Basic', () => basic(`${key}:${secret}`)],
    ['in several ways that agree', () => ({ 'client-key': key, client_key: key, ...basic(`${key}:${secret}`) })],
  ])('%s are taken, for a token and to revoke', async (_how, headers) => {
    expect(await asked(headers())).toEqual([200, 'token', undefined]);
    expect(await asked(headers(), `${PATH}/revoke`)).toEqual([200, 'revoked', undefined]);
  });

  test.each<[string, () => Record<string, string>]>([
    ['none', () => ({})],
    ['a key alone', () => ({ 'client-key': key })],
    ['a secret alone', () => ({ client_secret: secret })],
    ['another spelling', () => ({ clientkey: key, clientsecret: secret })],
    ['Basic without a secret', () => basic(key)],
  ])('that are missing are said to be: %s', async (_how, headers) => {
    expect(await asked(headers())).toEqual([
      401,
      'BAD_CREDENTIALS',
      expect.stringMatching(/^Credentials missing: .*Basic/),
    ]);
  });

  test('that are wrong are not said to be missing, and two that differ are refused', async () => {
    const wrong = /^Authentication failed/;
    expect(await asked(basic(`${key}:x`))).toEqual([401, 'BAD_CREDENTIALS', expect.stringMatching(wrong)]);
    const two = { 'client-key': key, client_key: `${key}x`, client_secret: secret };
    expect((await asked(two)).slice(0, 2)).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('no log line has them', () => {
    expect(door.services.logged.join('\n')).not.toContain(secret);
  });
});
