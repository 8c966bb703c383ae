/** What verifyWebhook accepts, signed here with node:crypto, and everything that it refuses. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookError, webhookAnswer } from '../../../rest/client/src/index.js';

const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W';
const BODY =
  '{"type":"payment.paid","timestamp":"2026-11-20T08:01:00.000Z","sequence":7,"data":{"object":{"amount":1.10}}}';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;

const now = () => Math.floor(Date.now() / 1_000);
const hmac = (timestamp: number, secret = SECRET, body = BODY) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${ID}.${timestamp}.${body}`)
    .digest('base64')}`;
const ed25519 = (timestamp: number, body = BODY) =>
  `v1a,${sign(null, Buffer.from(`${ID}.${timestamp}.${body}`), privateKey).toString('base64')}`;
const headers = (signature: string, timestamp: number | string = now()) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

test('a challenge is verified as an event is, and answered with its text; an event is answered with nothing', async () => {
  const body = '{"type":"webhook.challenge","sequence":0,"challenge":"abc","data":{"object":{},"previous":{}}}';
  const at = now();
  const challenge = await verifyWebhook(body, headers(hmac(at, SECRET, body), at), SECRET);
  expect(JSON.parse(webhookAnswer(challenge))).toEqual({ challenge: 'abc' });
  expect(webhookAnswer(await verifyWebhook(BODY, headers(hmac(at), at), SECRET))).toBe('');
});

describe('accepted', () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`;

  test.each([
    ['a secret', (at: number) => hmac(at), SECRET],
    ['a public key', (at: number) => ed25519(at), PUBLIC],
    [
      'the second of two signatures, while a secret is rotated',
      (at: number) => `${hmac(at, other)} ${hmac(at)}`,
      SECRET,
    ],
    ['both algorithms side by side', (at: number) => `${hmac(at)} ${ed25519(at)}`, PUBLIC],
    ['the second of two keys', (at: number) => hmac(at), [other, SECRET]],
    ['a secret without its prefix', (at: number) => hmac(at), SECRET.slice(6)],
    ['a signature of a version to come beside it', (at: number) => `v2,AAAA ${hmac(at)}`, SECRET],
  ])('%s', async (_, signature, keys) => {
    const at = now();
    const event = await verifyWebhook(BODY, headers(signature(at), at), keys);
    expect(event).toEqual(JSON.parse(BODY));
  });

  test('bytes, and headers as Headers or as node:http has them', async () => {
    const bytes = Buffer.from(BODY);
    const at = now();
    const given = headers(hmac(at), at);
    const upper = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const form of [new Headers(given), given, upper])
      expect((await verifyWebhook(bytes, form, SECRET)).sequence).toBe(7);
  });

  test('with decimals as strings', async () => {
    const at = now();
    const event = await verifyWebhook(BODY, headers(hmac(at), at), SECRET, { decimals: 'string' });
    expect(event).toMatchObject({ sequence: 7, data: { object: { amount: '1.10' } } });
  });

  test('within the tolerance', async () => {
    const late = now() - 290;
    await verifyWebhook(BODY, headers(hmac(late), late), SECRET);
    const old = now() - 3_000;
    await verifyWebhook(BODY, headers(hmac(old), old), SECRET, { tolerance: 3_600 });
  });
});

type Given = Parameters<typeof verifyWebhook>;

describe('refused', () => {
  test.each<[string, () => Given, string]>([
    ['another body', () => [`${BODY} `, headers(hmac(now())), SECRET], 'no signature is by this key'],
    ['another secret', () => [BODY, headers(hmac(now(), 'whsec_AAAA')), SECRET], 'no signature is by'],
    ['another id', () => [BODY, { ...headers(hmac(now())), 'webhook-id': 'other' }, SECRET], 'no signature'],
    ['a timestamp that was not signed', () => [BODY, headers(hmac(now() - 9)), SECRET], 'no signature'],
    ['an old one', () => [BODY, headers(hmac(now() - 310), now() - 310), SECRET], 's from the clock'],
    ['one of the future', () => [BODY, headers(hmac(now() + 310), now() + 310), SECRET], 'from the clock'],
    ['no number', () => [BODY, headers(hmac(now()), '1e9'), SECRET], 'webhook-timestamp is no number'],
    ['no signature', () => [BODY, headers(''), SECRET], 'is missing'],
    ['no base64', () => [BODY, headers('v1,***'), SECRET], 'no signature'],
    ['an HMAC as ed25519', () => [BODY, headers(hmac(now()).replace('v1', 'v1a')), PUBLIC], 'no signature'],
    ['the seventeenth', () => [BODY, headers(`${'v1,AA '.repeat(16)}${hmac(now())}`), SECRET], 'no signature'],
  ])('%s', async (_, given, message) => {
    const refused = verifyWebhook(...given());
    await expect(refused).rejects.toThrow(WebhookError);
    await expect(refused).rejects.toThrow(message);
  });

  test.each(['', 'whsec_', 'whpk_***'])('the key %j, as a fault of the program', async (key) => {
    await expect(verifyWebhook(BODY, headers(hmac(now())), key)).rejects.toThrow(TypeError);
  });
});

describe('what a caller may get wrong', () => {
  const at = now();
  const verify = (payload: unknown, options?: object) =>
    verifyWebhook(payload as string, headers(hmac(at), at), SECRET, options);

  test('an ArrayBuffer and a view of one are bytes', async () => {
    const bytes = new TextEncoder().encode(BODY);
    expect((await verify(bytes.buffer)).sequence).toBe(7);
    const wide = new Uint8Array(bytes.length + 8);
    wide.set(bytes, 4);
    expect((await verify(new DataView(wide.buffer, 4, bytes.length))).sequence).toBe(7);
  });

  test.each([[JSON.parse(BODY)], [undefined], [null], [7], [[1, 2]]])('a body that is not raw: %j', async (payload) => {
    const error = await verify(payload).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('raw body');
  });

  test.each([['300'], [Number.NaN], [-1], [Number.POSITIVE_INFINITY], [null]])(
    'a tolerance that is no number of seconds: %j',
    async (tolerance) => {
      await expect(verify(BODY, { tolerance })).rejects.toThrow(TypeError);
    },
  );
});
