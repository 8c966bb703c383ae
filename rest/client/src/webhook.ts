/** Verifies webhooks by the rules of Standard Webhooks: HMAC-SHA256 (`v1`) with a secret, ed25519 (`v1a`) with a public key. */
import type { Decimals } from './client.js';
import { withTexts } from './decimals.js';
import type { WebhookChallenge, WebhookEvent } from './events.js';

export interface WebhookOptions<D extends Decimals = Decimals> {
  /** A message whose timestamp is further from the clock here is refused, seconds. Default 300. */
  readonly tolerance?: number | undefined;
  /** As of the client. Default `number`. */
  readonly decimals?: D | undefined;
}

/** `Headers`, or an object of Node's http module. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The message is not to be trusted: answer it with 400, and use nothing of it. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Longer lists of signatures are no rotation of secrets. */
const SIGNATURES_MAX = 16;

/**
 * The event, or the challenge of an endpoint, where one of its signatures is by one of the keys: `whsec_...`, the secret of the endpoint, or `whpk_...`, its public key.
 * Rejects with WebhookError otherwise. `payload` is the body as it came: parsed and written again, it has another signature. Rejects with
 * TypeError for a payload that is neither text nor bytes, and for a tolerance that is no number of seconds from 0.
 */
export async function verifyWebhook<D extends Decimals = 'number'>(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  keys: string | readonly string[],
  { tolerance = 300, decimals }: WebhookOptions<D> = {},
): Promise<WebhookEvent<D> | WebhookChallenge> {
  const body = bytesOf(payload);
  if (!(Number.isFinite(tolerance) && tolerance >= 0)) throw new TypeError('tolerance is a number of seconds from 0');
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(headers, name));
  if (!id || !timestamp || !signatures) throw new WebhookError('webhook-id, -timestamp or -signature is missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('webhook-timestamp is no number of seconds');
  const apart = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (apart > tolerance) throw new WebhookError(`webhook-timestamp is ${Math.round(apart)} s from the clock here`);

  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = signatures.split(' ').slice(0, SIGNATURES_MAX);
  for (const key of typeof keys === 'string' ? [keys] : keys) {
    if (await isSignedBy(key, given, signed)) {
      const text = new TextDecoder().decode(body);
      return JSON.parse(decimals === 'string' ? withTexts(text) : text) as WebhookEvent<D> | WebhookChallenge;
    }
  }
  throw new WebhookError('no signature is by this key');
}

function bytesOf(payload: unknown): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
  // Of any realm, as a test runner or a frame has its own.
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]') return new Uint8Array(payload as ArrayBuffer);
  throw new TypeError(
    'verifyWebhook takes the raw body, text or bytes as they came: a parsed one has another signature',
  );
}

/** Each algorithm compares in constant time. */
async function isSignedBy(key: string, signatures: readonly string[], signed: Bytes): Promise<boolean> {
  const isPublic = key.startsWith('whpk_');
  const [version, algorithm] = isPublic
    ? ['v1a,', { name: 'Ed25519' }]
    : (['v1,', { name: 'HMAC', hash: 'SHA-256' }] as const);
  const bytes = fromBase64(key.replace(/^wh(sec|pk)_/, ''));
  if (bytes === undefined || bytes.length === 0) throw new TypeError('a webhook key is whsec_ or whpk_ and base64');
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const signature of signatures) {
    const value = signature.startsWith(version) ? fromBase64(signature.slice(version.length)) : undefined;
    if (value && (await crypto.subtle.verify(algorithm, imported, value, signed))) return true;
  }
  return false;
}

type Bytes = Uint8Array<ArrayBuffer>;

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const full = `webhook-${name}`;
  if (headers instanceof Headers) return headers.get(full) ?? undefined;
  const found = Object.keys(headers).find((key) => key.toLowerCase() === full);
  const value = found === undefined ? undefined : headers[found];
  return typeof value === 'string' ? value : value?.join(' ');
}

function joined(head: Uint8Array, body: Uint8Array): Bytes {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
